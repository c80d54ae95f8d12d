// RUN: xgpu-opt %s --convert-cf-to-llvm | filecheck %s --check-prefix=NONE
// RUN: xgpu-opt %s --convert-nvvm-to-llvm | filecheck %s --check-prefix=VALUES
// RUN: xgpu-opt %s --convert-async-to-llvm | filecheck %s --check-prefix=ALL
// RUN: xgpu-opt %s --async-to-async-runtime | filecheck %s --check-prefix=ALL
// RUN: xgpu-opt %s --async-func-to-async-runtime | filecheck %s --check-prefix=ALL
// RUN: xgpu-opt %s --convert-linalg-to-loops | filecheck %s --check-prefix=GREEDY
// RUN: xgpu-opt %s --convert-linalg-to-parallel-loops | filecheck %s --check-prefix=GREEDY
// RUN: xgpu-opt %s --convert-linalg-to-affine-loops | filecheck %s --check-prefix=GREEDY

// A conversion folds what it has not as legal; to a constant where constants of arith are legal.
// Loops are made by patterns applied greedily, and blocks are simplified too.

// NONE:        %0 = arith.addi %arg0, %c0_i32 : i32
// NONE:        %1 = arith.addi %c3_i32, %c4_i32 : i32
// NONE:        llvm.cond_br %arg1, ^bb1(%0 : i32), ^bb1(%1 : i32)

// VALUES-NOT:  arith.addi %arg0
// VALUES:      %0 = arith.addi %c3_i32, %c4_i32 : i32
// VALUES:      cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb1(%0 : i32)

// ALL-NOT:     arith.addi
// ALL:         %c7_i32 = arith.constant 7 : i32
// ALL:         cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb1(%c7_i32 : i32)

// GREEDY-NOT:  arith.addi
// GREEDY:      %c7_i32 = arith.constant 7 : i32
// GREEDY:      cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb1(%c7_i32 : i32)
// GREEDY:      cf.cond_br %arg1, ^bb1, ^bb1
// GREEDY-NEXT: ^bb1:
// GREEDY-NEXT: return %arg0 : i32
func.func @f(%x: i32, %c: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  %y = arith.addi %x, %c0 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %z = arith.addi %c3, %c4 : i32
  cf.cond_br %c, ^bb1(%y : i32), ^bb1(%z : i32)
^bb1(%r: i32):
  return %r : i32
}

func.func @g(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1(%x : i32), ^bb1(%x : i32)
^bb1(%r: i32):
  return %r : i32
}
