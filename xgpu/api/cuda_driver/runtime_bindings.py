# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.bindings.runtime` over this driver: the functions that cuda.core calls.

The module holds a CUDA runtime, which asks a driver for undocumented tables (`cuGetExportTable`)
and cannot begin here. cuda.core calls little of it, such as `cudaDeviceSynchronize` in
`Device.sync()`. These functions are replaced by what CUDA documents them as: functions of the
driver, in the primary context of a device. Others stay as they are, and fail.
"""

from __future__ import annotations

import sys
from types import ModuleType

_MODULE = "cuda.bindings.runtime"
_NAMES = ("cudaDeviceSynchronize", "cudaGetDeviceCount", "cudaDeviceGetPCIBusId")
_DEVICE = 0  # that of a thread in which no context is current
_adapted: list[ModuleType] = []


def is_needed() -> bool:
    """Whether this process has imported the module, and it is as it was."""
    return _MODULE in sys.modules and not _adapted


def adapt() -> None:
    """Replace the functions of the module that this process has imported."""
    from cuda.bindings import driver  # pyright: ignore

    runtime = sys.modules[_MODULE]
    _adapted.append(runtime)
    made = _Runtime(runtime, driver)
    for name in _NAMES:
        setattr(runtime, name, getattr(made, name))


class _Runtime:
    """Functions with the results of the module's own: a tuple, which begins with an error."""

    def __init__(self, runtime: ModuleType, driver: ModuleType) -> None:
        self._errors, self._driver = runtime.cudaError_t, driver

    def _error(self, result: int) -> object:
        """The runtime's error for a result of the driver: it has the same number."""
        try:
            return self._errors(result)
        except ValueError:
            return self._errors.cudaErrorUnknown

    def _begin(self) -> int:
        """Let a context be current; the driver's result."""
        driver = self._driver
        result = driver.cuInit(0)[0]
        if not result:
            result, current = driver.cuCtxGetCurrent()
            if not result and not int(current):
                result, current = driver.cuDevicePrimaryCtxRetain(_DEVICE)
                if not result:
                    (result,) = driver.cuCtxSetCurrent(current)
        return int(result)

    def cudaDeviceSynchronize(self) -> tuple[object]:
        result = self._begin() or int(self._driver.cuCtxSynchronize()[0])
        return (self._error(result),)

    def cudaGetDeviceCount(self) -> tuple[object, int]:
        (result,) = self._driver.cuInit(0)
        count = 0
        if not result:
            result, count = self._driver.cuDeviceGetCount()
        return self._error(int(result)), count

    def cudaDeviceGetPCIBusId(self, length: int, device: int) -> tuple[object, bytes]:
        (result,) = self._driver.cuInit(0)
        text = b""
        if not result:
            result, text = self._driver.cuDeviceGetPCIBusId(length, device)
        return self._error(int(result)), text
