// RUN: xgpu-opt %s --fold-memref-alias-ops | filecheck %s

// CHECK: [[SCALED:#.*]] = affine_map<()[s0, s1] -> (s0 + s1 * 2)>

func.func @subview(%m: memref<12x32xf32>, %i: index, %j: index, %k: index) -> f32 {
  %v = memref.subview %m[%i, 4] [4, 4] [2, 3] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 3], offset: ?>>
  %0 = memref.load %v[%j, %k] : memref<4x4xf32, strided<[64, 3], offset: ?>>
  return %0 : f32
}

// CHECK-LABEL: @subview
// CHECK: [[ROW:%.*]] = affine.apply [[SCALED]]()[%{{.*}}, %{{.*}}]
// CHECK-NEXT: [[COLUMN:%.*]] = affine.apply
// CHECK-NEXT: memref.load %{{.*}}[[[ROW]], [[COLUMN]]] : memref<12x32xf32>

func.func @reshaped(%m: memref<12x32xf32>, %i: index, %j: index, %k: index) -> (f32, f32) {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  %0 = memref.load %e[%i, %j, %k] : memref<3x4x32xf32>
  %c = memref.collapse_shape %m [[0, 1]] : memref<12x32xf32> into memref<384xf32>
  %1 = memref.load %c[%k] : memref<384xf32>
  return %0, %1 : f32, f32
}

// CHECK-LABEL: @reshaped
// CHECK: [[LINEAR:%.*]] = affine.linearize_index disjoint [%{{.*}}, %{{.*}}] by (3, 4) : index
// CHECK: memref.load %{{.*}}[[[LINEAR]], %{{.*}}] : memref<12x32xf32>
// CHECK: [[SPLIT:%.*]]:2 = affine.delinearize_index %{{.*}} into (12, 32) : index, index
// CHECK: memref.load %{{.*}}[[[SPLIT]]#0, [[SPLIT]]#1] : memref<12x32xf32>
