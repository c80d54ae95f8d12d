// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @carried(%i: index, %x: f32) {
  // expected-error @+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'index'}}
  %0 = scf.for %j = %i to %i step %i iter_args(%a = %x) -> (f32) {
    scf.yield %j : index
  }
  return
}

// -----

func.func @no_else(%c: i1, %x: f32) {
  // expected-error @+1 {{'scf.if' op must have an else block if defining values}}
  %0 = scf.if %c -> f32 {
    scf.yield %x : f32
  }
  return
}

// -----

func.func @cases(%i: index) {
  // expected-error @+1 {{'scf.index_switch' op has duplicate case value: 3}}
  scf.index_switch %i case 3 { scf.yield } case 3 { scf.yield } default { scf.yield }
  return
}

// -----

func.func @step(%i: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'scf.parallel' op constant step operand must be positive}}
  scf.parallel (%j) = (%i) to (%i) step (%zero) { }
  return
}

// -----

func.func @back_edge(%c: i1, %x: f32) {
  // expected-error @+1 {{'scf.while' op along control flow edge from Operation scf.condition to Region #1: region branch point has 0 operands, but region successor needs 1 inputs}}
  scf.while : () -> () {
    // expected-note @+1 {{region branch point}}
    scf.condition(%c)
  } do {
  ^bb0(%a: f32):
    scf.yield
  }
  return
}

// -----

// `true` is a bit, which has a sign.
func.func @true_is_minus_one(%i: index) {
  // expected-error @+1 {{'scf.index_switch' op has duplicate case value: -1}}
  scf.index_switch %i
  case true {
    scf.yield
  }
  case -1 {
    scf.yield
  }
  default {
  }
  return
}

// -----

func.func @parent_before_place(%a: f32) {
  // expected-error @+1 {{'scf.yield' op expects parent op to be one of}}
  scf.yield %a : f32
  return
}

// -----

func.func @no_condition() {
  // expected-error @+1 {{'scf.while' op region #0 ('before') failed to verify constraint: region with 1 blocks}}
  scf.while : () -> () {
  } do {
  }
  return
}
