# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays, kernels, functions, streams, events and profiles from Python on an NVIDIA GPU."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import xgpu
from tests.support.gpu_kernels import FILL, program

pytestmark = pytest.mark.gpu
GALLERY = Path(__file__).parents[2] / "examples" / "python"


@pytest.mark.parametrize("name", sorted(path.stem for path in GALLERY.glob("*.py")))
def test_the_gallery(name: str) -> None:
    found, expected = runpy.run_path(str(GALLERY / f"{name}.py"))["run"]("cuda")
    assert np.allclose(found, expected, rtol=1e-3, atol=1e-4)


def test_what_a_kernel_says() -> None:
    kernel = xgpu.load(FILL, "cuda").kernels["iota"]
    assert kernel.registers is not None
    assert kernel.largest_block >= 256
    assert 0 < kernel.occupancy(256) <= 1


def test_streams_and_events() -> None:
    iota = xgpu.load(FILL, "cuda").kernels["iota"]
    array = xgpu.zeros(1 << 20, "int32", "cuda")
    first, second = xgpu.Stream("cuda"), xgpu.Stream("cuda")
    begin = first.record()
    for i in range(10):
        iota[4096, 256, first](array, i)
    end = first.record()
    second.wait(end)
    iota[4096, 256, second](array, 100)
    second.synchronize()
    assert end.done
    assert begin.elapsed(end) > 0


def test_the_order_of_streams() -> None:
    iota = xgpu.load(FILL, "cuda").kernels["iota"]
    array = xgpu.zeros(1 << 20, "int32", "cuda")
    streams = [xgpu.Stream("cuda") for _ in range(4)]
    for i in range(100):
        streams[i % 4].wait(streams[(i - 1) % 4])
        iota[4096, 256, streams[i % 4]](array, i)
    streams[99 % 4].synchronize()
    assert np.array_equal(array.numpy(), np.arange(99, 99 + (1 << 20)))


def test_a_profile_has_the_times_of_the_gpu() -> None:
    iota = xgpu.load(FILL, "cuda").kernels["iota"]
    array = xgpu.zeros(1 << 20, "int32", "cuda")
    with xgpu.profile() as found:
        for i in range(3):
            iota[4096, 256](array, i)
        array.numpy()
    rows = {row.name: row for row in found.rows}
    assert rows["iota"].calls == 3
    assert 0 < rows["iota"].shortest < 100_000
    assert rows["memcpy"].calls == 1


def test_a_function_with_arrays_of_both_memories() -> None:
    text = (
        FILL
        + """
func.func @f(%n: index, %from: i32) -> memref<?xi32> {
  %c1 = arith.constant 1 : index
  %a = gpu.alloc (%n) : memref<?xi32>
  gpu.launch_func @kernels::@iota blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%a : memref<?xi32>, %from : i32)
  return %a : memref<?xi32>
}
"""
    )
    found = xgpu.load(program(text), "cuda").functions["f"](32, 9)
    assert found.device == "cuda:0"
    assert np.array_equal(found.numpy(), np.arange(9, 41))
