// RUN: xgpu-opt --convert-elementwise-to-linalg %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<() -> ()>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @add(%arg0: tensor<4x?xf32>, %arg1: tensor<4x?xf32>) -> tensor<4x?xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%arg0 : tensor<4x?xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       %1 = arith.addf %in, %in_0 fastmath<fast> {note} : f32
// CHECK-NEXT:       linalg.yield %1 : f32
// CHECK-NEXT:     } -> tensor<4x?xf32>
// CHECK-NEXT:     return %0 : tensor<4x?xf32>
// CHECK-NEXT:   }
func.func @add(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = arith.addf %a, %b fastmath<fast> {note} : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// A scalar operand; one operation inside of another's region.
// CHECK-NEXT:   func.func @select(%arg0: i1, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:     %0 = scf.if %arg0 -> (tensor<f32>) {
// CHECK-NEXT:       %1 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = []} ins(%arg0, %arg1, %arg2 : i1, tensor<f32>, tensor<f32>) outs(%arg1 : tensor<f32>) {
// CHECK-NEXT:       ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:         %3 = arith.select %in, %in_0, %in_1 : f32
// CHECK-NEXT:         linalg.yield %3 : f32
// CHECK-NEXT:       } -> tensor<f32>
// CHECK-NEXT:       %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = []} ins(%1, %arg1, %arg2 : tensor<f32>, tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
// CHECK-NEXT:       ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:         %3 = math.fma %in, %in_0, %in_1 : f32
// CHECK-NEXT:         linalg.yield %3 : f32
// CHECK-NEXT:       } -> tensor<f32>
// CHECK-NEXT:       scf.yield %2 : tensor<f32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %arg1 : tensor<f32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<f32>
// CHECK-NEXT:   }
func.func @select(%c: i1, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = scf.if %c -> tensor<f32> {
    %1 = arith.select %c, %a, %b : tensor<f32>
    %2 = math.fma %1, %a, %b : tensor<f32>
    scf.yield %2 : tensor<f32>
  } else {
    scf.yield %a : tensor<f32>
  }
  return %0 : tensor<f32>
}

// No operand is of the result's type.
// CHECK-NEXT:   func.func @compare(%arg0: tensor<?x2x?xf32>, %arg1: tensor<?x2x?xf32>) -> tensor<?x2x?xi1> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x2x?xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c2 : tensor<?x2x?xf32>
// CHECK-NEXT:     %0 = tensor.empty(%dim, %dim_0) : tensor<?x2x?xi1>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x2x?xf32>, tensor<?x2x?xf32>) outs(%0 : tensor<?x2x?xi1>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_1: f32, %out: i1):
// CHECK-NEXT:       %2 = arith.cmpf olt, %in, %in_1 : f32
// CHECK-NEXT:       linalg.yield %2 : i1
// CHECK-NEXT:     } -> tensor<?x2x?xi1>
// CHECK-NEXT:     return %1 : tensor<?x2x?xi1>
// CHECK-NEXT:   }
func.func @compare(%a: tensor<?x2x?xf32>, %b: tensor<?x2x?xf32>) -> tensor<?x2x?xi1> {
  %0 = arith.cmpf olt, %a, %b : tensor<?x2x?xf32>
  return %0 : tensor<?x2x?xi1>
}

// Scalars, vectors and tensors of no rank stay.
// CHECK-NEXT:   func.func @others(%arg0: f32, %arg1: vector<4xf32>, %arg2: tensor<*xf32>) -> (f32, vector<4xf32>, tensor<*xf32>) {
// CHECK-NEXT:     %0 = arith.negf %arg0 : f32
// CHECK-NEXT:     %1 = arith.negf %arg1 : vector<4xf32>
// CHECK-NEXT:     %2 = arith.negf %arg2 : tensor<*xf32>
// CHECK-NEXT:     return %0, %1, %2 : f32, vector<4xf32>, tensor<*xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @others(%s: f32, %v: vector<4xf32>, %u: tensor<*xf32>) -> (f32, vector<4xf32>, tensor<*xf32>) {
  %0 = arith.negf %s : f32
  %1 = arith.negf %v : vector<4xf32>
  %2 = arith.negf %u : tensor<*xf32>
  return %0, %1, %2 : f32, vector<4xf32>, tensor<*xf32>
}
