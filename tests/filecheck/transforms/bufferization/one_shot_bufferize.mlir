// RUN: xgpu-opt --one-shot-bufferize=bufferize-function-boundaries --split-input-file %s | filecheck %s --match-full-lines

// Of two insertions into one tensor one is on a copy, where both results are wanted.
func.func @insert_twice(%t: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = tensor.insert %x into %t[%i] : tensor<?xf32>
  %b = tensor.insert %x into %t[%i] : tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}

// A slice that is filled and put back is filled where it stands.
func.func @fill_slice(%t: tensor<?x8xf32>, %x: f32, %i: index, %n: index) -> tensor<?x8xf32> {
  %s = tensor.extract_slice %t[%i, 0] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %f = linalg.fill ins(%x : f32) outs(%s : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = tensor.insert_slice %f into %t[%i, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// A constant is never written.
func.func @constant(%x: f32, %i: index) -> (tensor<3xf32>, f32) {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %a = tensor.insert %x into %c[%i] : tensor<3xf32>
  %e = tensor.extract %c[%i] : tensor<3xf32>
  return %a, %e : tensor<3xf32>, f32
}

// CHECK: module {
// CHECK-NEXT:   memref.global "private" constant @__constant_3xf32 : memref<3xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT:   func.func @insert_twice(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?xf32>, memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// CHECK-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// CHECK-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %alloc, %arg0 : memref<?xf32>, memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @fill_slice(%arg0: memref<?x8xf32, strided<[?, ?], offset: ?>>, %arg1: f32, %arg2: index, %arg3: index) -> memref<?x8xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg2, 0] [%arg3, 4] [1, 1] : memref<?x8xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     linalg.fill ins(%arg1 : f32) outs(%subview : memref<?x4xf32, strided<[?, ?], offset: ?>>)
// CHECK-NEXT:     %subview_0 = memref.subview %arg0[%arg2, 0] [%arg3, 4] [1, 1] : memref<?x8xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     memref.copy %subview, %subview_0 : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     return %arg0 : memref<?x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @constant(%arg0: f32, %arg1: index) -> (memref<3xf32>, f32) {
// CHECK-NEXT:     %0 = memref.get_global @__constant_3xf32 : memref<3xf32>
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
// CHECK-NEXT:     memref.copy %0, %alloc : memref<3xf32> to memref<3xf32>
// CHECK-NEXT:     memref.store %arg0, %alloc[%arg1] : memref<3xf32>
// CHECK-NEXT:     %1 = memref.load %0[%arg1] : memref<3xf32>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<3xf32> to memref<3xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %alloc, %1 : memref<3xf32>, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Shapes that change: views where what becomes one is contiguous, else a copy.
// CHECK: module {
// CHECK-NEXT:   func.func @shapes(%arg0: memref<4x6xf32, strided<[?, ?], offset: ?>>, %arg1: index) -> (memref<24xf32>, memref<8xf32>, memref<2x2x6xf32, strided<[?, ?, ?], offset: ?>>) {
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x6xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<4x6xf32, strided<[?, ?], offset: ?>> to memref<4x6xf32>
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %alloc {{\[\[}}0, 1]] : memref<4x6xf32> into memref<24xf32>
// CHECK-NEXT:     %subview = memref.subview %arg0[0, %arg1] [4, 2] [1, 1] : memref<4x6xf32, strided<[?, ?], offset: ?>> to memref<4x2xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<4x2xf32>
// CHECK-NEXT:     memref.copy %subview, %alloc_0 : memref<4x2xf32, strided<[?, ?], offset: ?>> to memref<4x2xf32>
// CHECK-NEXT:     %collapse_shape_1 = memref.collapse_shape %alloc_0 {{\[\[}}0, 1]] : memref<4x2xf32> into memref<8xf32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32, strided<[?, ?], offset: ?>> into memref<2x2x6xf32, strided<[?, ?, ?], offset: ?>>
// CHECK-NEXT:     %cast = memref.cast %collapse_shape : memref<24xf32> to memref<24xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %cast_2 = memref.cast %collapse_shape_1 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %collapse_shape, %collapse_shape_1, %expand_shape : memref<24xf32>, memref<8xf32>, memref<2x2x6xf32, strided<[?, ?, ?], offset: ?>>
// CHECK-NEXT:   }
func.func @shapes(%t: tensor<4x6xf32>, %i: index) -> (tensor<24xf32>, tensor<8xf32>, tensor<2x2x6xf32>) {
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %s = tensor.extract_slice %t[0, %i] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %d = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %e = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>
  return %c, %d, %e : tensor<24xf32>, tensor<8xf32>, tensor<2x2x6xf32>
}

// CHECK-NEXT:   func.func @made(%arg0: index, %arg1: f32, %arg2: f32, %arg3: memref<2x3xf32, strided<[?, ?], offset: ?>>) -> (memref<?xf32>, memref<2x2xf32>, memref<4xf32>, memref<4x5xf32>, memref<2x6xf32>) {
// CHECK-NEXT:     %alloc = memref.alloc(%arg0) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:     linalg.map outs(%alloc : memref<?xf32>)
// CHECK-NEXT:       (%init: f32) {
// CHECK-NEXT:         %0 = linalg.index 0 : index
// CHECK-NEXT:         linalg.yield %arg1 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     memref.store %arg1, %alloc_0[%c0, %c0] : memref<2x2xf32>
// CHECK-NEXT:     memref.store %arg2, %alloc_0[%c0, %c1] : memref<2x2xf32>
// CHECK-NEXT:     memref.store %arg2, %alloc_0[%c1, %c0] : memref<2x2xf32>
// CHECK-NEXT:     memref.store %arg1, %alloc_0[%c1, %c1] : memref<2x2xf32>
// CHECK-NEXT:     %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:     linalg.map outs(%alloc_1 : memref<4xf32>)
// CHECK-NEXT:       (%init: f32) {
// CHECK-NEXT:         linalg.yield %arg1 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<4x5xf32>
// CHECK-NEXT:     linalg.map outs(%alloc_2 : memref<4x5xf32>)
// CHECK-NEXT:       (%init: f32) {
// CHECK-NEXT:         %0 = linalg.index 0 : index
// CHECK-NEXT:         %1 = linalg.index 1 : index
// CHECK-NEXT:         linalg.yield %arg2 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     %subview = memref.subview %alloc_2[1, 2] [2, 3] [1, 1] : memref<4x5xf32> to memref<2x3xf32, strided<[5, 1], offset: 7>>
// CHECK-NEXT:     memref.copy %arg3, %subview : memref<2x3xf32, strided<[?, ?], offset: ?>> to memref<2x3xf32, strided<[5, 1], offset: 7>>
// CHECK-NEXT:     %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<2x6xf32>
// CHECK-NEXT:     %subview_4 = memref.subview %alloc_3[0, 0] [2, 3] [1, 1] : memref<2x6xf32> to memref<2x3xf32, strided<[6, 1]>>
// CHECK-NEXT:     memref.copy %arg3, %subview_4 : memref<2x3xf32, strided<[?, ?], offset: ?>> to memref<2x3xf32, strided<[6, 1]>>
// CHECK-NEXT:     %subview_5 = memref.subview %alloc_3[0, 3] [2, 3] [1, 1] : memref<2x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 3>>
// CHECK-NEXT:     memref.copy %arg3, %subview_5 : memref<2x3xf32, strided<[?, ?], offset: ?>> to memref<2x3xf32, strided<[6, 1], offset: 3>>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %cast_6 = memref.cast %alloc_0 : memref<2x2xf32> to memref<2x2xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     %cast_7 = memref.cast %alloc_1 : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %cast_8 = memref.cast %alloc_2 : memref<4x5xf32> to memref<4x5xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     %cast_9 = memref.cast %alloc_3 : memref<2x6xf32> to memref<2x6xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     return %alloc, %alloc_0, %alloc_1, %alloc_2, %alloc_3 : memref<?xf32>, memref<2x2xf32>, memref<4xf32>, memref<4x5xf32>, memref<2x6xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @made(%n: index, %x: f32, %y: f32, %t: tensor<2x3xf32>) -> (tensor<?xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<2x6xf32>) {
  %g = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  %e = tensor.from_elements %x, %y, %y, %x : tensor<2x2xf32>
  %s = tensor.splat %x : tensor<4xf32>
  %p = tensor.pad %t low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %y : f32
  } : tensor<2x3xf32> to tensor<4x5xf32>
  %c = tensor.concat dim(1) %t, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return %g, %e, %s, %p, %c : tensor<?xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<2x6xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>

// An elementwise operation may write over what it reads; a reduction may not.
// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @elementwise(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>) outs(%arg0 : memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       %0 = arith.addf %in, %in_0 : f32
// CHECK-NEXT:       linalg.yield %0 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @elementwise(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-NEXT:   func.func @matmul_over_operand(%arg0: memref<8x8xf32, strided<[?, ?], offset: ?>>, %arg1: memref<8x8xf32, strided<[?, ?], offset: ?>>) -> memref<8x8xf32> {
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<8x8xf32, strided<[?, ?], offset: ?>> to memref<8x8xf32>
// CHECK-NEXT:     linalg.matmul ins(%arg0, %arg1 : memref<8x8xf32, strided<[?, ?], offset: ?>>, memref<8x8xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<8x8xf32>)
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     return %alloc : memref<8x8xf32>
// CHECK-NEXT:   }
func.func @matmul_over_operand(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-NEXT:   func.func @vectors(%arg0: memref<16xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: vector<8xi1>) -> (vector<8xf32>, memref<16xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%arg1], %cst {in_bounds = [true]} : memref<16xf32, strided<[?], offset: ?>>, vector<8xf32>
// CHECK-NEXT:     vector.transfer_write %0, %arg0[%arg1] {in_bounds = [true]} : vector<8xf32>, memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     vector.mask %arg2 { vector.transfer_write %0, %arg0[%arg1] : vector<8xf32>, memref<16xf32, strided<[?], offset: ?>> } : vector<8xi1>
// CHECK-NEXT:     return %0, %arg0 : vector<8xf32>, memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @vectors(%t: tensor<16xf32>, %i: index, %m: vector<8xi1>) -> (vector<8xf32>, tensor<16xf32>) {
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %t[%i], %p {in_bounds = [true]} : tensor<16xf32>, vector<8xf32>
  %w = vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<8xf32>, tensor<16xf32>
  %x = vector.mask %m { vector.transfer_write %v, %w[%i] : vector<8xf32>, tensor<16xf32> } : vector<8xi1> -> tensor<16xf32>
  return %v, %x : vector<8xf32>, tensor<16xf32>
}
