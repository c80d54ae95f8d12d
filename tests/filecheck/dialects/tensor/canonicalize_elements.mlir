// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Elements: of constants, and those that tensors are made of.

// CHECK: module {
// CHECK-NEXT:   func.func @extract_oob() -> (f32, f32) {
// CHECK-NEXT:     %cst = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %extracted = tensor.extract %cst[%c7] : tensor<2xf32>
// CHECK-NEXT:     %extracted_0 = tensor.extract %cst[%c-1] : tensor<2xf32>
// CHECK-NEXT:     return %extracted, %extracted_0 : f32, f32
// CHECK-NEXT:   }
func.func @extract_oob() -> (f32, f32) {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i = arith.constant 7 : index
  %j = arith.constant -1 : index
  %0 = tensor.extract %t[%i] : tensor<2xf32>
  %1 = tensor.extract %t[%j] : tensor<2xf32>
  return %0, %1 : f32, f32
}

// CHECK-NEXT:   func.func @from_elements_oob(%arg0: f32, %arg1: f32) -> (f32, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %from_elements = tensor.from_elements %arg0, %arg1, %arg0, %arg0 : tensor<2x2xf32>
// CHECK-NEXT:     %extracted = tensor.extract %from_elements[%c-1, %c0] : tensor<2x2xf32>
// CHECK-NEXT:     return %arg0, %extracted : f32, f32
// CHECK-NEXT:   }
func.func @from_elements_oob(%a: f32, %b: f32) -> (f32, f32) {
  %t = tensor.from_elements %a, %b, %a, %a : tensor<2x2xf32>
  %i = arith.constant 3 : index
  %j = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %t[%c0, %i] : tensor<2x2xf32>
  %1 = tensor.extract %t[%j, %c0] : tensor<2x2xf32>
  return %0, %1 : f32, f32
}

// CHECK-NEXT:   func.func @insert_chain(%arg0: tensor<4xf32>, %arg1: f32, %arg2: index) -> (f32, f32) {
// CHECK-NEXT:     %inserted = tensor.insert %arg1 into %arg0[%arg2] : tensor<4xf32>
// CHECK-NEXT:     %extracted = tensor.extract %inserted[%arg2] : tensor<4xf32>
// CHECK-NEXT:     return %arg1, %extracted : f32, f32
// CHECK-NEXT:   }
func.func @insert_chain(%d: tensor<4xf32>, %x: f32, %i: index) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %x into %d[%c1] : tensor<4xf32>
  %1 = tensor.extract %0[%c1] : tensor<4xf32>
  %2 = tensor.insert %x into %d[%i] : tensor<4xf32>
  %3 = tensor.extract %2[%i] : tensor<4xf32>
  return %1, %3 : f32, f32
}

// CHECK-NEXT:   func.func @splats() -> (tensor<2xi1>, tensor<2xi8>, i1, tensor<2xcomplex<f32>>, tensor<2xi1>) {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<true> : tensor<2xi1>
// CHECK-NEXT:     %cst_1 = arith.constant dense<-3> : tensor<2xi8>
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %splat = tensor.splat %cst : tensor<2xcomplex<f32>>
// CHECK-NEXT:     return %cst_0, %cst_1, %true, %splat, %cst_0 : tensor<2xi1>, tensor<2xi8>, i1, tensor<2xcomplex<f32>>, tensor<2xi1>
// CHECK-NEXT:   }
func.func @splats() -> (tensor<2xi1>, tensor<2xi8>, i1, tensor<2xcomplex<f32>>, tensor<2xi1>) {
  %t = arith.constant true
  %c = arith.constant -3 : i8
  %0 = tensor.splat %t : tensor<2xi1>
  %1 = tensor.splat %c : tensor<2xi8>
  %z = arith.constant 0 : index
  %d = arith.constant dense<[true, false]> : tensor<2xi1>
  %2 = tensor.extract %d[%z] : tensor<2xi1>
  %k = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %3 = tensor.splat %k : tensor<2xcomplex<f32>>
  %4 = tensor.from_elements %t, %2 : tensor<2xi1>
  return %0, %1, %2, %3, %4 : tensor<2xi1>, tensor<2xi8>, i1, tensor<2xcomplex<f32>>, tensor<2xi1>
}

// CHECK-NEXT:   func.func @insert_splat() -> (tensor<2xi8>, tensor<2xi8>) {
// CHECK-NEXT:     %c4_i8 = arith.constant 4 : i8
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant dense<-3> : tensor<2xi8>
// CHECK-NEXT:     %inserted = tensor.insert %c4_i8 into %cst[%c0] : tensor<2xi8>
// CHECK-NEXT:     return %cst, %inserted : tensor<2xi8>, tensor<2xi8>
// CHECK-NEXT:   }
func.func @insert_splat() -> (tensor<2xi8>, tensor<2xi8>) {
  %c = arith.constant -3 : i8
  %e = arith.constant 4 : i8
  %z = arith.constant 0 : index
  %d = arith.constant dense<-3> : tensor<2xi8>
  %2 = tensor.insert %c into %d[%z] : tensor<2xi8>
  %3 = tensor.insert %e into %d[%z] : tensor<2xi8>
  return %2, %3 : tensor<2xi8>, tensor<2xi8>
}

// CHECK-NEXT:   func.func @gathers(%arg0: tensor<3x1xindex>) -> tensor<3x4xf32> {
// CHECK-NEXT:     %cst = arith.constant dense<2.000000e+00> : tensor<3x4xf32>
// CHECK-NEXT:     return %cst : tensor<3x4xf32>
// CHECK-NEXT:   }
func.func @gathers(%i: tensor<3x1xindex>) -> (tensor<3x4xf32>) {
  %d = arith.constant dense<2.0> : tensor<5x4xf32>
  %0 = tensor.gather %d[%i] gather_dims([0]) : (tensor<5x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-NEXT:   func.func @complex_numbers(%arg0: index) -> (complex<f32>, complex<i32>, tensor<2xcomplex<f16>>, complex<f16>) {
// CHECK-NEXT:     %cst = complex.constant [1.500000e+00 : f32, -2.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %cst_0 = complex.constant [3 : i32, 4 : i32] : complex<i32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<(5.000000e-01,1.000000e+00)> : tensor<2xcomplex<f16>>
// CHECK-NEXT:     %cst_2 = complex.constant [5.000000e-01 : f16, 1.000000e+00 : f16] : complex<f16>
// CHECK-NEXT:     return %cst, %cst_0, %cst_1, %cst_2 : complex<f32>, complex<i32>, tensor<2xcomplex<f16>>, complex<f16>
// CHECK-NEXT:   }
func.func @complex_numbers(%i: index) -> (complex<f32>, complex<i32>, tensor<2xcomplex<f16>>, complex<f16>) {
  %0 = arith.constant dense<(1.5, -2.0)> : tensor<3xcomplex<f32>>
  %1 = tensor.extract %0[%i] : tensor<3xcomplex<f32>>
  %c1 = arith.constant 1 : index
  %2 = arith.constant dense<[(1, -2), (3, 4)]> : tensor<2xcomplex<i32>>
  %3 = tensor.extract %2[%c1] : tensor<2xcomplex<i32>>
  %4 = complex.constant [0.5 : f16, 1.0 : f16] : complex<f16>
  %5 = tensor.from_elements %4, %4 : tensor<2xcomplex<f16>>
  %6 = tensor.extract %5[%c1] : tensor<2xcomplex<f16>>
  return %1, %3, %5, %6 : complex<f32>, complex<i32>, tensor<2xcomplex<f16>>, complex<f16>
}

// CHECK-NEXT:   func.func @sparse_constant(%arg0: index) -> (f16, f16, f16) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %cst = arith.constant sparse<{{\[\[}}0, 1], [2, 2]], [7.000000e+00, 9.000000e+00]> : tensor<3x4xf16>
// CHECK-NEXT:     %cst_0 = arith.constant 7.000000e+00 : f16
// CHECK-NEXT:     %cst_1 = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %extracted = tensor.extract %cst[%arg0, %c2] : tensor<3x4xf16>
// CHECK-NEXT:     return %cst_0, %cst_1, %extracted : f16, f16, f16
// CHECK-NEXT:   }
func.func @sparse_constant(%i: index) -> (f16, f16, f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = arith.constant sparse<[[0, 1], [2, 2]], [7.0, 9.0]> : tensor<3x4xf16>
  %1 = tensor.extract %0[%c0, %c1] : tensor<3x4xf16>
  %2 = tensor.extract %0[%c1, %c2] : tensor<3x4xf16>
  %3 = tensor.extract %0[%i, %c2] : tensor<3x4xf16>
  return %1, %2, %3 : f16, f16, f16
}

// CHECK-NEXT:   func.func @through(%arg0: tensor<?xi32>, %arg1: tensor<4xi32>, %arg2: index) -> (i32, index) {
// CHECK-NEXT:     %extracted = tensor.extract %arg0[%arg2] : tensor<?xi32>
// CHECK-NEXT:     %extracted_0 = tensor.extract %arg1[%arg2] : tensor<4xi32>
// CHECK-NEXT:     %0 = arith.index_cast %extracted_0 : i32 to index
// CHECK-NEXT:     return %extracted, %0 : i32, index
// CHECK-NEXT:   }
func.func @through(%t: tensor<?xi32>, %c: tensor<4xi32>, %i: index) -> (i32, index) {
  %0 = tensor.cast %t : tensor<?xi32> to tensor<4xi32>
  %1 = tensor.extract %0[%i] : tensor<4xi32>
  %2 = arith.index_cast %c : tensor<4xi32> to tensor<4xindex>
  %3 = tensor.extract %2[%i] : tensor<4xindex>
  return %1, %3 : i32, index
}

// CHECK-NEXT:   func.func private @effect(index) -> index
func.func private @effect(index) -> index

// CHECK-NEXT:   func.func @generated(%arg0: index, %arg1: f32) -> (index, index, f32) {
// CHECK-NEXT:     %generated = tensor.generate  {
// CHECK-NEXT:     ^bb0(%arg2: index):
// CHECK-NEXT:       %0 = func.call @effect(%arg2) : (index) -> index
// CHECK-NEXT:       tensor.yield %0 : index
// CHECK-NEXT:     } : tensor<4xindex>
// CHECK-NEXT:     %extracted = tensor.extract %generated[%arg0] : tensor<4xindex>
// CHECK-NEXT:     return %extracted, %arg0, %arg1 : index, index, f32
// CHECK-NEXT:   }
func.func @generated(%i: index, %x: f32) -> (index, index, f32) {
  %0 = tensor.generate {
  ^bb0(%a: index):
    %n = func.call @effect(%a) : (index) -> index
    tensor.yield %n : index
  } : tensor<4xindex>
  %1 = tensor.extract %0[%i] : tensor<4xindex>
  %2 = tensor.generate {
  ^bb0(%a: index):
    tensor.yield %a : index
  } : tensor<4xindex>
  %3 = tensor.extract %2[%i] : tensor<4xindex>
  %4 = tensor.generate {
  ^bb0(%a: index):
    tensor.yield %x : f32
  } : tensor<4xf32>
  %5 = tensor.extract %4[%i] : tensor<4xf32>
  return %1, %3, %5 : index, index, f32
}

// CHECK-NEXT:   func.func @number_types(%arg0: index) -> (f8E4M3FN, bf16, i128, ui8, i4, index, f32, f16, si8, f64) {
// CHECK-NEXT:     %cst = arith.constant 0x7FF8000000000001 : f64
// CHECK-NEXT:     %cst_0 = arith.constant -0.000000e+00 : f16
// CHECK-NEXT:     %cst_1 = arith.constant 0x7FC00001 : f32
// CHECK-NEXT:     %c-8 = arith.constant -8 : index
// CHECK-NEXT:     %c-8_i4 = arith.constant -8 : i4
// CHECK-NEXT:     %cst_2 = arith.constant dense<[-100, 3]> : tensor<2xsi8>
// CHECK-NEXT:     %cst_3 = arith.constant dense<[200, 2]> : tensor<2xui8>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst_4 = arith.constant 1.500000e+00 : f8E4M3FN
// CHECK-NEXT:     %cst_5 = arith.constant 0x7FC1 : bf16
// CHECK-NEXT:     %c-170141183460469231731687303715884105728_i128 = arith.constant -170141183460469231731687303715884105728 : i128
// CHECK-NEXT:     %extracted = tensor.extract %cst_3[%c0] : tensor<2xui8>
// CHECK-NEXT:     %extracted_6 = tensor.extract %cst_2[%c0] : tensor<2xsi8>
// CHECK-NEXT:     return %cst_4, %cst_5, %c-170141183460469231731687303715884105728_i128, %extracted, %c-8_i4, %c-8, %cst_1, %cst_0, %extracted_6, %cst : f8E4M3FN, bf16, i128, ui8, i4, index, f32, f16, si8, f64
// CHECK-NEXT:   }
func.func @number_types(%i: index) -> (f8E4M3FN, bf16, i128, ui8, i4, index, f32, f16, si8, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant dense<[1.5, 2.0]> : tensor<2xf8E4M3FN>
  %0 = tensor.extract %a[%c0] : tensor<2xf8E4M3FN>
  %b = arith.constant dense<[0x7FC1, 0xFF80]> : tensor<2xbf16>
  %1 = tensor.extract %b[%c0] : tensor<2xbf16>
  %e = arith.constant dense<[-170141183460469231731687303715884105728, 2]> : tensor<2xi128>
  %4 = tensor.extract %e[%c0] : tensor<2xi128>
  %f = arith.constant dense<[200, 2]> : tensor<2xui8>
  %5 = tensor.extract %f[%c0] : tensor<2xui8>
  %g = arith.constant dense<[-8, 2]> : tensor<2xi4>
  %6 = tensor.extract %g[%c0] : tensor<2xi4>
  %h = arith.constant dense<[-8, 2]> : tensor<2xindex>
  %7 = tensor.extract %h[%c0] : tensor<2xindex>
  %k = arith.constant dense<[0x7FC00001, 0x7F800000]> : tensor<2xf32>
  %8 = tensor.extract %k[%c0] : tensor<2xf32>
  %l = arith.constant dense<-0.0> : tensor<2xf16>
  %9 = tensor.extract %l[%i] : tensor<2xf16>
  %m = arith.constant dense<[-100, 3]> : tensor<2xsi8>
  %10 = tensor.extract %m[%c0] : tensor<2xsi8>
  %n = arith.constant dense<[0x7FF8000000000001, 0.0]> : tensor<2xf64>
  %11 = tensor.extract %n[%c0] : tensor<2xf64>
  return %0, %1, %4, %5, %6, %7, %8, %9, %10, %11 : f8E4M3FN, bf16, i128, ui8, i4, index, f32, f16, si8, f64
}

// CHECK-NEXT:   func.func @huge(%arg0: index, %arg1: f32) -> (tensor<1000000x1000000xf32>, f32, tensor<1000000000000xf32>, tensor<1000xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<1.500000e+00> : tensor<1000000x1000000xf32>
// CHECK-NEXT:     %cst_0 = arith.constant 1.500000e+00 : f32
// CHECK-NEXT:     %cst_1 = arith.constant dense<1.500000e+00> : tensor<1000000000000xf32>
// CHECK-NEXT:     %cst_2 = arith.constant dense<1.500000e+00> : tensor<1000xf32>
// CHECK-NEXT:     return %cst, %cst_0, %cst_1, %cst_2 : tensor<1000000x1000000xf32>, f32, tensor<1000000000000xf32>, tensor<1000xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @huge(%i: index, %x: f32) -> (tensor<1000000x1000000xf32>, f32, tensor<1000000000000xf32>, tensor<1000xf32>) {
  %a = arith.constant 1.5 : f32
  %0 = tensor.splat %a : tensor<1000000x1000000xf32>
  %1 = tensor.extract %0[%i, %i] : tensor<1000000x1000000xf32>
  %2 = tensor.collapse_shape %0 [[0, 1]] : tensor<1000000x1000000xf32> into tensor<1000000000000xf32>
  %3 = tensor.extract_slice %0[%i, 0] [1, 1000] [1, 1] : tensor<1000000x1000000xf32> to tensor<1000xf32>
  return %0, %1, %2, %3 : tensor<1000000x1000000xf32>, f32, tensor<1000000000000xf32>, tensor<1000xf32>
}
