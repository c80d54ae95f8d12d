// RUN: xgpu-opt %s --canonicalize | filecheck %s

func.func @constants() -> (f32, f32, i1) {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 3.0 : f32
  %third = arith.divf %a, %b : f32
  %largest = arith.maximumf %a, %b : f32
  %less = arith.cmpf olt, %a, %b : f32
  return %third, %largest, %less : f32, f32, i1
}

func.func @truncation_that_rounds_stays() -> (f16, f16) {
  %a = arith.constant 0.5 : f32
  %b = arith.constant 0.1 : f32
  %0 = arith.truncf %a : f32 to f16
  %1 = arith.truncf %b : f32 to f16
  return %0, %1 : f16, f16
}

func.func @to_integer() -> i32 {
  %c = arith.constant 3.0 : f32
  %0 = arith.fptosi %c : f32 to i32
  return %0 : i32
}

func.func @signed_zeros(%x: f32) -> (f32, f32, f32) {
  %plus = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %0 = arith.addf %x, %minus : f32
  %1 = arith.addf %x, %plus : f32
  %2 = arith.subf %x, %plus : f32
  return %0, %1, %2 : f32, f32, f32
}

func.func @out_of_range() -> i8 {
  %c = arith.constant 1000.0 : f32
  %0 = arith.fptosi %c : f32 to i8
  return %0 : i8
}

// CHECK-LABEL: func.func @constants() -> (f32, f32, i1) {
// CHECK-NEXT:      %cst = arith.constant 0.333333343 : f32
// CHECK-NEXT:      %cst_0 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %true = arith.constant true
// CHECK-NEXT:      return %cst, %cst_0, %true : f32, f32, i1
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @truncation_that_rounds_stays() -> (f16, f16) {
// CHECK-NEXT:      %cst = arith.constant 1.000000e-01 : f32
// CHECK-NEXT:      %cst_0 = arith.constant 5.000000e-01 : f16
// CHECK-NEXT:      %0 = arith.truncf %cst : f32 to f16
// CHECK-NEXT:      return %cst_0, %0 : f16, f16
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @to_integer() -> i32 {
// CHECK-NEXT:      %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:      return %c3_i32 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @signed_zeros(%arg0: f32) -> (f32, f32, f32) {
// CHECK-NEXT:      %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %0 = arith.addf %arg0, %cst : f32
// CHECK-NEXT:      return %arg0, %0, %arg0 : f32, f32, f32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @out_of_range() -> i8 {
// CHECK-NEXT:      %cst = arith.constant 1.000000e+03 : f32
// CHECK-NEXT:      %0 = arith.fptosi %cst : f32 to i8
// CHECK-NEXT:      return %0 : i8
// CHECK-NEXT:    }
