// RUN: xgpu-opt --split-input-file --transform-interpreter %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map5 = affine_map<(d0, d1, d2) -> ()>
// CHECK-NEXT: #map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: #map7 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map8 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @mm(%arg0: tensor<16x256xf32>, %arg1: tensor<256x32xf32>, %arg2: tensor<16x32xf32>) -> tensor<16x32xf32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [16, 4, 64] : tensor<16x256xf32> into tensor<16x4x64xf32>
// CHECK-NEXT:     %expanded_0 = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [4, 64, 32] : tensor<256x32xf32> into tensor<4x64x32xf32>
// CHECK-NEXT:     %0 = tensor.empty() {init} : tensor<16x4x32xf32>
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = linalg.fill {fill} ins(%cst : f32) outs(%0 : tensor<16x4x32xf32>) -> tensor<16x4x32xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_0 : tensor<16x4x64xf32>, tensor<4x64x32xf32>) outs(%1 : tensor<16x4x32xf32>) attrs =  {split} {
// CHECK-NEXT:     ^bb0(%in: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.mulf %in, %in_1 : f32
// CHECK-NEXT:       %5 = arith.addf %out, %4 : f32
// CHECK-NEXT:       linalg.yield %5 : f32
// CHECK-NEXT:     } -> tensor<16x4x32xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%2 : tensor<16x4x32xf32>) outs(%arg2 : tensor<16x32xf32>) attrs =  {combine} {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.addf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<16x32xf32>
// CHECK-NEXT:     return %3 : tensor<16x32xf32>
// CHECK-NEXT:   }
func.func @mm(%A : tensor<16x256xf32>, %B: tensor<256x32xf32>, %C: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.matmul ins(%A, %B: tensor<16x256xf32>, tensor<256x32xf32>) outs(%C: tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0: tensor<16x32xf32>
}
// CHECK-NEXT:   func.func @max(%arg0: tensor<4x32xf32>, %arg1: tensor<f32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [4, 4, 8] : tensor<4x32xf32> into tensor<4x4x8xf32>
// CHECK-NEXT:     %0 = tensor.empty() {init} : tensor<4x4xf32>
// CHECK-NEXT:     %cst = arith.constant 0xFF800000 : f32
// CHECK-NEXT:     %1 = linalg.fill {fill} ins(%cst : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map3, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<4x4x8xf32>, tensor<f32>) outs(%1 : tensor<4x4xf32>) attrs =  {split} {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.subf %in, %in_0 : f32
// CHECK-NEXT:       %5 = arith.maximumf %4, %out : f32
// CHECK-NEXT:       linalg.yield %5 : f32
// CHECK-NEXT:     } -> tensor<4x4xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<4x4xf32>) outs(%arg2 : tensor<4xf32>) attrs =  {combine} {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.maximumf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     return %3 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @max(%a: tensor<4x32xf32>, %b: tensor<f32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x32xf32>, tensor<f32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32, %y: f32):
    %m = arith.subf %x, %z : f32
    %s = arith.maximumf %m, %y : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.matmul", "linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %init_or_alloc_op, %fill_op, %split_linalg_op, %combining_linalg_op = transform.structured.split_reduction %0 {insert_split_dimension = 1 : i64, split_factor = 4 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %init_or_alloc_op "init" : !transform.any_op
// CHECK-NEXT:       transform.annotate %fill_op "fill" : !transform.any_op
// CHECK-NEXT:       transform.annotate %split_linalg_op "split" : !transform.any_op
// CHECK-NEXT:       transform.annotate %combining_linalg_op "combine" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul", "linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %1:4 = transform.structured.split_reduction %0 {split_factor = 4, insert_split_dimension = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %1#0 "init" : !transform.any_op
    transform.annotate %1#1 "fill" : !transform.any_op
    transform.annotate %1#2 "split" : !transform.any_op
    transform.annotate %1#3 "combine" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map5 = affine_map<(d0, d1, d2) -> ()>
// CHECK-NEXT: #map6 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map7 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @mm(%arg0: tensor<16x256xf32>, %arg1: tensor<256x32xf32>, %arg2: tensor<16x32xf32>) -> tensor<16x32xf32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [16, 64, 4] : tensor<16x256xf32> into tensor<16x64x4xf32>
// CHECK-NEXT:     %expanded_0 = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [64, 4, 32] : tensor<256x32xf32> into tensor<64x4x32xf32>
// CHECK-NEXT:     %0 = bufferization.alloc_tensor() {init} : tensor<16x4x32xf32>
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = linalg.fill {fill} ins(%cst : f32) outs(%0 : tensor<16x4x32xf32>) -> tensor<16x4x32xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%expanded, %expanded_0 : tensor<16x64x4xf32>, tensor<64x4x32xf32>) outs(%1 : tensor<16x4x32xf32>) attrs =  {split} {
// CHECK-NEXT:     ^bb0(%in: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.mulf %in, %in_1 : f32
// CHECK-NEXT:       %5 = arith.addf %out, %4 : f32
// CHECK-NEXT:       linalg.yield %5 : f32
// CHECK-NEXT:     } -> tensor<16x4x32xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%2 : tensor<16x4x32xf32>) outs(%arg2 : tensor<16x32xf32>) attrs =  {combine} {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.addf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<16x32xf32>
// CHECK-NEXT:     return %3 : tensor<16x32xf32>
// CHECK-NEXT:   }
func.func @mm(%A : tensor<16x256xf32>, %B: tensor<256x32xf32>, %C: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.matmul ins(%A, %B: tensor<16x256xf32>, tensor<256x32xf32>) outs(%C: tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0: tensor<16x32xf32>
}
// CHECK-NEXT:   func.func @max(%arg0: tensor<4x32xf32>, %arg1: tensor<f32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [4, 8, 4] : tensor<4x32xf32> into tensor<4x8x4xf32>
// CHECK-NEXT:     %0 = bufferization.alloc_tensor() {init} : tensor<4x4xf32>
// CHECK-NEXT:     %cst = arith.constant 0xFF800000 : f32
// CHECK-NEXT:     %1 = linalg.fill {fill} ins(%cst : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map3, #map5, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%expanded, %arg1 : tensor<4x8x4xf32>, tensor<f32>) outs(%1 : tensor<4x4xf32>) attrs =  {split} {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.subf %in, %in_0 : f32
// CHECK-NEXT:       %5 = arith.maximumf %4, %out : f32
// CHECK-NEXT:       linalg.yield %5 : f32
// CHECK-NEXT:     } -> tensor<4x4xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<4x4xf32>) outs(%arg2 : tensor<4xf32>) attrs =  {combine} {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.maximumf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     return %3 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @max(%a: tensor<4x32xf32>, %b: tensor<f32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x32xf32>, tensor<f32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32, %y: f32):
    %m = arith.subf %x, %z : f32
    %s = arith.maximumf %m, %y : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.matmul", "linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %init_or_alloc_op, %fill_op, %split_linalg_op, %combining_linalg_op = transform.structured.split_reduction %0 {inner_parallel, insert_split_dimension = 1 : i64, split_factor = 4 : i64, use_alloc} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %init_or_alloc_op "init" : !transform.any_op
// CHECK-NEXT:       transform.annotate %fill_op "fill" : !transform.any_op
// CHECK-NEXT:       transform.annotate %split_linalg_op "split" : !transform.any_op
// CHECK-NEXT:       transform.annotate %combining_linalg_op "combine" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul", "linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %1:4 = transform.structured.split_reduction %0 {split_factor = 4, insert_split_dimension = 1, inner_parallel, use_alloc} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %1#0 "init" : !transform.any_op
    transform.annotate %1#1 "fill" : !transform.any_op
    transform.annotate %1#2 "split" : !transform.any_op
    transform.annotate %1#3 "combine" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @addi(%arg0: tensor<32xi32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi32> into tensor<4x8xi32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi32>) outs(%1 : tensor<4xi32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.addi %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<4xi32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi32>) outs(%arg1 : tensor<i32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.addi %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<i32>
// CHECK-NEXT:     return %3 : tensor<i32>
// CHECK-NEXT:   }
func.func @addi(%a: tensor<32xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// CHECK-NEXT:   func.func @muli(%arg0: tensor<32xi32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi32> into tensor<4x8xi32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %1 = linalg.fill ins(%c1_i32 : i32) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi32>) outs(%1 : tensor<4xi32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.muli %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<4xi32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi32>) outs(%arg1 : tensor<i32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.muli %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<i32>
// CHECK-NEXT:     return %3 : tensor<i32>
// CHECK-NEXT:   }
func.func @muli(%a: tensor<32xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.muli %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// CHECK-NEXT:   func.func @maxsi(%arg0: tensor<32xi8>, %arg1: tensor<i8>) -> tensor<i8> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi8> into tensor<4x8xi8>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi8>
// CHECK-NEXT:     %c-128_i8 = arith.constant -128 : i8
// CHECK-NEXT:     %1 = linalg.fill ins(%c-128_i8 : i8) outs(%0 : tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi8>) outs(%1 : tensor<4xi8>) {
// CHECK-NEXT:     ^bb0(%in: i8, %out: i8):
// CHECK-NEXT:       %4 = arith.maxsi %in, %out : i8
// CHECK-NEXT:       linalg.yield %4 : i8
// CHECK-NEXT:     } -> tensor<4xi8>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi8>) outs(%arg1 : tensor<i8>) {
// CHECK-NEXT:     ^bb0(%in: i8, %out: i8):
// CHECK-NEXT:       %4 = arith.maxsi %in, %out : i8
// CHECK-NEXT:       linalg.yield %4 : i8
// CHECK-NEXT:     } -> tensor<i8>
// CHECK-NEXT:     return %3 : tensor<i8>
// CHECK-NEXT:   }
func.func @maxsi(%a: tensor<32xi8>, %o: tensor<i8>) -> tensor<i8> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi8>) outs(%o : tensor<i8>) {
  ^bb0(%x: i8, %y: i8):
    %s = arith.maxsi %x, %y : i8
    linalg.yield %s : i8
  } -> tensor<i8>
  return %r : tensor<i8>
}
// CHECK-NEXT:   func.func @minsi(%arg0: tensor<32xi64>, %arg1: tensor<i64>) -> tensor<i64> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi64> into tensor<4x8xi64>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi64>
// CHECK-NEXT:     %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
// CHECK-NEXT:     %1 = linalg.fill ins(%c9223372036854775807_i64 : i64) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi64>) outs(%1 : tensor<4xi64>) {
// CHECK-NEXT:     ^bb0(%in: i64, %out: i64):
// CHECK-NEXT:       %4 = arith.minsi %in, %out : i64
// CHECK-NEXT:       linalg.yield %4 : i64
// CHECK-NEXT:     } -> tensor<4xi64>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi64>) outs(%arg1 : tensor<i64>) {
// CHECK-NEXT:     ^bb0(%in: i64, %out: i64):
// CHECK-NEXT:       %4 = arith.minsi %in, %out : i64
// CHECK-NEXT:       linalg.yield %4 : i64
// CHECK-NEXT:     } -> tensor<i64>
// CHECK-NEXT:     return %3 : tensor<i64>
// CHECK-NEXT:   }
func.func @minsi(%a: tensor<32xi64>, %o: tensor<i64>) -> tensor<i64> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi64>) outs(%o : tensor<i64>) {
  ^bb0(%x: i64, %y: i64):
    %s = arith.minsi %x, %y : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  return %r : tensor<i64>
}
// CHECK-NEXT:   func.func @maxui(%arg0: tensor<32xi32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi32> into tensor<4x8xi32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi32>) outs(%1 : tensor<4xi32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.maxui %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<4xi32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi32>) outs(%arg1 : tensor<i32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.maxui %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<i32>
// CHECK-NEXT:     return %3 : tensor<i32>
// CHECK-NEXT:   }
func.func @maxui(%a: tensor<32xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.maxui %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// CHECK-NEXT:   func.func @minui(%arg0: tensor<32xi16>, %arg1: tensor<i16>) -> tensor<i16> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi16> into tensor<4x8xi16>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi16>
// CHECK-NEXT:     %c-1_i16 = arith.constant -1 : i16
// CHECK-NEXT:     %1 = linalg.fill ins(%c-1_i16 : i16) outs(%0 : tensor<4xi16>) -> tensor<4xi16>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi16>) outs(%1 : tensor<4xi16>) {
// CHECK-NEXT:     ^bb0(%in: i16, %out: i16):
// CHECK-NEXT:       %4 = arith.minui %in, %out : i16
// CHECK-NEXT:       linalg.yield %4 : i16
// CHECK-NEXT:     } -> tensor<4xi16>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi16>) outs(%arg1 : tensor<i16>) {
// CHECK-NEXT:     ^bb0(%in: i16, %out: i16):
// CHECK-NEXT:       %4 = arith.minui %in, %out : i16
// CHECK-NEXT:       linalg.yield %4 : i16
// CHECK-NEXT:     } -> tensor<i16>
// CHECK-NEXT:     return %3 : tensor<i16>
// CHECK-NEXT:   }
func.func @minui(%a: tensor<32xi16>, %o: tensor<i16>) -> tensor<i16> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi16>) outs(%o : tensor<i16>) {
  ^bb0(%x: i16, %y: i16):
    %s = arith.minui %x, %y : i16
    linalg.yield %s : i16
  } -> tensor<i16>
  return %r : tensor<i16>
}
// CHECK-NEXT:   func.func @andi(%arg0: tensor<32xi32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi32> into tensor<4x8xi32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:     %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT:     %1 = linalg.fill ins(%c-1_i32 : i32) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi32>) outs(%1 : tensor<4xi32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.andi %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<4xi32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi32>) outs(%arg1 : tensor<i32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.andi %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<i32>
// CHECK-NEXT:     return %3 : tensor<i32>
// CHECK-NEXT:   }
func.func @andi(%a: tensor<32xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.andi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// CHECK-NEXT:   func.func @ori(%arg0: tensor<32xi32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi32> into tensor<4x8xi32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi32>) outs(%1 : tensor<4xi32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.ori %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<4xi32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi32>) outs(%arg1 : tensor<i32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.ori %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<i32>
// CHECK-NEXT:     return %3 : tensor<i32>
// CHECK-NEXT:   }
func.func @ori(%a: tensor<32xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.ori %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// CHECK-NEXT:   func.func @xori(%arg0: tensor<32xi32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xi32> into tensor<4x8xi32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xi32>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xi32>) outs(%1 : tensor<4xi32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.xori %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<4xi32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xi32>) outs(%arg1 : tensor<i32>) {
// CHECK-NEXT:     ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:       %4 = arith.xori %in, %out : i32
// CHECK-NEXT:       linalg.yield %4 : i32
// CHECK-NEXT:     } -> tensor<i32>
// CHECK-NEXT:     return %3 : tensor<i32>
// CHECK-NEXT:   }
func.func @xori(%a: tensor<32xi32>, %o: tensor<i32>) -> tensor<i32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xi32>) outs(%o : tensor<i32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.xori %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// CHECK-NEXT:   func.func @addf(%arg0: tensor<32xf32>, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xf32>) outs(%1 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.addf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xf32>) outs(%arg1 : tensor<f32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.addf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<f32>
// CHECK-NEXT:     return %3 : tensor<f32>
// CHECK-NEXT:   }
func.func @addf(%a: tensor<32xf32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xf32>) outs(%o : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK-NEXT:   func.func @mulf(%arg0: tensor<32xf16>, %arg1: tensor<f16>) -> tensor<f16> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xf16> into tensor<4x8xf16>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xf16>
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f16
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xf16>) outs(%1 : tensor<4xf16>) {
// CHECK-NEXT:     ^bb0(%in: f16, %out: f16):
// CHECK-NEXT:       %4 = arith.mulf %in, %out : f16
// CHECK-NEXT:       linalg.yield %4 : f16
// CHECK-NEXT:     } -> tensor<4xf16>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xf16>) outs(%arg1 : tensor<f16>) {
// CHECK-NEXT:     ^bb0(%in: f16, %out: f16):
// CHECK-NEXT:       %4 = arith.mulf %in, %out : f16
// CHECK-NEXT:       linalg.yield %4 : f16
// CHECK-NEXT:     } -> tensor<f16>
// CHECK-NEXT:     return %3 : tensor<f16>
// CHECK-NEXT:   }
func.func @mulf(%a: tensor<32xf16>, %o: tensor<f16>) -> tensor<f16> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xf16>) outs(%o : tensor<f16>) {
  ^bb0(%x: f16, %y: f16):
    %s = arith.mulf %x, %y : f16
    linalg.yield %s : f16
  } -> tensor<f16>
  return %r : tensor<f16>
}
// CHECK-NEXT:   func.func @minimumf(%arg0: tensor<32xf32>, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:     %cst = arith.constant 3.40282347E+38 : f32
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xf32>) outs(%1 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.minimumf %in, %out fastmath<ninf> : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xf32>) outs(%arg1 : tensor<f32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.minimumf %in, %out fastmath<ninf> : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<f32>
// CHECK-NEXT:     return %3 : tensor<f32>
// CHECK-NEXT:   }
func.func @minimumf(%a: tensor<32xf32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xf32>) outs(%o : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.minimumf %x, %y fastmath<ninf> : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK-NEXT:   func.func @maxnumf(%arg0: tensor<32xf32>, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:     %cst = arith.constant 0xFFC00000 : f32
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xf32>) outs(%1 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.maxnumf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xf32>) outs(%arg1 : tensor<f32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = arith.maxnumf %in, %out : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<f32>
// CHECK-NEXT:     return %3 : tensor<f32>
// CHECK-NEXT:   }
func.func @maxnumf(%a: tensor<32xf32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xf32>) outs(%o : tensor<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.maxnumf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK-NEXT:   func.func @minnumf(%arg0: tensor<32xf64>, %arg1: tensor<f64>) -> tensor<f64> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xf64> into tensor<4x8xf64>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xf64>
// CHECK-NEXT:     %cst = arith.constant 0x7FF8000000000000 : f64
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xf64>) outs(%1 : tensor<4xf64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:       %4 = arith.minnumf %in, %out : f64
// CHECK-NEXT:       linalg.yield %4 : f64
// CHECK-NEXT:     } -> tensor<4xf64>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xf64>) outs(%arg1 : tensor<f64>) {
// CHECK-NEXT:     ^bb0(%in: f64, %out: f64):
// CHECK-NEXT:       %4 = arith.minnumf %in, %out : f64
// CHECK-NEXT:       linalg.yield %4 : f64
// CHECK-NEXT:     } -> tensor<f64>
// CHECK-NEXT:     return %3 : tensor<f64>
// CHECK-NEXT:   }
func.func @minnumf(%a: tensor<32xf64>, %o: tensor<f64>) -> tensor<f64> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xf64>) outs(%o : tensor<f64>) {
  ^bb0(%x: f64, %y: f64):
    %s = arith.minnumf %x, %y : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}
// CHECK-NEXT:   func.func @maximumf(%arg0: tensor<32xbf16>, %arg1: tensor<bf16>) -> tensor<bf16> {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : tensor<32xbf16> into tensor<4x8xbf16>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xbf16>
// CHECK-NEXT:     %cst = arith.constant 0xFF80 : bf16
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<4xbf16>) -> tensor<4xbf16>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<4x8xbf16>) outs(%1 : tensor<4xbf16>) {
// CHECK-NEXT:     ^bb0(%in: bf16, %out: bf16):
// CHECK-NEXT:       %4 = arith.maximumf %in, %out : bf16
// CHECK-NEXT:       linalg.yield %4 : bf16
// CHECK-NEXT:     } -> tensor<4xbf16>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%2 : tensor<4xbf16>) outs(%arg1 : tensor<bf16>) {
// CHECK-NEXT:     ^bb0(%in: bf16, %out: bf16):
// CHECK-NEXT:       %4 = arith.maximumf %in, %out : bf16
// CHECK-NEXT:       linalg.yield %4 : bf16
// CHECK-NEXT:     } -> tensor<bf16>
// CHECK-NEXT:     return %3 : tensor<bf16>
// CHECK-NEXT:   }
func.func @maximumf(%a: tensor<32xbf16>, %o: tensor<bf16>) -> tensor<bf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<32xbf16>) outs(%o : tensor<bf16>) {
  ^bb0(%x: bf16, %y: bf16):
    %s = arith.maximumf %x, %y : bf16
    linalg.yield %s : bf16
  } -> tensor<bf16>
  return %r : tensor<bf16>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %init_or_alloc_op, %fill_op, %split_linalg_op, %combining_linalg_op = transform.structured.split_reduction %0 {split_factor = 4 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %1:4 = transform.structured.split_reduction %0 {split_factor = 4, insert_split_dimension = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
