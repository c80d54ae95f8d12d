// RUN: xgpu-opt --convert-linalg-to-gpu --split-input-file --verify-diagnostics %s

func.func @softmax(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @below {{'linalg.softmax' cannot become a kernel}}
  linalg.softmax dimension(1) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}
