# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clients that would call NVIDIA's compilers: in a process over this driver they call xgpu's.

numba-cuda-mlir has MLIR of a kernel, and gives it to libNVVM and nvJitLink. It is adapted when it
initializes the driver (`xgpu/frontend/numba/under_driver.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from xgpu.api import build
from xgpu.api.cuda_driver.images import ptx_of
from xgpu.api.inspection import llvm_ir_of_modules
from xgpu.core.ir.errors import UsageError
from xgpu.frontend.cuda import CudaOptions, llvm_ir_of
from xgpu.frontend.numba import under_driver
from xgpu.frontend.numba.under_driver import Flags
from xgpu.host_device.sanitizer.reports import watch


class _Compilers:
    """`under_driver.Compilers`."""

    def __init__(self) -> None:
        self.needs_lines = watch.current() is not None

    def ptx(self, module: str, flags: Flags) -> str:
        return ptx_of(module, "numba.mlir", _options(flags, "isa")).decode()

    def llvm_ir(self, module: str, flags: Flags) -> str:
        options = _options(flags, "isa")
        return "\n".join(llvm_ir_of_modules(module, "numba.mlir", options, flags.chip).values())

    def ptx_of_cuda(self, source: str, name: str, include: Sequence[str], chip: str) -> str:
        words = ("-fgpu-rdc", "-include", "xgpu/rtc.h")
        options = CudaOptions(include=include, chip=chip, arguments=words, optimize=2)
        text = llvm_ir_of(source, name, options)
        return ptx_of(text, f"{name}.ll", build.Options(format="isa", chip=chip)).decode()


def _options(flags: Flags, format: str) -> build.Options:
    return build.Options(
        format=format, chip=flags.chip, fast=flags.fastmath, ftz=flags.fastmath,
        line_info=flags.line_info,
    )  # fmt: skip


_adapted: list[str] = []


def adapt() -> None:
    """Adapt numba-cuda-mlir, which this process has imported."""
    if _adapted:
        return
    _adapted.append("numba-cuda-mlir")
    try:
        under_driver.adapt(_Compilers())
    except UsageError as problem:
        print(f"xgpu-cuda: warning: {problem}", file=sys.stderr, flush=True)
