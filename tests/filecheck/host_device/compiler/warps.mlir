// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as functions of a warp whose threads are a vector: who waits waits for all of them.
// RUN: xgpu-opt --host-lane-calls --host-prepare --host-warps=block=64 --split-input-file %s | filecheck %s --match-full-lines

// The warp arrives at a barrier once; lane 0 alone announces bytes; one lane asks for the phase.
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu_barrier_lanes(!llvm.ptr, i32, i32, i32, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu.this_block() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu_barrier(!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_arrive(!llvm.ptr, !llvm.ptr, i32) -> i64
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_expect_tx(!llvm.ptr, !llvm.ptr, i32)
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_poll(!llvm.ptr, !llvm.ptr, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_test(!llvm.ptr, i32) -> i1
// CHECK-NEXT:     llvm.func @roles(%arg0: !llvm.ptr<3>, %arg1: i32, %arg2: !llvm.ptr) attributes {host.strategy = "warps"} {
// CHECK-NEXT:       %0 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(128 : i32) : i32
// CHECK-NEXT:       %5 = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %6 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %7 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:       %8 = llvm.mlir.constant(dense<true> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %9 = llvm.mlir.constant(31 : i32) : i32
// CHECK-NEXT:       %10 = llvm.mlir.constant(dense<[0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920, 2048, 2176, 2304, 2432, 2560, 2688, 2816, 2944, 3072, 3200, 3328, 3456, 3584, 3712, 3840, 3968]> : vector<32xi64>) : vector<32xi64>
// CHECK-NEXT:       %11 = llvm.mlir.constant(32 : i64) : i64
// CHECK-NEXT:       %12 = llvm.alloca %11 x !llvm.ptr {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       %13 = llvm.alloca %11 x !llvm.ptr {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       %14 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %15 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %16 = nvvm.read.ptx.sreg.warpid : i32
// CHECK-NEXT:       %17 = llvm.call @xgpu.this_block() : () -> !llvm.ptr
// CHECK-NEXT:       %18 = llvm.mul %16, %3 : i32
// CHECK-NEXT:       %19 = llvm.insertelement %18, %6[%2 : i32] : vector<32xi32>
// CHECK-NEXT:       %20 = llvm.shufflevector %19, %6 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %21 = llvm.add %20, %5 : vector<32xi32>
// CHECK-NEXT:       %22 = llvm.insertelement %2, %6[%2 : i32] : vector<32xi32>
// CHECK-NEXT:       %23 = llvm.shufflevector %22, %6 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %24 = llvm.icmp "eq" %21, %23 : vector<32xi32>
// CHECK-NEXT:       %25 = llvm.xor %24, %8 : vector<32xi1>
// CHECK-NEXT:       %26 = llvm.sub %2, %18 : i32
// CHECK-NEXT:       %27 = llvm.icmp "ule" %26, %9 : i32
// CHECK-NEXT:       llvm.cond_br %27, ^bb2, ^bb7
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %28 = llvm.getelementptr %15[%10] : (!llvm.ptr, vector<32xi64>) -> vector<32x!llvm.ptr>, i8
// CHECK-NEXT:       llvm.store %28, %12 {alignment = 64 : i64} : vector<32x!llvm.ptr>, !llvm.ptr
// CHECK-NEXT:       %29 = llvm.bitcast %24 : vector<32xi1> to i32
// CHECK-NEXT:       llvm.br ^bb3(%29 : i32)
// CHECK-NEXT:     ^bb3(%30: i32):  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:       %31 = "llvm.intr.cttz"(%30) <{is_zero_poison = true}> : (i32) -> i32
// CHECK-NEXT:       %32 = llvm.zext %31 : i32 to i64
// CHECK-NEXT:       %33 = llvm.getelementptr %12[%32] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:       %34 = llvm.load %33 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       llvm.call @xgpu_mbarrier_expect_tx(%34, %0, %4) : (!llvm.ptr, !llvm.ptr, i32) -> ()
// CHECK-NEXT:       %35 = llvm.sub %30, %1 : i32
// CHECK-NEXT:       %36 = llvm.and %30, %35 : i32
// CHECK-NEXT:       %37 = llvm.icmp "ne" %36, %2 : i32
// CHECK-NEXT:       llvm.cond_br %37, ^bb3(%36 : i32), ^bb4
// CHECK-NEXT:     ^bb4:  // pred: ^bb3
// CHECK-NEXT:       %38 = llvm.getelementptr %15[%10] : (!llvm.ptr, vector<32xi64>) -> vector<32x!llvm.ptr>, i8
// CHECK-NEXT:       llvm.store %38, %13 {alignment = 64 : i64} : vector<32x!llvm.ptr>, !llvm.ptr
// CHECK-NEXT:       %39 = llvm.bitcast %24 : vector<32xi1> to i32
// CHECK-NEXT:       llvm.br ^bb5(%39 : i32)
// CHECK-NEXT:     ^bb5(%40: i32):  // 2 preds: ^bb4, ^bb5
// CHECK-NEXT:       %41 = "llvm.intr.cttz"(%40) <{is_zero_poison = true}> : (i32) -> i32
// CHECK-NEXT:       %42 = llvm.zext %41 : i32 to i64
// CHECK-NEXT:       %43 = llvm.getelementptr %13[%42] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:       %44 = llvm.load %43 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %45 = llvm.call @xgpu_mbarrier_arrive(%44, %0, %1) : (!llvm.ptr, !llvm.ptr, i32) -> i64
// CHECK-NEXT:       %46 = llvm.sub %40, %1 : i32
// CHECK-NEXT:       %47 = llvm.and %40, %46 : i32
// CHECK-NEXT:       %48 = llvm.icmp "ne" %47, %2 : i32
// CHECK-NEXT:       llvm.cond_br %48, ^bb5(%47 : i32), ^bb6
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       llvm.br ^bb7
// CHECK-NEXT:     ^bb7:  // 2 preds: ^bb1, ^bb6
// CHECK-NEXT:       %49 = llvm.call @xgpu_mbarrier_poll(%15, %0, %arg1) {host.waits} : (!llvm.ptr, !llvm.ptr, i32) -> i1
// CHECK-NEXT:       %50 = llvm.call @xgpu_mbarrier_test(%0, %arg1) : (!llvm.ptr, i32) -> i1
// CHECK-NEXT:       %51 = llvm.icmp "ne" %2, %2 : i32
// CHECK-NEXT:       %52 = llvm.sext %51 : i1 to i32
// CHECK-NEXT:       %53 = llvm.call @xgpu_barrier_lanes(%15, %14, %2, %2, %2, %52) {host.waits} : (!llvm.ptr, i32, i32, i32, i32, i32) -> i1
// CHECK-NEXT:       %54 = llvm.getelementptr %arg2[%18] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %55 = llvm.insertelement %18, %6[%2 : i32] : vector<32xi32>
// CHECK-NEXT:       %56 = llvm.shufflevector %55, %6 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %57 = llvm.add %56, %5 : vector<32xi32>
// CHECK-NEXT:       llvm.store %57, %54 {alignment = 4 : i64} : vector<32xi32>, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @roles(%p: !llvm.ptr<3>, %phase: i32, %a: !llvm.ptr) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %bytes = llvm.mlir.constant(128 : i32) : i32
    %first = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %first, ^announce, ^wait
  ^announce:
    nvvm.mbarrier.arrive.expect_tx %p, %bytes : !llvm.ptr<3>, i32
    llvm.br ^wait
  ^wait:
    %over = nvvm.mbarrier.test.wait %p, %phase : !llvm.ptr<3>, i32 -> i1
    nvvm.barrier0
    %q = llvm.getelementptr %a[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %tid, %q : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// Threads of one warp that part and then wait: each by itself.
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu.this_block() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu_barrier(!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @parted(%arg0: i32) attributes {host.reason = "threads of a warp part before they wait", host.strategy = "threads", nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.call @xgpu.this_block() : () -> !llvm.ptr
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %3 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:       %4 = llvm.icmp "slt" %3, %arg0 : i32
// CHECK-NEXT:       llvm.cond_br %4, ^bb2, ^bb3
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %5 = llvm.call @xgpu_barrier(%0, %2, %2, %2, %2) {host.waits} : (!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:       llvm.br ^bb3
// CHECK-NEXT:     ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @parted(%n: i32) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "slt" %tid, %n : i32
    llvm.cond_br %inside, ^then, ^end
  ^then:
    nvvm.barrier0
    llvm.br ^end
  ^end:
    llvm.return
  }
}

// -----

// Warps may part: only the first waits for the others.
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu.this_block() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_arrive(!llvm.ptr, !llvm.ptr, i32) -> i64
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_wait(!llvm.ptr, !llvm.ptr, i32) -> i1
// CHECK-NEXT:     llvm.func @warps_part(%arg0: !llvm.ptr<3>, %arg1: i32) attributes {host.strategy = "warps"} {
// CHECK-NEXT:       %0 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(dense<[0, 128, 256, 384, 512, 640, 768, 896, 1024, 1152, 1280, 1408, 1536, 1664, 1792, 1920, 2048, 2176, 2304, 2432, 2560, 2688, 2816, 2944, 3072, 3200, 3328, 3456, 3584, 3712, 3840, 3968]> : vector<32xi64>) : vector<32xi64>
// CHECK-NEXT:       %4 = llvm.mlir.constant(32 : i64) : i64
// CHECK-NEXT:       %5 = llvm.alloca %4 x !llvm.ptr {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       %6 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %7 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %8 = nvvm.read.ptx.sreg.warpid : i32
// CHECK-NEXT:       %9 = llvm.call @xgpu.this_block() : () -> !llvm.ptr
// CHECK-NEXT:       %10 = llvm.icmp "eq" %8, %2 : i32
// CHECK-NEXT:       llvm.cond_br %10, ^bb2, ^bb3
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %11 = llvm.call @xgpu_mbarrier_wait(%7, %0, %arg1) {host.waits} : (!llvm.ptr, !llvm.ptr, i32) -> i1
// CHECK-NEXT:       llvm.br ^bb6
// CHECK-NEXT:     ^bb3:  // pred: ^bb1
// CHECK-NEXT:       %12 = llvm.getelementptr %7[%3] : (!llvm.ptr, vector<32xi64>) -> vector<32x!llvm.ptr>, i8
// CHECK-NEXT:       llvm.store %12, %5 {alignment = 64 : i64} : vector<32x!llvm.ptr>, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb4(%2 : i32)
// CHECK-NEXT:     ^bb4(%13: i32):  // 2 preds: ^bb3, ^bb4
// CHECK-NEXT:       %14 = llvm.zext %13 : i32 to i64
// CHECK-NEXT:       %15 = llvm.getelementptr %5[%14] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:       %16 = llvm.load %15 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %17 = llvm.call @xgpu_mbarrier_arrive(%16, %0, %1) : (!llvm.ptr, !llvm.ptr, i32) -> i64
// CHECK-NEXT:       %18 = llvm.add %13, %1 : i32
// CHECK-NEXT:       %19 = llvm.icmp "ult" %18, %6 : i32
// CHECK-NEXT:       llvm.cond_br %19, ^bb4(%18 : i32), ^bb5
// CHECK-NEXT:     ^bb5:  // pred: ^bb4
// CHECK-NEXT:       llvm.br ^bb6
// CHECK-NEXT:     ^bb6:  // 2 preds: ^bb2, ^bb5
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @warps_part(%p: !llvm.ptr<3>, %phase: i32) attributes {nvvm.kernel} {
    %warp = nvvm.read.ptx.sreg.warpid : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %first = llvm.icmp "eq" %warp, %zero : i32
    llvm.cond_br %first, ^wait, ^arrive
  ^wait:
    nvvm.mbarrier.try_wait.parity %p, %phase, %zero : !llvm.ptr<3>, i32, i32
    llvm.br ^end
  ^arrive:
    %state = nvvm.mbarrier.arrive %p : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^end:
    llvm.return
  }
}
