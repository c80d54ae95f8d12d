# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs on an NVIDIA GPU: what is changed between launches, and what the driver refuses to."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from tests.support.gpu_kernels import FILL, program

pytestmark = pytest.mark.gpu

STEP = (
    FILL
    + """
func.func @step(%a: memref<?xi32>, %b: memref<?xi64>, %c: memref<?xi64>, %blocks: index,
    %threads: index, %from: i32) {
  %c1 = arith.constant 1 : index
  %value = arith.constant VALUE : i64
  %s = gpu.wait async
  %t0 = gpu.launch_func async [%s] @kernels::@iota blocks in (%blocks, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%a : memref<?xi32>, %from : i32)
  %t1 = gpu.memset async [%s] %b, %value : memref<?xi64>, i64
  %t2 = gpu.memcpy async [%t1] %c, %b : memref<?xi64>, memref<?xi64>
  %t3 = gpu.launch_func async [%t0, %t2] @kernels::@iota blocks in (%blocks, %c1, %c1)
      threads in (%threads, %c1, %c1) args(%a : memref<?xi32>, %from : i32)
  gpu.wait [%t3]
  return
}
"""
)
VALUES = {"equal halves": 0x700000007, "a column for each half": 0x500000007}


@pytest.mark.parametrize("mode", ["graph", "streams"])
@pytest.mark.parametrize("value", VALUES)
def test_equal_and_changing_sizes(value: str, mode: str) -> None:
    text = STEP.replace("VALUE", str(VALUES[value]))
    step = xgpu.load(program(text), "cuda", pipeline=f"async-mode={mode}").functions["step"]
    for turn, size in enumerate((64, 64, 64, 96, 0, 32, 32)):
        a = xgpu.zeros(size, "int32", "cuda")
        b, c = (xgpu.zeros(size, "int64", "cuda") for _ in range(2))
        step(a, b, c, 3, 32, turn)
        assert np.array_equal(a.numpy(), np.arange(turn, turn + size))
        assert (b.numpy() == VALUES[value]).all()
        assert (c.numpy() == VALUES[value]).all()


@pytest.mark.parametrize("memory", ["cuda", "host"])
def test_a_copy_between_other_kinds_of_memory(memory: str) -> None:
    """Another mapping is what the driver does not change in a graph."""
    step = xgpu.load(
        program(STEP.replace("VALUE", "5")), "cuda", pipeline="async-mode=graph"
    ).functions["step"]
    a, b = xgpu.zeros(64, "int32", "cuda"), xgpu.zeros(64, "int64", "cuda")
    for where in ("cuda", memory, "cuda"):
        c = xgpu.zeros(64, "int64", where)
        step(a, b, c, 2, 32, 0)
        assert (c.numpy() == 5).all()


def test_a_cluster_in_a_graph(needs_chip) -> None:
    needs_chip(9)
    text = """
gpu.module @kernels {
  gpu.func @ranks(%a: memref<?xi32>) kernel {
    %b = gpu.block_id x
    %r = gpu.cluster_block_id x
    %w = arith.index_cast %r : index to i32
    memref.store %w, %a[%b] : memref<?xi32>
    gpu.return
  }
}
func.func @f(%a: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = gpu.wait async
  %t = gpu.launch_func async [%s] @kernels::@ranks clusters in (%c2, %c1, %c1)
      blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xi32>)
  %u = gpu.memcpy async [%t] %a, %a : memref<?xi32>, memref<?xi32>
  gpu.wait [%u]
  return
}
"""
    f = xgpu.load(program(text), "cuda", pipeline="async-mode=graph").functions["f"]
    for blocks in (8, 8, 16):
        a = xgpu.zeros(16, "int32", "cuda")
        f(a, blocks)
        assert np.array_equal(a.numpy()[:blocks], np.arange(blocks) % 2)


def test_eighty_nodes_in_one_call() -> None:
    launches = "\n".join(
        f"  %t{i + 1} = gpu.launch_func async [%t{i}] @kernels::@add blocks in (%c1, %c1, %c1)"
        " threads in (%c64, %c1, %c1) args(%a : memref<?xi32>, %v : i32)"
        for i in range(80)
    )
    text = f"""
gpu.module @kernels {{
  gpu.func @add(%a: memref<?xi32>, %v: i32) kernel {{
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<?xi32>
    %y = arith.addi %x, %v : i32
    memref.store %y, %a[%t] : memref<?xi32>
    gpu.return
  }}
}}
func.func @f(%a: memref<?xi32>, %v: i32) {{
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t0 = gpu.wait async
{launches}
  gpu.wait [%t80]
  return
}}
"""
    f = xgpu.load(program(text), "cuda", pipeline="async-mode=graph").functions["f"]
    a, b = (xgpu.zeros(64, "int32", "cuda") for _ in range(2))
    # What comes again is launched as it is, without the program.
    for array, value in (*[(a, 1)] * 4, (b, 1), (b, 2), *[(a, 2)] * 3):
        f(array, value)
    assert (a.numpy() == 80 * (4 * 1 + 3 * 2)).all()
    assert (b.numpy() == 240).all()
