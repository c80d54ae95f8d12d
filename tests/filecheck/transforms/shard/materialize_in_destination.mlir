// RUN: xgpu-opt %s --shard-distribute | filecheck %s

// CHECK: module {
// CHECK-NEXT:   shard.grid @g(shape = 2)
shard.grid @g(shape = 2)

// What is written and what it is written to are split alike.
// CHECK-NEXT:   func.func @written(%arg0: tensor<4x4xf32>, %arg1: tensor<2x4xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT:     %all_slice = shard.all_slice %arg0 on @g grid_axes = [0] slice_axis = 0 : tensor<4x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT:     %0 = bufferization.materialize_in_destination %all_slice in %arg1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:     return %0 : tensor<2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @written(%a: tensor<4x4xf32>, %r: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %0 = shard.shard %a to %whole : tensor<4x4xf32>
  %1 = shard.shard %r to %rows : tensor<4x4xf32>
  %2 = bufferization.materialize_in_destination %0 in %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = shard.shard %2 to %rows annotate_for_users : tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
