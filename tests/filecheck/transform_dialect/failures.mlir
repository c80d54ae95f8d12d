// RUN: xgpu-opt %s --transform-interpreter --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected to contain 1 payloads but it contains 0 payloads}}
    %1 = transform.split_handle %0 {pass_through_empty_handle = false} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-error @+1 {{could not find a nested named sequence with name: __transform_main}}
module {
}

// -----

// expected-note @+1 {{payload operation}}
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{incompatible payload operation name expected arith.addi vs func.func}}
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.op<"arith.addi">
    transform.yield
  }
}

// -----

// expected-note @+2 {{nested payload op}}
// expected-note @+1 {{ancestor payload op}}
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-note @+1 {{handle to invalidated ops}}
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @+1 {{invalidated by this transform op that consumes its operand #0 and invalidates all handles}}
    %2 = transform.apply_registered_pass "canonicalize" to %1 : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{op uses a handle invalidated by a previously executed transform op}}
    transform.annotate %0 "x" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{unknown pass or pass pipeline: no-such-pass}}
    %2 = transform.apply_registered_pass "no-such-pass" to %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @+1 {{when applied to this payload op}}
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{could not find a unique topLevel scf.forall}}
    %1 = transform.gpu.map_forall_to_blocks %0 generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%n: index, %x: memref<8xf32>, %v: f32) {
  gpu.launch blocks(%a, %b, %c) in (%g = %n, %h = %n, %i = %n) threads(%d, %e, %f) in (%j = %n, %k = %n, %l = %n) {
    scf.forall (%p, %q) in (4, 4) {
      memref.store %v, %x[%p] : memref<8xf32>
    } {mapping = [#gpu.thread<x>, #gpu.warp<y>]}
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot mix different mapping types, use nesting}}
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [32, 4, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
