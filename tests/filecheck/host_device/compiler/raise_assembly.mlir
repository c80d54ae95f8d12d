// RUN: xgpu-opt --host-raise-assembly %s | filecheck %s --match-full-lines

// A predicate becomes a branch around what it guards, where that does more than compute.
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @accesses(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<3>, %arg2: i1, %arg3: i32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       llvm.cond_br %arg2, ^bb1, ^bb2(%0 : i32)
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %1 = llvm.getelementptr %arg0[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
// CHECK-NEXT:       %2 = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NEXT:       llvm.br ^bb2(%2 : i32)
// CHECK-NEXT:     ^bb2(%3: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:       %4 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:       %5 = llvm.xor %arg2, %4 : i1
// CHECK-NEXT:       llvm.cond_br %5, ^bb3, ^bb4
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       %6 = llvm.mlir.poison : vector<2xi32>
// CHECK-NEXT:       %7 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %8 = llvm.insertelement %3, %6[%7 : i32] : vector<2xi32>
// CHECK-NEXT:       %9 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %10 = llvm.insertelement %3, %8[%9 : i32] : vector<2xi32>
// CHECK-NEXT:       llvm.store %10, %arg1 {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<3>
// CHECK-NEXT:       llvm.br ^bb4
// CHECK-NEXT:     ^bb4:  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:       %11 = llvm.atomicrmw add %arg0, %arg3 syncscope("device") acq_rel : !llvm.ptr<1>, i32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @arithmetic(%arg0: i32, %arg1: i32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.icmp "slt" %arg0, %arg1 : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:       %2 = llvm.xor %0, %1 : i1
// CHECK-NEXT:       %3 = llvm.add %arg0, %arg1 : i32
// CHECK-NEXT:       %4 = llvm.select %0, %3, %arg0 : i1, i32
// CHECK-NEXT:       %5 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %6 = llvm.mlir.constant(31 : i32) : i32
// CHECK-NEXT:       %7 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %8 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%7, %4, %5, %6) : (i32, i32, i32, i32) -> i32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @waits(%arg0: !llvm.ptr<3>, %arg1: i32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       nvvm.mbarrier.try_wait.parity %arg0, %arg1, %0 : !llvm.ptr<3>, i32, i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(64 : i32) : i32
// CHECK-NEXT:       nvvm.barrier id = %1 number_of_threads = %2
// CHECK-NEXT:       nvvm.cp.async.commit.group
// CHECK-NEXT:       nvvm.cp.async.wait.group 1
// CHECK-NEXT:       llvm.fence seq_cst
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @products(%arg0: i64, %arg1: i64, %arg2: f32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.bitcast %arg2 : f32 to i32
// CHECK-NEXT:       %1 = llvm.bitcast %arg2 : f32 to i32
// CHECK-NEXT:       %2 = llvm.bitcast %arg2 : f32 to i32
// CHECK-NEXT:       %3 = llvm.bitcast %arg2 : f32 to i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %5 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %6 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %7 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %8 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %9 = llvm.call_intrinsic "llvm.nvvm.ptx.wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"(%0, %1, %2, %3, %arg0, %arg1, %4, %5, %6, %7, %8) : (i32, i32, i32, i32, i64, i64, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:       %10 = llvm.extractvalue %9[0] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:       %11 = llvm.extractvalue %9[1] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:       %12 = llvm.extractvalue %9[2] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:       %13 = llvm.extractvalue %9[3] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:       %14 = llvm.bitcast %10 : i32 to f32
// CHECK-NEXT:       %15 = llvm.bitcast %11 : i32 to f32
// CHECK-NEXT:       %16 = llvm.bitcast %12 : i32 to f32
// CHECK-NEXT:       %17 = llvm.bitcast %13 : i32 to f32
// CHECK-NEXT:       %18 = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:       %19 = llvm.insertvalue %14, %18[0] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:       %20 = llvm.insertvalue %15, %19[1] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:       %21 = llvm.insertvalue %16, %20[2] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:       %22 = llvm.insertvalue %17, %21[3] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @accesses(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>, %c: i1, %v: i32) attributes {nvvm.kernel} {
    %0 = llvm.inline_asm has_side_effects "mov.u32 $0, 0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 4 ];", "=r,l,b" %p, %c : (!llvm.ptr<1>, i1) -> i32
    llvm.inline_asm has_side_effects "@!$2 st.shared.v2.b32 [ $1 + 0 ], { $0, $0 };", "r,r,b" %0, %q, %c : (i32, !llvm.ptr<3>, i1) -> ()
    %1 = llvm.inline_asm has_side_effects "atom.global.gpu.acq_rel.add.u32 $0, [$1], $2;", "=r,l,r" %p, %v : (!llvm.ptr<1>, i32) -> i32
    llvm.return
  }

  // What only computes is done, and the predicate chooses.
  llvm.func @arithmetic(%a: i32, %b: i32) attributes {nvvm.kernel} {
    %0 = llvm.inline_asm "{ .reg .pred p; setp.lt.s32 p, $1, $2; mov.b32 $0, $1; @p add.s32 $0, $1, $2; }", "=r,r,r" %a, %b : (i32, i32) -> i32
    %1 = llvm.inline_asm "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", "=r,r" %0 : (i32) -> i32
    llvm.return
  }

  // A loop that tries again is one wait; other branches become blocks.
  llvm.func @waits(%bar: !llvm.ptr<3>, %phase: i32) attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "{ .reg .pred P1; AGAIN: mbarrier.try_wait.parity.shared.b64 P1, [$0], $1; @!P1 bra AGAIN; }", "r,r" %bar, %phase : (!llvm.ptr<3>, i32) -> ()
    llvm.inline_asm has_side_effects "bar.sync 1, 64; cp.async.commit_group; cp.async.wait_group 1; fence.acq_rel.gpu;", "" : () -> ()
    llvm.return
  }

  llvm.func @products(%a: i64, %b: i64, %d: f32) attributes {nvvm.kernel} {
    %0 = llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,0,1,2,3,l,l" %d, %d, %d, %d, %a, %b : (f32, f32, f32, f32, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    llvm.return
  }
}
