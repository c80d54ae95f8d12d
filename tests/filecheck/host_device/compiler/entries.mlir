// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel without waits becomes a body and a function that calls it for each thread of a block; one
// that waits a coroutine.
// RUN: xgpu-opt --host-runtime-calls --host-flat-memory --host-inline-waits --host-entries --split-input-file %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func internal @xgpu.body.plain(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: i32, %arg4: !llvm.ptr, %arg5: i32) attributes {always_inline, no_unwind} {
// CHECK-NEXT:       %0 = llvm.getelementptr %arg0[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %1 = llvm.getelementptr %arg4[56] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %2 = llvm.add %arg3, %arg5 : i32
// CHECK-NEXT:       llvm.store %2, %arg1 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @xgpu.entry.plain(%arg0: !llvm.ptr, %arg1: i32) attributes {host.entry = "loop", no_unwind} {
// CHECK-NEXT:       %0 = llvm.load %arg0 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.getelementptr %0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %3 = llvm.load %2 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %4 = llvm.load %3 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %5 = llvm.getelementptr %2[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %6 = llvm.load %5 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %7 = llvm.load %6 : !llvm.ptr -> i32
// CHECK-NEXT:       %8 = llvm.mlir.constant(128 : i64) : i64
// CHECK-NEXT:       %9 = llvm.alloca %8 x i8 {alignment = 8 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       llvm.store %arg0, %9 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:       %10 = llvm.getelementptr %arg0[40] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %11 = llvm.load %10 : !llvm.ptr -> i32
// CHECK-NEXT:       %12 = llvm.getelementptr %arg0[44] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %13 = llvm.load %12 : !llvm.ptr -> i32
// CHECK-NEXT:       %14 = llvm.getelementptr %arg0[48] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %15 = llvm.load %14 : !llvm.ptr -> i32
// CHECK-NEXT:       %16 = llvm.getelementptr %arg0[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %17 = llvm.load %16 : !llvm.ptr -> i32
// CHECK-NEXT:       %18 = llvm.getelementptr %arg0[68] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %19 = llvm.load %18 : !llvm.ptr -> i32
// CHECK-NEXT:       %20 = llvm.getelementptr %arg0[440] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %21 = llvm.load %20 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %22 = llvm.load %arg0 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %23 = llvm.getelementptr %21[48] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %24 = llvm.getelementptr %22[96] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %25 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %26 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %27 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:       llvm.br ^bb1(%arg1 : i32)
// CHECK-NEXT:     ^bb1(%28: i32):  // 2 preds: ^bb0, ^bb11
// CHECK-NEXT:       %29 = llvm.getelementptr %arg0[56] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %30 = llvm.load %29 : !llvm.ptr -> i32
// CHECK-NEXT:       %31 = llvm.getelementptr %arg0[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %32 = llvm.load %31 : !llvm.ptr -> i32
// CHECK-NEXT:       %33 = llvm.add %32, %28 : i32
// CHECK-NEXT:       %34 = llvm.intr.umin(%33, %17) : (i32, i32) -> i32
// CHECK-NEXT:       llvm.br ^bb2(%32 : i32)
// CHECK-NEXT:     ^bb2(%35: i32):  // 2 preds: ^bb1, ^bb9
// CHECK-NEXT:       llvm.br ^bb3(%25 : i32)
// CHECK-NEXT:     ^bb3(%36: i32):  // 2 preds: ^bb2, ^bb7
// CHECK-NEXT:       llvm.br ^bb4(%25 : i32)
// CHECK-NEXT:     ^bb4(%37: i32):  // 2 preds: ^bb3, ^bb6
// CHECK-NEXT:       %38 = llvm.mul %36, %13 : i32
// CHECK-NEXT:       %39 = llvm.add %38, %37 : i32
// CHECK-NEXT:       %40 = llvm.mul %39, %11 : i32
// CHECK-NEXT:       llvm.br ^bb5(%25 : i32)
// CHECK-NEXT:     ^bb5(%41: i32):  // 2 preds: ^bb4, ^bb5
// CHECK-NEXT:       %42 = llvm.add %40, %41 : i32
// CHECK-NEXT:       %43 = llvm.getelementptr %9[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %41, %43 : i32, !llvm.ptr
// CHECK-NEXT:       %44 = llvm.getelementptr %9[20] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %37, %44 : i32, !llvm.ptr
// CHECK-NEXT:       %45 = llvm.getelementptr %9[24] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %36, %45 : i32, !llvm.ptr
// CHECK-NEXT:       %46 = llvm.getelementptr %9[28] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %42, %46 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.call @xgpu.body.plain(%9, %4, %7, %41, %arg0, %30) : (!llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, i32) -> ()
// CHECK-NEXT:       %47 = llvm.add %41, %26 : i32
// CHECK-NEXT:       %48 = llvm.icmp "ult" %47, %11 : i32
// CHECK-NEXT:       llvm.cond_br %48, ^bb5(%47 : i32), ^bb6
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       %49 = llvm.add %37, %26 : i32
// CHECK-NEXT:       %50 = llvm.icmp "ult" %49, %13 : i32
// CHECK-NEXT:       llvm.cond_br %50, ^bb4(%49 : i32), ^bb7
// CHECK-NEXT:     ^bb7:  // pred: ^bb6
// CHECK-NEXT:       %51 = llvm.add %36, %26 : i32
// CHECK-NEXT:       %52 = llvm.icmp "ult" %51, %15 : i32
// CHECK-NEXT:       llvm.cond_br %52, ^bb3(%51 : i32), ^bb8
// CHECK-NEXT:     ^bb8:  // pred: ^bb7
// CHECK-NEXT:       %53 = llvm.load volatile %23 : !llvm.ptr -> i64
// CHECK-NEXT:       %54 = llvm.add %53, %27 : i64
// CHECK-NEXT:       llvm.store volatile %54, %23 : i64, !llvm.ptr
// CHECK-NEXT:       %55 = llvm.load volatile %24 : !llvm.ptr -> i32
// CHECK-NEXT:       %56 = llvm.icmp "ne" %55, %25 : i32
// CHECK-NEXT:       %57 = llvm.add %35, %26 : i32
// CHECK-NEXT:       %58 = llvm.icmp "eq" %57, %34 : i32
// CHECK-NEXT:       %59 = llvm.or %56, %58 : i1
// CHECK-NEXT:       llvm.cond_br %59, ^bb10, ^bb9
// CHECK-NEXT:     ^bb9:  // pred: ^bb8
// CHECK-NEXT:       %60 = llvm.getelementptr %arg0[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %57, %60 : i32, !llvm.ptr
// CHECK-NEXT:       %61 = llvm.getelementptr %arg0[76] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %57, %61 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb2(%57 : i32)
// CHECK-NEXT:     ^bb10:  // pred: ^bb8
// CHECK-NEXT:       %62 = llvm.sub %57, %32 : i32
// CHECK-NEXT:       %63 = llvm.sub %28, %62 : i32
// CHECK-NEXT:       %64 = llvm.icmp "eq" %63, %25 : i32
// CHECK-NEXT:       %65 = llvm.or %56, %64 : i1
// CHECK-NEXT:       llvm.cond_br %65, ^bb12, ^bb11
// CHECK-NEXT:     ^bb11:  // pred: ^bb10
// CHECK-NEXT:       %66 = llvm.getelementptr %arg0[56] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %67 = llvm.load %66 : !llvm.ptr -> i32
// CHECK-NEXT:       %68 = llvm.add %67, %26 : i32
// CHECK-NEXT:       %69 = llvm.icmp "eq" %68, %19 : i32
// CHECK-NEXT:       %70 = llvm.select %69, %25, %68 : i1, i32
// CHECK-NEXT:       %71 = llvm.getelementptr %arg0[60] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %72 = llvm.load %71 : !llvm.ptr -> i32
// CHECK-NEXT:       %73 = llvm.zext %69 : i1 to i32
// CHECK-NEXT:       %74 = llvm.add %72, %73 : i32
// CHECK-NEXT:       %75 = llvm.getelementptr %arg0[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %25, %75 : i32, !llvm.ptr
// CHECK-NEXT:       %76 = llvm.getelementptr %arg0[56] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %70, %76 : i32, !llvm.ptr
// CHECK-NEXT:       %77 = llvm.getelementptr %arg0[60] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %74, %77 : i32, !llvm.ptr
// CHECK-NEXT:       %78 = llvm.getelementptr %arg0[76] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %25, %78 : i32, !llvm.ptr
// CHECK-NEXT:       %79 = llvm.getelementptr %arg0[80] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %70, %79 : i32, !llvm.ptr
// CHECK-NEXT:       %80 = llvm.getelementptr %arg0[84] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %74, %80 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb1(%63 : i32)
// CHECK-NEXT:     ^bb12:  // pred: ^bb10
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @plain(%out: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.y : i32
    %s = llvm.add %t, %b : i32
    llvm.store %s, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu_frame(!llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:     llvm.func @xgpu_warp(!llvm.ptr, i32, i32, i64, i32, i32) -> i1
// CHECK-NEXT:     llvm.func @xgpu.entry.waits(%arg0: !llvm.ptr) -> !llvm.ptr attributes {host.entry = "coroutine", no_unwind, passthrough = ["presplitcoroutine"]} {
// CHECK-NEXT:       %0 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:       %1 = llvm.mlir.constant(64 : i32) : i32
// CHECK-NEXT:       %2 = llvm.intr.coro.id %1, %0, %0, %0 : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
// CHECK-NEXT:       %3 = llvm.intr.coro.size : i64
// CHECK-NEXT:       %4 = llvm.intr.coro.align : i64
// CHECK-NEXT:       %5 = llvm.call @xgpu_frame(%arg0, %3, %4) : (!llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:       %6 = llvm.intr.coro.begin %2, %5 : (!llvm.token, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:       %7 = llvm.load %arg0 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %8 = llvm.load %7 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %9 = llvm.getelementptr %8[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %10 = llvm.load %9 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %11 = llvm.load %10 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %12 = llvm.load %11 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %13 = llvm.getelementptr %10[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %14 = llvm.load %13 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %15 = llvm.load %14 : !llvm.ptr -> i32
// CHECK-NEXT:       %16 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %17 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %18 = llvm.mlir.constant(false) : i1
// CHECK-NEXT:       %19 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       llvm.br ^bb2
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %20 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %21 = llvm.call @xgpu_warp(%arg0, %16, %20, %17, %16, %16) : (!llvm.ptr, i32, i32, i64, i32, i32) -> i1
// CHECK-NEXT:       llvm.cond_br %21, ^bb4, ^bb3
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       %22 = llvm.mlir.none : !llvm.token
// CHECK-NEXT:       %23 = llvm.intr.coro.suspend %22, %18 : i8
// CHECK-NEXT:       llvm.switch %23 : i8, ^bb8 [
// CHECK-NEXT:         0: ^bb4,
// CHECK-NEXT:         1: ^bb7
// CHECK-NEXT:       ]
// CHECK-NEXT:     ^bb4:  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:       llvm.br ^bb5(%15 : i32)
// CHECK-NEXT:     ^bb5(%24: i32):  // pred: ^bb4
// CHECK-NEXT:       llvm.store %24, %12 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb6
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       %25 = llvm.mlir.none : !llvm.token
// CHECK-NEXT:       %26 = llvm.intr.coro.suspend %25, %19 : i8
// CHECK-NEXT:       llvm.switch %26 : i8, ^bb8 [
// CHECK-NEXT:         0: ^bb9,
// CHECK-NEXT:         1: ^bb7
// CHECK-NEXT:       ]
// CHECK-NEXT:     ^bb7:  // 2 preds: ^bb3, ^bb6
// CHECK-NEXT:       llvm.br ^bb8
// CHECK-NEXT:     ^bb8:  // 3 preds: ^bb3, ^bb6, ^bb7
// CHECK-NEXT:       %27 = llvm.mlir.none : !llvm.token
// CHECK-NEXT:       %28 = llvm.intr.coro.end %6, %18, %27 : (!llvm.ptr, i1, !llvm.token) -> i1
// CHECK-NEXT:       llvm.return %6 : !llvm.ptr
// CHECK-NEXT:     ^bb9:  // pred: ^bb6
// CHECK-NEXT:       llvm.unreachable
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @sync(%b: i32) -> i32 {
    %m = llvm.mlir.constant(-1 : i32) : i32
    nvvm.bar.warp.sync %m : i32
    llvm.return %b : i32
  }
  llvm.func @waits(%out: !llvm.ptr<3>, %x: i32) attributes {nvvm.kernel} {
    %y = llvm.call @sync(%x) : (i32) -> i32
    llvm.store %y, %out : i32, !llvm.ptr<3>
    llvm.return
  }
}
