// Of several unknown sizes in a group the operation says what they are; mlir-opt 22.1 crashes here.
// RUN: xgpu-opt %s --expand-strided-metadata | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (s0 * 4)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> ((s0 * s1) * 4)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1] -> ((s0 * s1) * 12)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @two_unknown_sizes(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index, %arg2: index) -> memref<?x3x?x4xf32, strided<[?, ?, ?, ?], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map()[%strides]
// CHECK-NEXT:     %1 = affine.apply #map1()[%strides, %arg2]
// CHECK-NEXT:     %2 = affine.apply #map2()[%strides, %arg2]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%offset], sizes: [%arg1, 3, %arg2, 4], strides: [%2, %1, %0, %strides] : memref<f32> to memref<?x3x?x4xf32, strided<[?, ?, ?, ?], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<?x3x?x4xf32, strided<[?, ?, ?, ?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @two_unknown_sizes(%m: memref<?xf32, strided<[?], offset: ?>>, %i: index, %j: index) -> memref<?x3x?x4xf32, strided<[?, ?, ?, ?], offset: ?>> {
  %b = memref.expand_shape %m [[0, 1, 2, 3]] output_shape [%i, 3, %j, 4] : memref<?xf32, strided<[?], offset: ?>> into memref<?x3x?x4xf32, strided<[?, ?, ?, ?], offset: ?>>
  return %b : memref<?x3x?x4xf32, strided<[?, ?, ?, ?], offset: ?>>
}
