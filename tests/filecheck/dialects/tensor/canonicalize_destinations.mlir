// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --canonicalize | filecheck %s --match-full-lines

// Casts of what any operation writes its results over, whatever else it gives.

// CHECK: module {
// CHECK-NEXT:   func.func @more_results(%arg0: tensor<3x2xf32>, %arg1: tensor<3x2xf32>) -> (tensor<?x2xf32>, index, tensor<?x2xf32>) {
// CHECK-NEXT:     %0:2 = test.destination_style_op ins(%arg0 : tensor<3x2xf32>) outs(%arg1 : tensor<3x2xf32>) -> tensor<3x2xf32>, index
// CHECK-NEXT:     %cast = tensor.cast %0#0 : tensor<3x2xf32> to tensor<?x2xf32>
// CHECK-NEXT:     %1 = test.destination_style_op ins(%arg0 : tensor<3x2xf32>) outs(%0#0 : tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %1 : tensor<3x2xf32> to tensor<?x2xf32>
// CHECK-NEXT:     return %cast, %0#1, %cast_0 : tensor<?x2xf32>, index, tensor<?x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @more_results(%a: tensor<3x2xf32>, %b: tensor<3x2xf32>) -> (tensor<?x2xf32>, index, tensor<?x2xf32>) {
  %ca = tensor.cast %a : tensor<3x2xf32> to tensor<?x2xf32>
  %cb = tensor.cast %b : tensor<3x2xf32> to tensor<?x2xf32>
  %0:2 = test.destination_style_op ins(%ca : tensor<?x2xf32>) outs(%cb : tensor<?x2xf32>) -> tensor<?x2xf32>, index
  %1 = test.destination_style_op ins(%ca : tensor<?x2xf32>) outs(%0#0 : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0#0, %0#1, %1 : tensor<?x2xf32>, index, tensor<?x2xf32>
}
