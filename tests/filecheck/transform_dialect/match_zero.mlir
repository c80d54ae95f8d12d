// RUN: xgpu-opt %s --load-dialect-plugin=%mlir_test_lib --transform-interpreter --test-transform-dialect-erase-schedule | filecheck %s --match-full-lines
// An attribute of zero is matched.

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   func.func @f(%arg0: i32) {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 {found, tag = 0 : i64} : i32
// CHECK-NEXT:     %1 = arith.addi %arg0, %arg0 {tag = 1 : i64} : i32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  func.func @f(%a: i32) {
    %0 = arith.addi %a, %a {tag = 0} : i32
    %1 = arith.addi %a, %a {tag = 1} : i32
    return
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
    %0 = transform.structured.match ops{["arith.addi"]} attributes{tag = 0} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "found" : !transform.any_op
    transform.yield
  }
}
