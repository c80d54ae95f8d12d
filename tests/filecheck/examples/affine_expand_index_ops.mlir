// A delinearized index becomes divisions and remainders.
// RUN: xgpu-opt %s --affine-expand-index-ops | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index) -> (index, index) {
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.floordivsi %arg0, %c32 : index
// CHECK-NEXT:     %1 = arith.remsi %arg0, %c32 : index
// CHECK-NEXT:     %2 = arith.cmpi slt, %1, %c0 : index
// CHECK-NEXT:     %3 = arith.addi %1, %c32 overflow<nsw> : index
// CHECK-NEXT:     %4 = arith.select %2, %3, %1 : index
// CHECK-NEXT:     return %0, %4 : index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%i: index) -> (index, index) {
  %0:2 = affine.delinearize_index %i into (16, 32) : index, index
  return %0#0, %0#1 : index, index
}
