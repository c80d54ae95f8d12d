# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random kernel on the host device, in every strategy and at -O0 and -O3, against the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.fuzz.function_runs import read
from tests.fuzz.interpreter import Buffer, Unknown, find_kernel, run_kernel
from tests.fuzz.numbers import Undefined, Unsure
from tests.support.kernel_launch import lowered_object
from tests.support.random_kernels import RandomKernel, arguments
from tests.support.strategy_codes import STRATEGIES, StrategyCodes
from tests.support.typed_kernels import TypedKernel
from xgpu.core.ir.errors import DiagnosticError
from xgpu.host_device.machine.cpu import host_target

#: A build that checks claims does so before LLVM optimizes: one level says all.
LEVELS = (0,) if host_target().is_checked else (0, 3)


def kernel_of(seed: int) -> RandomKernel:
    """Every fourth kernel has values of many types."""
    return TypedKernel(seed) if seed % 4 == 3 else RandomKernel(seed)


def text_of(seed: int) -> str:
    return kernel_of(seed).text


def blocks_of(seed: int) -> int:
    """How many blocks are launched: mostly one, for the model takes long."""
    return 1 if seed % 4 else 2


def _buffer(array: Any) -> Buffer:
    if array.dtype == np.int32:
        return Buffer([int(n) & 0xFFFFFFFF for n in array], array.shape)
    return Buffer([float(n) for n in array], array.shape)


def check(text: str, seed: int) -> str | None:
    """What differs from the model, or goes wrong; None where nothing does, or nothing is defined."""
    return check_kernel(text, kernel_of(seed), seed, blocks_of(seed))


def check_kernel(
    text: str, kernel: RandomKernel, seed: int, blocks: int, levels: Sequence[int] = LEVELS
) -> str | None:
    """Likewise of a kernel for a size of its blocks."""
    module = read(text)
    function = find_kernel(module)
    buffers = [_buffer(array) for array in arguments(kernel, blocks, seed)]
    shared = [(kernel.threads,)] * (len(function.regions[0].blocks[0].args) - len(buffers))
    try:
        run_kernel(function, (blocks, 1, 1), kernel.block, buffers, shared)
    except Undefined:
        return None
    try:
        codes = StrategyCodes(lowered_object(module), "k", kernel.block)
        strategies = [strategy for strategy in STRATEGIES if codes.has(strategy)]
        if codes.reasons and not kernel.lacks_forms:
            return f"no {codes.reasons[-1].strategy}: {codes.reasons[-1].reason}"
    except (DiagnosticError, Unknown) as problem:
        return f"lowering: {type(problem).__name__}: {str(problem).splitlines()[0][:100]}"
    for strategy in strategies:
        for level in levels:
            found = _run(codes, strategy, level, arguments(kernel, blocks, seed), buffers, blocks)
            if found is not None:
                return f"{strategy} at -O{level}: {found}"
    return None


def _run(
    codes: StrategyCodes,
    strategy: str,
    level: int,
    given: list[Any],
    buffers: list[Buffer],
    blocks: int,
) -> str | None:
    try:
        codes.launch(strategy, level, blocks, *given)
    except DiagnosticError as problem:
        return f"{type(problem).__name__}: {str(problem).splitlines()[0][:100]}"
    for number, (buffer, array) in enumerate(zip(buffers, given, strict=True)):
        if (found := _difference(buffer, array)) is not None:
            return f"buffer {number}{found}"
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
