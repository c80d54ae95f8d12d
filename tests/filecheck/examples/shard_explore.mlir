// Of all ways to split the arguments of two layers, rows of the input need no messages.
// RUN: xgpu-opt %s --shard-explore=latency=0 | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 4)
shard.grid @line(shape = 4)
// CHECK-NEXT:   func.func @network(%arg0: tensor<8x16xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<64x16xf32>) -> tensor<8x16xf32> {
// CHECK-NEXT:     %sharding = shard.sharding @line split_axes = {{\[\[}}0], []] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated = shard.shard %arg0 to %sharding : tensor<8x16xf32>
// CHECK-NEXT:     %sharding_0 = shard.sharding @line split_axes = {{\[\[}}], []] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_1 = shard.shard %arg1 to %sharding_0 : tensor<16x64xf32>
// CHECK-NEXT:     %sharding_2 = shard.sharding @line split_axes = {{\[\[}}], []] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_3 = shard.shard %arg2 to %sharding_2 : tensor<64x16xf32>
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8x64xf32>
// CHECK-NEXT:     %sharding_4 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_5 = shard.shard %0 to %sharding_4 : tensor<8x64xf32>
// CHECK-NEXT:     %sharding_6 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_7 = shard.shard %sharding_annotated_5 to %sharding_6 annotate_for_users : tensor<8x64xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%sharding_annotated_7 : tensor<8x64xf32>) -> tensor<8x64xf32>
// CHECK-NEXT:     %sharding_8 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_9 = shard.shard %1 to %sharding_8 : tensor<8x64xf32>
// CHECK-NEXT:     %sharding_10 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_11 = shard.shard %sharding_annotated to %sharding_10 annotate_for_users : tensor<8x16xf32>
// CHECK-NEXT:     %sharding_12 = shard.sharding @line split_axes = {{\[\[}}]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_13 = shard.shard %sharding_annotated_1 to %sharding_12 annotate_for_users : tensor<16x64xf32>
// CHECK-NEXT:     %sharding_14 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_15 = shard.shard %sharding_annotated_9 to %sharding_14 annotate_for_users : tensor<8x64xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%sharding_annotated_11, %sharding_annotated_13 : tensor<8x16xf32>, tensor<16x64xf32>) outs(%sharding_annotated_15 : tensor<8x64xf32>) -> tensor<8x64xf32>
// CHECK-NEXT:     %sharding_16 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_17 = shard.shard %2 to %sharding_16 : tensor<8x64xf32>
// CHECK-NEXT:     %sharding_18 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_19 = shard.shard %sharding_annotated_17 to %sharding_18 annotate_for_users : tensor<8x64xf32>
// CHECK-NEXT:     %3 = math.exp %sharding_annotated_19 : tensor<8x64xf32>
// CHECK-NEXT:     %sharding_20 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_21 = shard.shard %3 to %sharding_20 : tensor<8x64xf32>
// CHECK-NEXT:     %4 = tensor.empty() : tensor<8x16xf32>
// CHECK-NEXT:     %sharding_22 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_23 = shard.shard %4 to %sharding_22 : tensor<8x16xf32>
// CHECK-NEXT:     %sharding_24 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_25 = shard.shard %sharding_annotated_23 to %sharding_24 annotate_for_users : tensor<8x16xf32>
// CHECK-NEXT:     %5 = linalg.fill ins(%cst : f32) outs(%sharding_annotated_25 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:     %sharding_26 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_27 = shard.shard %5 to %sharding_26 : tensor<8x16xf32>
// CHECK-NEXT:     %sharding_28 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_29 = shard.shard %sharding_annotated_21 to %sharding_28 annotate_for_users : tensor<8x64xf32>
// CHECK-NEXT:     %sharding_30 = shard.sharding @line split_axes = {{\[\[}}]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_31 = shard.shard %sharding_annotated_3 to %sharding_30 annotate_for_users : tensor<64x16xf32>
// CHECK-NEXT:     %sharding_32 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_33 = shard.shard %sharding_annotated_27 to %sharding_32 annotate_for_users : tensor<8x16xf32>
// CHECK-NEXT:     %6 = linalg.matmul ins(%sharding_annotated_29, %sharding_annotated_31 : tensor<8x64xf32>, tensor<64x16xf32>) outs(%sharding_annotated_33 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:     %sharding_34 = shard.sharding @line split_axes = {{\[\[}}0]] : !shard.sharding
// CHECK-NEXT:     %sharding_annotated_35 = shard.shard %6 to %sharding_34 : tensor<8x16xf32>
// CHECK-NEXT:     return %sharding_annotated_35 : tensor<8x16xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @network(%x: tensor<8x16xf32>, %w: tensor<16x64xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x64xf32>) outs(%1 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = math.exp %2 : tensor<8x64xf32>
  %4 = tensor.empty() : tensor<8x16xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %6 = linalg.matmul ins(%3, %v : tensor<8x64xf32>, tensor<64x16xf32>) outs(%5 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}
