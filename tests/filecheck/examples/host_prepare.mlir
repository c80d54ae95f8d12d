// A barrier ends its block, and one block returns.
// RUN: xgpu-opt %s --host-prepare | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: i1) attributes {nvvm.kernel} {
// CHECK-NEXT:       llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       llvm.br ^bb3
// CHECK-NEXT:     ^bb2:  // pred: ^bb0
// CHECK-NEXT:       nvvm.barrier0
// CHECK-NEXT:       llvm.br ^bb3
// CHECK-NEXT:     ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%c: i1) attributes {nvvm.kernel} {
    llvm.cond_br %c, ^a, ^b
  ^a:
    llvm.return
  ^b:
    nvvm.barrier0
    llvm.return
  }
}
