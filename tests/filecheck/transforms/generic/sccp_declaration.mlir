// RUN: xgpu-opt --pass-pipeline='builtin.module(func.func(sccp))' %s --split-input-file | filecheck %s --match-full-lines

// A declaration that is called from the function at hand has no arguments to learn of.

// CHECK: module {
// CHECK-NEXT:   func.func private @external(i32) -> i32
func.func private @external(i32) -> i32

// CHECK-NEXT:   func.func @f() -> i32 {
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = call @external(%c1_i32) : (i32) -> i32
// CHECK-NEXT:     %1 = arith.addi %0, %c2_i32 : i32
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() -> i32 {
  %c = arith.constant 1 : i32
  %0 = call @external(%c) : (i32) -> i32
  %1 = arith.addi %c, %c : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

// -----

// A function beside the one at hand may have other callers: nothing is known of its result.

// CHECK: module {
// CHECK-NEXT:   func.func private @beside(%arg0: i32) -> i32 {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     return %c1_i32 : i32
// CHECK-NEXT:   }
func.func private @beside(%a: i32) -> i32 {
  %c = arith.constant 1 : i32
  return %c : i32
}

// CHECK-NEXT:   func.func @g() -> i32 {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = call @beside(%c1_i32) : (i32) -> i32
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @g() -> i32 {
  %c = arith.constant 1 : i32
  %0 = call @beside(%c) : (i32) -> i32
  return %0 : i32
}
