// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --int-range-optimizations | filecheck %s --match-full-lines

// A condition that is known says which value it is; else it is one of both.
// CHECK: module {
// CHECK-NEXT:   func.func @conditions(%arg0: i32, %arg1: i1) -> (i32, i32, i32) {
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:     %0 = arith.remui %arg0, %c3_i32 : i32
// CHECK-NEXT:     %1 = test.reflect_bounds {smax = 2 : si32, smin = 0 : si32, umax = 2 : ui32, umin = 0 : ui32} %0 : i32
// CHECK-NEXT:     %2 = test.reflect_bounds {smax = 2 : si32, smin = 0 : si32, umax = 2 : ui32, umin = 0 : ui32} %0 : i32
// CHECK-NEXT:     %3 = arith.select %arg1, %c5_i32, %0 : i32
// CHECK-NEXT:     %4 = test.reflect_bounds {smax = 5 : si32, smin = 0 : si32, umax = 5 : ui32, umin = 0 : ui32} %3 : i32
// CHECK-NEXT:     return %1, %2, %4 : i32, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @conditions(%n: i32, %b: i1) -> (i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %small = arith.remui %n, %c3 : i32
  %less = arith.cmpi ult, %small, %c5 : i32
  %more = arith.cmpi ugt, %small, %c5 : i32
  %0 = arith.select %less, %small, %n : i32
  %1 = test.reflect_bounds %0 : i32
  %2 = arith.select %more, %n, %small : i32
  %3 = test.reflect_bounds %2 : i32
  %4 = arith.select %b, %c5, %small : i32
  %5 = test.reflect_bounds %4 : i32
  return %1, %3, %5 : i32, i32, i32
}
