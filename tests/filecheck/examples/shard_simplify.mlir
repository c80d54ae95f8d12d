// Two sums over processes are one of their sum.
// RUN: xgpu-opt %s --shard-simplify | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 4)
shard.grid @line(shape = 4)
// CHECK-NEXT:   func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = arith.addf %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT:     %all_reduce = shard.all_reduce %0 on @line grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT:     return %all_reduce : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = shard.all_reduce %a on @line grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %1 = shard.all_reduce %b on @line grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
