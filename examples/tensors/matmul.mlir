// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

// A matrix product, whose sizes no tile divides.
func.func @static(%a: tensor<257x129xf32>, %b: tensor<129x65xf32>) -> tensor<257x65xf32> {
  %zero = arith.constant 0.0 : f32
  %c_new = tensor.empty() : tensor<257x65xf32>
  %c_init = linalg.fill ins(%zero : f32) outs(%c_new : tensor<257x65xf32>) -> tensor<257x65xf32>
  %c = linalg.matmul ins(%a, %b : tensor<257x129xf32>, tensor<129x65xf32>) outs(%c_init : tensor<257x65xf32>) -> tensor<257x65xf32>
  return %c : tensor<257x65xf32>
}

func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size_m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %size_n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %c_new = tensor.empty(%size_m, %size_n) : tensor<?x?xf32>
  %c_init = linalg.fill ins(%zero : f32) outs(%c_new : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c_init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
