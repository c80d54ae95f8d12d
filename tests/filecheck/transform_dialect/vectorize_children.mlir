// RUN: xgpu-opt %s --transform-interpreter --split-input-file | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @matmul(%arg0: tensor<4x8xf16>, %arg1: tensor<8x16xf16>, %arg2: tensor<4x16xf32>) -> tensor<4x16xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = ub.poison : f16
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%c0, %c0], %1 {in_bounds = [true, true]} : tensor<4x8xf16>, vector<4x8xf16>
// CHECK-NEXT:     %3 = vector.transfer_read %arg1[%c0, %c0], %1 {in_bounds = [true, true]} : tensor<8x16xf16>, vector<8x16xf16>
// CHECK-NEXT:     %4 = vector.transfer_read %arg2[%c0, %c0], %0 {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
// CHECK-NEXT:     %5 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %2, %3, %4 : vector<4x8xf16>, vector<8x16xf16> into vector<4x16xf32>
// CHECK-NEXT:     %6 = vector.transfer_write %5, %arg2[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
// CHECK-NEXT:     return %6 : tensor<4x16xf32>
// CHECK-NEXT:   }
func.func @matmul(%a: tensor<4x8xf16>, %b: tensor<8x16xf16>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x16xf16>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.vectorize_children_and_apply_patterns %0 {fold_type_extensions_into_contract} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f {fold_type_extensions_into_contract} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0, d1) -> (d0, 0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (0, d1, d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @untouched(%arg0: memref<4x8xf32>, %arg1: memref<8x16xf32>, %arg2: memref<4x16xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %0 {in_bounds = [true, true, true], permutation_map = #map} : memref<4x8xf32>, vector<4x16x8xf32>
// CHECK-NEXT:     %2 = vector.transfer_read %arg1[%c0, %c0], %0 {in_bounds = [true, true, true], permutation_map = #map1} : memref<8x16xf32>, vector<4x16x8xf32>
// CHECK-NEXT:     %3 = vector.transfer_read %arg2[%c0, %c0], %0 {in_bounds = [true, true]} : memref<4x16xf32>, vector<4x16xf32>
// CHECK-NEXT:     %4 = arith.mulf %1, %2 : vector<4x16x8xf32>
// CHECK-NEXT:     %5 = vector.multi_reduction <add>, %4, %3 [2] : vector<4x16x8xf32> to vector<4x16xf32>
// CHECK-NEXT:     vector.transfer_write %5, %arg2[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, memref<4x16xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @untouched(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.vectorize_children_and_apply_patterns %0 {disable_multi_reduction_to_contract_patterns, disable_transfer_permutation_map_lowering_patterns} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f {disable_multi_reduction_to_contract_patterns, disable_transfer_permutation_map_lowering_patterns} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @sunk(%arg0: f32, %arg1: f32, %arg2: tensor<4x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = arith.addf %arg0, %arg1 : f32
// CHECK-NEXT:     %2 = vector.broadcast %1 : f32 to vector<8x4xf32>
// CHECK-NEXT:     %3 = vector.transfer_write %2, %arg3[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, tensor<8x4xf32>
// CHECK-NEXT:     %4 = vector.transfer_read %arg2[%c0, %c0], %0 {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %5 = arith.mulf %4, %4 : vector<4x8xf32>
// CHECK-NEXT:     %6 = math.exp %5 : vector<4x8xf32>
// CHECK-NEXT:     %7 = vector.transpose %6, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
// CHECK-NEXT:     %8 = vector.transfer_write %7, %arg4[%c0, %c0] {in_bounds = [true, true]} : vector<8x4xf32>, tensor<8x4xf32>
// CHECK-NEXT:     return %3, %8 : tensor<8x4xf32>, tensor<8x4xf32>
// CHECK-NEXT:   }
func.func @sunk(%s: f32, %t: f32, %a: tensor<4x8xf32>, %c: tensor<8x4xf32>, %d: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %t : f32, f32) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%d : tensor<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %3 = arith.mulf %x, %x : f32
    %4 = math.exp %3 : f32
    linalg.yield %4 : f32
  } -> tensor<8x4xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-NEXT:   func.func @factors(%arg0: vector<4x8xf32>, %arg1: vector<8x16xf32>, %arg2: vector<16x4xf32>) -> vector<16x4xf32> {
// CHECK-NEXT:     %0 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<4x8xf32>, vector<8x16xf32> into vector<16x4xf32>
// CHECK-NEXT:     return %0 : vector<16x4xf32>
// CHECK-NEXT:   }
func.func @factors(%a: vector<4x8xf32>, %b: vector<8x16xf32>, %c: vector<16x4xf32>) -> vector<16x4xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %1 = vector.transpose %c, [1, 0] : vector<16x4xf32> to vector<4x16xf32>
  %2 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %b, %1 : vector<8x4xf32>, vector<8x16xf32> into vector<4x16xf32>
  %3 = vector.transpose %2, [1, 0] : vector<4x16xf32> to vector<16x4xf32>
  return %3 : vector<16x4xf32>
}

// CHECK-NEXT:   func.func @extracted(%arg0: vector<4x8xf32>, %arg1: vector<4x8xf32>) -> f32 {
// CHECK-NEXT:     %0 = vector.extract %arg0[1, 2] : f32 from vector<4x8xf32>
// CHECK-NEXT:     %1 = vector.extract %arg1[1, 2] : f32 from vector<4x8xf32>
// CHECK-NEXT:     %2 = arith.addf %0, %1 : f32
// CHECK-NEXT:     return %2 : f32
// CHECK-NEXT:   }
func.func @extracted(%a: vector<4x8xf32>, %b: vector<4x8xf32>) -> f32 {
  %0 = arith.addf %a, %b : vector<4x8xf32>
  %1 = vector.extract %0[1, 2] : f32 from vector<4x8xf32>
  return %1 : f32
}

// CHECK-NEXT:   func.func @copied(%arg0: memref<?xf32>, %arg1: index) -> vector<8xf32> {
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %alloc = memref.alloc() : memref<8xf32>
// CHECK-NEXT:     vector.transfer_write %cst, %alloc[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0], %cst_0 : memref<?xf32>, vector<8xf32>
// CHECK-NEXT:     return %0 : vector<8xf32>
// CHECK-NEXT:   }
func.func @copied(%source: memref<?xf32>, %n: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %buffer = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%buffer : memref<8xf32>)
  %part = memref.subview %buffer[0] [%n] [1] : memref<8xf32> to memref<?xf32>
  memref.copy %source, %part : memref<?xf32> to memref<?xf32>
  %v = vector.transfer_read %buffer[%c0], %z {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
  return %v : vector<8xf32>
}

// CHECK-NEXT:   func.func @copied_out(%arg0: vector<8xf32>, %arg1: memref<?xf32>, %arg2: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     vector.transfer_write %arg0, %arg1[%c0] : vector<8xf32>, memref<?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copied_out(%v: vector<8xf32>, %dest: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<8xf32>
  %part = memref.subview %buffer[0] [%n] [1] : memref<8xf32> to memref<?xf32>
  vector.transfer_write %v, %buffer[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  memref.copy %part, %dest : memref<?xf32> to memref<?xf32>
  return
}

// CHECK-NEXT:   func.func @copy(%arg0: memref<4x8xf32>, %arg1: memref<4x8xf32, strided<[16, 1]>>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %0 {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     vector.transfer_write %1, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32, strided<[16, 1]>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copy(%a: memref<4x8xf32>, %b: memref<4x8xf32, strided<[16, 1]>>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.vectorize_children_and_apply_patterns %0 {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f {vectorize_nd_extract} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @read_padded(%arg0: tensor<?x8xf32>, %arg1: index) -> vector<4x8xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [false, true]} : tensor<?x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     return %0 : vector<4x8xf32>
// CHECK-NEXT:   }
func.func @read_padded(%a: tensor<?x8xf32>, %h: index) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 0] high[%h, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x8xf32> to tensor<4x8xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %z {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  return %1 : vector<4x8xf32>
}

// CHECK-NEXT:   func.func @write_padded(%arg0: vector<4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: index, %arg3: index) -> tensor<?x8xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg1[0, 0] [%arg2, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
// CHECK-NEXT:     %0 = vector.transfer_write %arg0, %extracted_slice[%c0, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, tensor<?x8xf32>
// CHECK-NEXT:     return %0 : tensor<?x8xf32>
// CHECK-NEXT:   }
func.func @write_padded(%v: vector<4x8xf32>, %a: tensor<8x8xf32>, %n: index, %h: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %s = tensor.extract_slice %a[0, 0] [%n, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
  %0 = tensor.pad %s low[0, 0] high[%h, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x8xf32> to tensor<4x8xf32>
  %1 = vector.transfer_write %v, %0[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %2 = tensor.extract_slice %1[0, 0] [%n, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// CHECK-NEXT:   func.func @insert_padded(%arg0: tensor<?x8xf32>, %arg1: tensor<2x4x8xf32>, %arg2: index, %arg3: index) -> tensor<2x4x8xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [false, true]} : tensor<?x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %0, %arg1[%arg3, %c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<2x4x8xf32>
// CHECK-NEXT:     return %1 : tensor<2x4x8xf32>
// CHECK-NEXT:   }
func.func @insert_padded(%a: tensor<?x8xf32>, %b: tensor<2x4x8xf32>, %h: index, %k: index) -> tensor<2x4x8xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 0] high[%h, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x8xf32> to tensor<4x8xf32>
  %1 = tensor.insert_slice %0 into %b[%k, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<4x8xf32> into tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}

// CHECK-NEXT:   func.func @decomposed(%arg0: tensor<?x8xf32>, %arg1: index, %arg2: f32) -> tensor<?x10xf32> {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %0 = arith.addi %dim, %arg1 : index
// CHECK-NEXT:     %1 = arith.addi %0, %c2 : index
// CHECK-NEXT:     %2 = tensor.empty(%1) : tensor<?x10xf32>
// CHECK-NEXT:     %3 = linalg.fill ins(%arg2 : f32) outs(%2 : tensor<?x10xf32>) -> tensor<?x10xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %3[%arg1, 1] [%dim_0, 8] [1, 1] : tensor<?x8xf32> into tensor<?x10xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<?x10xf32>
// CHECK-NEXT:   }
func.func @decomposed(%a: tensor<?x8xf32>, %l: index, %c: f32) -> tensor<?x10xf32> {
  %0 = tensor.pad %a low[%l, 1] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x8xf32> to tensor<?x10xf32>
  return %0 : tensor<?x10xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.vectorize_children_and_apply_patterns %0 {vectorize_padding} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f {vectorize_padding} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
