// RUN: xgpu-opt %s --canonicalize | filecheck %s

// Folds of constants and neutral operands; reassociation of constants.
func.func @constants() -> (i32, i8, i32, i32, i1, i64) {
  %a = arith.constant 7 : i32
  %b = arith.constant -3 : i32
  %c = arith.constant 200 : i8
  %d = arith.constant 100 : i8
  %sum = arith.addi %a, %b : i32
  %wrapped = arith.addi %c, %d : i8
  %quotient = arith.divsi %a, %b : i32
  %floor = arith.floordivsi %a, %b : i32
  %less = arith.cmpi ult, %a, %b : i32
  %wide = arith.extui %b : i32 to i64
  return %sum, %wrapped, %quotient, %floor, %less, %wide : i32, i8, i32, i32, i1, i64
}

func.func @neutral(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant -1 : i32
  %0 = arith.addi %c0, %x : i32
  %1 = arith.muli %x, %c1 : i32
  %2 = arith.andi %x, %ones : i32
  %3 = arith.subi %x, %x : i32
  %4 = arith.xori %x, %y : i32
  %5 = arith.xori %4, %y : i32
  return %0, %1, %2, %3, %5 : i32, i32, i32, i32, i32
}

func.func @not_divided_by_zero(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %0 = arith.divsi %c5, %c0 : i32
  return %0 : i32
}

func.func @reassociated(%x: index) -> index {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %0 = arith.addi %x, %c3 : index
  %1 = arith.subi %0, %c4 : index
  return %1 : index
}

func.func @select(%p: i1, %x: i32, %y: i32) -> (i32, i32, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %not = arith.xori %p, %true : i1
  %0 = arith.select %not, %x, %y : i32
  %1 = arith.select %true, %x, %y : i32
  %2 = arith.select %p, %true, %false : i1
  return %0, %1, %2 : i32, i32, i1
}

func.func @vector_splat() -> vector<4xi32> {
  %a = arith.constant dense<3> : vector<4xi32>
  %b = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %c = arith.muli %a, %b : vector<4xi32>
  return %c : vector<4xi32>
}

// CHECK-LABEL: func.func @constants() -> (i32, i8, i32, i32, i1, i64) {
// CHECK-NEXT:      %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:      %c44_i8 = arith.constant 44 : i8
// CHECK-NEXT:      %c-2_i32 = arith.constant -2 : i32
// CHECK-NEXT:      %c-3_i32 = arith.constant -3 : i32
// CHECK-NEXT:      %true = arith.constant true
// CHECK-NEXT:      %c4294967293_i64 = arith.constant 4294967293 : i64
// CHECK-NEXT:      return %c4_i32, %c44_i8, %c-2_i32, %c-3_i32, %true, %c4294967293_i64 : i32, i8, i32, i32, i1, i64
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @neutral(%arg0: i32, %arg1: i32) -> (i32, i32, i32, i32, i32) {
// CHECK-NEXT:      %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:      return %arg0, %arg0, %arg0, %c0_i32, %arg0 : i32, i32, i32, i32, i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @not_divided_by_zero(%arg0: i32) -> i32 {
// CHECK-NEXT:      %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:      %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:      %0 = arith.divsi %c5_i32, %c0_i32 : i32
// CHECK-NEXT:      return %0 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @reassociated(%arg0: index) -> index {
// CHECK-NEXT:      %c-1 = arith.constant -1 : index
// CHECK-NEXT:      %0 = arith.addi %arg0, %c-1 : index
// CHECK-NEXT:      return %0 : index
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @select(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32, i1) {
// CHECK-NEXT:      %0 = arith.select %arg0, %arg2, %arg1 : i32
// CHECK-NEXT:      return %0, %arg1, %arg0 : i32, i32, i1
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @vector_splat() -> vector<4xi32> {
// CHECK-NEXT:      %cst = arith.constant dense<[3, 6, 9, 12]> : vector<4xi32>
// CHECK-NEXT:      return %cst : vector<4xi32>
// CHECK-NEXT:    }
