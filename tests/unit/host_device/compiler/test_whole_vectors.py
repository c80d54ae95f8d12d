# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sides of a branch that are there twice: for all lanes of a vector, and for some."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object

pytestmark = pytest.mark.sampled(2)

KERNEL = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>, %sum: memref<?xi32>) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %true = arith.constant true
      %false = arith.constant false
      %n = memref.dim %in, %c0 : memref<?xi32>
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %dx = gpu.block_dim x
      %first = arith.muli %bx, %dx : index
      %x = arith.addi %first, %tx : index
      %minus = arith.constant -1 : i32
      %below = arith.cmpi ult, %x, %n : index
      %above = arith.cmpi ugt, %x, %c1 : index
      {condition}
      %r = scf.if %c -> (i32) {{
        %v = memref.load %in[%x] : memref<?xi32>
        %w = arith.addi %v, %v : i32
        memref.store %w, %out[%x] : memref<?xi32>
        scf.yield %w : i32
      }} else {{
        scf.yield %minus : i32
      }}
      memref.store %r, %sum[%x] : memref<?xi32>
      gpu.return
    }}
  }}
}}
"""

CONDITIONS = {
    "one": ("%c = arith.andi %below, %true : i1", lambda x, n: x < n),
    "both": ("%c = arith.andi %below, %above : i1", lambda x, n: (x < n) & (x > 1)),
    "select": (
        "%c = arith.select %below, %above, %false : i1", lambda x, n: (x < n) & (x > 1)
    ),
    "either": (
        "%no = arith.cmpi uge, %x, %n : index\n %far = arith.addi %x, %x : index\n"
        "%odd = arith.cmpi ult, %far, %c1 : index\n %e = arith.ori %no, %odd : i1\n"
        "%c = arith.xori %e, %true : i1",
        lambda x, n: ~((x >= n) | (2 * x < 1)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("strategy", ["block-loops", "warps", "threads"])
def test_results_at_every_end_of_an_array(name, strategy):
    condition, holds = CONDITIONS[name]
    launcher = Launcher(host_object(KERNEL.format(condition=condition)), strategy)
    x = np.arange(192)
    for n in (0, 1, 31, 32, 33, 63, 64, 95, 96, 97, 190, 192):
        values = (np.arange(n, dtype=np.int32) * 7 + 3).astype(np.int32)
        out, total = np.full(192, -5, np.int32), np.full(192, -5, np.int32)
        launcher.launch("k", 2, 96, values, out, total)
        whole = np.zeros(192, np.int32)
        whole[:n] = values * 2
        taken = holds(x, n)
        np.testing.assert_array_equal(out, np.where(taken, whole, -5))
        np.testing.assert_array_equal(total, np.where(taken, whole, -1))
    launcher.close()


GRID = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%out: memref<?x?x?xi32>, %count: memref<1xi32>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %x = gpu.block_id x
      %y = gpu.block_id y
      %z = gpu.block_id z
      %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
      %before = memref.load %out[%z, %y, %x] : memref<?x?x?xi32>
      %after = arith.addi %before, %one : i32
      memref.store %after, %out[%z, %y, %x] : memref<?x?x?xi32>
      gpu.return
    }
  }
}
"""


@pytest.mark.parametrize("cores", [1, 2, 5])
@pytest.mark.parametrize("grid", [(1, 1, 1), (2, 1, 1), (97, 1, 1), (7, 11, 13), (1, 130, 3)])
def test_blocks_that_are_taken_many_at_a_time_all_run_once(cores, grid):
    launcher = Launcher(host_object(GRID), "block-loops", cores=cores)
    out, count = np.zeros(grid[::-1], np.int32), np.zeros(1, np.int32)
    for times in range(1, 4):
        launcher.launch("k", grid, 1, out, count)
        assert (out == times).all()
    assert count[0] == 3 * out.size
    assert kernel_of(launcher).independent, "nothing was taken many at a time"
    launcher.close()


@pytest.mark.parametrize(
    ("body", "space", "independent"),
    [
        ("memref.atomic_rmw addi %one, %p[%c0]", ", 3", True),
        ("memref.atomic_rmw addi %one, %p[%c0]", "", False),
        ("memref.load %p[%c0] {nontemporal = false}", "", True),
    ],
)
def test_blocks_that_may_wait_for_others(body, space, independent):
    """An atomic operation in global memory whose result is read may tell of other blocks."""
    ty = f"memref<1xi32{space}>"
    own = f"workgroup(%p: {ty})" if space else ""
    arguments = "%out: memref<?xi32>" + ("" if space else f", %p: {ty}")
    types = f"(i32, {ty}) -> i32" if "atomic" in body else ty
    text = f"""
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k({arguments}) {own} kernel {{
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %r = {body} : {types}
      memref.store %r, %out[%c0] : memref<?xi32>
      gpu.return
    }}
  }}
}}"""
    launcher = Launcher(host_object(text), "block-loops")
    given = [np.zeros(1, np.int32) for _ in range(1 if space else 2)]
    launcher.launch("k", 1, 32, *given)
    assert bool(kernel_of(launcher).independent) == independent
    launcher.close()


@pytest.mark.parametrize(
    ("body", "independent"),
    [
        ('llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%zero) : (i32) -> ()', True),
        ('llvm.call_intrinsic "llvm.nvvm.membar.gl"() : () -> ()', False),
        ('llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()', True),
    ],
)
def test_blocks_of_kernels_from_clang(body, independent):
    """What stands as an intrinsic, or as inline PTX, means what the operation does."""
    text = f"""
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    llvm.func @k() attributes {{gpu.kernel, nvvm.kernel}} {{
      %zero = llvm.mlir.constant(0 : i32) : i32
      {body}
      llvm.return
    }}
  }}
}}"""
    launcher = Launcher(host_object(text), "block-loops")
    launcher.launch("k", 1, 32)
    assert bool(kernel_of(launcher).independent) == independent
    launcher.close()


def kernel_of(launcher):
    name = ctypes.create_string_buffer(b"k")
    handle = launcher.device.mgpuModuleGetFunction(launcher.module, ctypes.addressof(name))
    return launcher.device.kernel(handle)
