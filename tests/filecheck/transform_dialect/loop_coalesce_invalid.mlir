// RUN: xgpu-opt %s --transform-interpreter --allow-unregistered-dialect --verify-diagnostics --split-input-file

func.func @one() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    "use"(%i) : (index) -> ()
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    // expected-error@+1 {{failed to coalesce}}
    %2 = transform.loop.coalesce %0: (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}

// -----

// The bounds of the inner loop depend on the outer one.

func.func @dependent() {
  affine.for %i = 0 to 7 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 9 {
      "use"(%j) : (index) -> ()
    }
  } {outer}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["affine.for"]} attributes {outer} in %arg1 : (!transform.any_op) -> !transform.any_op
    // expected-error@+1 {{failed to coalesce}}
    %2 = transform.loop.coalesce %0: (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}
