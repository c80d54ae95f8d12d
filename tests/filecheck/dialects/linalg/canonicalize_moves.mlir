// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Broadcasts, transpositions and packing.

// CHECK: module {
// CHECK-NEXT:   func.func @broadcast_twice(%arg0: tensor<4xf32>, %arg1: tensor<4x?xf32>, %arg2: tensor<2x4x3x?xf32>) -> tensor<2x4x3x?xf32> {
// CHECK-NEXT:     %broadcasted = linalg.broadcast ins(%arg0 : tensor<4xf32>) outs(%arg2 : tensor<2x4x3x?xf32>) dimensions = [0, 2, 3]
// CHECK-NEXT:     return %broadcasted : tensor<2x4x3x?xf32>
// CHECK-NEXT:   }
func.func @broadcast_twice(%a: tensor<4xf32>, %b: tensor<4x?xf32>, %c: tensor<2x4x3x?xf32>) -> tensor<2x4x3x?xf32> {
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%b : tensor<4x?xf32>) dimensions = [1]
  %1 = linalg.broadcast ins(%0 : tensor<4x?xf32>) outs(%c : tensor<2x4x3x?xf32>) dimensions = [0, 2]
  return %1 : tensor<2x4x3x?xf32>
}

// CHECK-NEXT:   func.func @broadcast_nothing(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     return %arg0 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @broadcast_nothing(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) dimensions = []
  return %0 : tensor<4xf32>
}

// CHECK-NEXT:   func.func @there_and_back(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3x4x2xf32>, %arg2: tensor<2x3x4xf32>, %arg3: tensor<4x3x2xf32>) -> (tensor<2x3x4xf32>, tensor<4x3x2xf32>) {
// CHECK-NEXT:     %transposed = linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%arg3 : tensor<4x3x2xf32>) permutation = [2, 1, 0]
// CHECK-NEXT:     return %arg0, %transposed : tensor<2x3x4xf32>, tensor<4x3x2xf32>
// CHECK-NEXT:   }
func.func @there_and_back(%a: tensor<2x3x4xf32>, %b: tensor<3x4x2xf32>, %c: tensor<2x3x4xf32>, %d: tensor<4x3x2xf32>) -> (tensor<2x3x4xf32>, tensor<4x3x2xf32>) {
  %0 = linalg.transpose ins(%a : tensor<2x3x4xf32>) outs(%b : tensor<3x4x2xf32>) permutation = [1, 2, 0]
  %1 = linalg.transpose ins(%0 : tensor<3x4x2xf32>) outs(%c : tensor<2x3x4xf32>) permutation = [2, 0, 1]
  %2 = linalg.transpose ins(%0 : tensor<3x4x2xf32>) outs(%d : tensor<4x3x2xf32>) permutation = [1, 0, 2]
  return %1, %2 : tensor<2x3x4xf32>, tensor<4x3x2xf32>
}

// CHECK-NEXT:   func.func @move_before(%arg0: tensor<?x?xf32>, %arg1: tensor<?x8x?xf32>, %arg2: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = tensor.empty(%dim_0, %dim) : tensor<?x?xf32>
// CHECK-NEXT:     %transposed = linalg.transpose ins(%arg0 : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) permutation = [1, 0]
// CHECK-NEXT:     %broadcasted = linalg.broadcast ins(%transposed : tensor<?x?xf32>) outs(%arg2 : tensor<?x?x8xf32>) dimensions = [2]
// CHECK-NEXT:     return %broadcasted : tensor<?x?x8xf32>
// CHECK-NEXT:   }
func.func @move_before(%a: tensor<?x?xf32>, %b: tensor<?x8x?xf32>, %c: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = linalg.broadcast ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x8x?xf32>) dimensions = [1]
  %1 = linalg.transpose ins(%0 : tensor<?x8x?xf32>) outs(%c : tensor<?x?x8xf32>) permutation = [2, 0, 1]
  return %1 : tensor<?x?x8xf32>
}

// CHECK-NEXT:   func.func @pack_and_unpack(%arg0: tensor<128x?xf32>, %arg1: tensor<?x16x8x16xf32>, %arg2: tensor<128x?xf32>, %arg3: f32) -> tensor<128x?xf32> {
// CHECK-NEXT:     return %arg0 : tensor<128x?xf32>
// CHECK-NEXT:   }
func.func @pack_and_unpack(%a: tensor<128x?xf32>, %d: tensor<?x16x8x16xf32>, %e: tensor<128x?xf32>, %z: f32) -> tensor<128x?xf32> {
  %0 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %d : tensor<128x?xf32> -> tensor<?x16x8x16xf32>
  %1 = linalg.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e : tensor<?x16x8x16xf32> -> tensor<128x?xf32>
  return %1 : tensor<128x?xf32>
}

// CHECK-NEXT:   func.func @other_tiles(%arg0: tensor<128x128xf32>, %arg1: tensor<16x16x8x8xf32>, %arg2: tensor<128x128xf32>) -> tensor<128x128xf32> {
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<128x128xf32> -> tensor<16x16x8x8xf32>
// CHECK-NEXT:     %unpack = linalg.unpack %pack inner_dims_pos = [1, 0] inner_tiles = [8, 8] into %arg2 : tensor<16x16x8x8xf32> -> tensor<128x128xf32>
// CHECK-NEXT:     return %unpack : tensor<128x128xf32>
// CHECK-NEXT:   }
func.func @other_tiles(%a: tensor<128x128xf32>, %d: tensor<16x16x8x8xf32>, %e: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<128x128xf32> -> tensor<16x16x8x8xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [1, 0] inner_tiles = [8, 8] into %e : tensor<16x16x8x8xf32> -> tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}

// CHECK-NEXT:   func.func @padding_for_nothing(%arg0: tensor<128x64xf32>, %arg1: tensor<16x64x8xf32>, %arg2: f32) -> tensor<16x64x8xf32> {
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<128x64xf32> -> tensor<16x64x8xf32>
// CHECK-NEXT:     return %pack : tensor<16x64x8xf32>
// CHECK-NEXT:   }
func.func @padding_for_nothing(%a: tensor<128x64xf32>, %d: tensor<16x64x8xf32>, %z: f32) -> tensor<16x64x8xf32> {
  %0 = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<128x64xf32> -> tensor<16x64x8xf32>
  return %0 : tensor<16x64x8xf32>
}

// CHECK-NEXT:   func.func @sizes(%arg0: tensor<?x64xf32>, %arg1: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
// CHECK-NEXT:     %cast = tensor.cast %arg1 : tensor<?x?x8xf32> to tensor<?x64x8xf32>
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %cast : tensor<?x64xf32> -> tensor<?x64x8xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %pack : tensor<?x64x8xf32> to tensor<?x?x8xf32>
// CHECK-NEXT:     return %cast_0 : tensor<?x?x8xf32>
// CHECK-NEXT:   }
func.func @sizes(%a: tensor<?x64xf32>, %d: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<?x64xf32> -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// CHECK-NEXT:   func.func @first_rows(%arg0: tensor<16x8x4xf32>, %arg1: tensor<?x8xf32>, %arg2: tensor<64x8xf32>) -> (tensor<61x8xf32>, tensor<60x8xf32>) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg2[0, 0] [61, 8] [1, 1] : tensor<64x8xf32> to tensor<61x8xf32>
// CHECK-NEXT:     %unpack = linalg.unpack %arg0 inner_dims_pos = [0] inner_tiles = [4] into %extracted_slice : tensor<16x8x4xf32> -> tensor<61x8xf32>
// CHECK-NEXT:     %unpack_0 = linalg.unpack %arg0 inner_dims_pos = [0] inner_tiles = [4] into %arg2 : tensor<16x8x4xf32> -> tensor<64x8xf32>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %unpack_0[0, 0] [60, 8] [1, 1] : tensor<64x8xf32> to tensor<60x8xf32>
// CHECK-NEXT:     return %unpack, %extracted_slice_1 : tensor<61x8xf32>, tensor<60x8xf32>
// CHECK-NEXT:   }
func.func @first_rows(%a: tensor<16x8x4xf32>, %d: tensor<?x8xf32>, %e: tensor<64x8xf32>) -> (tensor<61x8xf32>, tensor<60x8xf32>) {
  %0 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<16x8x4xf32> -> tensor<64x8xf32>
  %1 = tensor.extract_slice %0[0, 0] [61, 8] [1, 1] : tensor<64x8xf32> to tensor<61x8xf32>
  %2 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<16x8x4xf32> -> tensor<64x8xf32>
  %3 = tensor.extract_slice %2[0, 0] [60, 8] [1, 1] : tensor<64x8xf32> to tensor<60x8xf32>
  return %1, %3 : tensor<61x8xf32>, tensor<60x8xf32>
}

// CHECK-NEXT:   func.func @constant(%arg0: tensor<4x2x2xf32>) -> tensor<4x2x2xf32> {
// CHECK-NEXT:     %cst = arith.constant dense<3.000000e+00> : tensor<4x2x2xf32>
// CHECK-NEXT:     return %cst : tensor<4x2x2xf32>
// CHECK-NEXT:   }
func.func @constant(%d: tensor<4x2x2xf32>) -> tensor<4x2x2xf32> {
  %c = arith.constant dense<3.0> : tensor<8x2xf32>
  %0 = linalg.pack %c inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<8x2xf32> -> tensor<4x2x2xf32>
  return %0 : tensor<4x2x2xf32>
}

// CHECK-NEXT:   func.func @tile_that_the_type_knows(%arg0: tensor<?x64xf32>, %arg1: tensor<?x64x8xf32>, %arg2: index) -> tensor<?x64x?xf32> {
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [0] inner_tiles = [8] into %arg1 : tensor<?x64xf32> -> tensor<?x64x8xf32>
// CHECK-NEXT:     %cast = tensor.cast %pack : tensor<?x64x8xf32> to tensor<?x64x?xf32>
// CHECK-NEXT:     return %cast : tensor<?x64x?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @tile_that_the_type_knows(%a: tensor<?x64xf32>, %d: tensor<?x64x8xf32>, %n: index) -> tensor<?x64x?xf32> {
  %0 = tensor.cast %d : tensor<?x64x8xf32> to tensor<?x64x?xf32>
  %1 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %0 : tensor<?x64xf32> -> tensor<?x64x?xf32>
  return %1 : tensor<?x64x?xf32>
}
