// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu-tile-matmul{instruction=tcgen05 tile=128,64,64 stages=2},canonicalize,cse)" | filecheck %s

// The plain loop: one thread asks for products and all wait until they are over.
// CHECK: gpu.launch {{.*}} threads({{.*}} = %c128
// CHECK: nvvm.tcgen05.alloc %{{.*}}, %c64_i32
// CHECK: nvvm.tcgen05.relinquish_alloc_permit
// CHECK: nvgpu.mbarrier.init %[[THERE:.*]][
// CHECK: nvgpu.mbarrier.init %[[OVER:.*]][
// CHECK: scf.for
// CHECK-COUNT-2: nvgpu.tma.async.load
// CHECK: nvgpu.mbarrier.try_wait.parity %[[THERE]][
// CHECK: scf.if
// CHECK-COUNT-4: nvvm.tcgen05.mma {{.*}} {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>}
// CHECK-NEXT: %[[AT:.*]] = nvgpu.mbarrier.get %[[OVER]][
// CHECK-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[AT]]
// CHECK-NEXT: nvvm.tcgen05.commit %[[POINTER]]
// CHECK: nvgpu.mbarrier.try_wait.parity %[[OVER]][
// CHECK-NEXT: gpu.barrier
// CHECK: xgpu.circular_buffer
// CHECK-COUNT-2: nvvm.tcgen05.ld {{.*}} : vector<32xi32>
// CHECK: nvvm.tcgen05.dealloc
func.func @product(%a: memref<128x128xf16>, %b: memref<128x64xf16>, %c: memref<128x64xf32>) {
  linalg.matmul ins(%a, %b : memref<128x128xf16>, memref<128x64xf16>) outs(%c : memref<128x64xf32>)
  return
}

// Buffered, the products themselves give stages back, and only one thread runs the loop.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=128,64,64 stages=3" --circular-buffer --canonicalize --cse | filecheck %s --check-prefix=APART
// APART: %[[FULL:.*]] = nvgpu.mbarrier.create {{.*}} num_barriers = 3>
// APART: %[[EMPTY:.*]] = nvgpu.mbarrier.create {{.*}} num_barriers = 3>
// APART: nvgpu.mbarrier.init %[[EMPTY]][%{{.*}}], %c1
// APART: nvgpu.mbarrier.create
// APART: scf.if
// APART-NEXT: scf.for
// APART: nvgpu.mbarrier.try_wait.parity %[[FULL]][
// APART-COUNT-4: nvvm.tcgen05.mma
// APART: %[[AT:.*]] = nvgpu.mbarrier.get %[[EMPTY]][
// APART-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[AT]]
// APART-NEXT: nvvm.tcgen05.commit %[[POINTER]]
// APART-NEXT: }
// APART: nvvm.tcgen05.commit
// APART-NEXT: }
// APART-NEXT: nvgpu.mbarrier.try_wait.parity

// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=128,64,64 stages=3" --print-buffer-schedule -o /dev/null 2>&1 | filecheck %s --check-prefix=SCHEDULE
// SCHEDULE: buffer schedule: mode warp-specialized
// SCHEDULE: a stage is free: the products that read it have arrived at its empty barrier

// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=64,64,64" 2>&1 | filecheck %s --check-prefix=LOW
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=384,256,64" 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=tcgen05 tile=128,64,64 warps=8,1" 2>&1 | filecheck %s --check-prefix=WARPS
// LOW: error: a tile of 64x64x64 is not what tcgen05 multiplies: rows have to be a multiple of 128, columns a multiple of 64 up to 256, the depth 64
// LARGE: error: a tile of 384x256 needs 768 columns of tensor memory, which has 512
// WARPS: error: tcgen05 is asked for and stored by 4 warps along m, got [8, 1]
