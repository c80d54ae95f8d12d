// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#all = affine_map<(b, i, j) -> (b, i, j)>

// Scores of queries and keys: products scaled, and what comes later masked.
func.func @static(%q: tensor<2x50x64xf32>, %k: tensor<2x50x64xf32>) -> tensor<2x50x50xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %s_new = tensor.empty() : tensor<2x50x50xf32>
  %s_init = linalg.fill ins(%zero : f32) outs(%s_new : tensor<2x50x50xf32>) -> tensor<2x50x50xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x50x64xf32>, tensor<2x50x64xf32>) outs(%s_init : tensor<2x50x50xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %next = arith.addf %p, %acc : f32
    linalg.yield %next : f32
  } -> tensor<2x50x50xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x50x50xf32>) outs(%s_new : tensor<2x50x50xf32>) {
  ^bb0(%in: f32, %out: f32):
    %lowest = arith.constant 0xFF800000 : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %seen = arith.cmpi ule, %j, %i : index
    %scaled = arith.mulf %in, %scale : f32
    %r = arith.select %seen, %scaled, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<2x50x50xf32>
  return %masked : tensor<2x50x50xf32>
}

func.func @dynamic(%q: tensor<?x?x?xf32>, %k: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size_b = tensor.dim %q, %c0 : tensor<?x?x?xf32>
  %size_m = tensor.dim %q, %c1 : tensor<?x?x?xf32>
  %size_n = tensor.dim %k, %c1 : tensor<?x?x?xf32>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %s_new = tensor.empty(%size_b, %size_m, %size_n) : tensor<?x?x?xf32>
  %s_init = linalg.fill ins(%zero : f32) outs(%s_new : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%s_init : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %next = arith.addf %p, %acc : f32
    linalg.yield %next : f32
  } -> tensor<?x?x?xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x?x?xf32>) outs(%s_new : tensor<?x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %lowest = arith.constant 0xFF800000 : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %seen = arith.cmpi ule, %j, %i : index
    %scaled = arith.mulf %in, %scale : f32
    %r = arith.select %seen, %scaled, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  return %masked : tensor<?x?x?xf32>
}
