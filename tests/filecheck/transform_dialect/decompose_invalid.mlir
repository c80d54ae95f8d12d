// RUN: xgpu-opt %s --transform-interpreter --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{transform.structured.decompose failed to apply}}
    %1 = transform.structured.decompose %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @two_rows(%x: tensor<10x9xf32>, %k: tensor<2x4xf32>, %y: tensor<9x6xf32>) -> tensor<9x6xf32> {
    // expected-note @+1 {{when applied to this op}}
    %0 = linalg.conv_2d ins(%x, %k : tensor<10x9xf32>, tensor<2x4xf32>) outs(%y : tensor<9x6xf32>) -> tensor<9x6xf32>
    return %0 : tensor<9x6xf32>
  }
}
