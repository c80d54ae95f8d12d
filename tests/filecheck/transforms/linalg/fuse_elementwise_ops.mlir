// RUN: xgpu-opt --linalg-fuse-elementwise-ops %s | filecheck %s --match-full-lines

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK: #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @chain(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg2, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg2, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = tensor.empty(%dim, %dim_0) : tensor<?x?xf32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:       %2 = arith.addf %in, %in_1 : f32
// CHECK-NEXT:       %3 = linalg.index 0 : index
// CHECK-NEXT:       %4 = arith.index_cast %3 : index to i32
// CHECK-NEXT:       %5 = arith.sitofp %4 : i32 to f32
// CHECK-NEXT:       %6 = arith.mulf %2, %5 : f32
// CHECK-NEXT:       %7 = arith.mulf %6, %in_1 : f32
// CHECK-NEXT:       linalg.yield %7 : f32
// CHECK-NEXT:     } -> tensor<?x?xf32>
// CHECK-NEXT:     return %1 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @chain(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#t, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %p = arith.mulf %x, %f : f32
    %q = arith.mulf %p, %y : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// Into a reduction, with indices of the producer.
// CHECK-NEXT:   func.func @reduction(%arg0: tensor<8x4xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:     %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x4xf32>) outs(%arg1 : tensor<8xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %1 = linalg.index 0 : index
// CHECK-NEXT:       %2 = arith.index_cast %1 : index to i32
// CHECK-NEXT:       %3 = arith.sitofp %2 : i32 to f32
// CHECK-NEXT:       %4 = arith.mulf %in, %3 : f32
// CHECK-NEXT:       %5 = arith.mulf %4, %cst : f32
// CHECK-NEXT:       %6 = arith.addf %5, %out : f32
// CHECK-NEXT:       linalg.yield %6 : f32
// CHECK-NEXT:     } -> tensor<8xf32>
// CHECK-NEXT:     return %0 : tensor<8xf32>
// CHECK-NEXT:   }
func.func @reduction(%a: tensor<8x4xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<2.0> : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#t, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %c : tensor<8x4xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %p = arith.mulf %x, %f : f32
    %q = arith.mulf %p, %y : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#t, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<4x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// What has two users stays.
// CHECK-NEXT:   func.func @two_users(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8x4xf32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x4xf32>) outs(%0 : tensor<8x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = math.exp %in : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<8x4xf32>
// CHECK-NEXT:     %2 = tensor.empty() : tensor<8x4xf32>
// CHECK-NEXT:     %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x4xf32>) outs(%2 : tensor<8x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %4 = math.exp %in : f32
// CHECK-NEXT:       linalg.yield %4 : f32
// CHECK-NEXT:     } -> tensor<8x4xf32>
// CHECK-NEXT:     return %1, %3 : tensor<8x4xf32>, tensor<8x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @two_users(%a: tensor<8x4xf32>, %e: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
