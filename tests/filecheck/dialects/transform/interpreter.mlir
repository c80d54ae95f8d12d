// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Handles, matching and control of the interpreter.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @called(%target: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %target : !transform.any_op
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.for", "linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %2 = transform.include @called failures(propagate) (%0) : (!transform.any_op) -> !transform.any_op
    %3:2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %4 = transform.merge_handles %3#0, %3#1 : !transform.any_op
    %5 = transform.merge_handles deduplicate %3#0, %3#1 : !transform.any_op
    %6 = transform.get_parent_op %0 {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %7 = transform.get_parent_op %0 {deduplicate, op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %8 = transform.get_result %0[0] : (!transform.any_op) -> !transform.any_value
    %9 = transform.get_operand %0[all] : (!transform.any_op) -> !transform.any_value
    %10 = transform.get_defining_op %8 : (!transform.any_value) -> !transform.any_op
    %11 = transform.get_producer_of_operand %0[1] : (!transform.any_op) -> !transform.any_op
    %12 = transform.get_consumers_of_result %0[0] : (!transform.any_op) -> !transform.any_op
    %13 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %14 = transform.num_associations %0 : (!transform.any_op) -> !transform.param<i64>
    %15 = transform.cast %0 : !transform.any_op to !transform.op<"scf.for">
    %16 = transform.replicate num(%0) %root : !transform.any_op, !transform.any_op
    %17 = transform.select "scf.for" in %0 : (!transform.any_op) -> !transform.any_op
    %18 = transform.apply_registered_pass "canonicalize" to %6 : (!transform.any_op) -> !transform.any_op
    transform.match.operation_name %0 ["scf.for", "scf.forall"] : !transform.any_op
    transform.match.operation_empty %0 : !transform.any_op
    transform.match.param.cmpi eq %13, %14 : !transform.param<i64>
    transform.annotate %0 "marked" : !transform.any_op
    transform.annotate %0 "number" = %13 : !transform.any_op, !transform.param<i64>
    transform.print %0 {name = "here"} : !transform.any_op
    transform.print
    transform.verify %0 : !transform.any_op
    transform.apply_cse to %6 : !transform.any_op
    transform.apply_dce to %6 : !transform.any_op
    transform.apply_licm to %0 : !transform.any_op
    transform.debug.emit_remark_at %0, "a remark" : !transform.any_op
    transform.debug.emit_param_as_remark %13, "a number" at %0 : !transform.param<i64>, !transform.any_op
    transform.foreach %0 : !transform.any_op {
    ^bb0(%each: !transform.any_op):
      transform.yield
    }
    transform.alternatives %6 : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      transform.yield
    }, {
    ^bb0(%scope: !transform.any_op):
      transform.yield
    }
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%inner: !transform.any_op):
      transform.yield
    }
    transform.yield
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @called(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
// CHECK-NEXT:     transform.yield %arg0 : !transform.any_op
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["scf.for", "linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %2 = transform.include @called failures(propagate) (%0) : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %3:2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     %4 = transform.merge_handles %3#0, %3#1 : !transform.any_op
// CHECK-NEXT:     %5 = transform.merge_handles deduplicate %3#0, %3#1 : !transform.any_op
// CHECK-NEXT:     %6 = transform.get_parent_op %0 {isolated_from_above} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %7 = transform.get_parent_op %0 {deduplicate, op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %8 = transform.get_result %0[0] : (!transform.any_op) -> !transform.any_value
// CHECK-NEXT:     %9 = transform.get_operand %0[all] : (!transform.any_op) -> !transform.any_value
// CHECK-NEXT:     %10 = transform.get_defining_op %8 : (!transform.any_value) -> !transform.any_op
// CHECK-NEXT:     %11 = transform.get_producer_of_operand %0[1] : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %12 = transform.get_consumers_of_result %0[0] : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %13 = transform.param.constant 4 : i64 -> !transform.param<i64>
// CHECK-NEXT:     %14 = transform.num_associations %0 : (!transform.any_op) -> !transform.param<i64>
// CHECK-NEXT:     %15 = transform.cast %0 : !transform.any_op to !transform.op<"scf.for">
// CHECK-NEXT:     %16 = transform.replicate num(%0) %arg0 : !transform.any_op, !transform.any_op
// CHECK-NEXT:     %17 = transform.select "scf.for" in %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %18 = transform.apply_registered_pass "canonicalize" to %6 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.match.operation_name %0 ["scf.for", "scf.forall"] : !transform.any_op
// CHECK-NEXT:     transform.match.operation_empty %0 : !transform.any_op
// CHECK-NEXT:     transform.match.param.cmpi eq %13, %14 : !transform.param<i64>
// CHECK-NEXT:     transform.annotate %0 "marked" : !transform.any_op
// CHECK-NEXT:     transform.annotate %0 "number" = %13 : !transform.any_op, !transform.param<i64>
// CHECK-NEXT:     transform.print %0 {name = "here"} : !transform.any_op
// CHECK-NEXT:     transform.print
// CHECK-NEXT:     transform.verify %0 : !transform.any_op
// CHECK-NEXT:     transform.apply_cse to %6 : !transform.any_op
// CHECK-NEXT:     transform.apply_dce to %6 : !transform.any_op
// CHECK-NEXT:     transform.apply_licm to %0 : !transform.any_op
// CHECK-NEXT:     transform.debug.emit_remark_at %0, "a remark" : !transform.any_op
// CHECK-NEXT:     transform.debug.emit_param_as_remark %13, "a number" at %0 : !transform.param<i64>, !transform.any_op
// CHECK-NEXT:     transform.foreach %0 : !transform.any_op {
// CHECK-NEXT:     ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:     }
// CHECK-NEXT:     transform.alternatives %6 : !transform.any_op {
// CHECK-NEXT:     ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:     }, {
// CHECK-NEXT:     ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:     }
// CHECK-NEXT:     transform.sequence %arg0 : !transform.any_op failures(suppress) {
// CHECK-NEXT:     ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:     }
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT: }
