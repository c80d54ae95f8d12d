# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of the host device: how they come into streams, and what each does there.

Ctrl-C may be raised between any two steps of queueing an operation. An operation that a stream
knows must end all the same, for others wait for it: it is given up, so that it does nothing when
its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.memory import Memory
from xgpu.host_device.device.operations import Composite, Effect, Operation, Order, Stream
from xgpu.runtime.session import PendingError, Session

if TYPE_CHECKING:
    from xgpu.host_device.device.printing import Printed
    from xgpu.host_device.device.sanitizer_interface import Sanitizer


class Queueing:
    """What queues operations of a device, and performs them."""

    session: Session
    sanitizer: Sanitizer | None
    take_location: Callable[[], str | None]
    flush_printed: Callable[[], None]
    printed: Printed
    _memory: Memory
    _natural: bool
    _numbers: Iterator[int]
    _order: Order
    #: Held while an operation is queued: a frontier is read and replaced.
    queueing: AbstractContextManager[object]

    def enqueue(
        self, stream: Stream, name: str, action: Callable[[], None], what: Effect | None = None,
        *, always: bool = False, quick: bool = False, pending: PendingError | None = None,
    ) -> Operation:  # fmt: skip
        """Queue an operation of a caller that is no program: it has no location in a source.
        Several threads may use a stream; they wait for one another only to queue it. `pending` gets
        the operation's error."""
        operation = Operation(name, stream.number)
        operation.quick = quick
        at_once = False
        try:
            with self.queueing:
                at_once = quick and self._order.is_free(stream.frontier)
                try:
                    self._place(
                        operation, stream, action, what, always=always, location="",
                        pending=pending,
                    )  # fmt: skip
                    if not at_once:
                        self._order.submit(operation, stream)
                except KeyboardInterrupt:
                    self._order.give_up(operation, stream)
                    raise
            if at_once:
                operation.run()
        except KeyboardInterrupt:
            if at_once:
                operation.end()
            raise
        return operation

    def run_part(
        self, of: Composite, name: str, action: Callable[[], None], what: Effect | None
    ) -> None:
        """Do a part of an operation that runs, in its thread. Raises what the part raises."""
        operation = of.operation
        assert operation is not None
        if self.sanitizer is not None:
            with self.queueing:
                action = self.sanitizer.begin_part(operation, name, what, action)
        begin = self.session.now()
        action()
        if self.session.events is not None and what is not None:
            self.session.record(
                name, what.kind, operation.lane, begin, operation=operation.number, after=[],
                location=operation.location, **what.details(),
            )  # fmt: skip

    def perform_at_once(self, stream: Stream, action: Callable[[], None]) -> bool:
        """Do what takes less time than to queue it, if the stream is idle and nothing looks at
        operations; whether that was done. An error is the session's, as an operation's."""
        session: Session = stream.session or self.session
        is_seen = self.sanitizer is not None or session.events is not None or not self._natural
        if is_seen or not self._order.is_free(stream.frontier):
            return False
        if session.error is None:
            _perform(session, action, "", None)
        return True

    def is_idle(self) -> bool:
        """Whether nothing is under way or still to be printed, and nothing looks at operations."""
        return (
            self.sanitizer is None and self.session.events is None and self._natural
            and self._order.is_idle() and not self.printed.is_pending
        )  # fmt: skip

    def _enqueue(
        self, stream: Stream, name: str, action: Callable[[], None], what: Effect | None = None,
        *, after: tuple[Operation, ...] | None = None, always: bool = False,
        location: str | None = None, quick: bool = False, open: bool = False,
    ) -> Operation:  # fmt: skip
        """Queue an operation in `stream`; see `_place`."""
        operation = Operation(name, stream.number)
        operation.quick = quick
        operation.open = open
        try:
            self._place(
                operation, stream, action, what, after=after, always=always, location=location
            )
            self._order.submit(operation, stream)
        except KeyboardInterrupt:
            self._order.give_up(operation, stream)
            raise
        return operation

    def _place(
        self, operation: Operation, stream: Stream, action: Callable[[], None],
        what: Effect | None = None, *, after: tuple[Operation, ...] | None = None,
        always: bool = False, location: str | None = None, pending: PendingError | None = None,
    ) -> None:  # fmt: skip
        """Let an operation be the last in `stream`, after all that the stream holds, or, beside it,
        after `after`.

        After an error it is skipped, unless it releases something (`always`). `what` says what
        it does, for traces and for the exploration of orders.
        """
        session: Session = stream.session or self.session
        if location is None:
            location = self.take_location()
        traced = session.events is not None and what is not None
        operation.action = lambda: self._perform(
            operation, session, action, what, waits, always=always, pending=pending
        )
        operation.number = next(self._numbers)
        operation.location = location
        if isinstance(what, Composite):
            what.operation = operation
        operation.after = stream.frontier if after is None else after
        lane = stream.number
        waits = [o.number for o in operation.after if o.lane != lane] if traced else None
        if what is not None and not self._natural:
            operation.touches = what.touches(self._memory)
        if self.sanitizer is not None:
            self.sanitizer.submit(operation, operation.name, what, alone=after is not None)
        if after is None:
            stream.frontier = (operation,)

    def _perform(
        self, operation: Operation, session: Session, action: Callable[[], None],
        what: Effect | None, waits: list[int] | None, *, always: bool, pending: PendingError | None,
    ) -> None:  # fmt: skip
        """Do what an operation is there for. `waits` are operations of other streams that it was
        queued after, None where no trace is wanted."""
        if (before := session.error) is not None and not always:
            _note_error(pending, before)
            return
        location = operation.location or ""
        begin = session.now() if waits is not None else 0
        _perform(session, action, location, pending)
        if what is None:
            return
        for warning, place in what.warnings():
            self.flush_printed()
            session.warn(warning, place or location)
        if waits is not None:
            session.record(
                operation.name, what.kind, operation.lane, begin, operation=operation.number,
                after=waits, location=operation.location, **what.details(),
            )  # fmt: skip


def _perform(
    session: Session, action: Callable[[], None], location: str, pending: PendingError | None
) -> None:
    """Call something, and let the session have what it raises."""
    try:
        action()
    except DeviceError as problem:
        _note_error(pending, session.fail(str(problem), location))
    except Exception as problem:
        # An internal error: it is said here alone, and the stream has to go on.
        text = f"internal error: {type(problem).__name__}: {problem}; please report this"
        _note_error(pending, session.fail(text, location))


def _note_error(pending: PendingError | None, problem: BaseException) -> None:
    if pending is not None and pending.problem is None:
        pending.problem = problem
