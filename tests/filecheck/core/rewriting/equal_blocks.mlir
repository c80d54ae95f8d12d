// Passes of patterns make equal blocks one; canonicalize only if asked.
// RUN: xgpu-opt %s --expand-strided-metadata | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines --check-prefix=KEPT

func.func @equal(%which: i32, %c: i1) {
  cf.switch %which : i32, [
    default: ^bb2,
    0: ^bb1
  ]
^bb1:
  gpu.barrier
  cf.br ^bb5
^bb2:
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  gpu.barrier
  cf.br ^bb5
^bb4:
  gpu.barrier
  gpu.barrier
  cf.br ^bb5
^bb5:
  return
}



// CHECK: module {
// CHECK-NEXT:   func.func @equal(%arg0: i32, %arg1: i1) {
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb2,
// CHECK-NEXT:       0: ^bb1
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     cf.br ^bb4
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb3
// CHECK-NEXT:   ^bb3:  // pred: ^bb2
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     cf.br ^bb4
// CHECK-NEXT:   ^bb4:  // 2 preds: ^bb1, ^bb3
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// KEPT: module {
// KEPT-NEXT:   func.func @equal(%arg0: i32, %arg1: i1) {
// KEPT-NEXT:     cf.switch %arg0 : i32, [
// KEPT-NEXT:       default: ^bb2,
// KEPT-NEXT:       0: ^bb1
// KEPT-NEXT:     ]
// KEPT-NEXT:   ^bb1:  // pred: ^bb0
// KEPT-NEXT:     gpu.barrier
// KEPT-NEXT:     cf.br ^bb5
// KEPT-NEXT:   ^bb2:  // pred: ^bb0
// KEPT-NEXT:     cf.cond_br %arg1, ^bb3, ^bb4
// KEPT-NEXT:   ^bb3:  // pred: ^bb2
// KEPT-NEXT:     gpu.barrier
// KEPT-NEXT:     cf.br ^bb5
// KEPT-NEXT:   ^bb4:  // pred: ^bb2
// KEPT-NEXT:     gpu.barrier
// KEPT-NEXT:     cf.br ^bb5
// KEPT-NEXT:   ^bb5:  // 3 preds: ^bb1, ^bb3, ^bb4
// KEPT-NEXT:     return
// KEPT-NEXT:   }
// KEPT-NEXT: }
