# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random kernel on the host device, in both forms and at -O0 and -O3, against the model."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tests.fuzz.function_runs import read
from tests.fuzz.interpreter import Buffer, Unknown, find_kernel, run_kernel
from tests.fuzz.numbers import Undefined, Unsure
from tests.support.kernel_launch import Launcher, host_object
from tests.support.random_kernels import RandomKernel, arguments
from xgpu.ir.errors import DiagnosticError

BLOCKS = 2
WAYS = (("-O0", 0, "auto"), ("-O3", 3, "auto"), ("-O2, a loop over threads", 2, "threads"))


def text_of(seed: int) -> str:
    return RandomKernel(seed).text


def _buffer(array: Any) -> Buffer:
    if array.dtype == np.int32:
        return Buffer([int(n) & 0xFFFFFFFF for n in array], array.shape)
    return Buffer([float(n) for n in array], array.shape)


def check(text: str, seed: int) -> str | None:
    """What differs from the model, or goes wrong; None where nothing does, or nothing is defined."""
    kernel = RandomKernel(seed)
    function = find_kernel(read(text))
    buffers = [_buffer(array) for array in arguments(kernel, BLOCKS, seed)]
    shared = [(kernel.threads,)] * (len(function.regions[0].blocks[0].args) - len(buffers))
    try:
        run_kernel(function, (BLOCKS, 1, 1), kernel.block, buffers, shared)
    except Undefined:
        return None
    for way, level, form in WAYS:
        given = arguments(kernel, BLOCKS, seed)
        try:
            launcher = Launcher(host_object(text, level), form)
            try:
                launcher.launch("k", BLOCKS, kernel.block, *given)
            finally:
                launcher.close()
        except (DiagnosticError, Unknown) as problem:
            return f"{way}: {type(problem).__name__}: {str(problem).splitlines()[0][:100]}"
        for number, (buffer, array) in enumerate(zip(buffers, given, strict=True)):
            if (found := _difference(buffer, array)) is not None:
                return f"{way}: buffer {number}{found}"
    return None


def _difference(buffer: Buffer, array: Any) -> str | None:
    sure = np.array([not isinstance(v, Unsure) for v in buffer.data])
    plain = [0 if isinstance(v, Unsure) else v for v in buffer.data]
    if array.dtype == np.int32:
        want = np.array(plain, np.uint32).view(np.int32)
        same = want == array
    else:
        want = np.array(plain, np.float64).astype(np.float32)
        same = (want.view(np.int32) == array.view(np.int32)) | (np.isnan(want) & np.isnan(array))
    wrong = np.flatnonzero(sure & ~same)
    if not len(wrong):
        return None
    at = int(wrong[0])
    return f"[{at}] is {array[at]}, expected {want[at]}; {len(wrong)} differ"


def signature(difference: str) -> str:
    """The same for the same kind of finding."""
    return re.sub(r"\[?-?[0-9.]+(?:e[+-]?[0-9]+)?\]?|inf|nan", "_", difference)[:80]
