// RUN: xgpu-opt %s | filecheck %s

// What an empty extent could have been is not looked at.

// CHECK-LABEL: func.func @empty
// CHECK:       linalg.matmul
// CHECK-SAME:    outs(%{{.*}} : tensor<0x4xf32>) -> tensor<0x4xf32>
func.func @empty(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %o: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%o : tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
