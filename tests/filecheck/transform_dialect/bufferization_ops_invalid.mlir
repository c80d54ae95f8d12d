// RUN: xgpu-opt --transform-interpreter --split-input-file --verify-diagnostics %s

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected module target}}
    %1 = transform.bufferization.one_shot_bufferize %0 {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @f() {
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{bufferization failed}}
    %1 = transform.bufferization.one_shot_bufferize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{op was not bufferized}}
    %0 = arith.addf %t, %t : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
