// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// affine.delinearize_index, affine.linearize_index: sizes, and one after the other.

// CHECK: #map = affine_map<()[s0] -> (s0 * 6)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @constant_sizes(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
// CHECK-NEXT:     %0:3 = affine.delinearize_index %arg0 into (2, %arg1, 5) : index, index, index
// CHECK-NEXT:     %1 = affine.linearize_index [%arg2, %arg0] by (2, -6) : index
// CHECK-NEXT:     return %0#0, %0#1, %0#2, %1 : index, index, index, index
// CHECK-NEXT:   }
func.func @constant_sizes(%i: index, %n: index, %a: index) -> (index, index, index, index) {
  %two = arith.constant 2 : index
  %minus = arith.constant -6 : index
  %0:3 = affine.delinearize_index %i into (%two, %n, 5) : index, index, index
  %1 = affine.linearize_index [%a, %i] by (%two, %minus) : index
  return %0#0, %0#1, %0#2, %1 : index, index, index, index
}

// CHECK-NEXT:   func.func @unit_sizes(%arg0: index, %arg1: index) -> (index, index, index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0:2 = affine.delinearize_index %arg0 into (%arg1) : index, index
// CHECK-NEXT:     return %0#0, %c0, %0#1, %c0, %arg0 : index, index, index, index, index
// CHECK-NEXT:   }
func.func @unit_sizes(%i: index, %n: index) -> (index, index, index, index, index) {
  %one = arith.constant 1 : index
  %0:4 = affine.delinearize_index %i into (1, %n, %one) : index, index, index, index
  %1 = affine.delinearize_index %i into (%n) : index
  return %0#0, %0#1, %0#2, %0#3, %1 : index, index, index, index, index
}

// CHECK-NEXT:   func.func @unit_indices(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = affine.linearize_index [%arg0, %arg1, %arg0] by (3, 1, %arg2) : index
// CHECK-NEXT:     %1 = affine.linearize_index disjoint [%arg0, %arg2] by (3, 7) : index
// CHECK-NEXT:     %2 = affine.linearize_index [%arg0, %arg1] by (2, 3) : index
// CHECK-NEXT:     return %0, %1, %c0, %2 : index, index, index, index
// CHECK-NEXT:   }
func.func @unit_indices(%a: index, %b: index, %n: index) -> (index, index, index, index) {
  %zero = arith.constant 0 : index
  %0 = affine.linearize_index [%a, %zero, %b, %a] by (3, 1, 1, %n) : index
  %1 = affine.linearize_index disjoint [%a, %zero, %b, %n] by (3, 1, 1, 7) : index
  %2 = affine.linearize_index disjoint [%a, %b] by (1, 1) : index
  %3 = affine.linearize_index [%zero, %zero, %a, %b] by (%n, 2, 3) : index
  return %0, %1, %2, %3 : index, index, index, index
}

// CHECK-NEXT:   func.func @undone(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> (index, index, index, index) {
// CHECK-NEXT:     %0 = affine.linearize_index disjoint [%arg0, %arg1] by (4, %arg3) : index
// CHECK-NEXT:     return %0, %arg2, %arg1, %arg2 : index, index, index, index
// CHECK-NEXT:   }
func.func @undone(%a: index, %b: index, %c: index, %n: index) -> (index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (4, %n, 6) : index
  %1:2 = affine.delinearize_index %0 into (9, 6) : index, index
  %2:2 = affine.delinearize_index %0 into (%n, 6) : index, index
  return %1#0, %1#1, %2#0, %2#1 : index, index, index, index
}

// CHECK-NEXT:   func.func @undone_not_disjoint(%arg0: index, %arg1: index) -> (index, index) {
// CHECK-NEXT:     %0 = affine.linearize_index [%arg0, %arg1] by (4, 6) : index
// CHECK-NEXT:     %1:2 = affine.delinearize_index %0 into (4, 6) : index, index
// CHECK-NEXT:     return %1#0, %1#1 : index, index
// CHECK-NEXT:   }
func.func @undone_not_disjoint(%a: index, %b: index) -> (index, index) {
  %0 = affine.linearize_index [%a, %b] by (4, 6) : index
  %1:2 = affine.delinearize_index %0 into (4, 6) : index, index
  return %1#0, %1#1 : index, index
}

// CHECK-NEXT:   func.func @split(%arg0: index, %arg1: index) -> (index, index, index, index) {
// CHECK-NEXT:     %0:3 = affine.delinearize_index %arg1 into (2, 3, 4) : index, index, index
// CHECK-NEXT:     return %arg0, %0#0, %0#1, %0#2 : index, index, index, index
// CHECK-NEXT:   }
func.func @split(%a: index, %b: index) -> (index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b] by (5, 24) : index
  %1:4 = affine.delinearize_index %0 into (2, 3, 4) : index, index, index, index
  return %1#0, %1#1, %1#2, %1#3 : index, index, index, index
}

// CHECK-NEXT:   func.func @overshot(%arg0: index, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %0 = affine.linearize_index disjoint [%arg0, %arg1] by (5, 24) : index
// CHECK-NEXT:     %1:3 = affine.delinearize_index %0 into (2, 5, 5) : index, index, index
// CHECK-NEXT:     return %1#0, %1#1, %1#2 : index, index, index
// CHECK-NEXT:   }
func.func @overshot(%a: index, %b: index) -> (index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b] by (5, 24) : index
  %1:3 = affine.delinearize_index %0 into (2, 5, 5) : index, index, index
  return %1#0, %1#1, %1#2 : index, index, index
}

// CHECK-NEXT:   func.func @whole(%arg0: index, %arg1: index, %arg2: index) -> (index, index) {
// CHECK-NEXT:     %0 = affine.apply #map()[%arg2]
// CHECK-NEXT:     %1:2 = affine.delinearize_index %arg1 into (5, 7) : index, index
// CHECK-NEXT:     %2 = affine.linearize_index [%arg0, %arg1] by (%0, 35) : index
// CHECK-NEXT:     return %2, %1#1 : index, index
// CHECK-NEXT:   }
func.func @whole(%i: index, %j: index, %n: index) -> (index, index) {
  %0:2 = affine.delinearize_index %i into (%n, 6) : index, index
  %1:2 = affine.delinearize_index %j into (5, 7) : index, index
  %2 = affine.linearize_index [%0#0, %0#1, %1#0, %1#1] by (%n, 6, 5, 7) : index
  return %2, %1#1 : index, index
}

// CHECK-NEXT:   func.func @part(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index) {
// CHECK-NEXT:     %0 = affine.apply #map()[%arg2]
// CHECK-NEXT:     %1:3 = affine.delinearize_index %arg0 into (3, %0, 2) : index, index, index
// CHECK-NEXT:     %2:2 = affine.delinearize_index %1#1 into (%arg2, 6) : index, index
// CHECK-NEXT:     %3 = affine.linearize_index [%arg1, %1#1, %1#0] by (4, %0, 3) : index
// CHECK-NEXT:     return %3, %2#1, %1#2 : index, index, index
// CHECK-NEXT:   }
func.func @part(%i: index, %a: index, %n: index) -> (index, index, index) {
  %0:4 = affine.delinearize_index %i into (3, %n, 6, 2) : index, index, index, index
  %1 = affine.linearize_index [%a, %0#1, %0#2, %0#0] by (4, %n, 6, 3) : index
  return %1, %0#2, %0#3 : index, index, index
}

// CHECK-NEXT:   func.func @outermost(%arg0: index, %arg1: index) -> (index, index) {
// CHECK-NEXT:     %0:2 = affine.delinearize_index %arg0 into (8) : index, index
// CHECK-NEXT:     %1 = affine.linearize_index [%0#0, %arg1] by (16) : index
// CHECK-NEXT:     %2:2 = affine.delinearize_index %arg1 into (35, 9) : index, index
// CHECK-NEXT:     %3 = affine.linearize_index disjoint [%arg0, %2#0, %arg0] by (2, 35, 3) : index
// CHECK-NEXT:     return %1, %3 : index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @outermost(%i: index, %a: index) -> (index, index) {
  %0:3 = affine.delinearize_index %i into (3, 4, 8) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %a] by (4, 16) : index
  %2:3 = affine.delinearize_index %a into (5, 9) : index, index, index
  %3 = affine.linearize_index disjoint [%i, %2#0, %2#1, %i] by (2, 7, 5, 3) : index
  return %1, %3 : index, index
}
