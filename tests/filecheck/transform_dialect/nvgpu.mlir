// RUN: xgpu-opt %s --transform-interpreter --canonicalize --split-input-file | filecheck %s

// A pipeline of depth 2 with its epilogue peeled: the waits know how many groups are in flight.
// CHECK-LABEL: func.func @pipelined
// CHECK-COUNT-2: nvgpu.device_async_copy
// CHECK: scf.for
// CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 1 : i32}
// CHECK: nvgpu.device_async_copy
// CHECK: scf.yield
// CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 1 : i32}
// CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 0 : i32}
func.func @pipelined(%global: memref<?xf32>, %shared: memref<?xf32, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c96 = arith.constant 96 : index
  scf.for %i = %c0 to %c96 step %c4 {
    %token = nvgpu.device_async_copy %global[%i], %shared[%i], 4
      : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
    nvgpu.device_async_wait %token
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %loop { depth = 2, peel_epilogue }
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @groups
// CHECK: %[[A:.*]] = nvgpu.device_async_copy {{.*}}, 4 {bypassL1}
// CHECK: %[[B:.*]] = nvgpu.device_async_copy {{.*}}, 1
// CHECK: %[[G:.*]] = nvgpu.device_async_create_group %[[A]], %[[B]]
// CHECK: nvgpu.device_async_wait %[[G]]
func.func @groups(%a: memref<64x64xf32>, %s: memref<64x64xf32, #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = vector.load %a[%c0, %c0] : memref<64x64xf32>, vector<4xf32>
  vector.store %0, %s[%c0, %c0] : memref<64x64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  %1 = vector.load %a[%c0, %c4] : memref<64x64xf32>, vector<1xf32>
  vector.store %1, %s[%c0, %c4] : memref<64x64xf32, #gpu.address_space<workgroup>>, vector<1xf32>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.nvgpu.create_async_groups %func {bypass_l1} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A contraction in the shape that a subgroup's mma takes.
// CHECK-LABEL: func.func @unrolled
// CHECK-COUNT-2: vector.contract {{.*}} : vector<16x8xf32>, vector<8x16xf32> into vector<16x16xf32>
func.func @unrolled(%a: vector<16x16xf32>, %b: vector<16x16xf32>, %c: vector<16x16xf32>) -> vector<16x16xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
  return %0 : vector<16x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.gpu.unroll_vectors_subgroup_mma [16, 16, 8]
    } : !transform.any_op
    transform.yield
  }
}
