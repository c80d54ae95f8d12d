// RUN: xgpu-opt --canonicalize %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 4)
shard.grid @line(shape = 4)

// A collective over no axes leaves its operand, unless its type changes.
// CHECK-NEXT:   func.func @no_axes(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf64>, tensor<4xf32>) {
// CHECK-NEXT:     %all_reduce = shard.all_reduce %arg0 on @line : tensor<4xf32> -> tensor<4xf64>
// CHECK-NEXT:     return %arg0, %all_reduce, %arg0 : tensor<4xf32>, tensor<4xf64>, tensor<4xf32>
// CHECK-NEXT:   }
func.func @no_axes(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf64>, tensor<4xf32>) {
  %0 = shard.all_reduce %t on @line : tensor<4xf32> -> tensor<4xf32>
  %1 = shard.all_reduce %0 on @line : tensor<4xf32> -> tensor<4xf64>
  %2 = shard.all_gather %0 on @line grid_axes = [] gather_axis = 0 : tensor<4xf32> -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf64>, tensor<4xf32>
}

// Constants become numbers; halos of 0 and equal distances go.
// CHECK-NEXT:   func.func @numbers(%arg0: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
// CHECK-NEXT:     %sharding = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_0 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_1 = shard.sharding @line split_axes = {{\[\[}}0]] sharded_dims_offsets = [0, 2, 8, 12, 16] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<16xf32>
// CHECK-NEXT:     %sharding_annotated_2 = shard.shard %sharding_annotated to %sharding_0 : tensor<16xf32>
// CHECK-NEXT:     %sharding_annotated_3 = shard.shard %sharding_annotated_2 to %sharding_1 : tensor<16xf32>
// CHECK-NEXT:     return %sharding_annotated, %sharding_annotated_2, %sharding_annotated_3 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
// CHECK-NEXT:   }
func.func @numbers(%t: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %a = shard.sharding @line split_axes = [[0]] halo_sizes = [%zero, 0] : !shard.sharding
  %b = shard.sharding @line split_axes = [[0]] sharded_dims_offsets = [0, 4, 8, 12, 16] : !shard.sharding
  %c = shard.sharding @line split_axes = [[0]] sharded_dims_offsets = [0, %two, 8, 12, 16] : !shard.sharding
  %0 = shard.shard %t to %a : tensor<16xf32>
  %1 = shard.shard %0 to %b : tensor<16xf32>
  %2 = shard.shard %1 to %c : tensor<16xf32>
  return %0, %1, %2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// A second sharding of a value takes the first one's result, or is the first.
// CHECK-NEXT:   func.func @twice(%arg0: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
// CHECK-NEXT:     %sharding = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<16xf32>
// CHECK-NEXT:     return %sharding_annotated, %sharding_annotated : tensor<16xf32>, tensor<16xf32>
// CHECK-NEXT:   }
func.func @twice(%t: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %a = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %b = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %t to %a : tensor<16xf32>
  %1 = shard.shard %t to %b : tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}

// CHECK-NEXT:   func.func @other(%arg0: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
// CHECK-NEXT:     %sharding = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_0 = shard.sharding @line split_axes = {{\[\[}}]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<16xf32>
// CHECK-NEXT:     %sharding_annotated_1 = shard.shard %sharding_annotated to %sharding_0 : tensor<16xf32>
// CHECK-NEXT:     return %sharding_annotated, %sharding_annotated_1 : tensor<16xf32>, tensor<16xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @other(%t: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %a = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %b = shard.sharding @line split_axes = [[]] : !shard.sharding
  %0 = shard.shard %t to %a : tensor<16xf32>
  %1 = shard.shard %t to %b : tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}
