# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The largest blocks, and grids of many blocks: memory does not grow with the grid."""

from __future__ import annotations

import ctypes
import os
import resource

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from xgpu.host_device.device.prototypes import prototype_of

STRATEGIES = ("block-loops", "warps", "threads")
GRIDS = (1_000_000, 300_000, 20_000)
# Each thread adds its neighbour's number, which it gets through workgroup memory.
KERNEL = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal @data() {addr_space = 3 : i32} : !llvm.array<1024 x i32>
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %count = nvvm.read.ptx.sreg.ntid.x : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %data = llvm.mlir.addressof @data : !llvm.ptr<3>
      %mine = llvm.getelementptr %data[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tid, %mine : i32, !llvm.ptr<3>
      nvvm.barrier0
      %next = llvm.add %tid, %one : i32
      %other = llvm.urem %next, %count : i32
      %theirs = llvm.getelementptr %data[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %n = llvm.load %theirs : !llvm.ptr<3> -> i32
      %q = llvm.getelementptr %p[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %q, %n monotonic : !llvm.ptr, i32
      llvm.return
    }
  }
}
"""


def run(strategy: str, grid: int, block: int) -> tuple[np.ndarray, int]:
    """What each thread's sum is, and by how many KiB the most memory in use grew."""
    found = np.zeros(block, np.int32)
    launcher = Launcher(host_object(KERNEL), strategy)
    argument = ctypes.c_void_p(found.ctypes.data)
    launcher.launch("k", 1, block, argument)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    launcher.launch("k", grid - 1, block, argument)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    launcher.close()
    return found, after - before


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_block_of_1024_threads(strategy: str) -> None:
    found, _ = run(strategy, 8, 1024)
    np.testing.assert_array_equal(found, 8 * ((np.arange(1024) + 1) % 1024))


@pytest.mark.parametrize(("strategy", "grid"), list(zip(STRATEGIES, GRIDS, strict=True)))
def test_a_grid_of_many_blocks(strategy: str, grid: int) -> None:
    found, grown = run(strategy, grid, 32)
    want = grid * ((np.arange(32, dtype=np.int64) + 1) % 32)
    np.testing.assert_array_equal(found, want.astype(np.int32))
    assert grown < 8 << 10  # KiB


# Where each thread's block is in the grid, in four words.
PLACES = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %ntid = nvvm.read.ptx.sreg.ntid.x : i32
      %x = nvvm.read.ptx.sreg.ctaid.x : i32
      %y = nvvm.read.ptx.sreg.ctaid.y : i32
      %z = nvvm.read.ptx.sreg.ctaid.z : i32
      %nx = nvvm.read.ptx.sreg.nctaid.x : i32
      %ny = nvvm.read.ptx.sreg.nctaid.y : i32
      %a = llvm.mul %z, %ny : i32
      %b = llvm.add %a, %y : i32
      %c = llvm.mul %b, %nx : i32
      %block = llvm.add %c, %x : i32
      %d = llvm.mul %block, %ntid : i32
      %i = llvm.add %d, %tid : i32
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
      llvm.store %block, %q : i32, !llvm.ptr
      %q1 = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %x, %q1 : i32, !llvm.ptr
      %q2 = llvm.getelementptr %q[2] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %y, %q2 : i32, !llvm.ptr
      %q3 = llvm.getelementptr %q[3] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %z, %q3 : i32, !llvm.ptr
      llvm.return
    }
  }
}
"""


@pytest.mark.parametrize("grid", [(5, 3, 70), (1, 600, 2), (900, 1, 1)])
def test_blocks_that_one_entry_runs_know_where_they_are(grid: tuple[int, int, int]) -> None:
    """A worker's entry runs some hundred blocks of this launch, of several rows and planes."""
    x, y, z = grid
    found = np.full((z, y, x, 32, 4), -1, np.int32)
    launcher = Launcher(host_object(PLACES), "block-loops")
    launcher.launch("k", grid, 32, ctypes.c_void_p(found.ctypes.data))
    launcher.close()
    places = np.indices((z, y, x))
    want = [(places[0] * y + places[1]) * x + places[2], places[2], places[1], places[0]]
    for word, values in enumerate(want):
        np.testing.assert_array_equal(
            found[..., word], np.broadcast_to(values[..., None], found.shape[:-1])
        )


_ROWS = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal @data() {addr_space = 3 : i32} : !llvm.array<32 x i32>
    llvm.func @shares(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %data = llvm.mlir.addressof @data : !llvm.ptr<3>
      %mine = llvm.getelementptr %data[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %tid, %mine : i32, !llvm.ptr<3>
      nvvm.barrier0
      llvm.return
    }
    llvm.func @alone(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %q = llvm.getelementptr %p[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %tid, %q : i32, !llvm.ptr
      llvm.return
    }
  }
}
"""


@pytest.mark.parametrize(("name", "in_rows"), [("shares", True), ("alone", False)])
def test_blocks_of_several_rows_begin_in_order(name: str, in_rows: bool) -> None:
    """Programs count on the row before, as on GPUs, where threads of a block share memory."""
    launcher = Launcher(host_object(_ROWS), "block-loops")
    function = launcher.device.mgpuModuleGetFunction(launcher.module, name.encode())
    configuration = ((64_000, 8, 1), (32, 1, 1), (1, 1, 1), 0)
    record = prototype_of(launcher.device.kernel(function), configuration).record
    assert record.backward == (not in_rows)
    assert 1 < record.most < 64_000 // len(os.sched_getaffinity(0))
    launcher.close()
