# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver with every call checked.

`cuda.bindings.driver` returns a tuple that begins with a CUresult; `Driver.call` raises
`DeviceError` with the driver's own words for anything but success, and gives back the rest.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from xgpu.ir.errors import DeviceError

# After these the context is lost: cleaning up would only fail again.
STICKY = frozenset((
    "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_ASSERT",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION", "CUDA_ERROR_MISALIGNED_ADDRESS", "CUDA_ERROR_LAUNCH_TIMEOUT",
    "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC", "CUDA_ERROR_HARDWARE_STACK_ERROR",
    "CUDA_ERROR_ECC_UNCORRECTABLE",
))  # fmt: skip

# The process is ending and the driver has gone before us: nothing is left to release.
GONE = frozenset(("CUDA_ERROR_DEINITIALIZED", "CUDA_ERROR_CONTEXT_IS_DESTROYED"))


class CudaError(DeviceError):
    """A driver call failed; `result` is the CUresult's name."""

    def __init__(self, message: str, result: str) -> None:
        super().__init__(message)
        self.result = result


class Driver:
    """`bindings` is the module cuda.bindings.driver, or something that looks like it."""

    def __init__(self, bindings: Any) -> None:
        self.bindings = bindings

    def call(self, name: str, *arguments: Any, doing: str = "") -> Any:
        """Call `name`; its one result, a tuple of several, or None. `doing` goes into the error."""
        try:
            result, *values = getattr(self.bindings, name)(*arguments)
        except RuntimeError as problem:  # the library or a function of it is not there
            raise CudaError(f"{name}: {problem}", "CUDA_ERROR_NOT_FOUND") from None
        if int(result) != 0:
            code, text = self._describe(result)
            what = f"{doing}: " if doing else ""
            raise CudaError(f"{what}{name} failed with {code} ({text})", code)
        if not values:
            return None
        return values[0] if len(values) == 1 else tuple(values)

    def _describe(self, result: Any) -> tuple[str, str]:
        code = getattr(result, "name", str(result))
        try:
            status, text = self.bindings.cuGetErrorString(result)
        except RuntimeError:
            return code, "no description"
        if int(status) != 0 or text is None:
            return code, "no description"
        return code, text.decode() if isinstance(text, bytes) else str(text)


@cache
def load_driver() -> Driver:
    """The driver of this machine. Raises `DeviceError` that says what is missing."""
    remedy = "run with --device=host to use the simulated device"
    try:
        from cuda.bindings import driver  # pyright: ignore
    except ImportError:
        raise DeviceError(
            f"the cuda device needs the package cuda-python (pip install 'xgpu[cuda]'); {remedy}"
        ) from None
    wrapped = Driver(driver)
    try:
        wrapped.call("cuInit", 0)
        count = wrapped.call("cuDeviceGetCount")
    except DeviceError as problem:
        reason = str(problem).strip()
        raise DeviceError(f"no NVIDIA GPU can be used here: {reason}; {remedy}") from None
    except Exception as problem:  # cuda-bindings raises what its loader raises
        raise DeviceError(f"no NVIDIA driver can be loaded: {problem}; {remedy}") from None
    if count == 0:
        raise DeviceError(f"there is no NVIDIA GPU here; {remedy}")
    return wrapped


def is_available() -> bool:
    """Whether there is a GPU and a driver for it."""
    try:
        load_driver()
    except DeviceError:
        return False
    return True
