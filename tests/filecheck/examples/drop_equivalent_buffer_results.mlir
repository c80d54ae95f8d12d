// A function need not return a buffer that it was given.
// RUN: xgpu-opt %s --drop-equivalent-buffer-results | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @f(%arg0: memref<?xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     memref.store %arg1, %arg0[%c0] : memref<?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func private @f(%m: memref<?xf32>, %x: f32) -> memref<?xf32> {
  %c = arith.constant 0 : index
  memref.store %x, %m[%c] : memref<?xf32>
  return %m : memref<?xf32>
}
// CHECK-NEXT:   func.func @g(%arg0: memref<?xf32>, %arg1: f32) -> memref<?xf32> {
// CHECK-NEXT:     call @f(%arg0, %arg1) : (memref<?xf32>, f32) -> ()
// CHECK-NEXT:     return %arg0 : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @g(%m: memref<?xf32>, %x: f32) -> memref<?xf32> {
  %0 = call @f(%m, %x) : (memref<?xf32>, f32) -> memref<?xf32>
  return %0 : memref<?xf32>
}
