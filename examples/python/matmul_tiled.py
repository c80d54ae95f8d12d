# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product in tiles of 16 x 16, which blocks load into workgroup memory."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>)
      workgroup(%as: memref<16x16xf32, #gpu.address_space<workgroup>>,
                %bs: memref<16x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %top = arith.muli %by, %c16 : index
    %left = arith.muli %bx, %c16 : index
    %i = arith.addi %top, %ty : index
    %j = arith.addi %left, %tx : index
    %depth = memref.dim %a, %c1 : memref<?x?xf32>
    %dot = scf.for %k0 = %c0 to %depth step %c16 iter_args(%sum = %zero) -> (f32) {
      %ka = arith.addi %k0, %tx : index
      %kb = arith.addi %k0, %ty : index
      %x = memref.load %a[%i, %ka] : memref<?x?xf32>
      %y = memref.load %b[%kb, %j] : memref<?x?xf32>
      memref.store %x, %as[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      memref.store %y, %bs[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %tile = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %sum) -> (f32) {
        %u = memref.load %as[%ty, %k] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %v = memref.load %bs[%k, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %uv = arith.mulf %u, %v : f32
        %next = arith.addf %acc, %uv : f32
        scf.yield %next : f32
      }
      gpu.barrier
      scf.yield %tile : f32
    }
    memref.store %dot, %c[%i, %j] : memref<?x?xf32>
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does. Sizes are multiples of 16."""
    matmul = xgpu.load(SOURCE, device).kernels["matmul"]
    random = np.random.default_rng(5)
    a, b = random.random((64, 96), np.float32), random.random((96, 48), np.float32)
    c = xgpu.empty((64, 48), "float32", device)
    matmul.launch(grid=(48 // 16, 64 // 16))(xgpu.asarray(a, device), xgpu.asarray(b, device), c)
    return c.numpy(), a @ b


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
