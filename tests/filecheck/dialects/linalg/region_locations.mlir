// RUN: xgpu-opt %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   func.func @sum(%arg0: tensor<?xf32>, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:     %reduced = linalg.reduce { arith.subf } ins(%arg0 : tensor<?xf32>) outs(%arg1 : tensor<f32>) dimensions = [0]
// CHECK-NEXT:     return %reduced : tensor<f32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sum(%x: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.reduce ins(%x : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%in: f32 loc("a.py":1:2), %acc: f32 loc(unknown)) {
      %1 = arith.subf %acc, %in : f32
      linalg.yield %1 : f32
    }
  return %0 : tensor<f32>
}
