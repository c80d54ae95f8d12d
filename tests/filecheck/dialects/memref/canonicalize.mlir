// RUN: xgpu-opt %s --canonicalize | filecheck %s

func.func @dims(%n: index, %m: memref<4x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %0 = memref.dim %m, %c0 : memref<4x?xf32>
  %1 = memref.dim %m, %c1 : memref<4x?xf32>
  %2 = memref.dim %a, %c0 : memref<?xf32>
  return %0, %1, %2 : index, index, index
}

func.func @casts(%m: memref<8xf32>, %i: index) -> f32 {
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

func.func @static_alloc() -> memref<?xf32> {
  %c8 = arith.constant 8 : index
  %0 = memref.alloc(%c8) : memref<?xf32>
  return %0 : memref<?xf32>
}

func.func @dead_alloc(%x: f32, %i: index) {
  %0 = memref.alloc() : memref<8xf32>
  memref.store %x, %0[%i] : memref<8xf32>
  memref.dealloc %0 : memref<8xf32>
  return
}

func.func @static_subview(%m: memref<8x16xf32>, %i: index)
    -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = memref.subview %m[%i, %c4] [%c4, %c4] [%c1, %c1]
      : memref<8x16xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// CHECK-LABEL: func.func @dims(%arg0: index, %arg1: memref<4x?xf32>) -> (index, index, index) {
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c4 = arith.constant 4 : index
// CHECK-NEXT:      %dim = memref.dim %arg1, %c1 : memref<4x?xf32>
// CHECK-NEXT:      return %c4, %dim, %arg0 : index, index, index
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @casts(%arg0: memref<8xf32>, %arg1: index) -> f32 {
// CHECK-NEXT:      %0 = memref.load %arg0[%arg1] : memref<8xf32>
// CHECK-NEXT:      return %0 : f32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @static_alloc() -> memref<?xf32> {
// CHECK-NEXT:      %alloc = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %cast = memref.cast %alloc : memref<8xf32> to memref<?xf32>
// CHECK-NEXT:      return %cast : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @dead_alloc(%arg0: f32, %arg1: index) {
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @static_subview(%arg0: memref<8x16xf32>, %arg1: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:      %subview = memref.subview %arg0[%arg1, 4] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:      %cast = memref.cast %subview : memref<4x4xf32, strided<[16, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:      return %cast : memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    }
