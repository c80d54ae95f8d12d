// RUN: xgpu-opt %s --linalg-decompose-aggregates --split-input-file | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @softmax(%arg0: tensor<?x8xf32>, %arg1: tensor<?x8xf32>) -> tensor<?x8xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %0 = tensor.empty(%dim) : tensor<?xf32>
// CHECK-NEXT:     %cst = arith.constant 0xFFC00000 : f32
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x8xf32>) outs(%1 : tensor<?xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %7 = arith.maxnumf %in, %out : f32
// CHECK-NEXT:       linalg.yield %7 : f32
// CHECK-NEXT:     } -> tensor<?xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<?x8xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x8xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:       %7 = arith.subf %in, %in_1 : f32
// CHECK-NEXT:       %8 = math.exp %7 : f32
// CHECK-NEXT:       linalg.yield %8 : f32
// CHECK-NEXT:     } -> tensor<?x8xf32>
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %4 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<?x8xf32>) outs(%4 : tensor<?xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %7 = arith.addf %in, %out : f32
// CHECK-NEXT:       linalg.yield %7 : f32
// CHECK-NEXT:     } -> tensor<?xf32>
// CHECK-NEXT:     %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<?x8xf32>, tensor<?xf32>) outs(%arg1 : tensor<?x8xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:       %7 = arith.divf %in, %in_1 : f32
// CHECK-NEXT:       linalg.yield %7 : f32
// CHECK-NEXT:     } -> tensor<?x8xf32>
// CHECK-NEXT:     return %6 : tensor<?x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @softmax(%x: tensor<?x8xf32>, %o: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x8xf32>) outs(%o : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK: #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @pack(%arg0: tensor<?x8xf32>, %arg1: f32, %arg2: tensor<2x?x4x4xf32>) -> tensor<2x?x4x4xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%arg2 : tensor<2x?x4x4xf32>) {
// CHECK-NEXT:     ^bb0(%out: f32):
// CHECK-NEXT:       %1 = linalg.index 1 : index
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %2 = arith.muli %1, %c4 : index
// CHECK-NEXT:       %3 = linalg.index 3 : index
// CHECK-NEXT:       %4 = arith.addi %2, %3 : index
// CHECK-NEXT:       %5 = arith.cmpi ult, %4, %dim : index
// CHECK-NEXT:       %6 = linalg.index 0 : index
// CHECK-NEXT:       %c4_0 = arith.constant 4 : index
// CHECK-NEXT:       %7 = arith.muli %6, %c4_0 : index
// CHECK-NEXT:       %8 = linalg.index 2 : index
// CHECK-NEXT:       %9 = arith.addi %7, %8 : index
// CHECK-NEXT:       %c8 = arith.constant 8 : index
// CHECK-NEXT:       %10 = arith.cmpi ult, %9, %c8 : index
// CHECK-NEXT:       %11 = arith.andi %5, %10 : i1
// CHECK-NEXT:       %12 = scf.if %11 -> (f32) {
// CHECK-NEXT:         %extracted = tensor.extract %arg0[%4, %9] : tensor<?x8xf32>
// CHECK-NEXT:         scf.yield %extracted : f32
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %arg1 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       linalg.yield %12 : f32
// CHECK-NEXT:     } -> tensor<2x?x4x4xf32>
// CHECK-NEXT:     return %0 : tensor<2x?x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @pack(%x: tensor<?x8xf32>, %z: f32, %o: tensor<2x?x4x4xf32>) -> tensor<2x?x4x4xf32> {
  %0 = linalg.pack %x padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 4] into %o : tensor<?x8xf32> -> tensor<2x?x4x4xf32>
  return %0 : tensor<2x?x4x4xf32>
}

// -----

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @unpack(%arg0: tensor<3x?x?xf32>, %arg1: index, %arg2: tensor<?x3xf32>) -> tensor<?x3xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%arg2 : tensor<?x3xf32>) {
// CHECK-NEXT:     ^bb0(%out: f32):
// CHECK-NEXT:       %1 = linalg.index 0 : index
// CHECK-NEXT:       %2 = arith.remui %1, %arg1 : index
// CHECK-NEXT:       %3 = arith.divui %1, %arg1 : index
// CHECK-NEXT:       %4 = linalg.index 1 : index
// CHECK-NEXT:       %extracted = tensor.extract %arg0[%4, %3, %2] : tensor<3x?x?xf32>
// CHECK-NEXT:       linalg.yield %extracted : f32
// CHECK-NEXT:     } -> tensor<?x3xf32>
// CHECK-NEXT:     return %0 : tensor<?x3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unpack(%x: tensor<3x?x?xf32>, %n: index, %o: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [%n] into %o : tensor<3x?x?xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
