// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// What MLIR makes invalid: sizes that contradict each other, in code that may never run, and more.

// CHECK: module {
// CHECK-NEXT:   func.func @slice_cast_oob(%arg0: tensor<8xf32>, %arg1: index) -> tensor<20xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0] [%arg1] [1] : tensor<8xf32> to tensor<?xf32>
// CHECK-NEXT:     %cast = tensor.cast %extracted_slice : tensor<?xf32> to tensor<20xf32>
// CHECK-NEXT:     return %cast : tensor<20xf32>
// CHECK-NEXT:   }
func.func @slice_cast_oob(%t: tensor<8xf32>, %n: index) -> tensor<20xf32> {
  %0 = tensor.extract_slice %t[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<20xf32>
  return %1 : tensor<20xf32>
}

// CHECK-NEXT:   func.func @empty_cast_encoding(%arg0: index) -> tensor<4xf32, "enc"> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<4xf32, "enc">
// CHECK-NEXT:     return %0 : tensor<4xf32, "enc">
// CHECK-NEXT:   }
func.func @empty_cast_encoding(%n: index) -> tensor<4xf32, "enc"> {
  %0 = tensor.empty(%n) : tensor<?xf32, "enc">
  %1 = tensor.cast %0 : tensor<?xf32, "enc"> to tensor<4xf32, "enc">
  return %1 : tensor<4xf32, "enc">
}

// CHECK-NEXT:   func.func @insert_other_unit2(%arg0: tensor<1x?xf32>, %arg1: tensor<4x4x4xf32>) -> tensor<4x4x4xf32> {
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<1x?xf32> to tensor<1x4xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %cast into %arg1[0, 0, 0] [1, 4, 1] [1, 1, 1] : tensor<1x4xf32> into tensor<4x4x4xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<4x4x4xf32>
// CHECK-NEXT:   }
func.func @insert_other_unit2(%s: tensor<1x?xf32>, %t: tensor<4x4x4xf32>) -> tensor<4x4x4xf32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.insert_slice %s into %t[0, 0, 0] [1, %c4, 1] [1, 1, 1] : tensor<1x?xf32> into tensor<4x4x4xf32>
  return %0 : tensor<4x4x4xf32>
}

// CHECK-NEXT:   func.func @pad_stated(%arg0: tensor<4xf32>, %arg1: f32) -> tensor<9xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[%c1] high[2] {
// CHECK-NEXT:     ^bb0(%arg2: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<4xf32> to tensor<9xf32>
// CHECK-NEXT:     return %padded : tensor<9xf32>
// CHECK-NEXT:   }
func.func @pad_stated(%t: tensor<4xf32>, %x: f32) -> tensor<9xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.pad %t low[%c1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<9xf32>
  return %0 : tensor<9xf32>
}

// CHECK-NEXT:   func.func @pad_negative_too_much(%arg0: tensor<4x5xf32>, %arg1: f32) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c-9 = arith.constant -9 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[%c-9, %c2] high[0, 3] {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<4x5xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %padded : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @pad_negative_too_much(%t: tensor<4x5xf32>, %x: f32) -> tensor<?x?xf32> {
  %c-1 = arith.constant -9 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c-1, %c2] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4x5xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @pad_cast_contradiction(%arg0: tensor<6xf32>, %arg1: f32) -> tensor<9xf32> {
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<6xf32> to tensor<?xf32>
// CHECK-NEXT:     %padded = tensor.pad %cast low[1] high[1] {
// CHECK-NEXT:     ^bb0(%arg2: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<?xf32> to tensor<9xf32>
// CHECK-NEXT:     return %padded : tensor<9xf32>
// CHECK-NEXT:   }
func.func @pad_cast_contradiction(%t: tensor<6xf32>, %x: f32) -> tensor<9xf32> {
  %c = tensor.cast %t : tensor<6xf32> to tensor<?xf32>
  %0 = tensor.pad %c low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<9xf32>
  return %0 : tensor<9xf32>
}

// CHECK-NEXT:   func.func @expand_negative(%arg0: tensor<6xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c-2 = arith.constant -2 : index
// CHECK-NEXT:     %c-3 = arith.constant -3 : index
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<6xf32> to tensor<?xf32>
// CHECK-NEXT:     %expanded = tensor.expand_shape %cast {{\[\[}}0, 1]] output_shape [%c-2, %c-3] : tensor<?xf32> into tensor<?x?xf32>
// CHECK-NEXT:     return %expanded : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @expand_negative(%t: tensor<6xf32>) -> tensor<?x?xf32> {
  %a = arith.constant -2 : index
  %b = arith.constant -3 : index
  %c = tensor.cast %t : tensor<6xf32> to tensor<?xf32>
  %0 = tensor.expand_shape %c [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @poison() -> (tensor<2xf32>, tensor<3xf32>, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : tensor<3xf32>
// CHECK-NEXT:     %1 = ub.poison : f32
// CHECK-NEXT:     %from_elements = tensor.from_elements %1, %1 : tensor<2xf32>
// CHECK-NEXT:     %splat = tensor.splat %1 : tensor<3xf32>
// CHECK-NEXT:     %extracted = tensor.extract %0[%c0] : tensor<3xf32>
// CHECK-NEXT:     return %from_elements, %splat, %extracted : tensor<2xf32>, tensor<3xf32>, f32
// CHECK-NEXT:   }
func.func @poison() -> (tensor<2xf32>, tensor<3xf32>, f32) {
  %p = ub.poison : f32
  %t = tensor.from_elements %p, %p : tensor<2xf32>
  %s = tensor.splat %p : tensor<3xf32>
  %q = ub.poison : tensor<3xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.extract %q[%c0] : tensor<3xf32>
  return %t, %s, %e : tensor<2xf32>, tensor<3xf32>, f32
}

// CHECK-NEXT:   func.func @dest_contradiction(%arg0: tensor<4xf32>, %arg1: tensor<5xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %arg1 : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT:     %0 = linalg.add ins(%cast, %cast : tensor<?xf32>, tensor<?xf32>) outs(%cast_0 : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     return %0 : tensor<?xf32>
// CHECK-NEXT:   }
func.func @dest_contradiction(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<?xf32> {
  %ca = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %cb = tensor.cast %b : tensor<5xf32> to tensor<?xf32>
  %0 = linalg.add ins(%ca, %ca : tensor<?xf32>, tensor<?xf32>) outs(%cb : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-NEXT:   func.func @outside(%arg0: tensor<8xf32>, %arg1: tensor<?xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
// CHECK-NEXT:     %c12 = arith.constant 12 : index
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%c12] [%c12] [1] : tensor<8xf32> to tensor<?xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg1 into %arg0[%c12] [%c12] [1] : tensor<?xf32> into tensor<8xf32>
// CHECK-NEXT:     return %extracted_slice, %inserted_slice : tensor<?xf32>, tensor<8xf32>
// CHECK-NEXT:   }
func.func @outside(%t: tensor<8xf32>, %s: tensor<?xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %c12 = arith.constant 12 : index
  %0 = tensor.extract_slice %t[%c12] [%c12] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %s into %t[%c12] [%c12] [1] : tensor<?xf32> into tensor<8xf32>
  return %0, %1 : tensor<?xf32>, tensor<8xf32>
}

// CHECK-NEXT:   func.func @not_the_first_unit(%arg0: tensor<?x4x1xf32>, %arg1: index) -> tensor<1x?xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[2, 0, 0] [1, %arg1, 1] [1, 1, 1] : tensor<?x4x1xf32> to tensor<1x?xf32>
// CHECK-NEXT:     return %extracted_slice : tensor<1x?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @not_the_first_unit(%t: tensor<?x4x1xf32>, %n: index) -> tensor<1x?xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %t[%c2, 0, 0] [1, %n, 1] [1, 1, 1] : tensor<?x4x1xf32> to tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
