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

from xgpu.core.support.forks import new_lock
from xgpu.host_device.native.library import native_library

_SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)


@cache
def sigaction_type() -> tuple[type[ctypes.Structure], int]:
    """`struct sigaction` and the flags SA_SIGINFO | SA_ONSTACK | SA_NODEFER of this system."""
    if sys.platform == "darwin":
        fields: list[tuple[str, type]] = [
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


_lock = new_lock()
_holders = 0
_before: list[tuple[int, ctypes.Structure]] = []


@contextmanager
def caught_faults() -> Generator[None]:
    """Install the handlers, and put back what was there when the last who asked for them is done:
    programs may run in several threads."""
    hold_faults()
    try:
        yield
    finally:
        _release_faults()


def hold_faults() -> None:
    """Install the handlers and leave them, for work that goes on after the caller's code."""
    global _holders
    with _lock:
        _holders += 1
        if _holders == 1:
            _install()


def _release_faults() -> None:
    global _holders
    with _lock:
        _holders -= 1
        if _holders:
            return
        libc = ctypes.CDLL(None)
        for number, old in _before:
            libc.sigaction(number, ctypes.byref(old), None)
        _before.clear()


def _install() -> None:
    kind, flags = sigaction_type()
    action = kind()
    action.handler = native_library().symbols["xgpu_signal"]
    action.flags = flags
    libc = ctypes.CDLL(None)
    for number in _SIGNALS:
        old = kind()
        libc.sigaction(int(number), ctypes.byref(action), ctypes.byref(old))
        _before.append((int(number), old))
