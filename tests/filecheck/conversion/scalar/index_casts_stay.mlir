// A round trip over index is for canonicalization; the conversion only folds constants.
// RUN: xgpu-opt %s --convert-arith-to-llvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @signed(%arg0: i8) -> i8 {
// CHECK-NEXT:     %0 = llvm.sext %arg0 : i8 to i64
// CHECK-NEXT:     %1 = llvm.trunc %0 : i64 to i8
// CHECK-NEXT:     return %1 : i8
// CHECK-NEXT:   }
func.func @signed(%x: i8) -> i8 {
  %0 = arith.index_cast %x : i8 to index
  %1 = arith.index_cast %0 : index to i8
  return %1 : i8
}

// CHECK-NEXT:   func.func @unsigned(%arg0: i8) -> i8 {
// CHECK-NEXT:     %0 = llvm.zext %arg0 : i8 to i64
// CHECK-NEXT:     %1 = llvm.trunc %0 : i64 to i8
// CHECK-NEXT:     return %1 : i8
// CHECK-NEXT:   }
func.func @unsigned(%x: i8) -> i8 {
  %0 = arith.index_castui %x : i8 to index
  %1 = arith.index_castui %0 : index to i8
  return %1 : i8
}

// CHECK-NEXT:   func.func @mixed(%arg0: i8) -> i8 {
// CHECK-NEXT:     %0 = llvm.zext %arg0 : i8 to i64
// CHECK-NEXT:     %1 = llvm.trunc %0 : i64 to i8
// CHECK-NEXT:     return %1 : i8
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @mixed(%x: i8) -> i8 {
  %0 = arith.index_castui %x : i8 to index
  %1 = arith.index_cast %0 : index to i8
  return %1 : i8
}
