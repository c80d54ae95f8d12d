// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// The softmax of each row, with the row's largest value taken off first.
func.func @static(%x: tensor<19x300xf32>) -> tensor<19x300xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %max_new = tensor.empty() : tensor<19xf32>
  %max_init = linalg.fill ins(%lowest : f32) outs(%max_new : tensor<19xf32>) -> tensor<19xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<19x300xf32>) outs(%max_init : tensor<19xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.maximumf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<19xf32>
  %exp_new = tensor.empty() : tensor<19x300xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<19x300xf32>, tensor<19xf32>) outs(%exp_new : tensor<19x300xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<19x300xf32>
  %sum_new = tensor.empty() : tensor<19xf32>
  %sum_init = linalg.fill ins(%zero : f32) outs(%sum_new : tensor<19xf32>) -> tensor<19xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<19x300xf32>) outs(%sum_init : tensor<19xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.addf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<19xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<19x300xf32>, tensor<19xf32>) outs(%exp_new : tensor<19x300xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %q = arith.divf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<19x300xf32>
  return %r : tensor<19x300xf32>
}

func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size_m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %size_n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %max_new = tensor.empty(%size_m) : tensor<?xf32>
  %max_init = linalg.fill ins(%lowest : f32) outs(%max_new : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%max_init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.maximumf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %exp_new = tensor.empty(%size_m, %size_n) : tensor<?x?xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%exp_new : tensor<?x?xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  %sum_new = tensor.empty(%size_m) : tensor<?xf32>
  %sum_init = linalg.fill ins(%zero : f32) outs(%sum_new : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<?x?xf32>) outs(%sum_init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.addf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%exp_new : tensor<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %q = arith.divf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
