// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

// A transposition of three dimensions.
func.func @static(%x: tensor<5x43x34xf32>) -> tensor<34x5x43xf32> {
  %new = tensor.empty() : tensor<34x5x43xf32>
  %y = linalg.transpose ins(%x : tensor<5x43x34xf32>) outs(%new : tensor<34x5x43xf32>) permutation = [2, 0, 1]
  return %y : tensor<34x5x43xf32>
}

func.func @dynamic(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size_a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %size_b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %size_c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %new = tensor.empty(%size_c, %size_a, %size_b) : tensor<?x?x?xf32>
  %y = linalg.transpose ins(%x : tensor<?x?x?xf32>) outs(%new : tensor<?x?x?xf32>) permutation = [2, 0, 1]
  return %y : tensor<?x?x?xf32>
}
