// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Two constants become one, wherever they are; overflow flags stay where both operations have them.

// CHECK: module {
// CHECK-NEXT:   func.func @sums(%arg0: i32) -> (i32, i32, i32) {
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %c13_i32 = arith.constant 13 : i32
// CHECK-NEXT:     %0 = arith.addi %arg0, %c13_i32 : i32
// CHECK-NEXT:     %1 = arith.addi %arg0, %c7_i32 : i32
// CHECK-NEXT:     %2 = arith.subi %c13_i32, %arg0 : i32
// CHECK-NEXT:     return %0, %1, %2 : i32, i32, i32
// CHECK-NEXT:   }
func.func @sums(%x: i32) -> (i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c10 = arith.constant 10 : i32
  %0 = arith.addi %x, %c3 : i32
  %1 = arith.addi %0, %c10 : i32
  %2 = arith.subi %x, %c3 : i32
  %3 = arith.addi %2, %c10 : i32
  %4 = arith.subi %c3, %x : i32
  %5 = arith.addi %4, %c10 : i32
  return %1, %3, %5 : i32, i32, i32
}

// CHECK-NEXT:   func.func @differences(%arg0: i32) -> (i32, i32, i32, i32, i32, i32) {
// CHECK-NEXT:     %c13_i32 = arith.constant 13 : i32
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %c-7_i32 = arith.constant -7 : i32
// CHECK-NEXT:     %0 = arith.addi %arg0, %c-7_i32 : i32
// CHECK-NEXT:     %1 = arith.subi %c7_i32, %arg0 : i32
// CHECK-NEXT:     %2 = arith.subi %arg0, %c13_i32 : i32
// CHECK-NEXT:     %3 = arith.subi %c-7_i32, %arg0 : i32
// CHECK-NEXT:     %4 = arith.subi %c13_i32, %arg0 : i32
// CHECK-NEXT:     %5 = arith.addi %arg0, %c7_i32 : i32
// CHECK-NEXT:     return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @differences(%x: i32) -> (i32, i32, i32, i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c10 = arith.constant 10 : i32
  %plus = arith.addi %x, %c3 : i32
  %minus = arith.subi %x, %c3 : i32
  %from = arith.subi %c3, %x : i32
  %0 = arith.subi %plus, %c10 : i32
  %1 = arith.subi %c10, %plus : i32
  %2 = arith.subi %minus, %c10 : i32
  %3 = arith.subi %from, %c10 : i32
  %4 = arith.subi %c10, %minus : i32
  %5 = arith.subi %c10, %from : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @flags(%arg0: i32) -> (i32, i32, i32) {
// CHECK-NEXT:     %c13_i32 = arith.constant 13 : i32
// CHECK-NEXT:     %0 = arith.addi %arg0, %c13_i32 overflow<nsw> : i32
// CHECK-NEXT:     %1 = arith.addi %arg0, %c13_i32 overflow<nsw, nuw> : i32
// CHECK-NEXT:     %2 = arith.addi %arg0, %c13_i32 : i32
// CHECK-NEXT:     return %0, %1, %2 : i32, i32, i32
// CHECK-NEXT:   }
func.func @flags(%x: i32) -> (i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c10 = arith.constant 10 : i32
  %0 = arith.addi %x, %c3 overflow<nsw, nuw> : i32
  %1 = arith.addi %0, %c10 overflow<nsw> : i32
  %2 = arith.addi %0, %c10 overflow<nuw, nsw> : i32
  %3 = arith.addi %0, %c10 : i32
  return %1, %2, %3 : i32, i32, i32
}

// CHECK-NEXT:   func.func @products(%arg0: i8, %arg1: vector<2xi32>) -> (i8, vector<2xi32>) {
// CHECK-NEXT:     %cst = arith.constant dense<[30, -40]> : vector<2xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<[1, 2]> : vector<2xi32>
// CHECK-NEXT:     %c44_i8 = arith.constant 44 : i8
// CHECK-NEXT:     %0 = arith.muli %arg0, %c44_i8 : i8
// CHECK-NEXT:     %1 = arith.muli %arg1, %cst_0 : vector<2xi32>
// CHECK-NEXT:     %2 = arith.muli %1, %cst : vector<2xi32>
// CHECK-NEXT:     return %0, %2 : i8, vector<2xi32>
// CHECK-NEXT:   }
func.func @products(%x: i8, %v: vector<2xi32>) -> (i8, vector<2xi32>) {
  %c100 = arith.constant 100 : i8
  %c3 = arith.constant 3 : i8
  %0 = arith.muli %x, %c100 : i8
  %1 = arith.muli %0, %c3 : i8
  %v0 = arith.constant dense<[1, 2]> : vector<2xi32>
  %v1 = arith.constant dense<[30, -40]> : vector<2xi32>
  %2 = arith.muli %v, %v0 : vector<2xi32>
  %3 = arith.muli %2, %v1 : vector<2xi32>
  return %1, %3 : i8, vector<2xi32>
}

// CHECK-NEXT:   func.func @negated(%arg0: i32, %arg1: i32, %arg2: index) -> (i32, i32, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:     return %0, %1, %c0 : i32, i32, index
// CHECK-NEXT:   }
func.func @negated(%x: i32, %y: i32, %i: index) -> (i32, i32, index) {
  %m1 = arith.constant -1 : i32
  %n1 = arith.constant -1 : index
  %0 = arith.muli %y, %m1 : i32
  %1 = arith.addi %x, %0 : i32
  %2 = arith.addi %0, %x : i32
  %3 = arith.muli %i, %n1 : index
  %4 = arith.addi %i, %3 : index
  return %1, %2, %4 : i32, i32, index
}

// CHECK-NEXT:   func.func @not_negated(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     %c-2_i32 = arith.constant -2 : i32
// CHECK-NEXT:     %0 = arith.muli %arg1, %c-2_i32 : i32
// CHECK-NEXT:     %1 = arith.addi %arg0, %0 : i32
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
func.func @not_negated(%x: i32, %y: i32) -> i32 {
  %m2 = arith.constant -2 : i32
  %0 = arith.muli %y, %m2 : i32
  %1 = arith.addi %x, %0 : i32
  return %1 : i32
}

// CHECK-NEXT:   func.func @own_difference(%arg0: i32, %arg1: i32, %arg2: vector<2xi8>) -> (i32, i32, vector<2xi8>) {
// CHECK-NEXT:     %cst = arith.constant dense<0> : vector<2xi8>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %0 = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.subi %c0_i32, %arg1 : i32
// CHECK-NEXT:     %2 = arith.subi %0, %arg1 : i32
// CHECK-NEXT:     return %1, %2, %cst : i32, i32, vector<2xi8>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @own_difference(%a: i32, %b: i32, %v: vector<2xi8>) -> (i32, i32, vector<2xi8>) {
  %0 = arith.subi %a, %b : i32
  %1 = arith.subi %0, %a : i32
  %2 = arith.subi %0, %b : i32
  %3 = arith.subi %v, %v : vector<2xi8>
  return %1, %2, %3 : i32, i32, vector<2xi8>
}
