// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// Each row with mean 0 and variance 1, then scaled and shifted.
func.func @static(%x: tensor<21x130xf32>, %gain: tensor<130xf32>, %bias: tensor<130xf32>) -> tensor<21x130xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %count = arith.constant 130.0 : f32
  %sum_new = tensor.empty() : tensor<21xf32>
  %sum_init = linalg.fill ins(%zero : f32) outs(%sum_new : tensor<21xf32>) -> tensor<21xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<21x130xf32>) outs(%sum_init : tensor<21xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.addf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<21xf32>
  %square_new = tensor.empty() : tensor<21xf32>
  %square_init = linalg.fill ins(%zero : f32) outs(%square_new : tensor<21xf32>) -> tensor<21xf32>
  %square = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<21x130xf32>, tensor<21xf32>) outs(%square_init : tensor<21xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %in, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %next = arith.addf %dd, %acc : f32
    linalg.yield %next : f32
  } -> tensor<21xf32>
  %y_new = tensor.empty() : tensor<21x130xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #row, #column, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %square, %gain, %bias : tensor<21x130xf32>, tensor<21xf32>, tensor<21xf32>, tensor<130xf32>, tensor<130xf32>) outs(%y_new : tensor<21x130xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %g: f32, %b: f32, %out: f32):
    %mean = arith.divf %s, %count : f32
    %variance = arith.divf %sq, %count : f32
    %v = arith.addf %variance, %eps : f32
    %scale = math.rsqrt %v : f32
    %d = arith.subf %in, %mean : f32
    %n1 = arith.mulf %d, %scale : f32
    %n2 = arith.mulf %n1, %g : f32
    %n3 = arith.addf %n2, %b : f32
    linalg.yield %n3 : f32
  } -> tensor<21x130xf32>
  return %y : tensor<21x130xf32>
}

func.func @dynamic(%x: tensor<?x?xf32>, %gain: tensor<?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size_m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %size_n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %count_int = arith.index_cast %size_n : index to i64
  %count = arith.sitofp %count_int : i64 to f32
  %sum_new = tensor.empty(%size_m) : tensor<?xf32>
  %sum_init = linalg.fill ins(%zero : f32) outs(%sum_new : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%sum_init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %next = arith.addf %in, %acc : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %square_new = tensor.empty(%size_m) : tensor<?xf32>
  %square_init = linalg.fill ins(%zero : f32) outs(%square_new : tensor<?xf32>) -> tensor<?xf32>
  %square = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%square_init : tensor<?xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %count : f32
    %d = arith.subf %in, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %next = arith.addf %dd, %acc : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %y_new = tensor.empty(%size_m, %size_n) : tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #row, #column, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %square, %gain, %bias : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%y_new : tensor<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %g: f32, %b: f32, %out: f32):
    %mean = arith.divf %s, %count : f32
    %variance = arith.divf %sq, %count : f32
    %v = arith.addf %variance, %eps : f32
    %scale = math.rsqrt %v : f32
    %d = arith.subf %in, %mean : f32
    %n1 = arith.mulf %d, %scale : f32
    %n2 = arith.mulf %n1, %g : f32
    %n3 = arith.addf %n2, %b : f32
    linalg.yield %n3 : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
