// RUN: xgpu-opt --convert-nvvm-to-llvm %s | filecheck %s --match-full-lines

// Operations without an intrinsic, as inline PTX.

// CHECK: module {
// CHECK-NEXT:   llvm.func @barriers(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i32, %arg4: i1) {
// CHECK-NEXT:     nvvm.mbarrier.init %arg1, %arg2 : !llvm.ptr<3>, i32
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$2 mbarrier.init.shared.b64 [$0], $1;", "r,r,b" %arg1, %arg2, %arg4 : (!llvm.ptr<3>, i32, i1) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$2 mbarrier.init.b64 [$0], $1;", "l,r,b" %arg0, %arg2, %arg4 : (!llvm.ptr, i32, i1) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$2 mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", "r,r,b" %arg1, %arg2, %arg4 : (!llvm.ptr<3>, i32, i1) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$2 mbarrier.arrive.expect_tx.b64 _, [$0], $1;", "l,r,b" %arg0, %arg2, %arg4 : (!llvm.ptr, i32, i1) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r" %arg1, %arg3, %arg2 : (!llvm.ptr<3>, i32, i32) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "l,r,r" %arg0, %arg3, %arg2 : (!llvm.ptr, i32, i32) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "bar.arrive 0, $0;", "r" %arg2 : (i32) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "bar.arrive $0, $1;", "r,r" %arg3, %arg2 : (i32, i32) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @barriers(%p: !llvm.ptr, %s: !llvm.ptr<3>, %count: i32, %phase: i32, %predicate: i1) {
  nvvm.mbarrier.init %s, %count : !llvm.ptr<3>, i32
  nvvm.mbarrier.init %s, %count, predicate = %predicate : !llvm.ptr<3>, i32, i1
  nvvm.mbarrier.init %p, %count, predicate = %predicate : !llvm.ptr, i32, i1
  nvvm.mbarrier.arrive.expect_tx %s, %count, predicate = %predicate : !llvm.ptr<3>, i32, i1
  nvvm.mbarrier.arrive.expect_tx %p, %count, predicate = %predicate : !llvm.ptr, i32, i1
  nvvm.mbarrier.try_wait.parity %s, %phase, %count : !llvm.ptr<3>, i32, i32
  nvvm.mbarrier.try_wait.parity %p, %phase, %count : !llvm.ptr, i32, i32
  nvvm.barrier.arrive number_of_threads = %count
  nvvm.barrier.arrive id = %phase number_of_threads = %count
  llvm.return
}

// CHECK-NEXT:   llvm.func @copies(%arg0: !llvm.ptr, %arg1: !llvm.ptr<7>, %arg2: !llvm.ptr<3>, %arg3: i32, %arg4: i16, %arg5: i64, %arg6: i16, %arg7: i1) {
// CHECK-NEXT:     nvvm.prefetch tensormap, %arg0 : !llvm.ptr
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$1 prefetch.tensormap [$0];", "l,b" %arg0, %arg7 : (!llvm.ptr, i1) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$4 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2} ], [$3];", "l,l,r,r,b" %arg1, %arg0, %arg3, %arg2, %arg7 : (!llvm.ptr<7>, !llvm.ptr, i32, !llvm.ptr<3>, i1) -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$9 cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.im2col.multicast::cluster.L2::cache_hint [$0], [$1, {$2,$3,$4} ], [$5],{$6}, $7, $8;", "l,l,r,r,r,r,h,h,l,b" %arg1, %arg0, %arg3, %arg3, %arg3, %arg2, %arg4, %arg6, %arg5, %arg7 : (!llvm.ptr<7>, !llvm.ptr, i32, i32, i32, !llvm.ptr<3>, i16, i16, i64, i1) -> ()
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg2, box[%arg3, %arg3] : !llvm.ptr, <3>
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$4 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$2, $3} ], [$1];", "l,r,r,r,b" %arg0, %arg2, %arg3, %arg3, %arg7 : (!llvm.ptr, !llvm.ptr<3>, i32, i32, i1) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @copies(%d: !llvm.ptr, %c: !llvm.ptr<7>, %s: !llvm.ptr<3>, %i: i32, %o: i16, %hint: i64, %mask: i16, %predicate: i1) {
  nvvm.prefetch tensormap, %d : !llvm.ptr
  nvvm.prefetch tensormap, %d, predicate = %predicate : !llvm.ptr, i1
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i] predicate = %predicate : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i, %i] im2col[%o] multicast_mask = %mask l2_cache_hint = %hint predicate = %predicate {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i] : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i], predicate = %predicate : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// CHECK-NEXT:   llvm.func @inline_ptx(%arg0: !llvm.ptr, %arg1: i32, %arg2: i64, %arg3: f32, %arg4: f64, %arg5: i1) -> f32 {
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "bar.sync 0;", ""  : () -> ()
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "@$2 st.b32 [$0], $1;", "l,r,b" %arg0, %arg1, %arg5 : (!llvm.ptr, i32, i1) -> ()
// CHECK-NEXT:     %0 = llvm.inline_asm has_side_effects asm_dialect = att "ex2.approx.ftz.f32 $0, $1;", "=f,f" %arg3 : (f32) -> f32
// CHECK-NEXT:     %1 = llvm.inline_asm has_side_effects asm_dialect = att "add.f64 $0, $0, $1;", "=d,d,0" %arg4, %arg4 : (f64, f64) -> f64
// CHECK-NEXT:     %2 = llvm.inline_asm has_side_effects asm_dialect = att "mov.b64 {$0, $1}, $2;", "=r,=r,l" %arg2 : (i64) -> !llvm.struct<(i32, i32)>
// CHECK-NEXT:     %3 = llvm.extractvalue %2[0] : !llvm.struct<(i32, i32)>
// CHECK-NEXT:     %4 = llvm.extractvalue %2[1] : !llvm.struct<(i32, i32)>
// CHECK-NEXT:     llvm.return %0 : f32
// CHECK-NEXT:   }
llvm.func @inline_ptx(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32, %d: f64, %predicate: i1) -> f32 {
  nvvm.inline_ptx "bar.sync 0;"
  nvvm.inline_ptx "st.b32 [$0], $1;" ro(%p, %i : !llvm.ptr, i32), predicate = %predicate
  %0 = nvvm.inline_ptx "ex2.approx.ftz.f32 {$w0}, {$r0};" ro(%f : f32) -> f32
  nvvm.inline_ptx "add.f64 {$rw0}, {$rw0}, {$r0};" ro(%d : f64) rw(%d : f64)
  %1:2 = nvvm.inline_ptx "mov.b64 {{$w0}, {$w1}}, {$r0};" ro(%l : i64) -> i32, i32
  llvm.return %0 : f32
}

// CHECK-NEXT:   llvm.func @wgmma(%arg0: i64, %arg1: i64, %arg2: !llvm.struct<(f32, f32, f32, f32)>, %arg3: !llvm.struct<(i32, i32, i32, i32)>) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %2 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     %3 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %4 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %5 = llvm.extractvalue %arg2[0] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %6 = llvm.extractvalue %arg2[1] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %7 = llvm.extractvalue %arg2[2] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %8 = llvm.extractvalue %arg2[3] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %9 = llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred p;\0Asetp.ne.b32 p, $10, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, p, $11,  $12, $13,  $14;\0A}\0A", "=f,=f,=f,=f,0,1,2,3,l,l,n,n,n,n,n" %5, %6, %7, %8, %arg0, %arg1, %0, %1, %2, %3, %4 : (f32, f32, f32, f32, i64, i64, i32, i32, i32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %10 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %11 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %12 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %13 = llvm.extractvalue %arg2[0] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %14 = llvm.extractvalue %arg2[1] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %15 = llvm.extractvalue %arg2[2] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %16 = llvm.extractvalue %arg2[3] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %17 = llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred p;\0Asetp.ne.b32 p, $10, 0;\0Awgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, $8, $9, p, $11,  $12;\0A}\0A", "=f,=f,=f,=f,0,1,2,3,l,l,n,n,n" %13, %14, %15, %16, %arg0, %arg1, %10, %11, %12 : (f32, f32, f32, f32, i64, i64, i32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %18 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %19 = llvm.extractvalue %arg3[0] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %20 = llvm.extractvalue %arg3[1] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %21 = llvm.extractvalue %arg3[2] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %22 = llvm.extractvalue %arg3[3] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %23 = llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred p;\0Asetp.ne.b32 p, $10, 0;\0Awgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {$0, $1, $2, $3}, $8, $9, p;\0A}\0A", "=r,=r,=r,=r,0,1,2,3,l,l,n" %19, %20, %21, %22, %arg0, %arg1, %18 : (i32, i32, i32, i32, i64, i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @wgmma(%a: i64, %b: i64, %f: !llvm.struct<(f32, f32, f32, f32)>, %i: !llvm.struct<(i32, i32, i32, i32)>) {
  %0 = nvvm.wgmma.mma_async %a, %b, %f, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <neg>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  %1 = nvvm.wgmma.mma_async %a, %b, %f, #nvvm.shape<m = 64, n = 8, k = 8>, D [<f32>, <zero>], A [<tf32>, <one>, <row>], B [<tf32>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  %2 = nvvm.wgmma.mma_async %a, %b, %i, #nvvm.shape<m = 64, n = 8, k = 32>, D [<s32>, <one>, <satfinite>], A [<s8>, <one>, <row>], B [<u8>, <one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// Nothing here needs PTX.
// CHECK-NEXT:   llvm.func @intrinsics(%arg0: i32) {
// CHECK-NEXT:     nvvm.barrier0
// CHECK-NEXT:     %0 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:     nvvm.cp.async.commit.group
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @intrinsics(%i: i32) {
  nvvm.barrier0
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  nvvm.cp.async.commit.group
  llvm.return
}
