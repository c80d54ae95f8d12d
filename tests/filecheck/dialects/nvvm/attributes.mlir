// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Attributes of functions, arguments and modules, targets, and defaults that are spelled out.

// CHECK: module {
// CHECK-NEXT:   func.func private @targets() attributes {test.attrs = [#nvvm.target, #nvvm.target<O = 0>, #nvvm.target<O = 3, triple = "nvptx64", chip = "sm_90a", features = "+ptx80", flags = {fast, ftz}, link = ["a.bc", "b.bc"], verifyTarget = false>]}
func.func private @targets() attributes {test.attrs = [#nvvm.target, #nvvm.target<O = 0>, #nvvm.target<O = 3, triple = "nvptx64", chip = "sm_90a", features = "+ptx80", flags = {fast, ftz}, link = ["a.bc", "b.bc"], verifyTarget = false>]}

// CHECK-NEXT:   llvm.func @kernel(%arg0: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) attributes {nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2>, nvvm.cluster_max_blocks = 4 : i32, nvvm.kernel, nvvm.maxnreg = 64 : i32, nvvm.maxntid = array<i32: 128, 2>, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 128, 2, 1>} {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @kernel(%p: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 2>, nvvm.reqntid = array<i32: 128, 2, 1>, nvvm.cluster_dim = array<i32: 2>, nvvm.cluster_max_blocks = 4 : i32, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 64 : i32, nvvm.blocksareclusters} {
  llvm.return
}

// CHECK-NEXT:   llvm.func @ranges() {
// CHECK-NEXT:     %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024> : i32
// CHECK-NEXT:     %1 = nvvm.read.ptx.sreg.ctaid.z range <i32, 0, 65535> : i32
// CHECK-NEXT:     %2 = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
// CHECK-NEXT:     %3 = nvvm.read.ptx.sreg.cluster.ctarank range <i32, 0, 8> : i32
// CHECK-NEXT:     %4 = nvvm.read.ptx.sreg.warpsize range <i32, 32, 33> : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @ranges() {
  %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024> : i32
  %1 = nvvm.read.ptx.sreg.ctaid.z range <i32, 0, 65535> : i32
  %2 = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
  %3 = nvvm.read.ptx.sreg.cluster.ctarank range <i32, 0, 8> : i32
  %4 = nvvm.read.ptx.sreg.warpsize range <i32, 32, 33> : i32
  llvm.return
}

// CHECK-NEXT:   llvm.func @defaults(%arg0: !llvm.ptr, %arg1: !llvm.ptr<7>, %arg2: !llvm.ptr<3>, %arg3: !llvm.ptr<6>, %arg4: i64, %arg5: i32, %arg6: i1, %arg7: f32, %arg8: f32) {
// CHECK-NEXT:     nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
// CHECK-NEXT:     nvvm.mbarrier.arrive_drop.expect_tx %arg1, %arg5 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
// CHECK-NEXT:     %0 = nvvm.mbarrier.arrive %arg2 : !llvm.ptr<3> -> i64
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg2, box[%arg5] : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg2, box[%arg5] : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.tcgen05.alloc %arg2, %arg5 : !llvm.ptr<3>, i32
// CHECK-NEXT:     nvvm.tcgen05.cp %arg3, %arg4 {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
// CHECK-NEXT:     nvvm.tcgen05.mma %arg3, %arg4, %arg4, %arg5, %arg6 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
// CHECK-NEXT:     %1 = nvvm.convert.f32x2.to.f16x2 %arg7, %arg8 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
// CHECK-NEXT:     nvvm.cp.async.mbarrier.arrive %arg2 : !llvm.ptr<3>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @defaults(%d: !llvm.ptr, %c: !llvm.ptr<7>, %s: !llvm.ptr<3>, %t: !llvm.ptr<6>, %l: i64, %i: i32, %e: i1, %x: f32, %y: f32) {
  nvvm.fence.proxy.sync_restrict {fromProxy = #nvvm.proxy_kind<generic>, order = #nvvm.mem_order<acquire>, toProxy = #nvvm.proxy_kind<async>}
  nvvm.mbarrier.arrive_drop.expect_tx %c, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  %0 = nvvm.mbarrier.arrive %s {relaxed = false, scope = #nvvm.mem_scope<cta>} : !llvm.ptr<3> -> i64
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i] {isCTAOnly = false, mode = #nvvm.tma_load_mode<tile>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i] {mode = #nvvm.tma_store_mode<tile>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.tcgen05.alloc %s, %i {group = #nvvm.cta_group<cta_1>} : !llvm.ptr<3>, i32
  nvvm.tcgen05.cp %t, %l {multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
  nvvm.tcgen05.mma %t, %l, %l, %i, %e {collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  %1 = nvvm.convert.f32x2.to.f16x2 %x, %y {relu = false, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<none>} : vector<2xf16>
  nvvm.cp.async.mbarrier.arrive %s {noinc = false} : !llvm.ptr<3>
  llvm.return
}
