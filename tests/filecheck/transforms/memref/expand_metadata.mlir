// RUN: xgpu-opt %s --expand-strided-metadata | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (s0 floordiv 12)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 floordiv 3)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1, s2] -> ((s0 * s1) * s2)>
// CHECK-NEXT: #map3 = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-NEXT: #map4 = affine_map<()[s0] -> (s0 * 3)>
// CHECK-NEXT: #map5 = affine_map<()[s0, s1] -> ((s0 * s1) * 3)>
// CHECK-NEXT: #map6 = affine_map<()[s0] -> (s0 * 16)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @unknown_size_inside(%arg0: memref<?xf32>, %arg1: index, %arg2: index) -> memref<3x?x4xf32> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<?xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map()[%sizes]
// CHECK-NEXT:     %1 = affine.apply #map1()[%sizes]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [3, %0, 4], strides: [%1, 4, 1] : memref<f32> to memref<3x?x4xf32>
// CHECK-NEXT:     return %reinterpret_cast : memref<3x?x4xf32>
// CHECK-NEXT:   }
func.func @unknown_size_inside(%m: memref<?xf32>, %i: index, %j: index) -> memref<3x?x4xf32> {
  %b = memref.expand_shape %m [[0, 1, 2]] output_shape [3, %j, 4] : memref<?xf32> into memref<3x?x4xf32>
  return %b : memref<3x?x4xf32>
}

// CHECK-NEXT:   func.func @collapse_dynamic(%arg0: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg0 : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map2()[%sizes#0, %sizes#1, %sizes#2]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%offset], sizes: [%0], strides: [%strides#2] : memref<f32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @collapse_dynamic(%m: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
  %b = memref.collapse_shape %m [[0, 1, 2]] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  return %b : memref<?xf32, strided<[?], offset: ?>>
}

// CHECK-NEXT:   func.func @collapse_known_stride(%arg0: memref<?x?x1xf32, strided<[?, 4, ?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg0 : memref<?x?x1xf32, strided<[?, 4, ?], offset: ?>> -> memref<f32>, index, index, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map3()[%sizes#0, %sizes#1]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%offset], sizes: [%0], strides: [4] : memref<f32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @collapse_known_stride(%m: memref<?x?x1xf32, strided<[?, 4, ?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
  %b = memref.collapse_shape %m [[0, 1, 2]] : memref<?x?x1xf32, strided<[?, 4, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  return %b : memref<?xf32, strided<[?], offset: ?>>
}

// CHECK-NEXT:   func.func @collapse_ones(%arg0: memref<1x1xf32, strided<[?, 4], offset: ?>>) -> memref<1xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<1x1xf32, strided<[?, 4], offset: ?>> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%offset], sizes: [1], strides: [%strides#0] : memref<f32> to memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @collapse_ones(%m: memref<1x1xf32, strided<[?, 4], offset: ?>>) -> memref<1xf32, strided<[?], offset: ?>> {
  %b = memref.collapse_shape %m [[0, 1]] : memref<1x1xf32, strided<[?, 4], offset: ?>> into memref<1xf32, strided<[?], offset: ?>>
  return %b : memref<1xf32, strided<[?], offset: ?>>
}

// CHECK-NEXT:   func.func @collapse_strided(%arg0: memref<6x4xf32, strided<[8, 2]>>) -> memref<24xf32, strided<[2]>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<6x4xf32, strided<[8, 2]>> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [24], strides: [2] : memref<f32> to memref<24xf32, strided<[2]>>
// CHECK-NEXT:     return %reinterpret_cast : memref<24xf32, strided<[2]>>
// CHECK-NEXT:   }
func.func @collapse_strided(%m: memref<6x4xf32, strided<[8, 2]>>) -> memref<24xf32, strided<[2]>> {
  %b = memref.collapse_shape %m [[0, 1]] : memref<6x4xf32, strided<[8, 2]>> into memref<24xf32, strided<[2]>>
  return %b : memref<24xf32, strided<[2]>>
}

// CHECK-NEXT:   func.func @expand_from_nothing(%arg0: memref<f32, strided<[], offset: ?>>) -> memref<1x1xf32, strided<[1, 1], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset = memref.extract_strided_metadata %arg0 : memref<f32, strided<[], offset: ?>> -> memref<f32>, index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%offset], sizes: [1, 1], strides: [1, 1] : memref<f32> to memref<1x1xf32, strided<[1, 1], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<1x1xf32, strided<[1, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @expand_from_nothing(%m: memref<f32, strided<[], offset: ?>>) -> memref<1x1xf32, strided<[1, 1], offset: ?>> {
  %b = memref.expand_shape %m [] output_shape [1, 1] : memref<f32, strided<[], offset: ?>> into memref<1x1xf32, strided<[1, 1], offset: ?>>
  return %b : memref<1x1xf32, strided<[1, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @allocation(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index) {
// CHECK-NEXT:     %0 = affine.apply #map4()[%arg2]
// CHECK-NEXT:     %1 = affine.apply #map5()[%arg1, %arg2]
// CHECK-NEXT:     return %1, %0, %arg2 : index, index, index
// CHECK-NEXT:   }
func.func @allocation(%i: index, %j: index, %k: index) -> (index, index, index) {
  %m = memref.alloc(%i, %j, %k) : memref<?x?x3x?xf32>
  %base, %o, %s:4, %t:4 = memref.extract_strided_metadata %m : memref<?x?x3x?xf32> -> memref<f32>, index, index, index, index, index, index, index, index, index
  return %t#0, %t#1, %t#2 : index, index, index
}

// CHECK-NEXT:   func.func @through_alignment(%arg0: memref<34x?xf32, strided<[?, 1], offset: ?>>) -> (memref<f32>, index, index, index, index, index) {
// CHECK-NEXT:     %c34 = arith.constant 34 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<34x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     return %base_buffer, %offset, %c34, %sizes#1, %strides#0, %c1 : memref<f32>, index, index, index, index, index
// CHECK-NEXT:   }
func.func @through_alignment(%a: memref<34x?xf32, strided<[?, 1], offset: ?>>) -> (memref<f32>, index, index, index, index, index) {
  %b = memref.assume_alignment %a, 64 : memref<34x?xf32, strided<[?, 1], offset: ?>>
  %base, %o, %s:2, %t:2 = memref.extract_strided_metadata %b : memref<34x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  return %base, %o, %s#0, %s#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}

// CHECK-NEXT:   func.func @pointer_through_alignment_stays(%arg0: memref<34x?xf32, strided<[?, 1], offset: ?>>) -> index {
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg0, 64 : memref<34x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %assume_align : memref<34x?xf32, strided<[?, 1], offset: ?>> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_through_alignment_stays(%a: memref<34x?xf32, strided<[?, 1], offset: ?>>) -> index {
  %b = memref.assume_alignment %a, 64 : memref<34x?xf32, strided<[?, 1], offset: ?>>
  %p = memref.extract_aligned_pointer_as_index %b : memref<34x?xf32, strided<[?, 1], offset: ?>> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @pointer_through_space_stays(%arg0: memref<34x?xf32, strided<[?, 1], offset: ?>>) -> index {
// CHECK-NEXT:     %memspacecast = memref.memory_space_cast %arg0 : memref<34x?xf32, strided<[?, 1], offset: ?>> to memref<34x?xf32, strided<[?, 1], offset: ?>, 1>
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %memspacecast : memref<34x?xf32, strided<[?, 1], offset: ?>, 1> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_through_space_stays(%a: memref<34x?xf32, strided<[?, 1], offset: ?>>) -> index {
  %b = memref.memory_space_cast %a : memref<34x?xf32, strided<[?, 1], offset: ?>> to memref<34x?xf32, strided<[?, 1], offset: ?>, 1>
  %p = memref.extract_aligned_pointer_as_index %b : memref<34x?xf32, strided<[?, 1], offset: ?>, 1> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @distinct(%arg0: memref<34xf32>, %arg1: index) -> memref<3xf32, strided<[1], offset: ?>> {
// CHECK-NEXT:     %0:2 = memref.distinct_objects %arg0, %arg0 : memref<34xf32>, memref<34xf32>
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0#0 : memref<34xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%arg1], sizes: [3], strides: [1] : memref<f32> to memref<3xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<3xf32, strided<[1], offset: ?>>
// CHECK-NEXT:   }
func.func @distinct(%a: memref<34xf32>, %i: index) -> memref<3xf32, strided<[1], offset: ?>> {
  %b, %c = memref.distinct_objects %a, %a : memref<34xf32>, memref<34xf32>
  %s = memref.subview %b[%i] [3] [1] : memref<34xf32> to memref<3xf32, strided<[1], offset: ?>>
  return %s : memref<3xf32, strided<[1], offset: ?>>
}

// CHECK-NEXT:   func.func @transposed(%arg0: memref<4x8xf32>, %arg1: index) -> (index, index) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     return %c8, %c8 : index, index
// CHECK-NEXT:   }
func.func @transposed(%a: memref<4x8xf32>, %i: index) -> (index, index) {
  %b = memref.transpose %a (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %base, %o, %s:2, %t:2 = memref.extract_strided_metadata %b : memref<8x4xf32, strided<[1, 8]>> -> memref<f32>, index, index, index, index, index
  return %s#0, %t#1 : index, index
}

// CHECK-NEXT:   func.func @pointer_of_cast(%arg0: memref<34x?xf32>) -> index {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<34x?xf32> to memref<?x?xf32>
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %cast : memref<?x?xf32> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_of_cast(%a: memref<34x?xf32>) -> index {
  %b = memref.cast %a : memref<34x?xf32> to memref<?x?xf32>
  %p = memref.extract_aligned_pointer_as_index %b : memref<?x?xf32> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @pointer_of_subview(%arg0: memref<34xf32>, %arg1: index) -> index {
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<34xf32> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_of_subview(%a: memref<34xf32>, %i: index) -> index {
  %s = memref.subview %a[%i] [3] [1] : memref<34xf32> to memref<3xf32, strided<[1], offset: ?>>
  %p = memref.extract_aligned_pointer_as_index %s : memref<3xf32, strided<[1], offset: ?>> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @pointer_of_reinterpret(%arg0: memref<34xf32>, %arg1: index) -> index {
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<34xf32> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_of_reinterpret(%a: memref<34xf32>, %i: index) -> index {
  %s = memref.reinterpret_cast %a to offset: [%i], sizes: [3], strides: [1] : memref<34xf32> to memref<3xf32, strided<[1], offset: ?>>
  %p = memref.extract_aligned_pointer_as_index %s : memref<3xf32, strided<[1], offset: ?>> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @pointer_of_transpose(%arg0: memref<4x8xf32>, %arg1: index) -> index {
// CHECK-NEXT:     %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %transpose : memref<8x4xf32, strided<[1, 8]>> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_of_transpose(%a: memref<4x8xf32>, %i: index) -> (index) {
  %b = memref.transpose %a (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %p = memref.extract_aligned_pointer_as_index %b : memref<8x4xf32, strided<[1, 8]>> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @pointer_of_collapse(%arg0: memref<4x8xi8>, %arg1: index) -> index {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x8xi8> -> memref<i8>, index, index, index, index, index
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %base_buffer : memref<i8> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_of_collapse(%a: memref<4x8xi8>, %i: index) -> (index) {
  %b = memref.collapse_shape %a [[0, 1]] : memref<4x8xi8> into memref<32xi8>
  %p = memref.extract_aligned_pointer_as_index %b : memref<32xi8> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @pointer_of_moved_view(%arg0: memref<32xi8>, %arg1: index) -> index {
// CHECK-NEXT:     %view = memref.view %arg0[%arg1][] : memref<32xi8> to memref<2xf32>
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %view : memref<2xf32> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_of_moved_view(%a: memref<32xi8>, %i: index) -> (index) {
  %b = memref.view %a[%i][] : memref<32xi8> to memref<2xf32>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xf32> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @pointer_of_reshape(%arg0: memref<32xi8>, %arg1: memref<2xindex>) -> index {
// CHECK-NEXT:     %reshape = memref.reshape %arg0(%arg1) : (memref<32xi8>, memref<2xindex>) -> memref<?x?xi8>
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %reshape : memref<?x?xi8> -> index
// CHECK-NEXT:     return %intptr : index
// CHECK-NEXT:   }
func.func @pointer_of_reshape(%a: memref<32xi8>, %i: memref<2xindex>) -> (index) {
  %b = memref.reshape %a(%i) : (memref<32xi8>, memref<2xindex>) -> memref<?x?xi8>
  %p = memref.extract_aligned_pointer_as_index %b : memref<?x?xi8> -> index
  return %p : index
}

// CHECK-NEXT:   func.func @subview_of_alignment(%arg0: memref<34x16xf32>, %arg1: index) -> memref<3x4xf32, strided<[16, 1], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<34x16xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %0 = affine.apply #map6()[%arg1]
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [3, 4], strides: [16, 1] : memref<f32> to memref<3x4xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<3x4xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_of_alignment(%a: memref<34x16xf32>, %i: index) -> memref<3x4xf32, strided<[16, 1], offset: ?>> {
  %b = memref.assume_alignment %a, 64 : memref<34x16xf32>
  %s = memref.subview %b[%i, 0] [3, 4] [1, 1] : memref<34x16xf32> to memref<3x4xf32, strided<[16, 1], offset: ?>>
  return %s : memref<3x4xf32, strided<[16, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @constants_in_order(%arg0: memref<5x4xf32>) -> (index, index, index, index, index) {
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     return %c5, %c2, %c3, %c4, %c1 : index, index, index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constants_in_order(%a: memref<5x4xf32>) -> (index, index, index, index, index) {
  %s = memref.subview %a[1, 1] [2, 3] [1, 1] : memref<5x4xf32> to memref<2x3xf32, strided<[4, 1], offset: 5>>
  %base, %o, %z:2, %t:2 = memref.extract_strided_metadata %s : memref<2x3xf32, strided<[4, 1], offset: 5>> -> memref<f32>, index, index, index, index, index
  return %o, %z#0, %z#1, %t#0, %t#1 : index, index, index, index, index
}
