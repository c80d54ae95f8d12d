// Operations without effects and uses disappear.
// RUN: xgpu-opt %s --trivial-dce | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %x : i32
}
