# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels give on an NVIDIA GPU what they give on the host device, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from tests.fuzz.function_runs import read
from tests.fuzz.interpreter import find_kernel, run_kernel
from tests.fuzz.kernel_runs import _buffer, _difference, blocks_of, kernel_of
from tests.fuzz.numbers import Undefined
from tests.support.random_kernels import arguments
from tests.support.some_cases import each

pytestmark = pytest.mark.gpu


def results(text: str, seed: int, device: str) -> list[np.ndarray]:
    kernel, blocks = kernel_of(seed), blocks_of(seed)
    given = arguments(kernel, blocks, seed)
    loaded = xgpu.load(text, device).kernels["k"]
    arrays = [xgpu.asarray(array, device) for array in given]
    loaded[blocks, kernel.block](*arrays)
    return [array.numpy() for array in arrays]


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.kind != "f":
        return np.array_equal(a, b)
    return bool(np.all((a.view(np.int32) == b.view(np.int32)) | (np.isnan(a) & np.isnan(b))))


def by_the_model(text: str, seed: int, found: list[np.ndarray]) -> str | None:
    """What differs from the model of the kernel; None where it says that nothing has to agree."""
    kernel, blocks = kernel_of(seed), blocks_of(seed)
    function = find_kernel(read(text))
    buffers = [_buffer(array) for array in arguments(kernel, blocks, seed)]
    shared = [(kernel.threads,)] * (len(function.regions[0].blocks[0].args) - len(buffers))
    try:
        run_kernel(function, (blocks, 1, 1), kernel.block, buffers, shared)
    except Undefined:
        return None
    said = [_difference(buffer, array) for buffer, array in zip(buffers, found, strict=True)]
    return next((f"buffer {n}{text}" for n, text in enumerate(said) if text is not None), None)


@pytest.mark.parametrize("first", each(range(0, 200, 20), 5))
def test_random_kernels(first: int) -> None:
    wrong: list[str] = []
    for seed in range(first, first + 20):
        text = kernel_of(seed).text
        gpu, host = results(text, seed, "cuda"), results(text, seed, "host")
        if all(map(equal, gpu, host)):
            continue
        said = by_the_model(text, seed, gpu)
        if said is not None:
            wrong.append(f"seed {seed}: {said}")
    assert not wrong
