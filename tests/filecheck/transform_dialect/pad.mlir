// RUN: xgpu-opt %s --transform-interpreter --canonicalize --cse --split-input-file | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (-s0 + 16, 5)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (-s0 + 8)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @sliced(%arg0: tensor<16x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<16x16xf32>, %arg3: index) -> tensor<16x16xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %cst_0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %cst_1 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %0 = affine.min #map()[%arg3]
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [%0, 8] [1, 1] : tensor<16x8xf32> to tensor<?x8xf32>
// CHECK-NEXT:     %extracted_slice_2 = tensor.extract_slice %arg2[%arg3, 0] [%0, 16] [1, 1] : tensor<16x16xf32> to tensor<?x16xf32>
// CHECK-NEXT:     %1 = affine.apply #map1()[%0]
// CHECK-NEXT:     %padded = tensor.pad %extracted_slice low[0, 0] high[%1, 0] {
// CHECK-NEXT:     ^bb0(%arg4: index, %arg5: index):
// CHECK-NEXT:       tensor.yield %cst_1 : f32
// CHECK-NEXT:     } : tensor<?x8xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %padded_3 = tensor.pad %arg1 nofold low[0, 0] high[0, 0] {
// CHECK-NEXT:     ^bb0(%arg4: index, %arg5: index):
// CHECK-NEXT:       tensor.yield %cst_0 : f32
// CHECK-NEXT:     } : tensor<8x16xf32> to tensor<8x16xf32>
// CHECK-NEXT:     %padded_4 = tensor.pad %extracted_slice_2 low[0, 0] high[%1, 0] {
// CHECK-NEXT:     ^bb0(%arg4: index, %arg5: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x16xf32> to tensor<8x16xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%padded, %padded_3 : tensor<8x8xf32>, tensor<8x16xf32>) outs(%padded_4 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:     %extracted_slice_5 = tensor.extract_slice %2[0, 0] [%0, 16] [1, 1] : tensor<8x16xf32> to tensor<?x16xf32>
// CHECK-NEXT:     %3 = bufferization.materialize_in_destination %extracted_slice_5 in %extracted_slice_2 : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %3 into %arg2[%arg3, 0] [%0, 16] [1, 1] : tensor<?x16xf32> into tensor<16x16xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<16x16xf32>
// CHECK-NEXT:   }
func.func @sliced(%a: tensor<16x8xf32>, %b: tensor<8x16xf32>, %c: tensor<16x16xf32>, %i: index) -> tensor<16x16xf32> {
  %n = affine.min affine_map<()[s0] -> (-s0 + 16, 5)>()[%i]
  %0 = tensor.extract_slice %a[%i, 0] [%n, 8] [1, 1] : tensor<16x8xf32> to tensor<?x8xf32>
  %1 = tensor.extract_slice %c[%i, 0] [%n, 16] [1, 1] : tensor<16x16xf32> to tensor<?x16xf32>
  %2 = linalg.matmul ins(%0, %b : tensor<?x8xf32>, tensor<8x16xf32>) outs(%1 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %3 = tensor.insert_slice %2 into %c[%i, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<16x16xf32>
  return %3 : tensor<16x16xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %padded, %pad, %copy = transform.structured.pad %0 pad_to_multiple_of [4] {nofold_flags = [0, 1, 0], padding_dimensions = [0], padding_values = [1.000000e+00 : f32, "2.0", 0.000000e+00 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q, %r = transform.structured.pad %m pad_to_multiple_of [4] {padding_values = [1.0 : f32, "2.0", 0.0 : f32], padding_dimensions = [0], nofold_flags = [0, 1, 0]}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @multiples(%arg0: tensor<6x7xf32>, %arg1: tensor<6x7xf32>) -> tensor<6x7xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[0, 0] high[2, 1] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<6x7xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %padded_0 = tensor.pad %arg1 low[0, 0] high[2, 1] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<6x7xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %0 = linalg.exp ins(%padded : tensor<8x8xf32>) outs(%padded_0 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %0[0, 0] [6, 7] [1, 1] : tensor<8x8xf32> to tensor<6x7xf32>
// CHECK-NEXT:     %1 = linalg.copy ins(%extracted_slice : tensor<6x7xf32>) outs(%arg1 : tensor<6x7xf32>) -> tensor<6x7xf32>
// CHECK-NEXT:     return %1 : tensor<6x7xf32>
// CHECK-NEXT:   }
func.func @multiples(%a: tensor<6x7xf32>, %b: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %0 = linalg.exp ins(%a : tensor<6x7xf32>) outs(%b : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %0 : tensor<6x7xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.exp"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.param.constant 4 : i64 -> !transform.param<i64>
// CHECK-NEXT:       %padded, %pad, %copy = transform.structured.pad %0 pad_to_multiple_of [%1, 8] {copy_back_op = "linalg.copy", padding_dimensions = [0, 1]} : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %p, %q, %r = transform.structured.pad %m pad_to_multiple_of [%four, 8] {padding_dimensions = [0, 1], copy_back_op = "linalg.copy"}
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<()[s0, s1] -> (s0 - s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (-s1 + (s0 ceildiv 4) * 4)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @any_size(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_1 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim_1, %dim_1]
// CHECK-NEXT:     %1 = affine.apply #map1()[%dim, %dim]
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[0, 0] high[%0, %1] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %dim_2 = tensor.dim %arg1, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %2 = affine.apply #map()[%dim_2, %dim_2]
// CHECK-NEXT:     %3 = affine.apply #map1()[%dim_0, %dim_0]
// CHECK-NEXT:     %padded_3 = tensor.pad %arg1 low[0, 0] high[%2, %3] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %4 = linalg.exp ins(%padded : tensor<?x?xf32>) outs(%padded_3 : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %4[0, 0] [%dim_1, %dim] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %extracted_slice : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @any_size(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.exp"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %padded, %pad, %copy = transform.structured.pad %0 pad_to_multiple_of [4] use_prescribed_tensor_shapes {copy_back_op = "none", padding_dimensions = [1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q, %r = transform.structured.pad %m pad_to_multiple_of [4] use_prescribed_tensor_shapes {padding_dimensions = [1], copy_back_op = "none"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Loops whose lengths are multiples of 8 and 16.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [8, 16] pad_to_multiple_of { padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32] } : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}

// CHECK: #map = affine_map<()[s0, s1] -> (-s1 + (s0 ceildiv 8) * 8)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [8, 16] pad_to_multiple_of {padding_values = [0.000000e+00 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @f(%arg0: tensor<?x64xf32>, %arg1: tensor<64x10xf32>, %arg2: tensor<?x10xf32>) -> tensor<?x10xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x64xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim, %dim]
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[0, 0] high[%0, 0] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x64xf32> to tensor<?x64xf32>
// CHECK-NEXT:     %padded_0 = tensor.pad %arg1 low[0, 0] high[0, 6] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<64x10xf32> to tensor<64x16xf32>
// CHECK-NEXT:     %dim_1 = tensor.dim %arg2, %c0 : tensor<?x10xf32>
// CHECK-NEXT:     %1 = affine.apply #map()[%dim, %dim_1]
// CHECK-NEXT:     %padded_2 = tensor.pad %arg2 low[0, 0] high[%1, 6] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x10xf32> to tensor<?x16xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%padded, %padded_0 : tensor<?x64xf32>, tensor<64x16xf32>) outs(%padded_2 : tensor<?x16xf32>) -> tensor<?x16xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %2[0, 0] [%dim, 10] [1, 1] : tensor<?x16xf32> to tensor<?x10xf32>
// CHECK-NEXT:     return %extracted_slice : tensor<?x10xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Lengths of a loop and of the sum; zeros where no values are given.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [24, 0, 80] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%a: tensor<?x64xf32>, %b: tensor<64x10xf32>, %c: tensor<?x10xf32>) -> tensor<?x10xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x10xf32>) outs(%c : tensor<?x10xf32>) -> tensor<?x10xf32>
    return %r : tensor<?x10xf32>
  }
}

// CHECK: #map = affine_map<()[s0] -> (-s0 + 24)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %padded, %pad = transform.structured.pad_tiling_interface %0 to padding_sizes [24, 0, 80] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @f(%arg0: tensor<?x64xf32>, %arg1: tensor<64x10xf32>, %arg2: tensor<?x10xf32>) -> tensor<?x10xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x64xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim]
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[0, 0] high[%0, 16] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x64xf32> to tensor<24x80xf32>
// CHECK-NEXT:     %padded_0 = tensor.pad %arg1 low[0, 0] high[16, 0] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<64x10xf32> to tensor<80x10xf32>
// CHECK-NEXT:     %dim_1 = tensor.dim %arg2, %c0 : tensor<?x10xf32>
// CHECK-NEXT:     %1 = affine.apply #map()[%dim_1]
// CHECK-NEXT:     %padded_2 = tensor.pad %arg2 low[0, 0] high[%1, 0] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x10xf32> to tensor<24x10xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%padded, %padded_0 : tensor<24x80xf32>, tensor<80x10xf32>) outs(%padded_2 : tensor<24x10xf32>) -> tensor<24x10xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %2[0, 0] [%dim, 10] [1, 1] : tensor<24x10xf32> to tensor<?x10xf32>
// CHECK-NEXT:     return %extracted_slice : tensor<?x10xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
