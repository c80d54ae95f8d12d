// A barrier of a thread that runs by itself is a call of the host device's runtime.
// RUN: xgpu-opt %s --host-runtime-calls | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu_barrier(!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr) attributes {host.by_value = [], host.parameters = [], host.static_shared = 0 : i64} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %1 = llvm.call @xgpu_barrier(%arg0, %0, %0, %0, %0) {host.waits} : (!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k() attributes {nvvm.kernel} {
    nvvm.barrier0
    llvm.return
  }
}
