// RUN: xgpu-opt %s --transform-interpreter --canonicalize --cse --split-input-file | filecheck %s

// Blocks, threads with a predicate, and the launch that is made for them.
// CHECK-LABEL: func.func @blocks_and_threads
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C6:.*]] = arith.constant 6 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[C6]], %{{.*}} = %[[C1]], %{{.*}} = %[[C1]]) threads({{.*}}) in (%{{.*}} = %[[C32]], %{{.*}} = %[[C1]], %{{.*}} = %[[C1]])
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[P:.*]] = arith.cmpi ult, %[[T]], %{{.*}} : index
// CHECK: scf.if %[[P]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[B]], %[[T]]]
// CHECK: gpu.barrier
func.func @blocks_and_threads(%x: memref<6x20xf32>, %v: f32) {
  scf.forall (%i) in (6) {
    scf.forall (%j) in (20) {
      memref.store %v, %x[%i, %j] : memref<6x20xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %func generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [32, 1, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Warps, lanes, and linear threads behind a mask.
// CHECK-DAG: #[[WARP:.*]] = affine_map<()[s0] -> (s0 floordiv 32)>
// CHECK-LABEL: func.func @warps
// CHECK: gpu.launch
// CHECK: affine.apply #[[WARP]]()[%{{.*}}]
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: arith.shli
// CHECK: math.ctpop
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.barrier
func.func @warps(%x: memref<64xf32>, %v: f32) {
  %one = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%g = %one, %h = %one, %i = %one) threads(%d, %e, %f) in (%j = %one, %k = %one, %l = %one) {
    scf.forall (%p) in (2) {
      memref.store %v, %x[%p] : memref<64xf32>
    } {mapping = [#gpu.warp<x>]}
    scf.forall (%p) in (2) {
      memref.store %v, %x[%p] : memref<64xf32>
    } {mapping = [#gpu.thread<linear_dim_0>, #gpu.mask<0x3>]}
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %launch block_dims = [64, 1, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
