// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// Named sequences and what they match.

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{expected 'transform.yield' as terminator}}
  transform.named_sequence @unfinished(%op: !transform.any_op {transform.readonly}) {
    // expected-note @+1 {{terminator}}
    transform.debug.emit_remark_at %op, "seen" : !transform.any_op
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @product(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%inner: !transform.any_op):
      // expected-error @+1 {{expects "contraction" to contain two elements}}
      transform.match.structured.body %inner {contraction = ["arith.mulf"]} : !transform.any_op
    }
    transform.yield %op : !transform.any_op
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{must provide consumed/readonly status for arguments of external or called ops}}
  transform.named_sequence @matches(%op: !transform.any_op) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @act(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %r = transform.foreach_match in %root @matches -> @act : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{argument #0 is consumed in the body but is not marked as such}}
  transform.named_sequence @tiled(%loop: !transform.any_op {transform.readonly}) {
    %a, %b = transform.structured.tile_using_for %loop tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @rank(%op: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{'transform.match.structured.rank' op expects parent op to be 'transform.match.structured'}}
    %0 = transform.match.structured.rank %op : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}

// -----

%0 = builtin.unrealized_conversion_cast to !transform.any_op
// expected-error @below {{does not expect extra operands when used as top-level}}
"transform.sequence"(%0) <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 1>}> ({
^bb0(%arg0: !transform.any_op):
  "transform.yield"() : () -> ()
}) : (!transform.any_op) -> ()
