// RUN: xgpu-opt %s --convert-scf-to-cf | filecheck %s --match-full-lines
// A case that 32 bits do not hold is compared as it is, not by its low 32 bits.

func.func @f(%i: index) -> i32 {
  %r = scf.index_switch %i -> i32
  case 0 {
    %a = arith.constant 1 : i32
    scf.yield %a : i32
  }
  case 4294967296 {
    %b = arith.constant 2 : i32
    scf.yield %b : i32
  }
  case -1 {
    %b = arith.constant 3 : i32
    scf.yield %b : i32
  }
  default {
    %c = arith.constant 4 : i32
    scf.yield %c : i32
  }
  return %r : i32
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index) -> i32 {
// CHECK-NEXT:     %0 = arith.index_cast %arg0 : index to i64
// CHECK-NEXT:     cf.switch %0 : i64, [
// CHECK-NEXT:       default: ^bb4,
// CHECK-NEXT:       0: ^bb1,
// CHECK-NEXT:       4294967296: ^bb2,
// CHECK-NEXT:       -1: ^bb3
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     cf.br ^bb5(%c1_i32 : i32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     cf.br ^bb5(%c2_i32 : i32)
// CHECK-NEXT:   ^bb3:  // pred: ^bb0
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     cf.br ^bb5(%c3_i32 : i32)
// CHECK-NEXT:   ^bb4:  // pred: ^bb0
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     cf.br ^bb5(%c4_i32 : i32)
// CHECK-NEXT:   ^bb5(%1: i32):  // 4 preds: ^bb1, ^bb2, ^bb3, ^bb4
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
