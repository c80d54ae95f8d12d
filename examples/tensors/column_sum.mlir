// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// The sum over the outer dimension: neighbouring threads read neighbouring columns.
func.func @static(%x: tensor<61x517xf32>) -> tensor<517xf32> {
  %zero = arith.constant 0.0 : f32
  %s_new = tensor.empty() : tensor<517xf32>
  %s_init = linalg.fill ins(%zero : f32) outs(%s_new : tensor<517xf32>) -> tensor<517xf32>
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<61x517xf32>) outs(%s_init : tensor<517xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.addf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<517xf32>
  return %s : tensor<517xf32>
}

func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %size_n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %s_new = tensor.empty(%size_n) : tensor<?xf32>
  %s_init = linalg.fill ins(%zero : f32) outs(%s_new : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%s_init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.addf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  return %s : tensor<?xf32>
}
