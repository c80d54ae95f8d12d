// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// Five elementwise operations, which become one kernel.
func.func @static(%x: tensor<37x101xf32>, %y: tensor<37x101xf32>, %b: tensor<101xf32>) -> tensor<37x101xf32> {
  %one = arith.constant 1.0 : f32
  %0 = arith.mulf %x, %y : tensor<37x101xf32>
  %1 = arith.addf %0, %x : tensor<37x101xf32>
  %2 = math.tanh %1 : tensor<37x101xf32>
  %new = tensor.empty() : tensor<37x101xf32>
  %3 = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%2, %b : tensor<37x101xf32>, tensor<101xf32>) outs(%new : tensor<37x101xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    %t = arith.maximumf %s, %one : f32
    linalg.yield %t : f32
  } -> tensor<37x101xf32>
  return %3 : tensor<37x101xf32>
}

func.func @dynamic(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size_m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %size_n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %one = arith.constant 1.0 : f32
  %0 = arith.mulf %x, %y : tensor<?x?xf32>
  %1 = arith.addf %0, %x : tensor<?x?xf32>
  %2 = math.tanh %1 : tensor<?x?xf32>
  %new = tensor.empty(%size_m, %size_n) : tensor<?x?xf32>
  %3 = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%2, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%new : tensor<?x?xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    %t = arith.maximumf %s, %one : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
