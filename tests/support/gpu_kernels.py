# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that several tests on a GPU use."""

from __future__ import annotations

#: Each element becomes its number plus `from`.
FILL = """
gpu.module @kernels {
  gpu.func @iota(%a: memref<?xi32>, %from: i32) kernel {
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %t = gpu.thread_id x
    %base = arith.muli %b, %d : index
    %i = arith.addi %base, %t : index
    %n = memref.dim %a, %c0 : memref<?xi32>
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %w = arith.index_cast %i : index to i32
      %v = arith.addi %w, %from : i32
      memref.store %v, %a[%i] : memref<?xi32>
    }
    gpu.return
  }
}
"""


def program(text: str) -> str:
    """A module of kernels and of functions that launch them."""
    return f"module attributes {{gpu.container_module}} {{\n{text}\n}}\n"
