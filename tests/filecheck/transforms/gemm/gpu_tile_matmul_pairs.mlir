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

// Warps of their own do not copy: they would have to be at the cluster's barriers.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=128,128,64 stages=3 pairs=true" --print-buffer-schedule -o /dev/null 2>&1 | filecheck %s --check-prefix=SCHEDULE
// SCHEDULE: buffer schedule: mode pipelined-mbarrier

// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=256,128,64 pairs=true" 2>&1 | filecheck %s --check-prefix=TALL
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=64,64,64 pairs=true" 2>&1 | filecheck %s --check-prefix=OLD
// TALL: error: a block of a pair has a tile of 128 rows and of a multiple of 128 columns, not 256x128
// OLD: error: pairs of blocks multiply by tcgen05, are a cluster of their own, and have one tile each, in the order of rows
