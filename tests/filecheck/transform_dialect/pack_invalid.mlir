// RUN: xgpu-opt %s --split-input-file --transform-interpreter --verify-diagnostics

// Not one size for each loop.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{requires number of packed sizes match the number of loops (1 vs 2)}}
    %1 = transform.structured.pack %0 packed_sizes = [8] : (!transform.any_op) -> !transform.any_op
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

// -----

// Zeros are greater than what is negative.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{data tiling failed}}
    %1 = transform.structured.pack %0 packed_sizes = [0, 4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @greatest(%a: tensor<4x10xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{zeros behind the end of loop 1 would change the result}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x10xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%u: f32, %w: f32):
      %1 = arith.maximumf %u, %w : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// The exponential of zero is 1.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{data tiling failed}}
    %1 = transform.structured.pack %0 packed_sizes = [0, 4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @greatest(%a: tensor<4x10xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{zeros behind the end of loop 1 would change the result}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x10xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%u: f32, %w: f32):
      %0 = math.exp %u : f32
      %1 = arith.addf %0, %w : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// More than one operation.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["arith.extf"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{requires target to map to exactly 1 LinalgOp (got 1)}}
    %1 = transform.structured.pack %0 packed_sizes = [8] : (!transform.any_op) -> !transform.any_op
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

// -----

// An operand at a sum.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{data tiling failed}}
    %1 = transform.structured.pack %0 packed_sizes = [0, 4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @greatest(%a: tensor<4x10xf32>, %b: tensor<13xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{an operand is read at a sum of numbers of iterations}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x10xf32>, tensor<13xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%u: f32, %v: f32, %w: f32):
      %1 = arith.maximumf %u, %w : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// The number of an iteration.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{data tiling failed}}
    %1 = transform.structured.pack %0 packed_sizes = [0, 5] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @greatest(%a: tensor<4x10xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{a body that asks for the number of an iteration is not packed by xgpu}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x10xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%u: f32, %w: f32):
      %0 = linalg.index 1 : index
      %1 = arith.maximumf %u, %w : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// A negative size.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{data tiling failed}}
    %1 = transform.structured.pack %0 packed_sizes = [0, -5] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @greatest(%a: tensor<4x10xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{a size is negative}}
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x10xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%u: f32, %w: f32):
      %1 = arith.maximumf %u, %w : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// Less than there is.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{failed to pad op}}
    %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    // expected-note@below {{target op}}
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}

// -----

// More sizes than loops.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{more sizes than loops}}
    %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [0, 4, 8, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    // expected-note@below {{target op}}
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}

// -----

// A negative length.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{a size is negative}}
    %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [-8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    // expected-note@below {{target op}}
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}

// -----

// A value for one operand alone.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{failed to pad op}}
    %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [80] {padding_values = [0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    // expected-note@below {{target op}}
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}

// -----

// Multiples of zero.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{expects multiples of at least 1}}
    %padded, %pad, %copy = transform.structured.pad %0 pad_to_multiple_of [0] {padding_dimensions = [0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    // expected-note@below {{when applied to this op}}
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}
