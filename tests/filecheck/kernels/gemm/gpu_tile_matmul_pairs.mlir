// Pairs of blocks: the second says that its tiles are there, the first asks for the products of both.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=128,128,64 stages=3 pairs=true" | filecheck %s
// CHECK: gpu.launch clusters
// CHECK: nvvm.tcgen05.alloc {{.*}} {group = #nvvm.cta_group<cta_2>}
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// CHECK: nvvm.mapa
// CHECK-NEXT: nvvm.mbarrier.arrive
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-COUNT-4: nvvm.tcgen05.mma {{.*}} {ctaGroup = #nvvm.cta_group<cta_2>
// CHECK: nvvm.tcgen05.commit {{.*}}, multicast_mask = {{.*}} {group = #nvvm.cta_group<cta_2>}
// CHECK: xgpu.circular_buffer
func.func @pair(%a: memref<256x128xf16>, %b: memref<128x128xf16>, %c: memref<256x128xf32>) {
  linalg.matmul ins(%a, %b : memref<256x128xf16>, memref<128x128xf16>) outs(%c : memref<256x128xf32>)
  return
}

// Warps of their own copy: one thread of each block is left in the loop, producers meet the others at the cluster's
// barriers, and each stage has a barrier at which the second block says that its tiles are there.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=128,128,64 stages=3 pairs=true" --print-buffer-schedule -o /dev/null 2>&1 | filecheck %s --check-prefix=SCHEDULE
// SCHEDULE: buffer schedule: mode warp-specialized
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=128,128,64 stages=3 pairs=true" --circular-buffer | filecheck %s --check-prefix=ROLES
// ROLES: %[[FULL:.*]] = nvgpu.mbarrier.create -> <{{.*}}num_barriers = 3>
// ROLES-NEXT: %[[EMPTY:.*]] = nvgpu.mbarrier.create -> <{{.*}}num_barriers = 3>
// ROLES-NEXT: %[[READY:.*]] = nvgpu.mbarrier.create -> <{{.*}}num_barriers = 3>
// ROLES: scf.if
// ROLES-NEXT: nvvm.cluster.arrive
// ROLES-NEXT: nvvm.cluster.wait
// ROLES: nvgpu.tma.async.load
// ROLES: nvvm.cluster.arrive
// ROLES-NEXT: nvvm.cluster.wait
// ROLES-NEXT: } else {
// ROLES: nvvm.elect.sync
// ROLES: arith.andi
// ROLES: %[[TELLS:.*]] = arith.andi
// ROLES: %[[LEADS:.*]] = arith.andi
// ROLES: %[[ONE:.*]] = arith.ori %[[TELLS]], %[[LEADS]] : i1
// ROLES-NEXT: scf.if %[[ONE]] {
// ROLES: scf.for
// ROLES: nvgpu.mbarrier.try_wait.parity %[[FULL]][
// ROLES: scf.if %[[TELLS]] {
// ROLES: nvgpu.mbarrier.get %[[READY]][
// ROLES: nvvm.mbarrier.arrive
// ROLES: scf.if %[[LEADS]] {
// ROLES: nvgpu.mbarrier.try_wait.parity %[[READY]][
// ROLES-COUNT-4: nvvm.tcgen05.mma
// ROLES: nvgpu.mbarrier.get %[[EMPTY]][
// ROLES: nvvm.tcgen05.commit {{.*}}, multicast_mask
// ROLES: scf.if %[[LEADS]] {
// ROLES: nvvm.tcgen05.commit {{.*}}, multicast_mask

// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=256,128,64 pairs=true" 2>&1 | filecheck %s --check-prefix=TALL
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=64,64,64 pairs=true" 2>&1 | filecheck %s --check-prefix=OLD
// TALL: error: a block of a pair has a tile of 128 rows and of a multiple of 128 columns, not 256x128
// OLD: error: pairs of blocks multiply by tcgen05, are a cluster of their own, and have one tile each, in the order of rows
