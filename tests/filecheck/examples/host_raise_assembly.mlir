// Inline PTX becomes operations.
// RUN: xgpu-opt %s --host-raise-assembly | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr<1>, %arg1: i32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.atomicrmw add %arg0, %arg1 syncscope("device") acq_rel : !llvm.ptr<1>, i32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<1>, %v: i32) attributes {nvvm.kernel} {
    %0 = llvm.inline_asm has_side_effects "atom.global.gpu.acq_rel.add.u32 $0, [$1], $2;", "=r,l,r" %p, %v
        : (!llvm.ptr<1>, i32) -> i32
    llvm.return
  }
}
