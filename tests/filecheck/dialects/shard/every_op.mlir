// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// Every operation of the shard dialect, with what is optional and without.

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 4)
shard.grid @line(shape = 4)
// CHECK-NEXT:   shard.grid @plane(shape = 2x3)
shard.grid @plane(shape = 2x3)
// CHECK-NEXT:   shard.grid @partly(shape = 2x?) {note}
shard.grid @partly(shape = 2x?) {note}

// CHECK-NEXT:   func.func @shardings(%arg0: tensor<12x12xf32>, %arg1: i64) -> !shard.sharding {
// CHECK-NEXT:     %sharding = shard.sharding @plane split_axes = {{\[\[}}0], [1]] : !shard.sharding
// CHECK-NEXT:     %sharding_0 = shard.sharding @plane split_axes = {{\[\[}}], [0, 1]] : !shard.sharding
// CHECK-NEXT:     %sharding_1 = shard.sharding @line split_axes = {{\[\[}}0]] halo_sizes = [1, %arg1] : !shard.sharding
// CHECK-NEXT:     %sharding_2 = shard.sharding @line split_axes = {{\[\[}}0]] sharded_dims_offsets = [0, 2, %arg1, 8, 12] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<12x12xf32>
// CHECK-NEXT:     %sharding_annotated_3 = shard.shard %sharding_annotated to %sharding_0 annotate_for_users : tensor<12x12xf32>
// CHECK-NEXT:     %0 = shard.get_sharding %sharding_annotated_3 : tensor<12x12xf32> -> !shard.sharding
// CHECK-NEXT:     return %0 : !shard.sharding
// CHECK-NEXT:   }
func.func @shardings(%t: tensor<12x12xf32>, %h: i64) -> !shard.sharding {
  %a = shard.sharding @plane split_axes = [[0], [1]] : !shard.sharding
  %b = shard.sharding @plane split_axes = [[], [0, 1]] : !shard.sharding
  %c = shard.sharding @line split_axes = [[0]] halo_sizes = [1, %h] : !shard.sharding
  %d = shard.sharding @line split_axes = [[0]] sharded_dims_offsets = [0, 2, %h, 8, 12] : !shard.sharding
  %0 = shard.shard %t to %a : tensor<12x12xf32>
  %1 = shard.shard %0 to %b annotate_for_users : tensor<12x12xf32>
  %2 = shard.get_sharding %1 : tensor<12x12xf32> -> !shard.sharding
  return %2 : !shard.sharding
}

// CHECK-NEXT:   func.func @indices(%arg0: index, %arg1: !shard.sharding) -> (index, index, index, index, index, index) {
// CHECK-NEXT:     %grid_shape:2 = shard.grid_shape @plane : index, index
// CHECK-NEXT:     %grid_shape_0 = shard.grid_shape @partly axes = [1] : index
// CHECK-NEXT:     %proc_linear_idx:2 = shard.process_multi_index on @plane : index, index
// CHECK-NEXT:     %proc_linear_idx_1 = shard.process_multi_index on @plane axes = [1] : index
// CHECK-NEXT:     %proc_linear_idx_2 = shard.process_linear_index on @plane : index
// CHECK-NEXT:     %down_linear_idx, %up_linear_idx = shard.neighbors_linear_indices on @plane[%arg0, %proc_linear_idx#1] split_axes = [0] : index, index
// CHECK-NEXT:     %shard_shape:2 = shard.shard_shape dims = [12, %arg0] sharding = %arg1 device = [%arg0, 2] : index, index
// CHECK-NEXT:     return %grid_shape#1, %grid_shape_0, %proc_linear_idx_1, %proc_linear_idx_2, %up_linear_idx, %shard_shape#0 : index, index, index, index, index, index
// CHECK-NEXT:   }
func.func @indices(%i: index, %s: !shard.sharding) -> (index, index, index, index, index, index) {
  %0:2 = shard.grid_shape @plane : index, index
  %1 = shard.grid_shape @partly axes = [1] : index
  %2:2 = shard.process_multi_index on @plane : index, index
  %3 = shard.process_multi_index on @plane axes = [1] : index
  %4 = shard.process_linear_index on @plane : index
  %5:2 = shard.neighbors_linear_indices on @plane[%i, %2#1] split_axes = [0] : index, index
  %6:2 = shard.shard_shape dims = [12, %i] sharding = %s device = [%i, 2] : index, index
  return %0#1, %1, %3, %4, %5#1, %6#0 : index, index, index, index, index, index
}

// CHECK-NEXT:   func.func @collectives(%arg0: tensor<6x12xf32>, %arg1: index, %arg2: memref<6x12xf32>) {
// CHECK-NEXT:     %all_gather = shard.all_gather %arg0 on @plane grid_axes = [1] gather_axis = 0 : tensor<6x12xf32> -> tensor<18x12xf32>
// CHECK-NEXT:     %all_reduce = shard.all_reduce %arg0 on @plane : tensor<6x12xf32> -> tensor<6x12xf32>
// CHECK-NEXT:     %all_reduce_0 = shard.all_reduce %arg2 on @plane grid_axes = [0, 1] reduction =  bitwise_xor : memref<6x12xf32> -> memref<6x12xf64>
// CHECK-NEXT:     %all_slice = shard.all_slice %arg0 on @plane grid_axes = [0] slice_axis = 1 : tensor<6x12xf32> -> tensor<6x6xf32>
// CHECK-NEXT:     %all_to_all = shard.all_to_all %arg0 on @plane grid_axes = [1] split_axis = 0 concat_axis = 1 : tensor<6x12xf32> -> tensor<2x36xf32>
// CHECK-NEXT:     %broadcast = shard.broadcast %arg0 on @plane grid_axes = [0, 1] root = [1, %arg1] : (tensor<6x12xf32>, index) -> tensor<6x12xf32>
// CHECK-NEXT:     %gather = shard.gather %arg0 on @plane grid_axes = [1] gather_axis = 1 root = [2] : (tensor<6x12xf32>) -> tensor<6x36xf32>
// CHECK-NEXT:     %recv = shard.recv %arg0 on @plane grid_axes = [0] source = [1] : (tensor<6x12xf32>) -> tensor<6x12xf32>
// CHECK-NEXT:     %recv_1 = shard.recv %arg0 on @plane : (tensor<6x12xf32>) -> tensor<6x12xf32>
// CHECK-NEXT:     %reduce = shard.reduce %arg0 on @plane grid_axes = [0] reduction =  max root = [%arg1] : (tensor<6x12xf32>, index) -> tensor<6x12xf64>
// CHECK-NEXT:     %reduce_scatter = shard.reduce_scatter %arg0 on @plane grid_axes = [0] reduction =  average scatter_axis = 0 : tensor<6x12xf32> -> tensor<3x12xf64>
// CHECK-NEXT:     %scatter = shard.scatter %arg0 on @plane grid_axes = [1] scatter_axis = 1 root = [0] : (tensor<6x12xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:     %send = shard.send %arg0 on @plane grid_axes = [1] destination = [%arg1] : (tensor<6x12xf32>, index) -> tensor<6x12xf32>
// CHECK-NEXT:     %shift = shard.shift %arg0 on @plane grid_axes = [0, 1] shift_axis = 1 offset = -2 rotate : tensor<6x12xf32> -> tensor<6x12xf32>
// CHECK-NEXT:     %shift_2 = shard.shift %arg0 on @plane grid_axes = [0] shift_axis = 0 offset = 1 : tensor<6x12xf32> -> tensor<6x12xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @collectives(%t: tensor<6x12xf32>, %i: index, %m: memref<6x12xf32>) {
  %0 = shard.all_gather %t on @plane grid_axes = [1] gather_axis = 0 : tensor<6x12xf32> -> tensor<18x12xf32>
  %1 = shard.all_reduce %t on @plane : tensor<6x12xf32> -> tensor<6x12xf32>
  %2 = shard.all_reduce %m on @plane grid_axes = [0, 1] reduction = bitwise_xor : memref<6x12xf32> -> memref<6x12xf64>
  %3 = shard.all_slice %t on @plane grid_axes = [0] slice_axis = 1 : tensor<6x12xf32> -> tensor<6x6xf32>
  %4 = shard.all_to_all %t on @plane grid_axes = [1] split_axis = 0 concat_axis = 1 : tensor<6x12xf32> -> tensor<2x36xf32>
  %5 = shard.broadcast %t on @plane grid_axes = [0, 1] root = [1, %i] : (tensor<6x12xf32>, index) -> tensor<6x12xf32>
  %6 = shard.gather %t on @plane grid_axes = [1] gather_axis = 1 root = [2] : (tensor<6x12xf32>) -> tensor<6x36xf32>
  %7 = shard.recv %t on @plane grid_axes = [0] source = [1] : (tensor<6x12xf32>) -> tensor<6x12xf32>
  %8 = shard.recv %t on @plane : (tensor<6x12xf32>) -> tensor<6x12xf32>
  %9 = shard.reduce %t on @plane grid_axes = [0] reduction = max root = [%i] : (tensor<6x12xf32>, index) -> tensor<6x12xf64>
  %10 = shard.reduce_scatter %t on @plane grid_axes = [0] reduction = average scatter_axis = 0 : tensor<6x12xf32> -> tensor<3x12xf64>
  %11 = shard.scatter %t on @plane grid_axes = [1] scatter_axis = 1 root = [0] : (tensor<6x12xf32>) -> tensor<6x4xf32>
  %12 = shard.send %t on @plane grid_axes = [1] destination = [%i] : (tensor<6x12xf32>, index) -> tensor<6x12xf32>
  %13 = shard.shift %t on @plane grid_axes = [0, 1] shift_axis = 1 offset = -2 rotate : tensor<6x12xf32> -> tensor<6x12xf32>
  %14 = shard.shift %t on @plane grid_axes = [0] shift_axis = 0 offset = 1 : tensor<6x12xf32> -> tensor<6x12xf32>
  return
}

// CHECK-NEXT:   func.func @halos(%arg0: tensor<6x12xf32>, %arg1: memref<6x12xf32>, %arg2: i64) {
// CHECK-NEXT:     %0 = shard.update_halo %arg0 on @plane split_axes = {{\[\[}}0], [1]] halo_sizes = [1, %arg2, 2, 0] : tensor<6x12xf32>
// CHECK-NEXT:     %1 = shard.update_halo %arg1 on @plane split_axes = {{\[\[}}1]] : memref<6x12xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @halos(%t: tensor<6x12xf32>, %m: memref<6x12xf32>, %h: i64) {
  %0 = shard.update_halo %t on @plane split_axes = [[0], [1]] halo_sizes = [1, %h, 2, 0] : tensor<6x12xf32>
  %1 = shard.update_halo %m on @plane split_axes = [[1]] : memref<6x12xf32>
  return
}
