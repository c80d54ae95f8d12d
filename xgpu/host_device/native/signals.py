# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signals while generated code runs: faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL) are caught, and
Ctrl-C is counted.

The handler is native code (`native/sources/guards.py`). A fault in a thread that runs
generated code under a guard ends that code and makes the guard return; a fault anywhere else is
left to the default action.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Generator
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


# -- Ctrl-C while the main thread is in native code, where Python cannot act on it.
#
# Native code counts each SIGINT and passes it on to Python's own handler, which notes it; so
# another thread learns that the main thread is wanted elsewhere, and may end what it runs. Only
# where Ctrl-C is `KeyboardInterrupt`: a program with a handler of its own has other plans.


_DEFAULT, _IGNORED = None, 1  # what a handler's address is where there is none


@cache
def _words() -> ctypes.Array[ctypes.c_uint64]:
    """How many there have been, and the handler before ours."""
    give = ctypes.CFUNCTYPE(ctypes.c_void_p)(native_library().symbols["xgpu_interrupt_words"])
    return (ctypes.c_uint64 * 2).from_address(give() or 0)


@cache
def _sigaction() -> Callable[..., int]:
    return ctypes.CDLL(None).sigaction


def count() -> int:
    """How many SIGINTs there have been since `listen`."""
    return _words()[0]


def listen() -> None:
    """Count SIGINTs from here on; may be asked again and again, since Python puts its own handler
    in the place of ours whenever a program asks for one."""
    if not _becomes_exception():
        return
    kind, _ = sigaction_type()
    ours = native_library().symbols["xgpu_interrupt"]
    sigaction = _sigaction()
    action = kind()
    sigaction(signal.SIGINT.value, None, ctypes.byref(action))
    if action.handler in (ours, _DEFAULT, _IGNORED):
        return
    _words()[1] = action.handler
    action.handler = ours
    sigaction(signal.SIGINT.value, ctypes.byref(action), None)


def is_wanted(since: int, thread: int) -> bool:
    """Whether `thread` has to end what it does: Ctrl-C was pressed when `count` had been `since`,
    and will be a `KeyboardInterrupt` there."""
    return count() != since and thread == threading.main_thread().ident and _becomes_exception()


def _becomes_exception() -> bool:
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler
