# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long launches, graphs and allocations take on an NVIDIA GPU: generous bounds, which tell a
wrong way from a right one; benchmarks/launch.py measures.
"""

from __future__ import annotations

import time

import pytest

import xgpu
from tests.support.gpu_kernels import FILL

pytestmark = pytest.mark.gpu


def least(work, count: int, rounds: int = 7) -> float:
    """Microseconds of the host for one of `count`, the least of several rounds."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(count):
            work()
        times.append((time.perf_counter() - begin) / count * 1e6)
    return min(times)


def test_launches(hardware: None) -> None:
    stream = xgpu.Stream("cuda")
    launch = xgpu.load(FILL, "cuda").kernels["iota"][1, 32, stream]
    array = xgpu.zeros(32, "int32", "cuda")
    launch(array, 1)
    taken = least(lambda: launch(array, 1), 200)
    stream.synchronize()
    print(f"a launch: {taken:.2f} us")
    assert taken < 10


def test_allocations(hardware: None) -> None:
    text = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = gpu.wait async
  scf.for %i = %c0 to %n step %c1 {
    %a, %t0 = gpu.alloc async [%s] () : memref<1048576xf32>
    %t1 = gpu.dealloc async [%t0] %a : memref<1048576xf32>
    gpu.wait [%t1]
  }
  return
}
gpu.module @none { gpu.func @k() kernel { gpu.return } }
"""
    f = xgpu.load(text, "cuda").functions["f"]
    f(1)
    taken = least(lambda: f(100), 1) / 100
    print(f"an allocation from the pool, and freeing it: {taken:.2f} us")
    assert taken < 200


def test_a_second_run_of_a_program_compiles_nothing() -> None:
    program = xgpu.load(FILL + "func.func @f() { return }", "cuda")
    program.functions["f"]()
    taken = least(program.functions["f"], 100)
    print(f"a call of an empty function: {taken:.2f} us")
    assert taken < 1000
