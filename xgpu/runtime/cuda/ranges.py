# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges for NVIDIA's profilers (NVTX): with `XGPU_NVTX=1` what a program gives the GPU is named
after its kernel and its location in the source, in Nsight Systems' timeline of the host.
"""

from __future__ import annotations

import contextlib
import os
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError

if TYPE_CHECKING:
    from types import ModuleType


#: What is set where ranges are wanted; 0 and nothing say that they are not.
VARIABLE = "XGPU_NVTX"
_DOMAIN = "xgpu"


class Ranges:
    """Ranges in a domain of ours, through the package nvtx."""

    def __init__(self, nvtx: ModuleType) -> None:
        self._nvtx = nvtx

    def around(self, what: str, location: str | None) -> AbstractContextManager[object]:
        """A range while a call of the driver is made."""
        text = f"{what} ({location})" if location else what
        return self._nvtx.annotate(message=text, domain=_DOMAIN)


def wanted() -> Ranges | None:
    """None where nobody asks for ranges. Raises `DeviceError` where the package is missing."""
    if os.environ.get(VARIABLE, "0") in ("", "0"):
        return None
    with contextlib.suppress(ImportError):
        import nvtx  # pyright: ignore[reportMissingImports, reportMissingTypeStubs]

        return Ranges(nvtx)
    raise DeviceError(f"{VARIABLE} is set, and ranges need the package nvtx (pip install nvtx)")
