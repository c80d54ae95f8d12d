# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What both devices have in common: handles, bookkeeping, and how native code calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from xgpu.errors import DeviceError
from xgpu.runtime.abi import FUNCTIONS, AbiFunction, prototype
from xgpu.runtime.session import Session


class Device:
    """A device has a method for each function of the ABI that it supports, under the ABI's name.

    Handles and addresses are integers. A method that fails raises `DeviceError`.
    """

    name = "device"
    kernel_format = "isa"  # what `gpu-module-to-binary` should make for it

    def __init__(self, session: Session) -> None:
        self.session = session
        self._callbacks: dict[str, Any] = {}

    def close(self) -> None:
        """Wait for what still runs, and give back everything, leaked or not."""

    def cancel(self) -> None:
        """Let what runs end as soon as it can: the program has been interrupted."""

    def callback(self, function: AbiFunction) -> Any:
        """`function` of this device as a C function pointer. It never raises: errors are
        latched.
        """
        existing = self._callbacks.get(function.name)
        if existing is None:
            existing = prototype(function)(self._guarded(function))  # type: ignore[operator]
            self._callbacks[function.name] = existing
        return existing

    def _guarded(self, function: AbiFunction) -> Callable[..., Any]:
        method = getattr(self, function.name, None)
        session = self.session
        zero = None if function.result == "void" else 0

        def call(*arguments: int | None) -> int | None:
            if session.failed and not function.name.endswith(("Destroy", "Unload", "Free")):
                return zero
            try:
                if method is None:
                    raise DeviceError(f"{function.name} is not supported on the {self.name} device")
                return method(*(a or 0 for a in arguments))
            except DeviceError as problem:
                session.fail(str(problem))
            except Exception as problem:
                session.fail(f"internal error in {function.name}: {problem!r}")
            return zero

        return call

    def address_table(self) -> Any:
        """Pointers to all functions of the ABI in the table's order."""
        table = (ctypes.c_void_p * len(FUNCTIONS))()
        for function in FUNCTIONS.values():
            pointer = ctypes.cast(self.callback(function), ctypes.c_void_p)
            table[function.index] = pointer.value
        return table


def format_dims(x: int, y: int, z: int) -> str:
    """Sizes as a message shows them."""
    return f"{x} x {y} x {z}"
