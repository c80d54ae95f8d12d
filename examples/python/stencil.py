# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One step of heat conduction in a plate: each point becomes the mean of its four neighbours."""

import numpy as np

import xgpu

SOURCE = """
gpu.module @kernels {
  gpu.func @step(%a: memref<?x?xf64>, %b: memref<?x?xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %quarter = arith.constant 0.25 : f64
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %dx = gpu.block_dim x
    %dy = gpu.block_dim y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %left = arith.muli %bx, %dx : index
    %top = arith.muli %by, %dy : index
    %x = arith.addi %left, %tx : index
    %y = arith.addi %top, %ty : index
    %j = arith.addi %x, %c1 : index
    %i = arith.addi %y, %c1 : index
    %rows = memref.dim %a, %c0 : memref<?x?xf64>
    %columns = memref.dim %a, %c1 : memref<?x?xf64>
    %down = arith.addi %i, %c1 : index
    %right = arith.addi %j, %c1 : index
    %in_rows = arith.cmpi ult, %down, %rows : index
    %in_columns = arith.cmpi ult, %right, %columns : index
    %inside = arith.andi %in_rows, %in_columns : i1
    scf.if %inside {
      %n = memref.load %a[%y, %j] : memref<?x?xf64>
      %s = memref.load %a[%down, %j] : memref<?x?xf64>
      %w = memref.load %a[%i, %x] : memref<?x?xf64>
      %e = memref.load %a[%i, %right] : memref<?x?xf64>
      %ns = arith.addf %n, %s : f64
      %we = arith.addf %w, %e : f64
      %sum = arith.addf %ns, %we : f64
      %mean = arith.mulf %sum, %quarter : f64
      memref.store %mean, %b[%i, %j] : memref<?x?xf64>
    }
    gpu.return
  }
}
"""


def run(device: str = "auto", steps: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """The plate after some steps, from the kernel and from NumPy."""
    step = xgpu.load(SOURCE, device).kernels["step"]
    plate = np.zeros((50, 70))
    plate[0] = 100.0
    old, new = (xgpu.asarray(plate, device, copy=True) for _ in range(2))
    for _ in range(steps):
        step[(5, 4), (16, 16)](old, new)
        old, new = new, old
    for _ in range(steps):
        around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        plate = plate.copy()
        plate[1:-1, 1:-1] = around / 4
    return old.numpy(), plate


if __name__ == "__main__":
    found, expected = run()
    print(f"largest error: {np.abs(found - expected).max()}")
