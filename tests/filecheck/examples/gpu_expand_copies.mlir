// A copy between strided memrefs becomes a loop.
// RUN: xgpu-opt %s --gpu-expand-copies | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @f(%arg0: memref<8xf32, strided<[2]>>, %arg1: memref<8xf32>) kernel {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c0_0 = arith.constant 0 : index
// CHECK-NEXT:       %dim = memref.dim %arg0, %c0_0 : memref<8xf32, strided<[2]>>
// CHECK-NEXT:       scf.for %arg2 = %c0 to %dim step %c1 {
// CHECK-NEXT:         %0 = memref.load %arg0[%arg2] : memref<8xf32, strided<[2]>>
// CHECK-NEXT:         memref.store %0, %arg1[%arg2] : memref<8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @f(%a: memref<8xf32, strided<[2]>>, %b: memref<8xf32>) kernel {
    memref.copy %a, %b : memref<8xf32, strided<[2]>> to memref<8xf32>
    gpu.return
  }
}
