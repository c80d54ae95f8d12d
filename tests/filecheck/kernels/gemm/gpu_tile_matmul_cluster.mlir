// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu-tile-matmul{instruction=wgmma tile=64,128,64 stages=2 cluster=2,1 mode=pipelined-mbarrier},circular-buffer,canonicalize,cse)" | filecheck %s

// Two blocks share tiles of B: each asks for half of it, for both, when all threads of both have
// arrived. They begin and end together.
// CHECK: gpu.launch clusters({{.*}}) in (%{{.*}} = %c1, %{{.*}} = %c2, %{{.*}} = %c1) blocks
// CHECK: %[[FULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
// CHECK: %[[THREADS:.*]] = arith.muli %{{.*}}, %c2 : index
// CHECK: %[[EMPTY:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
// CHECK: nvgpu.mbarrier.init %[[FULL]][%c0], %c1,
// CHECK: nvgpu.mbarrier.init %[[EMPTY]][%c0], %[[THREADS]],
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NEXT: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: nvgpu.mbarrier.arrive.expect_tx %[[FULL]][{{.*}}], %c24576
// CHECK: nvgpu.tma.async.load
// CHECK-NOT: multicast_mask
// CHECK: nvgpu.tma.async.load
// CHECK-SAME: multicast_mask = %c3_i16
// CHECK: scf.for
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.mapa %{{.*}}, %c0_i32
// CHECK-NEXT: nvvm.mbarrier.arrive %{{.*}} {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
// CHECK-NEXT: nvvm.mapa %{{.*}}, %c1_i32
// CHECK-NEXT: nvvm.mbarrier.arrive %{{.*}} {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: nvvm.mbarrier.inval
func.func @product(%a: memref<128x256xf16>, %b: memref<256x128xf16>, %c: memref<128x128xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf16>, memref<256x128xf16>) outs(%c : memref<128x128xf32>)
  return
}
