// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// Ids and sizes, with and without bounds.

// CHECK: module {
// CHECK-NEXT:   func.func @index_ops() {
// CHECK-NEXT:     %cluster_block_id_x = gpu.cluster_block_id  x
// CHECK-NEXT:     %cluster_dim_y = gpu.cluster_dim  y
// CHECK-NEXT:     %cluster_dim_blocks_z = gpu.cluster_dim_blocks  z
// CHECK-NEXT:     %cluster_id_x = gpu.cluster_id  x upper_bound 8
// CHECK-NEXT:     %global_id_y = gpu.global_id  y
// CHECK-NEXT:     %grid_dim_z = gpu.grid_dim  z upper_bound 64
// CHECK-NEXT:     %block_dim_x = gpu.block_dim  x upper_bound 128
// CHECK-NEXT:     %block_id_y = gpu.block_id  y
// CHECK-NEXT:     %thread_id_z = gpu.thread_id  z upper_bound 4
// CHECK-NEXT:     %0 = gpu.lane_id upper_bound 32
// CHECK-NEXT:     %1 = gpu.subgroup_id : index
// CHECK-NEXT:     %2 = gpu.num_subgroups upper_bound 32 : index
// CHECK-NEXT:     %3 = gpu.subgroup_size : index
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @index_ops() {
  %0 = gpu.cluster_block_id x
  %1 = gpu.cluster_dim y
  %2 = gpu.cluster_dim_blocks z
  %3 = gpu.cluster_id x upper_bound 8
  %4 = gpu.global_id y
  %5 = gpu.grid_dim z upper_bound 64
  %6 = gpu.block_dim x upper_bound 128
  %7 = gpu.block_id y
  %8 = gpu.thread_id z upper_bound 4
  %9 = gpu.lane_id upper_bound 32
  %10 = gpu.subgroup_id : index
  %11 = gpu.num_subgroups upper_bound 32 : index
  %12 = gpu.subgroup_size : index
  gpu.barrier
  return
}
