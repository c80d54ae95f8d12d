// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @transpose_of_cast(%arg0: memref<4x8xi32, strided<[8, 1], offset: 5>>) -> memref<8x4xi32, strided<[1, 8], offset: ?>> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<4x8xi32, strided<[8, 1], offset: 5>> to memref<4x8xi32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:     %transpose = memref.transpose %cast (d0, d1) -> (d1, d0) : memref<4x8xi32, strided<[8, 1], offset: ?>> to memref<8x4xi32, strided<[1, 8], offset: ?>>
// CHECK-NEXT:     return %transpose : memref<8x4xi32, strided<[1, 8], offset: ?>>
// CHECK-NEXT:   }
func.func @transpose_of_cast(%m: memref<4x8xi32, strided<[8, 1], offset: 5>>) -> memref<8x4xi32, strided<[1, 8], offset: ?>> {
  %a = memref.cast %m : memref<4x8xi32, strided<[8, 1], offset: 5>> to memref<4x8xi32, strided<[8, 1], offset: ?>>
  %d = memref.transpose %a (d0, d1) -> (d1, d0) : memref<4x8xi32, strided<[8, 1], offset: ?>> to memref<8x4xi32, strided<[1, 8], offset: ?>>
  return %d : memref<8x4xi32, strided<[1, 8], offset: ?>>
}

// CHECK-NEXT:   func.func @transpose_of_transpose(%arg0: memref<4x8x2xi32>) -> memref<2x8x4xi32, strided<[1, 2, 16]>> {
// CHECK-NEXT:     %transpose = memref.transpose %arg0 (d0, d1, d2) -> (d2, d1, d0) : memref<4x8x2xi32> to memref<2x8x4xi32, strided<[1, 2, 16]>>
// CHECK-NEXT:     return %transpose : memref<2x8x4xi32, strided<[1, 2, 16]>>
// CHECK-NEXT:   }
func.func @transpose_of_transpose(%m: memref<4x8x2xi32>) -> memref<2x8x4xi32, strided<[1, 2, 16]>> {
  %a = memref.transpose %m (d0, d1, d2) -> (d1, d2, d0) : memref<4x8x2xi32> to memref<8x2x4xi32, strided<[2, 1, 16]>>
  %d = memref.transpose %a (d0, d1, d2) -> (d1, d0, d2) : memref<8x2x4xi32, strided<[2, 1, 16]>> to memref<2x8x4xi32, strided<[1, 2, 16]>>
  return %d : memref<2x8x4xi32, strided<[1, 2, 16]>>
}

// CHECK-NEXT:   func.func @two_spaces(%arg0: memref<4xi32, 3>) -> memref<4xi32, 3> {
// CHECK-NEXT:     return %arg0 : memref<4xi32, 3>
// CHECK-NEXT:   }
func.func @two_spaces(%m: memref<4xi32, 3>) -> memref<4xi32, 3> {
  %a = memref.memory_space_cast %m : memref<4xi32, 3> to memref<4xi32>
  %d = memref.memory_space_cast %a : memref<4xi32> to memref<4xi32, 3>
  return %d : memref<4xi32, 3>
}

// CHECK-NEXT:   func.func @same_space(%arg0: memref<4xi32, 3>) -> memref<4xi32, 3> {
// CHECK-NEXT:     return %arg0 : memref<4xi32, 3>
// CHECK-NEXT:   }
func.func @same_space(%m: memref<4xi32, 3>) -> memref<4xi32, 3> {
  %a = memref.memory_space_cast %m : memref<4xi32, 3> to memref<4xi32, 3>
  return %a : memref<4xi32, 3>
}

// CHECK-NEXT:   func.func @there_and_back(%arg0: memref<4xi32>) -> memref<4xi32> {
// CHECK-NEXT:     return %arg0 : memref<4xi32>
// CHECK-NEXT:   }
func.func @there_and_back(%m: memref<4xi32>) -> memref<4xi32> {
  %a = memref.cast %m : memref<4xi32> to memref<?xi32>
  %d = memref.cast %a : memref<?xi32> to memref<4xi32>
  return %d : memref<4xi32>
}

// CHECK-NEXT:   func.func @casts_in_a_row(%arg0: memref<?xi32>) -> memref<8xi32> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<?xi32> to memref<8xi32>
// CHECK-NEXT:     return %cast : memref<8xi32>
// CHECK-NEXT:   }
func.func @casts_in_a_row(%m: memref<?xi32>) -> memref<8xi32> {
  %a = memref.cast %m : memref<?xi32> to memref<4xi32>
  %d = memref.cast %a : memref<4xi32> to memref<?xi32>
  %3 = memref.cast %d : memref<?xi32> to memref<8xi32>
  return %3 : memref<8xi32>
}

// CHECK-NEXT:   func.func @through_ranked(%arg0: memref<*xi32>) -> memref<*xi32> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<*xi32> to memref<4xi32>
// CHECK-NEXT:     %cast_0 = memref.cast %cast : memref<4xi32> to memref<*xi32>
// CHECK-NEXT:     return %cast_0 : memref<*xi32>
// CHECK-NEXT:   }
func.func @through_ranked(%m: memref<*xi32>) -> memref<*xi32> {
  %a = memref.cast %m : memref<*xi32> to memref<4xi32>
  %d = memref.cast %a : memref<4xi32> to memref<*xi32>
  return %d : memref<*xi32>
}

// CHECK-NEXT:   func.func @to_ranked(%arg0: memref<*xi32>) -> memref<?xi32> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<*xi32> to memref<4xi32>
// CHECK-NEXT:     %cast_0 = memref.cast %cast : memref<4xi32> to memref<?xi32>
// CHECK-NEXT:     return %cast_0 : memref<?xi32>
// CHECK-NEXT:   }
func.func @to_ranked(%m: memref<*xi32>) -> memref<?xi32> {
  %a = memref.cast %m : memref<*xi32> to memref<4xi32>
  %d = memref.cast %a : memref<4xi32> to memref<?xi32>
  return %d : memref<?xi32>
}

// CHECK-NEXT:   func.func @copies_of_casts(%arg0: memref<4xi32>, %arg1: memref<?xi32>) {
// CHECK-NEXT:     %cast = memref.cast %arg1 : memref<?xi32> to memref<4xi32>
// CHECK-NEXT:     memref.copy %arg0, %cast : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copies_of_casts(%m: memref<4xi32>, %other: memref<?xi32>) {
  %a = memref.cast %m : memref<4xi32> to memref<?xi32>
  %b = memref.cast %other : memref<?xi32> to memref<4xi32>
  memref.copy %a, %b : memref<?xi32> to memref<4xi32>
  return
}

// CHECK-NEXT:   func.func @subview_stride_of_zero(%arg0: memref<?xi32>, %arg1: index) -> memref<?xi32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c-2 = arith.constant -2 : index
// CHECK-NEXT:     %subview = memref.subview %arg0[%c-2] [%arg1] [%c0] : memref<?xi32> to memref<?xi32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %subview : memref<?xi32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_stride_of_zero(%m: memref<?xi32>, %n: index) -> memref<?xi32, strided<[?], offset: ?>> {
  %z = arith.constant 0 : index
  %low = arith.constant -2 : index
  %a = memref.subview %m[%low] [%n] [%z] : memref<?xi32> to memref<?xi32, strided<[?], offset: ?>>
  return %a : memref<?xi32, strided<[?], offset: ?>>
}

// CHECK-NEXT:   func.func @subview_negative_stride(%arg0: memref<?xi32>, %arg1: index) -> memref<?xi32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg1] [%arg1] [-2] : memref<?xi32> to memref<?xi32, strided<[-2], offset: ?>>
// CHECK-NEXT:     %cast = memref.cast %subview : memref<?xi32, strided<[-2], offset: ?>> to memref<?xi32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %cast : memref<?xi32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_negative_stride(%m: memref<?xi32>, %n: index) -> memref<?xi32, strided<[?], offset: ?>> {
  %low = arith.constant -2 : index
  %a = memref.subview %m[%n] [%n] [%low] : memref<?xi32> to memref<?xi32, strided<[?], offset: ?>>
  return %a : memref<?xi32, strided<[?], offset: ?>>
}

// CHECK-NEXT:   func.func @subview_drops_one_of_two(%arg0: memref<1x1x4xi32>, %arg1: index) -> memref<1x4xi32, strided<[4, 1], offset: ?>> {
// CHECK-NEXT:     %subview = memref.subview %arg0[0, 0, 0] [1, 1, 4] [1, 1, 1] : memref<1x1x4xi32> to memref<1x4xi32, strided<[4, 1]>>
// CHECK-NEXT:     %cast = memref.cast %subview : memref<1x4xi32, strided<[4, 1]>> to memref<1x4xi32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:     return %cast : memref<1x4xi32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_drops_one_of_two(%m: memref<1x1x4xi32>, %n: index) -> memref<1x4xi32, strided<[4, 1], offset: ?>> {
  %c0 = arith.constant 0 : index
  %a = memref.subview %m[%c0, 0, 0] [1, 1, 4] [1, 1, 1] : memref<1x1x4xi32> to memref<1x4xi32, strided<[4, 1], offset: ?>>
  return %a : memref<1x4xi32, strided<[4, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @subview_drops(%arg0: memref<8x1x4xi32>, %arg1: index) -> memref<1x4xi32, strided<[4, 1], offset: ?>> {
// CHECK-NEXT:     %subview = memref.subview %arg0[3, 0, 0] [1, 1, 4] [2, 1, 1] : memref<8x1x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 12>>
// CHECK-NEXT:     %cast = memref.cast %subview : memref<1x4xi32, strided<[4, 1], offset: 12>> to memref<1x4xi32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:     return %cast : memref<1x4xi32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_drops(%m: memref<8x1x4xi32>, %n: index) -> memref<1x4xi32, strided<[4, 1], offset: ?>> {
  %c3 = arith.constant 3 : index
  %a = memref.subview %m[%c3, 0, 0] [1, 1, 4] [2, 1, 1] : memref<8x1x4xi32> to memref<1x4xi32, strided<[4, 1], offset: ?>>
  return %a : memref<1x4xi32, strided<[4, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @subview_of_cast(%arg0: memref<16x16xf32>, %arg1: index) -> memref<3x4xf32, strided<[?, 1], offset: ?>> {
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg1, 0] [3, 4] [1, 1] : memref<16x16xf32> to memref<3x4xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT:     %cast = memref.cast %subview : memref<3x4xf32, strided<[16, 1], offset: ?>> to memref<3x4xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:     return %cast : memref<3x4xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_of_cast(%m: memref<16x16xf32>, %i: index) -> memref<3x4xf32, strided<[?, 1], offset: ?>> {
  %a = memref.cast %m : memref<16x16xf32> to memref<?x?xf32>
  %d = memref.subview %a[%i, 0] [3, 4] [1, 1] : memref<?x?xf32> to memref<3x4xf32, strided<[?, 1], offset: ?>>
  return %d : memref<3x4xf32, strided<[?, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @subview_of_cast_drops(%arg0: memref<16x16xf32>, %arg1: index) -> memref<4xf32, strided<[1], offset: ?>> {
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg1, 0] [1, 4] [1, 1] : memref<16x16xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     return %subview : memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_of_cast_drops(%m: memref<16x16xf32>, %i: index) -> memref<4xf32, strided<[1], offset: ?>> {
  %a = memref.cast %m : memref<16x16xf32> to memref<?x?xf32>
  %d = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<?x?xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %d : memref<4xf32, strided<[1], offset: ?>>
}

// CHECK-NEXT:   func.func @subview_of_subview(%arg0: memref<16xf32>, %arg1: index, %arg2: index) -> memref<?xf32, strided<[1], offset: ?>> {
// CHECK-NEXT:     %subview = memref.subview %arg0[%arg1] [%arg2] [1] : memref<16xf32> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     return %subview : memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:   }
func.func @subview_of_subview(%m: memref<16xf32>, %i: index, %n: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %a = memref.subview %m[%i] [%n] [1] : memref<16xf32> to memref<?xf32, strided<[1], offset: ?>>
  %d = memref.subview %a[0] [%n] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  return %d : memref<?xf32, strided<[1], offset: ?>>
}

// CHECK-NEXT:   func.func @whole_subview(%arg0: memref<16xf32, strided<[1], offset: 4>>) -> memref<16xf32, strided<[1], offset: 4>> {
// CHECK-NEXT:     return %arg0 : memref<16xf32, strided<[1], offset: 4>>
// CHECK-NEXT:   }
func.func @whole_subview(%m: memref<16xf32, strided<[1], offset: 4>>) -> memref<16xf32, strided<[1], offset: 4>> {
  %d = memref.subview %m[0] [16] [1] : memref<16xf32, strided<[1], offset: 4>> to memref<16xf32, strided<[1], offset: 4>>
  return %d : memref<16xf32, strided<[1], offset: 4>>
}

// CHECK-NEXT:   func.func @reinterpret_base(%arg0: memref<128x64xi32>) -> memref<16x8x2x32xi32> {
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [16, 8, 2, 32], strides: [512, 64, 32, 1] : memref<128x64xi32> to memref<16x8x2x32xi32>
// CHECK-NEXT:     return %reinterpret_cast : memref<16x8x2x32xi32>
// CHECK-NEXT:   }
func.func @reinterpret_base(%m: memref<128x64xi32>) -> memref<16x8x2x32xi32> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<128x64xi32> -> memref<i32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [0], sizes: [16, 8, 2, 32], strides: [512, 64, 32, 1] : memref<i32> to memref<16x8x2x32xi32>
  return %r : memref<16x8x2x32xi32>
}

// CHECK-NEXT:   func.func @reinterpret_same(%arg0: memref<?x64xi32, strided<[?, 1], offset: ?>>) -> memref<?x64xi32, strided<[?, 1], offset: ?>> {
// CHECK-NEXT:     return %arg0 : memref<?x64xi32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @reinterpret_same(%m: memref<?x64xi32, strided<[?, 1], offset: ?>>) -> memref<?x64xi32, strided<[?, 1], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x64xi32, strided<[?, 1], offset: ?>> -> memref<i32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [%o], sizes: [%s#0, 64], strides: [%t#0, 1] : memref<i32> to memref<?x64xi32, strided<[?, 1], offset: ?>>
  return %r : memref<?x64xi32, strided<[?, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @reinterpret_other_size(%arg0: memref<?x64xi32, strided<[?, 1], offset: ?>>, %arg1: index) -> memref<?x64xi32, strided<[?, 1], offset: ?>> {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x64xi32, strided<[?, 1], offset: ?>> -> memref<i32>, index, index, index, index, index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [%offset], sizes: [%arg1, 64], strides: [%strides#0, 1] : memref<?x64xi32, strided<[?, 1], offset: ?>> to memref<?x64xi32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:     return %reinterpret_cast : memref<?x64xi32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:   }
func.func @reinterpret_other_size(%m: memref<?x64xi32, strided<[?, 1], offset: ?>>, %n: index) -> memref<?x64xi32, strided<[?, 1], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : memref<?x64xi32, strided<[?, 1], offset: ?>> -> memref<i32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [%o], sizes: [%n, 64], strides: [%t#0, 1] : memref<i32> to memref<?x64xi32, strided<[?, 1], offset: ?>>
  return %r : memref<?x64xi32, strided<[?, 1], offset: ?>>
}

// CHECK-NEXT:   func.func @reinterpret_nothing(%arg0: memref<8xi32>) -> memref<8xi32> {
// CHECK-NEXT:     return %arg0 : memref<8xi32>
// CHECK-NEXT:   }
func.func @reinterpret_nothing(%m: memref<8xi32>) -> memref<8xi32> {
  %r = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<8xi32> to memref<8xi32>
  return %r : memref<8xi32>
}

// CHECK-NEXT:   func.func @metadata_of_cast(%arg0: memref<4x8xi32, strided<[8, 1], offset: 5>>) -> (memref<i32>, index, index, index, index, index) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x8xi32, strided<[8, 1], offset: 5>> -> memref<i32>, index, index, index, index, index
// CHECK-NEXT:     return %base_buffer, %c5, %c4, %c8, %c8, %c1 : memref<i32>, index, index, index, index, index
// CHECK-NEXT:   }
func.func @metadata_of_cast(%m: memref<4x8xi32, strided<[8, 1], offset: 5>>) -> (memref<i32>, index, index, index, index, index) {
  %a = memref.cast %m : memref<4x8xi32, strided<[8, 1], offset: 5>> to memref<?x8xi32, strided<[?, 1], offset: ?>>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<?x8xi32, strided<[?, 1], offset: ?>> -> memref<i32>, index, index, index, index, index
  return %b, %o, %s#0, %s#1, %t#0, %t#1 : memref<i32>, index, index, index, index, index
}

// CHECK-NEXT:   func.func @alignments(%arg0: memref<8xi32>) -> memref<8xi32> {
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg0, 16 : memref<8xi32>
// CHECK-NEXT:     %assume_align_0 = memref.assume_alignment %assume_align, 32 : memref<8xi32>
// CHECK-NEXT:     return %assume_align_0 : memref<8xi32>
// CHECK-NEXT:   }
func.func @alignments(%m: memref<8xi32>) -> memref<8xi32> {
  %a = memref.assume_alignment %m, 16 : memref<8xi32>
  %b = memref.assume_alignment %a, 16 : memref<8xi32>
  %c = memref.assume_alignment %b, 32 : memref<8xi32>
  return %c : memref<8xi32>
}

// CHECK-NEXT:   func.func @reinterpret_negative_stride(%arg0: memref<?xi32>, %arg1: index) -> memref<?xi32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [%arg1], sizes: [%arg1], strides: [-3] : memref<?xi32> to memref<?xi32, strided<[-3], offset: ?>>
// CHECK-NEXT:     %cast = memref.cast %reinterpret_cast : memref<?xi32, strided<[-3], offset: ?>> to memref<?xi32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %cast : memref<?xi32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @reinterpret_negative_stride(%m: memref<?xi32>, %n: index) -> memref<?xi32, strided<[?], offset: ?>> {
  %stride = arith.constant -3 : index
  %r = memref.reinterpret_cast %m to offset: [%n], sizes: [%n], strides: [%stride] : memref<?xi32> to memref<?xi32, strided<[?], offset: ?>>
  return %r : memref<?xi32, strided<[?], offset: ?>>
}

// CHECK-NEXT:   func.func @view_of_cast(%arg0: memref<128xi8>, %arg1: index) -> memref<8xi32> {
// CHECK-NEXT:     %view = memref.view %arg0[%arg1][] : memref<128xi8> to memref<8xi32>
// CHECK-NEXT:     return %view : memref<8xi32>
// CHECK-NEXT:   }
func.func @view_of_cast(%m: memref<128xi8>, %o: index) -> memref<8xi32> {
  %a = memref.cast %m : memref<128xi8> to memref<?xi8>
  %b = memref.view %a[%o][] : memref<?xi8> to memref<8xi32>
  return %b : memref<8xi32>
}

// CHECK-NEXT:   func.func @constant_size_out_of_bounds(%arg0: memref<10xf32>) -> memref<?xf32, strided<[1], offset: 4>> {
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %subview = memref.subview %arg0[4] [%c9] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: 4>>
// CHECK-NEXT:     return %subview : memref<?xf32, strided<[1], offset: 4>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constant_size_out_of_bounds(%m: memref<10xf32>) -> memref<?xf32, strided<[1], offset: 4>> {
  %size = arith.constant 9 : index
  %a = memref.subview %m[4] [%size] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: 4>>
  return %a : memref<?xf32, strided<[1], offset: 4>>
}
