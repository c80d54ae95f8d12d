// RUN: xgpu-opt --affine-expand-index-ops %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0) -> (d0 + 1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @delinearize(%arg0: index, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.floordivsi %arg0, %c32 : index
// CHECK-NEXT:     %1 = arith.remsi %arg0, %c32 : index
// CHECK-NEXT:     %2 = arith.cmpi slt, %1, %c0 : index
// CHECK-NEXT:     %3 = arith.addi %1, %c32 overflow<nsw> : index
// CHECK-NEXT:     %4 = arith.select %2, %3, %1 : index
// CHECK-NEXT:     %5 = arith.divsi %4, %c8 : index
// CHECK-NEXT:     %6 = arith.remsi %arg0, %c8 : index
// CHECK-NEXT:     %7 = arith.cmpi slt, %6, %c0 : index
// CHECK-NEXT:     %8 = arith.addi %6, %c8 overflow<nsw> : index
// CHECK-NEXT:     %9 = arith.select %7, %8, %6 : index
// CHECK-NEXT:     return %0, %5, %9 : index, index, index
// CHECK-NEXT:   }
func.func @delinearize(%i: index, %n: index) -> (index, index, index) {
  %0:3 = affine.delinearize_index %i into (%n, 4, 8) : index, index, index
  return %0#0, %0#1, %0#2 : index, index, index
}

// CHECK-NEXT:   func.func @delinearize_without_bound(%arg0: index) -> (index, index) {
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.floordivsi %arg0, %c16 : index
// CHECK-NEXT:     %1 = arith.remsi %arg0, %c16 : index
// CHECK-NEXT:     %2 = arith.cmpi slt, %1, %c0 : index
// CHECK-NEXT:     %3 = arith.addi %1, %c16 overflow<nsw> : index
// CHECK-NEXT:     %4 = arith.select %2, %3, %1 : index
// CHECK-NEXT:     return %0, %4 : index, index
// CHECK-NEXT:   }
func.func @delinearize_without_bound(%i: index) -> (index, index) {
  %0:2 = affine.delinearize_index %i into (16) : index, index
  return %0#0, %0#1 : index, index
}

// CHECK-NEXT:   func.func @linearize(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> (index, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %0 = arith.muli %arg3, %c5 overflow<nsw> : index
// CHECK-NEXT:     %1 = arith.muli %arg0, %0 overflow<nsw> : index
// CHECK-NEXT:     %2 = arith.muli %arg1, %c5 overflow<nsw> : index
// CHECK-NEXT:     %3 = arith.addi %1, %2 overflow<nsw> : index
// CHECK-NEXT:     %4 = arith.addi %3, %arg2 overflow<nsw> : index
// CHECK-NEXT:     %5 = arith.muli %arg0, %c4 overflow<nsw> : index
// CHECK-NEXT:     %6 = arith.addi %5, %arg1 overflow<nsw> : index
// CHECK-NEXT:     return %4, %6 : index, index
// CHECK-NEXT:   }
func.func @linearize(%i: index, %j: index, %k: index, %n: index) -> (index, index) {
  %0 = affine.linearize_index [%i, %j, %k] by (3, %n, 5) : index
  %1 = affine.linearize_index disjoint [%i, %j] by (4) : index
  return %0, %1 : index, index
}

// CHECK-NEXT:   func.func @apply_stays(%arg0: index) -> index {
// CHECK-NEXT:     %0 = affine.apply #map(%arg0)
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @apply_stays(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  return %0 : index
}
