// RUN: xgpu-opt %s --transform-interpreter --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{tiles of 'tensor.pad' are not supported by xgpu}}
    %1, %loop = transform.structured.fuse %0 tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<30xf32>, %b: tensor<32xf32>, %z: f32) -> tensor<32xf32> {
    %0 = tensor.pad %a low[1] high[1] {
    ^bb0(%i: index):
      tensor.yield %z : f32
    } : tensor<30xf32> to tensor<32xf32>
    %1 = linalg.exp ins(%0 : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
}
