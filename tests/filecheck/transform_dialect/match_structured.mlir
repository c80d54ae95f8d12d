// RUN: xgpu-opt %s -transform-interpreter 2>&1 | filecheck %s

// Questions about structured operations, asked by matchers.

// CHECK: remark: product
// CHECK: remark: m 0 : i64
// CHECK: remark: n 1 : i64
// CHECK: remark: k 2 : i64
// CHECK: remark: elementwise of bits 32 : i64
// CHECK-NOT: remark:
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_product(%op: !transform.any_op {transform.readonly})
      -> (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
    %r:3 = transform.match.structured %op : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>) {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.body %s {contraction = ["arith.mulf", "arith.addf"]} : !transform.any_op
      transform.match.structured.dim %s[-1] {reduction} : !transform.any_op
      %b, %m, %n, %k = transform.match.structured.classify_contraction_dims %s
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.match.structured.yield %m, %n, %k : !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
    }
    transform.yield %op, %r#0, %r#1, %r#2 : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  }

  transform.named_sequence @tell_product(%op: !transform.any_op {transform.readonly}, %m: !transform.param<i64> {transform.readonly},
      %n: !transform.param<i64> {transform.readonly}, %k: !transform.param<i64> {transform.readonly}) {
    transform.debug.emit_remark_at %op, "product" : !transform.any_op
    transform.debug.emit_param_as_remark %m, "m" at %op : !transform.param<i64>, !transform.any_op
    transform.debug.emit_param_as_remark %n, "n" at %op : !transform.param<i64>, !transform.any_op
    transform.debug.emit_param_as_remark %k, "k" at %op : !transform.param<i64>, !transform.any_op
    transform.yield
  }

  transform.named_sequence @is_elementwise(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
    %w = transform.match.structured %op : (!transform.any_op) -> !transform.param<i64> {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.body %s {elementwise} : !transform.any_op
      transform.match.structured.dim %s[all] {parallel} : !transform.any_op
      %v = transform.match.structured.init %s[0] {permutation} : (!transform.any_op) -> !transform.any_value
      %w = transform.match.structured.elemental_bitwidth %v : (!transform.any_value) -> !transform.param<i64>
      transform.match.structured.yield %w : !transform.param<i64>
    }
    transform.yield %op, %w : !transform.any_op, !transform.param<i64>
  }

  transform.named_sequence @tell_elementwise(%op: !transform.any_op {transform.readonly}, %w: !transform.param<i64> {transform.readonly}) {
    transform.debug.emit_param_as_remark %w, "elementwise of bits" at %op : !transform.param<i64>, !transform.any_op
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %r = transform.foreach_match in %f @is_product -> @tell_product, @is_elementwise -> @tell_elementwise
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @payload(%a: memref<8x4xf32>, %b: memref<4x16xf32>, %c: memref<8x16xf32>) {
    linalg.matmul ins(%a, %b : memref<8x4xf32>, memref<4x16xf32>) outs(%c : memref<8x16xf32>)
    linalg.exp ins(%c : memref<8x16xf32>) outs(%c : memref<8x16xf32>)
    return
  }
}
