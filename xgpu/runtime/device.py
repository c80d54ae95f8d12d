# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What both devices have in common: handles, bookkeeping, and how native code calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.abi import FUNCTIONS, AbiFunction, prototype
from xgpu.runtime.session import Session


class Device:
    """A device has a method for each function of the ABI that it supports, under the ABI's name.

    Handles and addresses are integers. A method that fails raises `DeviceError`.
    """

    name = "device"
    kernel_format = "isa"  # what `gpu-module-to-binary` should make for it

    def __init__(self, session: Session) -> None:
        self.session = session
        self._callbacks: dict[str, ctypes._CFunctionType] = {}
        self._table: ctypes.Array[ctypes.c_void_p] | None = None
        self._annotations: dict[int, str | None] = {}
        self._annotation: str | None = None

    def finish(self) -> None:
        """The program has ended: wait for what still runs."""

    def close(self) -> None:
        """Wait for what still runs, and give back everything, leaked or not."""

    def begin_trace(self) -> None:
        """The session has begun to record events, maybe in the middle of a program."""

    def end_trace(self) -> None:
        """The session is about to record none: what is still to be recorded is, now. Raises
        `DeviceError` where what was recorded has failed."""

    def count_work(self, wanted: bool) -> None:
        """Whether launches count what their kernels do (`xgpu.runtime.work`), as far as the device
        can; traces have it."""

    def set_polls(self, polls: bool) -> None:
        """Whether the program runs in its caller's thread, so that Ctrl-C has to end what waits."""

    def cancel(self) -> None:
        """Let what runs end as soon as it can: the program has been interrupted."""

    def stop(self) -> None:
        """End what runs, in the middle of it: it has not ended by itself."""

    def abandon(self) -> None:
        """Give nothing back: the interrupted program still runs, and may use all of it."""

    def entered(self) -> AbstractContextManager[None]:
        """While a program runs in this thread; what the caller had set up is as it was after."""
        return nullcontext()

    def mgpuAnnotate(self, text: int) -> None:
        location = self._annotations.get(text)
        if location is None and text:
            location = ctypes.string_at(text).decode(errors="replace") or None
            self._annotations[text] = location
        self._annotation = location

    def current_location(self) -> str | None:
        """Where in the source the call is that is being made."""
        return self._annotation or self.session.location()

    def take_location(self) -> str | None:
        """Where in the source the operation is that is being made."""
        location, self._annotation = self._annotation, None
        return location or self.session.location()

    def callback(self, function: AbiFunction) -> ctypes._CFunctionType:
        """`function` of this device as a C function pointer. It never raises: errors are
        latched.
        """
        existing = self._callbacks.get(function.name)
        if existing is None:
            existing = prototype(function)(self._guarded(function))
            self._callbacks[function.name] = existing
        return existing

    def _guarded(self, function: AbiFunction) -> Callable[..., int | None]:
        method = getattr(self, function.name, None)
        zero = None if function.result == "void" else 0

        def call(*arguments: int) -> int | None:
            session = self.session
            if session.error is not None and not function.is_release:
                return zero
            try:
                if method is None:
                    raise DeviceError(f"{function.name} is not supported on the {self.name} device")
                return method(*arguments)
            except DeviceError as problem:
                session.fail(str(problem), self._annotation)
            except KeyboardInterrupt:  # the program ends, and its caller reports it
                session.fail("interrupted", self._annotation)
            except Exception as problem:
                session.fail(f"internal error in {function.name}: {problem!r}")
            finally:
                if function.is_operation:
                    self._annotation = None
            return zero

        return call

    def address_table(self) -> ctypes.Array[ctypes.c_void_p]:
        """Pointers to all functions of the ABI in the table's order."""
        if self._table is not None:
            return self._table
        table = (ctypes.c_void_p * len(FUNCTIONS))()
        for function in FUNCTIONS.values():
            pointer = ctypes.cast(self.callback(function), ctypes.c_void_p)
            table[function.index] = pointer.value
        self._table = table
        return table


def format_dims(x: int, y: int, z: int) -> str:
    """Sizes as a message shows them."""
    return f"{x} x {y} x {z}"
