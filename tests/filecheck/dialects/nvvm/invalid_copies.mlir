// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What copies and prefetches cannot be.

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Only CG and CA cache modifiers are supported.}}
  nvvm.cp.async.shared.global %s, %g, 16, cache = cs : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{expected byte size to be either 4, 8 or 16.}}
  nvvm.cp.async.shared.global %s, %g, 2, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{CG cache modifier is only support for 16 bytes copy.}}
  nvvm.cp.async.shared.global %s, %g, 4, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.cp.async.shared.global' op operand #0 must be LLVM pointer in address space 3, but got '!llvm.ptr<1>'}}
  nvvm.cp.async.shared.global %g, %s, 16, cache = cg : !llvm.ptr<1>, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Multicast is not supported with shared::cta mode.}}
  nvvm.cp.async.bulk.shared.cluster.global %s, %g, %s, %i multicast_mask = %o : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.cp.async.bulk.wait_group' op attribute 'group' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0}}
  nvvm.cp.async.bulk.wait_group -1
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{expects coordinates between 1 to 5 dimension}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{expects coordinates between 1 to 5 dimension}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i, %i, %i, %i, %i] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Gather4 mode expects 5 coordinates}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{to use im2col mode, the tensor has to be at least 3-dimensional}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i] im2col[%o] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{im2col offsets expected 1 (provided 0)}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i, %i] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{im2col offsets expected 2 (provided 1)}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i, %i] im2col[%o] {mode = #nvvm.tma_load_mode<im2col_w>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{im2col offsets expected 0 (provided 1)}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i] im2col[%o] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Predicate is supported only for shared::cluster mode.}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %d, %s, box[%i] predicate = %b {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Predicate is supported only for Tile and Im2col modes.}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i, %i, %i, %i, %i] predicate = %b {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Shared::cta destination requires address-space 3.}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %d, %s, box[%i] {isCTAOnly = true} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Shared::cluster destination requires address-space 7.}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %d, %s, box[%i] : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Multicast is not supported with shared::cta mode.}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %d, %s, box[%i] multicast_mask = %o {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{CTAGroup is not supported with shared::cta mode.}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %d, %s, box[%i] {group = #nvvm.cta_group<cta_1>, isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{expects coordinates between 1 to 5 dimension}}
  nvvm.cp.async.bulk.tensor.prefetch %d, box[] : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{im2col offsets expected 1 (provided 2)}}
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i, %i, %i] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{to use im2col_w_128 mode, the tensor has to be at least 3-dimensional}}
  nvvm.cp.async.bulk.tensor.prefetch %d, box[%i, %i] im2col[%o, %o] {mode = #nvvm.tma_load_mode<im2col_w_128>} : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{expects coordinates between 1 to 5 dimension}}
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[] : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{to use im2col mode, the tensor has to be at least 3-dimensional}}
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i] {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Scatter4 mode expects 5 coordinates}}
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i] {mode = #nvvm.tma_store_mode<tile_scatter4>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Inline-ptx lowering supported only for Tile mode.}}
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i, %i, %i], predicate = %b {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Inline-ptx lowering unsupported with L2 cache-hint.}}
  nvvm.cp.async.bulk.tensor.global.shared.cta %d, %s, box[%i] l2_cache_hint = %l, predicate = %b : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{Scatter mode unsupported for CpAsyncBulkTensorReduceOp}}
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i, %i, %i, %i, %i] {redKind = #nvvm.tma_redux_kind<add>, mode = #nvvm.tma_store_mode<tile_scatter4>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{to use im2col mode, the tensor has to be at least 3-dimensional}}
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%i] {redKind = #nvvm.tma_redux_kind<add>, mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{expects coordinates between 1 to 5 dimension}}
  nvvm.cp.async.bulk.tensor.reduce %d, %s, box[] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.st.bulk' op only 0 is supported for initVal, got 4}}
  nvvm.st.bulk %d, size = %l, init = 4 : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op cannot specify both tensormap and cache level}}
  nvvm.prefetch level = L1, tensormap, %d : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op prefetch tensormap requires a generic or constant pointer}}
  nvvm.prefetch tensormap, %g : !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op prefetch tensormap does not support eviction priority}}
  nvvm.prefetch tensormap, evict_priority = evict_last, %d : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op requires specification of either cache level or tensormap}}
  nvvm.prefetch %d : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op prefetch to uniform cache requires a generic pointer}}
  nvvm.prefetch level = L1 uniform, %g : !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op unsupported cache level, the only supported uniform cache level is L1}}
  nvvm.prefetch level = L2 uniform, %d : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op cache eviction priority supported only for cache level L2}}
  nvvm.prefetch level = L1, evict_priority = evict_last, %g : !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op cache eviction priority requires a global pointer}}
  nvvm.prefetch level = L2, evict_priority = evict_last, %d : !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op unsupported cache eviction priority, only evict_last and evict_normal are supported}}
  nvvm.prefetch level = L2, evict_priority = evict_first, %g : !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op predicate supported only on prefetch tensormap}}
  nvvm.prefetch level = L1, %d, predicate = %b : !llvm.ptr, i1
  llvm.return
}

// -----

llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{'nvvm.mapa' op operand #0 must be LLVM pointer in address space 0 or LLVM pointer in address space 3, but got '!llvm.ptr<1>'}}
  %0 = nvvm.mapa %g, %i : !llvm.ptr<1> -> !llvm.ptr
  llvm.return
}

// -----

// expected-note@+1 {{prior use here}}
llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %o: i16, %l: i64, %b: i1) {
  // expected-error@+1 {{use of value '%l' expects different type than prior uses: 'i32' vs 'i64'}}
  %0 = nvvm.mapa %d, %l : !llvm.ptr -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(%q: !llvm.ptr<4>, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op in_param_space can only be specified for a generic pointer}}
  nvvm.prefetch tensormap in_param_space, %q : !llvm.ptr<4>
  llvm.return
}

// -----

llvm.func @f(%q: !llvm.ptr<4>, %b: i1) {
  // expected-error@+1 {{'nvvm.prefetch' op prefetch to cache level requires a generic, global, or local pointer}}
  nvvm.prefetch level = L1, %q : !llvm.ptr<4>
  llvm.return
}
