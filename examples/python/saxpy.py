# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""y = a x + y: one thread an element, arrays of NumPy without copies."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %bid = gpu.block_id x
    %bdim = gpu.block_dim x
    %tid = gpu.thread_id x
    %base = arith.muli %bid, %bdim : index
    %i = arith.addi %base, %tid : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %xi = memref.load %x[%i] : memref<?xf32>
      %yi = memref.load %y[%i] : memref<?xf32>
      %ax = arith.mulf %a, %xi : f32
      %sum = arith.addf %ax, %yi : f32
      memref.store %sum, %y[%i] : memref<?xf32>
    }
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does."""
    saxpy = xgpu.load(SOURCE, device).kernels["saxpy"]
    x = np.arange(10_000, dtype=np.float32)
    y = np.ones_like(x)
    on_device = xgpu.asarray(y, device, copy=True)
    saxpy[-(-x.size // 256), 256](np.float32(2), xgpu.asarray(x, device), on_device)
    return on_device.numpy(), 2 * x + y


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
