// RUN: xgpu-opt --allow-unregistered-dialect %s --canonicalize | filecheck %s --match-full-lines

// What MLIR makes invalid, or says of indices that it does not know of.

// CHECK: module {
// CHECK-NEXT:   func.func @not_a_size(%arg0: index) -> (index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0:2 = affine.delinearize_index %arg0 into (%c0, 4) : index, index
// CHECK-NEXT:     return %0#0, %0#1 : index, index
// CHECK-NEXT:   }
func.func @not_a_size(%i: index) -> (index, index) {
  %zero = arith.constant 0 : index
  %0:2 = affine.delinearize_index %i into (%zero, 4) : index, index
  return %0#0, %0#1 : index, index
}

// A size that is known later.
// CHECK-NEXT:   func.func @late(%arg0: index, %arg1: index) -> index {
// CHECK-NEXT:     %0:2 = affine.delinearize_index %arg0 into (8) : index, index
// CHECK-NEXT:     %1 = "test.size"() : () -> index
// CHECK-NEXT:     %2 = affine.linearize_index [%0#0, %arg1] by (16) : index
// CHECK-NEXT:     return %2 : index
// CHECK-NEXT:   }
func.func @late(%i: index, %a: index) -> index {
  %0:3 = affine.delinearize_index %i into (4, 8) : index, index, index
  %n = "test.size"() : () -> index
  %1 = affine.linearize_index [%0#0, %0#1, %a] by (%n, 4, 16) : index
  return %1 : index
}

// A linearization need not be disjoint: other users of the outermost index see all of it.
// CHECK-NEXT:   func.func @other_users(%arg0: index, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %0:2 = affine.delinearize_index %arg0 into (12, 8) : index, index
// CHECK-NEXT:     %1:2 = affine.delinearize_index %0#0 into (4) : index, index
// CHECK-NEXT:     %2 = affine.linearize_index [%0#0, %arg1] by (12, 16) : index
// CHECK-NEXT:     return %2, %1#0, %1#1 : index, index, index
// CHECK-NEXT:   }
func.func @other_users(%i: index, %a: index) -> (index, index, index) {
  %0:3 = affine.delinearize_index %i into (4, 8) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %a] by (3, 4, 16) : index
  return %1, %0#0, %0#1 : index, index, index
}

// CHECK-NEXT:   func.func @of_one(%arg0: index, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %0:2 = affine.delinearize_index %arg0 into (8) : index, index
// CHECK-NEXT:     %1:2 = affine.delinearize_index %0#0 into (4) : index, index
// CHECK-NEXT:     %2 = affine.linearize_index [%0#0, %arg1] by (16) : index
// CHECK-NEXT:     return %2, %1#0, %1#1 : index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @of_one(%i: index, %a: index) -> (index, index, index) {
  %0:3 = affine.delinearize_index %i into (4, 8) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %a] by (1, 4, 16) : index
  return %1, %0#0, %0#1 : index, index, index
}
