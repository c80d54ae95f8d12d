# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams and events of the host device."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

Operation = Callable[[], None]


class Event:
    """`recorded` is set when the work that `record` stood behind is done; None: never recorded."""

    __slots__ = ("recorded",)

    def __init__(self) -> None:
        self.recorded: threading.Event | None = None


class StreamThread:
    """An OS thread that runs what it is given, in order. Idle ones are kept for the next stream."""

    def __init__(self, name: str) -> None:
        self._queue: deque[Operation] = deque()
        self._condition = threading.Condition()
        self._busy = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, operation: Operation) -> None:
        with self._condition:
            self._queue.append(operation)
            self._condition.notify_all()

    def wait_idle(self) -> None:
        """Wait until everything given so far has run."""
        with self._condition:
            self._condition.wait_for(lambda: not self._queue and not self._busy)

    @property
    def idle(self) -> bool:
        with self._condition:
            return not self._queue and not self._busy

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._condition.notify_all()

    def join(self, timeout: float | None = None) -> None:
        self._thread.join(timeout)

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._queue or self._closed)
                if not self._queue:
                    return
                operation = self._queue.popleft()
                self._busy = True
            try:
                operation()
            finally:
                with self._condition:
                    self._busy = False
                    self._condition.notify_all()


class Stream:
    """A queue of operations; `number` is its lane in traces."""

    __slots__ = ("number", "thread")

    def __init__(self, number: int, thread: StreamThread) -> None:
        self.number = number
        self.thread = thread

    def put(self, operation: Operation) -> None:
        self.thread.put(operation)

    def record(self, event: Event) -> None:
        done = threading.Event()
        event.recorded = done
        self.put(done.set)

    def wait_for(self, event: Event) -> None:
        done = event.recorded
        if done is not None and not done.is_set():
            self.put(lambda: void(done.wait()))

    def synchronize(self) -> None:
        self.thread.wait_idle()


def void(_: object) -> None:
    """Drop a result."""


class StreamPool:
    """Makes streams out of idle threads."""

    def __init__(self) -> None:
        self._idle: list[StreamThread] = []
        self._all: list[StreamThread] = []
        self._number = 0

    def create(self) -> Stream:
        self._number += 1
        for i, thread in enumerate(self._idle):
            if thread.idle:
                del self._idle[i]
                return Stream(self._number, thread)
        thread = StreamThread(f"xgpu stream {self._number}")
        self._all.append(thread)
        return Stream(self._number, thread)

    def destroy(self, stream: Stream) -> None:
        """What the stream still holds runs to its end; then its thread is free for another."""
        self._idle.append(stream.thread)

    def wait_all(self) -> None:
        for thread in self._all:
            thread.wait_idle()

    def close(self) -> None:
        for thread in self._all:
            thread.close()
        for thread in self._all:
            thread.join(5)


class Helpers:
    """Threads that lend a hand to launches: one for each core but the stream's own."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._threads: list[StreamThread] = []
        self._queue: deque[Operation] = deque()
        self._condition = threading.Condition()
        self._closed = False
        self._started = False

    def offer(self, operation: Operation, times: int) -> None:
        """Have `operation` called by up to `times` helpers when they have time."""
        with self._condition:
            self._queue.extend([operation] * times)
            if not self._started:
                self._started = True
                for i in range(self.count):
                    threading.Thread(target=self._run, name=f"xgpu helper {i}", daemon=True).start()
            self._condition.notify_all()

    def withdraw(self, operation: Operation) -> None:
        """Forget offers of `operation` that nobody took."""
        with self._condition:
            if operation in self._queue:
                self._queue = deque(o for o in self._queue if o is not operation)

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._queue.clear()
            self._condition.notify_all()

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._queue or self._closed)
                if self._closed:
                    return
                operation = self._queue.popleft()
            operation()
