// RUN: xgpu-opt %s --fold-memref-alias-ops | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-NEXT: #map3 = affine_map<(d0)[s0] -> (d0 + s0 * 2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @matrix_through_expand_stays(%arg0: memref<32x16xf16>, %arg1: index, %arg2: index) -> !gpu.mma_matrix<16x16xf16, "COp"> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [2, 16, 16] : memref<32x16xf16> into memref<2x16x16xf16>
// CHECK-NEXT:     %0 = gpu.subgroup_mma_load_matrix %expand_shape[%arg1, %arg2, %arg2] {leadDimension = 16 : index} : memref<2x16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT:     return %0 : !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT:   }
func.func @matrix_through_expand_stays(%a: memref<32x16xf16>, %i: index, %j: index) -> !gpu.mma_matrix<16x16xf16, "COp"> {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 16, 16] : memref<32x16xf16> into memref<2x16x16xf16>
  %1 = gpu.subgroup_mma_load_matrix %0[%i, %j, %j] {leadDimension = 16 : index} : memref<2x16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  return %1 : !gpu.mma_matrix<16x16xf16, "COp">
}

// CHECK-NEXT:   func.func @matrix_through_collapse_stays(%arg0: memref<2x16x16xf16>, %arg1: index, %arg2: index) -> !gpu.mma_matrix<16x16xf16, "COp"> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : memref<2x16x16xf16> into memref<32x16xf16>
// CHECK-NEXT:     %0 = gpu.subgroup_mma_load_matrix %collapse_shape[%arg1, %arg2] {leadDimension = 16 : index} : memref<32x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT:     return %0 : !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT:   }
func.func @matrix_through_collapse_stays(%a: memref<2x16x16xf16>, %i: index, %j: index) -> !gpu.mma_matrix<16x16xf16, "COp"> {
  %0 = memref.collapse_shape %a [[0, 1], [2]] : memref<2x16x16xf16> into memref<32x16xf16>
  %1 = gpu.subgroup_mma_load_matrix %0[%i, %j] {leadDimension = 16 : index} : memref<32x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  return %1 : !gpu.mma_matrix<16x16xf16, "COp">
}

// CHECK-NEXT:   func.func @rows_through_collapse_stay(%arg0: memref<2x16x16xf16, 3>, %arg1: index, %arg2: index) -> vector<4x2xf16> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : memref<2x16x16xf16, 3> into memref<32x16xf16, 3>
// CHECK-NEXT:     %0 = nvgpu.ldmatrix %collapse_shape[%arg1, %arg2] {numTiles = 4 : i32, transpose = false} : memref<32x16xf16, 3> -> vector<4x2xf16>
// CHECK-NEXT:     return %0 : vector<4x2xf16>
// CHECK-NEXT:   }
func.func @rows_through_collapse_stay(%a: memref<2x16x16xf16, 3>, %i: index, %j: index) -> vector<4x2xf16> {
  %0 = memref.collapse_shape %a [[0, 1], [2]] : memref<2x16x16xf16, 3> into memref<32x16xf16, 3>
  %1 = nvgpu.ldmatrix %0[%i, %j] {numTiles = 4 : i32, transpose = false} : memref<32x16xf16, 3> -> vector<4x2xf16>
  return %1 : vector<4x2xf16>
}

// CHECK-NEXT:   func.func @scalar_through_expand(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> f32 {
// CHECK-NEXT:     %0 = affine.linearize_index disjoint [%arg1, %arg2] by (4, 8) : index
// CHECK-NEXT:     %1 = memref.load %arg0[%0] : memref<32xf32>
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
func.func @scalar_through_expand(%a: memref<32xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  %1 = memref.load %0[%i, %j] : memref<4x8xf32>
  return %1 : f32
}

// CHECK-NEXT:   func.func @more_dimensions_than_the_source(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg2], %0 {in_bounds = [true, true]} : memref<4x8xf32>, vector<2x4xf32>
// CHECK-NEXT:     return %1 : vector<2x4xf32>
// CHECK-NEXT:   }
func.func @more_dimensions_than_the_source(%a: memref<32xf32>, %i: index, %j: index) -> vector<2x4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  %1 = vector.transfer_read %0[%i, %j], %f {in_bounds = [true, true]} : memref<4x8xf32>, vector<2x4xf32>
  return %1 : vector<2x4xf32>
}

// CHECK-NEXT:   func.func @not_the_last_dimension(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> vector<4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg2], %0 {in_bounds = [true], permutation_map = #map} : memref<4x8xf32>, vector<4xf32>
// CHECK-NEXT:     return %1 : vector<4xf32>
// CHECK-NEXT:   }
func.func @not_the_last_dimension(%a: memref<32xf32>, %i: index, %j: index) -> vector<4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  %1 = vector.transfer_read %0[%i, %j], %f {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<4x8xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-NEXT:   func.func @permuted(%arg0: memref<2x32xf32>, %arg1: index, %arg2: index) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2, 3]] output_shape [1, 2, 4, 8] : memref<2x32xf32> into memref<1x2x4x8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg2, %arg1, %arg2], %0 {in_bounds = [true, true], permutation_map = #map1} : memref<1x2x4x8xf32>, vector<2x4xf32>
// CHECK-NEXT:     return %1 : vector<2x4xf32>
// CHECK-NEXT:   }
func.func @permuted(%a: memref<2x32xf32>, %i: index, %j: index) -> vector<2x4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [1, 2, 4, 8] : memref<2x32xf32> into memref<1x2x4x8xf32>
  %1 = vector.transfer_read %0[%i, %j, %i, %j], %f {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>} : memref<1x2x4x8xf32>, vector<2x4xf32>
  return %1 : vector<2x4xf32>
}

// CHECK-NEXT:   func.func @masked_transfer(%arg0: memref<32xf32>, %arg1: index, %arg2: index, %arg3: vector<4xi1>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = affine.linearize_index [%arg1, %arg2] by (4, 8) : index
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%1], %0, %arg3 {in_bounds = [true]} : memref<32xf32>, vector<4xf32>
// CHECK-NEXT:     return %2 : vector<4xf32>
// CHECK-NEXT:   }
func.func @masked_transfer(%a: memref<32xf32>, %i: index, %j: index, %m: vector<4xi1>) -> vector<4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  %1 = vector.transfer_read %0[%i, %j], %f, %m {in_bounds = [true]} : memref<4x8xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-NEXT:   func.func @write_stays(%arg0: memref<32xf32>, %arg1: index, %arg2: index, %arg3: vector<4xf32>) {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
// CHECK-NEXT:     vector.transfer_write %arg3, %expand_shape[%arg1, %arg2] {in_bounds = [true]} : vector<4xf32>, memref<4x8xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @write_stays(%a: memref<32xf32>, %i: index, %j: index, %v: vector<4xf32>) {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  vector.transfer_write %v, %0[%i, %j] {in_bounds = [true]} : vector<4xf32>, memref<4x8xf32>
  return
}

// CHECK-NEXT:   func.func @transfer_through_collapse_stays(%arg0: memref<4x8xf32>, %arg1: index, %arg2: index) -> vector<4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<4x8xf32> into memref<32xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %collapse_shape[%arg1], %0 {in_bounds = [true]} : memref<32xf32>, vector<4xf32>
// CHECK-NEXT:     return %1 : vector<4xf32>
// CHECK-NEXT:   }
func.func @transfer_through_collapse_stays(%a: memref<4x8xf32>, %i: index, %j: index) -> vector<4xf32> {
  %f = ub.poison : f32
  %0 = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %1 = vector.transfer_read %0[%i], %f {in_bounds = [true]} : memref<32xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-NEXT:   func.func @vector_through_collapse(%arg0: memref<4x8xf32>, %arg1: index, %arg2: index) -> vector<4xf32> {
// CHECK-NEXT:     %0:2 = affine.delinearize_index %arg1 into (4, 8) : index, index
// CHECK-NEXT:     %1 = vector.load %arg0[%0#0, %0#1] : memref<4x8xf32>, vector<4xf32>
// CHECK-NEXT:     return %1 : vector<4xf32>
// CHECK-NEXT:   }
func.func @vector_through_collapse(%a: memref<4x8xf32>, %i: index, %j: index) -> vector<4xf32> {
  %0 = memref.collapse_shape %a [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %1 = vector.load %0[%i] : memref<32xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-NEXT:   func.func @atomic(%arg0: memref<32xf32>, %arg1: index, %arg2: index, %arg3: f32) -> f32 {
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg1] [4] [2] : memref<32xf32> to memref<4xf32, strided<[2], offset: ?>>
// CHECK-NEXT:     %0 = memref.atomic_rmw addf %arg3, %subview[%arg2] : (f32, memref<4xf32, strided<[2], offset: ?>>) -> f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @atomic(%a: memref<32xf32>, %i: index, %j: index, %v: f32) -> f32 {
  %0 = memref.subview %a[%i][4][2] : memref<32xf32> to memref<4xf32, strided<[2], offset: ?>>
  %1 = memref.atomic_rmw addf %v, %0[%j] : (f32, memref<4xf32, strided<[2], offset: ?>>) -> f32
  return %1 : f32
}

// CHECK-NEXT:   func.func @prefetch(%arg0: memref<32xf32>, %arg1: index, %arg2: index, %arg3: f32) {
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg1] [4] [2] : memref<32xf32> to memref<4xf32, strided<[2], offset: ?>>
// CHECK-NEXT:     memref.prefetch %subview[%arg2], read, locality<3>, data : memref<4xf32, strided<[2], offset: ?>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @prefetch(%a: memref<32xf32>, %i: index, %j: index, %v: f32) {
  %0 = memref.subview %a[%i][4][2] : memref<32xf32> to memref<4xf32, strided<[2], offset: ?>>
  memref.prefetch %0[%j], read, locality<3>, data : memref<4xf32, strided<[2], offset: ?>>
  return
}

// CHECK-NEXT:   func.func @offset_computed(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> f32 {
// CHECK-NEXT:     %0 = arith.muli %arg1, %arg2 : index
// CHECK-NEXT:     %1 = affine.apply #map2()[%0, %arg1]
// CHECK-NEXT:     %2 = memref.load %arg0[%1] : memref<32xf32>
// CHECK-NEXT:     return %2 : f32
// CHECK-NEXT:   }
func.func @offset_computed(%a: memref<32xf32>, %i: index, %j: index) -> f32 {
  %c = arith.muli %i, %j : index
  %0 = memref.subview %a[%c][4][1] : memref<32xf32> to memref<4xf32, strided<[1], offset: ?>>
  %1 = memref.load %0[%i] : memref<4xf32, strided<[1], offset: ?>>
  return %1 : f32
}

// CHECK-NEXT:   func.func @rows_of_the_first(%arg0: memref<32x8xf32>, %arg1: index, %arg2: index) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = affine.linearize_index [%arg1, %arg1] by (4, 8) : index
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%1, %arg2], %0 {in_bounds = [true, true]} : memref<32x8xf32>, vector<2x4xf32>
// CHECK-NEXT:     return %2 : vector<2x4xf32>
// CHECK-NEXT:   }
func.func @rows_of_the_first(%a: memref<32x8xf32>, %i: index, %j: index) -> vector<2x4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [4, 8, 8] : memref<32x8xf32> into memref<4x8x8xf32>
  %1 = vector.transfer_read %0[%i, %i, %j], %f {in_bounds = [true, true]} : memref<4x8x8xf32>, vector<2x4xf32>
  return %1 : vector<2x4xf32>
}

// CHECK-NEXT:   func.func @too_many_rows(%arg0: memref<32x8xf32>, %arg1: index, %arg2: index) -> vector<2x2x4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [4, 8, 8] : memref<32x8xf32> into memref<4x8x8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg1, %arg2], %0 {in_bounds = [true, true, true]} : memref<4x8x8xf32>, vector<2x2x4xf32>
// CHECK-NEXT:     return %1 : vector<2x2x4xf32>
// CHECK-NEXT:   }
func.func @too_many_rows(%a: memref<32x8xf32>, %i: index, %j: index) -> vector<2x2x4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [4, 8, 8] : memref<32x8xf32> into memref<4x8x8xf32>
  %1 = vector.transfer_read %0[%i, %i, %j], %f {in_bounds = [true, true, true]} : memref<4x8x8xf32>, vector<2x2x4xf32>
  return %1 : vector<2x2x4xf32>
}

// CHECK-NEXT:   func.func @part_of_a_row(%arg0: memref<4x32xf32>, %arg1: index, %arg2: index) -> vector<4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = affine.linearize_index [%arg1, %arg2] by (4, 8) : index
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%arg1, %1], %0 {in_bounds = [true]} : memref<4x32xf32>, vector<4xf32>
// CHECK-NEXT:     return %2 : vector<4xf32>
// CHECK-NEXT:   }
func.func @part_of_a_row(%a: memref<4x32xf32>, %i: index, %j: index) -> vector<4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0], [1, 2]] output_shape [4, 4, 8] : memref<4x32xf32> into memref<4x4x8xf32>
  %1 = vector.transfer_read %0[%i, %i, %j], %f {in_bounds = [true]} : memref<4x4x8xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-NEXT:   func.func @last_is_one(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> vector<8xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [32, 1] : memref<32xf32> into memref<32x1xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg2], %0 {in_bounds = [true], permutation_map = #map} : memref<32x1xf32>, vector<8xf32>
// CHECK-NEXT:     return %1 : vector<8xf32>
// CHECK-NEXT:   }
func.func @last_is_one(%a: memref<32xf32>, %i: index, %j: index) -> vector<8xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1]] output_shape [32, 1] : memref<32xf32> into memref<32x1xf32>
  %1 = vector.transfer_read %0[%i, %j], %f {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<32x1xf32>, vector<8xf32>
  return %1 : vector<8xf32>
}

// CHECK-NEXT:   func.func @no_dimension(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> vector<f32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = affine.linearize_index [%arg1, %arg2] by (4, 8) : index
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%1], %0 : memref<32xf32>, vector<f32>
// CHECK-NEXT:     return %2 : vector<f32>
// CHECK-NEXT:   }
func.func @no_dimension(%a: memref<32xf32>, %i: index, %j: index) -> vector<f32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  %1 = vector.transfer_read %0[%i, %j], %f : memref<4x8xf32>, vector<f32>
  return %1 : vector<f32>
}

// CHECK-NEXT:   func.func @ones(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> vector<8x1xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [32, 1] : memref<32xf32> into memref<32x1xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg2], %0 {in_bounds = [true, true]} : memref<32x1xf32>, vector<8x1xf32>
// CHECK-NEXT:     return %1 : vector<8x1xf32>
// CHECK-NEXT:   }
func.func @ones(%a: memref<32xf32>, %i: index, %j: index) -> vector<8x1xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1]] output_shape [32, 1] : memref<32xf32> into memref<32x1xf32>
  %1 = vector.transfer_read %0[%i, %j], %f {in_bounds = [true, true]} : memref<32x1xf32>, vector<8x1xf32>
  return %1 : vector<8x1xf32>
}

// CHECK-NEXT:   func.func @composed(%arg0: memref<34x34xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: f32) -> f32 {
// CHECK-NEXT:     %0 = scf.for %arg7 = %arg3 to %arg4 step %arg5 iter_args(%arg8 = %arg6) -> (f32) {
// CHECK-NEXT:       %1 = affine.apply #map2()[%arg1, %arg7]
// CHECK-NEXT:       %2 = affine.apply #map3(%arg7)[%arg2]
// CHECK-NEXT:       %3 = memref.load %arg0[%1, %2] : memref<34x34xf32>
// CHECK-NEXT:       %4 = arith.addf %arg8, %3 : f32
// CHECK-NEXT:       scf.yield %4 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @composed(%a: memref<34x34xf32>, %i: index, %j: index, %low: index, %high: index, %step: index, %z: f32) -> f32 {
  %s = memref.subview %a[%i, %j] [4, 4] [1, 1] : memref<34x34xf32> to memref<4x4xf32, strided<[34, 1], offset: ?>>
  %r = scf.for %p = %low to %high step %step iter_args(%t = %z) -> (f32) {
    %q = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%p)[%j]
    %x = memref.load %s[%p, %q] : memref<4x4xf32, strided<[34, 1], offset: ?>>
    %y = arith.addf %t, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}

// Two dimensions have size 1 and equal strides: the first of them is the one that the view lacks.
// CHECK-NEXT:   func.func @which_is_dropped(%arg0: memref<?x?x?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index) -> f32 {
// CHECK-NEXT:     %0 = affine.apply #map2()[%arg1, %arg5]
// CHECK-NEXT:     %1 = affine.apply #map2()[%arg3, %arg6]
// CHECK-NEXT:     %2 = memref.load %arg0[%0, %arg2, %1, %arg7] : memref<?x?x?x?xf32>
// CHECK-NEXT:     return %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @which_is_dropped(%m: memref<?x?x?x?xf32>, %o: index, %p: index, %q: index, %n: index, %x: index, %y: index, %z: index) -> f32 {
  %s = memref.subview %m[%o, %p, %q, 0] [%n, 1, 1, %n] [1, 1, 1, 1] : memref<?x?x?x?xf32> to memref<?x1x?xf32, strided<[?, ?, 1], offset: ?>>
  %v = memref.load %s[%x, %y, %z] : memref<?x1x?xf32, strided<[?, ?, 1], offset: ?>>
  return %v : f32
}
