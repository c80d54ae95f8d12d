// A counter that is never negative is compared and divided without a sign.
// RUN: xgpu-opt %s --arith-unsigned-when-equivalent | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i8) -> i32 {
// CHECK-NEXT:     %0 = arith.extui %arg0 : i8 to i32
// CHECK-NEXT:     %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:     %1 = arith.divui %0, %c5_i32 : i32
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: i8) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %c = arith.constant 5 : i32
  %1 = arith.divsi %0, %c : i32
  return %1 : i32
}
