// RUN: xgpu-opt --pass-pipeline='builtin.module(func.func(shard-partition))' %s | filecheck %s

// Resharding that takes several steps, of which mlir-opt has none.

// CHECK: module {
// CHECK-NEXT:   shard.grid @plane(shape = 2x2)
shard.grid @plane(shape = 2x2)

// The axes change places: both are gathered, then sliced.
// CHECK-NEXT:   func.func @swap(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:     %all_gather = shard.all_gather %arg0 on @plane grid_axes = [0] gather_axis = 0 : tensor<4x4xf32> -> tensor<8x4xf32>
// CHECK-NEXT:     %cast = tensor.cast %all_gather : tensor<8x4xf32> to tensor<8x4xf32>
// CHECK-NEXT:     %all_gather_0 = shard.all_gather %cast on @plane grid_axes = [1] gather_axis = 1 : tensor<8x4xf32> -> tensor<8x8xf32>
// CHECK-NEXT:     %cast_1 = tensor.cast %all_gather_0 : tensor<8x8xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %all_slice = shard.all_slice %cast_1 on @plane grid_axes = [1] slice_axis = 0 : tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT:     %all_slice_2 = shard.all_slice %all_slice on @plane grid_axes = [0] slice_axis = 1 : tensor<4x8xf32> -> tensor<4x4xf32>
// CHECK-NEXT:     return %all_slice_2 : tensor<4x4xf32>
// CHECK-NEXT:   }
func.func @swap(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @plane split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @plane split_axes = [[1], [0]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8x8xf32>
  %1 = shard.shard %0 to %t annotate_for_users : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A halo of the second dimension goes before the axis moves.
// CHECK-NEXT:   func.func @without_halo(%arg0: tensor<8x7xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 1] [8, 4] [1, 1] : tensor<8x7xf32> to tensor<8x4xf32>
// CHECK-NEXT:     %all_to_all = shard.all_to_all %extracted_slice on @plane grid_axes = [0] split_axis = 0 concat_axis = 1 : tensor<8x4xf32> -> tensor<4x8xf32>
// CHECK-NEXT:     %cast = tensor.cast %all_to_all : tensor<4x8xf32> to tensor<4x8xf32>
// CHECK-NEXT:     return %cast : tensor<4x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @without_halo(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @plane split_axes = [[], [0]] halo_sizes = [1, 2] : !shard.sharding
  %t = shard.sharding @plane split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8x8xf32>
  %1 = shard.shard %0 to %t annotate_for_users : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
