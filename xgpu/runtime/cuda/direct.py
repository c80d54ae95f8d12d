# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches from Python straight to the driver's entry point, for callers with arguments at hand."""

from __future__ import annotations

import ctypes

from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.launch_limits import Dims

_I, _L = ctypes.c_uint32, ctypes.c_uint64
_CURRENT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int, _L, *[_I] * 7, _L, _L, _L)
_MOST = 2**31  # sizes below go into the driver's 32 bits


class DirectLaunch:
    """`launch(...)` is whether the driver took it. If not, `CudaDevice.mgpuLaunchKernel` does it
    again, in the right context, or has the words for what is wrong.
    """

    def __init__(self, driver: Driver) -> None:
        self._current = _CURRENT(driver.entry("cuCtxGetCurrent"))
        self._launch = _LAUNCH(driver.entry("cuLaunchKernel"))

    def launch(
        self, context: int, function: int, grid: Dims, block: Dims, shared: int, stream: int,
        parameters: int,
    ) -> bool:  # fmt: skip
        """`parameters` is the address of an array of addresses; `shared` is in bytes."""
        here = _L(0)
        if self._current(ctypes.addressof(here)) or here.value != context:
            return False
        x, y, z = grid
        bx, by, bz = block
        if not 0 <= x | y | z | bx | by | bz | shared < _MOST:
            return False
        return not self._launch(function, x, y, z, bx, by, bz, shared, stream, parameters, 0)
