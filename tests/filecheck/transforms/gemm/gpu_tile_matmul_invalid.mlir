// RUN: xgpu-opt %s --gpu-tile-matmul --split-input-file --verify-diagnostics
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma" --split-input-file 2>&1 | filecheck %s

// CHECK: error: wgmma is used for f16 and bf16, not to multiply f32 by f32 and add to f32
func.func @plain_f32(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{a product of f32 needs the option tf32}}
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// -----

// CHECK: error: wgmma is used for f16 and bf16, not to multiply f64 by f64 and add to f64
func.func @f64(%a: memref<16x16xf64>, %b: memref<16x16xf64>, %c: memref<16x16xf64>) {
  // expected-error@+1 {{no tensor core instruction multiplies f64 by f64 and adds to f64}}
  linalg.matmul ins(%a, %b : memref<16x16xf64>, memref<16x16xf64>) outs(%c : memref<16x16xf64>)
  return
}

// -----

// CHECK: error: a matrix product on tensors has to be bufferized first
func.func @tensors(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf16>) -> tensor<16x16xf16> {
  // expected-error@+1 {{a matrix product on tensors has to be bufferized first}}
  %0 = linalg.matmul ins(%a, %b : tensor<16x16xf16>, tensor<16x16xf16>) outs(%c : tensor<16x16xf16>) -> tensor<16x16xf16>
  return %0 : tensor<16x16xf16>
}

// -----

// CHECK: error: TMA copies rows of a multiple of 16 bytes, and memref<16x15xf16> has others: use mma.sync
func.func @rows(%a: memref<16x15xf16>, %b: memref<15x16xf16>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x15xf16>, memref<15x16xf16>) outs(%c : memref<16x16xf32>)
  return
}
