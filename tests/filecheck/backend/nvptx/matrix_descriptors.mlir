// RUN: xgpu-opt %s --gpu-module-to-binary=format=isa | filecheck %s

// The begin of a matrix in units of 16 bytes: the stage is added to what the buffer's begin gives, as a
// multiple of 512 units, and is not part of what is shifted.
// CHECK:         .visible .entry staged(
// CHECK:         bfe.u64 \09%rd5, %rd1, 4, 14;
// CHECK:         shl.b64 \09%rd6, %rd4, 9;
// CHECK:         add.s64 \09%rd7, %rd5, %rd6;
// Eight bytes more are no whole unit: all of the address is shifted.
// CHECK:         .visible .entry odd(
// CHECK:         mad.lo.s64 \09%rd5, %rd4, 8200, %rd1;
// CHECK:         bfe.u64 \09%rd6, %rd5, 4, 14;
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    llvm.func @staged(%buffer: !llvm.ptr<3>, %stage: i64, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, xgpu.own} {
      %size = llvm.mlir.constant(4096 : i64) : i64
      %up = llvm.mlir.constant(46 : i64) : i64
      %down = llvm.mlir.constant(50 : i64) : i64
      %at = llvm.mul %stage, %size : i64
      %tile = llvm.getelementptr %buffer[%at] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f16
      %number = llvm.ptrtoint %tile : !llvm.ptr<3> to i64
      %high = llvm.shl %number, %up : i64
      %units = llvm.lshr %high, %down : i64
      llvm.store %units, %out : i64, !llvm.ptr
      llvm.return
    }
    llvm.func @odd(%buffer: !llvm.ptr<3>, %stage: i64, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, xgpu.own} {
      %size = llvm.mlir.constant(4100 : i64) : i64
      %up = llvm.mlir.constant(46 : i64) : i64
      %down = llvm.mlir.constant(50 : i64) : i64
      %at = llvm.mul %stage, %size : i64
      %tile = llvm.getelementptr %buffer[%at] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f16
      %number = llvm.ptrtoint %tile : !llvm.ptr<3> to i64
      %high = llvm.shl %number, %up : i64
      %units = llvm.lshr %high, %down : i64
      llvm.store %units, %out : i64, !llvm.ptr
      llvm.return
    }
  }
}
