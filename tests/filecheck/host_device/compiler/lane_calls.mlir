// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What vectors of threads have no form for becomes calls of the device's runtime; the rest stays.
// RUN: xgpu-opt --host-lane-calls --split-input-file %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu.this_block() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu_barrier(!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_arrive(!llvm.ptr, !llvm.ptr, i32) -> i64
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_init(!llvm.ptr, !llvm.ptr, i32)
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_poll(!llvm.ptr, !llvm.ptr, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu_mbarrier_test(!llvm.ptr, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu_step(!llvm.ptr) -> i1
// CHECK-NEXT:     llvm.func @phases(%arg0: !llvm.ptr<3>, %arg1: i32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.call @xgpu.this_block() : () -> !llvm.ptr
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(63 : i64) : i64
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %5 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:       %6 = llvm.mlir.constant(64 : i32) : i32
// CHECK-NEXT:       %7 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       llvm.call @xgpu_mbarrier_init(%0, %7, %6) : (!llvm.ptr, !llvm.ptr, i32) -> ()
// CHECK-NEXT:       %8 = llvm.call @xgpu_step(%0) {host.waits} : (!llvm.ptr) -> i1
// CHECK-NEXT:       %9 = llvm.call @xgpu_barrier(%0, %2, %2, %2, %2) {host.waits} : (!llvm.ptr, i32, i32, i32, i32) -> i1
// CHECK-NEXT:       %10 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %11 = llvm.call @xgpu_mbarrier_arrive(%0, %10, %3) : (!llvm.ptr, !llvm.ptr, i32) -> i64
// CHECK-NEXT:       %12 = llvm.lshr %11, %4 : i64
// CHECK-NEXT:       %13 = llvm.trunc %12 : i64 to i32
// CHECK-NEXT:       %14 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %15 = llvm.call @xgpu_mbarrier_poll(%0, %14, %13) {host.waits} : (!llvm.ptr, !llvm.ptr, i32) -> i1
// CHECK-NEXT:       %16 = llvm.addrspacecast %arg0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %17 = llvm.call @xgpu_mbarrier_test(%16, %13) : (!llvm.ptr, i32) -> i1
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @phases(%p: !llvm.ptr<3>, %phase: i32) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %count = llvm.mlir.constant(64 : i32) : i32
    nvvm.mbarrier.init %p, %count : !llvm.ptr<3>, i32
    nvvm.barrier0
    %state = nvvm.mbarrier.arrive %p : !llvm.ptr<3> -> i64
    %over = nvvm.mbarrier.test.wait %p, %state : !llvm.ptr<3>, i64 -> i1
    llvm.return
  }
}

// -----

// A loop that waits for what another thread writes lets the others go first.
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu.this_block() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu_yield(!llvm.ptr, i32) -> i1
// CHECK-NEXT:     llvm.func @spins(%arg0: !llvm.ptr) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.call @xgpu.this_block() : () -> !llvm.ptr
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %3 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb2
// CHECK-NEXT:     ^bb2:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       %4 = llvm.call @xgpu_yield(%0, %2) {host.waits} : (!llvm.ptr, i32) -> i1
// CHECK-NEXT:       %5 = llvm.load volatile %arg0 : !llvm.ptr -> i32
// CHECK-NEXT:       %6 = llvm.icmp "ne" %5, %3 : i32
// CHECK-NEXT:       llvm.cond_br %6, ^bb3, ^bb2
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @spins(%flag: !llvm.ptr) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^wait
  ^wait:
    %v = llvm.load volatile %flag : !llvm.ptr -> i32
    %set = llvm.icmp "ne" %v, %zero : i32
    llvm.cond_br %set, ^go, ^wait
  ^go:
    llvm.return
  }
}

// -----

// A compare-and-swap that is tried again with what was read last waits for no other thread.
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu.this_block() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @tries(%arg0: !llvm.ptr, %arg1: i32, %arg2: i32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.call @xgpu.this_block() : () -> !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       llvm.br ^bb2(%arg1 : i32)
// CHECK-NEXT:     ^bb2(%2: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       %3 = llvm.add %2, %arg2 : i32
// CHECK-NEXT:       %4 = llvm.cmpxchg %arg0, %2, %3 acq_rel monotonic : !llvm.ptr, i32
// CHECK-NEXT:       %5 = llvm.extractvalue %4[0] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %6 = llvm.extractvalue %4[1] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       llvm.cond_br %6, ^bb3, ^bb2(%5 : i32)
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @tries(%p: !llvm.ptr, %first: i32, %one: i32) attributes {nvvm.kernel} {
    llvm.br ^again(%first : i32)
  ^again(%old: i32):
    %new = llvm.add %old, %one : i32
    %pair = llvm.cmpxchg %p, %old, %new acq_rel monotonic : !llvm.ptr, i32
    %found = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %done = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %done, ^end, ^again(%found : i32)
  ^end:
    llvm.return
  }
}
