// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers are loads from the records of thread and block, shared variables places in the block's
// memory, barriers and collectives calls that say whether the thread may go on.
// RUN: xgpu-opt --host-runtime-calls --mlir-print-local-scope %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu_barrier(!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu_vprintf(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     llvm.func @xgpu_warp(!llvm.ptr, i32, i32, i64, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @registers(%arg0: !llvm.ptr, %arg1: !llvm.ptr<1>) attributes {host.by_value = [0], host.parameters = [8], host.static_shared = 20 : i64} {
// CHECK-NEXT:       %0 = llvm.getelementptr %arg0[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %1 = llvm.load %0 {host.register = "tid.x"} : !llvm.ptr -> i32
// CHECK-NEXT:       %2 = llvm.load %arg0 {host.register = "block"} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %3 = llvm.getelementptr %2[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %4 = llvm.load %3 {host.register = "ctaid.x"} : !llvm.ptr -> i32
// CHECK-NEXT:       %5 = llvm.getelementptr %arg0[28] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %6 = llvm.load %5 {host.register = "linear"} : !llvm.ptr -> i32
// CHECK-NEXT:       %7 = llvm.mlir.constant(31 : i32) : i32
// CHECK-NEXT:       %8 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %9 = llvm.getelementptr %2[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %10 = llvm.load %9 {host.register = "shared"} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %11 = llvm.getelementptr %10[1024] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %12 = llvm.and %6, %7 : i32
// CHECK-NEXT:       %13 = llvm.addrspacecast %10 : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:       %14 = llvm.addrspacecast %11 : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:       llvm.store %1, %13 : i32, !llvm.ptr<3>
// CHECK-NEXT:       llvm.store %12, %14 : i32, !llvm.ptr<3>
// CHECK-NEXT:       llvm.store %4, %arg1 : i32, !llvm.ptr<1>
// CHECK-NEXT:       llvm.store %8, %arg1 : i32, !llvm.ptr<1>
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @waits(%arg0: !llvm.ptr, %arg1: i32, %arg2: i1, %arg3: f32) -> f32 {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(8 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(11 : i32) : i32
// CHECK-NEXT:       %5 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %6 = llvm.mlir.poison : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %7 = llvm.call @xgpu_barrier(%arg0, %0, %0, %0, %0) {host.waits} : (!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:       %8 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %9 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:       %10 = llvm.zext %arg1 : i32 to i64
// CHECK-NEXT:       %11 = llvm.call @xgpu_warp(%arg0, %1, %8, %10, %9, %8) {host.waits} : (!llvm.ptr, i32, i32, i64, i32, i32) -> i1
// CHECK-NEXT:       %12 = llvm.getelementptr %arg0[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %13 = llvm.load %12 : !llvm.ptr -> i64
// CHECK-NEXT:       %14 = llvm.trunc %13 : i64 to i32
// CHECK-NEXT:       %15 = llvm.zext %arg2 : i1 to i64
// CHECK-NEXT:       %16 = llvm.call @xgpu_warp(%arg0, %2, %8, %15, %0, %0) {host.waits} : (!llvm.ptr, i32, i32, i64, i32, i32) -> i1
// CHECK-NEXT:       %17 = llvm.getelementptr %arg0[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %18 = llvm.load %17 : !llvm.ptr -> i64
// CHECK-NEXT:       %19 = llvm.trunc %18 : i64 to i32
// CHECK-NEXT:       %20 = llvm.call @xgpu_warp(%arg0, %4, %3, %5, %0, %0) {host.waits} : (!llvm.ptr, i32, i32, i64, i32, i32) -> i1
// CHECK-NEXT:       %21 = llvm.getelementptr %arg0[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %22 = llvm.load %21 : !llvm.ptr -> i64
// CHECK-NEXT:       %23 = llvm.trunc %22 : i64 to i32
// CHECK-NEXT:       %24 = llvm.getelementptr %arg0[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %25 = llvm.load %24 : !llvm.ptr -> i32
// CHECK-NEXT:       %26 = llvm.icmp "ne" %25, %0 : i32
// CHECK-NEXT:       %27 = llvm.insertvalue %23, %6[0] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %28 = llvm.insertvalue %26, %27[1] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %29 = llvm.intr.floor(%arg3) : (f32) -> f32
// CHECK-NEXT:       llvm.return %29 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @calls(%arg0: !llvm.ptr, %arg1: i32, %arg2: i1, %arg3: f32, %arg4: !llvm.ptr) attributes {host.by_value = [0, 0, 0, 1], host.parameters = [4, 1, 4, 12], host.static_shared = 0 : i64} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:       %1 = llvm.alloca %0 x !llvm.array<12 x i8> {alignment = 16 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       %2 = llvm.mlir.constant(12 : i64) : i64
// CHECK-NEXT:       "llvm.intr.memcpy"(%1, %arg4, %2) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT:       %3 = llvm.alloca %0 x !llvm.struct<(i32, f64)> : (i64) -> !llvm.ptr
// CHECK-NEXT:       %4 = llvm.mlir.constant(0 : i8) : i8
// CHECK-NEXT:       %5 = llvm.mlir.constant(16 : i64) : i64
// CHECK-NEXT:       "llvm.intr.memset"(%3, %4, %5) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
// CHECK-NEXT:       %6 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %7 = llvm.call @waits(%arg0, %arg1, %arg2, %arg3) : (!llvm.ptr, i32, i1, f32) -> f32
// CHECK-NEXT:       %8 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %9 = llvm.call @xgpu_vprintf(%arg0, %1, %3) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:       llvm.cond_br %6, ^bb2, ^bb3 {host.ends}
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     ^bb3:  // pred: ^bb1
// CHECK-NEXT:       llvm.store %arg1, %3 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<5 x f32>
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @__nv_floorf(f32) -> f32
  llvm.func @registers(%out: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %l = nvvm.read.ptx.sreg.laneid : i32
    %w = nvvm.read.ptx.sreg.warpsize : i32
    %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %d = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    llvm.store %t, %s : i32, !llvm.ptr<3>
    llvm.store %l, %d : i32, !llvm.ptr<3>
    llvm.store %b, %out : i32, !llvm.ptr<1>
    llvm.store %w, %out : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @waits(%x: i32, %p: i1, %c: f32) -> f32 {
    nvvm.barrier0
    %m = llvm.mlir.constant(-1 : i32) : i32
    %o = llvm.mlir.constant(4 : i32) : i32
    %y = nvvm.shfl.sync bfly %m, %x, %o, %m : i32 -> i32
    %v = nvvm.vote.sync ballot %m, %p -> i32
    %e = nvvm.elect.sync -> i1
    %f = llvm.call @__nv_floorf(%c) : (f32) -> f32
    llvm.return %f : f32
  }
  llvm.func @calls(%x: i32, %p: i1, %c: f32, %own: !llvm.ptr {llvm.byval = !llvm.array<3 x i32>}) attributes {nvvm.kernel} {
    %f = llvm.call @waits(%x, %p, %c) : (i32, i1, f32) -> f32
    %one = llvm.mlir.constant(1 : i32) : i32
    %a = llvm.alloca %one x !llvm.struct<(i32, f64)> : (i32) -> !llvm.ptr
    %r = llvm.call @vprintf(%own, %a) : (!llvm.ptr, !llvm.ptr) -> i32
    nvvm.exit
    llvm.store %x, %a : i32, !llvm.ptr
    llvm.return
  }
}
