// RUN: xgpu-opt --shard-distribute %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 2)
shard.grid @line(shape = 2)

// It has no shardings, and calls what cannot be sharded: it stays.
// CHECK-NEXT:   func.func private @print(tensor<4xf32>)
func.func private @print(tensor<4xf32>)
// CHECK-NEXT:   func.func @main(%arg0: tensor<4xf32>) {
// CHECK-NEXT:     call @print(%arg0) : (tensor<4xf32>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @main(%a: tensor<4xf32>) {
  call @print(%a) : (tensor<4xf32>) -> ()
  return
}

// The tensor that is created is reached through the operation that takes it, backwards.
// CHECK-NEXT:   func.func @sum(%arg0: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<2xf32>
// CHECK-NEXT:     %1 = linalg.add ins(%arg0, %arg0 : tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:     return %1 : tensor<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sum(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %1 = linalg.add ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
