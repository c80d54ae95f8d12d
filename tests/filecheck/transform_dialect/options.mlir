// RUN: xgpu-opt --allow-unregistered-dialect --transform-interpreter="entry-point=other" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --allow-unregistered-dialect --transform-interpreter="debug-payload-root-tag=payload" %s | filecheck %s --match-full-lines --check-prefix=TAG
// RUN: xgpu-opt --allow-unregistered-dialect --transform-interpreter="entry-point=bound debug-bind-trailing-args=scf.for disable-expensive-checks=true" %s | filecheck %s --match-full-lines --check-prefix=BOUND

module attributes {transform.with_named_sequence} {
  func.func @f(%n: index) attributes {transform.target_tag = "payload"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      "test.effect"(%i) : (index) -> ()
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.annotate %root "main" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @other(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "other" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @bound(%root: !transform.any_op, %loops: !transform.any_op) {
    transform.annotate %loops "bound" : !transform.any_op
    transform.yield
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   func.func @f(%arg0: index) attributes {transform.target_tag = "payload"} {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %arg1 = %c0 to %arg0 step %c1 {
// CHECK-NEXT:       "test.effect"(%arg1) : (index) -> ()
// CHECK-NEXT:     } {other}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
// CHECK-NEXT:     transform.annotate %arg0 "main" : !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @other(%arg0: !transform.any_op) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.annotate %0 "other" : !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @bound(%arg0: !transform.any_op, %arg1: !transform.any_op) {
// CHECK-NEXT:     transform.annotate %arg1 "bound" : !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT: }

// TAG: module attributes {transform.with_named_sequence} {
// TAG-NEXT:   func.func @f(%arg0: index) attributes {main, transform.target_tag = "payload"} {
// TAG-NEXT:     %c0 = arith.constant 0 : index
// TAG-NEXT:     %c1 = arith.constant 1 : index
// TAG-NEXT:     scf.for %arg1 = %c0 to %arg0 step %c1 {
// TAG-NEXT:       "test.effect"(%arg1) : (index) -> ()
// TAG-NEXT:     }
// TAG-NEXT:     return
// TAG-NEXT:   }
// TAG-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
// TAG-NEXT:     transform.annotate %arg0 "main" : !transform.any_op
// TAG-NEXT:     transform.yield
// TAG-NEXT:   }
// TAG-NEXT:   transform.named_sequence @other(%arg0: !transform.any_op) {
// TAG-NEXT:     %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// TAG-NEXT:     transform.annotate %0 "other" : !transform.any_op
// TAG-NEXT:     transform.yield
// TAG-NEXT:   }
// TAG-NEXT:   transform.named_sequence @bound(%arg0: !transform.any_op, %arg1: !transform.any_op) {
// TAG-NEXT:     transform.annotate %arg1 "bound" : !transform.any_op
// TAG-NEXT:     transform.yield
// TAG-NEXT:   }
// TAG-NEXT: }

// BOUND: module attributes {transform.with_named_sequence} {
// BOUND-NEXT:   func.func @f(%arg0: index) attributes {transform.target_tag = "payload"} {
// BOUND-NEXT:     %c0 = arith.constant 0 : index
// BOUND-NEXT:     %c1 = arith.constant 1 : index
// BOUND-NEXT:     scf.for %arg1 = %c0 to %arg0 step %c1 {
// BOUND-NEXT:       "test.effect"(%arg1) : (index) -> ()
// BOUND-NEXT:     } {bound}
// BOUND-NEXT:     return
// BOUND-NEXT:   }
// BOUND-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
// BOUND-NEXT:     transform.annotate %arg0 "main" : !transform.any_op
// BOUND-NEXT:     transform.yield
// BOUND-NEXT:   }
// BOUND-NEXT:   transform.named_sequence @other(%arg0: !transform.any_op) {
// BOUND-NEXT:     %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// BOUND-NEXT:     transform.annotate %0 "other" : !transform.any_op
// BOUND-NEXT:     transform.yield
// BOUND-NEXT:   }
// BOUND-NEXT:   transform.named_sequence @bound(%arg0: !transform.any_op, %arg1: !transform.any_op) {
// BOUND-NEXT:     transform.annotate %arg1 "bound" : !transform.any_op
// BOUND-NEXT:     transform.yield
// BOUND-NEXT:   }
// BOUND-NEXT: }
