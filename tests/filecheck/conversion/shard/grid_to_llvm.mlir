// RUN: xgpu-opt %s --split-input-file --gpu-to-llvm | filecheck %s
// RUN: xgpu-opt %s --split-input-file --convert-to-llvm | filecheck %s

// A grid that nothing names is no part of the program at run time.
// CHECK:     module {
// CHECK-NOT: shard.grid
// CHECK:     // -----
shard.grid @line(shape = 2)

// -----

// One that is named stays.
// CHECK: shard.grid @line(shape = 2)
// CHECK: shard.sharding @line
shard.grid @line(shape = 2)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<8xf32>
  return %y : tensor<8xf32>
}
