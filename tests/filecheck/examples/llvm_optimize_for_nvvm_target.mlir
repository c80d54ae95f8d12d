// A division of half precision is done in single precision.
// RUN: xgpu-opt %s --llvm-optimize-for-nvvm-target | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @f(%arg0: f16, %arg1: f16) -> f16 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0 : ui32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(2139095040 : ui32) : i32
// CHECK-NEXT:     %2 = llvm.fpext %arg0 : f16 to f32
// CHECK-NEXT:     %3 = llvm.fpext %arg1 : f16 to f32
// CHECK-NEXT:     %4 = nvvm.rcp.approx.ftz.f %3 : f32
// CHECK-NEXT:     %5 = llvm.fmul %2, %4 : f32
// CHECK-NEXT:     %6 = llvm.fneg %3 : f32
// CHECK-NEXT:     %7 = llvm.intr.fma(%5, %6, %2) : (f32, f32, f32) -> f32
// CHECK-NEXT:     %8 = llvm.intr.fma(%7, %4, %5) : (f32, f32, f32) -> f32
// CHECK-NEXT:     %9 = llvm.bitcast %5 : f32 to i32
// CHECK-NEXT:     %10 = llvm.and %9, %1 : i32
// CHECK-NEXT:     %11 = llvm.icmp "eq" %10, %0 : i32
// CHECK-NEXT:     %12 = llvm.icmp "eq" %10, %1 : i32
// CHECK-NEXT:     %13 = llvm.or %11, %12 : i1
// CHECK-NEXT:     %14 = llvm.select %13, %5, %8 : i1, f32
// CHECK-NEXT:     %15 = llvm.fptrunc %14 : f32 to f16
// CHECK-NEXT:     llvm.return %15 : f16
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @f(%a: f16, %b: f16) -> f16 {
  %0 = llvm.fdiv %a, %b : f16
  llvm.return %0 : f16
}
