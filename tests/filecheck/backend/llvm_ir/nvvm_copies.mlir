// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Asynchronous copies as calls: plain, bulk, of tensors, with and without their options.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @cp_async(ptr addrspace(3) %0, ptr addrspace(1) %1, i32 %2) {
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %0, ptr addrspace(1) %1)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %0, ptr addrspace(1) %1)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %0, ptr addrspace(1) %1)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %0, ptr addrspace(1) %1, i32 %2)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.commit.group()
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.wait.group(i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.wait.group(i32 2)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @cp_async(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %size: i32) {
  nvvm.cp.async.shared.global %s, %g, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.shared.global %s, %g, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.shared.global %s, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %size : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  nvvm.cp.async.wait.group 2
  llvm.return
}

// CHECK-NEXT: define void @bulk(ptr addrspace(1) %0, ptr addrspace(3) %1, ptr addrspace(7) %2, ptr addrspace(3) %3, i32 %4, i16 %5, i64 %6, i16 %7) {
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %2, ptr addrspace(3) %3, ptr addrspace(1) %0, i32 %4, i16 0, i64 0, i1 false, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) %1, ptr addrspace(3) %3, ptr addrspace(1) %0, i32 %4, i64 %6, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %2, ptr addrspace(3) %3, ptr addrspace(1) %0, i32 %4, i16 %5, i64 %6, i1 true, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7) %2, ptr addrspace(3) %3, ptr addrspace(3) %1, i32 %4)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %0, ptr addrspace(3) %1, i32 %4, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask(ptr addrspace(1) %0, ptr addrspace(3) %1, i32 %4, i64 %6, i1 true, i16 %7)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1) %0, i32 %4, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1) %0, i32 %4, i64 %6, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.commit.group()
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.wait.group(i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @bulk(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %mbar: !llvm.ptr<3>, %size: i32, %multicast: i16, %hint: i64, %bytes: i16) {
  nvvm.cp.async.bulk.shared.cluster.global %c, %g, %mbar, %size : !llvm.ptr<7>, !llvm.ptr<1>
  nvvm.cp.async.bulk.shared.cluster.global %s, %g, %mbar, %size l2_cache_hint = %hint : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.bulk.shared.cluster.global %c, %g, %mbar, %size multicast_mask = %multicast l2_cache_hint = %hint : !llvm.ptr<7>, !llvm.ptr<1>
  nvvm.cp.async.bulk.shared.cluster.shared.cta %c, %s, %mbar, %size : !llvm.ptr<7>, !llvm.ptr<3>
  nvvm.cp.async.bulk.global.shared.cta %g, %s, %size : !llvm.ptr<1>, !llvm.ptr<3>
  nvvm.cp.async.bulk.global.shared.cta %g, %s, %size l2_cache_hint = %hint byte_mask = %bytes : !llvm.ptr<1>, !llvm.ptr<3>
  nvvm.cp.async.bulk.prefetch %g, %size : !llvm.ptr<1>
  nvvm.cp.async.bulk.prefetch %g, %size l2_cache_hint = %hint : !llvm.ptr<1>
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait_group 1
  nvvm.cp.async.bulk.wait_group 0 {read}
  llvm.return
}

// CHECK-NEXT: define void @tensor_load(ptr %0, ptr addrspace(7) %1, ptr addrspace(3) %2, ptr addrspace(3) %3, i32 %4, i16 %5, i16 %6, i64 %7, i1 %8) {
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7) %1, ptr addrspace(3) %3, ptr %0, i32 %4, i16 0, i64 0, i1 false, i1 false, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %1, ptr addrspace(3) %3, ptr %0, i32 %4, i32 %4, i16 %6, i64 %7, i1 true, i1 true, i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.3d(ptr addrspace(7) %1, ptr addrspace(3) %3, ptr %0, i32 %4, i32 %4, i32 %4, i16 %5, i16 0, i64 0, i1 false, i1 false, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.w.4d(ptr addrspace(7) %1, ptr addrspace(3) %3, ptr %0, i32 %4, i32 %4, i32 %4, i32 %4, i16 %5, i16 %5, i16 0, i64 0, i1 false, i1 false, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.w.128.4d(ptr addrspace(7) %1, ptr addrspace(3) %3, ptr %0, i32 %4, i32 %4, i32 %4, i32 %4, i16 %5, i16 %5, i16 0, i64 0, i1 false, i1 false, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.gather4.2d(ptr addrspace(7) %1, ptr addrspace(3) %3, ptr %0, i32 %4, i32 %4, i32 %4, i32 %4, i32 %4, i16 0, i64 0, i1 false, i1 false, i32 2)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.4d(ptr addrspace(3) %2, ptr addrspace(3) %3, ptr %0, i32 %4, i32 %4, i32 %4, i32 %4, i64 %7, i1 true)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @tensor_load(%d: !llvm.ptr, %c: !llvm.ptr<7>, %s: !llvm.ptr<3>, %mbar: !llvm.ptr<3>, %i: i32, %o: i16, %mask: i16, %hint: i64, %p: i1) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i] : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i] multicast_mask = %mask l2_cache_hint = %hint {group = #nvvm.cta_group<cta_1>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i] im2col[%o] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i, %i] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i, %i] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w_128>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i, %i, %i] {group = #nvvm.cta_group<cta_2>, mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %d, %mbar, box[%i, %i, %i, %i] l2_cache_hint = %hint {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

// CHECK-NEXT: define void @tensor_prefetch(ptr %0, i32 %1, i16 %2, i64 %3) {
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr %0, i32 %1, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.im2col.3d(ptr %0, i32 %1, i32 %1, i32 %1, i16 %2, i64 %3, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.gather4.2d(ptr %0, i32 %1, i32 %1, i32 %1, i32 %1, i32 %1, i64 0, i1 false)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @tensor_prefetch(%d: !llvm.ptr, %i: i32, %o: i16, %hint: i64) {
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i] : !llvm.ptr
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i, %i, %i] im2col[%o] l2_cache_hint = %hint {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i, %i, %i, %i, %i] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr
  llvm.return
}

// CHECK-NEXT: define void @tensor_store(ptr %0, ptr addrspace(3) %1, i32 %2, i64 %3, i1 %4) {
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.1d(ptr addrspace(3) %1, ptr %0, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i64 %3, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.s2g.im2col.3d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.scatter4.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i32 %2, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.1d(ptr addrspace(3) %1, ptr %0, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.min.tile.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i64 %3, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.max.tile.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.inc.tile.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.dec.tile.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.and.tile.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.or.tile.2d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.cp.async.bulk.tensor.reduce.xor.im2col.3d(ptr addrspace(3) %1, ptr %0, i32 %2, i32 %2, i32 %2, i64 0, i1 false)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @tensor_store(%d: !llvm.ptr, %s: !llvm.ptr<3>, %i: i32, %hint: i64, %p: i1) {
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i] : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i] l2_cache_hint = %hint : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i, %i] {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i, %i, %i, %i] {mode = #nvvm.tma_store_mode<tile_scatter4>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i] l2_cache_hint = %hint {redKind = #nvvm.tma_redux_kind<min>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i] {redKind = #nvvm.tma_redux_kind<inc>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i] {redKind = #nvvm.tma_redux_kind<dec>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i] {redKind = #nvvm.tma_redux_kind<and>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i] {redKind = #nvvm.tma_redux_kind<or>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i, %i] {mode = #nvvm.tma_store_mode<im2col>, redKind = #nvvm.tma_redux_kind<xor>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// CHECK-NEXT: define void @prefetch(ptr %0, ptr addrspace(1) %1, ptr addrspace(5) %2, ptr addrspace(4) %3, i1 %4) {
// CHECK-NEXT:   call void @llvm.nvvm.prefetch.L1(ptr %0)
// CHECK-NEXT:   call void @llvm.nvvm.prefetchu.L1(ptr %0)
// CHECK-NEXT:   call void @llvm.nvvm.prefetch.local.L2(ptr addrspace(5) %2)
// CHECK-NEXT:   call void @llvm.nvvm.prefetch.global.L2.evict.last(ptr addrspace(1) %1)
// CHECK-NEXT:   call void @llvm.nvvm.prefetch.global.L2.evict.normal(ptr addrspace(1) %1)
// CHECK-NEXT:   call void @llvm.nvvm.prefetch.tensormap.p4(ptr addrspace(4) %3)
// CHECK-NEXT:   %6 = addrspacecast ptr %0 to ptr addrspace(101)
// CHECK-NEXT:   call void @llvm.nvvm.prefetch.tensormap.p101(ptr addrspace(101) %6)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @prefetch(%p: !llvm.ptr, %g: !llvm.ptr<1>, %l: !llvm.ptr<5>, %c: !llvm.ptr<4>, %predicate: i1) {
  nvvm.prefetch level = L1, %p : !llvm.ptr
  nvvm.prefetch level = L1 uniform, %p : !llvm.ptr
  nvvm.prefetch level = L2, %l : !llvm.ptr<5>
  nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>
  nvvm.prefetch level = L2, evict_priority = evict_normal, %g : !llvm.ptr<1>
  nvvm.prefetch tensormap, %c : !llvm.ptr<4>
  nvvm.prefetch tensormap in_param_space, %p : !llvm.ptr
  llvm.return
}

// CHECK-NEXT: define void @addresses(ptr %0, ptr addrspace(3) %1, i32 %2, i64 %3) {
// CHECK-NEXT:   %5 = call ptr @llvm.nvvm.mapa(ptr %0, i32 %2)
// CHECK-NEXT:   %6 = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %1, i32 %2)
// CHECK-NEXT:   call void @llvm.nvvm.st.bulk(ptr %0, i64 %3, i64 0)
// CHECK-NEXT:   call void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3) %1, i64 %3, i64 0)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
llvm.func @addresses(%p: !llvm.ptr, %s: !llvm.ptr<3>, %block: i32, %size: i64) {
  %0 = nvvm.mapa %p, %block : !llvm.ptr -> !llvm.ptr
  %1 = nvvm.mapa %s, %block : !llvm.ptr<3> -> !llvm.ptr<7>
  nvvm.st.bulk %p, size = %size : !llvm.ptr
  nvvm.st.bulk %s, size = %size, init = 0 : !llvm.ptr<3>
  llvm.return
}

// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) noalias writeonly, ptr addrspace(1) noalias readonly) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) noalias writeonly, ptr addrspace(1) noalias readonly) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) noalias writeonly, ptr addrspace(1) noalias readonly) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) noalias writeonly, ptr addrspace(1) noalias readonly, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.commit.group() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.wait.group(i32 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) writeonly, ptr addrspace(3), ptr addrspace(1) readonly, i32, i16, i64, i1 immarg, i1 immarg) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) writeonly, ptr addrspace(3), ptr addrspace(1) readonly, i32, i64, i1 immarg) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7) writeonly, ptr addrspace(3), ptr addrspace(3) readonly, i32) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) writeonly, ptr addrspace(3) readonly, i32, i64, i1 immarg) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask(ptr addrspace(1) writeonly, ptr addrspace(3) readonly, i32, i64, i1 immarg, i16) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1) readonly captures(none), i32, i64, i1 immarg) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.commit.group() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.wait.group(i32 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7) writeonly, ptr addrspace(3), ptr readonly, i32, i16, i64, i1 immarg, i1 immarg, i32 immarg range(i32 0, 3)) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) writeonly, ptr addrspace(3), ptr readonly, i32, i32, i16, i64, i1 immarg, i1 immarg, i32 immarg range(i32 0, 3)) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.3d(ptr addrspace(7) writeonly, ptr addrspace(3), ptr readonly, i32, i32, i32, i16, i16, i64, i1 immarg, i1 immarg, i32 immarg range(i32 0, 3)) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.w.4d(ptr addrspace(7) writeonly, ptr addrspace(3), ptr readonly, i32, i32, i32, i32, i16, i16, i16, i64, i1 immarg, i1 immarg, i32 immarg range(i32 0, 3)) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.w.128.4d(ptr addrspace(7) writeonly, ptr addrspace(3), ptr readonly, i32, i32, i32, i32, i16, i16, i16, i64, i1 immarg, i1 immarg, i32 immarg range(i32 0, 3)) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.gather4.2d(ptr addrspace(7) writeonly, ptr addrspace(3), ptr readonly, i32, i32, i32, i32, i32, i16, i64, i1 immarg, i1 immarg, i32 immarg range(i32 0, 3)) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.4d(ptr addrspace(3) writeonly, ptr addrspace(3), ptr readonly, i32, i32, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr readonly, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.prefetch.im2col.3d(ptr readonly, i32, i32, i32, i16, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.gather4.2d(ptr readonly, i32, i32, i32, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.1d(ptr addrspace(3) readonly, ptr readonly, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.im2col.3d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.scatter4.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i32, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.1d(ptr addrspace(3) readonly, ptr readonly, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.min.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.max.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.inc.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.dec.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.and.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.or.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.xor.im2col.3d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i32, i64, i1 immarg) #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.prefetch.L1(ptr readonly captures(none)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.prefetchu.L1(ptr readonly captures(none)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.prefetch.local.L2(ptr addrspace(5) readonly captures(none)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.prefetch.global.L2.evict.last(ptr addrspace(1) readonly captures(none)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.prefetch.global.L2.evict.normal(ptr addrspace(1) readonly captures(none)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.prefetch.tensormap.p4(ptr addrspace(4) readonly captures(none)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.prefetch.tensormap.p101(ptr addrspace(101) readonly captures(none)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare ptr @llvm.nvvm.mapa(ptr captures(none), i32) #5
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) captures(none), i32) #5
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
// CHECK-NEXT: declare void @llvm.nvvm.st.bulk(ptr writeonly captures(none), i64, i64 immarg) #6
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
// CHECK-NEXT: declare void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3) writeonly captures(none), i64, i64 immarg) #6
// CHECK-EMPTY:
// CHECK-NEXT: attributes #0 = { nocallback nounwind memory(argmem: readwrite) }
// CHECK-NEXT: attributes #1 = { nounwind }
// CHECK-NEXT: attributes #2 = { convergent nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
// CHECK-NEXT: attributes #3 = { convergent nocallback nofree nosync nounwind willreturn }
// CHECK-NEXT: attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
// CHECK-NEXT: attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
// CHECK-NEXT: attributes #6 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
