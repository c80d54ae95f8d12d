// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Vectors and tensors: one of each operation of tests/support/fold_cases.py, where all of them are compared with mlir-opt.

// CHECK: module {
// CHECK-NEXT:   func.func @f0() -> vector<4xf32> {
// CHECK-NEXT:     %cst = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK-NEXT:     return %cst : vector<4xf32>
// CHECK-NEXT:   }
func.func @f0() -> (vector<4xf32>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x7F7FFFFF]> : vector<4xf32>
  %b = arith.constant dense<[0x7F7FFFFF, 1.0, -0.0, 0.0]> : vector<4xf32>
  %s = arith.constant dense<1.0> : vector<4xf32>
  %0 = arith.addf %s, %s : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @f1() -> vector<4xi64> {
// CHECK-NEXT:     %cst = arith.constant dense<-2> : vector<4xi64>
// CHECK-NEXT:     return %cst : vector<4xi64>
// CHECK-NEXT:   }
func.func @f1() -> (vector<4xi64>) {
  %a = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xi64>
  %b = arith.constant dense<[-1, -3, -9223372036854775807, -9223372036854775808]> : vector<4xi64>
  %s = arith.constant dense<-1> : vector<4xi64>
  %0 = arith.addi %s, %s : vector<4xi64>
  return %0 : vector<4xi64>
}

// CHECK-NEXT:   func.func @f2() -> vector<4xi128> {
// CHECK-NEXT:     %cst = arith.constant dense<[-170141183460469231731687303715884105728, -170141183460469231731687303715884105727, -3, -1]> : vector<4xi128>
// CHECK-NEXT:     return %cst : vector<4xi128>
// CHECK-NEXT:   }
func.func @f2() -> (vector<4xi128>) {
  %a = arith.constant dense<[-170141183460469231731687303715884105728, -170141183460469231731687303715884105727, -3, -1]> : vector<4xi128>
  %b = arith.constant dense<[-1, -3, -170141183460469231731687303715884105727, -170141183460469231731687303715884105728]> : vector<4xi128>
  %s = arith.constant dense<-1> : vector<4xi128>
  %0 = arith.andi %a, %s : vector<4xi128>
  return %0 : vector<4xi128>
}

// CHECK-NEXT:   func.func @f3() -> vector<2xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[false, true]> : vector<2xi1>
// CHECK-NEXT:     return %cst : vector<2xi1>
// CHECK-NEXT:   }
func.func @f3() -> (vector<2xi1>) {
  %a = arith.constant dense<[false, true]> : vector<2xi1>
  %b = arith.constant dense<[true, false]> : vector<2xi1>
  %s = arith.constant dense<true> : vector<2xi1>
  %0 = arith.ceildivsi %a, %s : vector<2xi1>
  return %0 : vector<2xi1>
}

// CHECK-NEXT:   func.func @f4() -> vector<4xi64> {
// CHECK-NEXT:     %cst = arith.constant dense<1> : vector<4xi64>
// CHECK-NEXT:     return %cst : vector<4xi64>
// CHECK-NEXT:   }
func.func @f4() -> (vector<4xi64>) {
  %a = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xi64>
  %b = arith.constant dense<[-1, -3, -9223372036854775807, -9223372036854775808]> : vector<4xi64>
  %s = arith.constant dense<-1> : vector<4xi64>
  %0 = arith.ceildivui %a, %s : vector<4xi64>
  return %0 : vector<4xi64>
}

// CHECK-NEXT:   func.func @f5() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<false> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f5() -> (vector<4xi1>) {
  %a = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xindex>
  %b = arith.constant dense<[-1, -3, -9223372036854775807, -9223372036854775808]> : vector<4xindex>
  %s = arith.constant dense<-1> : vector<4xindex>
  %0 = arith.cmpi eq, %a, %b : vector<4xindex>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f6() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f6() -> (vector<4xi1>) {
  %a = arith.constant dense<[-2147483648, -2147483647, -3, -1]> : vector<4xi32>
  %b = arith.constant dense<[-1, -3, -2147483647, -2147483648]> : vector<4xi32>
  %s = arith.constant dense<-1> : vector<4xi32>
  %0 = arith.cmpi ne, %a, %b : vector<4xi32>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f7() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[false, false, true, true]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f7() -> (vector<4xi1>) {
  %a = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xindex>
  %b = arith.constant dense<[-1, -3, -9223372036854775807, -9223372036854775808]> : vector<4xindex>
  %s = arith.constant dense<-1> : vector<4xindex>
  %0 = arith.cmpi sge, %a, %b : vector<4xindex>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f8() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[false, false, true, true]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f8() -> (vector<4xi1>) {
  %a = arith.constant dense<[-128, -127, -3, -1]> : vector<4xi8>
  %b = arith.constant dense<[-1, -3, -127, -128]> : vector<4xi8>
  %s = arith.constant dense<-1> : vector<4xi8>
  %0 = arith.cmpi sgt, %a, %b : vector<4xi8>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f9() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[true, true, false, false]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f9() -> (vector<4xi1>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.cmpi sle, %a, %b : vector<4xi7>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f10() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[true, true, false, false]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f10() -> (vector<4xi1>) {
  %a = arith.constant dense<[-2147483648, -2147483647, -3, -1]> : vector<4xi32>
  %b = arith.constant dense<[-1, -3, -2147483647, -2147483648]> : vector<4xi32>
  %s = arith.constant dense<-1> : vector<4xi32>
  %0 = arith.cmpi slt, %a, %b : vector<4xi32>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f11() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[false, false, true, true]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f11() -> (vector<4xi1>) {
  %a = arith.constant dense<[-18446744073709551616, -18446744073709551615, -3, -1]> : vector<4xi65>
  %b = arith.constant dense<[-1, -3, -18446744073709551615, -18446744073709551616]> : vector<4xi65>
  %s = arith.constant dense<-1> : vector<4xi65>
  %0 = arith.cmpi uge, %a, %b : vector<4xi65>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f12() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[false, false, true, true]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f12() -> (vector<4xi1>) {
  %a = arith.constant dense<[-170141183460469231731687303715884105728, -170141183460469231731687303715884105727, -3, -1]> : vector<4xi128>
  %b = arith.constant dense<[-1, -3, -170141183460469231731687303715884105727, -170141183460469231731687303715884105728]> : vector<4xi128>
  %s = arith.constant dense<-1> : vector<4xi128>
  %0 = arith.cmpi ugt, %a, %b : vector<4xi128>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f13() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[true, true, false, false]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f13() -> (vector<4xi1>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.cmpi ule, %a, %b : vector<4xi7>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f14() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[true, true, false, false]> : vector<4xi1>
// CHECK-NEXT:     return %cst : vector<4xi1>
// CHECK-NEXT:   }
func.func @f14() -> (vector<4xi1>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.cmpi ult, %a, %b : vector<4xi7>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @f15() -> vector<4xf16> {
// CHECK-NEXT:     %cst = arith.constant dense<[0x7C00, 0xFC00, 1.000000e+00, 1.525880e-05]> : vector<4xf16>
// CHECK-NEXT:     return %cst : vector<4xf16>
// CHECK-NEXT:   }
func.func @f15() -> (vector<4xf16>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x7BFF]> : vector<4xf16>
  %b = arith.constant dense<[0x7BFF, 1.0, -0.0, 0.0]> : vector<4xf16>
  %s = arith.constant dense<1.0> : vector<4xf16>
  %0 = arith.divf %s, %a : vector<4xf16>
  return %0 : vector<4xf16>
}

// CHECK-NEXT:   func.func @f16() -> vector<4xi128> {
// CHECK-NEXT:     %cst = arith.constant dense<[0, 0, 0, 1]> : vector<4xi128>
// CHECK-NEXT:     return %cst : vector<4xi128>
// CHECK-NEXT:   }
func.func @f16() -> (vector<4xi128>) {
  %a = arith.constant dense<[-170141183460469231731687303715884105728, -170141183460469231731687303715884105727, -3, -1]> : vector<4xi128>
  %b = arith.constant dense<[-1, -3, -170141183460469231731687303715884105727, -170141183460469231731687303715884105728]> : vector<4xi128>
  %s = arith.constant dense<-1> : vector<4xi128>
  %0 = arith.divsi %s, %a : vector<4xi128>
  return %0 : vector<4xi128>
}

// CHECK-NEXT:   func.func @f17() -> vector<4xi7> {
// CHECK-NEXT:     %cst = arith.constant dense<1> : vector<4xi7>
// CHECK-NEXT:     return %cst : vector<4xi7>
// CHECK-NEXT:   }
func.func @f17() -> (vector<4xi7>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.divui %s, %a : vector<4xi7>
  return %0 : vector<4xi7>
}

// CHECK-NEXT:   func.func @f18() -> vector<4xi8> {
// CHECK-NEXT:     %cst = arith.constant dense<[0, 0, 1, 0]> : vector<4xi8>
// CHECK-NEXT:     return %cst : vector<4xi8>
// CHECK-NEXT:   }
func.func @f18() -> (vector<4xi8>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x80]> : vector<4xf8E4M3FN>
  %b = arith.constant dense<[0x80, 1.0, -0.0, 0.0]> : vector<4xf8E4M3FN>
  %s = arith.constant dense<1.0> : vector<4xf8E4M3FN>
  %0 = arith.fptosi %a : vector<4xf8E4M3FN> to vector<4xi8>
  return %0 : vector<4xi8>
}

// CHECK-NEXT:   func.func @f19() -> vector<4xf8E5M2FNUZ> {
// CHECK-NEXT:     %cst = arith.constant dense<1.000000e+00> : vector<4xf8E5M2FNUZ>
// CHECK-NEXT:     return %cst : vector<4xf8E5M2FNUZ>
// CHECK-NEXT:   }
func.func @f19() -> (vector<4xf8E5M2FNUZ>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x80]> : vector<4xf8E5M2FNUZ>
  %b = arith.constant dense<[0x80, 1.0, -0.0, 0.0]> : vector<4xf8E5M2FNUZ>
  %s = arith.constant dense<1.0> : vector<4xf8E5M2FNUZ>
  %0 = arith.maximumf %s, %s : vector<4xf8E5M2FNUZ>
  return %0 : vector<4xf8E5M2FNUZ>
}

// CHECK-NEXT:   func.func @f20() -> vector<4xtf32> {
// CHECK-NEXT:     %cst = arith.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]> : vector<4xtf32>
// CHECK-NEXT:     return %cst : vector<4xtf32>
// CHECK-NEXT:   }
func.func @f20() -> (vector<4xtf32>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x40000]> : vector<4xtf32>
  %b = arith.constant dense<[0x40000, 1.0, -0.0, 0.0]> : vector<4xtf32>
  %s = arith.constant dense<1.0> : vector<4xtf32>
  %0 = arith.maxnumf %a, %b : vector<4xtf32>
  return %0 : vector<4xtf32>
}

// CHECK-NEXT:   func.func @f21() -> vector<4xi32> {
// CHECK-NEXT:     %cst = arith.constant dense<-1> : vector<4xi32>
// CHECK-NEXT:     return %cst : vector<4xi32>
// CHECK-NEXT:   }
func.func @f21() -> (vector<4xi32>) {
  %a = arith.constant dense<[-2147483648, -2147483647, -3, -1]> : vector<4xi32>
  %b = arith.constant dense<[-1, -3, -2147483647, -2147483648]> : vector<4xi32>
  %s = arith.constant dense<-1> : vector<4xi32>
  %0 = arith.maxsi %s, %a : vector<4xi32>
  return %0 : vector<4xi32>
}

// CHECK-NEXT:   func.func @f22() -> vector<4xi8> {
// CHECK-NEXT:     %cst = arith.constant dense<[-1, -3, -3, -1]> : vector<4xi8>
// CHECK-NEXT:     return %cst : vector<4xi8>
// CHECK-NEXT:   }
func.func @f22() -> (vector<4xi8>) {
  %a = arith.constant dense<[-128, -127, -3, -1]> : vector<4xi8>
  %b = arith.constant dense<[-1, -3, -127, -128]> : vector<4xi8>
  %s = arith.constant dense<-1> : vector<4xi8>
  %0 = arith.maxui %a, %b : vector<4xi8>
  return %0 : vector<4xi8>
}

// CHECK-NEXT:   func.func @f23() -> vector<4xf8E4M3FNUZ> {
// CHECK-NEXT:     %cst = arith.constant dense<1.000000e+00> : vector<4xf8E4M3FNUZ>
// CHECK-NEXT:     return %cst : vector<4xf8E4M3FNUZ>
// CHECK-NEXT:   }
func.func @f23() -> (vector<4xf8E4M3FNUZ>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x80]> : vector<4xf8E4M3FNUZ>
  %b = arith.constant dense<[0x80, 1.0, -0.0, 0.0]> : vector<4xf8E4M3FNUZ>
  %s = arith.constant dense<1.0> : vector<4xf8E4M3FNUZ>
  %0 = arith.minimumf %s, %s : vector<4xf8E4M3FNUZ>
  return %0 : vector<4xf8E4M3FNUZ>
}

// CHECK-NEXT:   func.func @f24() -> vector<4xf8E4M3FNUZ> {
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<4xf8E4M3FNUZ>
// CHECK-NEXT:     return %cst : vector<4xf8E4M3FNUZ>
// CHECK-NEXT:   }
func.func @f24() -> (vector<4xf8E4M3FNUZ>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x80]> : vector<4xf8E4M3FNUZ>
  %b = arith.constant dense<[0x80, 1.0, -0.0, 0.0]> : vector<4xf8E4M3FNUZ>
  %s = arith.constant dense<1.0> : vector<4xf8E4M3FNUZ>
  %0 = arith.minnumf %a, %b : vector<4xf8E4M3FNUZ>
  return %0 : vector<4xf8E4M3FNUZ>
}

// CHECK-NEXT:   func.func @f25() -> vector<4xi7> {
// CHECK-NEXT:     %cst = arith.constant dense<[-64, -63, -63, -64]> : vector<4xi7>
// CHECK-NEXT:     return %cst : vector<4xi7>
// CHECK-NEXT:   }
func.func @f25() -> (vector<4xi7>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.minsi %a, %b : vector<4xi7>
  return %0 : vector<4xi7>
}

// CHECK-NEXT:   func.func @f26() -> vector<4xi64> {
// CHECK-NEXT:     %cst = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xi64>
// CHECK-NEXT:     return %cst : vector<4xi64>
// CHECK-NEXT:   }
func.func @f26() -> (vector<4xi64>) {
  %a = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xi64>
  %b = arith.constant dense<[-1, -3, -9223372036854775807, -9223372036854775808]> : vector<4xi64>
  %s = arith.constant dense<-1> : vector<4xi64>
  %0 = arith.minui %s, %a : vector<4xi64>
  return %0 : vector<4xi64>
}

// CHECK-NEXT:   func.func @f27() -> vector<4xf128> {
// CHECK-NEXT:     %cst = arith.constant dense<[0.000000e+00, -0.000000e+00, -0.000000e+00, 0.000000e+00]> : vector<4xf128>
// CHECK-NEXT:     return %cst : vector<4xf128>
// CHECK-NEXT:   }
func.func @f27() -> (vector<4xf128>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF]> : vector<4xf128>
  %b = arith.constant dense<[0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF, 1.0, -0.0, 0.0]> : vector<4xf128>
  %s = arith.constant dense<1.0> : vector<4xf128>
  %0 = arith.mulf %a, %b : vector<4xf128>
  return %0 : vector<4xf128>
}

// CHECK-NEXT:   func.func @f28() -> vector<2xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[false, true]> : vector<2xi1>
// CHECK-NEXT:     return %cst : vector<2xi1>
// CHECK-NEXT:   }
func.func @f28() -> (vector<2xi1>) {
  %a = arith.constant dense<[false, true]> : vector<2xi1>
  %b = arith.constant dense<[true, false]> : vector<2xi1>
  %s = arith.constant dense<true> : vector<2xi1>
  %0 = arith.muli %a, %s : vector<2xi1>
  return %0 : vector<2xi1>
}

// CHECK-NEXT:   func.func @f29() -> vector<4xf8E4M3FNUZ> {
// CHECK-NEXT:     %cst = arith.constant dense<[0.000000e+00, 0.000000e+00, -1.000000e+00, 0x80]> : vector<4xf8E4M3FNUZ>
// CHECK-NEXT:     return %cst : vector<4xf8E4M3FNUZ>
// CHECK-NEXT:   }
func.func @f29() -> (vector<4xf8E4M3FNUZ>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x80]> : vector<4xf8E4M3FNUZ>
  %b = arith.constant dense<[0x80, 1.0, -0.0, 0.0]> : vector<4xf8E4M3FNUZ>
  %s = arith.constant dense<1.0> : vector<4xf8E4M3FNUZ>
  %0 = arith.negf %a : vector<4xf8E4M3FNUZ>
  return %0 : vector<4xf8E4M3FNUZ>
}

// CHECK-NEXT:   func.func @f30() -> vector<4xi32> {
// CHECK-NEXT:     %cst = arith.constant dense<-1> : vector<4xi32>
// CHECK-NEXT:     return %cst : vector<4xi32>
// CHECK-NEXT:   }
func.func @f30() -> (vector<4xi32>) {
  %a = arith.constant dense<[-2147483648, -2147483647, -3, -1]> : vector<4xi32>
  %b = arith.constant dense<[-1, -3, -2147483647, -2147483648]> : vector<4xi32>
  %s = arith.constant dense<-1> : vector<4xi32>
  %0 = arith.ori %a, %s : vector<4xi32>
  return %0 : vector<4xi32>
}

// CHECK-NEXT:   func.func @f31() -> vector<4xf80> {
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<4xf80>
// CHECK-NEXT:     return %cst : vector<4xf80>
// CHECK-NEXT:   }
func.func @f31() -> (vector<4xf80>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x7FFF7FFFFFFFFFFFFFFF]> : vector<4xf80>
  %b = arith.constant dense<[0x7FFF7FFFFFFFFFFFFFFF, 1.0, -0.0, 0.0]> : vector<4xf80>
  %s = arith.constant dense<1.0> : vector<4xf80>
  %0 = arith.remf %s, %s : vector<4xf80>
  return %0 : vector<4xf80>
}

// CHECK-NEXT:   func.func @f32() -> vector<4xi32> {
// CHECK-NEXT:     %cst = arith.constant dense<0> : vector<4xi32>
// CHECK-NEXT:     return %cst : vector<4xi32>
// CHECK-NEXT:   }
func.func @f32() -> (vector<4xi32>) {
  %a = arith.constant dense<[-2147483648, -2147483647, -3, -1]> : vector<4xi32>
  %b = arith.constant dense<[-1, -3, -2147483647, -2147483648]> : vector<4xi32>
  %s = arith.constant dense<-1> : vector<4xi32>
  %0 = arith.remsi %a, %s : vector<4xi32>
  return %0 : vector<4xi32>
}

// CHECK-NEXT:   func.func @f33() -> vector<4xi7> {
// CHECK-NEXT:     %cst = arith.constant dense<[-64, -63, 60, 63]> : vector<4xi7>
// CHECK-NEXT:     return %cst : vector<4xi7>
// CHECK-NEXT:   }
func.func @f33() -> (vector<4xi7>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.remui %a, %b : vector<4xi7>
  return %0 : vector<4xi7>
}

// CHECK-NEXT:   func.func @f34() -> vector<4xi64> {
// CHECK-NEXT:     %cst = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xi64>
// CHECK-NEXT:     %cst_0 = arith.constant dense<[-1, -3, -9223372036854775807, -9223372036854775808]> : vector<4xi64>
// CHECK-NEXT:     %0 = arith.shli %cst, %cst_0 : vector<4xi64>
// CHECK-NEXT:     return %0 : vector<4xi64>
// CHECK-NEXT:   }
func.func @f34() -> (vector<4xi64>) {
  %a = arith.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1]> : vector<4xi64>
  %b = arith.constant dense<[-1, -3, -9223372036854775807, -9223372036854775808]> : vector<4xi64>
  %s = arith.constant dense<-1> : vector<4xi64>
  %0 = arith.shli %a, %b : vector<4xi64>
  return %0 : vector<4xi64>
}

// CHECK-NEXT:   func.func @f35() -> vector<4xi7> {
// CHECK-NEXT:     %cst = arith.constant dense<-1> : vector<4xi7>
// CHECK-NEXT:     %0 = arith.shrsi %cst, %cst : vector<4xi7>
// CHECK-NEXT:     return %0 : vector<4xi7>
// CHECK-NEXT:   }
func.func @f35() -> (vector<4xi7>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.shrsi %s, %s : vector<4xi7>
  return %0 : vector<4xi7>
}

// CHECK-NEXT:   func.func @f36() -> vector<4xi32> {
// CHECK-NEXT:     %cst = arith.constant dense<-1> : vector<4xi32>
// CHECK-NEXT:     %0 = arith.shrui %cst, %cst : vector<4xi32>
// CHECK-NEXT:     return %0 : vector<4xi32>
// CHECK-NEXT:   }
func.func @f36() -> (vector<4xi32>) {
  %a = arith.constant dense<[-2147483648, -2147483647, -3, -1]> : vector<4xi32>
  %b = arith.constant dense<[-1, -3, -2147483647, -2147483648]> : vector<4xi32>
  %s = arith.constant dense<-1> : vector<4xi32>
  %0 = arith.shrui %s, %s : vector<4xi32>
  return %0 : vector<4xi32>
}

// CHECK-NEXT:   func.func @f37() -> vector<4xf8E5M2> {
// CHECK-NEXT:     %cst = arith.constant dense<[1.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00]> : vector<4xf8E5M2>
// CHECK-NEXT:     return %cst : vector<4xf8E5M2>
// CHECK-NEXT:   }
func.func @f37() -> (vector<4xf8E5M2>) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x80]> : vector<4xf8E5M2>
  %b = arith.constant dense<[0x80, 1.0, -0.0, 0.0]> : vector<4xf8E5M2>
  %s = arith.constant dense<1.0> : vector<4xf8E5M2>
  %0 = arith.subf %s, %a : vector<4xf8E5M2>
  return %0 : vector<4xf8E5M2>
}

// CHECK-NEXT:   func.func @f38() -> vector<4xi7> {
// CHECK-NEXT:     %cst = arith.constant dense<[-63, -60, 60, 63]> : vector<4xi7>
// CHECK-NEXT:     return %cst : vector<4xi7>
// CHECK-NEXT:   }
func.func @f38() -> (vector<4xi7>) {
  %a = arith.constant dense<[-64, -63, -3, -1]> : vector<4xi7>
  %b = arith.constant dense<[-1, -3, -63, -64]> : vector<4xi7>
  %s = arith.constant dense<-1> : vector<4xi7>
  %0 = arith.subi %a, %b : vector<4xi7>
  return %0 : vector<4xi7>
}

// CHECK-NEXT:   func.func @f39() -> vector<4xi128> {
// CHECK-NEXT:     %cst = arith.constant dense<[170141183460469231731687303715884105727, 170141183460469231731687303715884105724, 170141183460469231731687303715884105724, 170141183460469231731687303715884105727]> : vector<4xi128>
// CHECK-NEXT:     return %cst : vector<4xi128>
// CHECK-NEXT:   }
func.func @f39() -> (vector<4xi128>) {
  %a = arith.constant dense<[-170141183460469231731687303715884105728, -170141183460469231731687303715884105727, -3, -1]> : vector<4xi128>
  %b = arith.constant dense<[-1, -3, -170141183460469231731687303715884105727, -170141183460469231731687303715884105728]> : vector<4xi128>
  %s = arith.constant dense<-1> : vector<4xi128>
  %0 = arith.xori %a, %b : vector<4xi128>
  return %0 : vector<4xi128>
}

// CHECK-NEXT:   func.func @f40() -> bf16 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : bf16
// CHECK-NEXT:     return %cst : bf16
// CHECK-NEXT:   }
func.func @f40() -> (bf16) {
  %a = arith.constant dense<[0.0, -0.0, 1.0, 0x7F7F]> : vector<4xbf16>
  %b = arith.constant dense<[0x7F7F, 1.0, -0.0, 0.0]> : vector<4xbf16>
  %s = arith.constant dense<1.0> : vector<4xbf16>
  %0 = vector.extract %a[1] : bf16 from vector<4xbf16>
  return %0 : bf16
}

// CHECK-NEXT:   func.func @f41() -> vector<2x3xf4E2M1FN> {
// CHECK-NEXT:     %cst = arith.constant dense<{{\[\[}}0.000000e+00, -0.000000e+00, 1.000000e+00], [-1.500000e+00, 3.000000e+00, 0.000000e+00]]> : vector<2x3xf4E2M1FN>
// CHECK-NEXT:     return %cst : vector<2x3xf4E2M1FN>
// CHECK-NEXT:   }
func.func @f41() -> (vector<2x3xf4E2M1FN>) {
  %a = arith.constant dense<[[0.0, -0.0, 1.0], [-1.5, 3.0, 0.1]]> : vector<2x3xf4E2M1FN>
  %b = arith.constant dense<[[-1.5, 3.0, 0.1], [0.0, -0.0, 1.0]]> : vector<2x3xf4E2M1FN>
  %c = arith.constant true
  %0 = arith.select %c, %a, %b : vector<2x3xf4E2M1FN>
  return %0 : vector<2x3xf4E2M1FN>
}

// CHECK-NEXT:   func.func @f42() -> tensor<?x3xindex> {
// CHECK-NEXT:     %cst = arith.constant dense<{{\[\[}}-9223372036854775808, -9223372036854775807, -3], [-1, 0, 1]]> : tensor<2x3xindex>
// CHECK-NEXT:     %cast = tensor.cast %cst : tensor<2x3xindex> to tensor<?x3xindex>
// CHECK-NEXT:     return %cast : tensor<?x3xindex>
// CHECK-NEXT:   }
func.func @f42() -> (tensor<?x3xindex>) {
  %a = arith.constant dense<[[-9223372036854775808, -9223372036854775807, -3], [-1, 0, 1]]> : tensor<2x3xindex>
  %0 = tensor.cast %a : tensor<2x3xindex> to tensor<?x3xindex>
  return %0 : tensor<?x3xindex>
}

// CHECK-NEXT:   func.func @f43() -> tensor<6xi128> {
// CHECK-NEXT:     %cst = arith.constant dense<-170141183460469231731687303715884105727> : tensor<6xi128>
// CHECK-NEXT:     return %cst : tensor<6xi128>
// CHECK-NEXT:   }
func.func @f43() -> (tensor<6xi128>) {
  %a = arith.constant dense<-170141183460469231731687303715884105727> : tensor<2x3xi128>
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xi128> into tensor<6xi128>
  return %0 : tensor<6xi128>
}

// CHECK-NEXT:   func.func @f44() -> i8 {
// CHECK-NEXT:     %c-127_i8 = arith.constant -127 : i8
// CHECK-NEXT:     return %c-127_i8 : i8
// CHECK-NEXT:   }
func.func @f44() -> (i8) {
  %a = arith.constant dense<-127> : tensor<2x3xi8>
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %0 = tensor.extract %a[%i, %j] : tensor<2x3xi8>
  return %0 : i8
}

// CHECK-NEXT:   func.func @f45() -> tensor<2x2xindex> {
// CHECK-NEXT:     %cst = arith.constant dense<-9223372036854775807> : tensor<2x2xindex>
// CHECK-NEXT:     return %cst : tensor<2x2xindex>
// CHECK-NEXT:   }
func.func @f45() -> (tensor<2x2xindex>) {
  %a = arith.constant dense<-9223372036854775807> : tensor<2x3xindex>
  %0 = tensor.extract_slice %a[0, 1] [2, 2] [1, 1] : tensor<2x3xindex> to tensor<2x2xindex>
  return %0 : tensor<2x2xindex>
}

// CHECK-NEXT:   func.func @f46() -> tensor<2xf4E2M1FN> {
// CHECK-NEXT:     %cst = arith.constant dense<-0.000000e+00> : tensor<2xf4E2M1FN>
// CHECK-NEXT:     return %cst : tensor<2xf4E2M1FN>
// CHECK-NEXT:   }
func.func @f46() -> (tensor<2xf4E2M1FN>) {
  %b = arith.constant -0.0 : f4E2M1FN
  %0 = tensor.from_elements %b, %b : tensor<2xf4E2M1FN>
  return %0 : tensor<2xf4E2M1FN>
}

// CHECK-NEXT:   func.func @f47() -> tensor<2x3xi128> {
// CHECK-NEXT:     %cst = arith.constant dense<-170141183460469231731687303715884105727> : tensor<2x3xi128>
// CHECK-NEXT:     return %cst : tensor<2x3xi128>
// CHECK-NEXT:   }
func.func @f47() -> (tensor<2x3xi128>) {
  %b = arith.constant -170141183460469231731687303715884105727 : i128
  %0 = tensor.splat %b : tensor<2x3xi128>
  return %0 : tensor<2x3xi128>
}

// CHECK-NEXT:   func.func @f48() -> vector<2x3xf128> {
// CHECK-NEXT:     %cst = arith.constant dense<-0.000000e+00> : vector<2x3xf128>
// CHECK-NEXT:     return %cst : vector<2x3xf128>
// CHECK-NEXT:   }
func.func @f48() -> (vector<2x3xf128>) {
  %a = arith.constant dense<-0.0> : vector<2x3xf128>
  %b = arith.constant -0.0 : f128
  %0 = vector.broadcast %b : f128 to vector<2x3xf128>
  return %0 : vector<2x3xf128>
}

// CHECK-NEXT:   func.func @f49() -> i128 {
// CHECK-NEXT:     %c-170141183460469231731687303715884105727_i128 = arith.constant -170141183460469231731687303715884105727 : i128
// CHECK-NEXT:     return %c-170141183460469231731687303715884105727_i128 : i128
// CHECK-NEXT:   }
func.func @f49() -> (i128) {
  %a = arith.constant dense<-170141183460469231731687303715884105727> : vector<2x3xi128>
  %i = arith.constant 7 : index
  %0 = vector.extract %a[%i, 0] : i128 from vector<2x3xi128>
  return %0 : i128
}

// CHECK-NEXT:   func.func @f50() -> vector<2x2xindex> {
// CHECK-NEXT:     %cst = arith.constant dense<-9223372036854775807> : vector<2x2xindex>
// CHECK-NEXT:     return %cst : vector<2x2xindex>
// CHECK-NEXT:   }
func.func @f50() -> (vector<2x2xindex>) {
  %a = arith.constant dense<-9223372036854775807> : vector<2x3xindex>
  %0 = vector.extract_strided_slice %a {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3xindex> to vector<2x2xindex>
  return %0 : vector<2x2xindex>
}

// CHECK-NEXT:   func.func @f51() -> vector<2xi65> {
// CHECK-NEXT:     %cst = arith.constant dense<-18446744073709551615> : vector<2xi65>
// CHECK-NEXT:     return %cst : vector<2xi65>
// CHECK-NEXT:   }
func.func @f51() -> (vector<2xi65>) {
  %a = arith.constant dense<-18446744073709551615> : vector<2x3xi65>
  %b = arith.constant -18446744073709551615 : i65
  %0 = vector.from_elements %b, %b : vector<2xi65>
  return %0 : vector<2xi65>
}

// CHECK-NEXT:   func.func @f52() -> vector<2x3xf32> {
// CHECK-NEXT:     %cst = arith.constant dense<-0.000000e+00> : vector<2x3xf32>
// CHECK-NEXT:     return %cst : vector<2x3xf32>
// CHECK-NEXT:   }
func.func @f52() -> (vector<2x3xf32>) {
  %a = arith.constant dense<-0.0> : vector<2x3xf32>
  %b = arith.constant -0.0 : f32
  %i = arith.constant 1 : index
  %0 = vector.insert %b, %a[%i, 2] : f32 into vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

// CHECK-NEXT:   func.func @f53() -> vector<2x3xi128> {
// CHECK-NEXT:     %cst = arith.constant dense<{{\[\[}}-170141183460469231731687303715884105728, -170141183460469231731687303715884105727, -3], [-1, -170141183460469231731687303715884105728, -170141183460469231731687303715884105728]]> : vector<2x3xi128>
// CHECK-NEXT:     return %cst : vector<2x3xi128>
// CHECK-NEXT:   }
func.func @f53() -> (vector<2x3xi128>) {
  %a = arith.constant dense<[[-170141183460469231731687303715884105728, -170141183460469231731687303715884105727, -3], [-1, 0, 1]]> : vector<2x3xi128>
  %b = arith.constant dense<-170141183460469231731687303715884105728> : vector<2xi128>
  %0 = vector.insert_strided_slice %b, %a {offsets = [1, 1], strides = [1]} : vector<2xi128> into vector<2x3xi128>
  return %0 : vector<2x3xi128>
}

// CHECK-NEXT:   func.func @f54() -> vector<2x1x3xi8> {
// CHECK-NEXT:     %cst = arith.constant dense<{{\[\[}}[-128, -127, -3]], {{\[\[}}-1, 0, 1]]]> : vector<2x1x3xi8>
// CHECK-NEXT:     return %cst : vector<2x1x3xi8>
// CHECK-NEXT:   }
func.func @f54() -> (vector<2x1x3xi8>) {
  %a = arith.constant dense<[[-128, -127, -3], [-1, 0, 1]]> : vector<2x3xi8>
  %0 = vector.shape_cast %a : vector<2x3xi8> to vector<2x1x3xi8>
  return %0 : vector<2x1x3xi8>
}

// CHECK-NEXT:   func.func @f55() -> vector<3x2xi128> {
// CHECK-NEXT:     %cst = arith.constant dense<-170141183460469231731687303715884105727> : vector<3x2xi128>
// CHECK-NEXT:     return %cst : vector<3x2xi128>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f55() -> (vector<3x2xi128>) {
  %a = arith.constant dense<-170141183460469231731687303715884105727> : vector<2x3xi128>
  %0 = vector.transpose %a, [1, 0] : vector<2x3xi128> to vector<3x2xi128>
  return %0 : vector<3x2xi128>
}
