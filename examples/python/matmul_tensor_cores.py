# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product on tensor cores: a warp a tile of 16 x 16, halves in, floats out."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @matmul(%a: memref<64x96xf16>, %b: memref<96x48xf16>, %c: memref<64x48xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c16 : index
    %none = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %dot = scf.for %k = %c0 to %c96 step %c16
        iter_args(%sum = %none) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      %x = gpu.subgroup_mma_load_matrix %a[%i, %k] {leadDimension = 96 : index}
          : memref<64x96xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %y = gpu.subgroup_mma_load_matrix %b[%k, %j] {leadDimension = 48 : index}
          : memref<96x48xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %next = gpu.subgroup_mma_compute %x, %y, %sum
          : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp">
          -> !gpu.mma_matrix<16x16xf32, "COp">
      scf.yield %next : !gpu.mma_matrix<16x16xf32, "COp">
    }
    gpu.subgroup_mma_store_matrix %dot, %c[%i, %j] {leadDimension = 48 : index}
        : !gpu.mma_matrix<16x16xf32, "COp">, memref<64x48xf32>
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does."""
    matmul = xgpu.load(SOURCE, device).kernels["matmul"]
    random = np.random.default_rng(6)
    a = random.random((64, 96)).astype(np.float16)
    b = random.random((96, 48)).astype(np.float16)
    c = xgpu.empty((64, 48), "float32", device)
    matmul.launch(grid=(48 // 16, 64 // 16))(xgpu.asarray(a, device), xgpu.asarray(b, device), c)
    return c.numpy(), a.astype(np.float32) @ b.astype(np.float32)


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
