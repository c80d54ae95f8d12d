// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Paddings: by nothing, by constants, of casts, in a row.

// CHECK: #map = affine_map<()[s0] -> (s0 + 2)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @pad_stated2(%arg0: tensor<4x?xf32>, %arg1: f32) -> tensor<9x?xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[%c1, 0] high[2, %c1] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<4x?xf32> to tensor<9x?xf32>
// CHECK-NEXT:     return %padded : tensor<9x?xf32>
// CHECK-NEXT:   }
func.func @pad_stated2(%t: tensor<4x?xf32>, %x: f32) -> tensor<9x?xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.pad %t low[%c1, 0] high[2, %c1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x?xf32> to tensor<9x?xf32>
  return %0 : tensor<9x?xf32>
}

// CHECK-NEXT:   func.func @pad_negative(%arg0: tensor<4x5xf32>, %arg1: f32) -> tensor<?x?xf32> {
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[-1, 2] high[-1, 3] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<4x5xf32> to tensor<2x10xf32>
// CHECK-NEXT:     %cast = tensor.cast %padded : tensor<2x10xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %cast : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @pad_negative(%t: tensor<4x5xf32>, %x: f32) -> tensor<?x?xf32> {
  %c-1 = arith.constant -1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c-1, %c2] high[%c-1, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x5xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @pads(%arg0: tensor<?x?xf32>, %arg1: f32, %arg2: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:     %0 = affine.apply #map()[%arg2]
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg2]
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[%arg2, %1] high[3, %0] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %padded_0 = tensor.pad %arg0 nofold low[0, 0] high[0, 0] {
// CHECK-NEXT:     ^bb0(%arg3: index, %arg4: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } {some = 1 : i64} : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %padded, %padded_0, %arg0 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @pads(%t: tensor<?x?xf32>, %x: f32, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.pad %t low[0, %n] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %1 = tensor.pad %0 low[%n, 1] high[3, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %2 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } {some = 1} : tensor<?x?xf32> to tensor<?x?xf32>
  %3 = tensor.pad %t low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @of_known_size(%arg0: tensor<4xf32>, %arg1: f32, %arg2: index) -> (tensor<?xf32>, tensor<7xf32>, tensor<4xf32>) {
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[1] high[2] {
// CHECK-NEXT:     ^bb0(%arg3: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<4xf32> to tensor<7xf32>
// CHECK-NEXT:     %cast = tensor.cast %padded : tensor<7xf32> to tensor<?xf32>
// CHECK-NEXT:     %padded_0 = tensor.pad %arg0 low[%arg2] high[0] {
// CHECK-NEXT:     ^bb0(%arg3: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } {mark} : tensor<4xf32> to tensor<7xf32>
// CHECK-NEXT:     return %cast, %padded_0, %arg0 : tensor<?xf32>, tensor<7xf32>, tensor<4xf32>
// CHECK-NEXT:   }
func.func @of_known_size(%t: tensor<4xf32>, %x: f32, %n: index) -> (tensor<?xf32>, tensor<7xf32>, tensor<4xf32>) {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %0 = tensor.pad %c low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.pad %t low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } {mark} : tensor<4xf32> to tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<7xf32>
  %3 = tensor.pad %t low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %0, %2, %3 : tensor<?xf32>, tensor<7xf32>, tensor<4xf32>
}

// CHECK-NEXT:   func.func @two_dimensions(%arg0: tensor<64x64xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: index) -> tensor<8x4xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[16, 4] [%arg1, %arg2] [1, 1] : tensor<64x64xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %padded = tensor.pad %extracted_slice nofold low[0, 0] high[%arg3, %arg4] {
// CHECK-NEXT:     ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:       tensor.yield %cst : f32
// CHECK-NEXT:     } : tensor<?x?xf32> to tensor<8x4xf32>
// CHECK-NEXT:     return %padded : tensor<8x4xf32>
// CHECK-NEXT:   }
func.func @two_dimensions(%t: tensor<64x64xf32>, %a: index, %b: index, %p: index, %q: index) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %t[16, 0] [%a, 64] [1, 1] : tensor<64x64xf32> to tensor<?x64xf32>
  %1 = tensor.pad %0 low[0, 0] high[%p, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x64xf32> to tensor<8x64xf32>
  %2 = tensor.extract_slice %1[0, 4] [8, %b] [1, 1] : tensor<8x64xf32> to tensor<8x?xf32>
  %3 = tensor.pad %2 nofold low[0, 0] high[0, %q] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x?xf32> to tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// CHECK-NEXT:   func.func @not_in_one(%arg0: tensor<64xf32>, %arg1: index, %arg2: index, %arg3: f32, %arg4: f32) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[%arg1] high[%arg2] {
// CHECK-NEXT:     ^bb0(%arg5: index):
// CHECK-NEXT:       tensor.yield %arg3 : f32
// CHECK-NEXT:     } : tensor<64xf32> to tensor<?xf32>
// CHECK-NEXT:     %padded_0 = tensor.pad %padded low[%arg1] high[%arg2] {
// CHECK-NEXT:     ^bb0(%arg5: index):
// CHECK-NEXT:       tensor.yield %arg4 : f32
// CHECK-NEXT:     } : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:     %padded_1 = tensor.pad %padded low[%arg1] high[%arg2] {
// CHECK-NEXT:     ^bb0(%arg5: index):
// CHECK-NEXT:       %0 = arith.index_cast %arg5 : index to i32
// CHECK-NEXT:       %1 = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:       tensor.yield %1 : f32
// CHECK-NEXT:     } : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:     return %padded_0, %padded_1 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @not_in_one(%t: tensor<64xf32>, %a: index, %p: index, %x: f32, %y: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.pad %t low[%a] high[%p] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<64xf32> to tensor<?xf32>
  %1 = tensor.pad %0 low[%a] high[%p] {
  ^bb0(%i: index):
    tensor.yield %y : f32
  } : tensor<?xf32> to tensor<?xf32>
  %2 = tensor.pad %0 low[%a] high[%p] {
  ^bb0(%i: index):
    %number = arith.index_cast %i : index to i32
    %z = arith.sitofp %number : i32 to f32
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
