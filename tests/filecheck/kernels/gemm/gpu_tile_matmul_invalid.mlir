// RUN: xgpu-opt %s --gpu-tile-matmul --split-input-file --verify-diagnostics
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma" --split-input-file 2>&1 | filecheck %s

// CHECK: error: a product of f32 needs the option tf32
func.func @plain_f32(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{a product of f32 needs the option tf32}}
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// -----

// CHECK: error: wgmma is used for f16, bf16, f8E4M3FN, f8E5M2 and, as tf32, f32, with sums in f32, and for i8 with sums in i32; not to multiply f64 by f64 and add to f64
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

// CHECK: error: TMA does not copy memref<16x15xf16>, which has rows that are no multiple of 16 bytes, or of an unknown size: use mma.sync
func.func @rows(%a: memref<16x15xf16>, %b: memref<15x16xf16>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x15xf16>, memref<15x16xf16>) outs(%c : memref<16x16xf32>)
  return
}

// -----

// CHECK: error: wgmma reads tiles whose rows run along m, n or k, and those of memref<16x64x16xf16> run along a batch: use mma.sync
#a = affine_map<(z, m, n, k) -> (m, k, z)>
#b = affine_map<(z, m, n, k) -> (z, k, n)>
#c = affine_map<(z, m, n, k) -> (z, m, n)>
func.func @along_batch(%a: memref<16x64x16xf16>, %b: memref<16x64x64xf16>, %c: memref<16x16x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x64x16xf16>, memref<16x64x64xf16>) outs(%c : memref<16x16x64xf32>) {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tf32=true" --split-input-file 2>&1 | filecheck %s --check-prefix=TF32
// TF32: error: wgmma reads f32 with rows along k only, and those of memref<32x64xf32> run along m or n: use mma.sync
func.func @tf32_by_columns(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{a product of f32 needs the option tf32}}
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// What tiles of wgmma cannot be.
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=192,256,64 warps=8,1" --split-input-file 2>&1 | filecheck %s --check-prefix=SHARE
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma tile=256,256,64" --split-input-file 2>&1 | filecheck %s --check-prefix=SUMS
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma warps=3,1" --split-input-file 2>&1 | filecheck %s --check-prefix=WARPS
// RUN: not xgpu-opt %s --gpu-tile-matmul="instruction=wgmma store=tma" --split-input-file 2>&1 | filecheck %s --check-prefix=STORE
// SHARE: error: 2 warpgroups cannot share 3 times 64 rows
// SUMS: error: a tile of 256x256 needs more than the 128 registers for sums that each thread of 3 warpgroups can give: make it smaller
// WARPS: error: warps of wgmma are 4, 8, .. along m and one along n, got [3, 1]
// STORE: error: TMA cannot store memref<16x15xf32>, which has rows that are no multiple of 16 bytes, or of an unknown size
func.func @result(%a: memref<16x16xf16>, %b: memref<15x16xf16>, %c: memref<16x15xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x16xf16>, memref<15x16xf16>) outs(%c : memref<16x15xf32>) {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
