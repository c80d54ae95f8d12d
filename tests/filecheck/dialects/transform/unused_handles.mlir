// RUN: xgpu-opt %s --canonicalize | filecheck %s

// What only reads handles and payload goes where its results are not used.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @unused(%root: !transform.any_op {transform.readonly},
                                   %p: !transform.param<i64> {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1:2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2 = transform.get_parent_op %root : (!transform.any_op) -> !transform.any_op
    %3 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %4 = transform.merge_handles %root, %root : !transform.any_op
    %5 = transform.cast %root : !transform.any_op to !transform.op<"func.func">
    transform.match.param.cmpi eq %p, %p : !transform.param<i64>
    transform.print %root : !transform.any_op
    transform.yield
  }

  transform.named_sequence @used(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "canonicalize" to %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @unused(%arg0: !transform.any_op {transform.readonly}, %arg1: !transform.param<i64> {transform.readonly}) {
// CHECK-NEXT:     transform.print %arg0 : !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @used(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.apply_registered_pass "canonicalize" to %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT: }
