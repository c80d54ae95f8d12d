# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of each row: a block a row, maxima and sums over the threads of a block."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %row = gpu.block_id x
    %tid = gpu.thread_id x
    %bdim = gpu.block_dim x
    %n = memref.dim %x, %c1 : memref<?x?xf32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %own_most = scf.for %j = %tid to %n step %bdim iter_args(%most = %lowest) -> (f32) {
      %v = memref.load %x[%row, %j] : memref<?x?xf32>
      %next = arith.maximumf %most, %v : f32
      scf.yield %next : f32
    }
    %most = gpu.all_reduce maximumf %own_most {} : (f32) -> (f32)
    %own_sum = scf.for %j = %tid to %n step %bdim iter_args(%sum = %zero) -> (f32) {
      %v = memref.load %x[%row, %j] : memref<?x?xf32>
      %d = arith.subf %v, %most : f32
      %e = math.exp %d : f32
      memref.store %e, %y[%row, %j] : memref<?x?xf32>
      %next = arith.addf %sum, %e : f32
      scf.yield %next : f32
    }
    %sum = gpu.all_reduce add %own_sum {} : (f32) -> (f32)
    scf.for %j = %tid to %n step %bdim {
      %e = memref.load %y[%row, %j] : memref<?x?xf32>
      %p = arith.divf %e, %sum : f32
      memref.store %p, %y[%row, %j] : memref<?x?xf32>
    }
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does."""
    softmax = xgpu.load(SOURCE, device).kernels["softmax"]
    x = np.random.default_rng(0).normal(size=(20, 300)).astype(np.float32)
    y = xgpu.empty(x.shape, "float32", device)
    softmax[x.shape[0], 128](xgpu.asarray(x, device), y)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return y.numpy(), e / e.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
