// RUN: xgpu-opt %s --int-range-optimizations | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @known_conditions(%arg0: i32, %arg1: i1) -> (i32, i32, i32) {
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:     %0 = arith.select %arg1, %c5_i32, %c3_i32 : i32
// CHECK-NEXT:     return %c5_i32, %c3_i32, %0 : i32, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @known_conditions(%n: i32, %b: i1) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %true = arith.constant true
  %small = arith.remui %n, %c3 : i32
  %less = arith.cmpi ult, %small, %c5 : i32
  %more = arith.cmpi ugt, %small, %c5 : i32
  %0 = arith.select %less, %c5, %n : i32
  %1 = arith.select %more, %n, %c3 : i32
  %2 = arith.select %b, %c5, %c3 : i32
  return %0, %1, %2 : i32, i32, i32
}
