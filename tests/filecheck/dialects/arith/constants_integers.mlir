// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Integers: one or two of each operation of tests/support/fold_cases.py, where all of them are compared with mlir-opt.

// CHECK: module {
// CHECK-NEXT:   func.func @f0() -> i32 {
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     return %c-2147483648_i32 : i32
// CHECK-NEXT:   }
func.func @f0() -> (i32) {
  %a = arith.constant -2147483647 : i32
  %b = arith.constant -1 : i32
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f1() -> i7 {
// CHECK-NEXT:     %c-64_i7 = arith.constant -64 : i7
// CHECK-NEXT:     return %c-64_i7 : i7
// CHECK-NEXT:   }
func.func @f1() -> (i7) {
  %a = arith.constant -64 : i7
  %b = arith.constant 0 : i7
  %0 = arith.addi %a, %b : i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f2() -> (i128, i1) {
// CHECK-NEXT:     %c-170141183460469231731687303715884105726_i128 = arith.constant -170141183460469231731687303715884105726 : i128
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %c-170141183460469231731687303715884105726_i128, %false : i128, i1
// CHECK-NEXT:   }
func.func @f2() -> (i128, i1) {
  %a = arith.constant -170141183460469231731687303715884105728 : i128
  %b = arith.constant 2 : i128
  %0, %1 = arith.addui_extended %a, %b : i128, i1
  return %0, %1 : i128, i1
}

// CHECK-NEXT:   func.func @f3() -> (i8, i1) {
// CHECK-NEXT:     %c127_i8 = arith.constant 127 : i8
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %c127_i8, %true : i8, i1
// CHECK-NEXT:   }
func.func @f3() -> (i8, i1) {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %0, %1 = arith.addui_extended %a, %b : i8, i1
  return %0, %1 : i8, i1
}

// CHECK-NEXT:   func.func @f4() -> i32 {
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     return %c7_i32 : i32
// CHECK-NEXT:   }
func.func @f4() -> (i32) {
  %a = arith.constant -1 : i32
  %b = arith.constant 7 : i32
  %0 = arith.andi %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f5() -> i65 {
// CHECK-NEXT:     %c18446744073709551615_i65 = arith.constant 18446744073709551615 : i65
// CHECK-NEXT:     return %c18446744073709551615_i65 : i65
// CHECK-NEXT:   }
func.func @f5() -> (i65) {
  %a = arith.constant -1 : i65
  %b = arith.constant 18446744073709551615 : i65
  %0 = arith.andi %a, %b : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f6() -> index {
// CHECK-NEXT:     %c-3 = arith.constant -3 : index
// CHECK-NEXT:     return %c-3 : index
// CHECK-NEXT:   }
func.func @f6() -> (index) {
  %a = arith.constant -3 : index
  %b = arith.constant 1 : index
  %0 = arith.ceildivsi %a, %b : index
  return %0 : index
}

// CHECK-NEXT:   func.func @f7() -> i128 {
// CHECK-NEXT:     %c-85070591730234615865843651857942052863_i128 = arith.constant -85070591730234615865843651857942052863 : i128
// CHECK-NEXT:     return %c-85070591730234615865843651857942052863_i128 : i128
// CHECK-NEXT:   }
func.func @f7() -> (i128) {
  %a = arith.constant -170141183460469231731687303715884105727 : i128
  %b = arith.constant 2 : i128
  %0 = arith.ceildivsi %a, %b : i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f8() -> i65 {
// CHECK-NEXT:     %c283796062672454641_i65 = arith.constant 283796062672454641 : i65
// CHECK-NEXT:     return %c283796062672454641_i65 : i65
// CHECK-NEXT:   }
func.func @f8() -> (i65) {
  %a = arith.constant -18446744073709551615 : i65
  %b = arith.constant 65 : i65
  %0 = arith.ceildivui %a, %b : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f9() -> i32 {
// CHECK-NEXT:     %c67108865_i32 = arith.constant 67108865 : i32
// CHECK-NEXT:     return %c67108865_i32 : i32
// CHECK-NEXT:   }
func.func @f9() -> (i32) {
  %a = arith.constant -2147483647 : i32
  %b = arith.constant 32 : i32
  %0 = arith.ceildivui %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f10() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f10() -> (i1) {
  %a = arith.constant -128 : i8
  %b = arith.constant 8 : i8
  %0 = arith.cmpi eq, %a, %b : i8
  return %0 : i1
}

// CHECK-NEXT:   func.func @f11() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f11() -> (i1) {
  %a = arith.constant 170141183460469231731687303715884105727 : i128
  %b = arith.constant -1 : i128
  %0 = arith.cmpi eq, %a, %b : i128
  return %0 : i1
}

// CHECK-NEXT:   func.func @f12() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f12() -> (i1) {
  %a = arith.constant 1 : i32
  %b = arith.constant -2147483647 : i32
  %0 = arith.cmpi ne, %a, %b : i32
  return %0 : i1
}

// CHECK-NEXT:   func.func @f13() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f13() -> (i1) {
  %a = arith.constant 1 : index
  %b = arith.constant -9223372036854775808 : index
  %0 = arith.cmpi ne, %a, %b : index
  return %0 : i1
}

// CHECK-NEXT:   func.func @f14() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f14() -> (i1) {
  %a = arith.constant -64 : i7
  %b = arith.constant 3 : i7
  %0 = arith.cmpi sge, %a, %b : i7
  return %0 : i1
}

// CHECK-NEXT:   func.func @f15() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f15() -> (i1) {
  %a = arith.constant 0 : i32
  %b = arith.constant -2147483647 : i32
  %0 = arith.cmpi sge, %a, %b : i32
  return %0 : i1
}

// CHECK-NEXT:   func.func @f16() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f16() -> (i1) {
  %a = arith.constant -18446744073709551616 : i65
  %b = arith.constant -1 : i65
  %0 = arith.cmpi sgt, %a, %b : i65
  return %0 : i1
}

// CHECK-NEXT:   func.func @f17() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f17() -> (i1) {
  %a = arith.constant 1 : i2
  %b = arith.constant -1 : i2
  %0 = arith.cmpi sgt, %a, %b : i2
  return %0 : i1
}

// CHECK-NEXT:   func.func @f18() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f18() -> (i1) {
  %a = arith.constant 2 : i7
  %b = arith.constant -63 : i7
  %0 = arith.cmpi sle, %a, %b : i7
  return %0 : i1
}

// CHECK-NEXT:   func.func @f19() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f19() -> (i1) {
  %a = arith.constant 7 : i32
  %b = arith.constant -3 : i32
  %0 = arith.cmpi sle, %a, %b : i32
  return %0 : i1
}

// CHECK-NEXT:   func.func @f20() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f20() -> (i1) {
  %a = arith.constant -64 : i7
  %b = arith.constant 0 : i7
  %0 = arith.cmpi slt, %a, %b : i7
  return %0 : i1
}

// CHECK-NEXT:   func.func @f21() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f21() -> (i1) {
  %a = arith.constant -3 : i64
  %b = arith.constant 64 : i64
  %0 = arith.cmpi slt, %a, %b : i64
  return %0 : i1
}

// CHECK-NEXT:   func.func @f22() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f22() -> (i1) {
  %a = arith.constant -18446744073709551615 : i65
  %b = arith.constant -3 : i65
  %0 = arith.cmpi uge, %a, %b : i65
  return %0 : i1
}

// CHECK-NEXT:   func.func @f23() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f23() -> (i1) {
  %a = arith.constant -63 : i7
  %b = arith.constant -1 : i7
  %0 = arith.cmpi uge, %a, %b : i7
  return %0 : i1
}

// CHECK-NEXT:   func.func @f24() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f24() -> (i1) {
  %a = arith.constant 2 : i64
  %b = arith.constant -3 : i64
  %0 = arith.cmpi ugt, %a, %b : i64
  return %0 : i1
}

// CHECK-NEXT:   func.func @f25() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f25() -> (i1) {
  %a = arith.constant -1 : i8
  %b = arith.constant 0 : i8
  %0 = arith.cmpi ugt, %a, %b : i8
  return %0 : i1
}

// CHECK-NEXT:   func.func @f26() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f26() -> (i1) {
  %a = arith.constant -9223372036854775807 : index
  %b = arith.constant 2 : index
  %0 = arith.cmpi ule, %a, %b : index
  return %0 : i1
}

// CHECK-NEXT:   func.func @f27() -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @f27() -> (i1) {
  %a = arith.constant -3 : i64
  %b = arith.constant -9223372036854775808 : i64
  %0 = arith.cmpi ule, %a, %b : i64
  return %0 : i1
}

// CHECK-NEXT:   func.func @f28() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f28() -> (i1) {
  %a = arith.constant -9223372036854775807 : i64
  %b = arith.constant -3 : i64
  %0 = arith.cmpi ult, %a, %b : i64
  return %0 : i1
}

// CHECK-NEXT:   func.func @f29() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
func.func @f29() -> (i1) {
  %a = arith.constant 3 : i8
  %b = arith.constant -3 : i8
  %0 = arith.cmpi ult, %a, %b : i8
  return %0 : i1
}

// CHECK-NEXT:   func.func @f30() -> i128 {
// CHECK-NEXT:     %c-3_i128 = arith.constant -3 : i128
// CHECK-NEXT:     return %c-3_i128 : i128
// CHECK-NEXT:   }
func.func @f30() -> (i128) {
  %a = arith.constant 3 : i128
  %b = arith.constant -1 : i128
  %0 = arith.divsi %a, %b : i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f31() -> i8 {
// CHECK-NEXT:     %c-128_i8 = arith.constant -128 : i8
// CHECK-NEXT:     return %c-128_i8 : i8
// CHECK-NEXT:   }
func.func @f31() -> (i8) {
  %a = arith.constant -128 : i8
  %b = arith.constant 1 : i8
  %0 = arith.divsi %a, %b : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f32() -> i8 {
// CHECK-NEXT:     %c36_i8 = arith.constant 36 : i8
// CHECK-NEXT:     return %c36_i8 : i8
// CHECK-NEXT:   }
func.func @f32() -> (i8) {
  %a = arith.constant -3 : i8
  %b = arith.constant 7 : i8
  %0 = arith.divui %a, %b : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f33() -> i32 {
// CHECK-NEXT:     %c-2147483647_i32 = arith.constant -2147483647 : i32
// CHECK-NEXT:     return %c-2147483647_i32 : i32
// CHECK-NEXT:   }
func.func @f33() -> (i32) {
  %a = arith.constant -2147483647 : i32
  %b = arith.constant 1 : i32
  %0 = arith.divui %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f34() -> i8 {
// CHECK-NEXT:     %c-7_i8 = arith.constant -7 : i8
// CHECK-NEXT:     return %c-7_i8 : i8
// CHECK-NEXT:   }
func.func @f34() -> (i8) {
  %a = arith.constant 7 : i8
  %b = arith.constant -1 : i8
  %0 = arith.floordivsi %a, %b : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f35() -> i65 {
// CHECK-NEXT:     %c-18446744073709551616_i65 = arith.constant -18446744073709551616 : i65
// CHECK-NEXT:     return %c-18446744073709551616_i65 : i65
// CHECK-NEXT:   }
func.func @f35() -> (i65) {
  %a = arith.constant -18446744073709551616 : i65
  %b = arith.constant 1 : i65
  %0 = arith.floordivsi %a, %b : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f36() -> i65 {
// CHECK-NEXT:     %c18446744073709551615_i65 = arith.constant 18446744073709551615 : i65
// CHECK-NEXT:     return %c18446744073709551615_i65 : i65
// CHECK-NEXT:   }
func.func @f36() -> (i65) {
  %a = arith.constant -3 : i65
  %b = arith.constant 18446744073709551615 : i65
  %0 = arith.maxsi %a, %b : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f37() -> i8 {
// CHECK-NEXT:     %c7_i8 = arith.constant 7 : i8
// CHECK-NEXT:     return %c7_i8 : i8
// CHECK-NEXT:   }
func.func @f37() -> (i8) {
  %a = arith.constant 7 : i8
  %b = arith.constant -128 : i8
  %0 = arith.maxsi %a, %b : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f38() -> i128 {
// CHECK-NEXT:     %c-170141183460469231731687303715884105728_i128 = arith.constant -170141183460469231731687303715884105728 : i128
// CHECK-NEXT:     return %c-170141183460469231731687303715884105728_i128 : i128
// CHECK-NEXT:   }
func.func @f38() -> (i128) {
  %a = arith.constant 128 : i128
  %b = arith.constant -170141183460469231731687303715884105728 : i128
  %0 = arith.maxui %a, %b : i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f39() -> index {
// CHECK-NEXT:     %c-9223372036854775808 = arith.constant -9223372036854775808 : index
// CHECK-NEXT:     return %c-9223372036854775808 : index
// CHECK-NEXT:   }
func.func @f39() -> (index) {
  %a = arith.constant 2 : index
  %b = arith.constant -9223372036854775808 : index
  %0 = arith.maxui %a, %b : index
  return %0 : index
}

// CHECK-NEXT:   func.func @f40() -> i7 {
// CHECK-NEXT:     %c-3_i7 = arith.constant -3 : i7
// CHECK-NEXT:     return %c-3_i7 : i7
// CHECK-NEXT:   }
func.func @f40() -> (i7) {
  %a = arith.constant -3 : i7
  %b = arith.constant -1 : i7
  %0 = arith.minsi %a, %b : i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f41() -> i64 {
// CHECK-NEXT:     %c-9223372036854775808_i64 = arith.constant -9223372036854775808 : i64
// CHECK-NEXT:     return %c-9223372036854775808_i64 : i64
// CHECK-NEXT:   }
func.func @f41() -> (i64) {
  %a = arith.constant -3 : i64
  %b = arith.constant -9223372036854775808 : i64
  %0 = arith.minsi %a, %b : i64
  return %0 : i64
}

// CHECK-NEXT:   func.func @f42() -> index {
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     return %c7 : index
// CHECK-NEXT:   }
func.func @f42() -> (index) {
  %a = arith.constant -9223372036854775808 : index
  %b = arith.constant 7 : index
  %0 = arith.minui %a, %b : index
  return %0 : index
}

// CHECK-NEXT:   func.func @f43() -> i32 {
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     return %c7_i32 : i32
// CHECK-NEXT:   }
func.func @f43() -> (i32) {
  %a = arith.constant 7 : i32
  %b = arith.constant -2147483647 : i32
  %0 = arith.minui %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f44() -> i32 {
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     return %c-2147483648_i32 : i32
// CHECK-NEXT:   }
func.func @f44() -> (i32) {
  %a = arith.constant -2147483648 : i32
  %b = arith.constant -1 : i32
  %0 = arith.muli %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f45() -> i65 {
// CHECK-NEXT:     %c-7_i65 = arith.constant -7 : i65
// CHECK-NEXT:     return %c-7_i65 : i65
// CHECK-NEXT:   }
func.func @f45() -> (i65) {
  %a = arith.constant -1 : i65
  %b = arith.constant 7 : i65
  %0 = arith.muli %a, %b : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f46() -> (i64, i64) {
// CHECK-NEXT:     %c-1_i64 = arith.constant -1 : i64
// CHECK-NEXT:     %c-4611686018427387904_i64 = arith.constant -4611686018427387904 : i64
// CHECK-NEXT:     return %c-1_i64, %c-4611686018427387904_i64 : i64, i64
// CHECK-NEXT:   }
func.func @f46() -> (i64, i64) {
  %a = arith.constant -9223372036854775807 : i64
  %b = arith.constant 9223372036854775807 : i64
  %0, %1 = arith.mulsi_extended %a, %b : i64
  return %0, %1 : i64, i64
}

// CHECK-NEXT:   func.func @f47() -> (i7, i7) {
// CHECK-NEXT:     %c-64_i7 = arith.constant -64 : i7
// CHECK-NEXT:     %c31_i7 = arith.constant 31 : i7
// CHECK-NEXT:     return %c-64_i7, %c31_i7 : i7, i7
// CHECK-NEXT:   }
func.func @f47() -> (i7, i7) {
  %a = arith.constant -64 : i7
  %b = arith.constant -63 : i7
  %0, %1 = arith.mulsi_extended %a, %b : i7
  return %0, %1 : i7, i7
}

// CHECK-NEXT:   func.func @f48() -> (i7, i7) {
// CHECK-NEXT:     %c-21_i7 = arith.constant -21 : i7
// CHECK-NEXT:     %c6_i7 = arith.constant 6 : i7
// CHECK-NEXT:     return %c-21_i7, %c6_i7 : i7, i7
// CHECK-NEXT:   }
func.func @f48() -> (i7, i7) {
  %a = arith.constant 7 : i7
  %b = arith.constant -3 : i7
  %0, %1 = arith.mului_extended %a, %b : i7
  return %0, %1 : i7, i7
}

// CHECK-NEXT:   func.func @f49() -> (i64, i64) {
// CHECK-NEXT:     %c64_i64 = arith.constant 64 : i64
// CHECK-NEXT:     %c32_i64 = arith.constant 32 : i64
// CHECK-NEXT:     return %c64_i64, %c32_i64 : i64, i64
// CHECK-NEXT:   }
func.func @f49() -> (i64, i64) {
  %a = arith.constant 64 : i64
  %b = arith.constant -9223372036854775807 : i64
  %0, %1 = arith.mului_extended %a, %b : i64
  return %0, %1 : i64, i64
}

// CHECK-NEXT:   func.func @f50() -> i64 {
// CHECK-NEXT:     %c-3_i64 = arith.constant -3 : i64
// CHECK-NEXT:     return %c-3_i64 : i64
// CHECK-NEXT:   }
func.func @f50() -> (i64) {
  %a = arith.constant -3 : i64
  %b = arith.constant 1 : i64
  %0 = arith.ori %a, %b : i64
  return %0 : i64
}

// CHECK-NEXT:   func.func @f51() -> i7 {
// CHECK-NEXT:     %c-63_i7 = arith.constant -63 : i7
// CHECK-NEXT:     return %c-63_i7 : i7
// CHECK-NEXT:   }
func.func @f51() -> (i7) {
  %a = arith.constant 0 : i7
  %b = arith.constant -63 : i7
  %0 = arith.ori %a, %b : i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f52() -> index {
// CHECK-NEXT:     %c-3 = arith.constant -3 : index
// CHECK-NEXT:     return %c-3 : index
// CHECK-NEXT:   }
func.func @f52() -> (index) {
  %a = arith.constant -3 : index
  %b = arith.constant -9223372036854775807 : index
  %0 = arith.remsi %a, %b : index
  return %0 : index
}

// CHECK-NEXT:   func.func @f53() -> i64 {
// CHECK-NEXT:     %c-3_i64 = arith.constant -3 : i64
// CHECK-NEXT:     return %c-3_i64 : i64
// CHECK-NEXT:   }
func.func @f53() -> (i64) {
  %a = arith.constant -3 : i64
  %b = arith.constant 9223372036854775807 : i64
  %0 = arith.remsi %a, %b : i64
  return %0 : i64
}

// CHECK-NEXT:   func.func @f54() -> i128 {
// CHECK-NEXT:     %c2_i128 = arith.constant 2 : i128
// CHECK-NEXT:     return %c2_i128 : i128
// CHECK-NEXT:   }
func.func @f54() -> (i128) {
  %a = arith.constant 2 : i128
  %b = arith.constant -3 : i128
  %0 = arith.remui %a, %b : i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f55() -> i7 {
// CHECK-NEXT:     %c2_i7 = arith.constant 2 : i7
// CHECK-NEXT:     return %c2_i7 : i7
// CHECK-NEXT:   }
func.func @f55() -> (i7) {
  %a = arith.constant 2 : i7
  %b = arith.constant -63 : i7
  %0 = arith.remui %a, %b : i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f56() -> i65 {
// CHECK-NEXT:     %c8_i65 = arith.constant 8 : i65
// CHECK-NEXT:     return %c8_i65 : i65
// CHECK-NEXT:   }
func.func @f56() -> (i65) {
  %a = arith.constant -18446744073709551615 : i65
  %b = arith.constant 3 : i65
  %0 = arith.shli %a, %b : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f57() -> index {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     return %c2 : index
// CHECK-NEXT:   }
func.func @f57() -> (index) {
  %a = arith.constant -9223372036854775807 : index
  %b = arith.constant 1 : index
  %0 = arith.shli %a, %b : index
  return %0 : index
}

// CHECK-NEXT:   func.func @f58() -> i8 {
// CHECK-NEXT:     %c-64_i8 = arith.constant -64 : i8
// CHECK-NEXT:     return %c-64_i8 : i8
// CHECK-NEXT:   }
func.func @f58() -> (i8) {
  %a = arith.constant -127 : i8
  %b = arith.constant 1 : i8
  %0 = arith.shrsi %a, %b : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f59() -> i32 {
// CHECK-NEXT:     %c-2_i32 = arith.constant -2 : i32
// CHECK-NEXT:     return %c-2_i32 : i32
// CHECK-NEXT:   }
func.func @f59() -> (i32) {
  %a = arith.constant -3 : i32
  %b = arith.constant 1 : i32
  %0 = arith.shrsi %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f60() -> i7 {
// CHECK-NEXT:     %c62_i7 = arith.constant 62 : i7
// CHECK-NEXT:     return %c62_i7 : i7
// CHECK-NEXT:   }
func.func @f60() -> (i7) {
  %a = arith.constant -3 : i7
  %b = arith.constant 1 : i7
  %0 = arith.shrui %a, %b : i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f61() -> index {
// CHECK-NEXT:     %c1152921504606846976 = arith.constant 1152921504606846976 : index
// CHECK-NEXT:     return %c1152921504606846976 : index
// CHECK-NEXT:   }
func.func @f61() -> (index) {
  %a = arith.constant -9223372036854775807 : index
  %b = arith.constant 3 : index
  %0 = arith.shrui %a, %b : index
  return %0 : index
}

// CHECK-NEXT:   func.func @f62() -> i32 {
// CHECK-NEXT:     %c-2147483644_i32 = arith.constant -2147483644 : i32
// CHECK-NEXT:     return %c-2147483644_i32 : i32
// CHECK-NEXT:   }
func.func @f62() -> (i32) {
  %a = arith.constant -2147483647 : i32
  %b = arith.constant -3 : i32
  %0 = arith.subi %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f63() -> i8 {
// CHECK-NEXT:     %c124_i8 = arith.constant 124 : i8
// CHECK-NEXT:     return %c124_i8 : i8
// CHECK-NEXT:   }
func.func @f63() -> (i8) {
  %a = arith.constant -3 : i8
  %b = arith.constant -127 : i8
  %0 = arith.subi %a, %b : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f64() -> i32 {
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     return %c-2147483648_i32 : i32
// CHECK-NEXT:   }
func.func @f64() -> (i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant -2147483647 : i32
  %0 = arith.xori %a, %b : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f65() -> index {
// CHECK-NEXT:     %c-67 = arith.constant -67 : index
// CHECK-NEXT:     return %c-67 : index
// CHECK-NEXT:   }
func.func @f65() -> (index) {
  %a = arith.constant -3 : index
  %b = arith.constant 64 : index
  %0 = arith.xori %a, %b : index
  return %0 : index
}

// CHECK-NEXT:   func.func @f66() -> index {
// CHECK-NEXT:     %idx30 = index.constant 30
// CHECK-NEXT:     return %idx30 : index
// CHECK-NEXT:   }
func.func @f66() -> (index) {
  %a = index.constant -1
  %b = index.constant 31
  %0 = index.add %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f67() -> index {
// CHECK-NEXT:     %idx9223372036854775807 = index.constant 9223372036854775807
// CHECK-NEXT:     return %idx9223372036854775807 : index
// CHECK-NEXT:   }
func.func @f67() -> (index) {
  %a = index.constant 9223372036854775807
  %b = index.constant -1
  %0 = index.and %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f68() -> i16 {
// CHECK-NEXT:     %idx-7 = index.constant -7
// CHECK-NEXT:     %0 = index.casts %idx-7 : index to i16
// CHECK-NEXT:     return %0 : i16
// CHECK-NEXT:   }
func.func @f68() -> (i16) {
  %a = index.constant -7
  %0 = index.casts %a : index to i16
  return %0 : i16
}

// CHECK-NEXT:   func.func @f69() -> i64 {
// CHECK-NEXT:     %idx-9223372036854775808 = index.constant -9223372036854775808
// CHECK-NEXT:     %0 = index.castu %idx-9223372036854775808 : index to i64
// CHECK-NEXT:     return %0 : i64
// CHECK-NEXT:   }
func.func @f69() -> (i64) {
  %a = index.constant -9223372036854775808
  %0 = index.castu %a : index to i64
  return %0 : i64
}

// CHECK-NEXT:   func.func @f70() -> index {
// CHECK-NEXT:     %idx4611686018427387904 = index.constant 4611686018427387904
// CHECK-NEXT:     %idx-7 = index.constant -7
// CHECK-NEXT:     %0 = index.ceildivs %idx4611686018427387904, %idx-7
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f70() -> (index) {
  %a = index.constant 4611686018427387904
  %b = index.constant -7
  %0 = index.ceildivs %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f71() -> index {
// CHECK-NEXT:     %idx4294967297 = index.constant 4294967297
// CHECK-NEXT:     return %idx4294967297 : index
// CHECK-NEXT:   }
func.func @f71() -> (index) {
  %a = index.constant -1
  %b = index.constant 4294967295
  %0 = index.ceildivu %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f72() -> i1 {
// CHECK-NEXT:     %idx-9223372036854775808 = index.constant -9223372036854775808
// CHECK-NEXT:     %idx-2147483648 = index.constant -2147483648
// CHECK-NEXT:     %0 = index.cmp slt(%idx-9223372036854775808, %idx-2147483648)
// CHECK-NEXT:     return %0 : i1
// CHECK-NEXT:   }
func.func @f72() -> (i1) {
  %a = index.constant -9223372036854775808
  %b = index.constant -2147483648
  %0 = index.cmp slt(%a, %b)
  return %0 : i1
}

// CHECK-NEXT:   func.func @f73() -> index {
// CHECK-NEXT:     %idx4294967296 = index.constant 4294967296
// CHECK-NEXT:     %idx-7 = index.constant -7
// CHECK-NEXT:     %0 = index.divs %idx4294967296, %idx-7
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f73() -> (index) {
  %a = index.constant 4294967296
  %b = index.constant -7
  %0 = index.divs %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f74() -> index {
// CHECK-NEXT:     %idx4294967295 = index.constant 4294967295
// CHECK-NEXT:     %idx-9223372036854775808 = index.constant -9223372036854775808
// CHECK-NEXT:     %0 = index.divu %idx4294967295, %idx-9223372036854775808
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f74() -> (index) {
  %a = index.constant 4294967295
  %b = index.constant -9223372036854775808
  %0 = index.divu %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f75() -> index {
// CHECK-NEXT:     %idx-4 = index.constant -4
// CHECK-NEXT:     return %idx-4 : index
// CHECK-NEXT:   }
func.func @f75() -> (index) {
  %a = index.constant -7
  %b = index.constant 2
  %0 = index.floordivs %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f76() -> index {
// CHECK-NEXT:     %idx4294967295 = index.constant 4294967295
// CHECK-NEXT:     return %idx4294967295 : index
// CHECK-NEXT:   }
func.func @f76() -> (index) {
  %a = index.constant 4294967295
  %b = index.constant -1
  %0 = index.maxs %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f77() -> index {
// CHECK-NEXT:     %idx4294967295 = index.constant 4294967295
// CHECK-NEXT:     %idx-2147483648 = index.constant -2147483648
// CHECK-NEXT:     %0 = index.maxu %idx4294967295, %idx-2147483648
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f77() -> (index) {
  %a = index.constant 4294967295
  %b = index.constant -2147483648
  %0 = index.maxu %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f78() -> index {
// CHECK-NEXT:     %idx-2147483648 = index.constant -2147483648
// CHECK-NEXT:     return %idx-2147483648 : index
// CHECK-NEXT:   }
func.func @f78() -> (index) {
  %a = index.constant -2147483648
  %b = index.constant 4294967296
  %0 = index.mins %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f79() -> index {
// CHECK-NEXT:     %idx32 = index.constant 32
// CHECK-NEXT:     %idx-9223372036854775808 = index.constant -9223372036854775808
// CHECK-NEXT:     %0 = index.minu %idx32, %idx-9223372036854775808
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f79() -> (index) {
  %a = index.constant 32
  %b = index.constant -9223372036854775808
  %0 = index.minu %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f80() -> index {
// CHECK-NEXT:     %idx-9223372036854775808 = index.constant -9223372036854775808
// CHECK-NEXT:     return %idx-9223372036854775808 : index
// CHECK-NEXT:   }
func.func @f80() -> (index) {
  %a = index.constant 4294967295
  %b = index.constant -9223372036854775808
  %0 = index.mul %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f81() -> index {
// CHECK-NEXT:     %idx-9223372036854775776 = index.constant -9223372036854775776
// CHECK-NEXT:     return %idx-9223372036854775776 : index
// CHECK-NEXT:   }
func.func @f81() -> (index) {
  %a = index.constant -9223372036854775808
  %b = index.constant 32
  %0 = index.or %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f82() -> index {
// CHECK-NEXT:     %idx-2147483648 = index.constant -2147483648
// CHECK-NEXT:     %idx9223372036854775807 = index.constant 9223372036854775807
// CHECK-NEXT:     %0 = index.rems %idx-2147483648, %idx9223372036854775807
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f82() -> (index) {
  %a = index.constant -2147483648
  %b = index.constant 9223372036854775807
  %0 = index.rems %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f83() -> index {
// CHECK-NEXT:     %idx-2147483648 = index.constant -2147483648
// CHECK-NEXT:     %idx4611686018427387904 = index.constant 4611686018427387904
// CHECK-NEXT:     %0 = index.remu %idx-2147483648, %idx4611686018427387904
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f83() -> (index) {
  %a = index.constant -2147483648
  %b = index.constant 4611686018427387904
  %0 = index.remu %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f84() -> index {
// CHECK-NEXT:     %idx-4 = index.constant -4
// CHECK-NEXT:     return %idx-4 : index
// CHECK-NEXT:   }
func.func @f84() -> (index) {
  %a = index.constant -1
  %b = index.constant 2
  %0 = index.shl %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f85() -> index {
// CHECK-NEXT:     %idx2147483648 = index.constant 2147483648
// CHECK-NEXT:     %idx-9223372036854775808 = index.constant -9223372036854775808
// CHECK-NEXT:     %0 = index.shrs %idx2147483648, %idx-9223372036854775808
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f85() -> (index) {
  %a = index.constant 2147483648
  %b = index.constant -9223372036854775808
  %0 = index.shrs %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f86() -> index {
// CHECK-NEXT:     %idx2 = index.constant 2
// CHECK-NEXT:     %idx-2147483648 = index.constant -2147483648
// CHECK-NEXT:     %0 = index.shru %idx2, %idx-2147483648
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @f86() -> (index) {
  %a = index.constant 2
  %b = index.constant -2147483648
  %0 = index.shru %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f87() -> index {
// CHECK-NEXT:     %idx9223372034707292160 = index.constant 9223372034707292160
// CHECK-NEXT:     return %idx9223372034707292160 : index
// CHECK-NEXT:   }
func.func @f87() -> (index) {
  %a = index.constant -9223372036854775808
  %b = index.constant 2147483648
  %0 = index.sub %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f88() -> index {
// CHECK-NEXT:     %idx-71 = index.constant -71
// CHECK-NEXT:     return %idx-71 : index
// CHECK-NEXT:   }
func.func @f88() -> (index) {
  %a = index.constant 64
  %b = index.constant -7
  %0 = index.xor %a, %b
  return %0 : index
}

// CHECK-NEXT:   func.func @f89() -> i8 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(-127 : i8) : i8
// CHECK-NEXT:     %1 = llvm.mlir.constant(-3 : i8) : i8
// CHECK-NEXT:     %2 = llvm.add %0, %1 : i8
// CHECK-NEXT:     return %2 : i8
// CHECK-NEXT:   }
func.func @f89() -> (i8) {
  %a = llvm.mlir.constant(-127 : i8) : i8
  %b = llvm.mlir.constant(-3 : i8) : i8
  %0 = llvm.add %a, %b : i8
  return %0 : i8
}

// CHECK-NEXT:   func.func @f90() -> i128 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i128) : i128
// CHECK-NEXT:     %1 = llvm.mlir.constant(2 : i128) : i128
// CHECK-NEXT:     %2 = llvm.and %0, %1 : i128
// CHECK-NEXT:     return %2 : i128
// CHECK-NEXT:   }
func.func @f90() -> (i128) {
  %a = llvm.mlir.constant(0 : i128) : i128
  %b = llvm.mlir.constant(2 : i128) : i128
  %0 = llvm.and %a, %b : i128
  return %0 : i128
}

// CHECK-NEXT:   func.func @f91() -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
func.func @f91() -> (i32) {
  %a = llvm.mlir.constant(sparse<[1], [3]> : tensor<2xi32>) : !llvm.array<2 x i32>
  %0 = llvm.extractvalue %a[1] : !llvm.array<2 x i32>
  return %0 : i32
}

// CHECK-NEXT:   func.func @f92() -> i1 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:     return %0 : i1
// CHECK-NEXT:   }
func.func @f92() -> (i1) {
  %a = llvm.mlir.constant(32 : i32) : i32
  %b = llvm.mlir.constant(32 : i32) : i32
  %0 = llvm.icmp "eq" %a, %b : i32
  return %0 : i1
}

// CHECK-NEXT:   func.func @f93() -> i65 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(-1 : i65) : i65
// CHECK-NEXT:     return %0 : i65
// CHECK-NEXT:   }
func.func @f93() -> (i65) {
  %a = llvm.mlir.constant(-1 : i65) : i65
  %b = llvm.mlir.constant(2 : i65) : i65
  %0 = llvm.or %a, %b : i65
  return %0 : i65
}

// CHECK-NEXT:   func.func @f94() -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i7) : i7
// CHECK-NEXT:     %1 = llvm.sext %0 : i7 to i32
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
func.func @f94() -> (i32) {
  %a = llvm.mlir.constant(0 : i7) : i7
  %0 = llvm.sext %a : i7 to i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @f95() -> i7 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(16 : i7) : i7
// CHECK-NEXT:     return %0 : i7
// CHECK-NEXT:   }
func.func @f95() -> (i7) {
  %a = llvm.mlir.constant(2 : i7) : i7
  %b = llvm.mlir.constant(3 : i7) : i7
  %0 = llvm.shl %a, %b : i7
  return %0 : i7
}

// CHECK-NEXT:   func.func @f96() -> i2 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(-64 : i7) : i7
// CHECK-NEXT:     %1 = llvm.trunc %0 : i7 to i2
// CHECK-NEXT:     return %1 : i2
// CHECK-NEXT:   }
func.func @f96() -> (i2) {
  %a = llvm.mlir.constant(-64 : i7) : i7
  %0 = llvm.trunc %a : i7 to i2
  return %0 : i2
}

// CHECK-NEXT:   func.func @f97() -> i128 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i128) : i128
// CHECK-NEXT:     return %0 : i128
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f97() -> (i128) {
  %a = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.zext %a : i64 to i128
  return %0 : i128
}
