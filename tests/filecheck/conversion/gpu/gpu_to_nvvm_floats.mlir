// RUN: xgpu-opt %s --convert-gpu-to-nvvm | filecheck %s

// Arithmetic of floats in a kernel.

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     llvm.func @floats(%arg0: f32, %arg1: f32, %arg2: f16) -> !llvm.struct<(f32, f32, f32, f16)> attributes {llvm.emit_c_interface} {
// CHECK-NEXT:       %0 = llvm.fsub %arg0, %arg1 : f32
// CHECK-NEXT:       %1 = llvm.fdiv %0, %arg1 : f32
// CHECK-NEXT:       %2 = llvm.intr.minimum(%1, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:       %3 = llvm.fneg %arg2 : f16
// CHECK-NEXT:       %4 = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f16)>
// CHECK-NEXT:       %5 = llvm.insertvalue %0, %4[0] : !llvm.struct<(f32, f32, f32, f16)>
// CHECK-NEXT:       %6 = llvm.insertvalue %1, %5[1] : !llvm.struct<(f32, f32, f32, f16)>
// CHECK-NEXT:       %7 = llvm.insertvalue %2, %6[2] : !llvm.struct<(f32, f32, f32, f16)>
// CHECK-NEXT:       %8 = llvm.insertvalue %3, %7[3] : !llvm.struct<(f32, f32, f32, f16)>
// CHECK-NEXT:       llvm.return %8 : !llvm.struct<(f32, f32, f32, f16)>
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @_mlir_ciface_floats(%arg0: !llvm.ptr, %arg1: f32, %arg2: f32, %arg3: f16) attributes {llvm.emit_c_interface} {
// CHECK-NEXT:       %0 = llvm.call @floats(%arg1, %arg2, %arg3) : (f32, f32, f16) -> !llvm.struct<(f32, f32, f32, f16)>
// CHECK-NEXT:       llvm.store %0, %arg0 : !llvm.struct<(f32, f32, f32, f16)>, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func @floats(%a: f32, %b: f32, %c: f16) -> (f32, f32, f32, f16) {
    %0 = arith.subf %a, %b : f32
    %1 = arith.divf %0, %b : f32
    %2 = arith.minimumf %1, %a : f32
    %3 = arith.negf %c : f16
    return %0, %1, %2, %3 : f32, f32, f32, f16
  }
}
