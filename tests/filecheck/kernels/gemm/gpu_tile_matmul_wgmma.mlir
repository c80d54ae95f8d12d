// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu-tile-matmul{instruction=wgmma tile=64,64,64 stages=2},canonicalize,cse)" | filecheck %s

// CHECK: gpu.launch
// CHECK: nvgpu.mbarrier.init
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.arrive.expect_tx
// CHECK-COUNT-2: nvgpu.tma.async.load
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async
// CHECK-SAME: D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: xgpu.circular_buffer = {mode = "auto", prefetch = -1 : i64, stages = 2 : i64}
// CHECK-COUNT-2: nvgpu.tma.async.store
// CHECK: workgroup_attrib_attrs = [{llvm.align = 1024 : i64}, {llvm.align = 1024 : i64}, {llvm.align = 1024 : i64}]
func.func @product(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x128xf16>, memref<128x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

// Two warpgroups that multiply, beside one that copies and leaves them registers; blocks that stay.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=128,256,64 stages=4 blocks=132 order=swizzled store=threads registers=24,240" | filecheck %s --check-prefix=MANY
// MANY: gpu.launch blocks({{.*}}) threads({{.*}} = %c256
// MANY: scf.for
// MANY: scf.for
// MANY: producer-warps" = 4 : i64, registers = [24, 240], stages = 4 : i64
// MANY-NOT: nvgpu.tma.async.store

// Left to itself, the loop gets warps that only copy; with a prefetch distance of one's own it does not.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=64,64,64 stages=3" --print-buffer-schedule -o /dev/null 2>&1 | filecheck %s --check-prefix=AUTO
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=64,64,64 stages=3 prefetch=1" --print-buffer-schedule -o /dev/null 2>&1 | filecheck %s --check-prefix=OWN
// AUTO: remark: buffer schedule: mode warp-specialized
// OWN: remark: buffer schedule: mode pipelined

// Two blocks share a tile of B: each asks for half of it, for both.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=64,128,64 stages=2 cluster=1,1" | filecheck %s --check-prefix=ALONE
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=64,128,64 cluster=2,1" 2>&1 | filecheck %s --check-prefix=ODD
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma cluster=2,2" 2>&1 | filecheck %s --check-prefix=PLANE
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma cluster=2,1 blocks=4" 2>&1 | filecheck %s --check-prefix=STAY
// ALONE-NOT: multicast_mask
// ODD: error: clusters of 2x1 blocks do not divide the tiles of the result
// PLANE: error: cluster has to be two numbers, one of which is 1 and the other at most 8, got [2, 2]
// STAY: error: blocks of a cluster share copies of TMA (wgmma, tcgen05), and have one tile each, in the order of rows

// Hilbert's curve is cut until what is left is a row.
// RUN: xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=64,64,64 stages=2 blocks=4 order=hilbert" | filecheck %s --check-prefix=CURVE
// CURVE: gpu.launch
// CURVE: scf.for %[[TILE:.*]] = {{.*}} iter_args
// CURVE: %[[NARROW:.*]] = arith.index_cast %[[TILE]] : index to i32
// CURVE: %[[ROW:.*]]:9 = scf.while (%{{.*}} = %[[NARROW]],
// CURVE: scf.condition
// CURVE-COUNT-9: arith.select
// CURVE: scf.yield
// CURVE: scf.for
