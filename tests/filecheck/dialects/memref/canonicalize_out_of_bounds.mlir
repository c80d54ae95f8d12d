// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines
// A subview that would be outside with what is known keeps its values: nothing says that it is run.

// CHECK: module {
// CHECK-NEXT:   func.func @offset(%arg0: memref<10xf32>, %arg1: f32, %arg2: index) {
// CHECK-NEXT:     %c127 = arith.constant 127 : index
// CHECK-NEXT:     %subview = memref.subview %arg0[%c127] [4] [1] : memref<10xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     memref.store %arg1, %subview[%arg2] : memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @offset(%m: memref<10xf32>, %x: f32, %i: index) {
  %c127 = arith.constant 127 : index
  %0 = memref.subview %m[%c127] [4] [1] : memref<10xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.store %x, %0[%i] : memref<4xf32, strided<[1], offset: ?>>
  return
}

// CHECK-NEXT:   func.func @size(%arg0: memref<10xf32>, %arg1: f32, %arg2: index) {
// CHECK-NEXT:     %c12 = arith.constant 12 : index
// CHECK-NEXT:     %subview = memref.subview %arg0[2] [%c12] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: 2>>
// CHECK-NEXT:     %subview_0 = memref.subview %subview[9] [4] [1] : memref<?xf32, strided<[1], offset: 2>> to memref<4xf32, strided<[1], offset: 11>>
// CHECK-NEXT:     memref.store %arg1, %subview_0[%arg2] : memref<4xf32, strided<[1], offset: 11>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @size(%m: memref<10xf32>, %x: f32, %i: index) {
  %c12 = arith.constant 12 : index
  %0 = memref.subview %m[2] [%c12] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: 2>>
  %1 = memref.subview %0[9] [4] [1] : memref<?xf32, strided<[1], offset: 2>> to memref<4xf32, strided<[1], offset: 11>>
  memref.store %x, %1[%i] : memref<4xf32, strided<[1], offset: 11>>
  return
}

// CHECK-NEXT:   func.func @cast(%arg0: memref<4xf32>, %arg1: f32, %arg2: index) {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg2] [8] [1] : memref<4xf32> to memref<8xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     %subview_0 = memref.subview %cast[2] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: 2>>
// CHECK-NEXT:     memref.store %arg1, %subview[%arg2] : memref<8xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     memref.store %arg1, %subview_0[%arg2] : memref<8xf32, strided<[1], offset: 2>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @cast(%m: memref<4xf32>, %x: f32, %i: index) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.subview %0[%i] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: ?>>
  %2 = memref.subview %0[2] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: 2>>
  memref.store %x, %1[%i] : memref<8xf32, strided<[1], offset: ?>>
  memref.store %x, %2[%i] : memref<8xf32, strided<[1], offset: 2>>
  return
}
