// A vector that would run into the next row stays; MLIR 22.1 folds both of these.
// RUN: xgpu-opt %s --fold-memref-alias-ops | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @may_end_outside(%arg0: memref<32xf32>, %arg1: index, %arg2: index) -> vector<4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg2], %0 : memref<4x8xf32>, vector<4xf32>
// CHECK-NEXT:     return %1 : vector<4xf32>
// CHECK-NEXT:   }
func.func @may_end_outside(%a: memref<32xf32>, %i: index, %j: index) -> vector<4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  %1 = vector.transfer_read %0[%i, %j], %f : memref<4x8xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-NEXT:   func.func @rows_inside_a_dimension(%arg0: memref<4x32xf32>, %arg1: index, %arg2: index) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [4, 4, 8] : memref<4x32xf32> into memref<4x4x8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %expand_shape[%arg1, %arg1, %arg2], %0 {in_bounds = [true, true]} : memref<4x4x8xf32>, vector<2x4xf32>
// CHECK-NEXT:     return %1 : vector<2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @rows_inside_a_dimension(%a: memref<4x32xf32>, %i: index, %j: index) -> vector<2x4xf32> {
  %f = ub.poison : f32
  %0 = memref.expand_shape %a [[0], [1, 2]] output_shape [4, 4, 8] : memref<4x32xf32> into memref<4x4x8xf32>
  %1 = vector.transfer_read %0[%i, %i, %j], %f {in_bounds = [true, true]} : memref<4x4x8xf32>, vector<2x4xf32>
  return %1 : vector<2x4xf32>
}
