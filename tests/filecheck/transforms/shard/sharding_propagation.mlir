// RUN: xgpu-opt --pass-pipeline='builtin.module(func.func(sharding-propagation{traversal=backward-forward}))' %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   shard.grid @plane(shape = 2x4)
shard.grid @plane(shape = 2x4)

// The sharding of the left operand decides the loop that is reduced, and so the right one.
// CHECK-NEXT:   func.func @product(%arg0: tensor<4x8xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
// CHECK-NEXT:     %sharding = shard.sharding @plane split_axes = {{\[\[}}], [0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<4x8xf32>
// CHECK-NEXT:     %sharding_0 = shard.sharding @plane split_axes = {{\[\[}}], [0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_1 = shard.shard %sharding_annotated to %sharding_0 annotate_for_users : tensor<4x8xf32>
// CHECK-NEXT:     %sharding_2 = shard.sharding @plane split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_3 = shard.shard %arg1 to %sharding_2 annotate_for_users : tensor<8x6xf32>
// CHECK-NEXT:     %sharding_4 = shard.sharding @plane split_axes = {{\[\[}}]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_5 = shard.shard %arg2 to %sharding_4 annotate_for_users : tensor<4x6xf32>
// CHECK-NEXT:     %0 = linalg.matmul ins(%sharding_annotated_1, %sharding_annotated_3 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%sharding_annotated_5 : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:     %sharding_6 = shard.sharding @plane split_axes = {{\[\[}}]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_7 = shard.shard %0 to %sharding_6 : tensor<4x6xf32>
// CHECK-NEXT:     return %sharding_annotated_7 : tensor<4x6xf32>
// CHECK-NEXT:   }
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @plane split_axes = [[], [0]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// What the result is wanted with reaches the tensor that is created, and its constant.
// CHECK-NEXT:   func.func @back(%arg0: f32) -> tensor<8x8xf32> {
// CHECK-NEXT:     %sharding = shard.sharding @plane split_axes = {{\[\[}}1]] : !shard.sharding
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8x8xf32>
// CHECK-NEXT:     %sharding_0 = shard.sharding @plane split_axes = {{\[\[}}1]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %0 to %sharding_0 : tensor<8x8xf32>
// CHECK-NEXT:     %sharding_1 = shard.sharding @plane split_axes = {{\[\[}}1]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_2 = shard.shard %sharding_annotated to %sharding_1 annotate_for_users : tensor<8x8xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg0 : f32) outs(%sharding_annotated_2 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     %sharding_annotated_3 = shard.shard %1 to %sharding : tensor<8x8xf32>
// CHECK-NEXT:     return %sharding_annotated_3 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @back(%v: f32) -> tensor<8x8xf32> {
  %s = shard.sharding @plane split_axes = [[1]] : !shard.sharding
  %0 = tensor.empty() : tensor<8x8xf32>
  %1 = linalg.fill ins(%v : f32) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = shard.shard %1 to %s : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Two uses that want different shardings: one reshards what is defined with the other's.
// CHECK-NEXT:   func.func @two_users(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
// CHECK-NEXT:     %sharding = shard.sharding @plane split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_0 = shard.sharding @plane split_axes = {{\[\[}}], [0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<8x8xf32>
// CHECK-NEXT:     %sharding_1 = shard.sharding @plane split_axes = {{\[\[}}], [0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_2 = shard.shard %sharding_annotated to %sharding_1 annotate_for_users : tensor<8x8xf32>
// CHECK-NEXT:     %sharding_3 = shard.sharding @plane split_axes = {{\[\[}}], [0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_4 = shard.shard %arg1 to %sharding_3 annotate_for_users : tensor<8x8xf32>
// CHECK-NEXT:     %0 = linalg.exp ins(%sharding_annotated_2 : tensor<8x8xf32>) outs(%sharding_annotated_4 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     %sharding_annotated_5 = shard.shard %0 to %sharding_0 : tensor<8x8xf32>
// CHECK-NEXT:     %sharding_annotated_6 = shard.shard %sharding_annotated_5 to %sharding annotate_for_users : tensor<8x8xf32>
// CHECK-NEXT:     %sharding_7 = shard.sharding @plane split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_8 = shard.shard %arg1 to %sharding_7 annotate_for_users : tensor<8x8xf32>
// CHECK-NEXT:     %1 = linalg.exp ins(%sharding_annotated_6 : tensor<8x8xf32>) outs(%sharding_annotated_8 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     %sharding_9 = shard.sharding @plane split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_10 = shard.shard %1 to %sharding_9 : tensor<8x8xf32>
// CHECK-NEXT:     return %sharding_annotated_5, %sharding_annotated_10 : tensor<8x8xf32>, tensor<8x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @two_users(%a: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %s = shard.sharding @plane split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @plane split_axes = [[], [0]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8x8xf32>
  %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = shard.shard %1 to %t : tensor<8x8xf32>
  %3 = shard.shard %2 to %s annotate_for_users : tensor<8x8xf32>
  %4 = linalg.exp ins(%3 : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
