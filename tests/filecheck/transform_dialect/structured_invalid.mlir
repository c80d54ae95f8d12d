// RUN: xgpu-opt %s --transform-interpreter --split-input-file --verify-diagnostics

func.func @no_subview(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-note @+1 {{attempted to apply to}}
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{failed to apply}}
    %1 = transform.structured.promote %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_bound(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expected-note @+1 {{target op}}
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{failed to pad op}}
    %1, %2, %3 = transform.structured.pad %0 {padding_dimensions = [0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// expected-note @+1 {{target op}}
func.func @no_structure() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected LinalgOp target}}
    %1, %2, %3 = transform.structured.pad %0 {padding_dimensions = [0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @value(%a: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  // expected-note @+1 {{when applied to this op}}
  %0 = linalg.exp ins(%a : tensor<7xf32>) outs(%b : tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{op expects a padding value of type 'f32', got 1 : i32}}
    %1, %2, %3 = transform.structured.pad %0 {padding_dimensions = [0], padding_values = [1 : i32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @text(%a: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  // expected-note @+1 {{when applied to this op}}
  %0 = linalg.exp ins(%a : tensor<7xf32>) outs(%b : tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{op expects a padding that parses to 'f32', got "{x}"}}
    %1, %2, %3 = transform.structured.pad %0 {padding_dimensions = [0], padding_values = ["{x}"]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @unused(%b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  // expected-note @+1 {{containing op}}
  scf.for %i = %c0 to %n step %c1 {
  }
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{could not find next producer to fuse into container}}
    %2, %3 = transform.structured.fuse_into_containing_op %0 into %1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @two_containers(%b: tensor<8xf32>) -> tensor<8xf32> {
  %z = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{requires exactly one containing_op handle (got 0)}}
    %2, %3 = transform.structured.fuse_into_containing_op %0 into %1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// MLIR tiles these.

module attributes {transform.with_named_sequence} {
  func.func @pad(%t: tensor<4xindex>) -> tensor<9xindex> {
    // expected-note @below {{target op}}
    %0 = tensor.pad %t low[3] high[2] {
    ^bb0(%i: index):
      tensor.yield %i : index
    } : tensor<4xindex> to tensor<9xindex>
    return %0 : tensor<9xindex>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{tiling of 'tensor.pad' is not supported by xgpu}}
    %a, %b = transform.structured.tile_using_for %pad tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
