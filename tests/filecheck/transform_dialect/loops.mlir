// RUN: xgpu-opt %s --transform-interpreter --split-input-file | filecheck %s

// CHECK-LABEL: func.func @sequential
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK: return
func.func @sequential(%x: memref<4x8xf32>, %v: f32) {
  scf.forall (%i, %j) in (4, 8) {
    memref.store %v, %x[%i, %j] : memref<4x8xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %forall = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %loops:2 = transform.loop.forall_to_for %forall : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @parallel
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]]
// CHECK: mapping = [#gpu.thread<x>]
func.func @parallel(%x: memref<8xf32>, %v: f32) {
  scf.forall (%i) in (8) {
    memref.store %v, %x[%i] : memref<8xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %forall = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.loop.forall_to_parallel %forall : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
