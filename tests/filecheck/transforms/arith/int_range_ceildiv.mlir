// RUN: xgpu-opt %s --int-range-optimizations | filecheck %s --match-full-lines

// The least value divided and rounded up stays below zero, as it does when it is computed.

// CHECK: module {
// CHECK-NEXT:   func.func @least() -> (i8, i8) {
// CHECK-NEXT:     %c-64_i8 = arith.constant -64 : i8
// CHECK-NEXT:     %c43_i8 = arith.constant 43 : i8
// CHECK-NEXT:     return %c-64_i8, %c43_i8 : i8, i8
// CHECK-NEXT:   }
func.func @least() -> (i8, i8) {
  %least = arith.constant -128 : i8
  %two = arith.constant 2 : i8
  %minus = arith.constant -3 : i8
  %0 = arith.ceildivsi %least, %two : i8
  %1 = arith.ceildivsi %least, %minus : i8
  return %0, %1 : i8, i8
}

// CHECK-NEXT:   func.func @some(%arg0: i8) -> (i1, i1) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %true, %false : i1, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @some(%x: i8) -> (i1, i1) {
  %most = arith.constant -125 : i8
  %two = arith.constant 2 : i8
  %a = arith.constant -62 : i8
  %b = arith.constant -64 : i8
  %y = arith.minsi %x, %most : i8
  %0 = arith.ceildivsi %y, %two : i8
  %1 = arith.cmpi sle, %0, %a : i8
  %2 = arith.cmpi slt, %0, %b : i8
  return %1, %2 : i1, i1
}
