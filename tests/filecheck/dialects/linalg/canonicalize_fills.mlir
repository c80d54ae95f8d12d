// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// What is made of a tensor full of one value is full of it, too.

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1 + 3)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @reshapes(%arg0: f32, %arg1: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<2x2x8xf32>) {
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg1 {{\[\[}}0, 1]] : tensor<4x8xf32> into tensor<32xf32>
// CHECK-NEXT:     %0 = linalg.fill ins(%arg0 : f32) outs(%collapsed : tensor<32xf32>) -> tensor<32xf32>
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg0 : f32) outs(%expanded : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
// CHECK-NEXT:     return %0, %1 : tensor<32xf32>, tensor<2x2x8xf32>
// CHECK-NEXT:   }
func.func @reshapes(%x: f32, %t: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<2x2x8xf32>) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %2 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  return %1, %2 : tensor<32xf32>, tensor<2x2x8xf32>
}

// CHECK-NEXT:   func.func @element(%arg0: f32, %arg1: tensor<?xf32>, %arg2: index) -> f32 {
// CHECK-NEXT:     return %arg0 : f32
// CHECK-NEXT:   }
func.func @element(%x: f32, %t: tensor<?xf32>, %i: index) -> f32 {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.extract %0[%i] : tensor<?xf32>
  return %1 : f32
}

// CHECK-NEXT:   func.func @pads(%arg0: f32, %arg1: f32, %arg2: tensor<?x8xf32>, %arg3: index) -> (tensor<?x10xf32>, tensor<?x10xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = linalg.fill ins(%arg0 : f32) outs(%arg2 : tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:     %dim = tensor.dim %arg2, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %1 = affine.apply #map()[%dim, %arg3]
// CHECK-NEXT:     %2 = tensor.empty(%1) : tensor<?x10xf32>
// CHECK-NEXT:     %3 = linalg.fill ins(%arg0 : f32) outs(%2 : tensor<?x10xf32>) -> tensor<?x10xf32>
// CHECK-NEXT:     %padded = tensor.pad %0 low[%arg3, 1] high[3, 1] {
// CHECK-NEXT:     ^bb0(%arg4: index, %arg5: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<?x8xf32> to tensor<?x10xf32>
// CHECK-NEXT:     return %3, %padded : tensor<?x10xf32>, tensor<?x10xf32>
// CHECK-NEXT:   }
func.func @pads(%x: f32, %y: f32, %t: tensor<?x8xf32>, %l: index) -> (tensor<?x10xf32>, tensor<?x10xf32>) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = tensor.pad %0 low[%l, 1] high[3, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x8xf32> to tensor<?x10xf32>
  %2 = tensor.pad %0 low[%l, 1] high[3, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %y : f32
  } : tensor<?x8xf32> to tensor<?x10xf32>
  return %1, %2 : tensor<?x10xf32>, tensor<?x10xf32>
}

// CHECK-NEXT:   func.func @pad_that_is_inserted(%arg0: tensor<4xf32>, %arg1: tensor<?xf32>, %arg2: index) -> tensor<32xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = tensor.empty() : tensor<32xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %1[0] [4] [1] : tensor<4xf32> into tensor<32xf32>
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
// CHECK-NEXT:     %inserted_slice_0 = tensor.insert_slice %arg1 into %inserted_slice[18] [%dim] [1] : tensor<?xf32> into tensor<32xf32>
// CHECK-NEXT:     return %inserted_slice_0 : tensor<32xf32>
// CHECK-NEXT:   }
func.func @pad_that_is_inserted(%a: tensor<4xf32>, %b: tensor<?xf32>, %o: index) -> tensor<32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %1 = tensor.insert_slice %a into %0[0] [4] [1] : tensor<4xf32> into tensor<32xf32>
  %2 = tensor.pad %b low[2] high[%o] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<12xf32>
  %3 = tensor.insert_slice %2 into %1[16] [12] [1] : tensor<12xf32> into tensor<32xf32>
  return %3 : tensor<32xf32>
}

// CHECK-NEXT:   func.func @pad_over_something(%arg0: tensor<4xf32>, %arg1: tensor<10xf32>) -> tensor<32xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = tensor.empty() : tensor<32xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %1[16] [4] [1] : tensor<4xf32> into tensor<32xf32>
// CHECK-NEXT:     %padded = tensor.pad %arg1 low[2] high[0] {
// CHECK-NEXT:     ^bb0(%arg2: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<10xf32> to tensor<12xf32>
// CHECK-NEXT:     %inserted_slice_0 = tensor.insert_slice %padded into %inserted_slice[16] [12] [1] : tensor<12xf32> into tensor<32xf32>
// CHECK-NEXT:     return %inserted_slice_0 : tensor<32xf32>
// CHECK-NEXT:   }
func.func @pad_over_something(%a: tensor<4xf32>, %b: tensor<10xf32>) -> tensor<32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %1 = tensor.insert_slice %a into %0[16] [4] [1] : tensor<4xf32> into tensor<32xf32>
  %2 = tensor.pad %b low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<10xf32> to tensor<12xf32>
  %3 = tensor.insert_slice %2 into %1[16] [12] [1] : tensor<12xf32> into tensor<32xf32>
  return %3 : tensor<32xf32>
}

// CHECK-NEXT:   func.func @joined(%arg0: f32, %arg1: f32, %arg2: tensor<4xf32>, %arg3: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %0 = linalg.fill ins(%arg0 : f32) outs(%arg2 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg1 : f32) outs(%arg3 : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %concat = tensor.concat dim(0) %arg2, %arg3 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%arg0 : f32) outs(%concat : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %concat_0 = tensor.concat dim(0) %0, %1 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     return %2, %concat_0 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @joined(%x: f32, %y: f32, %a: tensor<4xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %2 = linalg.fill ins(%y : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %3 = tensor.concat dim(0) %0, %1 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  %4 = tensor.concat dim(0) %0, %2 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %3, %4 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @copies(%arg0: f32, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:     %0 = linalg.fill ins(%arg0 : f32) outs(%arg2 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     %1 = linalg.copy ins(%arg2 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     return %0, %1 : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:   }
func.func @copies(%x: f32, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.copy ins(%b : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-NEXT:   func.func @moved(%arg0: f32, %arg1: tensor<4x8xf32>, %arg2: tensor<8x4xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT:     %0 = linalg.fill ins(%arg0 : f32) outs(%arg2 : tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:     return %0 : tensor<8x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @moved(%x: f32, %a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0]
  return %1 : tensor<8x4xf32>
}
