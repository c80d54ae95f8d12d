// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// A body that nobody wrote is where its operation is; attributes are verified after it was made.

func.func @signed(%a: tensor<4x4xsi8>) -> tensor<4x4xsi8> {
  // expected-error @+1 {{'arith.muli' op operand #0 must be signless-integer-like, but got 'si8'}}
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xsi8>, tensor<4x4xsi8>) outs(%a : tensor<4x4xsi8>) -> tensor<4x4xsi8>
  return %0 : tensor<4x4xsi8>
}

// -----

func.func @cast(%a: tensor<4x4xi8>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{'linalg.matmul' op attribute 'cast' failed to satisfy constraint}}
  %0 = linalg.matmul {cast = 5} ins(%a, %a : tensor<4x4xi8>, tensor<4x4xi8>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
