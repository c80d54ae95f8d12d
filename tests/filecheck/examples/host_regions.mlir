// Each block says which regions between barriers it is in.
// RUN: xgpu-opt %s --host-regions=block=64 | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: f32) attributes {nvvm.kernel} {
// CHECK-NEXT:       llvm.store %arg1, %arg0 : f32, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb1 {host.region = 0 : i32}
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       nvvm.barrier0
// CHECK-NEXT:       llvm.br ^bb2 {host.region = 0 : i32}
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       llvm.store %arg1, %arg0 : f32, !llvm.ptr
// CHECK-NEXT:       llvm.return {host.region = 1 : i32}
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr, %x: f32) attributes {nvvm.kernel} {
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.br ^next
  ^next:
    nvvm.barrier0
    llvm.br ^last
  ^last:
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.return
  }
}
