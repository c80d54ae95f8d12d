# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random kernel both ways on the host device: from MLIR, and as PTX that is read back.

    MLIR -> host device                 what is wanted
    MLIR -> PTX -> import -> host device   must be the same, bit for bit but for NaNs

The PTX is LLVM's, at levels 0 to 3, for several chips.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tests.fuzz.kernel_runs import blocks_of, kernel_of
from tests.support.kernel_launch import Launcher, host_object, lowered_object
from tests.support.random_kernels import arguments
from xgpu.core.ir.errors import DiagnosticError
from xgpu.driver import compiler

CHIPS = ("sm_80", "sm_86", "sm_90a", "sm_100a", "sm_89")


def text_of(seed: int) -> str:
    return kernel_of(seed).text


def ptx_of(text: str, seed: int = 0) -> str:
    """PTX of the kernels of a program, at a level and for a chip that the seed says."""
    compiled = compiler.compile(text, chip=CHIPS[seed % len(CHIPS)], opt_level=seed // 2 % 4)
    (code,) = compiled.kernels.values()
    return code.decode()


def check(text: str, seed: int) -> str | None:
    """What differs between the two ways, or goes wrong; None where nothing does."""
    try:
        imported = lowered_object(compiler.parse(ptx_of(text, seed), "k.ptx"))
    except DiagnosticError as problem:
        return f"import: {str(problem).splitlines()[0][:200]}"
    wanted = _results(host_object(text), seed, "auto")
    for strategy in ("auto", "threads"):
        try:
            found = _results(imported, seed, strategy)
        except DiagnosticError as problem:
            return f"{strategy}: {str(problem).splitlines()[0][:200]}"
        for number, (a, b) in enumerate(zip(found, wanted, strict=True)):
            difference = _difference(a, b)
            if difference is not None:
                return f"{strategy}: buffer {number}{difference}"
    return None


def _results(data: bytes, seed: int, strategy: str) -> list[Any]:
    kernel, blocks = kernel_of(seed), blocks_of(seed)
    given = arguments(kernel, blocks, seed)
    launcher = Launcher(data, strategy)
    try:
        launcher.launch("k", (blocks, 1, 1), kernel.block, *given)
    finally:
        launcher.close()
    return given


def _difference(found: Any, wanted: Any) -> str | None:
    same = found.view(np.int32) == wanted.view(np.int32)
    if found.dtype == np.float32:
        same |= np.isnan(found) & np.isnan(wanted)
    wrong = np.flatnonzero(~same)
    if not len(wrong):
        return None
    at = int(wrong[0])
    return f"[{at}] is {found[at]}, expected {wanted[at]}; {len(wrong)} differ"


def signature(finding: str) -> str:
    """The same for the same kind of finding."""
    return re.sub(r"\[?-?[0-9.]+(?:e[+-]?[0-9]+)?\]?|inf|nan", "_", finding)[:80]


