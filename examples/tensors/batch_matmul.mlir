// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

// A matrix product for each of a batch.
func.func @static(%a: tensor<3x33x40xf32>, %b: tensor<3x40x70xf32>) -> tensor<3x33x70xf32> {
  %zero = arith.constant 0.0 : f32
  %c_new = tensor.empty() : tensor<3x33x70xf32>
  %c_init = linalg.fill ins(%zero : f32) outs(%c_new : tensor<3x33x70xf32>) -> tensor<3x33x70xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<3x33x40xf32>, tensor<3x40x70xf32>) outs(%c_init : tensor<3x33x70xf32>) -> tensor<3x33x70xf32>
  return %c : tensor<3x33x70xf32>
}

func.func @dynamic(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size_b = tensor.dim %a, %c0 : tensor<?x?x?xf32>
  %size_m = tensor.dim %a, %c1 : tensor<?x?x?xf32>
  %size_n = tensor.dim %b, %c2 : tensor<?x?x?xf32>
  %zero = arith.constant 0.0 : f32
  %c_new = tensor.empty(%size_b, %size_m, %size_n) : tensor<?x?x?xf32>
  %c_init = linalg.fill ins(%zero : f32) outs(%c_new : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%c_init : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %c : tensor<?x?x?xf32>
}
