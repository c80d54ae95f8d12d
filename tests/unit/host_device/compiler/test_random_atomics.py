# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels of atomic operations do what some order of their threads does, in every strategy
and under the sanitizer, which has nothing to say of them."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.random_atomics import BLOCKS, THREADS, AtomicKernel, is_path
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

#: Strategies, and whether the sanitizer watches.
_WAYS = (
    ("block-loops", False), ("auto", True), ("warps", False), ("block-loops", False),
    ("threads", False), ("threads", True),
)  # fmt: skip


def _run(
    kernel: AtomicKernel, seed: int, strategy: str, sanitizer: Sanitizer | None
) -> list[np.ndarray]:
    given = kernel.arguments(seed)
    source, memory, results, looks = given
    data = host_object(kernel.text, relaxed_floats=kernel.is_relaxed)
    launcher = Launcher(data, strategy, sanitizer=sanitizer, cores=1 + seed % 2)
    try:
        for array in given if sanitizer is not None else ():
            launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        address = ctypes.c_int64(memory.ctypes.data)
        launcher.launch("k", BLOCKS, THREADS, source, address, results, looks)
    finally:
        launcher.close()
    return given


def _seeds() -> list[object]:
    """One by default, 80 in the long run, 1,000 in all."""
    marks = [()] + [(pytest.mark.long,)] * 79 + [(pytest.mark.exhaustive,)] * 920
    return [pytest.param(seed, marks=marks[seed]) for seed in range(1000)]


@pytest.mark.parametrize("seed", _seeds())
def test_what_some_order_of_threads_does(seed: int) -> None:
    kernel = AtomicKernel(seed)
    strategy, is_watched = _WAYS[seed % len(_WAYS)]
    sanitizer = Sanitizer() if is_watched else None
    assert kernel.problem(seed, _run(kernel, seed, strategy, sanitizer)) is None
    assert sanitizer is None or not sanitizer.findings()


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        ([], False), ([(0, 1)], True), ([(1, 0)], False), ([(0, 2), (2, 1), (1, 1)], True),
        ([(0, 1), (2, 3), (3, 2)], False), ([(0, 1), (5, 5)], False),
        ([(1, 0), (0, 1), (0, 1)], True),
    ],
)  # fmt: skip
def test_the_model_knows_a_path(steps: list[tuple[int, int]], wanted: bool) -> None:
    assert is_path(steps, 0, 1) is wanted
