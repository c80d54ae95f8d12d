// RUN: xgpu-opt %s --transform-interpreter --split-input-file | filecheck %s --match-full-lines

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>

// CHECK: #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?xf32>, %arg3: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.create_mask %dim, %dim_0 : vector<4x8xi1>
// CHECK-NEXT:     %2 = vector.mask %1 { vector.transfer_read %arg0[%c0_1, %c0_1], %0 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
// CHECK-NEXT:     %3 = ub.poison : f32
// CHECK-NEXT:     %4 = vector.create_mask %dim_0, %dim : vector<8x4xi1>
// CHECK-NEXT:     %5 = vector.mask %4 { vector.transfer_read %arg1[%c0_1, %c0_1], %3 {in_bounds = [true, true], permutation_map = #map} : tensor<?x?xf32>, vector<4x8xf32> } : vector<8x4xi1> -> vector<4x8xf32>
// CHECK-NEXT:     %6 = ub.poison : f32
// CHECK-NEXT:     %7 = vector.mask %1 { vector.transfer_read %arg3[%c0_1, %c0_1], %6 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
// CHECK-NEXT:     %8 = arith.addf %2, %5 : vector<4x8xf32>
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %9 = vector.mask %1 { vector.transfer_write %8, %arg3[%c0_2, %c0_2] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<?x?xf32> } : vector<4x8xi1> -> tensor<?x?xf32>
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %dim_4 = tensor.dim %9, %c0_3 : tensor<?x?xf32>
// CHECK-NEXT:     %c1_5 = arith.constant 1 : index
// CHECK-NEXT:     %dim_6 = tensor.dim %9, %c1_5 : tensor<?x?xf32>
// CHECK-NEXT:     %c0_7 = arith.constant 0 : index
// CHECK-NEXT:     %10 = ub.poison : f32
// CHECK-NEXT:     %11 = vector.create_mask %dim_4, %dim_6 : vector<4x8xi1>
// CHECK-NEXT:     %12 = vector.mask %11 { vector.transfer_read %9[%c0_7, %c0_7], %10 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
// CHECK-NEXT:     %13 = ub.poison : f32
// CHECK-NEXT:     %14 = vector.create_mask %dim_4 : vector<4xi1>
// CHECK-NEXT:     %15 = vector.mask %14 { vector.transfer_read %arg2[%c0_7], %13 {in_bounds = [true]} : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
// CHECK-NEXT:     %16 = vector.mask %11 { vector.multi_reduction <add>, %12, %15 [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
// CHECK-NEXT:     %c0_8 = arith.constant 0 : index
// CHECK-NEXT:     %17 = vector.mask %14 { vector.transfer_write %16, %arg2[%c0_8] {in_bounds = [true]} : vector<4xf32>, tensor<?xf32> } : vector<4xi1> -> tensor<?xf32>
// CHECK-NEXT:     return %9, %17 : tensor<?x?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @dynamic(%a: tensor<?x?xf32>, %t: tensor<?x?xf32>, %r: tensor<?xf32>, %c: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #swapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %t : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %2 = linalg.reduce {arith.addf} ins(%0 : tensor<?x?xf32>) outs(%r : tensor<?xf32>) dimensions = [1]
  return %0, %2 : tensor<?x?xf32>, tensor<?xf32>
}

// One size is larger than the tensor's.
// CHECK-NEXT:   func.func @static(%arg0: memref<3x8xf32>, %arg1: memref<3xf32>) {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.create_mask %c3, %c8 : vector<4x8xi1>
// CHECK-NEXT:     %2 = vector.mask %1 { vector.transfer_read %arg0[%c0, %c0], %0 {in_bounds = [true, true]} : memref<3x8xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
// CHECK-NEXT:     %3 = ub.poison : f32
// CHECK-NEXT:     %4 = vector.create_mask %c3 : vector<4xi1>
// CHECK-NEXT:     %5 = vector.mask %4 { vector.transfer_read %arg1[%c0], %3 {in_bounds = [true]} : memref<3xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
// CHECK-NEXT:     %6 = vector.mask %1 { vector.multi_reduction <add>, %2, %5 [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     vector.mask %4 { vector.transfer_write %6, %arg1[%c0_0] {in_bounds = [true]} : vector<4xf32>, memref<3xf32> } : vector<4xi1>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @static(%a: memref<3x8xf32>, %r: memref<3xf32>) {
  linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<3x8xf32>) outs(%r : memref<3xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.addf %x, %o : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.param.constant 4 : i64 -> !transform.param<i64>
// CHECK-NEXT:       transform.structured.vectorize %0 vector_sizes [%1, 8] : !transform.any_op, !transform.param<i64>
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %rows = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.structured.vectorize %ops vector_sizes [%rows, 8] : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @contraction(%arg0: memref<?x8xf32>, %arg1: memref<8x?xf32>, %arg2: memref<?x?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x8xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = memref.dim %arg1, %c1 : memref<8x?xf32>
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %dim_3 = memref.dim %arg0, %c0_2 : memref<?x8xf32>
// CHECK-NEXT:     %c8_4 = arith.constant 8 : index
// CHECK-NEXT:     %0 = vector.create_mask %dim_3, %c8_4 : vector<4x8xi1>
// CHECK-NEXT:     %1 = vector.mask %0 { vector.transfer_read %arg0[%c0_1, %c0_1], %cst {in_bounds = [true, true]} : memref<?x8xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
// CHECK-NEXT:     %cst_5 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0_6 = arith.constant 0 : index
// CHECK-NEXT:     %c1_7 = arith.constant 1 : index
// CHECK-NEXT:     %dim_8 = memref.dim %arg1, %c1_7 : memref<8x?xf32>
// CHECK-NEXT:     %c8_9 = arith.constant 8 : index
// CHECK-NEXT:     %2 = vector.create_mask %c8_9, %dim_8 : vector<8x16xi1>
// CHECK-NEXT:     %3 = vector.mask %2 { vector.transfer_read %arg1[%c0_6, %c0_6], %cst_5 {in_bounds = [true, true]} : memref<8x?xf32>, vector<8x16xf32> } : vector<8x16xi1> -> vector<8x16xf32>
// CHECK-NEXT:     %cst_10 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0_11 = arith.constant 0 : index
// CHECK-NEXT:     %c0_12 = arith.constant 0 : index
// CHECK-NEXT:     %dim_13 = memref.dim %arg2, %c0_12 : memref<?x?xf32>
// CHECK-NEXT:     %c1_14 = arith.constant 1 : index
// CHECK-NEXT:     %dim_15 = memref.dim %arg2, %c1_14 : memref<?x?xf32>
// CHECK-NEXT:     %4 = vector.create_mask %dim_13, %dim_15 : vector<4x16xi1>
// CHECK-NEXT:     %5 = vector.mask %4 { vector.transfer_read %arg2[%c0_11, %c0_11], %cst_10 {in_bounds = [true, true]} : memref<?x?xf32>, vector<4x16xf32> } : vector<4x16xi1> -> vector<4x16xf32>
// CHECK-NEXT:     %6 = vector.create_mask %dim, %dim_0, %c8 : vector<4x16x8xi1>
// CHECK-NEXT:     %7 = vector.mask %6 { vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %1, %3, %5 : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32> } : vector<4x16x8xi1> -> vector<4x16xf32>
// CHECK-NEXT:     %c0_16 = arith.constant 0 : index
// CHECK-NEXT:     %c0_17 = arith.constant 0 : index
// CHECK-NEXT:     %dim_18 = memref.dim %arg2, %c0_17 : memref<?x?xf32>
// CHECK-NEXT:     %c1_19 = arith.constant 1 : index
// CHECK-NEXT:     %dim_20 = memref.dim %arg2, %c1_19 : memref<?x?xf32>
// CHECK-NEXT:     %8 = vector.create_mask %dim_18, %dim_20 : vector<4x16xi1>
// CHECK-NEXT:     vector.mask %8 { vector.transfer_write %7, %arg2[%c0_16, %c0_16] {in_bounds = [true, true]} : vector<4x16xf32>, memref<?x?xf32> } : vector<4x16xi1>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @contraction(%a: memref<?x8xf32>, %b: memref<8x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x8xf32>, memref<8x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 vector_sizes [4, 16, 8] {create_named_contraction} : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops vector_sizes [4, 16, 8] {create_named_contraction} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @matching(%arg0: tensor<?x8xf32>, %arg1: tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0_0, %c0_0], %0 {in_bounds = [true, false]} : tensor<?x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %2 = ub.poison : f32
// CHECK-NEXT:     %3 = vector.transfer_read %arg1[%c0_0, %c0_0], %2 {in_bounds = [true, false]} : tensor<?x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %4 = math.exp %1 : vector<4x8xf32>
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %5 = vector.transfer_write %4, %arg1[%c0_1, %c0_1] {in_bounds = [true, false]} : vector<4x8xf32>, tensor<?x8xf32>
// CHECK-NEXT:     return %5 : tensor<?x8xf32>
// CHECK-NEXT:   }
func.func @matching(%a: tensor<?x8xf32>, %c: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = linalg.exp ins(%a : tensor<?x8xf32>) outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 vector_sizes [4, 8] {assume_dynamic_dims_match_vec_sizes} : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops vector_sizes [4, 8] {assume_dynamic_dims_match_vec_sizes} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @scalable(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.create_mask %dim, %dim_0 : vector<4x[8]xi1>
// CHECK-NEXT:     %2 = vector.mask %1 { vector.transfer_read %arg0[%c0_1, %c0_1], %0 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x[8]xf32> } : vector<4x[8]xi1> -> vector<4x[8]xf32>
// CHECK-NEXT:     %3 = ub.poison : f32
// CHECK-NEXT:     %4 = vector.mask %1 { vector.transfer_read %arg1[%c0_1, %c0_1], %3 {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x[8]xf32> } : vector<4x[8]xi1> -> vector<4x[8]xf32>
// CHECK-NEXT:     %5 = math.exp %2 : vector<4x[8]xf32>
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %6 = vector.mask %1 { vector.transfer_write %5, %arg1[%c0_2, %c0_2] {in_bounds = [true, true]} : vector<4x[8]xf32>, tensor<?x?xf32> } : vector<4x[8]xi1> -> tensor<?x?xf32>
// CHECK-NEXT:     return %6 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @scalable(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 vector_sizes [4, [8]] : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops vector_sizes [4, [8]] : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @moves(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: tensor<5x7xf32>, %arg3: tensor<2x4x4x2xf32>, %arg4: index) -> (tensor<4x8xf32>, tensor<2x4x4x2xf32>) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0_0 : tensor<?x?xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = vector.create_mask %dim, %dim_1 : vector<4x8xi1>
// CHECK-NEXT:     %1 = vector.mask %0 { vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
// CHECK-NEXT:     %2 = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %3 = vector.transfer_write %1, %2[%c0_2, %c0_2] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %4 = vector.transfer_read %arg2[%c0_3, %c0_3], %cst : tensor<5x7xf32>, vector<8x8xf32>
// CHECK-NEXT:     %5 = vector.shape_cast %4 : vector<8x8xf32> to vector<2x4x4x2xf32>
// CHECK-NEXT:     %6 = vector.transpose %5, [0, 2, 1, 3] : vector<2x4x4x2xf32> to vector<2x4x4x2xf32>
// CHECK-NEXT:     %c0_4 = arith.constant 0 : index
// CHECK-NEXT:     %7 = vector.transfer_write %6, %arg3[%c0_4, %c0_4, %c0_4, %c0_4] {in_bounds = [true, true, true, true]} : vector<2x4x4x2xf32>, tensor<2x4x4x2xf32>
// CHECK-NEXT:     return %3, %7 : tensor<4x8xf32>, tensor<2x4x4x2xf32>
// CHECK-NEXT:   }
func.func @moves(%a: tensor<?x?xf32>, %h: index, %b: tensor<5x7xf32>, %p: tensor<2x4x4x2xf32>, %o: index) -> (tensor<4x8xf32>, tensor<2x4x4x2xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 0] high[%h, %h] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  %1 = linalg.pack %b padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %p : tensor<5x7xf32> -> tensor<2x4x4x2xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<2x4x4x2xf32>
}

// CHECK-NEXT:   func.func @unpack(%arg0: tensor<2x4x4x2xf32>, %arg1: tensor<5x7xf32>) -> tensor<5x7xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0, %c0, %c0], %0 {in_bounds = [true, true, true, true]} : tensor<2x4x4x2xf32>, vector<2x4x4x2xf32>
// CHECK-NEXT:     %2 = vector.transpose %1, [0, 2, 1, 3] : vector<2x4x4x2xf32> to vector<2x4x4x2xf32>
// CHECK-NEXT:     %3 = vector.shape_cast %2 : vector<2x4x4x2xf32> to vector<8x8xf32>
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     %4 = vector.create_mask %c5, %c7 : vector<8x8xi1>
// CHECK-NEXT:     %5 = vector.mask %4 { vector.transfer_write %3, %arg1[%c0_0, %c0_0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<5x7xf32> } : vector<8x8xi1> -> tensor<5x7xf32>
// CHECK-NEXT:     return %5 : tensor<5x7xf32>
// CHECK-NEXT:   }
func.func @unpack(%p: tensor<2x4x4x2xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %b : tensor<2x4x4x2xf32> -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// CHECK-NEXT:   func.func @insert(%arg0: tensor<?x4xf32>, %arg1: tensor<8x?xf32>, %arg2: index, %arg3: index) -> tensor<8x?xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0_1 : tensor<?x4xf32>
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = vector.create_mask %dim, %c4 : vector<4x4xi1>
// CHECK-NEXT:     %1 = vector.mask %0 { vector.transfer_read %arg0[%c0_0, %c0_0], %cst {in_bounds = [true, true]} : tensor<?x4xf32>, vector<4x4xf32> } : vector<4x4xi1> -> vector<4x4xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_2 = tensor.dim %arg1, %c1 : tensor<8x?xf32>
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %2 = vector.create_mask %c8, %dim_2 : vector<4x4xi1>
// CHECK-NEXT:     %3 = vector.mask %2 { vector.transfer_write %1, %arg1[%c2, %arg2] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<8x?xf32> } : vector<4x4xi1> -> tensor<8x?xf32>
// CHECK-NEXT:     return %3 : tensor<8x?xf32>
// CHECK-NEXT:   }
func.func @insert(%a: tensor<?x4xf32>, %b: tensor<8x?xf32>, %i: index, %n: index) -> tensor<8x?xf32> {
  %0 = tensor.insert_slice %a into %b[2, %i] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.pad"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 vector_sizes [4, 8] : !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.match ops{["linalg.pack"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %1 : !transform.any_op
// CHECK-NEXT:       %2 = transform.structured.match ops{["linalg.unpack"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %2 vector_sizes [2, 4, 4, 2] : !transform.any_op
// CHECK-NEXT:       %3 = transform.structured.match ops{["tensor.insert_slice"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %3 vector_sizes [4, 4] : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %pad vector_sizes [4, 8] : !transform.any_op
    %pack = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %pack : !transform.any_op
    %unpack = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %unpack vector_sizes [2, 4, 4, 2] : !transform.any_op
    %insert = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %insert vector_sizes [4, 4] : !transform.any_op
    transform.yield
  }
}
