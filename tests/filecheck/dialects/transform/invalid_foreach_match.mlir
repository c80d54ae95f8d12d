// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// Matchers and actions come in pairs.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @m(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %a : !transform.any_op
  }
  transform.named_sequence @f(%a: !transform.any_op {transform.consumed}) {
    // expected-error @+1 {{'transform.foreach_match' op expected the same number of matchers and actions}}
    %0 = "transform.foreach_match"(%a) <{actions = [@m, @m], matchers = [@m]}> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%a: !transform.any_op {transform.consumed}) {
    // expected-error @+1 {{'transform.foreach_match' op expected at least one match/action pair}}
    %0 = "transform.foreach_match"(%a) <{actions = [], matchers = []}> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
