// RUN: xgpu-opt --pass-pipeline='builtin.module(func.func(shard-partition))' %s | filecheck %s

// CHECK: #map = affine_map<()[s0, s1, s2] -> (s0 * s1 + s2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   shard.grid @plane(shape = 2x4)
shard.grid @plane(shape = 2x4)
// CHECK-NEXT:   shard.grid @line(shape = 4)
shard.grid @line(shape = 4)

// A split reduction: the first process of a group begins with the given tensor, and all_reduce
// combines.
// CHECK-NEXT:   func.func @product(%arg0: tensor<4x1xf32>, %arg1: tensor<1x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:     %proc_linear_idx:2 = shard.process_multi_index on @plane axes = [0, 1] : index, index
// CHECK-NEXT:     %grid_shape:2 = shard.grid_shape @plane axes = [0, 1] : index, index
// CHECK-NEXT:     %0 = affine.apply #map()[%proc_linear_idx#0, %grid_shape#1, %proc_linear_idx#1]
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = arith.cmpi eq, %0, %c0 : index
// CHECK-NEXT:     %2 = scf.if %1 -> (tensor<4x6xf32>) {
// CHECK-NEXT:       scf.yield %arg2 : tensor<4x6xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %4 = tensor.empty() : tensor<4x6xf32>
// CHECK-NEXT:       %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:       %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:       scf.yield %5 : tensor<4x6xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %3 = linalg.matmul ins(%arg0, %arg1 : tensor<4x1xf32>, tensor<1x6xf32>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:     %all_reduce = shard.all_reduce %3 on @plane grid_axes = [0, 1] : tensor<4x6xf32> -> tensor<4x6xf32>
// CHECK-NEXT:     return %all_reduce : tensor<4x6xf32>
// CHECK-NEXT:   }
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @plane split_axes = [[], [0, 1]] : !shard.sharding
  %t = shard.sharding @plane split_axes = [[0, 1]] : !shard.sharding
  %u = shard.sharding @plane split_axes = [[]] : !shard.sharding
  %0 = shard.shard %a to %s annotate_for_users : tensor<4x8xf32>
  %1 = shard.shard %b to %t annotate_for_users : tensor<8x6xf32>
  %2 = shard.shard %c to %u annotate_for_users : tensor<4x6xf32>
  %3 = linalg.matmul ins(%0, %1 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = shard.shard %3 to %u : tensor<4x6xf32>
  return %4 : tensor<4x6xf32>
}

// Constants and empty tensors become smaller; shards of different sizes ask for theirs.
// CHECK-NEXT:   func.func @created() -> (tensor<2x8xf32>, tensor<2xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<2.000000e+00> : tensor<2x8xf32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<2xf32>
// CHECK-NEXT:     %sharding = shard.sharding @line split_axes = {{\[\[}}0]] sharded_dims_offsets = [0, 1, 3, 6, 8] : !shard.sharding
// CHECK-NEXT:     %proc_linear_idx = shard.process_multi_index on @line : index
// CHECK-NEXT:     %shard_shape = shard.shard_shape dims = [8] sharding = %sharding device = [%proc_linear_idx] : index
// CHECK-NEXT:     %1 = tensor.empty(%shard_shape) : tensor<?xf32>
// CHECK-NEXT:     return %cst, %0, %1 : tensor<2x8xf32>, tensor<2xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @created() -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %s = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @line split_axes = [[0]] sharded_dims_offsets = [0, 1, 3, 6, 8] : !shard.sharding
  %0 = arith.constant dense<2.0> : tensor<8x8xf32>
  %1 = shard.shard %0 to %s : tensor<8x8xf32>
  %2 = tensor.empty() : tensor<8xf32>
  %3 = shard.shard %2 to %s : tensor<8xf32>
  %4 = tensor.empty() : tensor<8xf32>
  %5 = shard.shard %4 to %t : tensor<8xf32>
  return %1, %3, %5 : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>
}

// One step each: an axis moves, goes, comes; a halo comes.
// CHECK-NEXT:   func.func @reshard(%arg0: tensor<2x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<2x8xf32>) -> (tensor<8x2xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<5x8xf32>) {
// CHECK-NEXT:     %all_gather = shard.all_gather %arg1 on @line grid_axes = [0] gather_axis = 0 : tensor<2x8xf32> -> tensor<8x8xf32>
// CHECK-NEXT:     %cast = tensor.cast %all_gather : tensor<8x8xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %all_to_all = shard.all_to_all %arg0 on @line grid_axes = [0] split_axis = 1 concat_axis = 0 : tensor<2x8xf32> -> tensor<8x2xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %all_to_all : tensor<8x2xf32> to tensor<8x2xf32>
// CHECK-NEXT:     %all_slice = shard.all_slice %arg2 on @line grid_axes = [0] slice_axis = 1 : tensor<8x8xf32> -> tensor<8x2xf32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<5x8xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg3[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> to tensor<2x8xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %extracted_slice into %0[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<5x8xf32>
// CHECK-NEXT:     %1 = shard.update_halo %inserted_slice on @line split_axes = {{\[\[}}0]] halo_sizes = [1, 2] : tensor<5x8xf32>
// CHECK-NEXT:     return %cast_0, %cast, %all_slice, %1 : tensor<8x2xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<5x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @reshard(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %rows = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @line split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @line split_axes = [[]] : !shard.sharding
  %halo = shard.sharding @line split_axes = [[0]] halo_sizes = [1, 2] : !shard.sharding
  %0 = shard.shard %a to %rows : tensor<8x8xf32>
  %1 = shard.shard %0 to %columns annotate_for_users : tensor<8x8xf32>
  %2 = shard.shard %b to %rows : tensor<8x8xf32>
  %3 = shard.shard %2 to %whole annotate_for_users : tensor<8x8xf32>
  %4 = shard.shard %c to %whole : tensor<8x8xf32>
  %5 = shard.shard %4 to %columns annotate_for_users : tensor<8x8xf32>
  %6 = shard.shard %d to %rows : tensor<8x8xf32>
  %7 = shard.shard %6 to %halo annotate_for_users : tensor<8x8xf32>
  return %1, %3, %5, %7 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
