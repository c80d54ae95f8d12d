// All dialects of a function become llvm in one pass.
// RUN: xgpu-opt %s --convert-to-llvm | filecheck %s --match-full-lines

func.func @f(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^add, ^end(%a : i32)
^add:
  %0 = arith.addi %a, %a : i32
  cf.br ^end(%0 : i32)
^end(%r: i32):
  return %r : i32
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @f(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb1, ^bb2(%arg1 : i32)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %0 = llvm.add %arg1, %arg1 : i32
// CHECK-NEXT:     llvm.br ^bb2(%0 : i32)
// CHECK-NEXT:   ^bb2(%1: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     llvm.return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
