// RUN: xgpu-opt --expand-strided-metadata %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1] -> (s0 * s1 + 3)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 * 64)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 * 4)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0 floordiv 4)>
// CHECK-NEXT: #map4 = affine_map<()[s0] -> (s0 * 16)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @subview_static(%arg0: memref<16x16xf32>) -> memref<4x4xf32, strided<[32, 1], offset: 36>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<16x16xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [36], sizes: [4, 4], strides: [32, 1] : memref<f32> to memref<4x4xf32, strided<[32, 1], offset: 36>>
// CHECK-NEXT:     return %reinterpret_cast : memref<4x4xf32, strided<[32, 1], offset: 36>>
// CHECK-NEXT:   }
func.func @subview_static(%m: memref<16x16xf32>) -> memref<4x4xf32, strided<[32, 1], offset: 36>> {
  %0 = memref.subview %m[2, 4] [4, 4] [2, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[32, 1], offset: 36>>
  return %0 : memref<4x4xf32, strided<[32, 1], offset: 36>>
}

// CHECK-NEXT:   func.func @subview_dynamic(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index) -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map()[%arg1, %strides#0]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [%arg2, 4], strides: [%strides#0, %arg2] : memref<f32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_dynamic(%m: memref<?x?xf32>, %i: index, %n: index) -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
  %0 = memref.subview %m[%i, 3] [%n, 4] [1, %n] : memref<?x?xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
}

// CHECK-NEXT:   func.func @subview_drops_a_dimension(%arg0: memref<8x16x4xf32>, %arg1: index) -> memref<16x4xf32, strided<[4, 1], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg0 : memref<8x16x4xf32> -> memref<f32>, index, index, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map1()[%arg1]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [16, 4], strides: [4, 1] : memref<f32> to memref<16x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<16x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_drops_a_dimension(%m: memref<8x16x4xf32>, %i: index) -> memref<16x4xf32, strided<[4, 1], offset: ?>> {
  %0 = memref.subview %m[%i, 0, 0] [1, 16, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<16x4xf32, strided<[4, 1], offset: ?>>
  return %0 : memref<16x4xf32, strided<[4, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @collapse(%arg0: memref<?x4x8xf32>) -> memref<?x8xf32> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg0 : memref<?x4x8xf32> -> memref<f32>, index, index, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map2()[%sizes#0]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%0, 8], strides: [8, 1] : memref<f32> to memref<?x8xf32>
// CHECK-NEXT:     return %reinterpret_cast : memref<?x8xf32>
// CHECK-NEXT:   }
func.func @collapse(%m: memref<?x4x8xf32>) -> memref<?x8xf32> {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<?x4x8xf32> into memref<?x8xf32>
  return %0 : memref<?x8xf32>
}

// CHECK-NEXT:   func.func @expand(%arg0: memref<?x8xf32>, %arg1: index) -> memref<?x4x8xf32> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map3()[%sizes#0]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%0, 4, 8], strides: [32, 8, 1] : memref<f32> to memref<?x4x8xf32>
// CHECK-NEXT:     return %reinterpret_cast : memref<?x4x8xf32>
// CHECK-NEXT:   }
func.func @expand(%m: memref<?x8xf32>, %n: index) -> memref<?x4x8xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
  return %0 : memref<?x4x8xf32>
}

// CHECK-NEXT:   func.func @metadata_of_alloc(%arg0: index) -> (memref<f32>, index, index, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %alloc = memref.alloc(%arg0) : memref<?x4xf32>
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %alloc to offset: [0], sizes: [], strides: [] : memref<?x4xf32> to memref<f32>
// CHECK-NEXT:     return %reinterpret_cast, %c0, %arg0, %c4 : memref<f32>, index, index, index
// CHECK-NEXT:   }
func.func @metadata_of_alloc(%n: index) -> (memref<f32>, index, index, index) {
  %m = memref.alloc(%n) : memref<?x4xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  return %base, %offset, %sizes#0, %strides#0 : memref<f32>, index, index, index
}

// CHECK-NEXT:   func.func @metadata_of_subview(%arg0: memref<16x16xf32>, %arg1: index) -> (memref<f32>, index, index) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<16x16xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map4()[%arg1]
// CHECK-NEXT:     return %base_buffer, %0, %c2 : memref<f32>, index, index
// CHECK-NEXT:   }
func.func @metadata_of_subview(%m: memref<16x16xf32>, %i: index) -> (memref<f32>, index, index) {
  %v = memref.subview %m[%i, 0] [4, 4] [1, 2] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 2], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<4x4xf32, strided<[16, 2], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %base, %offset, %strides#1 : memref<f32>, index, index
}

// CHECK-NEXT:   func.func @metadata_of_cast(%arg0: memref<4x?xf32>) -> (memref<f32>, index, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     return %base_buffer, %c4, %strides#0 : memref<f32>, index, index
// CHECK-NEXT:   }
func.func @metadata_of_cast(%m: memref<4x?xf32>) -> (memref<f32>, index, index) {
  %c = memref.cast %m : memref<4x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %c : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %base, %sizes#0, %strides#0 : memref<f32>, index, index
}

// CHECK-NEXT:   func.func @metadata_of_reinterpret_cast(%arg0: memref<?xf32>, %arg1: index, %arg2: index) -> (memref<f32>, index, index, index) {
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<?xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     return %base_buffer, %arg1, %arg2, %arg2 : memref<f32>, index, index, index
// CHECK-NEXT:   }
func.func @metadata_of_reinterpret_cast(%m: memref<?xf32>, %o: index, %n: index) -> (memref<f32>, index, index, index) {
  %c = memref.reinterpret_cast %m to offset: [%o], sizes: [4, %n], strides: [%n, 1] : memref<?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %c : memref<4x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %base, %offset, %sizes#1, %strides#0 : memref<f32>, index, index, index
}

// CHECK-NEXT:   memref.global "private" @g : memref<4x8xf32>
memref.global "private" @g : memref<4x8xf32>

// CHECK-NEXT:   func.func @metadata_of_global() -> (memref<f32>, index, index) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = memref.get_global @g : memref<4x8xf32>
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %0 to offset: [0], sizes: [], strides: [] : memref<4x8xf32> to memref<f32>
// CHECK-NEXT:     return %reinterpret_cast, %c0, %c8 : memref<f32>, index, index
// CHECK-NEXT:   }
func.func @metadata_of_global() -> (memref<f32>, index, index) {
  %m = memref.get_global @g : memref<4x8xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x8xf32> -> memref<f32>, index, index, index, index, index
  return %base, %offset, %strides#0 : memref<f32>, index, index
}

// CHECK-NEXT:   func.func @pointer_of_view(%arg0: memref<16xf32>) -> index {
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<16xf32> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @pointer_of_view(%m: memref<16xf32>) -> index {
  %v = memref.subview %m[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  %0 = memref.extract_aligned_pointer_as_index %v : memref<8xf32, strided<[1], offset: 4>> -> index
  return %0 : index
}
