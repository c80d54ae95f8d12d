# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Waits for the driver that Ctrl-C ends: the driver does not come back before the work is done, so
another thread waits for what takes longer than a thread needs to begin."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from xgpu.runtime.cuda.driver import CudaError

# As long as it takes to hand something to another thread.
_SPIN_SECONDS = 60e-6


def wait(for_it: Callable[[], object], done: Callable[[], bool]) -> None:
    """Call `for_it`, which returns when all is done; `done` says whether it would at once."""
    if threading.current_thread() is not threading.main_thread() or _soon(done):
        for_it()
        return
    from xgpu.runtime.program_threads import run_in_thread

    def body() -> None:
        for_it()

    run_in_thread(body, lambda finished: None)


def _soon(done: Callable[[], bool]) -> bool:
    """Whether something is over within some microseconds; what fails is, and says so to whoever
    waits for it."""
    end = time.perf_counter() + _SPIN_SECONDS
    try:
        while not done():
            if time.perf_counter() > end:
                return False
    except CudaError:
        pass
    return True
