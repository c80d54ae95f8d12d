// A function that waits at a barrier becomes a part of the kernel.
// RUN: xgpu-opt %s --host-runtime-calls --host-inline-waits | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu_barrier(!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr) attributes {host.by_value = [], host.parameters = [], host.static_shared = 0 : i64} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       llvm.br ^bb2
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %1 = llvm.call @xgpu_barrier(%arg0, %0, %0, %0, %0) {host.waits} : (!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:       llvm.br ^bb3
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @sync() {
    nvvm.barrier0
    llvm.return
  }
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.call @sync() : () -> ()
    llvm.return
  }
}
