// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Casts: some of each of tests/support/fold_cases.py, where all of them are compared with mlir-opt.

// CHECK: module {
// CHECK-NEXT:   func.func @f0() -> f8E5M2FNUZ {
// CHECK-NEXT:     %cst = arith.constant -5.734400e+04 : f8E5M2FNUZ
// CHECK-NEXT:     return %cst : f8E5M2FNUZ
// CHECK-NEXT:   }
func.func @f0() -> (f8E5M2FNUZ) {
  %a = arith.constant -1 : i8
  %0 = arith.bitcast %a : i8 to f8E5M2FNUZ
  return %0 : f8E5M2FNUZ
}

// CHECK-NEXT:   func.func @f1() -> i8 {
// CHECK-NEXT:     %c-68_i8 = arith.constant -68 : i8
// CHECK-NEXT:     return %c-68_i8 : i8
// CHECK-NEXT:   }
func.func @f1() -> (i8) {
  %a = arith.constant -1.5 : f8E4M3
  %0 = arith.bitcast %a : f8E4M3 to i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f2() -> f6E2M3FN {
// CHECK-NEXT:     %cst = arith.constant -1.750000e+00 : f6E2M3FN
// CHECK-NEXT:     return %cst : f6E2M3FN
// CHECK-NEXT:   }
func.func @f2() -> (f6E2M3FN) {
  %a = arith.constant -1.5 : f6E3M2FN
  %0 = arith.bitcast %a : f6E3M2FN to f6E2M3FN
  return %0 : f6E2M3FN
}

// CHECK-NEXT:   func.func @f3() -> bf16 {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : bf16
// CHECK-NEXT:     return %cst : bf16
// CHECK-NEXT:   }
func.func @f3() -> (bf16) {
  %a = arith.constant -1.5 : f8E5M2FNUZ
  %0 = arith.extf %a : f8E5M2FNUZ to bf16
  return %0 : bf16
}

// CHECK-NEXT:   func.func @f4() -> f8E3M4 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f8E3M4
// CHECK-NEXT:     return %cst : f8E3M4
// CHECK-NEXT:   }
func.func @f4() -> (f8E3M4) {
  %a = arith.constant -0.0 : f6E2M3FN
  %0 = arith.extf %a : f6E2M3FN to f8E3M4
  return %0 : f8E3M4
}

// CHECK-NEXT:   func.func @f5() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f5() -> (f64) {
  %a = arith.constant -1.5 : f32
  %0 = arith.extf %a : f32 to f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f6() -> i128 {
// CHECK-NEXT:     %c-9223372036854775808_i128 = arith.constant -9223372036854775808 : i128
// CHECK-NEXT:     return %c-9223372036854775808_i128 : i128
// CHECK-NEXT:   }
func.func @f6() -> (i128) {
  %a = arith.constant -9223372036854775808 : i64
  %0 = arith.extsi %a : i64 to i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f7() -> i32 {
// CHECK-NEXT:     %c-128_i32 = arith.constant -128 : i32
// CHECK-NEXT:     return %c-128_i32 : i32
// CHECK-NEXT:   }
func.func @f7() -> (i32) {
  %a = arith.constant -128 : i8
  %0 = arith.extsi %a : i8 to i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f8() -> i32 {
// CHECK-NEXT:     %c-63_i32 = arith.constant -63 : i32
// CHECK-NEXT:     return %c-63_i32 : i32
// CHECK-NEXT:   }
func.func @f8() -> (i32) {
  %a = arith.constant -63 : i7
  %0 = arith.extsi %a : i7 to i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f9() -> i128 {
// CHECK-NEXT:     %c65_i128 = arith.constant 65 : i128
// CHECK-NEXT:     return %c65_i128 : i128
// CHECK-NEXT:   }
func.func @f9() -> (i128) {
  %a = arith.constant -63 : i7
  %0 = arith.extui %a : i7 to i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f10() -> i65 {
// CHECK-NEXT:     %c4294967293_i65 = arith.constant 4294967293 : i65
// CHECK-NEXT:     return %c4294967293_i65 : i65
// CHECK-NEXT:   }
func.func @f10() -> (i65) {
  %a = arith.constant -3 : i32
  %0 = arith.extui %a : i32 to i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f11() -> i128 {
// CHECK-NEXT:     %c18446744073709551613_i128 = arith.constant 18446744073709551613 : i128
// CHECK-NEXT:     return %c18446744073709551613_i128 : i128
// CHECK-NEXT:   }
func.func @f11() -> (i128) {
  %a = arith.constant -3 : i64
  %0 = arith.extui %a : i64 to i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f12() -> i32 {
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     return %c3_i32 : i32
// CHECK-NEXT:   }
func.func @f12() -> (i32) {
  %a = arith.constant 3.0 : f8E4M3
  %0 = arith.fptosi %a : f8E4M3 to i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f13() -> i128 {
// CHECK-NEXT:     %c7_i128 = arith.constant 7 : i128
// CHECK-NEXT:     return %c7_i128 : i128
// CHECK-NEXT:   }
func.func @f13() -> (i128) {
  %a = arith.constant 7.9 : f128
  %0 = arith.fptosi %a : f128 to i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f14() -> i7 {
// CHECK-NEXT:     %c7_i7 = arith.constant 7 : i7
// CHECK-NEXT:     return %c7_i7 : i7
// CHECK-NEXT:   }
func.func @f14() -> (i7) {
  %a = arith.constant 7.9 : f32
  %0 = arith.fptosi %a : f32 to i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f15() -> i8 {
// CHECK-NEXT:     %c6_i8 = arith.constant 6 : i8
// CHECK-NEXT:     return %c6_i8 : i8
// CHECK-NEXT:   }
func.func @f15() -> (i8) {
  %a = arith.constant 1.0e10 : f4E2M1FN
  %0 = arith.fptoui %a : f4E2M1FN to i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f16() -> i128 {
// CHECK-NEXT:     %c28_i128 = arith.constant 28 : i128
// CHECK-NEXT:     return %c28_i128 : i128
// CHECK-NEXT:   }
func.func @f16() -> (i128) {
  %a = arith.constant 1.0e10 : f6E3M2FN
  %0 = arith.fptoui %a : f6E3M2FN to i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f17() -> i8 {
// CHECK-NEXT:     %c8_i8 = arith.constant 8 : i8
// CHECK-NEXT:     return %c8_i8 : i8
// CHECK-NEXT:   }
func.func @f17() -> (i8) {
  %a = arith.constant 7.9 : f8E4M3
  %0 = arith.fptoui %a : f8E4M3 to i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f18() -> i128 {
// CHECK-NEXT:     %c-3_i128 = arith.constant -3 : i128
// CHECK-NEXT:     return %c-3_i128 : i128
// CHECK-NEXT:   }
func.func @f18() -> (i128) {
  %a = arith.constant -3 : index
  %0 = arith.index_cast %a : index to i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f19() -> index {
// CHECK-NEXT:     %c-3 = arith.constant -3 : index
// CHECK-NEXT:     return %c-3 : index
// CHECK-NEXT:   }
func.func @f19() -> (index) {
  %a = arith.constant -3 : i65
  %0 = arith.index_cast %a : i65 to index
  return %0 : index
}

// CHECK-NEXT:   func.func @f20() -> index {
// CHECK-NEXT:     %c-3 = arith.constant -3 : index
// CHECK-NEXT:     return %c-3 : index
// CHECK-NEXT:   }
func.func @f20() -> (index) {
  %a = arith.constant -3 : i7
  %0 = arith.index_cast %a : i7 to index
  return %0 : index
}

// CHECK-NEXT:   func.func @f21() -> index {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     return %c3 : index
// CHECK-NEXT:   }
func.func @f21() -> (index) {
  %a = arith.constant -1 : i2
  %0 = arith.index_castui %a : i2 to index
  return %0 : index
}

// CHECK-NEXT:   func.func @f22() -> i128 {
// CHECK-NEXT:     %c18446744073709551615_i128 = arith.constant 18446744073709551615 : i128
// CHECK-NEXT:     return %c18446744073709551615_i128 : i128
// CHECK-NEXT:   }
func.func @f22() -> (i128) {
  %a = arith.constant -1 : index
  %0 = arith.index_castui %a : index to i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f23() -> index {
// CHECK-NEXT:     %c-9223372036854775808 = arith.constant -9223372036854775808 : index
// CHECK-NEXT:     return %c-9223372036854775808 : index
// CHECK-NEXT:   }
func.func @f23() -> (index) {
  %a = arith.constant -9223372036854775808 : i64
  %0 = arith.index_castui %a : i64 to index
  return %0 : index
}

// CHECK-NEXT:   func.func @f24() -> f8E5M2 {
// CHECK-NEXT:     %cst = arith.constant -1.000000e+00 : f8E5M2
// CHECK-NEXT:     return %cst : f8E5M2
// CHECK-NEXT:   }
func.func @f24() -> (f8E5M2) {
  %a = arith.constant -1 : i64
  %0 = arith.sitofp %a : i64 to f8E5M2
  return %0 : f8E5M2
}

// CHECK-NEXT:   func.func @f25() -> f6E3M2FN {
// CHECK-NEXT:     %cst = arith.constant -2.800000e+01 : f6E3M2FN
// CHECK-NEXT:     return %cst : f6E3M2FN
// CHECK-NEXT:   }
func.func @f25() -> (f6E3M2FN) {
  %a = arith.constant -2147483647 : i32
  %0 = arith.sitofp %a : i32 to f6E3M2FN
  return %0 : f6E3M2FN
}

// CHECK-NEXT:   func.func @f26() -> f8E5M2FNUZ {
// CHECK-NEXT:     %cst = arith.constant -3.000000e+00 : f8E5M2FNUZ
// CHECK-NEXT:     return %cst : f8E5M2FNUZ
// CHECK-NEXT:   }
func.func @f26() -> (f8E5M2FNUZ) {
  %a = arith.constant -3 : i65
  %0 = arith.sitofp %a : i65 to f8E5M2FNUZ
  return %0 : f8E5M2FNUZ
}

// CHECK-NEXT:   func.func @f27() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f27() -> (f64) {
  %a = arith.constant -0.0 : f128
  %0 = arith.truncf %a : f128 to f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f28() -> f8E5M2 {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : f8E5M2
// CHECK-NEXT:     return %cst : f8E5M2
// CHECK-NEXT:   }
func.func @f28() -> (f8E5M2) {
  %a = arith.constant -1.5 : f32
  %0 = arith.truncf %a : f32 to f8E5M2
  return %0 : f8E5M2
}

// CHECK-NEXT:   func.func @f29() -> f8E5M2 {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : f8E5M2
// CHECK-NEXT:     return %cst : f8E5M2
// CHECK-NEXT:   }
func.func @f29() -> (f8E5M2) {
  %a = arith.constant -1.5 : f16
  %0 = arith.truncf %a : f16 to f8E5M2
  return %0 : f8E5M2
}

// CHECK-NEXT:   func.func @f30() -> i32 {
// CHECK-NEXT:     %c-3_i32 = arith.constant -3 : i32
// CHECK-NEXT:     return %c-3_i32 : i32
// CHECK-NEXT:   }
func.func @f30() -> (i32) {
  %a = arith.constant -3 : i65
  %0 = arith.trunci %a : i65 to i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f31() -> i7 {
// CHECK-NEXT:     %c-3_i7 = arith.constant -3 : i7
// CHECK-NEXT:     return %c-3_i7 : i7
// CHECK-NEXT:   }
func.func @f31() -> (i7) {
  %a = arith.constant -3 : i32
  %0 = arith.trunci %a : i32 to i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f32() -> i32 {
// CHECK-NEXT:     %c-3_i32 = arith.constant -3 : i32
// CHECK-NEXT:     return %c-3_i32 : i32
// CHECK-NEXT:   }
func.func @f32() -> (i32) {
  %a = arith.constant -3 : i64
  %0 = arith.trunci %a : i64 to i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f33() -> f128 {
// CHECK-NEXT:     %cst = arith.constant 0x401EFFFFFFFA00000000000000000000 : f128
// CHECK-NEXT:     return %cst : f128
// CHECK-NEXT:   }
func.func @f33() -> (f128) {
  %a = arith.constant -3 : i32
  %0 = arith.uitofp %a : i32 to f128
  return %0 : f128
}

// CHECK-NEXT:   func.func @f34() -> bf16 {
// CHECK-NEXT:     %cst = arith.constant 2.550000e+02 : bf16
// CHECK-NEXT:     return %cst : bf16
// CHECK-NEXT:   }
func.func @f34() -> (bf16) {
  %a = arith.constant -1 : i8
  %0 = arith.uitofp %a : i8 to bf16
  return %0 : bf16
}

// CHECK-NEXT:   func.func @f35() -> f80 {
// CHECK-NEXT:     %cst = arith.constant 1.250000e+02 : f80
// CHECK-NEXT:     return %cst : f80
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f35() -> (f80) {
  %a = arith.constant -3 : i7
  %0 = arith.uitofp %a : i7 to f80
  return %0 : f80
}
