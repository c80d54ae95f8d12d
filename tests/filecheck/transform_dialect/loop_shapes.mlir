// RUN: xgpu-opt %s --split-input-file -allow-unregistered-dialect -transform-interpreter | filecheck %s

// Loops in other shapes: unrolled, peeled, gone, in a nest.

// CHECK-LABEL: func.func @unroll
// CHECK: %[[END:.*]] = arith.constant 40 : index
// CHECK: %[[STEP:.*]] = arith.constant 20 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %[[STEP]] {
// CHECK-COUNT-4: "test.use"
// CHECK: }
// CHECK: "test.use"(%[[END]])
// CHECK: return
func.func @unroll() {
  %c0 = arith.constant 0 : index
  %c42 = arith.constant 42 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c42 step %c5 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @unroll_dynamic
// CHECK: %[[N:.*]] = arith.divui
// CHECK: arith.remsi %[[N]]
// CHECK: %[[R:.*]] = scf.for
// CHECK-COUNT-3: "test.add"
// CHECK: %[[LAST:.*]] = "test.add"
// CHECK: scf.yield %[[LAST]]
// CHECK: %[[S:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %[[R]])
// CHECK: return %[[S]]
func.func @unroll_dynamic(%n: index, %step: index, %a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %step iter_args(%x = %a) -> (f32) {
    %y = "test.add"(%i, %x) : (index, f32) -> f32
    scf.yield %y : f32
  }
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %f {factor = 4} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @peel
// CHECK: %[[C40:.*]] = arith.constant 40 : index
// CHECK: %[[R:.*]] = scf.for %{{.*}} = %{{.*}} to %[[C40]] step %{{.*}} iter_args
// CHECK: %[[S:.*]] = scf.for %{{.*}} = %[[C40]] to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[R]])
// CHECK: return %[[S]]
func.func @peel(%a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c41 = arith.constant 41 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c41 step %c5 iter_args(%x = %a) -> (f32) {
    %y = "test.add"(%i, %x) : (index, f32) -> f32
    scf.yield %y : f32
  }
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %m, %rest = transform.loop.peel %f : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @peel_front
// CHECK: %[[C5:.*]] = arith.constant 5 : index
// CHECK: %[[SPLIT:.*]] = arith.constant 5 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[SPLIT]] step %[[C5]]
// CHECK: scf.for %{{.*}} = %[[SPLIT]] to %{{.*}} step %[[C5]]
func.func @peel_front() {
  %c0 = arith.constant 0 : index
  %c41 = arith.constant 41 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c41 step %c5 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %m, %rest = transform.loop.peel %f {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @once
// CHECK-SAME: %[[A:.*]]: f32
// CHECK-NOT: scf.for
// CHECK: %[[Y:.*]] = "test.add"(%{{.*}}, %[[A]])
// CHECK: return %[[Y]]
func.func @once(%a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> (f32) {
    %y = "test.add"(%i, %x) : (index, f32) -> f32
    scf.yield %y : f32
  }
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %f : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @nest
// CHECK-SAME: %[[M:.*]]: index, %[[N:.*]]: index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[M]] step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[N]] step
// CHECK: "test.use"(%[[I]], %[[J]])
func.func @nest(%m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    "test.use"(%i, %j) : (index, index) -> ()
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.structured.match ops{["scf.parallel"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.loop.parallel_for_to_nested_fors %p : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
