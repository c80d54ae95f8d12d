# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in one pass over the keys: a block a query, a thread a feature, running softmax."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @attention(%q: memref<?x32xf32>, %k: memref<?x32xf32>, %v: memref<?x32xf32>,
      %scale: f32, %out: memref<?x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %query = gpu.block_id x
    %d = gpu.thread_id x
    %keys = memref.dim %k, %c0 : memref<?x32xf32>
    %qd = memref.load %q[%query, %d] : memref<?x32xf32>
    %end:3 = scf.for %j = %c0 to %keys step %c1
        iter_args(%most = %lowest, %sum = %zero, %acc = %zero) -> (f32, f32, f32) {
      %kd = memref.load %k[%j, %d] : memref<?x32xf32>
      %vd = memref.load %v[%j, %d] : memref<?x32xf32>
      %product = arith.mulf %qd, %kd : f32
      %dot = gpu.all_reduce add %product uniform {} : (f32) -> (f32)
      %score = arith.mulf %dot, %scale : f32
      %new_most = arith.maximumf %most, %score : f32
      %shrinks = arith.subf %most, %new_most : f32
      %shrunk = math.exp %shrinks : f32
      %rises = arith.subf %score, %new_most : f32
      %weight = math.exp %rises : f32
      %old_sum = arith.mulf %sum, %shrunk : f32
      %new_sum = arith.addf %old_sum, %weight : f32
      %old_acc = arith.mulf %acc, %shrunk : f32
      %weighted = arith.mulf %weight, %vd : f32
      %new_acc = arith.addf %old_acc, %weighted : f32
      scf.yield %new_most, %new_sum, %new_acc : f32, f32, f32
    }
    %mean = arith.divf %end#2, %end#1 : f32
    memref.store %mean, %out[%query, %d] : memref<?x32xf32>
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does."""
    attention = xgpu.load(SOURCE, device).kernels["attention"]
    q, k, v = np.random.default_rng(7).normal(size=(3, 40, 32)).astype(np.float32)
    out = xgpu.empty(q.shape, "float32", device)
    given = (xgpu.asarray(a, device) for a in (q, k, v))
    attention.launch(grid=len(q))(*given, 32**-0.5, out)
    scores = q @ k.T * 32**-0.5
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return out.numpy(), weights / weights.sum(axis=1, keepdims=True) @ v


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
