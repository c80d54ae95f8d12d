// RUN: xgpu-opt --transform-interpreter --split-input-file %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1] -> (s0 - s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (-s0 + 8)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 * 6)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0 + 3)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @addresses(%arg0: memref<?x8xf32>, %arg1: index, %arg2: index, %arg3: f32, %arg4: vector<4xf32>) -> (f32, vector<4xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %subview = memref.subview %arg0[0, %arg2] [1, 1] [1, 1] : memref<?x8xf32> to memref<1x1xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:     memref.store %arg3, %subview[%c0, %c0] : memref<1x1xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map()[%sizes#0, %arg1]
// CHECK-NEXT:     %subview_0 = memref.subview %arg0[%arg1, 0] [%0, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:     %1 = vector.transfer_read %subview_0[%c0, %c0], %arg3 {in_bounds = [true]} : memref<?x8xf32, strided<[8, 1], offset: ?>>, vector<4xf32>
// CHECK-NEXT:     %base_buffer_1, %offset_2, %sizes_3:2, %strides_4:2 = memref.extract_strided_metadata %arg0 : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %2 = affine.apply #map1()[%arg2]
// CHECK-NEXT:     %subview_5 = memref.subview %arg0[0, %arg2] [%sizes_3#0, %2] [1, 1] : memref<?x8xf32> to memref<?x?xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:     vector.transfer_write %arg4, %subview_5[%c0, %c0] : vector<4xf32>, memref<?x?xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:     %3 = memref.load %arg0[%c0, %c0] : memref<?x8xf32>
// CHECK-NEXT:     return %3, %1 : f32, vector<4xf32>
// CHECK-NEXT:   }
func.func @addresses(%m: memref<?x8xf32>, %i: index, %j: index, %v: f32, %w: vector<4xf32>) -> (f32, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %m[%i, %j] : memref<?x8xf32>
  memref.store %v, %m[%c0, %j] : memref<?x8xf32>
  %1 = vector.transfer_read %m[%i, %c0], %v {in_bounds = [true]} : memref<?x8xf32>, vector<4xf32>
  vector.transfer_write %w, %m[%c0, %j] : vector<4xf32>, memref<?x8xf32>
  %2 = memref.load %m[%c0, %c0] : memref<?x8xf32>
  return %2, %1 : f32, vector<4xf32>
}
// CHECK-NEXT:   func.func @masked(%arg0: tensor<?xf32>, %arg1: memref<?xf32>, %arg2: index, %arg3: f32, %arg4: vector<4xi1>, %arg5: vector<4xi32>, %arg6: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%arg2], %arg3, %arg4 : tensor<?xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %0, %arg0[%arg2], %arg4 : vector<4xf32>, tensor<?xf32>
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<?xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     %2 = affine.apply #map()[%sizes, %arg2]
// CHECK-NEXT:     %subview = memref.subview %arg1[%arg2] [%2] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     vector.transfer_write %0, %subview[%c0], %arg4 : vector<4xf32>, memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     %3 = vector.gather %arg1[%arg2] [%arg5], %arg4, %cst : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     return %0, %3, %1 : vector<4xf32>, vector<4xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @masked(%t: tensor<?xf32>, %m: memref<?xf32>, %i: index, %p: f32, %k: vector<4xi1>, %s: vector<4xi32>, %d: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, tensor<?xf32>) {
  %0 = vector.mask %k { vector.transfer_read %t[%i], %p : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %1 = vector.mask %k { vector.transfer_write %0, %t[%i] : vector<4xf32>, tensor<?xf32> } : vector<4xi1> -> tensor<?xf32>
  vector.mask %k { vector.transfer_write %0, %m[%i] : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  %all = arith.constant dense<true> : vector<4xi1>
  %2 = vector.mask %k { vector.gather %m[%i] [%s], %all, %d : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0, %2, %1 : vector<4xf32>, vector<4xf32>, tensor<?xf32>
}
// CHECK-NEXT:   func.func @empty(%arg0: index, %arg1: index) -> (tensor<5x?xf32>, tensor<2x3x?xf32>, tensor<?xf32>, tensor<?x4xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = tensor.empty(%arg1) : tensor<5x?xf32>
// CHECK-NEXT:     %1 = tensor.empty(%arg0) : tensor<6x?xf32>
// CHECK-NEXT:     %2 = tensor.empty(%arg0) : tensor<2x3x?xf32>
// CHECK-NEXT:     %dim = tensor.dim %1, %c1 : tensor<6x?xf32>
// CHECK-NEXT:     %3 = affine.apply #map2()[%dim]
// CHECK-NEXT:     %4 = tensor.empty(%3) : tensor<?xf32>
// CHECK-NEXT:     %5 = tensor.empty(%arg0) : tensor<?x4xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %5, %c0 : tensor<?x4xf32>
// CHECK-NEXT:     %6 = affine.apply #map3()[%dim_0]
// CHECK-NEXT:     %7 = tensor.empty(%6) : tensor<?x4xf32>
// CHECK-NEXT:     return %0, %2, %4, %7 : tensor<5x?xf32>, tensor<2x3x?xf32>, tensor<?xf32>, tensor<?x4xf32>
// CHECK-NEXT:   }
func.func @empty(%a: index, %b: index) -> (tensor<5x?xf32>, tensor<2x3x?xf32>, tensor<?xf32>, tensor<?x4xf32>) {
  %0 = tensor.empty(%a) : tensor<?x10xf32>
  %1 = tensor.extract_slice %0[0, 0] [5, %b] [1, 1] : tensor<?x10xf32> to tensor<5x?xf32>
  %2 = tensor.empty(%a) : tensor<6x?xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 3, %a] : tensor<6x?xf32> into tensor<2x3x?xf32>
  %4 = tensor.collapse_shape %2 [[0, 1]] : tensor<6x?xf32> into tensor<?xf32>
  %5 = tensor.empty(%a) : tensor<?x4xf32>
  %6 = tensor.empty() : tensor<3x4xf32>
  %7 = tensor.concat dim(0) %5, %6 : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return %1, %3, %4, %7 : tensor<5x?xf32>, tensor<2x3x?xf32>, tensor<?xf32>, tensor<?x4xf32>
}
// CHECK-NEXT:   func.func @constants() -> (tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>) {
// CHECK-NEXT:     %cst = arith.constant dense<6> : tensor<1xi32>
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %cst_0 = arith.constant dense<5.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<{{\[\[}}1, 1, 1, 1, 1], [1, 1, 6, 7, 1], [1, 1, 8, 9, 1], [1, 1, 1, 1, 1]]> : tensor<4x5xi32>
// CHECK-NEXT:     %padded = tensor.pad %cst low[1] high[1] {
// CHECK-NEXT:     ^bb0(%arg0: index):
// CHECK-NEXT:       tensor.yield %c1_i32 : i32
// CHECK-NEXT:     } : tensor<1xi32> to tensor<3xi32>
// CHECK-NEXT:     return %cst_0, %cst_1, %padded, %cst : tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>
// CHECK-NEXT:   }
func.func @constants() -> (tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>) {
  %cst = arith.constant 5.0 : f32
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<2x3xf32>
  %1 = arith.constant dense<[[6, 7], [8, 9]]> : tensor<2x2xi32>
  %c1 = arith.constant 1 : i32
  %2 = tensor.pad %1 low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c1 : i32
  } : tensor<2x2xi32> to tensor<4x5xi32>
  %3 = arith.constant dense<[6]> : tensor<1xi32>
  %4 = tensor.pad %3 low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %c1 : i32
  } : tensor<1xi32> to tensor<3xi32>
  return %0, %2, %4, %3 : tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>
}
// CHECK-NEXT:   func.func @sum(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT:     %1 = linalg.matmul ins(%arg0, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg3 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:     %3 = linalg.add ins(%arg2, %2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:     return %1, %3 : tensor<4x4xf32>, tensor<4x4xf32>
// CHECK-NEXT:   }
func.func @sum(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %cst = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%cst : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = linalg.add ins(%x, %c : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.add ins(%x, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s, %t : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.apply_patterns to %0 {
// CHECK-NEXT:         transform.apply_patterns.memref.extract_address_computations
// CHECK-NEXT:         transform.apply_patterns.vector.lower_masked_transfers
// CHECK-NEXT:         transform.apply_patterns.tensor.fold_tensor_empty
// CHECK-NEXT:         transform.apply_patterns.tensor.rewrite_as_constant
// CHECK-NEXT:         transform.apply_patterns.linalg.fold_add_into_dest
// CHECK-NEXT:       } : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.extract_address_computations
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.tensor.fold_tensor_empty
      transform.apply_patterns.tensor.rewrite_as_constant
      transform.apply_patterns.linalg.fold_add_into_dest
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<()[s0] -> (s0 + 3)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 4)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1] -> (s0 + s1 + 4)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @concat(%arg0: tensor<?x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim]
// CHECK-NEXT:     %1 = tensor.empty(%0) : tensor<?x4xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %1[0, 0] [%dim, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
// CHECK-NEXT:     %inserted_slice_0 = tensor.insert_slice %arg1 into %inserted_slice[%dim, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<?x4xf32>
// CHECK-NEXT:     return %inserted_slice_0 : tensor<?x4xf32>
// CHECK-NEXT:   }
func.func @concat(%a: tensor<?x4xf32>, %b: tensor<3x4xf32>) -> tensor<?x4xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
// CHECK-NEXT:   func.func @three(%arg0: tensor<2x?xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x?xf32>) -> tensor<2x?xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c1 : tensor<2x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map1()[%dim]
// CHECK-NEXT:     %dim_0 = tensor.dim %arg2, %c1 : tensor<2x?xf32>
// CHECK-NEXT:     %1 = affine.apply #map2()[%dim_0, %dim]
// CHECK-NEXT:     %2 = tensor.empty(%1) : tensor<2x?xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %2[0, 0] [2, %dim] [1, 1] : tensor<2x?xf32> into tensor<2x?xf32>
// CHECK-NEXT:     %inserted_slice_1 = tensor.insert_slice %arg1 into %inserted_slice[0, %dim] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x?xf32>
// CHECK-NEXT:     %inserted_slice_2 = tensor.insert_slice %arg2 into %inserted_slice_1[0, %0] [2, %dim_0] [1, 1] : tensor<2x?xf32> into tensor<2x?xf32>
// CHECK-NEXT:     return %inserted_slice_2 : tensor<2x?xf32>
// CHECK-NEXT:   }
func.func @three(%a: tensor<2x?xf32>, %b: tensor<2x4xf32>, %c: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<2x?xf32>, tensor<2x4xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
// CHECK-NEXT:   func.func @sizes(%arg0: tensor<?x4xf32>, %arg1: index) -> index {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT:     return %dim : index
// CHECK-NEXT:   }
func.func @sizes(%a: tensor<?x4xf32>, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %a into %a[0, 0] [%i, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %1 : index
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.apply_patterns to %0 {
// CHECK-NEXT:         transform.apply_patterns.tensor.decompose_concat
// CHECK-NEXT:         transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
// CHECK-NEXT:         transform.apply_patterns.scf.for_loop_canonicalization
// CHECK-NEXT:         transform.apply_patterns.tensor.fold_tensor_subset_ops
// CHECK-NEXT:       } : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.decompose_concat
      transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.tensor.fold_tensor_subset_ops
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @twice(%arg0: index, %arg1: index) -> (tensor<5x?xf32>, tensor<5x?xf32>) {
// CHECK-NEXT:     %0 = tensor.empty(%arg0) : tensor<?x10xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %0[0, 0] [5, %arg1] [1, 1] : tensor<?x10xf32> to tensor<5x?xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %0[1, 1] [5, %arg1] [1, 1] : tensor<?x10xf32> to tensor<5x?xf32>
// CHECK-NEXT:     return %extracted_slice, %extracted_slice_0 : tensor<5x?xf32>, tensor<5x?xf32>
// CHECK-NEXT:   }
func.func @twice(%a: index, %b: index) -> (tensor<5x?xf32>, tensor<5x?xf32>) {
  %0 = tensor.empty(%a) : tensor<?x10xf32>
  %1 = tensor.extract_slice %0[0, 0] [5, %b] [1, 1] : tensor<?x10xf32> to tensor<5x?xf32>
  %2 = tensor.extract_slice %0[1, 1] [5, %b] [1, 1] : tensor<?x10xf32> to tensor<5x?xf32>
  return %1, %2 : tensor<5x?xf32>, tensor<5x?xf32>
}
// CHECK-NEXT:   func.func @constants() -> (tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>) {
// CHECK-NEXT:     %cst = arith.constant dense<6> : tensor<1xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<5.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<{{\[\[}}1, 1, 1, 1, 1], [1, 1, 6, 7, 1], [1, 1, 8, 9, 1], [1, 1, 1, 1, 1]]> : tensor<4x5xi32>
// CHECK-NEXT:     %cst_2 = arith.constant dense<[1, 6, 1]> : tensor<3xi32>
// CHECK-NEXT:     return %cst_0, %cst_1, %cst_2, %cst : tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>
// CHECK-NEXT:   }
func.func @constants() -> (tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>) {
  %cst = arith.constant 5.0 : f32
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<2x3xf32>
  %1 = arith.constant dense<[[6, 7], [8, 9]]> : tensor<2x2xi32>
  %c1 = arith.constant 1 : i32
  %2 = tensor.pad %1 low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c1 : i32
  } : tensor<2x2xi32> to tensor<4x5xi32>
  %3 = arith.constant dense<[6]> : tensor<1xi32>
  %4 = tensor.pad %3 low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %c1 : i32
  } : tensor<1xi32> to tensor<3xi32>
  return %0, %2, %4, %3 : tensor<2x3xf32>, tensor<4x5xi32>, tensor<3xi32>, tensor<1xi32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.apply_patterns to %0 {
// CHECK-NEXT:         transform.apply_patterns.tensor.fold_tensor_empty {fold_single_use_only = true}
// CHECK-NEXT:         transform.apply_patterns.tensor.rewrite_as_constant aggressive
// CHECK-NEXT:       } : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_tensor_empty {fold_single_use_only = true}
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0) -> (-d0 + 8, 4)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<8x8xf32>, %arg1: tensor<?x8xf32>, %arg2: index) -> tensor<8x8xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %c8 step %c4 iter_args(%arg4 = %arg0) -> (tensor<8x8xf32>) {
// CHECK-NEXT:       %1 = affine.min #map(%arg3)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg4[%arg3, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
// CHECK-NEXT:       %cast = tensor.cast %extracted_slice : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT:       %2 = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT:       %cast_0 = tensor.cast %2 : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT:       %3 = linalg.exp ins(%cast : tensor<?x8xf32>) outs(%cast_0 : tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %3 into %arg4[%arg3, 0] [%1, 8] [1, 1] : tensor<?x8xf32> into tensor<8x8xf32>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<8x8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @f(%a: tensor<8x8xf32>, %b: tensor<?x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %x = arith.addi %c4, %c4 : index
  %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%t = %a) -> tensor<8x8xf32> {
    %s = affine.min affine_map<(d0) -> (4, -d0 + 8)>(%i)
    %o = affine.apply affine_map<(d0) -> (d0 + 0)>(%i)
    %e = tensor.extract_slice %t[%o, 0] [%c4, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
    %em = tensor.empty(%c4) : tensor<?x8xf32>
    %u = linalg.exp ins(%e : tensor<?x8xf32>) outs(%em : tensor<?x8xf32>) -> tensor<?x8xf32>
    %dead = linalg.exp ins(%u : tensor<?x8xf32>) outs(%em : tensor<?x8xf32>) -> tensor<?x8xf32>
    %q = tensor.insert_slice %u into %t[%o, 0] [%s, 8] [1, 1] : tensor<?x8xf32> into tensor<8x8xf32>
    scf.yield %q : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.apply_patterns to %0 {
// CHECK-NEXT:         transform.apply_patterns.linalg.tiling_canonicalization
// CHECK-NEXT:       } : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.tiling_canonicalization
    } : !transform.any_op
    transform.yield
  }
}
