# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C while the main thread is in native code, where Python cannot act on it.

Native code counts each SIGINT and passes it on to Python's own handler, which notes it; so another
thread learns that the main thread is wanted elsewhere, and may end what it runs. Only where Ctrl-C
is `KeyboardInterrupt`: a program with a handler of its own has other plans.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable
from functools import cache

from xgpu.host_device.native.library import native_library
from xgpu.host_device.native.signals import sigaction_type

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
