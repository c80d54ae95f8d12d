# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of a module's kernels against the end of that module: who launches is inside while the
driver has the call, and the module is unloaded when nobody is inside any more.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time

_FIRST_PAUSE, _LONGEST_PAUSE = 20e-6, 2e-3  # seconds


class GateRecord(ctypes.Structure):
    """What machine code reads and counts, with the interpreter's lock."""

    _fields_ = (("closed", ctypes.c_uint64), ("inside", ctypes.c_uint64))


class Gate:
    """Of one module. Everything here relies on the interpreter's lock: who goes in says so first
    and looks then, who closes says so first and looks then, so one sees the other."""

    def __init__(self) -> None:
        self.record = GateRecord()
        #: What machine code is given.
        self.address = ctypes.addressof(self.record)
        self._threads: list[int] = []
        self._process = os.getpid()

    @property
    def closed(self) -> bool:
        return bool(self.record.closed)

    def __enter__(self) -> None:
        """From here on the kernels may be used. Raises ValueError where the module is closed."""
        here = threading.get_ident()
        self._threads.append(here)
        if self.record.closed:
            self._threads.remove(here)
            raise ValueError("the module is closed")

    def __exit__(self, *_: object) -> None:
        self._threads.remove(threading.get_ident())

    def close(self) -> None:
        """Let nobody in, and wait until all are out, but for the caller. Ctrl-C ends the wait, not
        the closing: the next one who calls waits again."""
        self.record.closed = 1
        if os.getpid() != self._process:
            return  # a fork has none of the threads that were inside
        here = threading.get_ident()
        pause = _FIRST_PAUSE
        while self.record.inside or any(thread != here for thread in list(self._threads)):
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
