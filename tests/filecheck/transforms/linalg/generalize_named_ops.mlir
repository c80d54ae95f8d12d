// RUN: xgpu-opt --linalg-generalize-named-ops %s | filecheck %s --match-full-lines

// Attributes that the generic operation does not know go, and so do casts of memrefs.
// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT: #map5 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map6 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: #map7 = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: #map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT: #map9 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4 * 2, d2 * 2 + d5 * 2, d3)>
// CHECK-NEXT: #map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-NEXT: #map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-NEXT: #map12 = affine_map<(d0, d1) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @matmul(%arg0: memref<4x?xi8>, %arg1: memref<?x16xi8>, %arg2: memref<4x16xi32>) {
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<4x?xi8>, memref<?x16xi8>) outs(%arg2 : memref<4x16xi32>) {
// CHECK-NEXT:     ^bb0(%in: i8, %in_0: i8, %out: i32):
// CHECK-NEXT:       %0 = arith.extui %in : i8 to i32
// CHECK-NEXT:       %1 = arith.extui %in_0 : i8 to i32
// CHECK-NEXT:       %2 = arith.muli %0, %1 : i32
// CHECK-NEXT:       %3 = arith.addi %out, %2 : i32
// CHECK-NEXT:       linalg.yield %3 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @matmul(%a: memref<4x?xi8>, %b: memref<?x16xi8>, %c: memref<4x16xi32>) {
  %cast = memref.cast %c : memref<4x16xi32> to memref<?x?xi32>
  linalg.matmul {note = 1 : i32, cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<4x?xi8>, memref<?x16xi8>) outs(%cast : memref<?x?xi32>)
  return
}

// CHECK-NEXT:   func.func @map(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%arg0, %arg0 : tensor<4xf32>, tensor<4xf32>) outs(%arg1 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       %1 = arith.addf %in, %in_0 fastmath<fast> : f32
// CHECK-NEXT:       linalg.yield %1 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     return %0 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @map(%a: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>)
  return %0 : tensor<4xf32>
}

// CHECK-NEXT:   func.func @elementwise(%arg0: tensor<4xf32>, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4xf32>) outs(%arg1 : tensor<8x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %1 = math.exp %in : f32
// CHECK-NEXT:       linalg.yield %1 : f32
// CHECK-NEXT:     } -> tensor<8x4xf32>
// CHECK-NEXT:     return %0 : tensor<8x4xf32>
// CHECK-NEXT:   }
func.func @elementwise(%a: tensor<4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>] ins(%a : tensor<4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-NEXT:   func.func @reduce(%arg0: tensor<4x?xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x?xf32>) outs(%arg1 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %1 = arith.addf %out, %in : f32
// CHECK-NEXT:       linalg.yield %1 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     return %0 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @reduce(%a: tensor<4x?xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x?xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  return %0: tensor<4xf32>
}

// CHECK-NEXT:   func.func @moves(%arg0: tensor<4x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x3xf32>) outs(%arg1 : tensor<3x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       linalg.yield %in : f32
// CHECK-NEXT:     } -> tensor<3x4xf32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<3x4xf32>) outs(%arg2 : tensor<3x2x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       linalg.yield %in : f32
// CHECK-NEXT:     } -> tensor<3x2x4xf32>
// CHECK-NEXT:     return %1 : tensor<3x2x4xf32>
// CHECK-NEXT:   }
func.func @moves(%a: tensor<4x3xf32>, %c: tensor<3x4xf32>, %d: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x3xf32>) outs(%c : tensor<3x4xf32>) permutation = [1, 0]
  %1 = linalg.broadcast ins(%0 : tensor<3x4xf32>) outs(%d : tensor<3x2x4xf32>) dimensions = [1]
  return %1: tensor<3x2x4xf32>
}

// CHECK-NEXT:   func.func @convolution(%arg0: memref<1x9x9x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x3x3x4xf32>) {
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : memref<1x9x9x4xf32>, memref<3x3x4xf32>) outs(%arg2 : memref<1x3x3x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       %0 = arith.mulf %in, %in_0 : f32
// CHECK-NEXT:       %1 = arith.addf %out, %0 : f32
// CHECK-NEXT:       linalg.yield %1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @convolution(%i: memref<1x9x9x4xf32>, %f: memref<3x3x4xf32>, %o: memref<1x3x3x4xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%i, %f : memref<1x9x9x4xf32>, memref<3x3x4xf32>) outs(%o : memref<1x3x3x4xf32>)
  return
}

// No structured operation.
// CHECK-NEXT:   func.func @softmax(%arg0: tensor<4x3xf32>, %arg1: tensor<4x3xf32>) -> tensor<4x3xf32> {
// CHECK-NEXT:     %0 = linalg.softmax dimension(1) ins(%arg0 : tensor<4x3xf32>) outs(%arg1 : tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:     return %0 : tensor<4x3xf32>
// CHECK-NEXT:   }
func.func @softmax(%a: tensor<4x3xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x3xf32>) outs(%c : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0: tensor<4x3xf32>
}

// The body has constants and the numbers of iterations.
// CHECK-NEXT:   func.func @random(%arg0: f64, %arg1: f64, %arg2: i32, %arg3: tensor<16x32xf32>) -> tensor<16x32xf32> {
// CHECK-NEXT:     %c12345_i32 = arith.constant 12345 : i32
// CHECK-NEXT:     %c1103515245_i32 = arith.constant 1103515245 : i32
// CHECK-NEXT:     %cst = arith.constant 0x41DFFFFFFFC00000 : f64
// CHECK-NEXT:     %cst_0 = arith.constant 2.3283063999999999E-10 : f64
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map12, #map12, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %arg2 : f64, f64, i32) outs(%arg3 : tensor<16x32xf32>) {
// CHECK-NEXT:     ^bb0(%in: f64, %in_1: f64, %in_2: i32, %out: f32):
// CHECK-NEXT:       %1 = linalg.index 1 : index
// CHECK-NEXT:       %2 = arith.index_cast %1 : index to i32
// CHECK-NEXT:       %3 = linalg.index 0 : index
// CHECK-NEXT:       %4 = arith.index_cast %3 : index to i32
// CHECK-NEXT:       %5 = arith.addi %4, %in_2 : i32
// CHECK-NEXT:       %6 = arith.muli %5, %c1103515245_i32 : i32
// CHECK-NEXT:       %7 = arith.addi %6, %c12345_i32 : i32
// CHECK-NEXT:       %8 = arith.addi %2, %7 : i32
// CHECK-NEXT:       %9 = arith.muli %8, %c1103515245_i32 : i32
// CHECK-NEXT:       %10 = arith.addi %9, %c12345_i32 : i32
// CHECK-NEXT:       %11 = arith.sitofp %10 : i32 to f64
// CHECK-NEXT:       %12 = arith.addf %11, %cst : f64
// CHECK-NEXT:       %13 = arith.subf %in_1, %in : f64
// CHECK-NEXT:       %14 = arith.mulf %13, %cst_0 : f64
// CHECK-NEXT:       %15 = arith.mulf %12, %14 : f64
// CHECK-NEXT:       %16 = arith.addf %15, %in : f64
// CHECK-NEXT:       %17 = arith.truncf %16 : f64 to f32
// CHECK-NEXT:       linalg.yield %17 : f32
// CHECK-NEXT:     } -> tensor<16x32xf32>
// CHECK-NEXT:     return %0 : tensor<16x32xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @random(%min: f64, %max: f64, %seed: i32, %t: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%t : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
