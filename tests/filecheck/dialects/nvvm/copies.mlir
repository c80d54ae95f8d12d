// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Asynchronous copies: cp.async, bulk copies, TMA; prefetches and addresses in a cluster.

// CHECK: module {
// CHECK-NEXT:   llvm.func @cp_async(%arg0: !llvm.ptr<3>, %arg1: !llvm.ptr<1>, %arg2: i32) {
// CHECK-NEXT:     nvvm.cp.async.shared.global %arg0, %arg1, 4, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT:     nvvm.cp.async.shared.global %arg0, %arg1, 8, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT:     nvvm.cp.async.shared.global %arg0, %arg1, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT:     nvvm.cp.async.shared.global %arg0, %arg1, 16, cache =  cg, %arg2 : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NEXT:     nvvm.cp.async.commit.group
// CHECK-NEXT:     nvvm.cp.async.wait.group 0
// CHECK-NEXT:     nvvm.cp.async.wait.group 2
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
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

// CHECK-NEXT:   llvm.func @bulk(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<3>, %arg2: !llvm.ptr<7>, %arg3: !llvm.ptr<3>, %arg4: i32, %arg5: i16, %arg6: i64, %arg7: i16) {
// CHECK-NEXT:     nvvm.cp.async.bulk.shared.cluster.global %arg2, %arg0, %arg3, %arg4 : !llvm.ptr<7>, <1>
// CHECK-NEXT:     nvvm.cp.async.bulk.shared.cluster.global %arg1, %arg0, %arg3, %arg4 l2_cache_hint = %arg6 : !llvm.ptr<3>, <1>
// CHECK-NEXT:     nvvm.cp.async.bulk.shared.cluster.global %arg2, %arg0, %arg3, %arg4 multicast_mask = %arg5 l2_cache_hint = %arg6 : !llvm.ptr<7>, <1>
// CHECK-NEXT:     nvvm.cp.async.bulk.shared.cluster.shared.cta %arg2, %arg1, %arg3, %arg4 : <7>, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.global.shared.cta %arg0, %arg1, %arg4 : <1>, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.global.shared.cta %arg0, %arg1, %arg4 l2_cache_hint = %arg6 byte_mask = %arg7 : <1>, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.prefetch %arg0, %arg4 : <1>
// CHECK-NEXT:     nvvm.cp.async.bulk.prefetch %arg0, %arg4 l2_cache_hint = %arg6 : <1>
// CHECK-NEXT:     nvvm.cp.async.bulk.commit.group
// CHECK-NEXT:     nvvm.cp.async.bulk.wait_group 1
// CHECK-NEXT:     nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
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

// CHECK-NEXT:   llvm.func @tensor_load(%arg0: !llvm.ptr, %arg1: !llvm.ptr<7>, %arg2: !llvm.ptr<3>, %arg3: !llvm.ptr<3>, %arg4: i32, %arg5: i16, %arg6: i16, %arg7: i64, %arg8: i1) {
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg3, box[%arg4] : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg3, box[%arg4, %arg4] multicast_mask = %arg6 l2_cache_hint = %arg7 {group = #nvvm.cta_group<cta_1>} : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg3, box[%arg4, %arg4, %arg4] predicate = %arg8 : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg3, box[%arg4, %arg4, %arg4] im2col[%arg5] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg3, box[%arg4, %arg4, %arg4, %arg4] im2col[%arg5, %arg5] {mode = #nvvm.tma_load_mode<im2col_w>} : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg3, box[%arg4, %arg4, %arg4, %arg4] im2col[%arg5, %arg5] {mode = #nvvm.tma_load_mode<im2col_w_128>} : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg1, %arg0, %arg3, box[%arg4, %arg4, %arg4, %arg4, %arg4] {group = #nvvm.cta_group<cta_2>, mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %arg2, %arg0, %arg3, box[%arg4, %arg4, %arg4, %arg4] l2_cache_hint = %arg7 {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @tensor_load(%d: !llvm.ptr, %c: !llvm.ptr<7>, %s: !llvm.ptr<3>, %mbar: !llvm.ptr<3>, %i: i32, %o: i16, %mask: i16, %hint: i64, %p: i1) {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i] : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i] multicast_mask = %mask l2_cache_hint = %hint {group = #nvvm.cta_group<cta_1>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i] predicate = %p : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i] im2col[%o] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i, %i] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i, %i] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w_128>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %mbar, box[%i, %i, %i, %i, %i] {group = #nvvm.cta_group<cta_2>, mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %d, %mbar, box[%i, %i, %i, %i] l2_cache_hint = %hint {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

// CHECK-NEXT:   llvm.func @tensor_prefetch(%arg0: !llvm.ptr, %arg1: i32, %arg2: i16, %arg3: i64) {
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.prefetch %arg0, box[%arg1] : !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.prefetch %arg0, box[%arg1, %arg1, %arg1] im2col[%arg2] l2_cache_hint = %arg3 {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.prefetch %arg0, box[%arg1, %arg1, %arg1, %arg1, %arg1] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @tensor_prefetch(%d: !llvm.ptr, %i: i32, %o: i16, %hint: i64) {
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i] : !llvm.ptr
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i, %i, %i] im2col[%o] l2_cache_hint = %hint {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i, %i, %i, %i, %i] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr
  llvm.return
}

// CHECK-NEXT:   llvm.func @tensor_store(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i64, %arg4: i1) {
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2] : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2, %arg2] l2_cache_hint = %arg3 : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2, %arg2], predicate = %arg4 : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2, %arg2, %arg2] {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %arg0, %arg1, box[%arg2, %arg2, %arg2, %arg2, %arg2] {mode = #nvvm.tma_store_mode<tile_scatter4>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg2] l2_cache_hint = %arg3 {redKind = #nvvm.tma_redux_kind<min>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg2] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg2] {redKind = #nvvm.tma_redux_kind<inc>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg2] {redKind = #nvvm.tma_redux_kind<dec>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg2] {redKind = #nvvm.tma_redux_kind<and>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg2] {redKind = #nvvm.tma_redux_kind<or>} : !llvm.ptr, <3>
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.reduce %arg0, %arg1, box[%arg2, %arg2, %arg2] {mode = #nvvm.tma_store_mode<im2col>, redKind = #nvvm.tma_redux_kind<xor>} : !llvm.ptr, <3>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @tensor_store(%d: !llvm.ptr, %s: !llvm.ptr<3>, %i: i32, %hint: i64, %p: i1) {
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i] : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i] l2_cache_hint = %hint : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i], predicate = %p : !llvm.ptr, !llvm.ptr<3>
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

// CHECK-NEXT:   llvm.func @prefetch(%arg0: !llvm.ptr, %arg1: !llvm.ptr<1>, %arg2: !llvm.ptr<5>, %arg3: !llvm.ptr<4>, %arg4: i1) {
// CHECK-NEXT:     nvvm.prefetch level =  L1, %arg0 : !llvm.ptr
// CHECK-NEXT:     nvvm.prefetch level =  L1 uniform, %arg0 : !llvm.ptr
// CHECK-NEXT:     nvvm.prefetch level =  L2, %arg2 : !llvm.ptr<5>
// CHECK-NEXT:     nvvm.prefetch level =  L2, evict_priority =  evict_last, %arg1 : !llvm.ptr<1>
// CHECK-NEXT:     nvvm.prefetch level =  L2, evict_priority =  evict_normal, %arg1 : !llvm.ptr<1>
// CHECK-NEXT:     nvvm.prefetch tensormap, %arg3 : !llvm.ptr<4>
// CHECK-NEXT:     nvvm.prefetch tensormap in_param_space, %arg0 : !llvm.ptr
// CHECK-NEXT:     nvvm.prefetch tensormap, %arg0, predicate = %arg4 : !llvm.ptr, i1
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @prefetch(%p: !llvm.ptr, %g: !llvm.ptr<1>, %l: !llvm.ptr<5>, %c: !llvm.ptr<4>, %predicate: i1) {
  nvvm.prefetch level = L1, %p : !llvm.ptr
  nvvm.prefetch level = L1 uniform, %p : !llvm.ptr
  nvvm.prefetch level = L2, %l : !llvm.ptr<5>
  nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>
  nvvm.prefetch level = L2, evict_priority = evict_normal, %g : !llvm.ptr<1>
  nvvm.prefetch tensormap, %c : !llvm.ptr<4>
  nvvm.prefetch tensormap in_param_space, %p : !llvm.ptr
  nvvm.prefetch tensormap, %p, predicate = %predicate : !llvm.ptr, i1
  llvm.return
}

// CHECK-NEXT:   llvm.func @addresses(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: i64) {
// CHECK-NEXT:     %0 = nvvm.mapa %arg0, %arg2 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     %1 = nvvm.mapa %arg1, %arg2 : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK-NEXT:     nvvm.st.bulk %arg0, size = %arg3 : !llvm.ptr
// CHECK-NEXT:     nvvm.st.bulk %arg1, size = %arg3 : !llvm.ptr<3>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @addresses(%p: !llvm.ptr, %s: !llvm.ptr<3>, %block: i32, %size: i64) {
  %0 = nvvm.mapa %p, %block : !llvm.ptr -> !llvm.ptr
  %1 = nvvm.mapa %s, %block : !llvm.ptr<3> -> !llvm.ptr<7>
  nvvm.st.bulk %p, size = %size : !llvm.ptr
  nvvm.st.bulk %s, size = %size, init = 0 : !llvm.ptr<3>
  llvm.return
}
