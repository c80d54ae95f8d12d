// A function with shardings becomes what each process runs.
// RUN: xgpu-opt %s --shard-distribute | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 2)
shard.grid @line(shape = 2)
// CHECK-NEXT:   func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<2xf32>
// CHECK-NEXT:     %1 = linalg.add ins(%arg0, %arg0 : tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:     return %1 : tensor<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %1 = linalg.add ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
