// A conditional deallocation becomes a branch.
// RUN: xgpu-opt %s --bufferization-lower-deallocations | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8xf32>, %arg1: i1) {
// CHECK-NEXT:     scf.if %arg1 {
// CHECK-NEXT:       memref.dealloc %arg0 : memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<8xf32>, %own: i1) {
  bufferization.dealloc (%m : memref<8xf32>) if (%own)
  return
}
