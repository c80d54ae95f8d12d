// RUN: xgpu-opt --shard-simplify %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   shard.grid @open(shape = 2x?)
shard.grid @open(shape = 2x?)

// Two sums over processes are one of their sum.
// CHECK-NEXT:   func.func @join(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = arith.addf %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT:     %all_reduce = shard.all_reduce %0 on @open grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT:     return %all_reduce : tensor<4xf32>
// CHECK-NEXT:   }
func.func @join(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = shard.all_reduce %a on @open grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %1 = shard.all_reduce %b on @open grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Not those of other axes, and not a sum of maxima.
// CHECK-NEXT:   func.func @apart(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:     %all_reduce = shard.all_reduce %arg0 on @open grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT:     %all_reduce_0 = shard.all_reduce %arg1 on @open grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT:     %0 = arith.addf %all_reduce, %all_reduce_0 : tensor<4xf32>
// CHECK-NEXT:     %all_reduce_1 = shard.all_reduce %arg0 on @open grid_axes = [0] reduction =  max : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT:     %all_reduce_2 = shard.all_reduce %arg1 on @open grid_axes = [0] reduction =  max : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT:     %1 = arith.addf %all_reduce_1, %all_reduce_2 : tensor<4xf32>
// CHECK-NEXT:     return %0, %1 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:   }
func.func @apart(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = shard.all_reduce %a on @open grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %1 = shard.all_reduce %b on @open grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  %3 = shard.all_reduce %a on @open grid_axes = [0] reduction = max : tensor<4xf32> -> tensor<4xf32>
  %4 = shard.all_reduce %b on @open grid_axes = [0] reduction = max : tensor<4xf32> -> tensor<4xf32>
  %5 = arith.addf %3, %4 : tensor<4xf32>
  return %2, %5 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-NEXT:   func.func @scatter(%arg0: tensor<4xf32>) -> tensor<2xf32> {
// CHECK-NEXT:     %reduce_scatter = shard.reduce_scatter %arg0 on @open grid_axes = [0] reduction =  max scatter_axis = 0 : tensor<4xf32> -> tensor<2xf32>
// CHECK-NEXT:     return %reduce_scatter : tensor<2xf32>
// CHECK-NEXT:   }
func.func @scatter(%a: tensor<4xf32>) -> tensor<2xf32> {
  %0 = shard.all_reduce %a on @open grid_axes = [0] reduction = max : tensor<4xf32> -> tensor<4xf32>
  %1 = shard.all_slice %0 on @open grid_axes = [0] slice_axis = 0 : tensor<4xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-NEXT:   func.func @cancel(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:     return %arg0, %arg0 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:   }
func.func @cancel(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = shard.all_slice %a on @open grid_axes = [0] slice_axis = 0 : tensor<4xf32> -> tensor<2xf32>
  %1 = shard.all_gather %0 on @open grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<4xf32>
  %2 = shard.all_gather %a on @open grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %3 = shard.all_slice %2 on @open grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-NEXT:   func.func @sizes() -> (index, index, index) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %grid_shape = shard.grid_shape @open axes = [1] : index
// CHECK-NEXT:     %grid_shape_0 = shard.grid_shape @open axes = [1] : index
// CHECK-NEXT:     return %c2, %grid_shape, %grid_shape_0 : index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sizes() -> (index, index, index) {
  %0:2 = shard.grid_shape @open : index, index
  %1 = shard.grid_shape @open axes = [1] : index
  return %0#0, %0#1, %1 : index, index, index
}
