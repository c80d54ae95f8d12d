// RUN: xgpu-opt %s -llvm-optimize-for-nvvm-target | filecheck %s

// CHECK-LABEL: llvm.func @half(
// CHECK:       %[[R:.*]] = nvvm.rcp.approx.ftz.f
// CHECK:       %[[Q:.*]] = llvm.fmul %{{.*}}, %[[R]] : f32
// CHECK:       llvm.intr.fma(%{{.*}}, %[[R]], %[[Q]])
// CHECK:       llvm.fptrunc
llvm.func @half(%a: f16, %b: f16) -> f16 {
  %0 = llvm.fdiv %a, %b : f16
  llvm.return %0 : f16
}

// CHECK-LABEL: llvm.func @single(
// CHECK:       llvm.fdiv
llvm.func @single(%a: f32, %b: f32) -> f32 {
  %0 = llvm.fdiv %a, %b : f32
  llvm.return %0 : f32
}
