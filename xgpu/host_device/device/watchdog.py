# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks after launches that do not get on.

A GPU runs many blocks at the same time; here there are as many as cores. Blocks that wait for
blocks which have not begun would wait for ever, so a launch that hands out no block for a while
gets more threads. One that still does not get on is ended after a minute or so, with an error:
its threads wait for what nobody will do, or it is a loop without end. One that the main thread runs
ends with Ctrl-C.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import weakref
from typing import TYPE_CHECKING, Protocol

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import begins_anew
from xgpu.host_device.device.spin_waits import Spinning, SpinWatch
from xgpu.host_device.native import interrupts

if TYPE_CHECKING:
    from xgpu.host_device.compiler.record_classes import Launch


VARIABLE = "XGPU_WATCHDOG"
_DEFAULT_LIMIT = 120.0
_TICK = 0.1
_PATIENCE = 0.4  # without a block handed out, before a launch gets more threads
_MOST_THREADS = 160  # that a launch gets: guards have room for 256


def time_limit() -> float:
    """Seconds that a launch may take without handing out a block; 0: any time."""
    text = os.environ.get(VARIABLE, "")
    try:
        limit = float(text) if text else _DEFAULT_LIMIT
    except ValueError:
        limit = -1.0
    if limit < 0:
        raise DeviceError(f"{VARIABLE} is '{text}', expected a number of seconds, or 0")
    return limit


class _State:
    """How far a launch was when it last got on."""

    __slots__ = ("begun", "interrupts", "since", "spins", "threads")

    def __init__(self, now: float, interrupts: int) -> None:
        self.begun = -1
        self.since = now
        self.interrupts = interrupts  # when it began
        self.threads = 0
        self.spins = SpinWatch()


class Watched(Spinning, Protocol):
    """A launch, as the watchdog sees it."""

    #: How many groups of blocks there are (`groups`) and have been handed out (`next`); whether it
    #: runs (`runs`) and when it began (`interrupts`), if it was not told.
    record: Launch
    #: The thread that has begun it.
    caller: int

    def abort(self, why: str) -> None: ...

    def cancel(self) -> None: ...

    def begun(self) -> int:
        """A number that changes whenever a block begins."""
        ...

    def add_threads(self, count: int) -> bool: ...


class Watchdog:
    """One thread, which begins with the first launch."""

    def __init__(self) -> None:
        self._limit = time_limit()
        #: What runs, and how many interrupts there had been when it began.
        self._running: dict[Watched, int] = {}
        #: What may run without `begin` and `end`, by number.
        self._expected: dict[int, weakref.ref[Watched]] = {}
        self._closed = threading.Event()
        self._started = False
        begins_anew(self)

    def begin_anew(self) -> None:
        self._running.clear()
        self._expected.clear()
        self._started = False

    def running(self) -> list[Watched]:
        """What has begun and not ended."""
        return [launch for launch, _ in self._all()]

    def _all(self) -> list[tuple[Watched, int]]:
        found = list(self._running.items())
        for expected in tuple(self._expected.values()):
            launch = expected()
            if launch is not None and launch.record.runs & 1:
                found.append((launch, launch.record.interrupts))
        return found

    def begin(self, launch: Watched) -> None:
        """`launch` starts to run."""
        if not self._started:
            self._start()
        self._running[launch] = interrupts.count()

    def expect(self, launch: Watched) -> None:
        """`launch` may run, again and again; its record says when."""
        if not self._started:
            self._start()
        key = id(launch)
        self._expected[key] = weakref.ref(launch, lambda _: self._expected.pop(key, None))

    def _start(self) -> None:
        self._started = True
        interrupts.listen()
        threading.Thread(target=self._watch, name="xgpu watchdog", daemon=True).start()

    def end(self, launch: Watched) -> bool:
        """`launch` has ended; whether its thread has been interrupted and does not know it yet."""
        before = self._running.pop(launch, None)
        if before is None or interrupts.count() == before:
            return False
        return interrupts.is_wanted(before, launch.caller)

    def close(self) -> None:
        self._closed.set()

    def _watch(self) -> None:
        states: dict[Watched, _State] = {}
        while not self._closed.wait(_TICK):
            running = self._all()
            if running:
                interrupts.listen()
            now = time.monotonic()
            states = {
                launch: states.get(launch) or _State(now, before) for launch, before in running
            }
            for launch, state in states.items():
                self._look(launch, state, now)

    def _look(self, launch: Watched, state: _State, now: float) -> None:
        if interrupts.is_wanted(state.interrupts, launch.caller):
            launch.abort("interrupted")
            return
        begun = launch.begun()
        if begun != state.begun:
            state.begun, state.since = begun, now
            return
        stuck = now - state.since
        left = launch.record.groups - launch.record.next
        if left <= 0 and stuck > _PATIENCE and state.spins.look(launch):
            launch.wait_for_ever()
            return
        if self._limit and stuck > self._limit:
            launch.abort(
                f"no progress in {self._limit:g} seconds: threads that wait for what other threads "
                f"of the kernel do only later, or a loop without end ({VARIABLE}=seconds changes "
                "the limit, 0 removes it)"
            )
        elif (
            left > 0
            and stuck > (_TICK if state.threads else _PATIENCE)
            and state.threads < _MOST_THREADS
        ):
            more = min(left, state.threads or 1, _MOST_THREADS - state.threads)
            if launch.add_threads(more):
                state.threads += more


def interrupt(thread: int) -> None:
    """End the generated code that a thread runs: its guard returns as from a trap."""
    signal.pthread_kill(thread, signal.SIGILL)
