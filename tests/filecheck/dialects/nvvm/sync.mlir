// RUN: xgpu-opt %s --verify-roundtrip -o %t.out
// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Barriers, fences and what else orders threads, and the collectives of a warp.

// CHECK: module {
// CHECK-NEXT:   llvm.func @barriers(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) {
// CHECK-NEXT:     nvvm.barrier0
// CHECK-NEXT:     nvvm.barrier
// CHECK-NEXT:     nvvm.barrier id = %arg0
// CHECK-NEXT:     nvvm.barrier id = %arg0 number_of_threads = %arg1
// CHECK-NEXT:     %0 = nvvm.barrier #nvvm.reduction<and> %arg3 -> i32
// CHECK-NEXT:     %1 = nvvm.barrier #nvvm.reduction<or> %arg3 -> i32
// CHECK-NEXT:     %2 = nvvm.barrier #nvvm.reduction<popc> %arg3 -> i32
// CHECK-NEXT:     nvvm.barrier.arrive number_of_threads = %arg1
// CHECK-NEXT:     nvvm.barrier.arrive id = %arg0 number_of_threads = %arg1
// CHECK-NEXT:     nvvm.bar.warp.sync %arg2 : i32
// CHECK-NEXT:     nvvm.cluster.arrive
// CHECK-NEXT:     nvvm.cluster.arrive {aligned}
// CHECK-NEXT:     nvvm.cluster.arrive.relaxed
// CHECK-NEXT:     nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT:     nvvm.cluster.wait
// CHECK-NEXT:     nvvm.cluster.wait {aligned}
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @barriers(%id: i32, %threads: i32, %mask: i32, %value: i32) {
  nvvm.barrier0
  nvvm.barrier
  nvvm.barrier id = %id
  nvvm.barrier id = %id number_of_threads = %threads
  %0 = nvvm.barrier #nvvm.reduction<and> %value -> i32
  %1 = nvvm.barrier #nvvm.reduction<or> %value -> i32
  %2 = nvvm.barrier #nvvm.reduction<popc> %value -> i32
  nvvm.barrier.arrive number_of_threads = %threads
  nvvm.barrier.arrive id = %id number_of_threads = %threads
  nvvm.bar.warp.sync %mask : i32
  nvvm.cluster.arrive
  nvvm.cluster.arrive {aligned}
  nvvm.cluster.arrive.relaxed
  nvvm.cluster.arrive.relaxed {aligned}
  nvvm.cluster.wait
  nvvm.cluster.wait {aligned}
  llvm.return
}

// CHECK-NEXT:   llvm.func @fences(%arg0: !llvm.ptr, %arg1: i32) {
// CHECK-NEXT:     nvvm.memory.barrier <cta>
// CHECK-NEXT:     nvvm.memory.barrier <cluster>
// CHECK-NEXT:     nvvm.memory.barrier <gpu>
// CHECK-NEXT:     nvvm.memory.barrier <sys>
// CHECK-NEXT:     nvvm.fence.mbarrier.init
// CHECK-NEXT:     nvvm.fence.sc.cluster
// CHECK-NEXT:     nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
// CHECK-NEXT:     nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
// CHECK-NEXT:     nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
// CHECK-NEXT:     nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
// CHECK-NEXT:     nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
// CHECK-NEXT:     nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:     nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
// CHECK-NEXT:     nvvm.fence.proxy.acquire <cta> %arg0, %arg1
// CHECK-NEXT:     nvvm.fence.proxy.acquire <sys> %arg0, %arg1
// CHECK-NEXT:     nvvm.fence.proxy.release <gpu>
// CHECK-NEXT:     nvvm.fence.proxy.release <cluster>
// CHECK-NEXT:     nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
// CHECK-NEXT:     nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>}
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @fences(%p: !llvm.ptr, %size: i32) {
  nvvm.memory.barrier #nvvm.mem_scope<cta>
  nvvm.memory.barrier #nvvm.mem_scope<cluster>
  nvvm.memory.barrier #nvvm.mem_scope<gpu>
  nvvm.memory.barrier #nvvm.mem_scope<sys>
  nvvm.fence.mbarrier.init
  nvvm.fence.sc.cluster
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
  nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %size
  nvvm.fence.proxy.acquire #nvvm.mem_scope<sys> %p, %size from_proxy = #nvvm.proxy_kind<generic> to_proxy = #nvvm.proxy_kind<tensormap>
  nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
  nvvm.fence.proxy.release #nvvm.mem_scope<cluster> from_proxy = #nvvm.proxy_kind<generic> to_proxy = #nvvm.proxy_kind<tensormap>
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
  nvvm.fence.proxy.sync_restrict {fromProxy = #nvvm.proxy_kind<generic>, order = #nvvm.mem_order<release>, toProxy = #nvvm.proxy_kind<async>}
  llvm.return
}

// CHECK-NEXT:   llvm.func @threads(%arg0: i32) {
// CHECK-NEXT:     nvvm.griddepcontrol  wait
// CHECK-NEXT:     nvvm.griddepcontrol  launch_dependents
// CHECK-NEXT:     nvvm.setmaxregister  increase 232
// CHECK-NEXT:     nvvm.setmaxregister  decrease 40
// CHECK-NEXT:     nvvm.nanosleep %arg0
// CHECK-NEXT:     nvvm.pmevent id = 3
// CHECK-NEXT:     nvvm.pmevent mask = 200
// CHECK-NEXT:     nvvm.breakpoint
// CHECK-NEXT:     nvvm.exit
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @threads(%duration: i32) {
  nvvm.griddepcontrol wait
  nvvm.griddepcontrol launch_dependents
  nvvm.setmaxregister increase 232
  nvvm.setmaxregister decrease 40
  nvvm.nanosleep %duration
  nvvm.pmevent id = 3
  nvvm.pmevent mask = 200
  nvvm.breakpoint
  nvvm.exit
  llvm.return
}

// CHECK-NEXT:   llvm.func @collectives(%arg0: i32, %arg1: i32, %arg2: i64, %arg3: f32, %arg4: i1, %arg5: i32, %arg6: i32) {
// CHECK-NEXT:     %0 = nvvm.elect.sync -> i1
// CHECK-NEXT:     %1 = nvvm.elect.sync %arg0 -> i1
// CHECK-NEXT:     %2 = nvvm.match.sync  any %arg0, %arg1 : i32 -> i32
// CHECK-NEXT:     %3 = nvvm.match.sync  all %arg0, %arg2 : i64 -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %4 = nvvm.vote.sync  any %arg0, %arg4 -> i1
// CHECK-NEXT:     %5 = nvvm.vote.sync  all %arg0, %arg4 -> i1
// CHECK-NEXT:     %6 = nvvm.vote.sync  uni %arg0, %arg4 -> i1
// CHECK-NEXT:     %7 = nvvm.vote.sync  ballot %arg0, %arg4 -> i32
// CHECK-NEXT:     %8 = nvvm.shfl.sync  bfly %arg0, %arg1, %arg5, %arg6 : i32 -> i32
// CHECK-NEXT:     %9 = nvvm.shfl.sync  up %arg0, %arg3, %arg5, %arg6 : f32 -> f32
// CHECK-NEXT:     %10 = nvvm.shfl.sync  down %arg0, %arg1, %arg5, %arg6 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %11 = nvvm.shfl.sync  idx %arg0, %arg3, %arg5, %arg6 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
// CHECK-NEXT:     %12 = nvvm.redux.sync  add %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %13 = nvvm.redux.sync  and %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %14 = nvvm.redux.sync  or %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %15 = nvvm.redux.sync  xor %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %16 = nvvm.redux.sync  max %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %17 = nvvm.redux.sync  min %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %18 = nvvm.redux.sync  umax %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %19 = nvvm.redux.sync  umin %arg1, %arg0 : i32 -> i32
// CHECK-NEXT:     %20 = nvvm.redux.sync  fmin %arg3, %arg0 {abs = true} : f32 -> f32
// CHECK-NEXT:     %21 = nvvm.redux.sync  fmax %arg3, %arg0 {nan = true} : f32 -> f32
// CHECK-NEXT:     %22 = nvvm.redux.sync  fmax %arg3, %arg0 {abs = true, nan = true} : f32 -> f32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @collectives(%mask: i32, %i: i32, %l: i64, %f: f32, %p: i1, %offset: i32, %clamp: i32) {
  %0 = nvvm.elect.sync -> i1
  %1 = nvvm.elect.sync %mask -> i1
  %2 = nvvm.match.sync any %mask, %i : i32 -> i32
  %3 = nvvm.match.sync all %mask, %l : i64 -> !llvm.struct<(i32, i1)>
  %4 = nvvm.vote.sync any %mask, %p -> i1
  %5 = nvvm.vote.sync all %mask, %p -> i1
  %6 = nvvm.vote.sync uni %mask, %p -> i1
  %7 = nvvm.vote.sync ballot %mask, %p -> i32
  %8 = nvvm.shfl.sync bfly %mask, %i, %offset, %clamp : i32 -> i32
  %9 = nvvm.shfl.sync up %mask, %f, %offset, %clamp : f32 -> f32
  %10 = nvvm.shfl.sync down %mask, %i, %offset, %clamp {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  %11 = nvvm.shfl.sync idx %mask, %f, %offset, %clamp {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
  %12 = nvvm.redux.sync add %i, %mask : i32 -> i32
  %13 = nvvm.redux.sync and %i, %mask : i32 -> i32
  %14 = nvvm.redux.sync or %i, %mask : i32 -> i32
  %15 = nvvm.redux.sync xor %i, %mask : i32 -> i32
  %16 = nvvm.redux.sync max %i, %mask : i32 -> i32
  %17 = nvvm.redux.sync min %i, %mask : i32 -> i32
  %18 = nvvm.redux.sync umax %i, %mask : i32 -> i32
  %19 = nvvm.redux.sync umin %i, %mask : i32 -> i32
  %20 = nvvm.redux.sync fmin %f, %mask {abs = true} : f32 -> f32
  %21 = nvvm.redux.sync fmax %f, %mask {nan = true} : f32 -> f32
  %22 = nvvm.redux.sync fmax %f, %mask {abs = true, nan = true} : f32 -> f32
  llvm.return
}

// CHECK-NEXT:   llvm.func @cluster_launch_control(%arg0: i128, %arg1: !llvm.ptr<3>, %arg2: !llvm.ptr<3>) {
// CHECK-NEXT:     nvvm.clusterlaunchcontrol.try.cancel %arg1, %arg2
// CHECK-NEXT:     nvvm.clusterlaunchcontrol.try.cancel multicast, %arg1, %arg2
// CHECK-NEXT:     %0 = nvvm.clusterlaunchcontrol.query.cancel query =  is_canceled, %arg0 : i1
// CHECK-NEXT:     %1 = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_x, %arg0 : i32
// CHECK-NEXT:     %2 = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_y, %arg0 : i32
// CHECK-NEXT:     %3 = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_z, %arg0 : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @cluster_launch_control(%response: i128, %address: !llvm.ptr<3>, %mbarrier: !llvm.ptr<3>) {
  nvvm.clusterlaunchcontrol.try.cancel %address, %mbarrier
  nvvm.clusterlaunchcontrol.try.cancel multicast, %address, %mbarrier
  %0 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %response : i1
  %1 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %response : i32
  %2 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_y, %response : i32
  %3 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_z, %response : i32
  llvm.return
}
