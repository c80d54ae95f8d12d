# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults in generated code, caught: SIGSEGV, SIGBUS, SIGFPE and SIGILL for as long as a program
runs.

The handler is native code (`native/sources/guards.py`). A fault in a thread that runs
generated code under a guard ends that code and makes the guard return; a fault anywhere else is
left to the default action.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Any

from xgpu.runtime.native.library import native_library

_SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)


@cache
def _sigaction_type() -> tuple[Any, int]:
    """`struct sigaction` and the flags SA_SIGINFO | SA_ONSTACK | SA_NODEFER of this system."""
    if sys.platform == "darwin":
        fields: list[tuple[str, Any]] = [
            ("handler", ctypes.c_void_p), ("mask", ctypes.c_uint32), ("flags", ctypes.c_int),
        ]  # fmt: skip
        flags = 0x40 | 0x1 | 0x10
    else:  # glibc and musl on 64-bit Linux
        fields = [
            ("handler", ctypes.c_void_p), ("mask", ctypes.c_uint64 * 16), ("flags", ctypes.c_int),
            ("restorer", ctypes.c_void_p),
        ]  # fmt: skip
        flags = 0x4 | 0x08000000 | 0x40000000
    return type("sigaction", (ctypes.Structure,), {"_fields_": fields}), flags


@contextmanager
def caught_faults() -> Generator[None]:
    """Install the handlers, and put back what was there at the end."""
    kind, flags = _sigaction_type()
    action = kind()
    action.handler = native_library().symbols["xgpu_signal"]
    action.flags = flags
    libc = ctypes.CDLL(None)
    before: list[tuple[int, Any]] = []
    for number in _SIGNALS:
        old = kind()
        libc.sigaction(int(number), ctypes.byref(action), ctypes.byref(old))
        before.append((int(number), old))
    try:
        yield
    finally:
        for number, old in before:
            libc.sigaction(number, ctypes.byref(old), None)
