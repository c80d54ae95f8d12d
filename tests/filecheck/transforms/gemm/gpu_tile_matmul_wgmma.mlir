// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu-tile-matmul{instruction=wgmma tile=64,64,64 stages=2},canonicalize,cse)" | filecheck %s

// CHECK: gpu.launch
// CHECK: nvgpu.mbarrier.init
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.arrive.expect_tx
// CHECK-COUNT-2: nvgpu.tma.async.load
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: nvgpu.warpgroup.mma
// CHECK-SAME: transposeB, waitGroup = 0
// CHECK: xgpu.circular_buffer = {mode = "auto", prefetch = -1 : i64, stages = 2 : i64}
// CHECK: workgroup_attrib_attrs = [{llvm.align = 1024 : i64}, {llvm.align = 1024 : i64}]
func.func @product(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x128xf16>, memref<128x64xf16>) outs(%c : memref<64x64xf32>)
  return
}
