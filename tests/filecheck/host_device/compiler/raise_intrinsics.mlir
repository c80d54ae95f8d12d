// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of NVVM's intrinsics, as LLVM IR has them, become operations that vectors have forms for.
// RUN: xgpu-opt --host-raise-intrinsics %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: i32, %arg1: f32, %arg2: i64, %arg3: i1) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       nvvm.barrier0
// CHECK-NEXT:       llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%1) : (i32) -> ()
// CHECK-NEXT:       nvvm.bar.warp.sync %2 : i32
// CHECK-NEXT:       %3 = nvvm.shfl.sync  bfly %2, %arg0, %1, %1 : i32 -> i32
// CHECK-NEXT:       %4 = nvvm.shfl.sync  down %2, %arg1, %1, %1 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
// CHECK-NEXT:       %5 = nvvm.vote.sync  ballot %2, %arg3 -> i32
// CHECK-NEXT:       %6 = nvvm.match.sync  all %2, %arg2 : i64 -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %7 = nvvm.redux.sync  umax %arg0, %2 : i32 -> i32
// CHECK-NEXT:       %8 = nvvm.redux.sync  fmin %arg1, %2 {abs = true, nan = true} : f32 -> f32
// CHECK-NEXT:       %9 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%arg1) : (f32) -> f32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%v: i32, %f: f32, %w: i64, %c: i1) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%zero) : (i32) -> ()
    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%one) : (i32) -> ()
    llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"(%all) : (i32) -> ()
    %0 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%all, %v, %one, %one) : (i32, i32, i32, i32) -> i32
    %1 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.down.f32p"(%all, %f, %one, %one) : (i32, f32, i32, i32) -> !llvm.struct<(f32, i1)>
    %2 = llvm.call_intrinsic "llvm.nvvm.vote.ballot.sync"(%all, %c) : (i32, i1) -> i32
    %3 = llvm.call_intrinsic "llvm.nvvm.match.all.sync.i64p"(%all, %w) : (i32, i64) -> !llvm.struct<(i32, i1)>
    %4 = llvm.call_intrinsic "llvm.nvvm.redux.sync.umax"(%v, %all) : (i32, i32) -> i32
    %5 = llvm.call_intrinsic "llvm.nvvm.redux.sync.fmin.abs.NaN"(%f, %all) : (f32, i32) -> f32
    %6 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%f) : (f32) -> f32
    llvm.return
  }
}
