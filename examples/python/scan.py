# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running sums: within blocks of 256, then of the blocks' totals, which the second kernel adds."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @scan(%x: memref<?xi64>, %y: memref<?xi64>, %totals: memref<?xi64>)
      workgroup(%s: memref<256xi64, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c255 = arith.constant 255 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0 : i64
    %bid = gpu.block_id x
    %bdim = gpu.block_dim x
    %tid = gpu.thread_id x
    %base = arith.muli %bid, %bdim : index
    %i = arith.addi %base, %tid : index
    %n = memref.dim %x, %c0 : memref<?xi64>
    %inside = arith.cmpi ult, %i, %n : index
    %own = scf.if %inside -> (i64) {
      %v = memref.load %x[%i] : memref<?xi64>
      scf.yield %v : i64
    } else {
      scf.yield %zero : i64
    }
    memref.store %own, %s[%tid] : memref<256xi64, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = scf.while (%distance = %c1) : (index) -> (index) {
      %more = arith.cmpi ult, %distance, %c256 : index
      scf.condition(%more) %distance : index
    } do {
    ^bb0(%distance: index):
      %reaches = arith.cmpi uge, %tid, %distance : index
      %left = scf.if %reaches -> (i64) {
        %at = arith.subi %tid, %distance : index
        %v = memref.load %s[%at] : memref<256xi64, #gpu.address_space<workgroup>>
        scf.yield %v : i64
      } else {
        scf.yield %zero : i64
      }
      gpu.barrier
      %before = memref.load %s[%tid] : memref<256xi64, #gpu.address_space<workgroup>>
      %sum = arith.addi %before, %left : i64
      memref.store %sum, %s[%tid] : memref<256xi64, #gpu.address_space<workgroup>>
      gpu.barrier
      %twice = arith.muli %distance, %c2 : index
      scf.yield %twice : index
    }
    %sum = memref.load %s[%tid] : memref<256xi64, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %sum, %y[%i] : memref<?xi64>
    }
    %is_last = arith.cmpi eq, %tid, %c255 : index
    scf.if %is_last {
      memref.store %sum, %totals[%bid] : memref<?xi64>
    }
    gpu.return
  }
  gpu.func @add(%totals: memref<?xi64>, %y: memref<?xi64>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bid = gpu.block_id x
    %bdim = gpu.block_dim x
    %tid = gpu.thread_id x
    %base = arith.muli %bid, %bdim : index
    %i = arith.addi %base, %tid : index
    %n = memref.dim %y, %c0 : memref<?xi64>
    %inside = arith.cmpi ult, %i, %n : index
    %follows = arith.cmpi ugt, %bid, %c0 : index
    %adds = arith.andi %inside, %follows : i1
    scf.if %adds {
      %before = arith.subi %bid, %c1 : index
      %t = memref.load %totals[%before] : memref<?xi64>
      %v = memref.load %y[%i] : memref<?xi64>
      %sum = arith.addi %t, %v : i64
      memref.store %sum, %y[%i] : memref<?xi64>
    }
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernels give, and what NumPy does."""
    kernels = xgpu.load(SOURCE, device).kernels
    x = np.random.default_rng(3).integers(-100, 100, 10_000)
    blocks = -(-x.size // 256)
    y, totals, sums = (xgpu.zeros(n, "int64", device) for n in (x.size, blocks, blocks))
    unused = xgpu.zeros(1, "int64", device)
    kernels["scan"].launch(grid=blocks)(xgpu.asarray(x, device), y, totals)
    kernels["scan"].launch(grid=1)(totals, sums, unused)
    kernels["add"].launch(grid=blocks)(sums, y)
    return y.numpy(), np.cumsum(x)


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
