// RUN: xgpu-opt --gpu-expand-copies %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @copies(%arg0: memref<?x4xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x4xf32>) kernel {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c0_0 = arith.constant 0 : index
// CHECK-NEXT:       %dim = memref.dim %arg0, %c0_0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:       scf.for %arg2 = %c0 to %dim step %c1 {
// CHECK-NEXT:         %c1_1 = arith.constant 1 : index
// CHECK-NEXT:         %dim_2 = memref.dim %arg0, %c1_1 : memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:         scf.for %arg3 = %c0 to %dim_2 step %c1 {
// CHECK-NEXT:           %0 = memref.load %arg0[%arg2, %arg3] : memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:           memref.store %0, %arg1[%arg2, %arg3] : memref<?x4xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       memref.copy %arg1, %arg1 : memref<?x4xf32> to memref<?x4xf32>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
gpu.module @kernels {
  gpu.func @copies(%a: memref<?x4xf32, strided<[?, ?], offset: ?>>, %b: memref<?x4xf32>) kernel {
    memref.copy %a, %b : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32>
    memref.copy %b, %b : memref<?x4xf32> to memref<?x4xf32>
    gpu.return
  }
}

// CHECK-NEXT:   func.func @host(%arg0: memref<4xf32, strided<[2]>>, %arg1: memref<4xf32>) {
// CHECK-NEXT:     memref.copy %arg0, %arg1 : memref<4xf32, strided<[2]>> to memref<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @host(%a: memref<4xf32, strided<[2]>>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32, strided<[2]>> to memref<4xf32>
  return
}
