# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A histogram: each block counts in its own workgroup memory, then adds to the whole."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @histogram(%data: memref<?xi32>, %bins: memref<64xi32>)
      workgroup(%own: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bid = gpu.block_id x
    %bdim = gpu.block_dim x
    %tid = gpu.thread_id x
    %base = arith.muli %bid, %bdim : index
    %i = arith.addi %base, %tid : index
    %n = memref.dim %data, %c0 : memref<?xi32>
    scf.for %b = %tid to %c64 step %bdim {
      memref.store %zero, %own[%b] : memref<64xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %value = memref.load %data[%i] : memref<?xi32>
      %bin = arith.index_cast %value : i32 to index
      %old = memref.atomic_rmw addi %one, %own[%bin]
          : (i32, memref<64xi32, #gpu.address_space<workgroup>>) -> i32
    }
    gpu.barrier
    scf.for %b = %tid to %c64 step %bdim {
      %count = memref.load %own[%b] : memref<64xi32, #gpu.address_space<workgroup>>
      %old = memref.atomic_rmw addi %count, %bins[%b] : (i32, memref<64xi32>) -> i32
    }
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does."""
    histogram = xgpu.load(SOURCE, device).kernels["histogram"]
    data = np.random.default_rng(2).integers(0, 64, 20_000, dtype=np.int32)
    bins = xgpu.zeros(64, "int32", device)
    histogram[-(-data.size // 256), 256](xgpu.asarray(data, device), bins)
    return bins.numpy(), np.bincount(data, minlength=64)


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
