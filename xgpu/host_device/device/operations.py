# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations, streams and events of the host device, and who decides when an operation runs.

A stream is no more than its frontier: the operations that its next one must wait for. Recording
an event copies the frontier of a stream into it, waiting for an event adds it to the frontier of
another. So an operation knows everything it must wait for in `after`, and an `Order` may run
operations whenever those are done: in threads (`Threads`), or one at a time in any order that is
legal (`exploration`).
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from ctypes import c_int64
from itertools import count
from queue import SimpleQueue
from threading import get_ident
from typing import TYPE_CHECKING, Any

from xgpu.core.support.forks import Process, begins_anew
from xgpu.host_device.device.watchdog import foreign_threads

if TYPE_CHECKING:
    from xgpu.host_device.device.memory import Memory
    from xgpu.runtime.session import Session


# -- What an operation does, as traces show it and as the exploration of orders needs it.


Range = tuple[int, int, bool]  # begin, end, whether it is written


class Effect:
    """What an operation does: `kind` is its category in traces."""

    kind = "host"

    def details(self) -> dict[str, object]:
        """What a trace tells besides name, place and times."""
        return {}

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        """The ranges of memory that it may use, as far as they are known."""
        return ()

    def warnings(self) -> tuple[tuple[str, str], ...]:
        """What was seen while it ran that deserves a word, each with its place: empty where that is
        the operation's."""
        return ()


class Transfer(Effect):
    """A copy, a fill (`width` bytes a value), an allocation or a release. A copy may have `rows`:
    how many, of how many bytes, and the bytes from one to the next in target and source."""

    __slots__ = ("count", "name", "rows", "source", "target", "width")
    kind = "memory"

    def __init__(
        self, name: str, target: int, source: int, count: int, width: int,
        rows: tuple[int, int, int, int] | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.target = target
        self.source = source
        self.count = count
        self.width = width
        self.rows = rows

    def parts(self) -> list[tuple[int, int, int]]:
        """Target, source and bytes of each of the pieces of memory."""
        if self.rows is None:
            return [(self.target, self.source, self.count * max(self.width, 1))]
        count, width, to, origin = self.rows
        return [(self.target + i * to, self.source + i * origin, width) for i in range(count)]

    def details(self) -> dict[str, object]:
        return {"bytes": self.count * max(self.width, 1)}

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        size = self.count * max(self.width, 1)
        written = (self.target, self.target + size, True)
        if not self.source:
            return (written,)
        return written, (self.source, self.source + size, False)


class Composite(Effect):
    """What an operation does one part after the other, which is known when it runs; `effects` gives
    what the parts may do. `operation` is the one that it belongs to, once that is queued."""

    __slots__ = ("_effects", "operation")

    def __init__(self, effects: Callable[[], Iterable[Effect]]) -> None:
        self._effects = effects
        self.operation: Operation | None = None

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        return tuple(found for effect in self._effects() for found in effect.touches(memory))


class Communication(Effect):
    """What ranks do together: the ranges of memory that it uses (begin, bytes, whether it is
    written), and the bytes of what this rank gives."""

    __slots__ = ("name", "ranges")
    kind = "communication"

    def __init__(self, name: str, ranges: list[tuple[int, int, bool]]) -> None:
        self.name = name
        self.ranges = ranges

    def details(self) -> dict[str, object]:
        return {"bytes": sum(size for _, size, writes in self.ranges if not writes)}

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        return tuple((begin, begin + size, writes) for begin, size, writes in self.ranges)


class Word(Effect):
    """A write of a word of `size` bytes that streams wait for, or a wait for one. One that `orders`
    is ordered with the other side: what follows the wait comes after what precedes the write."""

    __slots__ = ("address", "name", "orders", "size", "writes")

    def __init__(
        self, name: str, address: int, size: int, *, writes: bool, orders: bool = True
    ) -> None:
        self.name = name
        self.address = address
        self.size = size
        self.writes = writes
        self.orders = orders

    def details(self) -> dict[str, object]:
        return {"address": f"0x{self.address:x}"}

    def touches(self, memory: Memory) -> tuple[Range, ...]:
        return ((self.address, self.address + self.size, self.writes),)


def counted() -> tuple[Iterator[int], Iterator[int], Iterator[int]]:
    """Numbers for a device's handles, streams and operations."""
    return count(16, 16), count(1), count()


class Operation:
    """One thing that the device does, and the `location` in the source that says so.

    `touches` are the ranges of memory that it may read and write, (begin, end, writes), as far as
    they are known; `lane` is the number of its stream; a `quick` one takes less time than handing
    it to another thread; an `open` one may be run by who waits for it. `launches` are the kinds of
    small launches that it and all before it in its stream are, none where there are others.
    """

    __slots__ = (
        "_done",
        "_process",
        "_taker",
        "action",
        "after",
        "lane",
        "launches",
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
        self.launches: tuple[object, ...] = ()
        self._taker: dict[None, int] = {}
        self.after: tuple[Operation, ...] = ()
        self.touches: tuple[tuple[int, int, bool], ...] = ()
        self._done = False
        self._process = Process.current
        self.waiters: list[threading.Lock] = []

    @property
    def done(self) -> bool:
        """Whether it need not be waited for: it is over, or another process's, which was forked."""
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
    own is latched there, and stops no other.
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
        """The submission of `operation` was interrupted before it was done, or after: nothing is
        left of it but its turn."""
        raise NotImplementedError

    def is_free(self, operations: tuple[Operation, ...]) -> bool:
        """Whether the thread that submits something after `operations` may run it as well."""
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

    def is_idle(self) -> bool:
        """Whether all is done that was submitted."""
        return False

    def close(self) -> None:
        """Nothing will be submitted any more."""

    def abandon(self) -> None:
        """Its device is gone, with everything that was submitted."""


# -- The natural order: each stream has a thread, and runs its operations as soon as it can.
#
# A small copy or fill with nothing to wait for is done at once, in the caller's thread. That is
# faster; and it is what CUDA does with small copies from memory that is not registered, which
# programs have come to rely on.


# A stream takes this many operations before a submission has to wait, as CUDA's do (1024).
CAPACITY = 1024
_STEP = 256


class StreamThread:
    """An OS thread that runs operations in the order in which it is given them."""

    def __init__(self, name: str, activity: c_int64) -> None:
        self._name = name
        self._activity = activity
        self._queue: SimpleQueue[Operation | None] = SimpleQueue()
        self._given = 0
        self._marks: deque[Operation] = deque()
        self.last: Operation | None = None
        #: Whether it runs an operation.
        self.runs = False
        self._thread: threading.Thread | None = self._started()
        begins_anew(self)

    def _started(self) -> threading.Thread:
        thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        thread.start()
        return thread

    def begin_anew(self) -> None:
        self._marks.clear()
        self._queue = SimpleQueue()
        self._thread = None

    def put(self, operation: Operation) -> None:
        """Run `operation` after all that came before; waits while the queue is full."""
        self.last = operation  # before it counts: see `HostDevice.activity`
        self._activity.value += 1
        if self._thread is None:
            self._thread = self._started()
        self._queue.put(operation)
        self._given += 1
        if self._given % _STEP == 0:
            # The caller may hold more operations than this one knows of: it waits for an old one.
            self._marks.append(operation)
            if len(self._marks) > CAPACITY // _STEP:
                self._marks.popleft().wait()

    @property
    def idle(self) -> bool:
        return self.last is None or self.last.done

    def close(self) -> None:
        self._queue.put(None)

    def join(self, timeout: float | None = None) -> None:
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        get = self._queue.get  # of this process
        while True:
            operation = get()
            if operation is None:
                return
            for other in operation.after:
                if not other.done:
                    other.wait()
            self.runs = True
            if operation.take():  # else a thread runs it that later ones wait for
                operation.run()
            self.runs = False

    def is_run_by(self, thread: int) -> bool:
        """Whether a thread is this one."""
        return self._thread is not None and self._thread.ident == thread


class Threads(Order):
    """One thread a stream; threads of destroyed streams serve the next ones. The main thread runs
    a kernel itself that it waits for, if it is there first: no thread has to wake up for it."""

    def __init__(self, activity: c_int64 | None = None) -> None:
        #: `HostDevice.activity`.
        self._activity = c_int64() if activity is None else activity
        self._idle: list[StreamThread] = []
        self._all: list[StreamThread] = []
        #: How many waits the host is in.
        self._waits = 0

    def open(self, stream: Stream) -> None:
        for i, thread in enumerate(self._idle):
            if thread.idle:
                del self._idle[i]
                stream.worker = thread
                return
        stream.worker = StreamThread(f"xgpu stream {stream.number}", self._activity)
        self._all.append(stream.worker)

    def release(self, stream: Stream) -> None:
        self._idle.append(stream.worker)

    def submit(self, operation: Operation, stream: Stream) -> None:
        if operation.quick and self.is_free(operation.after):
            operation.run()
        else:
            stream.worker.put(operation)

    def give_up(self, operation: Operation, stream: Stream) -> None:
        operation.action = None
        if self.is_free(operation.after):
            operation.end()
        else:  # once more, perhaps: its turn is what the stream's next ones need
            stream.worker.put(operation)

    def is_free(self, operations: tuple[Operation, ...]) -> bool:
        return all(operation.done for operation in operations)

    def is_quiet(self, thread: int) -> bool:
        if any(s.runs and not s.is_run_by(thread) for s in tuple(self._all)):
            return False
        waits = self._waits > 0 or thread == threading.main_thread().ident
        return waits and not foreign_threads()

    def is_idle(self) -> bool:
        return all(thread.idle for thread in tuple(self._all))

    def wait(self, operations: Iterable[Operation]) -> None:
        self._waits += 1
        try:
            self._wait(operations)
        finally:
            self._waits -= 1

    def _wait(self, operations: Iterable[Operation]) -> None:
        for operation in operations:
            if (
                operation.open
                and not operation.done
                and all(o.done for o in operation.after)
                and threading.current_thread() is threading.main_thread()
            ):
                try:
                    if operation.take():
                        operation.run()
                except KeyboardInterrupt:
                    operation.end()
                    raise
            operation.wait()

    def wait_all(self) -> None:
        for thread in self._all:
            if thread.last is not None:
                self.wait((thread.last,))

    def abandon(self) -> None:
        for thread in self._all:
            thread.close()

    def close(self) -> None:
        self.abandon()
        for thread in self._all:
            thread.join(5)
