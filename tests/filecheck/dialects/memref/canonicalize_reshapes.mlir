// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @expand_of_collapse(%arg0: memref<128x64xi32>) -> memref<1x1x128x64xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1, 2], [3]] output_shape [1, 1, 128, 64] : memref<128x64xi32> into memref<1x1x128x64xi32>
// CHECK-NEXT:     return %expand_shape : memref<1x1x128x64xi32>
// CHECK-NEXT:   }
func.func @expand_of_collapse(%m: memref<128x64xi32>) -> memref<1x1x128x64xi32> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<128x64xi32> into memref<8192xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3]] output_shape [1, 1, 128, 64] : memref<8192xi32> into memref<1x1x128x64xi32>
  return %b : memref<1x1x128x64xi32>
}

// CHECK-NEXT:   func.func @collapse_of_more(%arg0: memref<1x1x128x64xi32>) -> memref<128x64xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1, 2], [3]] : memref<1x1x128x64xi32> into memref<128x64xi32>
// CHECK-NEXT:     return %collapse_shape : memref<128x64xi32>
// CHECK-NEXT:   }
func.func @collapse_of_more(%m: memref<1x1x128x64xi32>) -> memref<128x64xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2, 3]] : memref<1x1x128x64xi32> into memref<8192xi32>
  %b = memref.expand_shape %a [[0, 1]] output_shape [128, 64] : memref<8192xi32> into memref<128x64xi32>
  return %b : memref<128x64xi32>
}

// CHECK-NEXT:   func.func @no_group_holds_the_other(%arg0: memref<?x4x5x6xi32>, %arg1: index) -> memref<?x20x2x3xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1, 2], [3]] : memref<?x4x5x6xi32> into memref<?x6xi32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %collapse_shape {{\[\[}}0, 1], [2, 3]] output_shape [%arg1, 20, 2, 3] : memref<?x6xi32> into memref<?x20x2x3xi32>
// CHECK-NEXT:     return %expand_shape : memref<?x20x2x3xi32>
// CHECK-NEXT:   }
func.func @no_group_holds_the_other(%m: memref<?x4x5x6xi32>, %n: index) -> memref<?x20x2x3xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2], [3]] : memref<?x4x5x6xi32> into memref<?x6xi32>
  %b = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [%n, 20, 2, 3] : memref<?x6xi32> into memref<?x20x2x3xi32>
  return %b : memref<?x20x2x3xi32>
}

// CHECK-NEXT:   func.func @dynamic_size(%arg0: memref<?x4x5x6xi32>, %arg1: index) -> memref<?x20x6xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0], [1, 2], [3]] : memref<?x4x5x6xi32> into memref<?x20x6xi32>
// CHECK-NEXT:     return %collapse_shape : memref<?x20x6xi32>
// CHECK-NEXT:   }
func.func @dynamic_size(%m: memref<?x4x5x6xi32>, %n: index) -> memref<?x20x6xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2], [3]] : memref<?x4x5x6xi32> into memref<?x6xi32>
  %b = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 20, 6] : memref<?x6xi32> into memref<?x20x6xi32>
  return %b : memref<?x20x6xi32>
}

// CHECK-NEXT:   func.func @other_order(%arg0: memref<2x4x6xi32>) -> memref<4x2x6xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : memref<2x4x6xi32> into memref<8x6xi32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %collapse_shape {{\[\[}}0, 1], [2]] output_shape [4, 2, 6] : memref<8x6xi32> into memref<4x2x6xi32>
// CHECK-NEXT:     return %expand_shape : memref<4x2x6xi32>
// CHECK-NEXT:   }
func.func @other_order(%m: memref<2x4x6xi32>) -> memref<4x2x6xi32> {
  %a = memref.collapse_shape %m [[0, 1], [2]] : memref<2x4x6xi32> into memref<8x6xi32>
  %b = memref.expand_shape %a [[0, 1], [2]] output_shape [4, 2, 6] : memref<8x6xi32> into memref<4x2x6xi32>
  return %b : memref<4x2x6xi32>
}

// CHECK-NEXT:   func.func @rank_0_between(%arg0: memref<1x1xi32>) -> memref<1xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<1x1xi32> into memref<1xi32>
// CHECK-NEXT:     return %collapse_shape : memref<1xi32>
// CHECK-NEXT:   }
func.func @rank_0_between(%m: memref<1x1xi32>) -> memref<1xi32> {
  %a = memref.collapse_shape %m [] : memref<1x1xi32> into memref<i32>
  %b = memref.expand_shape %a [] output_shape [1] : memref<i32> into memref<1xi32>
  return %b : memref<1xi32>
}

// CHECK-NEXT:   func.func @rank_0_between_larger(%arg0: memref<1xi32>) -> memref<1x1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [1, 1] : memref<1xi32> into memref<1x1xi32>
// CHECK-NEXT:     return %expand_shape : memref<1x1xi32>
// CHECK-NEXT:   }
func.func @rank_0_between_larger(%m: memref<1xi32>) -> memref<1x1xi32> {
  %a = memref.collapse_shape %m [] : memref<1xi32> into memref<i32>
  %b = memref.expand_shape %a [] output_shape [1, 1] : memref<i32> into memref<1x1xi32>
  return %b : memref<1x1xi32>
}

// CHECK-NEXT:   func.func @strided_and_back(%arg0: memref<4x6xi32, strided<[12, 2], offset: 3>>) -> memref<4x6xi32, strided<[12, 2], offset: 3>> {
// CHECK-NEXT:     return %arg0 : memref<4x6xi32, strided<[12, 2], offset: 3>>
// CHECK-NEXT:   }
func.func @strided_and_back(%m: memref<4x6xi32, strided<[12, 2], offset: 3>>) -> memref<4x6xi32, strided<[12, 2], offset: 3>> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<4x6xi32, strided<[12, 2], offset: 3>> into memref<24xi32, strided<[2], offset: 3>>
  %b = memref.expand_shape %a [[0, 1]] output_shape [4, 6] : memref<24xi32, strided<[2], offset: 3>> into memref<4x6xi32, strided<[12, 2], offset: 3>>
  return %b : memref<4x6xi32, strided<[12, 2], offset: 3>>
}

// CHECK-NEXT:   func.func @strided_stays(%arg0: memref<4x1x6xi32, strided<[12, 77, 2], offset: 3>>) -> memref<4x1x6xi32, strided<[12, 12, 2], offset: 3>> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1, 2]] : memref<4x1x6xi32, strided<[12, 77, 2], offset: 3>> into memref<24xi32, strided<[2], offset: 3>>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %collapse_shape {{\[\[}}0, 1, 2]] output_shape [4, 1, 6] : memref<24xi32, strided<[2], offset: 3>> into memref<4x1x6xi32, strided<[12, 12, 2], offset: 3>>
// CHECK-NEXT:     return %expand_shape : memref<4x1x6xi32, strided<[12, 12, 2], offset: 3>>
// CHECK-NEXT:   }
func.func @strided_stays(%m: memref<4x1x6xi32, strided<[12, 77, 2], offset: 3>>) -> memref<4x1x6xi32, strided<[12, 12, 2], offset: 3>> {
  %a = memref.collapse_shape %m [[0, 1, 2]] : memref<4x1x6xi32, strided<[12, 77, 2], offset: 3>> into memref<24xi32, strided<[2], offset: 3>>
  %b = memref.expand_shape %a [[0, 1, 2]] output_shape [4, 1, 6] : memref<24xi32, strided<[2], offset: 3>> into memref<4x1x6xi32, strided<[12, 12, 2], offset: 3>>
  return %b : memref<4x1x6xi32, strided<[12, 12, 2], offset: 3>>
}

// CHECK-NEXT:   func.func @collapse_of_expand(%arg0: memref<8x6xi32>) -> memref<48xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<8x6xi32> into memref<48xi32>
// CHECK-NEXT:     return %collapse_shape : memref<48xi32>
// CHECK-NEXT:   }
func.func @collapse_of_expand(%m: memref<8x6xi32>) -> memref<48xi32> {
  %a = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 4, 3, 2] : memref<8x6xi32> into memref<2x4x3x2xi32>
  %b = memref.collapse_shape %a [[0, 1, 2, 3]] : memref<2x4x3x2xi32> into memref<48xi32>
  return %b : memref<48xi32>
}

// CHECK-NEXT:   func.func @still_expands(%arg0: memref<48xi32>) -> memref<8x6xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [8, 6] : memref<48xi32> into memref<8x6xi32>
// CHECK-NEXT:     return %expand_shape : memref<8x6xi32>
// CHECK-NEXT:   }
func.func @still_expands(%m: memref<48xi32>) -> memref<8x6xi32> {
  %a = memref.expand_shape %m [[0, 1, 2, 3]] output_shape [2, 4, 3, 2] : memref<48xi32> into memref<2x4x3x2xi32>
  %b = memref.collapse_shape %a [[0, 1], [2, 3]] : memref<2x4x3x2xi32> into memref<8x6xi32>
  return %b : memref<8x6xi32>
}

// CHECK-NEXT:   func.func @still_expands_dynamic(%arg0: memref<?xi32>, %arg1: index, %arg2: index) -> memref<?x?xi32> {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = arith.muli %arg1, %c4 : index
// CHECK-NEXT:     %1 = arith.muli %arg2, %c2 : index
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [%0, %1] : memref<?xi32> into memref<?x?xi32>
// CHECK-NEXT:     return %expand_shape : memref<?x?xi32>
// CHECK-NEXT:   }
func.func @still_expands_dynamic(%m: memref<?xi32>, %p: index, %q: index) -> memref<?x?xi32> {
  %a = memref.expand_shape %m [[0, 1, 2, 3]] output_shape [%p, 4, %q, 2] : memref<?xi32> into memref<?x4x?x2xi32>
  %b = memref.collapse_shape %a [[0, 1], [2, 3]] : memref<?x4x?x2xi32> into memref<?x?xi32>
  return %b : memref<?x?xi32>
}

// CHECK-NEXT:   func.func @groups_cross(%arg0: memref<8x6xi32>) -> memref<4x12xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [4, 2, 6] : memref<8x6xi32> into memref<4x2x6xi32>
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %expand_shape {{\[\[}}0], [1, 2]] : memref<4x2x6xi32> into memref<4x12xi32>
// CHECK-NEXT:     return %collapse_shape : memref<4x12xi32>
// CHECK-NEXT:   }
func.func @groups_cross(%m: memref<8x6xi32>) -> memref<4x12xi32> {
  %a = memref.expand_shape %m [[0, 1], [2]] output_shape [4, 2, 6] : memref<8x6xi32> into memref<4x2x6xi32>
  %b = memref.collapse_shape %a [[0], [1, 2]] : memref<4x2x6xi32> into memref<4x12xi32>
  return %b : memref<4x12xi32>
}

// CHECK-NEXT:   func.func @rank_0_source(%arg0: memref<i32>) -> memref<1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 [] output_shape [1] : memref<i32> into memref<1xi32>
// CHECK-NEXT:     return %expand_shape : memref<1xi32>
// CHECK-NEXT:   }
func.func @rank_0_source(%m: memref<i32>) -> memref<1xi32> {
  %a = memref.expand_shape %m [] output_shape [1, 1] : memref<i32> into memref<1x1xi32>
  %b = memref.collapse_shape %a [[0, 1]] : memref<1x1xi32> into memref<1xi32>
  return %b : memref<1xi32>
}

// CHECK-NEXT:   func.func @expand_and_back(%arg0: memref<?x?xi32>, %arg1: index, %arg2: index, %arg3: index) -> memref<?x?xi32> {
// CHECK-NEXT:     return %arg0 : memref<?x?xi32>
// CHECK-NEXT:   }
func.func @expand_and_back(%m: memref<?x?xi32>, %p: index, %q: index, %c: index) -> memref<?x?xi32> {
  %a = memref.expand_shape %m [[0, 1], [2]] output_shape [%p, %q, %c] : memref<?x?xi32> into memref<?x?x?xi32>
  %b = memref.collapse_shape %a [[0, 1], [2]] : memref<?x?x?xi32> into memref<?x?xi32>
  return %b : memref<?x?xi32>
}

// CHECK-NEXT:   func.func @collapse_of_collapse(%arg0: memref<2x3x4x5xi32>) -> memref<120xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1, 2, 3]] : memref<2x3x4x5xi32> into memref<120xi32>
// CHECK-NEXT:     return %collapse_shape : memref<120xi32>
// CHECK-NEXT:   }
func.func @collapse_of_collapse(%m: memref<2x3x4x5xi32>) -> memref<120xi32> {
  %a = memref.collapse_shape %m [[0, 1], [2, 3]] : memref<2x3x4x5xi32> into memref<6x20xi32>
  %b = memref.collapse_shape %a [[0, 1]] : memref<6x20xi32> into memref<120xi32>
  return %b : memref<120xi32>
}

// CHECK-NEXT:   func.func @collapse_to_rank_0(%arg0: memref<1x1x1xi32>) -> memref<i32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 [] : memref<1x1x1xi32> into memref<i32>
// CHECK-NEXT:     return %collapse_shape : memref<i32>
// CHECK-NEXT:   }
func.func @collapse_to_rank_0(%m: memref<1x1x1xi32>) -> memref<i32> {
  %a = memref.collapse_shape %m [[0, 1, 2]] : memref<1x1x1xi32> into memref<1xi32>
  %b = memref.collapse_shape %a [] : memref<1xi32> into memref<i32>
  return %b : memref<i32>
}

// CHECK-NEXT:   func.func @strided_collapses_stay(%arg0: memref<2x3x4xi32, strided<[24, 8, 2]>>) -> memref<24xi32, strided<[2]>> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : memref<2x3x4xi32, strided<[24, 8, 2]>> into memref<6x4xi32, strided<[8, 2]>>
// CHECK-NEXT:     %collapse_shape_0 = memref.collapse_shape %collapse_shape {{\[\[}}0, 1]] : memref<6x4xi32, strided<[8, 2]>> into memref<24xi32, strided<[2]>>
// CHECK-NEXT:     return %collapse_shape_0 : memref<24xi32, strided<[2]>>
// CHECK-NEXT:   }
func.func @strided_collapses_stay(%m: memref<2x3x4xi32, strided<[24, 8, 2]>>) -> memref<24xi32, strided<[2]>> {
  %a = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xi32, strided<[24, 8, 2]>> into memref<6x4xi32, strided<[8, 2]>>
  %b = memref.collapse_shape %a [[0, 1]] : memref<6x4xi32, strided<[8, 2]>> into memref<24xi32, strided<[2]>>
  return %b : memref<24xi32, strided<[2]>>
}

// CHECK-NEXT:   func.func @expand_of_expand(%arg0: memref<24xi32>) -> memref<2x3x2x2xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1, 2, 3]] output_shape [2, 3, 2, 2] : memref<24xi32> into memref<2x3x2x2xi32>
// CHECK-NEXT:     return %expand_shape : memref<2x3x2x2xi32>
// CHECK-NEXT:   }
func.func @expand_of_expand(%m: memref<24xi32>) -> memref<2x3x2x2xi32> {
  %a = memref.expand_shape %m [[0, 1]] output_shape [6, 4] : memref<24xi32> into memref<6x4xi32>
  %b = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 3, 2, 2] : memref<6x4xi32> into memref<2x3x2x2xi32>
  return %b : memref<2x3x2x2xi32>
}

// CHECK-NEXT:   func.func @expand_from_rank_0(%arg0: memref<i32>) -> memref<1x1x1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 [] output_shape [1, 1, 1] : memref<i32> into memref<1x1x1xi32>
// CHECK-NEXT:     return %expand_shape : memref<1x1x1xi32>
// CHECK-NEXT:   }
func.func @expand_from_rank_0(%m: memref<i32>) -> memref<1x1x1xi32> {
  %a = memref.expand_shape %m [] output_shape [1] : memref<i32> into memref<1xi32>
  %b = memref.expand_shape %a [[0, 1, 2]] output_shape [1, 1, 1] : memref<1xi32> into memref<1x1x1xi32>
  return %b : memref<1x1x1xi32>
}

// CHECK-NEXT:   func.func @collapse_of_cast(%arg0: memref<4x8xi32>) -> memref<?xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<4x8xi32> into memref<32xi32>
// CHECK-NEXT:     %cast = memref.cast %collapse_shape : memref<32xi32> to memref<?xi32>
// CHECK-NEXT:     return %cast : memref<?xi32>
// CHECK-NEXT:   }
func.func @collapse_of_cast(%m: memref<4x8xi32>) -> memref<?xi32> {
  %a = memref.cast %m : memref<4x8xi32> to memref<?x8xi32>
  %b = memref.collapse_shape %a [[0, 1]] : memref<?x8xi32> into memref<?xi32>
  return %b : memref<?xi32>
}

// CHECK-NEXT:   func.func @expand_of_cast_stays(%arg0: memref<32xi32>, %arg1: index) -> memref<?x8xi32> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<32xi32> to memref<?xi32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %cast {{\[\[}}0, 1]] output_shape [%arg1, 8] : memref<?xi32> into memref<?x8xi32>
// CHECK-NEXT:     return %expand_shape : memref<?x8xi32>
// CHECK-NEXT:   }
func.func @expand_of_cast_stays(%m: memref<32xi32>, %n: index) -> memref<?x8xi32> {
  %a = memref.cast %m : memref<32xi32> to memref<?xi32>
  %b = memref.expand_shape %a [[0, 1]] output_shape [%n, 8] : memref<?xi32> into memref<?x8xi32>
  return %b : memref<?x8xi32>
}

// CHECK-NEXT:   func.func @constant_shape_stays(%arg0: memref<?xi32>) -> memref<?x8xi32> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [%c4, 8] : memref<?xi32> into memref<?x8xi32>
// CHECK-NEXT:     return %expand_shape : memref<?x8xi32>
// CHECK-NEXT:   }
func.func @constant_shape_stays(%m: memref<?xi32>) -> memref<?x8xi32> {
  %n = arith.constant 4 : index
  %b = memref.expand_shape %m [[0, 1]] output_shape [%n, 8] : memref<?xi32> into memref<?x8xi32>
  return %b : memref<?x8xi32>
}

// CHECK-NEXT:   func.func @strided_expands_stay(%arg0: memref<2x8x6xf32, strided<[6, 12, 1]>>) -> memref<2x2x4x2x3xf32, strided<[6, 48, 12, 3, 1]>> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1], [2, 3]] output_shape [2, 8, 2, 3] : memref<2x8x6xf32, strided<[6, 12, 1]>> into memref<2x8x2x3xf32, strided<[6, 12, 3, 1]>>
// CHECK-NEXT:     %expand_shape_0 = memref.expand_shape %expand_shape {{\[\[}}0], [1, 2], [3], [4]] output_shape [2, 2, 4, 2, 3] : memref<2x8x2x3xf32, strided<[6, 12, 3, 1]>> into memref<2x2x4x2x3xf32, strided<[6, 48, 12, 3, 1]>>
// CHECK-NEXT:     return %expand_shape_0 : memref<2x2x4x2x3xf32, strided<[6, 48, 12, 3, 1]>>
// CHECK-NEXT:   }
func.func @strided_expands_stay(%m: memref<2x8x6xf32, strided<[6, 12, 1]>>) -> memref<2x2x4x2x3xf32, strided<[6, 48, 12, 3, 1]>> {
  %a = memref.expand_shape %m [[0], [1], [2, 3]] output_shape [2, 8, 2, 3] : memref<2x8x6xf32, strided<[6, 12, 1]>> into memref<2x8x2x3xf32, strided<[6, 12, 3, 1]>>
  %b = memref.expand_shape %a [[0], [1, 2], [3], [4]] output_shape [2, 2, 4, 2, 3] : memref<2x8x2x3xf32, strided<[6, 12, 3, 1]>> into memref<2x2x4x2x3xf32, strided<[6, 48, 12, 3, 1]>>
  return %b : memref<2x2x4x2x3xf32, strided<[6, 48, 12, 3, 1]>>
}

// CHECK-NEXT:   func.func @expand_of_cast(%arg0: memref<12x4xf32>) -> memref<?x3x4xf32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [4, 3, 4] : memref<12x4xf32> into memref<4x3x4xf32>
// CHECK-NEXT:     %cast = memref.cast %expand_shape : memref<4x3x4xf32> to memref<?x3x4xf32>
// CHECK-NEXT:     return %cast : memref<?x3x4xf32>
// CHECK-NEXT:   }
func.func @expand_of_cast(%m: memref<12x4xf32>) -> memref<?x3x4xf32> {
  %n = arith.constant 4 : index
  %a = memref.cast %m : memref<12x4xf32> to memref<?x4xf32>
  %b = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 3, 4] : memref<?x4xf32> into memref<?x3x4xf32>
  return %b : memref<?x3x4xf32>
}

// CHECK-NEXT:   func.func @expand_of_cast_would_be_dynamic(%arg0: memref<12x4xf32>, %arg1: index) -> memref<?x3x4xf32> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<12x4xf32> to memref<?x4xf32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %cast {{\[\[}}0, 1], [2]] output_shape [%arg1, 3, 4] : memref<?x4xf32> into memref<?x3x4xf32>
// CHECK-NEXT:     return %expand_shape : memref<?x3x4xf32>
// CHECK-NEXT:   }
func.func @expand_of_cast_would_be_dynamic(%m: memref<12x4xf32>, %n: index) -> memref<?x3x4xf32> {
  %a = memref.cast %m : memref<12x4xf32> to memref<?x4xf32>
  %b = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 3, 4] : memref<?x4xf32> into memref<?x3x4xf32>
  return %b : memref<?x3x4xf32>
}

// CHECK-NEXT:   func.func @expand_of_cast_of_layout(%arg0: memref<12x4xf32>) -> memref<4x3x4xf32, strided<[?, ?, ?], offset: ?>> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [4, 3, 4] : memref<12x4xf32> into memref<4x3x4xf32>
// CHECK-NEXT:     %cast = memref.cast %expand_shape : memref<4x3x4xf32> to memref<4x3x4xf32, strided<[?, ?, ?], offset: ?>>
// CHECK-NEXT:     return %cast : memref<4x3x4xf32, strided<[?, ?, ?], offset: ?>>
// CHECK-NEXT:   }
func.func @expand_of_cast_of_layout(%m: memref<12x4xf32>) -> memref<4x3x4xf32, strided<[?, ?, ?], offset: ?>> {
  %a = memref.cast %m : memref<12x4xf32> to memref<12x4xf32, strided<[?, ?], offset: ?>>
  %b = memref.expand_shape %a [[0, 1], [2]] output_shape [4, 3, 4] : memref<12x4xf32, strided<[?, ?], offset: ?>> into memref<4x3x4xf32, strided<[?, ?, ?], offset: ?>>
  return %b : memref<4x3x4xf32, strided<[?, ?, ?], offset: ?>>
}

// CHECK-NEXT:   func.func @ones_in_front(%arg0: memref<1x1x128x64xi32>) -> memref<1x1x1x1x1x1x128x64xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1], [2, 3, 4, 5, 6], [7]] output_shape [1, 1, 1, 1, 1, 1, 128, 64] : memref<1x1x128x64xi32> into memref<1x1x1x1x1x1x128x64xi32>
// CHECK-NEXT:     return %expand_shape : memref<1x1x1x1x1x1x128x64xi32>
// CHECK-NEXT:   }
func.func @ones_in_front(%m: memref<1x1x128x64xi32>) -> memref<1x1x1x1x1x1x128x64xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2, 3]] : memref<1x1x128x64xi32> into memref<8192xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3, 4, 5, 6, 7]] output_shape [1, 1, 1, 1, 1, 1, 128, 64] : memref<8192xi32> into memref<1x1x1x1x1x1x128x64xi32>
  return %b : memref<1x1x1x1x1x1x128x64xi32>
}

// CHECK-NEXT:   func.func @ones_between(%arg0: memref<2x1x3xi32>) -> memref<2x1x1x3xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1], [2, 3]] output_shape [2, 1, 1, 3] : memref<2x1x3xi32> into memref<2x1x1x3xi32>
// CHECK-NEXT:     return %expand_shape : memref<2x1x1x3xi32>
// CHECK-NEXT:   }
func.func @ones_between(%m: memref<2x1x3xi32>) -> memref<2x1x1x3xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2]] : memref<2x1x3xi32> into memref<6xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3]] output_shape [2, 1, 1, 3] : memref<6xi32> into memref<2x1x1x3xi32>
  return %b : memref<2x1x1x3xi32>
}

// CHECK-NEXT:   func.func @ones_around(%arg0: memref<2x1x3xi32>) -> memref<1x2x1x3x1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2], [3, 4]] output_shape [1, 2, 1, 3, 1] : memref<2x1x3xi32> into memref<1x2x1x3x1xi32>
// CHECK-NEXT:     return %expand_shape : memref<1x2x1x3x1xi32>
// CHECK-NEXT:   }
func.func @ones_around(%m: memref<2x1x3xi32>) -> memref<1x2x1x3x1xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2]] : memref<2x1x3xi32> into memref<6xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3, 4]] output_shape [1, 2, 1, 3, 1] : memref<6xi32> into memref<1x2x1x3x1xi32>
  return %b : memref<1x2x1x3x1xi32>
}

// CHECK-NEXT:   func.func @only_ones(%arg0: memref<1x1x1xi32>) -> memref<1x1x1x1x1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1], [2, 3, 4]] output_shape [1, 1, 1, 1, 1] : memref<1x1x1xi32> into memref<1x1x1x1x1xi32>
// CHECK-NEXT:     return %expand_shape : memref<1x1x1x1x1xi32>
// CHECK-NEXT:   }
func.func @only_ones(%m: memref<1x1x1xi32>) -> memref<1x1x1x1x1xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2]] : memref<1x1x1xi32> into memref<1xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3, 4]] output_shape [1, 1, 1, 1, 1] : memref<1xi32> into memref<1x1x1x1x1xi32>
  return %b : memref<1x1x1x1x1xi32>
}

// CHECK-NEXT:   func.func @ones_around_a_dynamic_size(%arg0: memref<1x?x1xi32>, %arg1: index) -> memref<1x1x?x1x1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1, 2], [3, 4]] output_shape [1, 1, %arg1, 1, 1] : memref<1x?x1xi32> into memref<1x1x?x1x1xi32>
// CHECK-NEXT:     return %expand_shape : memref<1x1x?x1x1xi32>
// CHECK-NEXT:   }
func.func @ones_around_a_dynamic_size(%m: memref<1x?x1xi32>, %n: index) -> memref<1x1x?x1x1xi32> {
  %a = memref.collapse_shape %m [[0, 1, 2]] : memref<1x?x1xi32> into memref<?xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3, 4]] output_shape [1, 1, %n, 1, 1] : memref<?xi32> into memref<1x1x?x1x1xi32>
  return %b : memref<1x1x?x1x1xi32>
}

// CHECK-NEXT:   func.func @dynamic_first(%arg0: memref<?x6xi32>, %arg1: index) -> memref<?x2x3x1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1, 2, 3]] output_shape [%arg1, 2, 3, 1] : memref<?x6xi32> into memref<?x2x3x1xi32>
// CHECK-NEXT:     return %expand_shape : memref<?x2x3x1xi32>
// CHECK-NEXT:   }
func.func @dynamic_first(%m: memref<?x6xi32>, %n: index) -> memref<?x2x3x1xi32> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<?x6xi32> into memref<?xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3]] output_shape [%n, 2, 3, 1] : memref<?xi32> into memref<?x2x3x1xi32>
  return %b : memref<?x2x3x1xi32>
}

// CHECK-NEXT:   func.func @what_is_left_goes_to_the_dynamic_size(%arg0: memref<?x6xi32>, %arg1: index) -> memref<?x5x2x3x1xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2, 3, 4]] output_shape [%arg1, 5, 2, 3, 1] : memref<?x6xi32> into memref<?x5x2x3x1xi32>
// CHECK-NEXT:     return %expand_shape : memref<?x5x2x3x1xi32>
// CHECK-NEXT:   }
func.func @what_is_left_goes_to_the_dynamic_size(%m: memref<?x6xi32>, %n: index) -> memref<?x5x2x3x1xi32> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<?x6xi32> into memref<?xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3, 4]] output_shape [%n, 5, 2, 3, 1] : memref<?xi32> into memref<?x5x2x3x1xi32>
  return %b : memref<?x5x2x3x1xi32>
}

// CHECK-NEXT:   func.func @dynamic_last(%arg0: memref<6x?xi32>, %arg1: index) -> memref<2x3x5x?xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2, 3]] output_shape [2, 3, 5, %arg1] : memref<6x?xi32> into memref<2x3x5x?xi32>
// CHECK-NEXT:     return %expand_shape : memref<2x3x5x?xi32>
// CHECK-NEXT:   }
func.func @dynamic_last(%m: memref<6x?xi32>, %n: index) -> memref<2x3x5x?xi32> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<6x?xi32> into memref<?xi32>
  %b = memref.expand_shape %a [[0, 1, 2, 3]] output_shape [2, 3, 5, %n] : memref<?xi32> into memref<2x3x5x?xi32>
  return %b : memref<2x3x5x?xi32>
}

// CHECK-NEXT:   func.func @two_ways(%arg0: memref<?x2xi32>, %arg1: index) -> memref<?x2x2xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<?x2xi32> into memref<?xi32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %collapse_shape {{\[\[}}0, 1, 2]] output_shape [%arg1, 2, 2] : memref<?xi32> into memref<?x2x2xi32>
// CHECK-NEXT:     return %expand_shape : memref<?x2x2xi32>
// CHECK-NEXT:   }
func.func @two_ways(%m: memref<?x2xi32>, %n: index) -> memref<?x2x2xi32> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<?x2xi32> into memref<?xi32>
  %b = memref.expand_shape %a [[0, 1, 2]] output_shape [%n, 2, 2] : memref<?xi32> into memref<?x2x2xi32>
  return %b : memref<?x2x2xi32>
}

// CHECK-NEXT:   func.func @splits_the_last(%arg0: memref<4x6xi32>) -> memref<4x2x3xi32> {
// CHECK-NEXT:     %expand_shape = memref.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [4, 2, 3] : memref<4x6xi32> into memref<4x2x3xi32>
// CHECK-NEXT:     return %expand_shape : memref<4x2x3xi32>
// CHECK-NEXT:   }
func.func @splits_the_last(%m: memref<4x6xi32>) -> memref<4x2x3xi32> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<4x6xi32> into memref<24xi32>
  %b = memref.expand_shape %a [[0, 1, 2]] output_shape [4, 2, 3] : memref<24xi32> into memref<4x2x3xi32>
  return %b : memref<4x2x3xi32>
}

// CHECK-NEXT:   func.func @does_not_nest(%arg0: memref<6x4xi32>) -> memref<4x2x3xi32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<6x4xi32> into memref<24xi32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %collapse_shape {{\[\[}}0, 1, 2]] output_shape [4, 2, 3] : memref<24xi32> into memref<4x2x3xi32>
// CHECK-NEXT:     return %expand_shape : memref<4x2x3xi32>
// CHECK-NEXT:   }
func.func @does_not_nest(%m: memref<6x4xi32>) -> memref<4x2x3xi32> {
  %a = memref.collapse_shape %m [[0, 1]] : memref<6x4xi32> into memref<24xi32>
  %b = memref.expand_shape %a [[0, 1, 2]] output_shape [4, 2, 3] : memref<24xi32> into memref<4x2x3xi32>
  return %b : memref<4x2x3xi32>
}

// CHECK-NEXT:   func.func @forgotten_size(%arg0: memref<4x?xf32>) -> memref<?xf32> {
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<4x?xf32> into memref<?xf32>
// CHECK-NEXT:     return %collapse_shape : memref<?xf32>
// CHECK-NEXT:   }
func.func @forgotten_size(%m: memref<4x?xf32>) -> memref<?xf32> {
  %c = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %r = memref.collapse_shape %c [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  return %r : memref<?xf32>
}

// What is cast has gaps that collapsing cannot keep.
// CHECK-NEXT:   func.func @forgotten_gaps(%arg0: memref<4x4xf32, strided<[8, 1]>>) -> memref<?xf32, strided<[?]>> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<4x4xf32, strided<[8, 1]>> to memref<?x?xf32, strided<[?, ?]>>
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %cast {{\[\[}}0, 1]] : memref<?x?xf32, strided<[?, ?]>> into memref<?xf32, strided<[?]>>
// CHECK-NEXT:     return %collapse_shape : memref<?xf32, strided<[?]>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @forgotten_gaps(%m: memref<4x4xf32, strided<[8, 1]>>) -> memref<?xf32, strided<[?]>> {
  %c = memref.cast %m : memref<4x4xf32, strided<[8, 1]>> to memref<?x?xf32, strided<[?, ?]>>
  %r = memref.collapse_shape %c [[0, 1]] : memref<?x?xf32, strided<[?, ?]>> into memref<?xf32, strided<[?]>>
  return %r : memref<?xf32, strided<[?]>>
}
