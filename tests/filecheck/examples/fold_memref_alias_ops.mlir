// A load from a view becomes a load from what is viewed.
// RUN: xgpu-opt %s --fold-memref-alias-ops | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (s0 * 2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16x8xf32>, %arg1: index) -> f32 {
// CHECK-NEXT:     %0 = affine.apply #map()[%arg1]
// CHECK-NEXT:     %1 = memref.load %arg0[%0, %arg1] : memref<16x8xf32>
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<16x8xf32>, %i: index) -> f32 {
  %0 = memref.subview %m[%i, 0] [4, 8] [1, 1]
      : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  %1 = memref.load %0[%i, %i] : memref<4x8xf32, strided<[8, 1], offset: ?>>
  return %1 : f32
}
