// The sharding of one operand decides those of the others and of the result.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(sharding-propagation))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 2)
shard.grid @line(shape = 2)
// CHECK-NEXT:   func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:     %sharding = shard.sharding @line split_axes = {{\[\[}}0], []] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<4x8xf32>
// CHECK-NEXT:     %sharding_0 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_1 = shard.shard %sharding_annotated to %sharding_0 annotate_for_users : tensor<4x8xf32>
// CHECK-NEXT:     %sharding_2 = shard.sharding @line split_axes = {{\[\[}}]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_3 = shard.shard %arg1 to %sharding_2 annotate_for_users : tensor<8x6xf32>
// CHECK-NEXT:     %sharding_4 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_5 = shard.shard %arg2 to %sharding_4 annotate_for_users : tensor<4x6xf32>
// CHECK-NEXT:     %0 = linalg.matmul ins(%sharding_annotated_1, %sharding_annotated_3 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%sharding_annotated_5 : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:     %sharding_6 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_7 = shard.shard %0 to %sharding_6 : tensor<4x6xf32>
// CHECK-NEXT:     return %sharding_annotated_7 : tensor<4x6xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @line split_axes = [[0], []] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
