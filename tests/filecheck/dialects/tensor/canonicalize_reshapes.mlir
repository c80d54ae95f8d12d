// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Reshapes: in a row, of casts, of constants and of elements.

// CHECK: module {
// CHECK-NEXT:   func.func @expand_contradiction(%arg0: tensor<6xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<6xf32> to tensor<?xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %cast : tensor<?xf32> to tensor<10xf32>
// CHECK-NEXT:     %expanded = tensor.expand_shape %cast_0 {{\[\[}}0, 1]] output_shape [2, 5] : tensor<10xf32> into tensor<2x5xf32>
// CHECK-NEXT:     %cast_1 = tensor.cast %expanded : tensor<2x5xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %cast_1 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @expand_contradiction(%t: tensor<6xf32>) -> tensor<?x?xf32> {
  %a = arith.constant 2 : index
  %b = arith.constant 5 : index
  %c = tensor.cast %t : tensor<6xf32> to tensor<?xf32>
  %0 = tensor.expand_shape %c [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @empty_constants(%arg0: index) -> (tensor<0x2xf32>, tensor<2x0xf32>, f32) {
// CHECK-NEXT:     %cst = arith.constant dense<> : tensor<0xf32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<> : tensor<0x2xf32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<> : tensor<2x0xf32>
// CHECK-NEXT:     %extracted = tensor.extract %cst[%arg0] : tensor<0xf32>
// CHECK-NEXT:     return %cst_0, %cst_1, %extracted : tensor<0x2xf32>, tensor<2x0xf32>, f32
// CHECK-NEXT:   }
func.func @empty_constants(%i: index) -> (tensor<0x2xf32>, tensor<2x0xf32>, f32) {
  %z = arith.constant dense<> : tensor<0xf32>
  %0 = tensor.expand_shape %z [[0, 1]] output_shape [0, 2] : tensor<0xf32> into tensor<0x2xf32>
  %f = tensor.from_elements : tensor<2x0xf32>
  %e = tensor.extract %z[%i] : tensor<0xf32>
  return %0, %f, %e : tensor<0x2xf32>, tensor<2x0xf32>, f32
}

// CHECK-NEXT:   func.func @reshape_const(%arg0: tensor<2xindex>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<1.000000e+00> : tensor<2x2xf32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:     %reshape = tensor.reshape %cst_0(%arg0) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
// CHECK-NEXT:     %reshape_2 = tensor.reshape %cst_1(%arg0) : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// CHECK-NEXT:     return %reshape, %cst, %reshape_2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @reshape_const(%s: tensor<2xindex>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<?x?xf32>) {
  %z = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %w = arith.constant dense<1.0> : tensor<4xf32>
  %0 = tensor.reshape %z(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %1 = tensor.reshape %w(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %2 = tensor.reshape %w(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @collapse_dynamic(%arg0: tensor<?x4xf32>, %arg1: index) -> (tensor<?x?x4xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [%arg1, %arg1, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<?x4xf32> into tensor<?xf32>
// CHECK-NEXT:     return %expanded, %collapsed : tensor<?x?x4xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @collapse_dynamic(%t: tensor<?x4xf32>, %n: index) -> (tensor<?x?x4xf32>, tensor<?xf32>) {
  %0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [%n, %n, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<?x?x4xf32> into tensor<?xf32>
  return %0, %1 : tensor<?x?x4xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @expand_of_collapse(%arg0: tensor<?x4x?xf32>, %arg1: index, %arg2: index) -> (tensor<?x4x?xf32>, tensor<?x2x2x?xf32>) {
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3]] output_shape [%arg1, 2, 2, %arg2] : tensor<?x4x?xf32> into tensor<?x2x2x?xf32>
// CHECK-NEXT:     return %arg0, %expanded : tensor<?x4x?xf32>, tensor<?x2x2x?xf32>
// CHECK-NEXT:   }
func.func @expand_of_collapse(%t: tensor<?x4x?xf32>, %n: index, %m: index) -> (tensor<?x4x?xf32>, tensor<?x2x2x?xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  %2 = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [%n, 2, 2, %m] : tensor<?x?xf32> into tensor<?x2x2x?xf32>
  return %1, %2 : tensor<?x4x?xf32>, tensor<?x2x2x?xf32>
}

// CHECK-NEXT:   func.func @rank0(%arg0: tensor<f32>, %arg1: tensor<1x1xf32>) -> (f32, tensor<1x1xf32>, tensor<f32>) {
// CHECK-NEXT:     %extracted = tensor.extract %arg0[] : tensor<f32>
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg1 [] : tensor<1x1xf32> into tensor<f32>
// CHECK-NEXT:     return %extracted, %expanded, %collapsed : f32, tensor<1x1xf32>, tensor<f32>
// CHECK-NEXT:   }
func.func @rank0(%t: tensor<f32>, %u: tensor<1x1xf32>) -> (f32, tensor<1x1xf32>, tensor<f32>) {
  %0 = tensor.extract %t[] : tensor<f32>
  %1 = tensor.expand_shape %t [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %2 = tensor.collapse_shape %u [] : tensor<1x1xf32> into tensor<f32>
  return %0, %1, %2 : f32, tensor<1x1xf32>, tensor<f32>
}

// CHECK-NEXT:   func.func @made(%arg0: f32, %arg1: f32) -> (tensor<2x1xf32>, tensor<6xf32>, tensor<2x2xi8>) {
// CHECK-NEXT:     %cst = arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi8>
// CHECK-NEXT:     %from_elements = tensor.from_elements %arg0, %arg1 : tensor<2x1xf32>
// CHECK-NEXT:     %splat = tensor.splat %arg0 : tensor<6xf32>
// CHECK-NEXT:     return %from_elements, %splat, %cst : tensor<2x1xf32>, tensor<6xf32>, tensor<2x2xi8>
// CHECK-NEXT:   }
func.func @made(%x: f32, %y: f32) -> (tensor<2x1xf32>, tensor<6xf32>, tensor<2x2xi8>) {
  %0 = tensor.from_elements %x, %y : tensor<2xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  %2 = tensor.splat %x : tensor<2x3xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %4 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [2, 2] : tensor<4xi8> into tensor<2x2xi8>
  return %1, %3, %5 : tensor<2x1xf32>, tensor<6xf32>, tensor<2x2xi8>
}

// CHECK-NEXT:   func.func @in_a_row(%arg0: tensor<2x3x4x5xf32>) -> (tensor<120xf32>, tensor<2x12x5xf32>, tensor<6x20xf32>) {
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2, 3]] : tensor<2x3x4x5xf32> into tensor<120xf32>
// CHECK-NEXT:     %collapsed_0 = tensor.collapse_shape %arg0 {{\[\[}}0], [1, 2], [3]] : tensor<2x3x4x5xf32> into tensor<2x12x5xf32>
// CHECK-NEXT:     %collapsed_1 = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<6x20xf32>
// CHECK-NEXT:     return %collapsed, %collapsed_0, %collapsed_1 : tensor<120xf32>, tensor<2x12x5xf32>, tensor<6x20xf32>
// CHECK-NEXT:   }
func.func @in_a_row(%t: tensor<2x3x4x5xf32>) -> (tensor<120xf32>, tensor<2x12x5xf32>, tensor<6x20xf32>) {
  %0 = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<2x3x4x5xf32> into tensor<6x20xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<6x20xf32> into tensor<120xf32>
  %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [2, 12, 5] : tensor<120xf32> into tensor<2x12x5xf32>
  %3 = tensor.expand_shape %1 [[0, 1]] output_shape [6, 20] : tensor<120xf32> into tensor<6x20xf32>
  return %1, %2, %3 : tensor<120xf32>, tensor<2x12x5xf32>, tensor<6x20xf32>
}

// CHECK-NEXT:   func.func @of_casts(%arg0: tensor<4x6xf32>, %arg1: index) -> (tensor<?xf32>, tensor<?x2x?x3xf32>) {
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<4x6xf32> into tensor<24xf32>
// CHECK-NEXT:     %cast = tensor.cast %collapsed : tensor<24xf32> to tensor<?xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %arg0 : tensor<4x6xf32> to tensor<4x?xf32>
// CHECK-NEXT:     %expanded = tensor.expand_shape %cast_0 {{\[\[}}0, 1], [2, 3]] output_shape [2, 2, %arg1, 3] : tensor<4x?xf32> into tensor<2x2x?x3xf32>
// CHECK-NEXT:     %cast_1 = tensor.cast %expanded : tensor<2x2x?x3xf32> to tensor<?x2x?x3xf32>
// CHECK-NEXT:     return %cast, %cast_1 : tensor<?xf32>, tensor<?x2x?x3xf32>
// CHECK-NEXT:   }
func.func @of_casts(%t: tensor<4x6xf32>, %n: index) -> (tensor<?xf32>, tensor<?x2x?x3xf32>) {
  %c2 = arith.constant 2 : index
  %0 = tensor.cast %t : tensor<4x6xf32> to tensor<?x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %2 = tensor.expand_shape %0 [[0, 1], [2, 3]] output_shape [%c2, 2, %n, 3] : tensor<?x?xf32> into tensor<?x2x?x3xf32>
  return %1, %2 : tensor<?xf32>, tensor<?x2x?x3xf32>
}

// CHECK-NEXT:   func.func @to_what_it_is(%arg0: tensor<?x4xf32>, %arg1: tensor<?xf32>, %arg2: tensor<1xindex>, %arg3: index) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %from_elements = tensor.from_elements %arg3, %c4 : tensor<2xindex>
// CHECK-NEXT:     %reshape = tensor.reshape %arg0(%from_elements) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
// CHECK-NEXT:     %reshape_0 = tensor.reshape %arg0(%arg2) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
// CHECK-NEXT:     return %arg0, %arg1, %reshape, %reshape_0 : tensor<?x4xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @to_what_it_is(%t: tensor<?x4xf32>, %u: tensor<?xf32>, %s: tensor<1xindex>, %n: index) -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %t, %c0 : tensor<?x4xf32>
  %0 = tensor.from_elements %d, %c4 : tensor<2xindex>
  %1 = tensor.reshape %t(%0) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %2 = tensor.reshape %u(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %3 = tensor.from_elements %n, %c4 : tensor<2xindex>
  %4 = tensor.reshape %t(%3) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %5 = tensor.reshape %4(%s) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %1, %2, %4, %5 : tensor<?x4xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>
}
