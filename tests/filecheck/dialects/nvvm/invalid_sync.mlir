// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What fences, barriers, collectives and mbarriers cannot be.

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.sync_restrict' op only acquire and release semantics are supported}}
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<weak>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy' op tensormap proxy is not a supported proxy kind}}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<tensormap>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy' op generic proxy not a supported proxy kind}}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<generic>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy' op async_shared fence requires space attribute}}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy' op only async_shared fence can have space attribute}}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>, space = #nvvm.shared_space<cta>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy.acquire' op uni-directional proxies only support generic for from_proxy attribute}}
  nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %i from_proxy = #nvvm.proxy_kind<async>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy.release' op uni-directional proxies only support tensormap for to_proxy attribute}}
  nvvm.fence.proxy.release #nvvm.mem_scope<cta> to_proxy = #nvvm.proxy_kind<async>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy.release' op uni-directional proxies only support generic for from_proxy attribute}}
  nvvm.fence.proxy.release #nvvm.mem_scope<cta> from_proxy = #nvvm.proxy_kind<alias>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy.acquire' op uni-directional proxies only support tensormap for to_proxy attribute}}
  nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %i to_proxy = #nvvm.proxy_kind<generic>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy.sync_restrict' op only acquire and release semantics are supported}}
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<sc>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy.sync_restrict' op only generic is support for from_proxy attribute}}
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>, fromProxy = #nvvm.proxy_kind<async>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.fence.proxy.sync_restrict' op only async is supported for to_proxy attribute}}
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>, toProxy = #nvvm.proxy_kind<generic>}
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{invalid SSA value result number}}
  %0 = nvvm.barrier id = %i #nvvm.reduction<and> %i -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.barrier' op barrier id is missing, it should be set between 0 to 15}}
  nvvm.barrier number_of_threads = %i
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.barrier' op reduction predicate and reduction operation must be specified together}}
  %0 = "nvvm.barrier"(%i) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (i32) -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.setmaxregister' op new register size must be multiple of 8}}
  nvvm.setmaxregister increase 30
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.setmaxregister' op new register size must be in between 24 to 256}}
  nvvm.setmaxregister decrease 16
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.setmaxregister' op new register size must be in between 24 to 256}}
  nvvm.setmaxregister decrease 264
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.pmevent' op either `id` or `mask` must be set}}
  nvvm.pmevent
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.pmevent' op `id` and `mask` cannot be set at the same time}}
  nvvm.pmevent id = 3 mask = 4
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.pmevent' op `id` must be between 0 and 15}}
  nvvm.pmevent id = 16
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.match.sync' op match.sync 'all' returns a two element struct with first element as i32 and second element as i1}}
  %0 = nvvm.match.sync all %i, %i : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.match.sync' op match.sync 'any' returns an i32}}
  %0 = nvvm.match.sync any %i, %i : i32 -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.match.sync' op match.sync 'all' returns a two element struct with first element as i32 and second element as i1}}
  %0 = nvvm.match.sync all %i, %i : i32 -> !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.vote.sync' op vote.sync 'ballot' returns an i32}}
  %0 = nvvm.vote.sync ballot %i, %b -> i1
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.vote.sync' op vote.sync 'any', 'all' and 'uni' returns an i1}}
  %0 = nvvm.vote.sync uni %i, %b -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.shfl.sync' op expected return type to be a two-element struct}}
  %0 = nvvm.shfl.sync bfly %i, %i, %i, %i {return_value_and_is_valid} : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.shfl.sync' op expected return type to be of type 'i32' but got 'f32' instead}}
  %0 = nvvm.shfl.sync bfly %i, %i, %i, %i : i32 -> f32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.shfl.sync' op "return_value_and_is_valid" attribute must be specified when the return type is a struct type}}
  %0 = nvvm.shfl.sync bfly %i, %i, %i, %i : i32 -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.shfl.sync' op expected return type to be a two-element struct}}
  %0 = nvvm.shfl.sync bfly %i, %i, %i, %i {return_value_and_is_valid} : i32 -> !llvm.struct<(i32)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.shfl.sync' op expected first element in the returned struct to be of type 'f32' but got 'i32' instead}}
  %0 = nvvm.shfl.sync bfly %i, %f, %i, %i {return_value_and_is_valid} : f32 -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.shfl.sync' op expected second element in the returned struct to be of type 'i1' but got 'i32' instead}}
  %0 = nvvm.shfl.sync bfly %i, %f, %i, %i {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i32)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.redux.sync' op abs attribute is supported only for f32 type}}
  %0 = nvvm.redux.sync add %i, %i {abs = true} : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.redux.sync' op nan attribute is supported only for f32 type}}
  %0 = nvvm.redux.sync add %i, %i {nan = true} : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.redux.sync' op 'add' redux kind unsupported with 'f32' type. Only supported type is 'i32'.}}
  %0 = nvvm.redux.sync add %f, %i : f32 -> f32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.redux.sync' op 'fmin' redux kind unsupported with 'i32' type. Only supported type is 'f32'.}}
  %0 = nvvm.redux.sync fmin %i, %i : i32 -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier scope must be either CTA or Cluster}}
  %0 = nvvm.mbarrier.arrive %s {scope = #nvvm.mem_scope<gpu>} : !llvm.ptr<3> -> i64
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier in shared_cluster space cannot return any value}}
  %0 = nvvm.mbarrier.arrive %c : !llvm.ptr<7> -> i64
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier in shared_cluster space cannot return any value}}
  %0 = nvvm.mbarrier.arrive_drop %c, %i : !llvm.ptr<7> -> i64
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier scope must be either CTA or Cluster}}
  %0 = nvvm.mbarrier.arrive_drop %s {scope = #nvvm.mem_scope<sys>} : !llvm.ptr<3> -> i64
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier scope must be either CTA or Cluster}}
  nvvm.mbarrier.expect_tx %s, %i {scope = #nvvm.mem_scope<gpu>} : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier scope must be either CTA or Cluster}}
  nvvm.mbarrier.complete_tx %s, %i {scope = #nvvm.mem_scope<sys>} : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier in shared_cluster space cannot return any value}}
  %0 = nvvm.mbarrier.arrive.expect_tx %c, %i : !llvm.ptr<7>, i32 -> i64
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier in shared_cluster space cannot return any value}}
  %0 = nvvm.mbarrier.arrive_drop.expect_tx %c, %i : !llvm.ptr<7>, i32 -> i64
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier scope must be CTA when using predicate}}
  nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32, i1
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier in shared_cluster space is not supported when using predicate}}
  nvvm.mbarrier.arrive.expect_tx %c, %i, predicate = %b : !llvm.ptr<7>, i32, i1
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{return-value is not supported when using predicate}}
  %0 = nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b : !llvm.ptr<3>, i32, i1 -> i64
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier with relaxed semantics is not supported when using predicate}}
  nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b {relaxed = true} : !llvm.ptr<3>, i32, i1
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier scope must be either CTA or Cluster}}
  %0 = nvvm.mbarrier.test.wait %s, %l {scope = #nvvm.mem_scope<gpu>} : !llvm.ptr<3>, i64 -> i1
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{mbarrier scope must be either CTA or Cluster}}
  %0 = nvvm.mbarrier.try_wait %s, %l {scope = #nvvm.mem_scope<gpu>} : !llvm.ptr<3>, i64 -> i1
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.mbarrier.init' op operand #0 must be LLVM pointer in address space 0 or LLVM pointer in address space 3, but got '!llvm.ptr<1>'}}
  nvvm.mbarrier.init %g, %i : !llvm.ptr<1>, i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.mbarrier.inval' op operand #0 must be LLVM pointer in address space 0 or LLVM pointer in address space 3, but got '!llvm.ptr<7>'}}
  nvvm.mbarrier.inval %c : !llvm.ptr<7>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{'nvvm.bar.warp.sync' op operand #0 must be 32-bit signless integer, but got 'i64'}}
  nvvm.bar.warp.sync %l : i64
  llvm.return
}

// -----

// expected-note@+1 {{prior use here}}
llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{use of value '%l' expects different type than prior uses: 'i32' vs 'i64'}}
  %0 = nvvm.elect.sync %l -> i1
  llvm.return
}

// -----

// expected-note@+1 {{prior use here}}
llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{use of value '%l' expects different type than prior uses: 'i32' vs 'i64'}}
  nvvm.nanosleep %l
  llvm.return
}

// -----

// expected-note@+1 {{prior use here}}
llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %i: i32, %l: i64, %f: f32, %b: i1) {
  // expected-error@+1 {{use of value '%l' expects different type than prior uses: 'i32' vs 'i64'}}
  nvvm.barrier id = %l
  llvm.return
}

// -----

llvm.func @f(%response: i128) {
  // expected-error@+1 {{'nvvm.clusterlaunchcontrol.query.cancel' op is_canceled query type returns an i1}}
  %0 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %response : i32
  llvm.return
}

// -----

llvm.func @f(%response: i128) {
  // expected-error@+1 {{'nvvm.clusterlaunchcontrol.query.cancel' op get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32}}
  %0 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_y, %response : i1
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.read.ptx.sreg.ntid.y' op invalid range attribute: Lower == Upper, but they aren't min (0) or max (4294967295) value! This is an invalid constant range.}}
  %0 = nvvm.read.ptx.sreg.ntid.y range <i32, 7, 7> : i32
  llvm.return
}
