# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order of operations by vector clocks: what is over before an operation begins.

A lane is a stream, the host (lane 0), or an operation beside a stream. A clock gives for each lane
the index of its last operation that comes before. Native code gets the clock of each operation.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.host_device.device.operations import Operation

Clock = dict[int, int]


class OperationOrder:
    """The clocks of the operations of a run. Programs have several threads: the methods may be
    called in any of them."""

    def __init__(
        self, calls: dict[str, Callable[..., int]],
        settled: Callable[[], None], host_code: Callable[[int], None],
    ) -> None:  # fmt: skip
        """`settled` is called when nothing runs, `host_code` with the number in native code of
        what the host's code does."""
        self._calls = calls
        self._settled = settled
        self._note_host_code = host_code
        self._lock = threading.Lock()
        #: Whether the host's code counts as an operation between others.
        self._with_host_code = False
        #: How many operations each lane has, and the lanes of streams, by their numbers.
        self._counts: list[int] = [0]
        self._lane_of: dict[int, int] = {}
        #: Of each operation, by its number in the order of submission: what it comes after, its
        #: lane, its number in native code.
        self._clocks: dict[int, Clock] = {}
        self._places: dict[int, tuple[int, int]] = {}
        #: What the last writes of words come after that streams wait for, by address.
        self._written: dict[int, Clock] = {}
        #: What the host knows to be over.
        self._host: Clock = {}
        #: What native code reads until all that comes is ordered behind it: clocks, and more.
        self._kept: list[object] = []
        self._last = 0

    def restart(self) -> None:
        """Another run of the program begins."""
        with self._lock:
            self._counts = [0]
            for known in (self._lane_of, self._clocks, self._places, self._written, self._host):
                known.clear()
            self._host_goes_on()

    def watch_host_code(self) -> None:
        """From now on the host's code tells what it uses."""
        with self._lock:
            self._with_host_code = True
            self._host_goes_on()

    def submit(self, operation: Operation, synchronizes: int, *, alone: bool) -> int:
        """An operation is given to its stream, or is `alone`, ordered by what it waits for and by
        nothing else. Its number in native code."""
        with self._lock:
            lane = self._new_lane() if alone else self._lane(operation.lane)
            clock = self._host_clock()
            for other in operation.after:
                _join(clock, self._clocks.get(other.number, {}))
            self._counts[0] += 1
            self._counts[lane] += 1
            self._host_goes_on()
            index = self._counts[lane]
            number = self._add(lane, index, clock, synchronizes)
            clock[lane] = index
            self._clocks[operation.number], self._places[operation.number] = clock, (lane, number)
        return number

    def begin_part(self, operation: Operation, synchronizes: int) -> int:
        """A part of an operation that runs is ordered with all that the operation is ordered with,
        and with the parts before it. Its number in native code."""
        with self._lock:
            lane, clock = self._lane(operation.lane), self._clocks[operation.number]
            return self._add(lane, clock[lane], clock, synchronizes)

    def host_acts(self, after: Iterable[int]) -> int:
        """The host does something, behind all that it knows to be over and the operations `after`.
        The number of that in native code."""
        with self._lock:
            clock = self._host_clock()
            for number in after:
                _join(clock, self._clocks.get(number, {}))
            return self._add(0, self._counts[0], clock)

    def keep(self, *things: object) -> None:
        """What native code reads until all that comes is ordered behind all that there was."""
        with self._lock:
            self._kept.extend(things)

    def host_waits(self, operations: Iterable[Operation]) -> None:
        """The host knows that these operations are over."""
        with self._lock:
            for operation in operations:
                _join(self._host, self._clocks.get(operation.number, {}))
            if all(self._host.get(i, 0) >= n for i, n in enumerate(self._counts) if i):
                # Nothing runs: all that there will be comes after all that there was.
                self._calls["xgpu_san_settle"](self._last)
                for known in (self._clocks, self._places, self._written, self._kept):
                    known.clear()
                self._settled()
            self._host_goes_on()

    # -- words that streams wait for

    def write_word(
        self, number: int, address: int, write: Callable[[], None], orders: bool
    ) -> None:
        """An operation writes a word. A wait that sees the value comes after it if it `orders`."""
        with self._lock:
            write()
            self._written.pop(address, None)
            if orders:
                self._written[address] = dict(self._clocks[number])

    def see_word(self, number: int, address: int) -> None:
        """An operation has waited for a word. It comes after what the write of the word comes
        after, and so do the operations behind it that have been submitted: none has begun."""
        with self._lock:
            written = self._written.get(address)
            if written is None:
                return
            lane, _ = self._places[number]
            index = self._clocks[number][lane]
            for other in reversed(self._clocks):
                clock = self._clocks[other]
                if clock.get(lane, 0) >= index:
                    _join(clock, written)
                    after = self._array(clock)
                    self._calls["xgpu_san_follow"](
                        self._places[other][1], ctypes.addressof(after), len(self._counts)
                    )
                if other == number:
                    break

    # -- below the lock

    def _lane(self, stream: int) -> int:
        if stream not in self._lane_of:
            self._lane_of[stream] = self._new_lane()
        return self._lane_of[stream]

    def _new_lane(self) -> int:
        self._counts.append(0)
        return len(self._counts) - 1

    def _host_clock(self) -> Clock:
        return {**self._host, 0: self._counts[0]}

    def _add(self, lane: int, index: int, clock: Clock, synchronizes: int = 0) -> int:
        after = self._array(clock)
        self._last = self._calls["xgpu_san_operation"](
            lane, index, ctypes.addressof(after), len(self._counts), synchronizes
        )
        return self._last

    def _array(self, clock: Clock) -> ctypes.Array[ctypes.c_int32]:
        lanes = len(self._counts)
        after = (ctypes.c_int32 * lanes)(*(clock.get(i, 0) for i in range(lanes)))
        self._kept.append(after)
        return after

    def _host_goes_on(self) -> None:
        """What the host's code does from here on comes after what the host now knows."""
        if self._with_host_code:
            number = self._add(0, self._counts[0], self._host_clock())
            self._note_host_code(number)
            self._calls["xgpu_san_host_now"](number)


def _join(into: Clock, other: Clock) -> None:
    for lane, index in other.items():
        if into.get(lane, 0) < index:
            into[lane] = index
