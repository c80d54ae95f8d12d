// RUN: xgpu-opt %s --reify-result-shapes | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (-s0 + 64)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @pad(%arg0: tensor<1x?x64xf32>, %arg1: index) -> tensor<1x?x?xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[0, 1, 0] high[0, 2, %arg1] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<1x?x64xf32> to tensor<1x?x?xf32>
// CHECK-NEXT:     return %padded : tensor<1x?x?xf32>
// CHECK-NEXT:   }
func.func @pad(%t: tensor<1x?x64xf32>, %n: index) -> tensor<1x?x?xf32> {
  %cst = arith.constant 0.0 : f32
  %p = tensor.pad %t low[0, 1, 0] high[0, 2, %n] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %cst : f32
  } : tensor<1x?x64xf32> to tensor<1x?x?xf32>
  return %p : tensor<1x?x?xf32>
}
// CHECK-NEXT:   func.func @pad_constant(%arg0: tensor<4x8xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[%c2, 1] high[0, %c2] {
// CHECK-NEXT:     ^bb0(%arg1: index, %arg2: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<4x8xf32> to tensor<6x11xf32>
// CHECK-NEXT:     %cast = tensor.cast %padded : tensor<6x11xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %cast : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @pad_constant(%t: tensor<4x8xf32>) -> tensor<?x?xf32> {
  %cst = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %p = tensor.pad %t low[%c2, 1] high[0, %c2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<4x8xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
// CHECK-NEXT:   func.func @concat(%arg0: tensor<4x7x3xf32>, %arg1: tensor<4x4x3xf32>, %arg2: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
// CHECK-NEXT:     %concat = tensor.concat dim(1) %arg0, %arg1, %arg2 : (tensor<4x7x3xf32>, tensor<4x4x3xf32>, tensor<?x?x?xf32>) -> tensor<4x?x3xf32>
// CHECK-NEXT:     %cast = tensor.cast %concat : tensor<4x?x3xf32> to tensor<?x?x?xf32>
// CHECK-NEXT:     return %cast : tensor<?x?x?xf32>
// CHECK-NEXT:   }
func.func @concat(%a: tensor<4x7x3xf32>, %b: tensor<4x4x3xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<4x7x3xf32>, tensor<4x4x3xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
// CHECK-NEXT:   func.func @concat2(%arg0: tensor<4x7x3xf32>, %arg1: tensor<4x4x3xf32>) -> tensor<?x?x?xf32> {
// CHECK-NEXT:     %concat = tensor.concat dim(1) %arg0, %arg1 : (tensor<4x7x3xf32>, tensor<4x4x3xf32>) -> tensor<4x11x3xf32>
// CHECK-NEXT:     %cast = tensor.cast %concat : tensor<4x11x3xf32> to tensor<?x?x?xf32>
// CHECK-NEXT:     return %cast : tensor<?x?x?xf32>
// CHECK-NEXT:   }
func.func @concat2(%a: tensor<4x7x3xf32>, %b: tensor<4x4x3xf32>) -> tensor<?x?x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<4x7x3xf32>, tensor<4x4x3xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
// CHECK-NEXT:   func.func @generic(%arg0: tensor<4x7xf32>, %arg1: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %0 = linalg.exp ins(%arg0 : tensor<4x7xf32>) outs(%arg1 : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:     return %0 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @generic(%a: tensor<4x7xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.exp ins(%a : tensor<4x7xf32>) outs(%b: tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-NEXT:   func.func @from_slice(%arg0: tensor<64x?xf32>, %arg1: index) -> tensor<?x64xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = affine.apply #map()[%arg1]
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0] [%arg1, 64] [1, 1] : tensor<64x?xf32> to tensor<?x64xf32>
// CHECK-NEXT:     %padded = tensor.pad %extracted_slice low[0, 0] high[%0, 0] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x64xf32> to tensor<64x64xf32>
// CHECK-NEXT:     %cast = tensor.cast %padded : tensor<64x64xf32> to tensor<?x64xf32>
// CHECK-NEXT:     return %cast : tensor<?x64xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @from_slice(%t: tensor<64x?xf32>, %m: index) -> tensor<?x64xf32> {
  %cst = arith.constant 0.0 : f32
  %k = affine.apply affine_map<()[s0] -> (64 - s0)>()[%m]
  %s = tensor.extract_slice %t[0, 0] [%m, 64] [1, 1] : tensor<64x?xf32> to tensor<?x64xf32>
  %p = tensor.pad %s low[0, 0] high[%k, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<?x64xf32> to tensor<?x64xf32>
  return %p : tensor<?x64xf32>
}
