# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that are made again and again by who waits for each, or that take so little time that
no other thread is to run them.

A kernel that streams through memory leaves nothing of the interpreter in the caches: each step of
Python before and after it waits for memory, and forty of them take as long as a fifth of a kernel
of a quarter of a millisecond. Here are few: one operation in the stream, one call of native code.
What does not go well is ended as any launch (`Launch.settle`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from threading import get_ident
from typing import TYPE_CHECKING, Protocol

from xgpu.core.support.forks import Process
from xgpu.host_device.abi.codes import ELSEWHERE
from xgpu.host_device.device.helpers import Helpers, OwnWorker, own
from xgpu.host_device.device.launch import Launch, announce
from xgpu.host_device.device.modules import WORTH_1024
from xgpu.host_device.device.operations import Operation, Stream
from xgpu.host_device.native.library import native_library

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from xgpu.host_device.device.operations import Effect
    from xgpu.host_device.device.watchdog import Watchdog
    from xgpu.runtime.session import PendingError, Session


_SLOW = 3  # quick launches that were slow, until they count as slow


class _Perform(Protocol):
    def __call__(
        self, operation: Operation, session: Session, action: Callable[[], None],
        what: Effect | None, waits: list[int] | None, *, always: bool, pending: PendingError | None,
    ) -> None: ...  # fmt: skip


class _Device(Protocol):
    session: Session

    @property
    def queueing(self) -> AbstractContextManager[object]: ...


class RepeatedLaunch:
    """Called, it launches `first` anew in `stream` and is back when that is done. False if it has
    done nothing, and the launch has to be queued like any other: something is before it, or has
    failed, or an observer looks at what runs; or it takes too long for a caller who does not wait
    (`waits`), or for one who does, less time than others need to come, but its blocks may wait.

    A device with an observer of each operation makes none of these. `perform` does what an
    operation is there for, and latches what goes wrong; `numbers` are those of operations.
    """

    __slots__ = (
        "_address", "_again", "_device", "_first", "_helpers", "_launch", "_most", "_numbers",
        "_own", "_perform", "_process", "_prototype", "_reach", "_slow", "_stream", "_watchdog",
        "at_hand",
    )  # fmt: skip

    def __init__(
        self, device: _Device, stream: Stream, first: Launch, helpers: Helpers, watchdog: Watchdog,
        numbers: Iterator[int], perform: _Perform,
    ) -> None:  # fmt: skip
        self._device = device
        self._stream = stream
        self._first = first
        self._prototype = first.prototype
        self._helpers = helpers
        self._watchdog = watchdog
        self._numbers = numbers
        self._perform = perform
        self._process = Process.current
        self._most = min(helpers.count, first.prototype.groups - 1)
        self._again = native_library().lead_again
        self._launch: Launch | None = None
        #: For machine code that makes the launch as this does: the addresses of its record and of
        #: the worker's, and the thread that it is for. None while there is no such launch.
        self.at_hand: tuple[int, int, int] | None = None
        self._address = 0
        self._reach = 0  # helpers that it may have as it is prepared
        self._slow = 0  # quick ones that were slow, one after the other
        self._own: OwnWorker | None = None

    def __call__(self, pending: PendingError | None = None, *, waits: bool = True) -> bool:
        stream, prototype = self._stream, self._prototype
        session = stream.session or self._device.session
        is_quick = prototype.is_quick
        if not (is_quick or waits) or session.error is not None or session.events is not None:
            return False
        wanted = prototype.worth
        if wanted > self._most:
            wanted = self._most
        launch = self._launch
        if launch is None or wanted > self._reach:
            if wanted == 0 and not is_quick:
                return False
            launch = self._prepared(wanted)
        if launch is None or self._process is not Process.current:
            return False
        worker = own()
        if worker is not self._own:
            self._own = worker
            launch.caller = get_ident()
            self.at_hand = self._address, worker.address, launch.caller
            launch.workers = {launch.caller: worker.record}
        if wanted == 0 and is_quick:
            return self._at_once(worker, session, launch, pending)
        operation = Operation(launch.name, stream.number)
        try:
            try:
                with self._device.queueing:
                    for before in stream.frontier:
                        if not before.done:
                            return False
                    operation.number = next(self._numbers)
                    stream.frontier = (operation,)
                code = self._again(worker.address, self._address, wanted)
                while code == ELSEWHERE:
                    self._helpers.ready()
                    code = self._again(worker.address, self._address, wanted)
                if code < 0:
                    if prototype.set_pace(-code):
                        launch.record.least = prototype.record.least
                else:
                    self._settle(operation, session, launch, code, pending)
            except KeyboardInterrupt:
                self._launch = self.at_hand = None
                launch.give_up(self._helpers, worker.record)
                raise
            finally:
                operation.run()
        except KeyboardInterrupt:
            operation.end()
            raise
        return True

    def _at_once(
        self, worker: OwnWorker, session: Session, launch: Launch, pending: PendingError | None
    ) -> bool:
        """Without helpers, and before anything else can be queued: it takes no longer than that."""
        stream = self._stream
        with self._device.queueing:
            if stream.frontier:
                for before in stream.frontier:
                    if not before.done:
                        return False
                stream.frontier = ()  # the next one need not ask
            try:
                code = self._again(worker.address, self._address, 0)
                if code >= 0:
                    self._settle(self._late(launch), session, launch, code, pending)
                    return True
            except KeyboardInterrupt:
                self._launch = self.at_hand = None
                launch.give_up(self._helpers, worker.record)
                raise
        # One that is slow once had to share its core.
        prototype = self._prototype
        if -code * prototype.groups < WORTH_1024:
            self._slow = 0
            return True
        self._slow += 1
        if self._slow >= _SLOW and prototype.set_pace(-code):
            launch.record.least = prototype.record.least
        return True

    @property
    def most_quick(self) -> int:
        """The most nanoseconds that 1024 groups may take, so that a launch counts as quick."""
        return (WORTH_1024 - 1) // self._prototype.groups

    def settle(self, code: int) -> None:
        """End a launch that machine code has made, whose result is `code`, not below zero."""
        launch, worker = self._launch, self._own
        assert launch is not None
        assert worker is not None
        session = self._stream.session or self._device.session
        with self._device.queueing:
            try:
                self._settle(self._late(launch), session, launch, code, None)
            except KeyboardInterrupt:
                launch.give_up(self._helpers, worker.record)
                raise

    def _late(self, launch: Launch) -> Operation:
        """What stands for a launch that has run without one."""
        operation = Operation(launch.name, self._stream.number)
        operation.number = next(self._numbers)
        return operation

    def _settle(
        self, operation: Operation, session: Session, launch: Launch, code: int,
        pending: PendingError | None,
    ) -> None:  # fmt: skip
        self._launch = self.at_hand = None
        assert self._own is not None
        worker = self._own.record
        self._perform(
            operation, session, lambda: launch.settle(self._helpers, worker, code), launch, None,
            always=False, pending=pending,
        )  # fmt: skip

    def _prepared(self, wanted: int) -> Launch | None:
        """The launch that is made from now on; None if helpers are wanted and there are none, or if
        it may wait for others, who need to be seen."""
        pool = self._helpers.pool
        if (wanted and not pool) or not self._prototype.is_independent:
            return None
        launch, whole = self._first.again(), self._prototype.record
        record = launch.record = type(whole).from_buffer_copy(whole)
        record.params = self._first.record.params
        record.pool, record.workers = pool, self._most + 1 if pool else 1
        self._reach = self._most if pool else 0
        self._address = ctypes.addressof(record)
        self._own = None
        announce(launch)
        self._watchdog.expect(launch)
        self._launch = launch
        return launch
