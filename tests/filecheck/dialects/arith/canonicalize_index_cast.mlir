// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// An index that goes through fewer bits loses some: MLIR takes it for unchanged.

// CHECK: module {
// CHECK-NEXT:   func.func @through_less(%arg0: index) -> (index, index) {
// CHECK-NEXT:     %0 = arith.index_cast %arg0 : index to i32
// CHECK-NEXT:     %1 = arith.index_cast %0 : i32 to index
// CHECK-NEXT:     %2 = arith.index_castui %0 : i32 to index
// CHECK-NEXT:     return %1, %2 : index, index
// CHECK-NEXT:   }
func.func @through_less(%i: index) -> (index, index) {
  %0 = arith.index_cast %i : index to i32
  %1 = arith.index_cast %0 : i32 to index
  %2 = arith.index_castui %0 : i32 to index
  return %1, %2 : index, index
}

// CHECK-NEXT:   func.func @through_more(%arg0: index, %arg1: i8) -> (index, i8) {
// CHECK-NEXT:     return %arg0, %arg1 : index, i8
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @through_more(%i: index, %x: i8) -> (index, i8) {
  %0 = arith.index_cast %i : index to i64
  %1 = arith.index_cast %0 : i64 to index
  %2 = arith.index_castui %x : i8 to index
  %3 = arith.index_castui %2 : index to i8
  return %1, %3 : index, i8
}
