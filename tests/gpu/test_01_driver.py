# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver, the chip, memory there and back, one kernel; messages for what cannot be."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from tests.support.gpu_kernels import FILL
from xgpu.core.ir.errors import DeviceError

pytestmark = pytest.mark.gpu


def test_the_driver_and_the_chip() -> None:
    from xgpu.api.devices.registry import backend
    from xgpu.backend.nvptx.compiler import CHIPS
    from xgpu.runtime.cuda.driver import load_driver

    assert load_driver().call("cuDriverGetVersion") >= 12000
    assert backend("cuda").chip in CHIPS


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64"])
def test_memory_there_and_back(dtype: str) -> None:
    given = np.arange(1000).astype(dtype).reshape(10, 100)
    array = xgpu.asarray(given, "cuda")
    assert np.array_equal(array.numpy(), given)


def test_rows_there_and_back() -> None:
    given = np.arange(1000.0).reshape(10, 100)
    for view in (given[:, 5:20], given[::2, ::3], given.T, given[::-1]):
        assert np.array_equal(xgpu.asarray(view, "cuda").numpy(), view)


@pytest.mark.parametrize("value", [0, 1, -1, 0x0102030405060708])
def test_fills(value: int) -> None:
    array = xgpu.empty(10_001, "int64", "cuda").fill(value)
    assert (array.numpy() == value).all()


def test_a_kernel() -> None:
    array = xgpu.zeros(10_000, "int32", "cuda")
    xgpu.load(FILL, "cuda").kernels["iota"][40, 256](array, 7)
    assert np.array_equal(array.numpy(), np.arange(7, 10_007))


def test_impossible_launches_are_refused() -> None:
    iota = xgpu.load(FILL, "cuda").kernels["iota"]
    array = xgpu.zeros(8, "int32", "cuda")
    for grid, block, words in (
        (1, 2048, "2048 threads, the limit is 1024"),
        ((1, 70_000), 1, "grid size y is 70000, the limit is 65535"),
        (1, (1, 1, 65), "block size z is 65, the limit is 64"),
    ):
        with pytest.raises(DeviceError, match=words):
            iota[grid, block](array, 1)
    iota[1, 8](array, 1)
    array.numpy()


def test_more_memory_than_there_is() -> None:
    with pytest.raises(DeviceError, match="OUT_OF_MEMORY"):
        xgpu.empty(1 << 50, "int8", "cuda")
    assert xgpu.empty(8, "int8", "cuda").address
