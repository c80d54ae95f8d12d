// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that tells the sanitizer what it does: the root of each address with its size where it is
// known, values that are stored, both sides of a barrier, what atomics release and acquire, and a
// thread that lets others run where it spins.
// RUN: xgpu-opt --host-sanitize %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu_san_pause()
// CHECK-NEXT:     llvm.func @xgpu_san_exit()
// CHECK-NEXT:     llvm.func @xgpu_san_order(!llvm.ptr, i64, i32)
// CHECK-NEXT:     llvm.func @xgpu_san_barrier_done(i64)
// CHECK-NEXT:     llvm.func @xgpu_san_barrier(i32, i32, i64)
// CHECK-NEXT:     llvm.func @xgpu_san_access(!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:     llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<64 x f32>
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:       %1 = llvm.mlir.addressof @s : !llvm.ptr<3>
// CHECK-NEXT:       %2 = llvm.getelementptr %arg0[%0] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       %3 = llvm.getelementptr %1[%0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
// CHECK-NEXT:       %4 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %5 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:       %6 = llvm.mlir.constant(562967133290497 : i64) : i64
// CHECK-NEXT:       %7 = llvm.call @xgpu_san_access(%2, %6, %arg0, %5, %4) : (!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:       %8 = llvm.load %7 : !llvm.ptr -> f32
// CHECK-NEXT:       %9 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %10 = llvm.bitcast %8 : f32 to i32
// CHECK-NEXT:       %11 = llvm.zext %10 : i32 to i64
// CHECK-NEXT:       %12 = llvm.addrspacecast %1 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %13 = llvm.mlir.constant(256 : i64) : i64
// CHECK-NEXT:       %14 = llvm.mlir.constant(562967201447938 : i64) : i64
// CHECK-NEXT:       %15 = llvm.addrspacecast %3 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %16 = llvm.call @xgpu_san_access(%15, %14, %12, %13, %11) : (!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:       %17 = llvm.addrspacecast %16 : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:       llvm.store %8, %17 : f32, !llvm.ptr<3>
// CHECK-NEXT:       %18 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %19 = llvm.mlir.constant(1048579 : i64) : i64
// CHECK-NEXT:       llvm.call @xgpu_san_barrier(%18, %18, %19) : (i32, i32, i64) -> ()
// CHECK-NEXT:       nvvm.barrier0
// CHECK-NEXT:       %20 = llvm.mlir.constant(4 : i64) : i64
// CHECK-NEXT:       llvm.call @xgpu_san_barrier_done(%20) : (i64) -> ()
// CHECK-NEXT:       %21 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %22 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %23 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:       %24 = llvm.mlir.constant(562968226955269 : i64) : i64
// CHECK-NEXT:       %25 = llvm.call @xgpu_san_access(%arg1, %24, %arg1, %23, %22) : (!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:       %26 = llvm.mlir.constant(1093664774 : i64) : i64
// CHECK-NEXT:       %27 = llvm.mlir.constant(31 : i32) : i32
// CHECK-NEXT:       llvm.call @xgpu_san_order(%25, %26, %27) : (!llvm.ptr, i64, i32) -> ()
// CHECK-NEXT:       %28 = llvm.atomicrmw add %25, %21 acq_rel : !llvm.ptr, i32
// CHECK-NEXT:       llvm.call @xgpu_san_exit() : () -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @spin(%arg0: !llvm.ptr) attributes {nvvm.kernel} {
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %1 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:       %2 = llvm.mlir.constant(562967135387655 : i64) : i64
// CHECK-NEXT:       %3 = llvm.call @xgpu_san_access(%arg0, %2, %arg0, %1, %0) : (!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:       %4 = llvm.mlir.constant(2097160 : i64) : i64
// CHECK-NEXT:       %5 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:       llvm.call @xgpu_san_order(%3, %4, %5) : (!llvm.ptr, i64, i32) -> ()
// CHECK-NEXT:       %6 = llvm.load volatile %3 : !llvm.ptr -> i32
// CHECK-NEXT:       llvm.call @xgpu_san_pause() : () -> ()
// CHECK-NEXT:       %7 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       nvvm.nanosleep %7
// CHECK-NEXT:       %8 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %9 = llvm.icmp "eq" %6, %8 : i32
// CHECK-NEXT:       llvm.cond_br %9, ^bb1, ^bb2
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       llvm.call @xgpu_san_exit() : () -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<64 x f32>
  llvm.func @k(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mlir.addressof @s : !llvm.ptr<3>
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %q = llvm.getelementptr %base[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %q : f32, !llvm.ptr<3>
    nvvm.barrier0
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw add %out, %one acq_rel : !llvm.ptr, i32
    llvm.return
  }
  llvm.func @spin(%flag: !llvm.ptr) attributes {nvvm.kernel} {
    llvm.br ^loop
  ^loop:
    %f = llvm.load volatile %flag : !llvm.ptr -> i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %again = llvm.icmp "eq" %f, %zero : i32
    llvm.cond_br %again, ^loop, ^done
  ^done:
    llvm.return
  }
}
