// Each value says how it differs among threads.
// RUN: xgpu-opt %s --host-uniformity=block=64 | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: f32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = nvvm.read.ptx.sreg.tid.x {host.shape = "affine 0+1*lane"} : i32
// CHECK-NEXT:       %1 = llvm.getelementptr %arg0[%0] {host.shape = "affine 0+4*lane"} : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       llvm.store %arg1, %1 : f32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%out: !llvm.ptr, %x: f32) attributes {nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.return
  }
}
