// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// Rows of a table, by their numbers.
func.func @static(%table: tensor<16x71xf32>, %at: tensor<45xi64>) -> tensor<45x71xf32> {
  %new = tensor.empty() : tensor<45x71xf32>
  %y = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<45xi64>) outs(%new : tensor<45x71xf32>) {
  ^bb0(%i: i64, %out: f32):
    %row = arith.index_cast %i : i64 to index
    %column = linalg.index 1 : index
    %e = tensor.extract %table[%row, %column] : tensor<16x71xf32>
    linalg.yield %e : f32
  } -> tensor<45x71xf32>
  return %y : tensor<45x71xf32>
}

func.func @dynamic(%table: tensor<?x?xf32>, %at: tensor<?xi64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size_m = tensor.dim %at, %c0 : tensor<?xi64>
  %size_n = tensor.dim %table, %c1 : tensor<?x?xf32>
  %new = tensor.empty(%size_m, %size_n) : tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<?xi64>) outs(%new : tensor<?x?xf32>) {
  ^bb0(%i: i64, %out: f32):
    %row = arith.index_cast %i : i64 to index
    %column = linalg.index 1 : index
    %e = tensor.extract %table[%row, %column] : tensor<?x?xf32>
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
