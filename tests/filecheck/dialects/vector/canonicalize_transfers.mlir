// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Reads of what was written to a tensor: in another order, broadcast, of more dimensions.

// CHECK: #map = affine_map<(d0) -> (0, d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @broadcast(%arg0: tensor<8x8xf32>, %arg1: vector<4x2xf32>) -> vector<4x3x2xf32> {
// CHECK-NEXT:     %0 = vector.broadcast %arg1 : vector<4x2xf32> to vector<3x4x2xf32>
// CHECK-NEXT:     %1 = vector.transpose %0, [1, 0, 2] : vector<3x4x2xf32> to vector<4x3x2xf32>
// CHECK-NEXT:     return %1 : vector<4x3x2xf32>
// CHECK-NEXT:   }
func.func @broadcast(%t: tensor<8x8xf32>, %v: vector<4x2xf32>) -> vector<4x3x2xf32> {
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%c1, %c1] {in_bounds = [true, true]} : vector<4x2xf32>, tensor<8x8xf32>
  %0 = vector.transfer_read %w[%c1, %c1], %f0 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : tensor<8x8xf32>, vector<4x3x2xf32>
  return %0 : vector<4x3x2xf32>
}

// CHECK-NEXT:   func.func @transposed(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: vector<4x[2]xf32>) -> vector<[2]x4xf32> {
// CHECK-NEXT:     %0 = vector.transpose %arg2, [1, 0] : vector<4x[2]xf32> to vector<[2]x4xf32>
// CHECK-NEXT:     return %0 : vector<[2]x4xf32>
// CHECK-NEXT:   }
func.func @transposed(%t: tensor<?x?xf32>, %i: index, %v: vector<4x[2]xf32>) -> vector<[2]x4xf32> {
  %f0 = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%i, %i] {in_bounds = [true, true]} : vector<4x[2]xf32>, tensor<?x?xf32>
  %0 = vector.transfer_read %w[%i, %i], %f0 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x?xf32>, vector<[2]x4xf32>
  return %0 : vector<[2]x4xf32>
}

// CHECK-NEXT:   func.func @more_dimensions(%arg0: tensor<1x4xf32>, %arg1: vector<4xf32>) -> vector<1x4xf32> {
// CHECK-NEXT:     %0 = vector.broadcast %arg1 : vector<4xf32> to vector<1x4xf32>
// CHECK-NEXT:     return %0 : vector<1x4xf32>
// CHECK-NEXT:   }
func.func @more_dimensions(%t: tensor<1x4xf32>, %v: vector<4xf32>) -> vector<1x4xf32> {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%c0, %c0] : vector<4xf32>, tensor<1x4xf32>
  %0 = vector.transfer_read %w[%c0, %c0], %f0 : tensor<1x4xf32>, vector<1x4xf32>
  return %0 : vector<1x4xf32>
}

// CHECK-NEXT:   func.func @other_place(%arg0: tensor<8xf32>, %arg1: index, %arg2: index, %arg3: vector<4xf32>) -> vector<2x4xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_write %arg3, %arg0[%arg1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %0[%arg2], %cst {in_bounds = [true, true], permutation_map = #map} : tensor<8xf32>, vector<2x4xf32>
// CHECK-NEXT:     return %1 : vector<2x4xf32>
// CHECK-NEXT:   }
func.func @other_place(%t: tensor<8xf32>, %i: index, %j: index, %v: vector<4xf32>) -> vector<2x4xf32> {
  %f0 = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %0 = vector.transfer_read %w[%j], %f0 {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (0, d0)>} : tensor<8xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// CHECK-NEXT:   func.func @other_sizes(%arg0: tensor<8xf32>, %arg1: index, %arg2: vector<4xf32>) -> vector<2x3xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_write %arg2, %arg0[%arg1] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %0[%arg1], %cst {in_bounds = [true, true], permutation_map = #map} : tensor<8xf32>, vector<2x3xf32>
// CHECK-NEXT:     return %1 : vector<2x3xf32>
// CHECK-NEXT:   }
func.func @other_sizes(%t: tensor<8xf32>, %i: index, %v: vector<4xf32>) -> vector<2x3xf32> {
  %f0 = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %0 = vector.transfer_read %w[%i], %f0 {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (0, d0)>} : tensor<8xf32>, vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

// CHECK-NEXT:   func.func @out_of_bounds(%arg0: tensor<8xf32>, %arg1: index, %arg2: vector<4xf32>) -> vector<2x4xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_write %arg2, %arg0[%arg1] : vector<4xf32>, tensor<8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %0[%arg1], %cst {in_bounds = [true, false], permutation_map = #map} : tensor<8xf32>, vector<2x4xf32>
// CHECK-NEXT:     return %1 : vector<2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @out_of_bounds(%t: tensor<8xf32>, %i: index, %v: vector<4xf32>) -> vector<2x4xf32> {
  %f0 = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
  %0 = vector.transfer_read %w[%i], %f0 {in_bounds = [true, false], permutation_map = affine_map<(d0) -> (0, d0)>} : tensor<8xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
