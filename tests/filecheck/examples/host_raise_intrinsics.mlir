// A call of an intrinsic of NVVM becomes an operation.
// RUN: xgpu-opt %s --host-raise-intrinsics | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: i32, %arg1: i1) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = nvvm.vote.sync  ballot %arg0, %arg1 -> i32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%all: i32, %c: i1) attributes {nvvm.kernel} {
    %0 = llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"(%all, %c) : (i32, i1) -> i32
    llvm.return
  }
}
