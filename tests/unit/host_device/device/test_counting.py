# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches count is what their kernels do, as it is known by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import short
from xgpu.host_device.device import launch
from xgpu.host_device.device.counting import CountingModule
from xgpu.runtime.session import TraceEvents
from xgpu.runtime.work import KernelRate, Peaks, Work, kernel_rates, rates_table

STRATEGIES = ["auto", "threads"]

COPY = """
gpu.module @m { gpu.func @k(%a: memref<?xf32>, %c: memref<?xf32>) kernel {
  %b = gpu.block_id x %d = gpu.block_dim x %t = gpu.thread_id x
  %base = arith.muli %b, %d : index
  %i = arith.addi %base, %t : index
  %v = memref.load %a[%i] : memref<?xf32>
  memref.store %v, %c[%i] : memref<?xf32>
  gpu.return } }
"""

TRIAD = """
gpu.module @m { gpu.func @k(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>) kernel {
  %g = gpu.block_id x %d = gpu.block_dim x %t = gpu.thread_id x
  %base = arith.muli %g, %d : index
  %i = arith.addi %base, %t : index
  %n = memref.dim %a, %zero : memref<?xf64>
  %is = arith.cmpi ult, %i, %n : index
  scf.if %is {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = memref.load %b[%i] : memref<?xf64>
    %s = arith.constant 3.0 : f64
    %p = arith.mulf %y, %s : f64
    %r = arith.addf %x, %p : f64
    memref.store %r, %c[%i] : memref<?xf64>
  }
  gpu.return } }
""".replace("%n = ", "%zero = arith.constant 0 : index\n  %n = ")

MATMUL = """
gpu.module @m { gpu.func @k(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) kernel {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %bx = gpu.block_id x %by = gpu.block_id y
  %dx = gpu.block_dim x %dy = gpu.block_dim y
  %tx = gpu.thread_id x %ty = gpu.thread_id y
  %b0 = arith.muli %bx, %dx : index
  %j = arith.addi %b0, %tx : index
  %b1 = arith.muli %by, %dy : index
  %i = arith.addi %b1, %ty : index
  %n = memref.dim %a, %one : memref<?x?xf32>
  %f = arith.constant 0.0 : f32
  %sum = scf.for %k = %zero to %n step %one iter_args(%s = %f) -> f32 {
    %x = memref.load %a[%i, %k] : memref<?x?xf32>
    %y = memref.load %b[%k, %j] : memref<?x?xf32>
    %r = math.fma %x, %y, %s : f32
    scf.yield %r : f32
  }
  memref.store %sum, %c[%i, %j] : memref<?x?xf32>
  gpu.return } }
"""

# Lane t goes round t times: of the 32 steps of a warp the lanes do half, less what ends it.
DIVERGES = """
gpu.module @m { gpu.func @k(%c: memref<?xf32>) kernel {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = gpu.thread_id x
  %f = arith.constant 0.0 : f32
  %x = arith.constant 1.5 : f32
  %sum = scf.for %k = %zero to %t step %one iter_args(%s = %f) -> f32 {
    %r = arith.addf %s, %x : f32
    scf.yield %r : f32
  }
  memref.store %sum, %c[%t] : memref<?xf32>
  gpu.return } }
"""

GATHERS = """
gpu.module @m { gpu.func @k(%a: memref<?xf32>, %p: memref<?xi32>, %c: memref<?xf32>) kernel {
  %t = gpu.thread_id x
  %w = memref.load %p[%t] : memref<?xi32>
  %at = arith.index_cast %w : i32 to index
  %v = memref.load %a[%at] : memref<?xf32>
  memref.store %v, %c[%at] : memref<?xf32>
  gpu.return } }
"""

SHARED = """
gpu.module @m { gpu.func @k(%c: memref<?xi32>)
    workgroup(%w: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
  %t = gpu.thread_id x
  %v = arith.index_cast %t : index to i32
  memref.store %v, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  %last = arith.constant 63 : index
  %at = arith.subi %last, %t : index
  %r = memref.load %w[%at] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %r, %c[%t] : memref<?xi32>
  gpu.return } }
"""


def rates(
    text: str, strategy: str, grid: Any, block: Any, *arguments: Any, times: int = 2
) -> KernelRate:
    """What a kernel does that is launched some times."""
    launcher = Launcher(host_object(text), strategy)
    events = TraceEvents()
    launcher.session.begin_trace(events, 0)
    launcher.device.count_work(True)
    for _ in range(times):
        launcher.launch("k", grid, block, *arguments)
    launcher.close()
    (found,) = kernel_rates(events)
    assert found.calls == times
    assert found.timed == max(times - 1, 1)
    return found


def floats(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


@pytest.mark.parametrize("strategy", short(STRATEGIES, "auto"))
def test_a_copy(strategy: str) -> None:
    found = rates(COPY, strategy, 4, 64, floats(256), floats(256))
    assert (found.bytes, found.floats, found.doubles, found.shared) == (2048, 0, 0, 0)
    assert found.lane_share == 1
    assert found.intensity == 0


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_triad_with_a_rest(strategy: str) -> None:
    given = [np.ones(100) for _ in range(3)]
    found = rates(TRIAD, strategy, 2, 64, *given)
    assert (given[2] == 4).all()
    assert (found.bytes, found.floats, found.doubles) == (2400, 0, 200)
    assert found.intensity == 200 / 2400


@pytest.mark.parametrize("strategy", short(STRATEGIES, "auto"))
def test_a_product_of_matrices(strategy: str) -> None:
    found = rates(MATMUL, strategy, (2, 2), (16, 16), floats(32, 8), floats(8, 32), floats(32, 32))
    assert found.floats == 2 * 32 * 32 * 8
    assert found.bytes == 4 * (2 * 32 * 32 * 8 + 32 * 32)


@pytest.mark.parametrize(("strategy", "vectors"), [("block-loops", 1), ("threads", 0)])
def test_lanes_that_wait_for_others(strategy: str, vectors: int) -> None:
    found = rates(DIVERGES, strategy, 1, 32, floats(32))
    assert found.strategy == strategy
    assert found.floats == 31 * 32 / 2
    assert (0.3 < found.lane_share < 0.8) == bool(vectors)
    assert vectors or found.lane_share == 1


def test_gathers_by_line() -> None:
    places = np.arange(64, dtype=np.int32)[::-1].copy()
    found = rates(GATHERS, "block-loops", 1, 64, floats(64), places, floats(64))
    assert found.bytes == 3 * 4 * 64
    lines = {(kind, where.split(":")[-2]): n for (kind, where), n in found.gathers.items()}
    assert lines == {("gather", "6"): 64, ("scatter", "7"): 64}


@pytest.mark.parametrize("strategy", short(["block-loops", "warps", "threads"], "warps"))
def test_workgroup_memory(strategy: str) -> None:
    result = np.zeros(64, np.int32)
    found = rates(SHARED, strategy, 1, 64, result)
    assert (result == np.arange(64)[::-1]).all()
    assert found.strategy == strategy
    assert found.lane_share == 1
    assert (found.bytes, found.shared) == (256, 512)


def test_a_kernel_that_ran_once_is_timed_as_it_counts() -> None:
    once = rates(COPY, "auto", 4, 64, floats(256), floats(256), times=1)
    assert once.is_counting_timed
    assert once.bytes == 2048
    assert "~" in rates_table([once], Peaks(1e9, 1e9, 1e9))


def test_variables_are_those_of_the_kernel() -> None:
    text = """
    gpu.module @m {
      memref.global @sum : memref<1xi32, 1> = dense<5>
      gpu.func @k(%c: memref<?xi32>) kernel {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : i32
        %g = memref.get_global @sum : memref<1xi32, 1>
        %v = memref.load %g[%zero] : memref<1xi32, 1>
        %n = arith.addi %v, %one : i32
        memref.store %n, %g[%zero] : memref<1xi32, 1>
        memref.store %n, %c[%zero] : memref<?xi32>
        gpu.return } }
    """
    for strategy in STRATEGIES:
        result = np.zeros(1, np.int32)
        rates(text, strategy, 1, 1, result, times=3)
        assert result[0] == 8


def test_rates() -> None:
    work = Work(floats=100, loaded=300, stored=100, operations=30, lanes=40)
    details = {"grid": [1], "block": [32], "module": "m", "strategy": "warps", "busy": 0.5}

    def event(name: str, **more: object) -> Any:
        args = {**details, **more}
        return {"name": name, "cat": "kernel", "ts": 0.0, "dur": 2.0, "tid": 1, "args": args}

    events = [event("k", work=work._asdict()), event("k"), event("k"), event("other")]
    (found,) = kernel_rates(events)
    assert (found.calls, found.timed) == (3, 2)
    assert found.bandwidth == pytest.approx(2e8)
    assert found.speed == pytest.approx(5e7)
    assert found.waiting == pytest.approx(0.5)
    assert found.lane_share == 0.75
    assert found.roof(Peaks(4e8, 1e9, 1e9)) == pytest.approx(0.5)
    assert found.roof(Peaks(4e9, 1e8, 1e9)) == pytest.approx(0.5)
    assert found.computing_peak(Peaks(1, 7.0, 3.0)) == 7.0


def test_code_that_counts_is_gone_after_the_profile() -> None:
    """A launch that is made again and again was first made while a profile looked."""
    launcher = Launcher(host_object(COPY))
    given, result = floats(4096), np.zeros(4096, np.float32)
    launcher.session.begin_trace(events := TraceEvents(), 0)
    launcher.device.count_work(True)
    run = launcher.at_once("k", 64, 64, given, result)
    run()
    launcher.device.count_work(False)
    launcher.session.events = None
    seen: list[bool] = []
    original = launch.Launch.run

    def watched(self: launch.Launch, *rest: object) -> str | None:
        seen.append(isinstance(self.kernel.module, CountingModule))
        return original(self, *rest)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch.Launch, "run", watched)
        run()
    assert (result == given).all()
    assert seen == [False]
    assert [("work" in e["args"]) for e in events] == [True]
    launcher.close()
