// RUN: xgpu-opt %s --split-input-file --transform-interpreter --cse | filecheck %s --match-full-lines

// Zeros are behind the end of rows and columns, and of what is summed: they add nothing.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 4, 0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @product(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}

// CHECK: #map = affine_map<()[s0] -> (s0 ceildiv 8)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d4)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.pack %0 packed_sizes = [8, 4, 0] : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @product(%arg0: tensor<?x64xf32>, %arg1: tensor<64x10xf32>, %arg2: tensor<?x10xf32>) -> tensor<?x10xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x64xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim]
// CHECK-NEXT:     %1 = tensor.empty(%0) : tensor<?x64x8xf32>
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %pack = linalg.pack %arg0 padding_value(%cst : f32) inner_dims_pos = [0] inner_tiles = [8] into %1 : tensor<?x64xf32> -> tensor<?x64x8xf32>
// CHECK-NEXT:     %2 = tensor.empty() : tensor<64x3x4xf32>
// CHECK-NEXT:     %pack_0 = linalg.pack %arg1 padding_value(%cst : f32) inner_dims_pos = [1] inner_tiles = [4] into %2 : tensor<64x10xf32> -> tensor<64x3x4xf32>
// CHECK-NEXT:     %dim_1 = tensor.dim %arg2, %c0 : tensor<?x10xf32>
// CHECK-NEXT:     %3 = affine.apply #map()[%dim_1]
// CHECK-NEXT:     %4 = tensor.empty(%3) : tensor<?x3x8x4xf32>
// CHECK-NEXT:     %pack_2 = linalg.pack %arg2 padding_value(%cst : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %4 : tensor<?x10xf32> -> tensor<?x3x8x4xf32>
// CHECK-NEXT:     %5 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%pack, %pack_0 : tensor<?x64x8xf32>, tensor<64x3x4xf32>) outs(%pack_2 : tensor<?x3x8x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_3: f32, %out: f32):
// CHECK-NEXT:       %6 = arith.mulf %in, %in_3 : f32
// CHECK-NEXT:       %7 = arith.addf %out, %6 : f32
// CHECK-NEXT:       linalg.yield %7 : f32
// CHECK-NEXT:     } -> tensor<?x3x8x4xf32>
// CHECK-NEXT:     %unpack = linalg.unpack %5 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg2 : tensor<?x3x8x4xf32> -> tensor<?x10xf32>
// CHECK-NEXT:     return %unpack : tensor<?x10xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Both of the loops that are in tiles: the order in an operand is that of the loops.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @transposed(%a: tensor<32x16xf16>, %x: f32, %c: tensor<16x32xf32>, %n: index) -> tensor<16x32xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %x : tensor<32x16xf16>, f32) outs(%c : tensor<16x32xf32>) {
    ^bb0(%u: f16, %v: f32, %w: f32):
      %0 = arith.extf %u : f16 to f32
      %1 = arith.mulf %0, %v : f32
      linalg.yield %1 : f32
    } -> tensor<16x32xf32>
    return %r : tensor<16x32xf32>
  }
}

// CHECK: #map = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3) -> ()>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.pack %0 packed_sizes = [8, 4] : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @transposed(%arg0: tensor<32x16xf16>, %arg1: f32, %arg2: tensor<16x32xf32>, %arg3: index) -> tensor<16x32xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8x2x8x4xf16>
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %0 : tensor<32x16xf16> -> tensor<8x2x8x4xf16>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<2x8x8x4xf32>
// CHECK-NEXT:     %pack_0 = linalg.pack %arg2 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %1 : tensor<16x32xf32> -> tensor<2x8x8x4xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%pack, %arg1 : tensor<8x2x8x4xf16>, f32) outs(%pack_0 : tensor<2x8x8x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f16, %in_1: f32, %out: f32):
// CHECK-NEXT:       %3 = arith.extf %in : f16 to f32
// CHECK-NEXT:       %4 = arith.mulf %3, %in_1 : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<2x8x8x4xf32>
// CHECK-NEXT:     %unpack = linalg.unpack %2 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg2 : tensor<2x8x8x4xf32> -> tensor<16x32xf32>
// CHECK-NEXT:     return %unpack : tensor<16x32xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// A size from the program.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [%s, 0] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @transposed(%a: tensor<32x16xf16>, %x: f32, %c: tensor<16x32xf32>, %n: index) -> tensor<16x32xf32> {
    %s = arith.constant 4 : index
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %x : tensor<32x16xf16>, f32) outs(%c : tensor<16x32xf32>) {
    ^bb0(%u: f16, %v: f32, %w: f32):
      %0 = arith.extf %u : f16 to f32
      %1 = arith.mulf %0, %v : f32
      linalg.yield %1 : f32
    } -> tensor<16x32xf32>
    return %r : tensor<16x32xf32>
  }
}

// CHECK: #map = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> ()>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.match ops{["arith.constant"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %2 = transform.structured.pack %0 packed_sizes = [%1, 0] : (!transform.any_op, !transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @transposed(%arg0: tensor<32x16xf16>, %arg1: f32, %arg2: tensor<16x32xf32>, %arg3: index) -> tensor<16x32xf32> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = tensor.empty(%c4) : tensor<32x4x?xf16>
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [1] inner_tiles = [%c4] into %0 : tensor<32x16xf16> -> tensor<32x4x?xf16>
// CHECK-NEXT:     %1 = tensor.empty(%c4) : tensor<4x32x?xf32>
// CHECK-NEXT:     %pack_0 = linalg.pack %arg2 inner_dims_pos = [0] inner_tiles = [%c4] into %1 : tensor<16x32xf32> -> tensor<4x32x?xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%pack, %arg1 : tensor<32x4x?xf16>, f32) outs(%pack_0 : tensor<4x32x?xf32>) {
// CHECK-NEXT:     ^bb0(%in: f16, %in_1: f32, %out: f32):
// CHECK-NEXT:       %3 = arith.extf %in : f16 to f32
// CHECK-NEXT:       %4 = arith.mulf %3, %in_1 : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<4x32x?xf32>
// CHECK-NEXT:     %unpack = linalg.unpack %2 inner_dims_pos = [0] inner_tiles = [%c4] into %arg2 : tensor<4x32x?xf32> -> tensor<16x32xf32>
// CHECK-NEXT:     return %unpack : tensor<16x32xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// A reduction in tiles without a rest needs no zeros.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [0, 5] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @greatest(%a: tensor<4x10xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x10xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%u: f32, %w: f32):
      %1 = arith.maximumf %u, %w : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.pack %0 packed_sizes = [0, 5] : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @greatest(%arg0: tensor<4x10xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4x2x5xf32>
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [1] inner_tiles = [5] into %0 : tensor<4x10xf32> -> tensor<4x2x5xf32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%pack : tensor<4x2x5xf32>) outs(%arg1 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %2 = arith.maximumf %in, %out : f32
// CHECK-NEXT:       linalg.yield %2 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     return %1 : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
