// Operands that are scalars, two results, and new tensors for results of other types. mlir-opt 22.1
// takes the sizes from the first operand, and does not find a scalar's.
// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib --convert-elementwise-to-linalg %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1) -> ()>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @two(%arg0: f32, %arg1: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xi1>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c0 : tensor<?x4xf32>
// CHECK-NEXT:     %0 = tensor.empty(%dim) : tensor<?x4xi1>
// CHECK-NEXT:     %1:2 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : f32, tensor<?x4xf32>) outs(%arg1, %0 : tensor<?x4xf32>, tensor<?x4xi1>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32, %out_1: i1):
// CHECK-NEXT:       %2:2 = "test.elementwise_mappable"(%in, %in_0) : (f32, f32) -> (f32, i1)
// CHECK-NEXT:       linalg.yield %2#0, %2#1 : f32, i1
// CHECK-NEXT:     } -> (tensor<?x4xf32>, tensor<?x4xi1>)
// CHECK-NEXT:     return %1#0, %1#1 : tensor<?x4xf32>, tensor<?x4xi1>
// CHECK-NEXT:   }
func.func @two(%x: f32, %a: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xi1>) {
  %0:2 = "test.elementwise_mappable"(%x, %a) : (f32, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xi1>)
  return %0#0, %0#1 : tensor<?x4xf32>, tensor<?x4xi1>
}

// CHECK-NEXT:   func.func @chain(%arg0: complex<f32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel"]} ins(%arg1, %arg0 : tensor<4xf32>, complex<f32>) outs(%arg1 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: complex<f32>, %out: f32):
// CHECK-NEXT:       %2 = "test.elementwise_mappable"(%in, %in_0) : (f32, complex<f32>) -> f32
// CHECK-NEXT:       linalg.yield %2 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %2 = "test.elementwise_mappable"(%in) : (f32) -> f32
// CHECK-NEXT:       linalg.yield %2 : f32
// CHECK-NEXT:     } -> tensor<4xf32>
// CHECK-NEXT:     return %1 : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @chain(%x: complex<f32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.elementwise_mappable"(%a, %x) : (tensor<4xf32>, complex<f32>) -> tensor<4xf32>
  %1 = "test.elementwise_mappable"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
