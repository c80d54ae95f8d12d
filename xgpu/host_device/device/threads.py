# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The natural order: each stream has a thread, and runs its operations as soon as it can.

A small copy or fill with nothing to wait for is done at once, in the caller's thread. That is
faster; and it is what CUDA does with small copies from memory that is not registered, which
programs have come to rely on.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from queue import SimpleQueue

from xgpu.core.support.forks import begins_anew
from xgpu.host_device.device.operations import Operation, Order, Stream
from xgpu.host_device.device.spin_waits import foreign_threads

# A stream takes this many operations before whoever gives it more has to wait, as CUDA's do (1024).
CAPACITY = 1024
_STEP = 256


class StreamThread:
    """An OS thread that runs operations in the order in which it is given them."""

    def __init__(self, name: str) -> None:
        self._name = name
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
        self.last = operation
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
            if operation.take():  # else somebody runs it for whom later ones wait, being after it
                operation.run()
            self.runs = False

    def is_run_by(self, thread: int) -> bool:
        """Whether a thread is this one."""
        return self._thread is not None and self._thread.ident == thread


class Threads(Order):
    """One thread a stream; threads of destroyed streams serve the next ones. The main thread runs
    a kernel itself that it waits for, if it is there first: no thread has to wake up for it."""

    def __init__(self) -> None:
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
        stream.worker = StreamThread(f"xgpu stream {stream.number}")
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

    def close(self) -> None:
        for thread in self._all:
            thread.close()
        for thread in self._all:
            thread.join(5)
