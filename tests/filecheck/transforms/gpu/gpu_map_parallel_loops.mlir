// RUN: xgpu-opt %s --gpu-map-parallel-loops | filecheck %s --check-prefix=MAP
// RUN: xgpu-opt %s --gpu-map-parallel-loops --convert-parallel-loops-to-gpu | filecheck %s

// MAP: scf.parallel
// MAP: scf.parallel
// MAP: mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>
// MAP: mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>

// CHECK-DAG: affine_map<(d0)[s0, s1] -> ((d0 - s0) ceildiv s1)>
// CHECK-DAG: affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>
// CHECK-LABEL: func.func @tiled
// CHECK: %[[GRID:.*]] = affine.apply
// CHECK: %[[BLOCK:.*]] = affine.apply
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[GRID]], {{.*}}) threads({{.*}}) in (%{{.*}} = %[[BLOCK]],
// CHECK: affine.apply
// CHECK: affine.apply
// CHECK: memref.store
// CHECK: SCFToGPU_visited
// CHECK-NOT: scf.parallel
func.func @tiled(%a: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      %k = arith.addi %i, %j : index
      memref.store %v, %a[%k] : memref<?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
