// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a kernel that writes, waits, and reads what its neighbour wrote: two regions.
// RUN: xgpu-opt --host-prepare --host-uniformity=block=64 %s | filecheck %s --match-full-lines --check-prefix=SHAPE
// RUN: xgpu-opt --host-prepare --host-regions=block=64 %s | filecheck %s --match-full-lines --check-prefix=REGION
// RUN: xgpu-opt --host-vectorize=block=64 %s | filecheck %s --match-full-lines

gpu.module @m {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x f32>
  llvm.func @neighbour(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %mask = llvm.mlir.constant(63 : i32) : i32
    %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %size = nvvm.read.ptx.sreg.ntid.x : i32
    %first = llvm.mul %block, %size : i32
    %i = llvm.add %first, %tid overflow<nsw> : i32
    %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %value = llvm.load %from : !llvm.ptr -> f32
    %own = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %value, %own : f32, !llvm.ptr<3>
    nvvm.barrier0
    %next = llvm.add %tid, %one : i32
    %wrapped = llvm.and %next, %mask : i32
    %other = llvm.getelementptr %shared[%wrapped] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %read = llvm.load %other : !llvm.ptr<3> -> f32
    %sum = llvm.fadd %value, %read : f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
    llvm.return
  }
}
