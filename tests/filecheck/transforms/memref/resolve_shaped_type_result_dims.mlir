// RUN: xgpu-opt --resolve-shaped-type-result-dims %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --resolve-shaped-type-result-dims=error-on-pattern-iteration-limit=false %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --resolve-ranked-shaped-type-result-dims=error-on-pattern-iteration-limit=false %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 + s1 + 3)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 + 6)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0 * 4)>
// CHECK-NEXT: #map4 = affine_map<()[s0, s1] -> (s0 * 2 + s1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @tensors(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: tensor<?x?xf32>, %arg3: f32) -> (index, index, index, index, index, index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg2, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim, %dim_0]
// CHECK-NEXT:     %dim_1 = tensor.dim %arg2, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %1 = affine.apply #map1()[%dim_1, %arg1]
// CHECK-NEXT:     %dim_2 = tensor.dim %arg2, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %2 = affine.apply #map2()[%dim_2]
// CHECK-NEXT:     %dim_3 = tensor.dim %arg2, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     return %0, %c4, %arg1, %1, %2, %dim_3 : index, index, index, index, index, index
// CHECK-NEXT:   }
func.func @tensors(%t: tensor<?x4xf32>, %n: index, %u: tensor<?x?xf32>, %f: f32) -> (index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.concat dim(0) %t, %u : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  %1 = tensor.splat %f[%n] : tensor<4x?xf32>
  %d2 = tensor.dim %1, %c1 : tensor<4x?xf32>
  %2 = tensor.pad %u low[%n, 2] high[3, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %d3 = tensor.dim %2, %c0 : tensor<?x?xf32>
  %d4 = tensor.dim %2, %c1 : tensor<?x?xf32>
  %f0 = tensor.empty(%n) : tensor<?xf32>
  %3 = tensor.insert_slice %f0 into %u[0, %n] [%n, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  %d5 = tensor.dim %3, %c1 : tensor<?x?xf32>
  return %d0, %d1, %d2, %d3, %d4, %d5 : index, index, index, index, index, index
}

// What the result of a slice still has; sizes that a type knows.
// CHECK-NEXT:   func.func @shapes(%arg0: tensor<?x?x?xf32>, %arg1: index, %arg2: index) -> (index, index, index, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = affine.apply #map3()[%arg2]
// CHECK-NEXT:     return %arg2, %arg1, %0, %c4 : index, index, index, index
// CHECK-NEXT:   }
func.func @shapes(%t: tensor<?x?x?xf32>, %n: index, %m: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %t[0, 0, 0] [%n, 1, %m] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?xf32>
  %d0 = tensor.dim %0, %c1 : tensor<?x?xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  %d1 = tensor.dim %1, %c0 : tensor<?x4x?xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %d2 = tensor.dim %2, %c1 : tensor<?x?xf32>
  %3 = tensor.empty(%n, %m) : tensor<?x4x?xf32>
  %d3 = tensor.dim %3, %c1 : tensor<?x4x?xf32>
  return %d0, %d1, %d2, %d3 : index, index, index, index
}

// CHECK-NEXT:   func.func @buffers(%arg0: memref<?x?xf32>, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<?x?xf32> into memref<?xf32>
// CHECK-NEXT:     %dim_0 = memref.dim %collapse_shape, %c0 : memref<?xf32>
// CHECK-NEXT:     return %arg1, %dim, %dim_0 : index, index, index
// CHECK-NEXT:   }
func.func @buffers(%m: memref<?x?xf32>, %n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [4, %n, %n] : memref<?x?xf32> into memref<4x?x?xf32>
  %d0 = memref.dim %0, %c1 : memref<4x?x?xf32>
  %1 = memref.assume_alignment %m, 16 : memref<?x?xf32>
  %d1 = memref.dim %1, %c0 : memref<?x?xf32>
  // No operation says this one.
  %2 = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %d2 = memref.dim %2, %c0 : memref<?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// Of a structured operation, from its inputs where its loops have their sizes from those.
// CHECK-NEXT:   func.func @structured(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> (index, index, index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg2, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_1 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_2 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map4()[%dim_1, %dim_2]
// CHECK-NEXT:     %dim_3 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_4 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     return %dim, %dim_0, %0, %dim_3, %dim_4 : index, index, index, index, index
// CHECK-NEXT:   }
func.func @structured(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %c1 : tensor<?x?xf32>
  %1 = linalg.conv_2d ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d1 = tensor.dim %1, %c0 : tensor<?x?xf32>
  %2 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1 + d0 * 2, d0)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  %d2 = tensor.dim %2, %c0 : tensor<?x?xf32>
  %d3 = tensor.dim %2, %c1 : tensor<?x?xf32>
  %3 = linalg.softmax dimension(1) ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d4 = tensor.dim %3, %c0 : tensor<?x?xf32>
  return %d0, %d1, %d2, %d3, %d4 : index, index, index, index, index
}

// No input's dimension is that of one loop: each result has its own output's size.
// CHECK-NEXT:   func.func @windows(%arg0: tensor<?xf32>, %arg1: tensor<3xf32>, %arg2: tensor<?xf32>, %arg3: tensor<?xf32>) -> (index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg2, %c0 : tensor<?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg3, %c0 : tensor<?xf32>
// CHECK-NEXT:     return %dim, %dim_0 : index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @windows(%i: tensor<?xf32>, %w: tensor<3xf32>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0:2 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%i, %w : tensor<?xf32>, tensor<3xf32>) outs(%a, %b : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32, %t: f32):
    %1 = arith.mulf %x, %y : f32
    linalg.yield %1, %t : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %d0 = tensor.dim %0#0, %c0 : tensor<?xf32>
  %d1 = tensor.dim %0#1, %c0 : tensor<?xf32>
  return %d0, %d1 : index, index
}
