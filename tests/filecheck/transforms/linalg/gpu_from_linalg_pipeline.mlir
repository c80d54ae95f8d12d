// RUN: xgpu-opt %s --gpu-kernels-from-linalg-pipeline="tile-sizes=16,16,8 threads=8,4 function-layouts=identity-layout-map" | filecheck %s
// RUN: xgpu-opt %s --gpu-from-linalg-pipeline="tile-sizes=16,16,8 threads=8,4 chip=sm_80 format=isa opt-level=2 fma-contract=true" | filecheck %s --check-prefix=PTX

// CHECK-LABEL: func.func @product(%arg0: memref<32x16xf32>, %arg1: memref<16x32xf32>) -> memref<32x32xf32>
// CHECK: gpu.alloc
// CHECK: gpu.launch
// CHECK: gpu.barrier
// CHECK-NOT: linalg.
// CHECK: return

// PTX: llvm.func @product(
// PTX: gpu.binary
// PTX-SAME: .target sm_80
func.func @product(%a: tensor<32x16xf32>, %b: tensor<16x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<32x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%none : tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x16xf32>, tensor<16x32xf32>)
      outs(%start : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
