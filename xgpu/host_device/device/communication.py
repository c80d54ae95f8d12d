# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Communication of the host device with those of other ranks.

An operation of a stream is done in the stream's thread, by MPI's functions or by ranks that share
memory. What is done on one communicator is done in the order of the calls, whatever streams it is
on, as NCCL has it. That alone orders nothing else: tokens do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.memory import Memory
from xgpu.host_device.device.operations import Communication, Operation, Order, Stream
from xgpu.runtime import mpi
from xgpu.runtime.collectives import (
    Collective,
    CommunicationFunctions,
    Communicator,
    perform,
    title,
)


class Communicating(CommunicationFunctions):
    """The functions of the host device that communicate."""

    _memory: Memory
    _natural: bool
    _order: Order
    _stream: Callable[[int], Stream]
    _enqueue: Callable[..., Operation]
    current_location: Callable[[], str | None]

    def _begin_communication(self) -> None:
        self._communicators: dict[int, Communicator] = {}
        self._last: dict[int, Operation] = {}
        #: What is queued and not over, by operation.
        self._under_way: dict[Operation, int] = {}
        self._own_numbers = count(1)

    def _communicator(self, handle: int) -> Communicator:
        found = self._communicators.get(handle)
        if found is None:
            found = self._communicators[handle] = Communicator(handle)
            rank = mpi.serving_rank()
            if rank is not None and not isinstance(self._order, _Told):
                self._order = _Told(
                    self._order, rank, self._needed, lambda: self.current_location()
                )
        return found

    def _communicate(self, calls: Sequence[Collective], stream: int) -> None:
        if not self._natural:
            raise DeviceError(
                "orders of a program cannot be explored where ranks communicate: one operation at "
                "a time would wait for others for ever"
            )
        where, name = self._stream(stream), title(calls)
        pairs = [(self._communicator(call.comm), call) for call in calls]
        ranges = [one for comm, call in pairs for one in call.ranges(comm.size)]
        before = [self._last[call.comm] for call in calls if call.comm in self._last]
        place = self.current_location() or ""
        number = next(self._own_numbers)
        functions = pairs[0][0].functions
        functions.queued(number, name, place, self._needed((*where.frontier, *before)))

        def act() -> None:
            for other in before:
                other.wait()
            for begin, size, writes in ranges:
                verb = "writes" if writes else "reads"
                self._memory.check_range(begin, size, f"{name} {verb}")
            functions.begins(number, place)
            perform(pairs)
            functions.ends(number)

        operation = self._enqueue(where, name, act, Communication(name, ranges))
        self._under_way = {one: n for one, n in self._under_way.items() if not one.done}
        self._under_way[operation] = number
        for call in calls:
            self._last[call.comm] = operation

    def _needed(self, operations: Iterable[Operation] | None) -> list[int]:
        """The communication under way that operations need to be over; None: all there is."""
        if operations is None:
            return [number for one, number in self._under_way.items() if not one.done]
        seen: set[Operation] = set()
        stack = [one for one in operations if not one.done]
        while stack:
            one = stack.pop()
            if one not in seen:
                seen.add(one)
                stack += [other for other in one.after if not other.done]
        return [number for one, number in self._under_way.items() if one in seen]


class _Told(Order):
    """An order that reports its waits to the world of a rank."""

    def __init__(
        self, order: Order, rank: mpi.Server,
        needed: Callable[[Iterable[Operation] | None], list[int]],
        where: Callable[[], str | None],
    ) -> None:  # fmt: skip
        self._order = order
        self._rank = rank
        self._needed = needed
        self._where = where
        self.parallel = order.parallel

    def _told(self, operations: tuple[Operation, ...] | None, wait: Callable[[], None]) -> None:
        numbers = self._needed(operations)
        if numbers:
            self._rank.waits(numbers, self._where())
        wait()
        if numbers:
            self._rank.goes_on()

    def wait(self, operations: Iterable[Operation]) -> None:
        given = tuple(operations)
        self._told(given, lambda: self._order.wait(given))

    def wait_all(self) -> None:
        self._told(None, self._order.wait_all)

    def open(self, stream: Stream) -> None:
        self._order.open(stream)

    def release(self, stream: Stream) -> None:
        self._order.release(stream)

    def submit(self, operation: Operation, stream: Stream) -> None:
        self._order.submit(operation, stream)

    def give_up(self, operation: Operation, stream: Stream) -> None:
        self._order.give_up(operation, stream)

    def is_free(self, operations: tuple[Operation, ...]) -> bool:
        return self._order.is_free(operations)

    def is_quiet(self, thread: int) -> bool:
        return self._order.is_quiet(thread)

    def is_idle(self) -> bool:
        return self._order.is_idle()

    def close(self) -> None:
        self._order.close()

    def abandon(self) -> None:
        self._order.abandon()
