# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads in which programs run: with a deep stack, used again, and left behind by Ctrl-C."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.runtime.device import Device

STACK_BYTES = 64 << 20
#: How long an interrupted program may take to see that it is.
GRACE_SECONDS = 2.0


def run_in_thread(body: Callable[[], None], interrupted: Callable[[threading.Event], None]) -> None:
    """Call `body` in a thread with a stack that deep programs fit in. At Ctrl-C `interrupted` is
    called, with what tells whether `body` has come to its end, and `KeyboardInterrupt` raised.
    """
    finished = threading.Event()
    problems: list[BaseException] = []

    def run() -> None:
        try:
            body()
        except BaseException as problem:
            problems.append(problem)

    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.tasks.put((run, finished))
    try:
        while not finished.wait(0.2):
            pass  # short waits, so that Ctrl-C is noticed
    except KeyboardInterrupt:
        interrupted(finished)
        raise
    _idle.append(worker)
    if problems:
        raise problems[0]


def end_running(device: Device, finished: threading.Event) -> None:
    """End what an interrupted program has given its device: between blocks, else in the middle of
    them. What does not end in either way keeps what it uses.
    """
    device.cancel()
    if finished.wait(GRACE_SECONDS):
        return
    device.stop()
    if not finished.wait(GRACE_SECONDS):
        device.abandon()


class _Worker:
    """A thread with a deep stack: to start one takes longer than many programs."""

    def __init__(self) -> None:
        self.tasks: SimpleQueue[tuple[Callable[[], None], threading.Event]] = SimpleQueue()
        before = threading.stack_size(STACK_BYTES)
        try:
            threading.Thread(target=self._work, name="xgpu program", daemon=True).start()
        finally:
            threading.stack_size(before)

    def _work(self) -> None:
        while True:
            run, finished = self.tasks.get()
            run()
            del run  # what it refers to must not live until the next one
            finished.set()


# Those that wait for something to do; a forked process has none of them.
_idle: list[_Worker] = []
os.register_at_fork(after_in_child=_idle.clear)
