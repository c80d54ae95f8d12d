# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random kernel, which is correct, under the sanitizer: no report, and the results that it has
without, screened and thread by thread."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tests.support.kernel_launch import Launcher, host_object
from tests.support.random_kernels import RandomKernel, arguments
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

_BLOCKS = 2


def text_of(seed: int) -> str:
    return RandomKernel(seed).text


def _results(data: bytes, kernel: RandomKernel, seed: int, strategy: str, sanitizer: Any) -> list[Any]:
    given = arguments(kernel, _BLOCKS, seed)
    launcher = Launcher(data, strategy, sanitizer=sanitizer)
    try:
        for array in given:
            if sanitizer is not None:
                launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
        launcher.launch("k", (_BLOCKS, 1, 1), kernel.block, *given)
    finally:
        launcher.close()
    return given


def check(text: str, seed: int) -> str | None:
    """What the sanitizer says of a kernel, or changes in it; None if nothing."""
    kernel = RandomKernel(seed)
    data = host_object(text)
    wanted = _results(data, kernel, seed, "auto", None)
    for strategy in ("auto", "threads"):
        sanitizer = Sanitizer()
        found = _results(data, kernel, seed, strategy, sanitizer)
        said = sanitizer.findings()
        if said:
            return f"{strategy}: {said[0].kind}: {said[0].message} at line {said[0].line}"
        for number, (a, b) in enumerate(zip(found, wanted, strict=True)):
            if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
                return f"{strategy}: buffer {number} differs"
    return None


def signature(finding: str) -> str:
    """What kind of finding it is: without threads and numbers."""
    return re.sub(r"\d+", "N", finding)
