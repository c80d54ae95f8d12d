// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @powers() -> (i32, i32, i32, i8, i32, i32) {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c-3_i32 = arith.constant -3 : i32
// CHECK-NEXT:     %c27_i32 = arith.constant 27 : i32
// CHECK-NEXT:     %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT:     %c45_i8 = arith.constant 45 : i8
// CHECK-NEXT:     %0 = math.ipowi %c0_i32, %c-3_i32 : i32
// CHECK-NEXT:     return %c27_i32, %c-1_i32, %c0_i32, %c45_i8, %0, %c1_i32 : i32, i32, i32, i8, i32, i32
// CHECK-NEXT:   }
func.func @powers() -> (i32, i32, i32, i8, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %m1 = arith.constant -1 : i32
  %m3 = arith.constant -3 : i32
  %c5 = arith.constant 5 : i8
  %c7 = arith.constant 7 : i8
  %0 = math.ipowi %c3, %c3 : i32
  %1 = math.ipowi %m1, %m3 : i32
  %2 = math.ipowi %c3, %m3 : i32
  %3 = math.ipowi %c5, %c7 : i8
  %4 = math.ipowi %c0, %m3 : i32
  %5 = math.ipowi %c0, %c0 : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i8, i32, i32
}

// CHECK-NEXT:   func.func @normal() -> (i1, i1, i1, i1) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %true, %false, %false, %false : i1, i1, i1, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @normal() -> (i1, i1, i1, i1) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %denormal = arith.constant 1.0e-40 : f32
  %small = arith.constant 6.0e-5 : f16
  %0 = math.isnormal %one : f32
  %1 = math.isnormal %zero : f32
  %2 = math.isnormal %denormal : f32
  %3 = math.isnormal %small : f16
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
