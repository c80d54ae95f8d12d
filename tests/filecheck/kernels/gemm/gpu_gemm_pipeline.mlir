// RUN: xgpu-opt %s --gpu-gemm-pipeline="instruction=mma.sync tile=16,16,16 warps=1,1 stages=2 prefetch=1 mode=pipelined tf32=false" | filecheck %s

// CHECK-LABEL: func.func @product(%arg0: memref<32x64xf16>, %arg1: memref<64x16xf16>) -> memref<32x16xf32>
// CHECK: gpu.alloc
// CHECK: gpu.launch
// CHECK-SAME: workgroup(%{{.*}} : memref<2x16x16xf16, #gpu.address_space<workgroup>>
// CHECK: nvgpu.device_async_copy
// CHECK: scf.for
// CHECK: nvgpu.device_async_wait
// CHECK: nvgpu.ldmatrix
// CHECK: nvgpu.mma.sync
// CHECK-NOT: linalg.
func.func @product(%a: tensor<32x64xf16>, %b: tensor<64x16xf16>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x16xf32>) -> tensor<32x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xf16>, tensor<64x16xf16>) outs(%start : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
