// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Barriers, fences, groups of threads.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @barriers(i32 %0, i32 %1, i32 %2, i32 %3) {
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 %0)
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %0, i32 %1)
// CHECK-NEXT:   %5 = icmp ne i32 %3, 0
// CHECK-NEXT:   %6 = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %5)
// CHECK-NEXT:   %7 = zext i1 %6 to i32
// CHECK-NEXT:   %8 = icmp ne i32 %3, 0
// CHECK-NEXT:   %9 = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %8)
// CHECK-NEXT:   %10 = zext i1 %9 to i32
// CHECK-NEXT:   %11 = icmp ne i32 %3, 0
// CHECK-NEXT:   %12 = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %11)
// CHECK-NEXT:   call void @llvm.nvvm.bar.warp.sync(i32 %2)
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cluster.arrive()
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cluster.arrive.aligned()
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cluster.arrive.relaxed()
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cluster.wait()
// CHECK-NEXT:   call void @llvm.nvvm.barrier.cluster.wait.aligned()
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @barriers(%id: i32, %threads: i32, %mask: i32, %value: i32) {
  nvvm.barrier0
  nvvm.barrier
  nvvm.barrier id = %id
  nvvm.barrier id = %id number_of_threads = %threads
  %0 = nvvm.barrier #nvvm.reduction<and> %value -> i32
  %1 = nvvm.barrier #nvvm.reduction<or> %value -> i32
  %2 = nvvm.barrier #nvvm.reduction<popc> %value -> i32
  nvvm.bar.warp.sync %mask : i32
  nvvm.cluster.arrive
  nvvm.cluster.arrive {aligned}
  nvvm.cluster.arrive.relaxed
  nvvm.cluster.arrive.relaxed {aligned}
  nvvm.cluster.wait
  nvvm.cluster.wait {aligned}
  llvm.return
}

// CHECK-NEXT: define void @fences(ptr %0) {
// CHECK-NEXT:   call void @llvm.nvvm.membar.cta()
// CHECK-NEXT:   call void @llvm.nvvm.fence.sc.cluster()
// CHECK-NEXT:   call void @llvm.nvvm.membar.gl()
// CHECK-NEXT:   call void @llvm.nvvm.membar.sys()
// CHECK-NEXT:   call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
// CHECK-NEXT:   call void @llvm.nvvm.fence.sc.cluster()
// CHECK-NEXT:   call void @llvm.nvvm.fence.acquire.sync_restrict.space.cluster.scope.cluster()
// CHECK-NEXT:   call void @llvm.nvvm.fence.release.sync_restrict.space.cta.scope.cluster()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.alias()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.async()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.async.global()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.async.shared_cta()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.async.shared_cluster()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.cta(ptr %0, i32 128)
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.sys(ptr %0, i32 128)
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.tensormap_generic.release.gpu()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.tensormap_generic.release.cluster()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster()
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster()
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @fences(%p: !llvm.ptr) {
  %size = llvm.mlir.constant(128 : i32) : i32
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

// CHECK-NEXT: define void @threads(i32 %0) {
// CHECK-NEXT:   call void @llvm.nvvm.griddepcontrol.wait()
// CHECK-NEXT:   call void @llvm.nvvm.griddepcontrol.launch.dependents()
// CHECK-NEXT:   call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
// CHECK-NEXT:   call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
// CHECK-NEXT:   call void @llvm.nvvm.nanosleep(i32 %0)
// CHECK-NEXT:   call void @llvm.nvvm.pm.event.mask(i16 8)
// CHECK-NEXT:   call void @llvm.nvvm.pm.event.mask(i16 200)
// CHECK-NEXT:   call void @llvm.debugtrap()
// CHECK-NEXT:   call void @llvm.nvvm.exit()
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
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

// CHECK-NEXT: define void @collectives(i32 %0, i32 %1, i64 %2, float %3, i1 %4, i32 %5, i32 %6) {
// CHECK-NEXT:   %8 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
// CHECK-NEXT:   %9 = extractvalue { i32, i1 } %8, 1
// CHECK-NEXT:   %10 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 %0)
// CHECK-NEXT:   %11 = extractvalue { i32, i1 } %10, 1
// CHECK-NEXT:   %12 = call i32 @llvm.nvvm.match.any.sync.i32(i32 %0, i32 %1)
// CHECK-NEXT:   %13 = call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 %0, i64 %2)
// CHECK-NEXT:   %14 = call i1 @llvm.nvvm.vote.any.sync(i32 %0, i1 %4)
// CHECK-NEXT:   %15 = call i1 @llvm.nvvm.vote.all.sync(i32 %0, i1 %4)
// CHECK-NEXT:   %16 = call i1 @llvm.nvvm.vote.uni.sync(i32 %0, i1 %4)
// CHECK-NEXT:   %17 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %0, i1 %4)
// CHECK-NEXT:   %18 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %0, i32 %1, i32 %5, i32 %6)
// CHECK-NEXT:   %19 = call float @llvm.nvvm.shfl.sync.up.f32(i32 %0, float %3, i32 %5, i32 %6)
// CHECK-NEXT:   %20 = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 %0, i32 %1, i32 %5, i32 %6)
// CHECK-NEXT:   %21 = call { float, i1 } @llvm.nvvm.shfl.sync.idx.f32p(i32 %0, float %3, i32 %5, i32 %6)
// CHECK-NEXT:   %22 = call i32 @llvm.nvvm.redux.sync.add(i32 %1, i32 %0)
// CHECK-NEXT:   %23 = call i32 @llvm.nvvm.redux.sync.and(i32 %1, i32 %0)
// CHECK-NEXT:   %24 = call i32 @llvm.nvvm.redux.sync.or(i32 %1, i32 %0)
// CHECK-NEXT:   %25 = call i32 @llvm.nvvm.redux.sync.xor(i32 %1, i32 %0)
// CHECK-NEXT:   %26 = call i32 @llvm.nvvm.redux.sync.max(i32 %1, i32 %0)
// CHECK-NEXT:   %27 = call i32 @llvm.nvvm.redux.sync.min(i32 %1, i32 %0)
// CHECK-NEXT:   %28 = call i32 @llvm.nvvm.redux.sync.umax(i32 %1, i32 %0)
// CHECK-NEXT:   %29 = call i32 @llvm.nvvm.redux.sync.umin(i32 %1, i32 %0)
// CHECK-NEXT:   %30 = call float @llvm.nvvm.redux.sync.fmin.abs(float %3, i32 %0)
// CHECK-NEXT:   %31 = call float @llvm.nvvm.redux.sync.fmax.NaN(float %3, i32 %0)
// CHECK-NEXT:   %32 = call float @llvm.nvvm.redux.sync.fmax.abs.NaN(float %3, i32 %0)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
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

// CHECK-NEXT: define void @cluster_launch_control(i128 %0, ptr addrspace(3) %1, ptr addrspace(3) %2) {
// CHECK-NEXT:   call void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared(ptr addrspace(3) %1, ptr addrspace(3) %2)
// CHECK-NEXT:   call void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.multicast.shared(ptr addrspace(3) %1, ptr addrspace(3) %2)
// CHECK-NEXT:   %4 = call i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128 %0)
// CHECK-NEXT:   %5 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128 %0)
// CHECK-NEXT:   %6 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128 %0)
// CHECK-NEXT:   %7 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.z(i128 %0)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @cluster_launch_control(%response: i128, %address: !llvm.ptr<3>, %mbarrier: !llvm.ptr<3>) {
  nvvm.clusterlaunchcontrol.try.cancel %address, %mbarrier
  nvvm.clusterlaunchcontrol.try.cancel multicast, %address, %mbarrier
  %0 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %response : i1
  %1 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %response : i32
  %2 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_y, %response : i32
  %3 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_z, %response : i32
  llvm.return
}

// CHECK-NEXT: define i32 @reductions_of_a_constant() {
// CHECK-NEXT:   %1 = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 true)
// CHECK-NEXT:   %2 = zext i1 %1 to i32
// CHECK-NEXT:   %3 = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 true)
// CHECK-NEXT:   %4 = add i32 %2, %3
// CHECK-NEXT:   ret i32 %4
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @reductions_of_a_constant() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %0 = nvvm.barrier #nvvm.reduction<and> %one -> i32
  %1 = nvvm.barrier #nvvm.reduction<popc> %one -> i32
  %2 = llvm.add %0, %1 : i32
  llvm.return %2 : i32
}

// CHECK-NEXT: define void @groups_of_wgmma() {
// CHECK-NEXT:   call void @llvm.nvvm.wgmma.fence.sync.aligned()
// CHECK-NEXT:   call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
// CHECK-NEXT:   call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
// CHECK-NEXT:   call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
llvm.func @groups_of_wgmma() {
  nvvm.wgmma.fence.aligned
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  nvvm.wgmma.wait.group.sync.aligned 3
  llvm.return
}

// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.bar.warp.sync(i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cluster.arrive() #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cluster.arrive.aligned() #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cluster.arrive.relaxed() #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned() #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cluster.wait() #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.barrier.cluster.wait.aligned() #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.membar.cta() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.sc.cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.membar.gl() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.membar.sys() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.mbarrier_init.release.cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.acquire.sync_restrict.space.cluster.scope.cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.release.sync_restrict.space.cta.scope.cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.alias() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.async() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.async.global() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.async.shared_cta() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.async.shared_cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.cta(ptr, i32 immarg range(i32 128, 129)) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.sys(ptr, i32 immarg range(i32 128, 129)) #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.tensormap_generic.release.gpu() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.tensormap_generic.release.cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nounwind
// CHECK-NEXT: declare void @llvm.nvvm.fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster() #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.griddepcontrol.wait() #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.griddepcontrol.launch.dependents() #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 immarg range(i32 24, 257)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 immarg range(i32 24, 257)) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.nanosleep(i32) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
// CHECK-NEXT: declare void @llvm.nvvm.pm.event.mask(i16 immarg) #4
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.debugtrap() #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent noreturn nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.exit() #5
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #6
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32, i64) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i1 @llvm.nvvm.vote.any.sync(i32, i1) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i1 @llvm.nvvm.vote.uni.sync(i32, i1) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare float @llvm.nvvm.shfl.sync.up.f32(i32, float, i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare { float, i1 } @llvm.nvvm.shfl.sync.idx.f32p(i32, float, i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.add(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.and(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.or(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.xor(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.max(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.min(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.umax(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.redux.sync.umin(i32, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare float @llvm.nvvm.redux.sync.fmin.abs(float, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare float @llvm.nvvm.redux.sync.fmax.NaN(float, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare float @llvm.nvvm.redux.sync.fmax.abs.NaN(float, i32) #7
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared(ptr addrspace(3), ptr addrspace(3)) #8
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.multicast.shared(ptr addrspace(3), ptr addrspace(3)) #8
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128) #9
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128) #9
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128) #9
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.z(i128) #9
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind
// CHECK-NEXT: declare void @llvm.nvvm.wgmma.fence.sync.aligned() #10
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind
// CHECK-NEXT: declare void @llvm.nvvm.wgmma.commit_group.sync.aligned() #10
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind
// CHECK-NEXT: declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg) #10
// CHECK-EMPTY:
// CHECK-NEXT: attributes #0 = { convergent nocallback nounwind }
// CHECK-NEXT: attributes #1 = { nocallback nounwind }
// CHECK-NEXT: attributes #2 = { nocallback nounwind memory(argmem: readwrite) }
// CHECK-NEXT: attributes #3 = { nounwind }
// CHECK-NEXT: attributes #4 = { convergent nocallback nofree nosync nounwind willreturn }
// CHECK-NEXT: attributes #5 = { convergent noreturn nounwind memory(inaccessiblemem: readwrite) }
// CHECK-NEXT: attributes #6 = { convergent nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
// CHECK-NEXT: attributes #7 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
// CHECK-NEXT: attributes #8 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
// CHECK-NEXT: attributes #9 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
// CHECK-NEXT: attributes #10 = { convergent nounwind }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
