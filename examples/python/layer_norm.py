# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer normalization: a block a row, mean and variance over the threads of a block."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @layer_norm(%x: memref<?x?xf32>, %scale: memref<?xf32>, %shift: memref<?xf32>,
      %epsilon: f32, %y: memref<?x?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %row = gpu.block_id x
    %tid = gpu.thread_id x
    %bdim = gpu.block_dim x
    %n = memref.dim %x, %c1 : memref<?x?xf32>
    %zero = arith.constant 0.0 : f32
    %ni = arith.index_cast %n : index to i32
    %nf = arith.sitofp %ni : i32 to f32
    %own = scf.for %j = %tid to %n step %bdim iter_args(%s = %zero) -> (f32) {
      %v = memref.load %x[%row, %j] : memref<?x?xf32>
      %next = arith.addf %s, %v : f32
      scf.yield %next : f32
    }
    %sum = gpu.all_reduce add %own {} : (f32) -> (f32)
    %mean = arith.divf %sum, %nf : f32
    %own_squares = scf.for %j = %tid to %n step %bdim iter_args(%s = %zero) -> (f32) {
      %v = memref.load %x[%row, %j] : memref<?x?xf32>
      %d = arith.subf %v, %mean : f32
      %dd = arith.mulf %d, %d : f32
      %next = arith.addf %s, %dd : f32
      scf.yield %next : f32
    }
    %squares = gpu.all_reduce add %own_squares {} : (f32) -> (f32)
    %variance = arith.divf %squares, %nf : f32
    %stable = arith.addf %variance, %epsilon : f32
    %inverse = math.rsqrt %stable : f32
    scf.for %j = %tid to %n step %bdim {
      %v = memref.load %x[%row, %j] : memref<?x?xf32>
      %a = memref.load %scale[%j] : memref<?xf32>
      %b = memref.load %shift[%j] : memref<?xf32>
      %d = arith.subf %v, %mean : f32
      %u = arith.mulf %d, %inverse : f32
      %au = arith.mulf %a, %u : f32
      %r = arith.addf %au, %b : f32
      memref.store %r, %y[%row, %j] : memref<?x?xf32>
    }
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does."""
    layer_norm = xgpu.load(SOURCE, device).kernels["layer_norm"]
    random = np.random.default_rng(1)
    x = random.normal(3, 2, (10, 200)).astype(np.float32)
    scale, shift = random.normal(size=(2, 200)).astype(np.float32)
    y = xgpu.empty(x.shape, "float32", device)
    given = (xgpu.asarray(a, device) for a in (x, scale, shift))
    layer_norm[x.shape[0], 64](*given, 1e-5, y)
    centered = x - x.mean(axis=1, keepdims=True)
    variance = (centered**2).mean(axis=1, keepdims=True)
    return y.numpy(), scale * centered / np.sqrt(variance + 1e-5) + shift


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
