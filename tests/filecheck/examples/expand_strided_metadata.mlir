// A view becomes its base with offset, sizes and strides.
// RUN: xgpu-opt %s --expand-strided-metadata | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (s0 * 8)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16x8xf32>, %arg1: index) -> memref<4x8xf32, strided<[8, 1], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<16x8xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map()[%arg1]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [4, 8], strides: [8, 1] : memref<f32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<4x8xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<16x8xf32>, %i: index) -> memref<4x8xf32, strided<[8, 1], offset: ?>> {
  %0 = memref.subview %m[%i, 0] [4, 8] [1, 1]
      : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  return %0 : memref<4x8xf32, strided<[8, 1], offset: ?>>
}
