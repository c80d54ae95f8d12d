# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations, streams and events of the host device, and who decides when an operation runs.

A stream is no more than its frontier: the operations that its next one must wait for. Recording
an event copies the frontier of a stream into it, waiting for an event adds it to the frontier of
another. So an operation knows everything it must wait for in `after`, and an `Order` may run
operations whenever those are done: in threads (`threads`), or one at a time in any order that is
legal (`exploration`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from threading import get_ident
from typing import TYPE_CHECKING, Any

from xgpu.core.support.forks import Process

if TYPE_CHECKING:
    from xgpu.runtime.session import Session


def counted() -> tuple[Iterator[int], Iterator[int], Iterator[int]]:
    """Numbers for a device's handles, streams and operations."""
    return count(16, 16), count(1), count()


class Operation:
    """One thing that the device does, and the `location` in the source that says so.

    `touches` are the ranges of memory that it may read and write, (begin, end, writes), as far as
    they are known; `lane` is the number of its stream; a `quick` one takes less time than handing
    it to another thread; an `open` one may be run by who waits for it.
    """

    __slots__ = (
        "_done",
        "_process",
        "_taker",
        "action",
        "after",
        "lane",
        "location",
        "name",
        "number",
        "open",
        "quick",
        "touches",
        "waiters",
    )

    def __init__(self, name: str, lane: int, action: Callable[[], None] | None = None) -> None:
        self.name = name
        self.lane = lane
        self.action = action
        self.number = 0
        self.location: str | None = None
        self.quick = False
        self.open = False
        self._taker: dict[None, int] = {}
        self.after: tuple[Operation, ...] = ()
        self.touches: tuple[tuple[int, int, bool], ...] = ()
        self._done = False
        self._process = Process.current
        self.waiters: list[threading.Lock] = []

    @property
    def done(self) -> bool:
        """Whether nobody has to wait for it: it is over, or another process's, which was forked."""
        return self._done or self._process is not Process.current

    def take(self) -> bool:
        """Whether it is the caller's to run: the first thread's that asks."""
        me = get_ident()
        return not self._done and self._taker.setdefault(None, me) == me

    def run(self) -> None:
        """Do it. What it waited for is forgotten, so that no chain of operations stays alive."""
        action, self.action = self.action, None
        try:
            if action is not None:
                action()
        finally:
            self.after = ()
            self._done = True
            self._wake()

    def end(self) -> None:
        """The caller was interrupted when he ran it, or was about to: it is over."""
        self.action = None
        if self.take():
            self.run()
        if self._done:
            self._wake()

    def _wake(self) -> None:
        for waiter in self.waiters:
            with suppress(RuntimeError):  # awake already
                waiter.release()

    def wait(self) -> None:
        """Block until another thread has run it."""
        if self.done:
            return
        lock = threading.Lock()
        lock.acquire()
        self.waiters.append(lock)
        # `run` sets `_done` before it looks at the waiters: one of the two sees the other.
        if not self.done:
            lock.acquire()


class Event:
    """What it recorded; None: nothing yet."""

    __slots__ = ("recorded",)

    def __init__(self) -> None:
        self.recorded: tuple[Operation, ...] | None = None


_MANY = 16


class Stream:
    """A frontier; `number` is its lane in traces, `worker` whatever the order keeps for it: if
    nothing, or if it is `exact`, the frontier names operations that are done too, so that nothing
    is lost of what a run says about other orders. What fails in a stream with a `session` of its
    own is latched there, and stops nobody else.
    """

    __slots__ = ("exact", "frontier", "number", "session", "worker")

    def __init__(self, number: int, exact: bool = False) -> None:
        self.number = number
        self.exact = exact
        self.frontier: tuple[Operation, ...] = ()
        self.session: Session | None = None
        self.worker: Any = None

    def record(self, event: Event) -> None:
        """Let `event` stand for everything that the stream has been given."""
        event.recorded = self.frontier

    def wait_for(self, event: Event) -> None:
        """Let what comes later wait for what `event` stands for."""
        if event.recorded:
            self.join(event.recorded)

    def join(self, operations: Iterable[Operation]) -> None:
        """Let what comes later wait for `operations`."""
        merged = dict.fromkeys((*self.frontier, *operations))
        if len(merged) > _MANY and self.worker is not None and not self.exact:
            self.frontier = tuple(o for o in merged if not o.done)
        else:
            self.frontier = tuple(merged)


class Order:
    """Decides when operations run."""

    #: Whether one operation may use the cores that others leave idle.
    parallel = True

    def open(self, stream: Stream) -> None:
        """A stream has been created."""

    def release(self, stream: Stream) -> None:
        """A stream has been destroyed; what it holds still runs."""

    def submit(self, operation: Operation, stream: Stream) -> None:
        """Run `operation` some time after everything in `operation.after`."""
        raise NotImplementedError

    def give_up(self, operation: Operation, stream: Stream) -> None:
        """Whoever submits `operation` was interrupted before he had, or after: nothing is left of
        it but its turn."""
        raise NotImplementedError

    def is_free(self, operations: tuple[Operation, ...]) -> bool:
        """Whether whoever submits something after `operations` may just as well run it."""
        return False

    def wait(self, operations: Iterable[Operation]) -> None:
        """The host waits for `operations`."""
        raise NotImplementedError

    def wait_all(self) -> None:
        """The host waits for everything."""
        raise NotImplementedError

    def is_quiet(self, thread: int) -> bool:
        """Whether nothing happens but what a thread does, which runs an operation: no other thread
        runs one, and none will submit one before it is over."""
        return False

    def close(self) -> None:
        """Nothing will be submitted any more."""
