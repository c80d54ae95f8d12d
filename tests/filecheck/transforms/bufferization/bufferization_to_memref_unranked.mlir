// RUN: xgpu-opt %s --convert-bufferization-to-memref | filecheck %s --match-full-lines

// The copy is in the memory of what is copied (docs/reference/deviations.md).
// CHECK: module {
// CHECK-NEXT:   func.func @unranked(%arg0: memref<*xf32, 3>) -> memref<*xf32, 3> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = memref.rank %arg0 : memref<*xf32, 3>
// CHECK-NEXT:     %alloca = memref.alloca(%0) : memref<?xindex>
// CHECK-NEXT:     %1 = scf.for %arg1 = %c0 to %0 step %c1 iter_args(%arg2 = %c1) -> (index) {
// CHECK-NEXT:       %dim = memref.dim %arg0, %arg1 : memref<*xf32, 3>
// CHECK-NEXT:       memref.store %dim, %alloca[%arg1] : memref<?xindex>
// CHECK-NEXT:       %2 = arith.muli %arg2, %dim : index
// CHECK-NEXT:       scf.yield %2 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     %alloc = memref.alloc(%1) : memref<?xf32, 3>
// CHECK-NEXT:     %reshape = memref.reshape %alloc(%alloca) : (memref<?xf32, 3>, memref<?xindex>) -> memref<*xf32, 3>
// CHECK-NEXT:     memref.copy %arg0, %reshape : memref<*xf32, 3> to memref<*xf32, 3>
// CHECK-NEXT:     return %reshape : memref<*xf32, 3>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unranked(%m: memref<*xf32, 3>) -> memref<*xf32, 3> {
  %0 = bufferization.clone %m : memref<*xf32, 3> to memref<*xf32, 3>
  return %0 : memref<*xf32, 3>
}
