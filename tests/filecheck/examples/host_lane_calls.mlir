// What a vector of threads has no instruction for becomes a call of the host device's runtime.
// RUN: xgpu-opt %s --host-lane-calls | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu.this_block() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_init(!llvm.ptr, !llvm.ptr, i32)
// CHECK-NEXT:     llvm.func @xgpu_step(!llvm.ptr) -> i1
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr<3>) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.call @xgpu.this_block() : () -> !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %2 = llvm.mlir.constant(64 : i32) : i32
// CHECK-NEXT:       %3 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       llvm.call @xgpu_mbarrier_init(%0, %3, %2) : (!llvm.ptr, !llvm.ptr, i32) -> ()
// CHECK-NEXT:       %4 = llvm.call @xgpu_step(%0) {host.waits} : (!llvm.ptr) -> i1
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
    %count = llvm.mlir.constant(64 : i32) : i32
    nvvm.mbarrier.init %p, %count : !llvm.ptr<3>, i32
    llvm.return
  }
}
