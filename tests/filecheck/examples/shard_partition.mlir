// Each process computes with its part of the tensors.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(shard-partition))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 4)
shard.grid @line(shape = 4)
// CHECK-NEXT:   func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:     %0 = arith.addf %arg0, %arg0 : tensor<2xf32>
// CHECK-NEXT:     return %0 : tensor<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8xf32>
  %1 = shard.shard %0 to %s annotate_for_users : tensor<8xf32>
  %2 = arith.addf %1, %1 : tensor<8xf32>
  %3 = shard.shard %2 to %s : tensor<8xf32>
  return %3 : tensor<8xf32>
}
