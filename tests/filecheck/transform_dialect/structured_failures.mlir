// RUN: xgpu-opt %s --transform-interpreter --split-input-file --verify-diagnostics

func.func @f(%a: memref<8x4xf32>, %b: memref<4x16xf32>, %c: memref<8x16xf32>) {
  linalg.matmul ins(%a, %b : memref<8x4xf32>, memref<4x16xf32>) outs(%c : memref<8x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected number of loops to tile (2) to match number of `loops` results (1)}}
    %t, %l = transform.structured.tile_using_for %m tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----


func.func @f(%a: memref<8x4xf32>, %b: memref<4x16xf32>, %c: memref<8x16xf32>) {
  // expected-note @+1 {{when applied to this op}}
  linalg.matmul ins(%a, %b : memref<8x4xf32>, memref<4x16xf32>) outs(%c : memref<8x16xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{transform applied to the wrong op kind}}
    %i = transform.structured.interchange %m iterator_interchange = [1, 0, 2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c8 step %c2 {
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    // expected-error @+1 {{failed to peel the last iteration}}
    %m, %r = transform.loop.peel %l : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%in: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  // expected-error @+1 {{op failed to multibuffer}}
  %tmp = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c16 step %c4 {
    %v = memref.load %tmp[%c0] : memref<4xf32>
    memref.store %v, %in[%i] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
    %m = transform.memref.multibuffer %a {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%t: tensor<5xf32>) -> index {
  %c0 = arith.constant 0 : index
  // expected-error @+2 {{trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'}}
  // expected-note @+1 {{target op}}
  %d = tensor.dim %t, %c0 : tensor<5xf32>
  return %d : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %d = transform.structured.match ops{["tensor.dim"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{pass pipeline failed}}
    %r = transform.apply_registered_pass "canonicalize" to %d : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @+1 {{when applied to this matching payload}}
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @any(%f: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %f ["func.func"] : !transform.any_op
    transform.yield %f : !transform.any_op
  }
  // expected-note @+1 {{failed action: wrong operation name}}
  transform.named_sequence @fails(%f: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %f ["gpu.func"] : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // expected-error @+1 {{actions failed}}
    %r = transform.foreach_match in %root @any -> @fails : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // expected-error @+1 {{dynamic option index 0 is out of bounds for the number of dynamic options: 0}}
    %r = "transform.apply_registered_pass"(%root) <{
      options = {"top-down" = #transform.param_operand<index = 0 : i64>}, pass_name = "canonicalize"
    }> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @m(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %r = transform.match.structured %op : (!transform.any_op) -> !transform.any_op {
    ^bb0(%s: !transform.any_op):
      // expected-error @+1 {{only one of {"reduction_position", "passthrough", "elementwise", "contraction"} is allowed}}
      transform.match.structured.body %s {elementwise, passthrough} : !transform.any_op
      transform.match.structured.yield %s : !transform.any_op
    }
    transform.yield %r : !transform.any_op
  }
}
