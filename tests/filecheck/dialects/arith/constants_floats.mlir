// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Floats: one or two of each operation of tests/support/fold_cases.py, where all of them are compared with mlir-opt.

// CHECK: module {
// CHECK-NEXT:   func.func @f0() -> f6E3M2FN {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : f6E3M2FN
// CHECK-NEXT:     return %cst : f6E3M2FN
// CHECK-NEXT:   }
func.func @f0() -> (f6E3M2FN) {
  %a = arith.constant 0x21 : f6E3M2FN
  %b = arith.constant -1.5 : f6E3M2FN
  %0 = arith.addf %a, %b : f6E3M2FN
  return %0 : f6E3M2FN
}

// CHECK-NEXT:   func.func @f1() -> f128 {
// CHECK-NEXT:     %cst = arith.constant 0x1 : f128
// CHECK-NEXT:     return %cst : f128
// CHECK-NEXT:   }
func.func @f1() -> (f128) {
  %a = arith.constant -0.0 : f128
  %b = arith.constant 0x00000000000000000000000000000001 : f128
  %0 = arith.addf %a, %b : f128
  return %0 : f128
}

// CHECK-NEXT:   func.func @f2() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f2() -> (i1) {
  %a = arith.constant 0x7F800001 : f32
  %b = arith.constant -1.5 : f32
  %0 = arith.cmpf false, %a, %b : f32
  return %0 : i1
}

// CHECK-NEXT:   func.func @f3() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f3() -> (i1) {
  %a = arith.constant -0.0 : f8E4M3B11FNUZ
  %b = arith.constant 0x80 : f8E4M3B11FNUZ
  %0 = arith.cmpf false, %a, %b : f8E4M3B11FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f4() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f4() -> (i1) {
  %a = arith.constant 0x81 : f8E4M3FN
  %b = arith.constant -0.0 : f8E4M3FN
  %0 = arith.cmpf oeq, %a, %b : f8E4M3FN
  return %0 : i1
}

// CHECK-NEXT:   func.func @f5() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f5() -> (i1) {
  %a = arith.constant -0.0 : f8E4M3FNUZ
  %b = arith.constant 1.0 : f8E4M3FNUZ
  %0 = arith.cmpf oeq, %a, %b : f8E4M3FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f6() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f6() -> (i1) {
  %a = arith.constant 1.0 : bf16
  %b = arith.constant -0.0 : bf16
  %0 = arith.cmpf oge, %a, %b : bf16
  return %0 : i1
}

// CHECK-NEXT:   func.func @f7() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f7() -> (i1) {
  %a = arith.constant 0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128
  %b = arith.constant -1.5 : f128
  %0 = arith.cmpf oge, %a, %b : f128
  return %0 : i1
}

// CHECK-NEXT:   func.func @f8() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f8() -> (i1) {
  %a = arith.constant -1.5 : f80
  %b = arith.constant 0xFFFF8000000000000003 : f80
  %0 = arith.cmpf ogt, %a, %b : f80
  return %0 : i1
}

// CHECK-NEXT:   func.func @f9() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f9() -> (i1) {
  %a = arith.constant -1.5 : f8E4M3B11FNUZ
  %b = arith.constant 0x81 : f8E4M3B11FNUZ
  %0 = arith.cmpf ogt, %a, %b : f8E4M3B11FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f10() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f10() -> (i1) {
  %a = arith.constant 0x7FEFFFFFFFFFFFFF : f64
  %b = arith.constant -0.0 : f64
  %0 = arith.cmpf ole, %a, %b : f64
  return %0 : i1
}

// CHECK-NEXT:   func.func @f11() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f11() -> (i1) {
  %a = arith.constant -1.5 : f8E5M2FNUZ
  %b = arith.constant -0.0 : f8E5M2FNUZ
  %0 = arith.cmpf ole, %a, %b : f8E5M2FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f12() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f12() -> (i1) {
  %a = arith.constant 0xFFFF8000000000000003 : f80
  %b = arith.constant -0.0 : f80
  %0 = arith.cmpf olt, %a, %b : f80
  return %0 : i1
}

// CHECK-NEXT:   func.func @f13() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f13() -> (i1) {
  %a = arith.constant -1.5 : tf32
  %b = arith.constant 0x40000 : tf32
  %0 = arith.cmpf olt, %a, %b : tf32
  return %0 : i1
}

// CHECK-NEXT:   func.func @f14() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f14() -> (i1) {
  %a = arith.constant 0xFF83 : bf16
  %b = arith.constant -0.0 : bf16
  %0 = arith.cmpf one, %a, %b : bf16
  return %0 : i1
}

// CHECK-NEXT:   func.func @f15() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f15() -> (i1) {
  %a = arith.constant 0.0 : f8E4M3FN
  %b = arith.constant -1.5 : f8E4M3FN
  %0 = arith.cmpf one, %a, %b : f8E4M3FN
  return %0 : i1
}

// CHECK-NEXT:   func.func @f16() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f16() -> (i1) {
  %a = arith.constant -1.5 : f8E3M4
  %b = arith.constant 0x80 : f8E3M4
  %0 = arith.cmpf ord, %a, %b : f8E3M4
  return %0 : i1
}

// CHECK-NEXT:   func.func @f17() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f17() -> (i1) {
  %a = arith.constant 0.0 : f64
  %b = arith.constant -0.0 : f64
  %0 = arith.cmpf ord, %a, %b : f64
  return %0 : i1
}

// CHECK-NEXT:   func.func @f18() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f18() -> (i1) {
  %a = arith.constant -0.0 : f8E3M4
  %b = arith.constant -1.5 : f8E3M4
  %0 = arith.cmpf true, %a, %b : f8E3M4
  return %0 : i1
}

// CHECK-NEXT:   func.func @f19() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f19() -> (i1) {
  %a = arith.constant -0.0 : f8E4M3FNUZ
  %b = arith.constant 0.0 : f8E4M3FNUZ
  %0 = arith.cmpf true, %a, %b : f8E4M3FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f20() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f20() -> (i1) {
  %a = arith.constant -0.0 : f64
  %b = arith.constant 0xFFF0000000000003 : f64
  %0 = arith.cmpf ueq, %a, %b : f64
  return %0 : i1
}

// CHECK-NEXT:   func.func @f21() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f21() -> (i1) {
  %a = arith.constant -0.0 : f8E5M2FNUZ
  %b = arith.constant 0x81 : f8E5M2FNUZ
  %0 = arith.cmpf ueq, %a, %b : f8E5M2FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f22() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f22() -> (i1) {
  %a = arith.constant 0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128
  %b = arith.constant -1.5 : f128
  %0 = arith.cmpf uge, %a, %b : f128
  return %0 : i1
}

// CHECK-NEXT:   func.func @f23() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f23() -> (i1) {
  %a = arith.constant 0.0 : f8E4M3
  %b = arith.constant -1.5 : f8E4M3
  %0 = arith.cmpf uge, %a, %b : f8E4M3
  return %0 : i1
}

// CHECK-NEXT:   func.func @f24() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f24() -> (i1) {
  %a = arith.constant 0.0 : f8E4M3FN
  %b = arith.constant -0.0 : f8E4M3FN
  %0 = arith.cmpf ugt, %a, %b : f8E4M3FN
  return %0 : i1
}

// CHECK-NEXT:   func.func @f25() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f25() -> (i1) {
  %a = arith.constant -1.5 : f32
  %b = arith.constant 1.0 : f32
  %0 = arith.cmpf ugt, %a, %b : f32
  return %0 : i1
}

// CHECK-NEXT:   func.func @f26() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f26() -> (i1) {
  %a = arith.constant 0x80 : f8E4M3FN
  %b = arith.constant -0.0 : f8E4M3FN
  %0 = arith.cmpf ule, %a, %b : f8E4M3FN
  return %0 : i1
}

// CHECK-NEXT:   func.func @f27() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f27() -> (i1) {
  %a = arith.constant 0x7FFF7FFFFFFFFFFFFFFF : f80
  %b = arith.constant -1.5 : f80
  %0 = arith.cmpf ule, %a, %b : f80
  return %0 : i1
}

// CHECK-NEXT:   func.func @f28() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f28() -> (i1) {
  %a = arith.constant 0.0 : f8E4M3
  %b = arith.constant -1.5 : f8E4M3
  %0 = arith.cmpf ult, %a, %b : f8E4M3
  return %0 : i1
}

// CHECK-NEXT:   func.func @f29() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f29() -> (i1) {
  %a = arith.constant 0.0 : f80
  %b = arith.constant -0.0 : f80
  %0 = arith.cmpf ult, %a, %b : f80
  return %0 : i1
}

// CHECK-NEXT:   func.func @f30() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f30() -> (i1) {
  %a = arith.constant -1.5 : f8E5M2FNUZ
  %b = arith.constant 0.0 : f8E5M2FNUZ
  %0 = arith.cmpf une, %a, %b : f8E5M2FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f31() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f31() -> (i1) {
  %a = arith.constant 0x7 : f4E2M1FN
  %b = arith.constant -1.5 : f4E2M1FN
  %0 = arith.cmpf une, %a, %b : f4E2M1FN
  return %0 : i1
}

// CHECK-NEXT:   func.func @f32() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f32() -> (i1) {
  %a = arith.constant -0.0 : f8E5M2
  %b = arith.constant 0x7F : f8E5M2
  %0 = arith.cmpf uno, %a, %b : f8E5M2
  return %0 : i1
}

// CHECK-NEXT:   func.func @f33() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f33() -> (i1) {
  %a = arith.constant -0.0 : bf16
  %b = arith.constant 1.0 : bf16
  %0 = arith.cmpf uno, %a, %b : bf16
  return %0 : i1
}

// CHECK-NEXT:   func.func @f34() -> tf32 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : tf32
// CHECK-NEXT:     return %cst : tf32
// CHECK-NEXT:   }
func.func @f34() -> (tf32) {
  %a = arith.constant -0.0 : tf32
  %b = arith.constant 0x0001 : tf32
  %0 = arith.divf %a, %b : tf32
  return %0 : tf32
}

// CHECK-NEXT:   func.func @f35() -> f128 {
// CHECK-NEXT:     %cst = arith.constant -2.000000e+00 : f128
// CHECK-NEXT:     return %cst : f128
// CHECK-NEXT:   }
func.func @f35() -> (f128) {
  %a = arith.constant 3.0 : f128
  %b = arith.constant -1.5 : f128
  %0 = arith.divf %a, %b : f128
  return %0 : f128
}

// CHECK-NEXT:   func.func @f36() -> f6E3M2FN {
// CHECK-NEXT:     %cst = arith.constant 2.800000e+01 : f6E3M2FN
// CHECK-NEXT:     return %cst : f6E3M2FN
// CHECK-NEXT:   }
func.func @f36() -> (f6E3M2FN) {
  %a = arith.constant -1.5 : f6E3M2FN
  %b = arith.constant 0x1F : f6E3M2FN
  %0 = arith.maximumf %a, %b : f6E3M2FN
  return %0 : f6E3M2FN
}

// CHECK-NEXT:   func.func @f37() -> f64 {
// CHECK-NEXT:     %cst = arith.constant 1.000000e-01 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f37() -> (f64) {
  %a = arith.constant 0.1 : f64
  %b = arith.constant -1.5 : f64
  %0 = arith.maximumf %a, %b : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f38() -> f32 {
// CHECK-NEXT:     %cst = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f38() -> (f32) {
  %a = arith.constant -0.0 : f32
  %b = arith.constant 3.0 : f32
  %0 = arith.maxnumf %a, %b : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f39() -> bf16 {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : bf16
// CHECK-NEXT:     return %cst : bf16
// CHECK-NEXT:   }
func.func @f39() -> (bf16) {
  %a = arith.constant 1.0 : bf16
  %b = arith.constant -1.5 : bf16
  %0 = arith.maxnumf %a, %b : bf16
  return %0 : bf16
}

// CHECK-NEXT:   func.func @f40() -> tf32 {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : tf32
// CHECK-NEXT:     return %cst : tf32
// CHECK-NEXT:   }
func.func @f40() -> (tf32) {
  %a = arith.constant -1.5 : tf32
  %b = arith.constant 0.1 : tf32
  %0 = arith.minimumf %a, %b : tf32
  return %0 : tf32
}

// CHECK-NEXT:   func.func @f41() -> f8E4M3 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f8E4M3
// CHECK-NEXT:     return %cst : f8E4M3
// CHECK-NEXT:   }
func.func @f41() -> (f8E4M3) {
  %a = arith.constant -0.0 : f8E4M3
  %b = arith.constant 0.1 : f8E4M3
  %0 = arith.minimumf %a, %b : f8E4M3
  return %0 : f8E4M3
}

// CHECK-NEXT:   func.func @f42() -> tf32 {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : tf32
// CHECK-NEXT:     return %cst : tf32
// CHECK-NEXT:   }
func.func @f42() -> (tf32) {
  %a = arith.constant -1.5 : tf32
  %b = arith.constant 0x3FFFF : tf32
  %0 = arith.minnumf %a, %b : tf32
  return %0 : tf32
}

// CHECK-NEXT:   func.func @f43() -> f8E4M3FNUZ {
// CHECK-NEXT:     %cst = arith.constant -1.500000e+00 : f8E4M3FNUZ
// CHECK-NEXT:     return %cst : f8E4M3FNUZ
// CHECK-NEXT:   }
func.func @f43() -> (f8E4M3FNUZ) {
  %a = arith.constant -1.5 : f8E4M3FNUZ
  %b = arith.constant 0x81 : f8E4M3FNUZ
  %0 = arith.minnumf %a, %b : f8E4M3FNUZ
  return %0 : f8E4M3FNUZ
}

// CHECK-NEXT:   func.func @f44() -> f80 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f80
// CHECK-NEXT:     return %cst : f80
// CHECK-NEXT:   }
func.func @f44() -> (f80) {
  %a = arith.constant -0.0 : f80
  %b = arith.constant 3.0 : f80
  %0 = arith.mulf %a, %b : f80
  return %0 : f80
}

// CHECK-NEXT:   func.func @f45() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.15000000000000002 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f45() -> (f64) {
  %a = arith.constant -1.5 : f64
  %b = arith.constant 0.1 : f64
  %0 = arith.mulf %a, %b : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f46() -> f8E5M2 {
// CHECK-NEXT:     %cst = arith.constant 1.500000e+00 : f8E5M2
// CHECK-NEXT:     return %cst : f8E5M2
// CHECK-NEXT:   }
func.func @f46() -> (f8E5M2) {
  %a = arith.constant -1.5 : f8E5M2
  %0 = arith.negf %a : f8E5M2
  return %0 : f8E5M2
}

// CHECK-NEXT:   func.func @f47() -> f8E4M3FNUZ {
// CHECK-NEXT:     %cst = arith.constant 1.500000e+00 : f8E4M3FNUZ
// CHECK-NEXT:     return %cst : f8E4M3FNUZ
// CHECK-NEXT:   }
func.func @f47() -> (f8E4M3FNUZ) {
  %a = arith.constant -1.5 : f8E4M3FNUZ
  %0 = arith.negf %a : f8E4M3FNUZ
  return %0 : f8E4M3FNUZ
}

// CHECK-NEXT:   func.func @f48() -> f128 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f128
// CHECK-NEXT:     return %cst : f128
// CHECK-NEXT:   }
func.func @f48() -> (f128) {
  %a = arith.constant -0.0 : f128
  %b = arith.constant 1.0 : f128
  %0 = arith.remf %a, %b : f128
  return %0 : f128
}

// CHECK-NEXT:   func.func @f49() -> f8E5M2FNUZ {
// CHECK-NEXT:     %cst = arith.constant 0x80 : f8E5M2FNUZ
// CHECK-NEXT:     return %cst : f8E5M2FNUZ
// CHECK-NEXT:   }
func.func @f49() -> (f8E5M2FNUZ) {
  %a = arith.constant 0x81 : f8E5M2FNUZ
  %b = arith.constant -0.0 : f8E5M2FNUZ
  %0 = arith.remf %a, %b : f8E5M2FNUZ
  return %0 : f8E5M2FNUZ
}

// CHECK-NEXT:   func.func @f50() -> tf32 {
// CHECK-NEXT:     %cst = arith.constant 0x3FFFF : tf32
// CHECK-NEXT:     return %cst : tf32
// CHECK-NEXT:   }
func.func @f50() -> (tf32) {
  %a = arith.constant 0x3FFFF : tf32
  %b = arith.constant -1.5 : tf32
  %0 = arith.subf %a, %b : tf32
  return %0 : tf32
}

// CHECK-NEXT:   func.func @f51() -> f128 {
// CHECK-NEXT:     %cst = arith.constant 0x7FFF0000000000000000000000000000 : f128
// CHECK-NEXT:     return %cst : f128
// CHECK-NEXT:   }
func.func @f51() -> (f128) {
  %a = arith.constant 0x7FFF0000000000000000000000000000 : f128
  %b = arith.constant -0.0 : f128
  %0 = arith.subf %a, %b : f128
  return %0 : f128
}

// CHECK-NEXT:   func.func @f52() -> f6E2M3FN {
// CHECK-NEXT:     %cst = arith.constant 1.500000e+00 : f6E2M3FN
// CHECK-NEXT:     return %cst : f6E2M3FN
// CHECK-NEXT:   }
func.func @f52() -> (f6E2M3FN) {
  %a = arith.constant -1.5 : f6E2M3FN
  %0 = math.absf %a : f6E2M3FN
  return %0 : f6E2M3FN
}

// CHECK-NEXT:   func.func @f53() -> i32 {
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     return %c-2147483648_i32 : i32
// CHECK-NEXT:   }
func.func @f53() -> (i32) {
  %a = arith.constant -2147483648 : i32
  %0 = math.absi %a : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f54() -> f64 {
// CHECK-NEXT:     %cst = arith.constant 0x7FF8000000000000 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f54() -> (f64) {
  %a = arith.constant -2.5 : f64
  %0 = math.acos %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f55() -> f64 {
// CHECK-NEXT:     %cst = arith.constant 0xFFF8000000000000 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f55() -> (f64) {
  %a = arith.constant -0.0 : f64
  %0 = math.acosh %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f56() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f56() -> (f64) {
  %a = arith.constant -0.0 : f64
  %0 = math.asin %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f57() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f57() -> (f32) {
  %a = arith.constant -0.0 : f32
  %0 = math.asinh %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f58() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f58() -> (f32) {
  %a = arith.constant -0.0 : f32
  %0 = math.atan %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f59() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -0.982793748 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f59() -> (f32) {
  %a = arith.constant -1.5 : f32
  %b = arith.constant 1.0 : f32
  %0 = math.atan2 %a, %b : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f60() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -0.549306154 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f60() -> (f32) {
  %a = arith.constant -0.5 : f32
  %0 = math.atanh %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f61() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -5.000000e-01 : f32
// CHECK-NEXT:     %0 = math.cbrt %cst : f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @f61() -> (f32) {
  %a = arith.constant -0.5 : f32
  %0 = math.cbrt %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f62() -> f4E2M1FN {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f4E2M1FN
// CHECK-NEXT:     return %cst : f4E2M1FN
// CHECK-NEXT:   }
func.func @f62() -> (f4E2M1FN) {
  %a = arith.constant -0.5 : f4E2M1FN
  %0 = math.ceil %a : f4E2M1FN
  return %0 : f4E2M1FN
}

// CHECK-NEXT:   func.func @f63() -> f8E4M3FN {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f8E4M3FN
// CHECK-NEXT:     return %cst : f8E4M3FN
// CHECK-NEXT:   }
func.func @f63() -> (f8E4M3FN) {
  %a = arith.constant 0x80 : f8E4M3FN
  %b = arith.constant -1.5 : f8E4M3FN
  %0 = math.copysign %a, %b : f8E4M3FN
  return %0 : f8E4M3FN
}

// CHECK-NEXT:   func.func @f64() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.8011436155469337 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f64() -> (f64) {
  %a = arith.constant -2.5 : f64
  %0 = math.cos %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f65() -> f64 {
// CHECK-NEXT:     %cst = arith.constant 6.1322894796636858 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f65() -> (f64) {
  %a = arith.constant -2.5 : f64
  %0 = math.cosh %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f66() -> i8 {
// CHECK-NEXT:     %c5_i8 = arith.constant 5 : i8
// CHECK-NEXT:     return %c5_i8 : i8
// CHECK-NEXT:   }
func.func @f66() -> (i8) {
  %a = arith.constant 7 : i8
  %0 = math.ctlz %a : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f67() -> i128 {
// CHECK-NEXT:     %c128_i128 = arith.constant 128 : i128
// CHECK-NEXT:     return %c128_i128 : i128
// CHECK-NEXT:   }
func.func @f67() -> (i128) {
  %a = arith.constant -1 : i128
  %0 = math.ctpop %a : i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f68() -> i65 {
// CHECK-NEXT:     %c64_i65 = arith.constant 64 : i65
// CHECK-NEXT:     return %c64_i65 : i65
// CHECK-NEXT:   }
func.func @f68() -> (i65) {
  %a = arith.constant -18446744073709551616 : i65
  %0 = math.cttz %a : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f69() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f69() -> (f64) {
  %a = arith.constant -0.0 : f64
  %0 = math.erf %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f70() -> f32 {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f70() -> (f32) {
  %a = arith.constant -0.0 : f32
  %0 = math.erfc %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f71() -> f64 {
// CHECK-NEXT:     %cst = arith.constant 0.0820849986238988 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f71() -> (f64) {
  %a = arith.constant -2.5 : f64
  %0 = math.exp %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f72() -> f64 {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f72() -> (f64) {
  %a = arith.constant -0.0 : f64
  %0 = math.exp2 %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f73() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f73() -> (f64) {
  %a = arith.constant -0.0 : f64
  %0 = math.expm1 %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f74() -> f8E5M2 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f8E5M2
// CHECK-NEXT:     return %cst : f8E5M2
// CHECK-NEXT:   }
func.func @f74() -> (f8E5M2) {
  %a = arith.constant -0.0 : f8E5M2
  %0 = math.floor %a : f8E5M2
  return %0 : f8E5M2
}

// CHECK-NEXT:   func.func @f75() -> bf16 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : bf16
// CHECK-NEXT:     %cst_0 = arith.constant 0x7F81 : bf16
// CHECK-NEXT:     %0 = math.fma %cst, %cst_0, %cst : bf16
// CHECK-NEXT:     return %0 : bf16
// CHECK-NEXT:   }
func.func @f75() -> (bf16) {
  %a = arith.constant -0.0 : bf16
  %b = arith.constant 0x7F81 : bf16
  %0 = math.fma %a, %b, %a : bf16
  return %0 : bf16
}

// CHECK-NEXT:   func.func @f76() -> i128 {
// CHECK-NEXT:     %c-36758551471730596480269225603741877759_i128 = arith.constant -36758551471730596480269225603741877759 : i128
// CHECK-NEXT:     return %c-36758551471730596480269225603741877759_i128 : i128
// CHECK-NEXT:   }
func.func @f76() -> (i128) {
  %a = arith.constant -3 : i128
  %b = arith.constant 128 : i128
  %0 = math.ipowi %a, %b : i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f77() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f77() -> (i1) {
  %a = arith.constant -2.5 : f8E5M2FNUZ
  %0 = math.isfinite %a : f8E5M2FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f78() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f78() -> (i1) {
  %a = arith.constant -1.5 : f8E3M4
  %0 = math.isinf %a : f8E3M4
  return %0 : i1
}

// CHECK-NEXT:   func.func @f79() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f79() -> (i1) {
  %a = arith.constant -2.5 : f8E4M3B11FNUZ
  %0 = math.isnan %a : f8E4M3B11FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f80() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f80() -> (i1) {
  %a = arith.constant -1.5 : f8E4M3B11FNUZ
  %0 = math.isnormal %a : f8E4M3B11FNUZ
  return %0 : i1
}

// CHECK-NEXT:   func.func @f81() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -2.30258512 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f81() -> (f32) {
  %a = arith.constant 0.1 : f32
  %0 = math.log %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f82() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -323.30621534311581 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f82() -> (f64) {
  %a = arith.constant 0x0000000000000001 : f64
  %0 = math.log10 %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f83() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f83() -> (f32) {
  %a = arith.constant -0.0 : f32
  %0 = math.log1p %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f84() -> f32 {
// CHECK-NEXT:     %cst = arith.constant 1.32192814 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f84() -> (f32) {
  %a = arith.constant 2.5 : f32
  %0 = math.log2 %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f85() -> f32 {
// CHECK-NEXT:     %cst = arith.constant 0x7F800000 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f85() -> (f32) {
  %a = arith.constant -1.5 : f32
  %b = arith.constant 0x7F7FFFFF : f32
  %0 = math.powf %a, %b : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f86() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -1.000000e+00 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f86() -> (f32) {
  %a = arith.constant -0.5 : f32
  %0 = math.round %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f87() -> tf32 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : tf32
// CHECK-NEXT:     return %cst : tf32
// CHECK-NEXT:   }
func.func @f87() -> (tf32) {
  %a = arith.constant -0.5 : tf32
  %0 = math.roundeven %a : tf32
  return %0 : tf32
}

// CHECK-NEXT:   func.func @f88() -> f6E2M3FN {
// CHECK-NEXT:     %cst = arith.constant -5.000000e-01 : f6E2M3FN
// CHECK-NEXT:     %0 = math.rsqrt %cst : f6E2M3FN
// CHECK-NEXT:     return %0 : f6E2M3FN
// CHECK-NEXT:   }
func.func @f88() -> (f6E2M3FN) {
  %a = arith.constant -0.5 : f6E2M3FN
  %0 = math.rsqrt %a : f6E2M3FN
  return %0 : f6E2M3FN
}

// CHECK-NEXT:   func.func @f89() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.99749498660405444 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f89() -> (f64) {
  %a = arith.constant -1.5 : f64
  %0 = math.sin %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f90() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -2.12927938 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f90() -> (f32) {
  %a = arith.constant -1.5 : f32
  %0 = math.sinh %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f91() -> f64 {
// CHECK-NEXT:     %cst = arith.constant 0x7FFFFFFFFFFFFFFF : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f91() -> (f64) {
  %a = arith.constant 0x7FFFFFFFFFFFFFFF : f64
  %0 = math.sqrt %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f92() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -14.1014204 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f92() -> (f32) {
  %a = arith.constant -1.5 : f32
  %0 = math.tan %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f93() -> f32 {
// CHECK-NEXT:     %cst = arith.constant -0.986614286 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f93() -> (f32) {
  %a = arith.constant -2.5 : f32
  %0 = math.tanh %a : f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @f94() -> f64 {
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   }
func.func @f94() -> (f64) {
  %a = arith.constant -0.0 : f64
  %0 = math.trunc %a : f64
  return %0 : f64
}

// CHECK-NEXT:   func.func @f95() -> f80 {
// CHECK-NEXT:     %cst = complex.constant [-0.000000e+00 : f80, 0.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.abs %cst : complex<f80>
// CHECK-NEXT:     return %0 : f80
// CHECK-NEXT:   }
func.func @f95() -> (f80) {
  %a = complex.constant [-0.0 : f80, 0.0 : f80] : complex<f80>
  %0 = complex.abs %a : complex<f80>
  return %0 : f80
}

// CHECK-NEXT:   func.func @f96() -> complex<f64> {
// CHECK-NEXT:     %cst = complex.constant [-0.000000e+00, 0.000000e+00] : complex<f64>
// CHECK-NEXT:     return %cst : complex<f64>
// CHECK-NEXT:   }
func.func @f96() -> (complex<f64>) {
  %a = complex.constant [-0.0 : f64, 0.0 : f64] : complex<f64>
  %b = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %0 = complex.add %a, %b : complex<f64>
  return %0 : complex<f64>
}

// CHECK-NEXT:   func.func @f97() -> f80 {
// CHECK-NEXT:     %cst = complex.constant [-1.500000e+00 : f80, 0.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.angle %cst : complex<f80>
// CHECK-NEXT:     return %0 : f80
// CHECK-NEXT:   }
func.func @f97() -> (f80) {
  %a = complex.constant [-1.5 : f80, 0.0 : f80] : complex<f80>
  %0 = complex.angle %a : complex<f80>
  return %0 : f80
}

// CHECK-NEXT:   func.func @f98() -> complex<f80> {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f80, 1.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %cst_0 = complex.constant [0.000000e+00 : f80, 0.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.atan2 %cst, %cst_0 : complex<f80>
// CHECK-NEXT:     return %0 : complex<f80>
// CHECK-NEXT:   }
func.func @f98() -> (complex<f80>) {
  %a = complex.constant [1.0 : f80, 1.0 : f80] : complex<f80>
  %b = complex.constant [0.0 : f80, 0.0 : f80] : complex<f80>
  %0 = complex.atan2 %a, %b : complex<f80>
  return %0 : complex<f80>
}

// CHECK-NEXT:   func.func @f99() -> complex<f32> {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.conj %cst : complex<f32>
// CHECK-NEXT:     return %0 : complex<f32>
// CHECK-NEXT:   }
func.func @f99() -> (complex<f32>) {
  %a = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.conj %a : complex<f32>
  return %0 : complex<f32>
}

// CHECK-NEXT:   func.func @f100() -> complex<f80> {
// CHECK-NEXT:     %cst = complex.constant [0.000000e+00 : f80, -0.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.cos %cst : complex<f80>
// CHECK-NEXT:     return %0 : complex<f80>
// CHECK-NEXT:   }
func.func @f100() -> (complex<f80>) {
  %a = complex.constant [0.0 : f80, -0.0 : f80] : complex<f80>
  %0 = complex.cos %a : complex<f80>
  return %0 : complex<f80>
}

// CHECK-NEXT:   func.func @f101() -> complex<f32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %cst_0 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %0 = complex.create %cst, %cst_0 : complex<f32>
// CHECK-NEXT:     return %0 : complex<f32>
// CHECK-NEXT:   }
func.func @f101() -> (complex<f32>) {
  %a = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  %r = complex.re %a : complex<f32>
  %i = complex.im %a : complex<f32>
  %0 = complex.create %r, %i : complex<f32>
  return %0 : complex<f32>
}

// CHECK-NEXT:   func.func @f102() -> complex<f16> {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f16, -0.000000e+00 : f16] : complex<f16>
// CHECK-NEXT:     %cst_0 = complex.constant [-1.500000e+00 : f16, 0.000000e+00 : f16] : complex<f16>
// CHECK-NEXT:     %0 = complex.div %cst, %cst_0 : complex<f16>
// CHECK-NEXT:     return %0 : complex<f16>
// CHECK-NEXT:   }
func.func @f102() -> (complex<f16>) {
  %a = complex.constant [1.0 : f16, -0.0 : f16] : complex<f16>
  %b = complex.constant [-1.5 : f16, 0.0 : f16] : complex<f16>
  %0 = complex.div %a, %b : complex<f16>
  return %0 : complex<f16>
}

// CHECK-NEXT:   func.func @f103() -> i1 {
// CHECK-NEXT:     %cst = complex.constant [0.000000e+00 : f80, 1.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.eq %cst, %cst : complex<f80>
// CHECK-NEXT:     return %0 : i1
// CHECK-NEXT:   }
func.func @f103() -> (i1) {
  %a = complex.constant [0.0 : f80, 1.0 : f80] : complex<f80>
  %0 = complex.eq %a, %a : complex<f80>
  return %0 : i1
}

// CHECK-NEXT:   func.func @f104() -> complex<f32> {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, -0.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.exp %cst : complex<f32>
// CHECK-NEXT:     return %0 : complex<f32>
// CHECK-NEXT:   }
func.func @f104() -> (complex<f32>) {
  %a = complex.constant [1.0 : f32, -0.0 : f32] : complex<f32>
  %0 = complex.exp %a : complex<f32>
  return %0 : complex<f32>
}

// CHECK-NEXT:   func.func @f105() -> complex<f80> {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f80, -0.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.expm1 %cst : complex<f80>
// CHECK-NEXT:     return %0 : complex<f80>
// CHECK-NEXT:   }
func.func @f105() -> (complex<f80>) {
  %a = complex.constant [1.0 : f80, -0.0 : f80] : complex<f80>
  %0 = complex.expm1 %a : complex<f80>
  return %0 : complex<f80>
}

// CHECK-NEXT:   func.func @f106() -> f32 {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   }
func.func @f106() -> (f32) {
  %a = complex.constant [-0.0 : f32, 1.0 : f32] : complex<f32>
  %0 = complex.im %a : complex<f32>
  return %0 : f32
}

// CHECK-NEXT:   func.func @f107() -> complex<f16> {
// CHECK-NEXT:     %cst = complex.constant [-0.000000e+00 : f16, -0.000000e+00 : f16] : complex<f16>
// CHECK-NEXT:     %0 = complex.log %cst : complex<f16>
// CHECK-NEXT:     return %0 : complex<f16>
// CHECK-NEXT:   }
func.func @f107() -> (complex<f16>) {
  %a = complex.constant [-0.0 : f16, -0.0 : f16] : complex<f16>
  %0 = complex.log %a : complex<f16>
  return %0 : complex<f16>
}

// CHECK-NEXT:   func.func @f108() -> complex<f64> {
// CHECK-NEXT:     %cst = complex.constant [-1.500000e+00, 0.000000e+00] : complex<f64>
// CHECK-NEXT:     %0 = complex.log1p %cst : complex<f64>
// CHECK-NEXT:     return %0 : complex<f64>
// CHECK-NEXT:   }
func.func @f108() -> (complex<f64>) {
  %a = complex.constant [-1.5 : f64, 0.0 : f64] : complex<f64>
  %0 = complex.log1p %a : complex<f64>
  return %0 : complex<f64>
}

// CHECK-NEXT:   func.func @f109() -> complex<f64> {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00, 0.000000e+00] : complex<f64>
// CHECK-NEXT:     %cst_0 = complex.constant [-0.000000e+00, 0.000000e+00] : complex<f64>
// CHECK-NEXT:     %0 = complex.mul %cst, %cst_0 : complex<f64>
// CHECK-NEXT:     return %0 : complex<f64>
// CHECK-NEXT:   }
func.func @f109() -> (complex<f64>) {
  %a = complex.constant [1.0 : f64, 0.0 : f64] : complex<f64>
  %b = complex.constant [-0.0 : f64, 0.0 : f64] : complex<f64>
  %0 = complex.mul %a, %b : complex<f64>
  return %0 : complex<f64>
}

// CHECK-NEXT:   func.func @f110() -> complex<f16> {
// CHECK-NEXT:     %cst = complex.constant [0.000000e+00 : f16, 0.000000e+00 : f16] : complex<f16>
// CHECK-NEXT:     %0 = complex.neg %cst : complex<f16>
// CHECK-NEXT:     return %0 : complex<f16>
// CHECK-NEXT:   }
func.func @f110() -> (complex<f16>) {
  %a = complex.constant [0.0 : f16, 0.0 : f16] : complex<f16>
  %0 = complex.neg %a : complex<f16>
  return %0 : complex<f16>
}

// CHECK-NEXT:   func.func @f111() -> i1 {
// CHECK-NEXT:     %cst = complex.constant [-1.500000e+00 : f16, 0.000000e+00 : f16] : complex<f16>
// CHECK-NEXT:     %0 = complex.neq %cst, %cst : complex<f16>
// CHECK-NEXT:     return %0 : i1
// CHECK-NEXT:   }
func.func @f111() -> (i1) {
  %a = complex.constant [-1.5 : f16, 0.0 : f16] : complex<f16>
  %0 = complex.neq %a, %a : complex<f16>
  return %0 : i1
}

// CHECK-NEXT:   func.func @f112() -> complex<f32> {
// CHECK-NEXT:     %cst = complex.constant [-1.500000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %cst_0 = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.pow %cst, %cst_0 : complex<f32>
// CHECK-NEXT:     return %0 : complex<f32>
// CHECK-NEXT:   }
func.func @f112() -> (complex<f32>) {
  %a = complex.constant [-1.5 : f32, 0.0 : f32] : complex<f32>
  %b = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.pow %a, %b : complex<f32>
  return %0 : complex<f32>
}

// CHECK-NEXT:   func.func @f113() -> f80 {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f80
// CHECK-NEXT:     return %cst : f80
// CHECK-NEXT:   }
func.func @f113() -> (f80) {
  %a = complex.constant [1.0 : f80, -0.0 : f80] : complex<f80>
  %0 = complex.re %a : complex<f80>
  return %0 : f80
}

// CHECK-NEXT:   func.func @f114() -> complex<f64> {
// CHECK-NEXT:     %cst = complex.constant [0.000000e+00, -0.000000e+00] : complex<f64>
// CHECK-NEXT:     %0 = complex.sign %cst : complex<f64>
// CHECK-NEXT:     return %0 : complex<f64>
// CHECK-NEXT:   }
func.func @f114() -> (complex<f64>) {
  %a = complex.constant [0.0 : f64, -0.0 : f64] : complex<f64>
  %0 = complex.sign %a : complex<f64>
  return %0 : complex<f64>
}

// CHECK-NEXT:   func.func @f115() -> complex<f32> {
// CHECK-NEXT:     %cst = complex.constant [0.000000e+00 : f32, 1.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.sin %cst : complex<f32>
// CHECK-NEXT:     return %0 : complex<f32>
// CHECK-NEXT:   }
func.func @f115() -> (complex<f32>) {
  %a = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  %0 = complex.sin %a : complex<f32>
  return %0 : complex<f32>
}

// CHECK-NEXT:   func.func @f116() -> complex<f32> {
// CHECK-NEXT:     %cst = complex.constant [-0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.sqrt %cst : complex<f32>
// CHECK-NEXT:     return %0 : complex<f32>
// CHECK-NEXT:   }
func.func @f116() -> (complex<f32>) {
  %a = complex.constant [-0.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.sqrt %a : complex<f32>
  return %0 : complex<f32>
}

// CHECK-NEXT:   func.func @f117() -> complex<f80> {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f80, 1.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %cst_0 = complex.constant [-1.500000e+00 : f80, 0.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.sub %cst, %cst_0 : complex<f80>
// CHECK-NEXT:     return %0 : complex<f80>
// CHECK-NEXT:   }
func.func @f117() -> (complex<f80>) {
  %a = complex.constant [1.0 : f80, 1.0 : f80] : complex<f80>
  %b = complex.constant [-1.5 : f80, 0.0 : f80] : complex<f80>
  %0 = complex.sub %a, %b : complex<f80>
  return %0 : complex<f80>
}

// CHECK-NEXT:   func.func @f118() -> complex<f80> {
// CHECK-NEXT:     %cst = complex.constant [-0.000000e+00 : f80, 0.000000e+00 : f80] : complex<f80>
// CHECK-NEXT:     %0 = complex.tanh %cst : complex<f80>
// CHECK-NEXT:     return %0 : complex<f80>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f118() -> (complex<f80>) {
  %a = complex.constant [-0.0 : f80, 0.0 : f80] : complex<f80>
  %0 = complex.tanh %a : complex<f80>
  return %0 : complex<f80>
}
