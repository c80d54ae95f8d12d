# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that take part in launches, and what each thread needs that runs blocks."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from xgpu.core.support.forks import Process, begins_anew, new_lock
from xgpu.host_device.abi.codes import POOL_CLOSED
from xgpu.host_device.abi.structs import ctypes_struct
from xgpu.host_device.native.library import libc_addresses, native_library

if TYPE_CHECKING:
    from xgpu.host_device.abi.record_classes import Helper, HelpPool, Launch, Worker

_LINE = 128  # bytes of a cache line, and of the next one, which is fetched with it
_PATIENCE = 8  # launches that end within a few milliseconds, before threads are made for them
_NO_SEAT = -1


class OwnWorker:
    """A thread's `Worker` record: cleared after use, but for memory of blocks, which is kept."""

    __slots__ = ("_process", "address", "record")

    def __init__(self) -> None:
        self._process = Process.current
        # In cache lines of its own: two threads that write to one take turns with it.
        kind = ctypes_struct("Worker")
        room = ctypes.create_string_buffer(ctypes.sizeof(kind) + 2 * _LINE)
        self.record: Worker = kind.from_buffer(room, -ctypes.addressof(room) % _LINE)
        self.record.keeps = 1
        self.address = ctypes.addressof(self.record)

    def __del__(self) -> None:
        # A forked process has what a thread of its parent was in the middle of.
        if self._process.is_running and not sys.is_finalizing():
            self.record.keeps = 0
            native_library().release(ctypes.addressof(self.record))


_local = threading.local()


def own() -> OwnWorker:
    """The calling thread's."""
    try:
        found: OwnWorker = _local.own
    except AttributeError:
        found = _local.own = OwnWorker()
    return found


def own_worker() -> Worker:
    """Its record."""
    return own().record


class Helpers:
    """One thread for each core but the stream's own. They wait in native code, which hands them the
    launches that want help (`sources/helpers.py`), and come back to Python where they are thrown
    out of a block: `thrown` tells the launch of the worker with what.
    """

    def __init__(self, count: int, thrown: Callable[[Worker, int], None]) -> None:
        self.count = count
        self._thrown = thrown
        self._lock = new_lock()
        self._started = False
        self._missed = 0
        self._pool: HelpPool = ctypes_struct("HelpPool")()
        self._workers: list[OwnWorker] = []
        self._seats = Seats()
        begins_anew(self)

    def begin_anew(self) -> None:
        self._lock = new_lock()
        self._pool = ctypes_struct("HelpPool")()
        self._workers = []
        self._seats = Seats()
        self._started = False

    @property
    def pool(self) -> int:
        """The address of the pool, once there are threads, else 0."""
        return ctypes.addressof(self._pool) if self._started else 0

    def start(self) -> None:
        """Have the threads, which begin with the first launch that wants one."""
        with self._lock:
            if self._started:
                return
            for number in range(self.count):
                own = OwnWorker()
                helper = ctypes_struct("Helper")()
                helper.pool = ctypes.addressof(self._pool)
                helper.worker = ctypes.addressof(own.record)
                self._workers.append(own)
                threading.Thread(
                    target=self._run, args=(self._pool, helper, own.record),
                    name=f"xgpu helper {number}", daemon=True,
                ).start()  # fmt: skip
            if self._seats.are_several:
                self._pool.processor = libc_addresses(("sched_getcpu",))["sched_getcpu"]
            self._started = True

    def is_wanted(self) -> bool:
        """A small launch is worth help; whether there are threads, or were so many such launches
        that they pay."""
        self._missed += 1
        return self._started or self._missed >= _PATIENCE

    def ready(self) -> int:
        """Have threads, which run where the calling one, which leads a launch, does not; the
        address of their pool."""
        if not self._started:
            self.start()
        self._seats.leave()
        self._pool.seat = _NO_SEAT if self._seats.left is None else self._seats.left
        return self.pool

    def withdraw(self, launch: Launch) -> bool:
        """Let no helper join any more, and wait a while for those that have; whether they have
        left."""
        if not launch.offered:
            return True
        native, address = native_library(), ctypes.addressof(launch)
        if native.withdraw(address, 0) == 0:
            return True
        self._seats.free()
        self._pool.seat = _NO_SEAT
        return native.withdraw(address, ctypes.addressof(own_worker().moment)) == 0

    def interrupt(self, launch: Launch) -> None:
        """End the blocks of a launch that helpers run."""
        if launch.offered:
            native_library().of_helpers("xgpu_interrupt_helpers", self._pool, launch)

    def begun(self, launch: Launch) -> int:
        """A number that changes whenever a helper begins a block of a launch."""
        address = ctypes.addressof(launch)
        workers = [own.record for own in tuple(self._workers)]
        return sum(worker.taken for worker in workers if worker.launch == address)

    def workers_of(self, launch: Launch) -> list[Worker]:
        """What helpers have that run blocks of a launch."""
        address = ctypes.addressof(launch)
        return [own.record for own in tuple(self._workers) if own.record.launch == address]

    def close(self) -> None:
        if self._started:
            native_library().of_helpers("xgpu_close_pool", self._pool)

    def _run(self, pool: HelpPool, helper: Helper, worker: Worker) -> None:
        """What a thread does. It keeps what native code uses as long as it may."""
        native = native_library()
        native.of_helpers("xgpu_join", pool, helper)
        self._seats.join()
        while (code := native.help(ctypes.addressof(helper))) != POOL_CLOSED:
            launch = ctypes_struct("Launch").from_address(worker.launch)
            try:
                self._thrown(worker, code)
            finally:
                native.of_helpers("xgpu_helped", pool, launch)


class Seats:
    """On which of this process's processors helpers run. Left to itself a system with much to do
    wakes a thread on the processor of who wakes it, where it has to wait for him."""

    def __init__(self) -> None:
        self._all: set[int] = os.sched_getaffinity(0) if _PROCESSOR is not None else set()
        self._threads: list[int] = []
        #: The processor that they keep off.
        self.left: int | None = None

    @property
    def are_several(self) -> bool:
        """Whether there are processors to choose from, as far as is known."""
        return len(self._all) > 1

    def join(self) -> None:
        """The calling thread is a helper."""
        own = threading.get_native_id()
        self._threads.append(own)
        # The first launch may have left a processor before: one of the two sees the other.
        left = self.left
        if left is not None:
            self._let(self._all - {left}, (own,))

    def leave(self) -> None:
        """Helpers do not run where the calling thread does, from here on."""
        here = _PROCESSOR() if _PROCESSOR is not None else None
        if here != self.left and self.are_several:
            self.left = here
            self._let(self._all - {here}, self._threads)

    def free(self) -> None:
        """They run anywhere: the calling thread waits for them."""
        if self.left is not None:
            self.left = None
            self._let(self._all, self._threads)

    def _let(self, processors: Collection[int | None], threads: Iterable[int]) -> None:
        for thread in threads:
            with suppress(OSError):  # it has ended, or has fewer processors now
                os.sched_setaffinity(thread, cast("set[int]", processors))


#: The number of the processor that runs the calling thread, where threads can be bound to one.
_PROCESSOR: Callable[[], int] | None = (
    getattr(ctypes.CDLL(None), "sched_getcpu", None) if hasattr(os, "sched_setaffinity") else None
)


class Joined:
    """What more threads are given: to join in the work, until it has ended."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._condition = threading.Condition()
        self._helping = 0
        self._closed = False

    def __call__(self) -> None:
        with self._condition:
            if self._closed:
                return
            self._helping += 1
        self._work()
        with self._condition:
            self._helping -= 1
            self._condition.notify_all()

    def end(self, timeout: float | None = None) -> bool:
        """Let no helper join any more, and wait for those that have; whether they have left."""
        with self._condition:
            self._closed = True
            return self._condition.wait_for(lambda: self._helping == 0, timeout)
