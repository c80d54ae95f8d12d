// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s -test-transform-dialect-erase-schedule | filecheck %s

// CHECK-LABEL: func.func @kept
// CHECK-NOT: transform
func.func @kept() {
  return
}

module @schedule attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

module @nested {
  // CHECK: module @nested
  // CHECK-NOT: transform
  transform.sequence failures(propagate) {
  ^bb0(%arg: !transform.any_op):
    transform.yield
  }
}
