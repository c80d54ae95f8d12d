# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels that are correct: no report, and the results that they have without the
sanitizer, screened and thread by thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.random_kernels import RandomKernel, arguments
from xgpu.runtime.sanitizer.monitor import Sanitizer

_SHORT = 16
_LONG = 2000
_PART = 50


def _results(data: bytes, kernel: RandomKernel, seed: int, form: str, sanitizer: Any) -> list[Any]:
    blocks = 2
    given = arguments(kernel, blocks, seed)
    launcher = Launcher(data, form, sanitizer=sanitizer)
    try:
        for array in given:
            if sanitizer is not None:
                launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch("k", (blocks, 1, 1), kernel.block, *given)
    finally:
        launcher.close()
    return given


def check(seed: int) -> str | None:
    """What the sanitizer says of a random kernel, or changes in it; None if nothing."""
    kernel = RandomKernel(seed)
    data = host_object(kernel.text)
    wanted = _results(data, kernel, seed, "auto", None)
    for form in ("auto", "threads"):
        sanitizer = Sanitizer()
        found = _results(data, kernel, seed, form, sanitizer)
        said = sanitizer.findings()
        if said:
            return f"seed {seed}, {form}: {said[0].kind}: {said[0].message} at {said[0].line}"
        for number, (a, b) in enumerate(zip(found, wanted, strict=True)):
            if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
                return f"seed {seed}, {form}: buffer {number} differs"
    return None


@pytest.mark.parametrize("seed", range(_SHORT))
def test_random_kernels(seed: int):
    assert check(seed) is None


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, _LONG, _PART))
def test_many_random_kernels(first: int):
    problems = [p for p in map(check, range(first, first + _PART)) if p is not None]
    assert not problems, "\n".join(problems)
