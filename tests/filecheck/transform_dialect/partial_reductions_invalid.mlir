// RUN: xgpu-opt %s --split-input-file --transform-interpreter --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{failed to tile using partial reduction}}
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_for %0 by tile_sizes = [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{tiling parallel dimensions is not supported with partial reduction tiling strategies}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{failed to tile using partial reduction}}
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{Failed to get an identity value for the reduction operation.}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.divf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{failed to tile using partial reduction}}
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_forall %0 reduction_dims = [0] by tile_sizes = [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{tiling of the whole reduction 1 is not supported by xgpu}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{failed to tile using partial reduction}}
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_forall %0 by tile_sizes = [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{no reduction has a tile}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{expected to produce 5 results (actually produced 4)}}
    %fill, %split, %combine, %more, %loop = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{when applied to this op}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{cannot compute parametric tile sizes for dynamically shaped payload op}}
    %low, %high, %point = transform.structured.multitile_sizes %0 {dimension = 1, target_size = 3} : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{payload op}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{could not generate tile size computation}}
    %low, %high, %point = transform.structured.multitile_sizes %0 {dimension = 2, target_size = 3} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{failed to tile using partial reduction}}
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, -4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<4x?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{a size is negative}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x?xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %y, %x : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

