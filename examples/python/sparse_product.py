# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sparse matrix (compressed rows) times a vector: a thread a row."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @product(%begin: memref<?xi32>, %columns: memref<?xi32>, %values: memref<?xf64>,
      %x: memref<?xf64>, %y: memref<?xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f64
    %bid = gpu.block_id x
    %bdim = gpu.block_dim x
    %tid = gpu.thread_id x
    %base = arith.muli %bid, %bdim : index
    %i = arith.addi %base, %tid : index
    %rows = memref.dim %y, %c0 : memref<?xf64>
    %inside = arith.cmpi ult, %i, %rows : index
    scf.if %inside {
      %next = arith.addi %i, %c1 : index
      %first = memref.load %begin[%i] : memref<?xi32>
      %last = memref.load %begin[%next] : memref<?xi32>
      %from = arith.index_cast %first : i32 to index
      %to = arith.index_cast %last : i32 to index
      %dot = scf.for %k = %from to %to step %c1 iter_args(%sum = %zero) -> (f64) {
        %column = memref.load %columns[%k] : memref<?xi32>
        %j = arith.index_cast %column : i32 to index
        %a = memref.load %values[%k] : memref<?xf64>
        %b = memref.load %x[%j] : memref<?xf64>
        %ab = arith.mulf %a, %b : f64
        %more = arith.addf %sum, %ab : f64
        scf.yield %more : f64
      }
      memref.store %dot, %y[%i] : memref<?xf64>
    }
    gpu.return
  }
}
"""


def run(device: str = "auto") -> tuple[np.ndarray, np.ndarray]:
    """What the kernel gives, and what NumPy does with the dense matrix."""
    product = xgpu.load(SOURCE, device).kernels["product"]
    random = np.random.default_rng(4)
    dense = np.where(random.random((300, 200)) < 0.05, random.normal(size=(300, 200)), 0.0)
    rows, columns = np.nonzero(dense)
    begin = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=300))]).astype(np.int32)
    x = random.normal(size=200)
    y = xgpu.empty(300, "float64", device)
    given = (begin, columns.astype(np.int32), dense[rows, columns], x)
    product[3, 128](*(xgpu.asarray(a, device) for a in given), y)
    return y.numpy(), dense @ x


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
