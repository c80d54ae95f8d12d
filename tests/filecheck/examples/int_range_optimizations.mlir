// A comparison whose result is known from the ranges of its operands is a constant.
// RUN: xgpu-opt %s --int-range-optimizations | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i8) -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: i8) -> i1 {
  %0 = arith.extui %x : i8 to i32
  %c = arith.constant 256 : i32
  %1 = arith.cmpi ult, %0, %c : i32
  return %1 : i1
}
