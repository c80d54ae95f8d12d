// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Constants that MLIR folds to another value, or to none: see docs/reference/deviations.md.

// A NaN of a type without infinity stays a NaN; zero is no power of two.
// CHECK: module {
// CHECK-NEXT:   func.func @powers_of_two() -> (f32, f8E8M0FNU) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %cst_0 = arith.constant 0x7FC00000 : f32
// CHECK-NEXT:     %0 = arith.truncf %cst : f32 to f8E8M0FNU
// CHECK-NEXT:     return %cst_0, %0 : f32, f8E8M0FNU
// CHECK-NEXT:   }
func.func @powers_of_two() -> (f32, f8E8M0FNU) {
  %nan = arith.constant 0xFF : f8E8M0FNU
  %zero = arith.constant 0.0 : f32
  %0 = arith.extf %nan : f8E8M0FNU to f32
  %1 = arith.truncf %zero : f32 to f8E8M0FNU
  return %0, %1 : f32, f8E8M0FNU
}

// CHECK-NEXT:   func.func @least_index() -> index {
// CHECK-NEXT:     %idx-9223372036854775808 = index.constant -9223372036854775808
// CHECK-NEXT:     %idx2 = index.constant 2
// CHECK-NEXT:     %0 = index.ceildivs %idx-9223372036854775808, %idx2
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @least_index() -> index {
  %least = index.constant -9223372036854775808
  %two = index.constant 2
  %0 = index.ceildivs %least, %two
  return %0 : index
}

// CHECK-NEXT:   func.func @atan2_of_zeros() -> (f32, f64, f16) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %cst_1 = arith.constant -3.1415926535897931 : f64
// CHECK-NEXT:     %0 = math.atan2 %cst, %cst : f16
// CHECK-NEXT:     return %cst_0, %cst_1, %0 : f32, f64, f16
// CHECK-NEXT:   }
func.func @atan2_of_zeros() -> (f32, f64, f16) {
  %a = arith.constant 0.0 : f32
  %b = arith.constant -0.0 : f64
  %c = arith.constant 0.0 : f16
  %0 = math.atan2 %a, %a : f32
  %1 = math.atan2 %b, %b : f64
  %2 = math.atan2 %c, %c : f16
  return %0, %1, %2 : f32, f64, f16
}

// CHECK-NEXT:   func.func @whole_numbers() -> (f8E3M4, f6E2M3FN, f8E3M4) {
// CHECK-NEXT:     %cst = arith.constant 1.500000e+01 : f8E3M4
// CHECK-NEXT:     %cst_0 = arith.constant 3.000000e+00 : f6E2M3FN
// CHECK-NEXT:     %cst_1 = arith.constant 1.400000e+01 : f8E3M4
// CHECK-NEXT:     return %cst, %cst_0, %cst_1 : f8E3M4, f6E2M3FN, f8E3M4
// CHECK-NEXT:   }
func.func @whole_numbers() -> (f8E3M4, f6E2M3FN, f8E3M4) {
  %a = arith.constant 14.5 : f8E3M4
  %b = arith.constant 3.25 : f6E2M3FN
  %0 = math.ceil %a : f8E3M4
  %1 = math.floor %b : f6E2M3FN
  %2 = math.roundeven %a : f8E3M4
  return %0, %1, %2 : f8E3M4, f6E2M3FN, f8E3M4
}

// CHECK-NEXT:   func.func @sign_of_nan() -> f8E4M3FNUZ {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f8E4M3FNUZ
// CHECK-NEXT:     return %cst : f8E4M3FNUZ
// CHECK-NEXT:   }
func.func @sign_of_nan() -> f8E4M3FNUZ {
  %a = arith.constant 1.0 : f8E4M3FNUZ
  %nan = arith.constant 0x80 : f8E4M3FNUZ
  %0 = math.copysign %a, %nan : f8E4M3FNUZ
  return %0 : f8E4M3FNUZ
}

// Types of finite numbers alone.
// CHECK-NEXT:   func.func @no_infinity() -> (f4E2M1FN, f4E2M1FN, f6E2M3FN, f6E3M2FN) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f4E2M1FN
// CHECK-NEXT:     %cst_0 = arith.constant 1.000000e+00 : f4E2M1FN
// CHECK-NEXT:     %cst_1 = arith.constant 0x7F800000 : f32
// CHECK-NEXT:     %cst_2 = arith.constant 0x7FC00000 : f32
// CHECK-NEXT:     %0 = arith.divf %cst, %cst : f4E2M1FN
// CHECK-NEXT:     %1 = arith.divf %cst_0, %cst : f4E2M1FN
// CHECK-NEXT:     %2 = arith.truncf %cst_1 : f32 to f6E2M3FN
// CHECK-NEXT:     %3 = arith.truncf %cst_2 : f32 to f6E3M2FN
// CHECK-NEXT:     return %0, %1, %2, %3 : f4E2M1FN, f4E2M1FN, f6E2M3FN, f6E3M2FN
// CHECK-NEXT:   }
func.func @no_infinity() -> (f4E2M1FN, f4E2M1FN, f6E2M3FN, f6E3M2FN) {
  %zero = arith.constant 0.0 : f4E2M1FN
  %one = arith.constant 1.0 : f4E2M1FN
  %infinity = arith.constant 0x7F800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.divf %zero, %zero : f4E2M1FN
  %1 = arith.divf %one, %zero : f4E2M1FN
  %2 = arith.truncf %infinity : f32 to f6E2M3FN
  %3 = arith.truncf %nan : f32 to f6E3M2FN
  return %0, %1, %2, %3 : f4E2M1FN, f4E2M1FN, f6E2M3FN, f6E3M2FN
}

// CHECK-NEXT:   func.func @some_lanes() -> (vector<2xi32>, vector<2xi32>) {
// CHECK-NEXT:     %cst = arith.constant dense<[1, 2]> : vector<2xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<[40, 2]> : vector<2xi32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<[0, 2]> : vector<2xi32>
// CHECK-NEXT:     %0 = arith.shli %cst, %cst_0 : vector<2xi32>
// CHECK-NEXT:     %1 = arith.divui %cst, %cst_1 : vector<2xi32>
// CHECK-NEXT:     return %0, %1 : vector<2xi32>, vector<2xi32>
// CHECK-NEXT:   }
func.func @some_lanes() -> (vector<2xi32>, vector<2xi32>) {
  %v = arith.constant dense<[1, 2]> : vector<2xi32>
  %by = arith.constant dense<[40, 2]> : vector<2xi32>
  %divisor = arith.constant dense<[0, 2]> : vector<2xi32>
  %0 = arith.shli %v, %by : vector<2xi32>
  %1 = arith.divui %v, %divisor : vector<2xi32>
  return %0, %1 : vector<2xi32>, vector<2xi32>
}

// CHECK-NEXT:   llvm.func @far_shift() -> i128 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(5 : i128) : i128
// CHECK-NEXT:     %1 = llvm.mlir.constant(18446744073709551616 : i128) : i128
// CHECK-NEXT:     %2 = llvm.shl %0, %1 : i128
// CHECK-NEXT:     llvm.return %2 : i128
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @far_shift() -> i128 {
  %a = llvm.mlir.constant(5 : i128) : i128
  %b = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %0 = llvm.shl %a, %b : i128
  llvm.return %0 : i128
}
