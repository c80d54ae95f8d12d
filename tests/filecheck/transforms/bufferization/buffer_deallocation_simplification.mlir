// RUN: xgpu-opt --buffer-deallocation-simplification %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @retained(%arg0: index, %arg1: i1) -> memref<?xf32> {
// CHECK-NEXT:     %alloc = memref.alloc(%arg0) : memref<?xf32>
// CHECK-NEXT:     return %alloc : memref<?xf32>
// CHECK-NEXT:   }
func.func @retained(%n: index, %c: i1) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  bufferization.dealloc (%0, %1 : memref<?xf32>, memref<?xf32>) if (%c, %c) retain (%0 : memref<?xf32>)
  return %0 : memref<?xf32>
}

// CHECK-NEXT:   func.func @never(%arg0: memref<4xf32>) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @never(%m: memref<4xf32>) {
  %false = arith.constant false
  bufferization.dealloc (%m : memref<4xf32>) if (%false)
  return
}

// CHECK-NEXT:   func.func @twice(%arg0: index, %arg1: i1, %arg2: i1) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @twice(%n: index, %c: i1, %d: i1) {
  %0 = memref.alloc(%n) : memref<?xf32>
  bufferization.dealloc (%0, %0 : memref<?xf32>, memref<?xf32>) if (%c, %d)
  return
}
