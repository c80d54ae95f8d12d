# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program as several ranks on this machine, without an MPI library.

The program is compiled once; each rank is a forked process. This process matches what they call
(`xgpu.runtime.ranks.world`). The first mistake or failure ends all ranks. What they shared are open
files without a name and sockets: nothing is left behind, whatever ends them.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import TYPE_CHECKING, TypeVar, cast

from xgpu.core.ir.errors import DeviceError, ProgramError
from xgpu.core.support.forks import fork_for_llvm
from xgpu.runtime.ranks.calls import Rank
from xgpu.runtime.ranks.world import World
from xgpu.runtime.session import Session, TraceEvent, lane_name

if TYPE_CHECKING:
    from xgpu.driver.program import Program
    from xgpu.runtime.device import Device

T = TypeVar("T")
#: What a rank leaves besides its value: something, and its trace.
Left = Callable[[], "tuple[object, list[TraceEvent]]"]


class RankError(ProgramError):
    """A rank has failed: `number`, and what it said."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)
        self.number = number


@dataclass(frozen=True)
class Overlap:
    """How long a rank's device communicated and computed, and how long both, in microseconds."""

    communication: float
    kernels: float
    both: float


class RanksResult:
    """What ranks have left: the entry's value of each, the bytes that each has received from
    others, by the name of the operation, and what `leave` gave. `events` has the trace of each,
    where its session records."""

    def __init__(self, count: int) -> None:
        self.values: list[int | float | None] = [None] * count
        self.bytes_received: list[Counter[str]] = [Counter() for _ in range(count)]
        self.left: list[object] = [None] * count
        self.events: list[list[TraceEvent]] = [[] for _ in range(count)]

    @property
    def bytes_moved(self) -> Counter[str]:
        """The bytes that all ranks have received together."""
        return sum(self.bytes_received, Counter())

    def overlap(self, rank: int) -> Overlap:
        """How much of a rank's communication on streams was beside its kernels."""
        spans: dict[str, list[tuple[float, float]]] = {"communication": [], "kernel": []}
        for event in self.events[rank]:
            if event["cat"] in spans:
                spans[event["cat"]].append((event["ts"], event["ts"] + event["dur"]))
        communication, kernels = _union(spans["communication"]), _union(spans["kernel"])
        either = _union([*communication, *kernels])
        first, second = _length(communication), _length(kernels)
        return Overlap(first, second, first + second - _length(either))

    def joined(self) -> tuple[list[TraceEvent], dict[int, str]]:
        """The traces of all ranks as one, and the names of its lanes."""
        joined: list[TraceEvent] = []
        names: dict[int, str] = {}
        lanes = operations = 0
        for rank, events in enumerate(self.events):
            most_lane = most_operation = 0
            for event in events:
                most_lane = max(most_lane, event["tid"])
                most_operation = max(most_operation, event["args"].get("operation") or 0)
                names[lanes + event["tid"]] = _name(rank, event["tid"])
                joined.append(_moved(event, lanes, operations))
            lanes += most_lane + 1
            operations += most_operation + 1
        return joined, names

    def report(self) -> str:
        """The bytes that ranks have received from others, by the name of the operation, and how
        much of the communication on streams was beside kernels."""
        moved = self.bytes_moved
        lines = [f"  {name}: {moved[name]:,} bytes" for name in sorted(moved)]
        for rank in range(len(self.values)):
            found = self.overlap(rank)
            if found.communication:
                lines.append(
                    f"  rank {rank}: {found.communication:,.0f} us of communication on streams, "
                    f"{found.both:,.0f} us of it beside kernels ({found.kernels:,.0f} us)"
                )
        return "\n".join([f"between {len(self.values)} ranks:", *(lines or ["  nothing"])]) + "\n"


def _name(rank: int, lane: int) -> str:
    return f"{rank}: {lane_name(lane)}" if lane else f"rank {rank}"


def _union(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans that do not overlap, in order, of those that may."""
    found: list[tuple[float, float]] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return found


def _length(spans: Sequence[tuple[float, float]]) -> float:
    return sum(end - begin for begin, end in spans)


def _moved(event: TraceEvent, lanes: int, operations: int) -> TraceEvent:
    """An event with other numbers of its lane and of operations."""
    given = dict(event["args"])
    if given.get("operation") is not None:
        given["operation"] += operations
    if given.get("after"):
        given["after"] = [number + operations for number in given["after"]]
    return {**event, "tid": event["tid"] + lanes, "args": given}


class RanksProgram:
    """A program, compiled for ranks that share memory, or from the cache. It may be run several
    times.

    `Program` has an entry, or its functions are called by name. Raises what compiling it raises.
    """

    def __init__(self, program: Program, session: Session, device: Device) -> None:
        self._rank = program.ranks = Rank()
        self._session = session
        # A program is lowered in another way for a sanitizer.
        if getattr(device, "sanitizer", None) is not None:
            program.lower(device)
        elif not program.restore(device):
            program.lower(device)
            program.store(device)
        self._loaded = program.load(session, device)

    def run(
        self, count: int, function: str | None = None, leave: Callable[[], object] = lambda: None
    ) -> RanksResult:
        """Lets each of `count` ranks call the entry, or a function without arguments or results.
        What `leave` gives in each of them afterwards, the result has.

        Raises `Mistake` for what the ranks do together, and `RankError` for the first rank that
        fails.
        """
        loaded = self._loaded

        def left() -> tuple[object, list[TraceEvent]]:
            return leave(), list(self._session.events or ())

        if function is None:
            return _Ranks(count).run(loaded.run, self._rank, left)

        def call() -> None:
            loaded.begin()
            loaded.invoke(function, 0)

        return _Ranks(count).run(call, self._rank, left)


def run_in_ranks(
    count: int, prepare: Callable[[], T], work: Callable[[T, int], int | float | None]
) -> RanksResult:
    """Lets each of `count` ranks, which are forked processes, call `work` with what `prepare` has
    returned and its number. Programs that either loads are served by the ranks; those that
    `prepare` has started, by a call of a function without MPI, are compiled once. Raises as
    `RanksProgram.run` does."""
    rank = Rank()
    with rank.serving():
        prepared = prepare()
    return _Ranks(count).run(lambda: work(prepared, rank.number), rank)


#: What a rank takes of this process's open files: its memory, and two ends of two channels.
_FILES_OF_A_RANK = 5
#: What else may be open meanwhile.
_OTHER_FILES = 64


def _check_count(count: int) -> None:
    """Raises `ProgramError` for more ranks than this process may have open files for."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit == resource.RLIM_INFINITY or count * _FILES_OF_A_RANK + _OTHER_FILES <= limit:
        return
    most = max((limit - _OTHER_FILES) // _FILES_OF_A_RANK, 0)
    raise ProgramError(
        f"{count} ranks that share memory need more open files than the {limit} that a process "
        f"may have here, which are enough for {most} ranks (ulimit -n)"
    )


def _memory_file() -> int:
    """A file in memory, without a name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("xgpu-rank")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class _Ranks:
    """The processes of one run."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._world = World(count)
        self._result = RanksResult(count)
        self._pids: dict[int, int] = {}
        self._channels: list[Connection] = []
        self._lanes: list[Connection] = []
        self._done: set[int] = set()

    def run(
        self, work: Callable[[], int | float | None], rank: Rank, left: Left | None = None
    ) -> RanksResult:
        _check_count(self._count)
        files = [_memory_file() for _ in range(self._count)]
        pairs = [cast("tuple[Connection, Connection]", Pipe()) for _ in range(self._count)]
        of_lanes = [
            cast("tuple[Connection, Connection]", Pipe(duplex=False)) for _ in range(self._count)
        ]
        self._channels = [ours for ours, _ in pairs]
        self._lanes = [to_lanes for _, to_lanes in of_lanes]
        try:
            for number in range(self._count):
                self._start(number, pairs, of_lanes, files, work, rank, left)
            for _, theirs in pairs:
                theirs.close()
            for answers, _ in of_lanes:
                answers.close()
            self._serve()
        finally:
            self._end()
            for channel in (*self._channels, *self._lanes):
                channel.close()
            for file in files:
                os.close(file)
        return self._result

    def _start(
        self,
        number: int,
        pairs: Sequence[tuple[Connection, Connection]],
        of_lanes: Sequence[tuple[Connection, Connection]],
        files: list[int],
        work: Callable[[], int | float | None],
        rank: Rank,
        left: Left | None,
    ) -> None:
        try:
            pid = fork_for_llvm()
        except OSError as e:
            raise ProgramError(f"rank {number} cannot be started: {e.strerror}") from None
        if pid:
            self._pids[number] = pid
            return
        try:
            for at, (ours, theirs) in enumerate(pairs):
                ours.close()
                if at != number:
                    theirs.close()
            for at, (answers, to_lanes) in enumerate(of_lanes):
                to_lanes.close()
                if at != number:
                    answers.close()
            rank.join(number, pairs[number][1], files, of_lanes[number][0])
            _be_rank(work, rank, left)
        finally:
            os._exit(0)  # what the parent would do at its end is not this process's to do

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            for number, channel in enumerate(self._channels):
                selector.register(channel, selectors.EVENT_READ, number)
            while len(self._done) < self._count:
                for key, _ in selector.select():
                    self._take_in(key.data)
                    if key.data in self._done:
                        selector.unregister(key.fileobj)
                    self._deliver()

    def _take_in(self, number: int) -> None:
        try:
            what, *given = self._channels[number].recv()
        except (EOFError, ConnectionResetError):
            raise RankError(number, self._ended_by(number)) from None
        if what == "failed":
            raise RankError(number, *given)
        if what == "done":
            value, received, left = given
            self._result.values[number] = value
            if left is not None:
                self._result.left[number], self._result.events[number] = left
            self._result.bytes_received[number] = Counter(received)
            self._done.add(number)
            return
        if what == "lane":
            number, what, *given = given
        self._world.handle(number, what, *given)

    def _ended_by(self, number: int) -> str:
        """How a rank has ended that has not said so."""
        _, status = os.waitpid(self._pids.pop(number), 0)
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return f"the process ended with exit code {code}"
        return f"the process was ended by {signal.Signals(-code).name}"

    def _deliver(self) -> None:
        answers, self._world.answers = self._world.answers, []
        for number, free, value in answers:
            # One that has been killed is noticed when its channel is read.
            with suppress(BrokenPipeError, ConnectionResetError):
                if number < self._count:
                    self._channels[number].send((free, value))
                else:
                    of_lane = self._lanes[self._world.number_of(number)]
                    of_lane.send((number, free, value))

    def _end(self) -> None:
        """Ends the ranks that have not ended."""
        for number, pid in self._pids.items():
            if number not in self._done:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for pid in self._pids.values():
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
        self._pids.clear()


def _be_rank(work: Callable[[], object], rank: Rank, left: Left | None) -> None:
    try:
        value = work()
        gives = left() if left is not None else None
    except (DeviceError, ProgramError) as problem:
        rank.fail(str(problem))
    except BaseException as problem:
        rank.fail(f"{type(problem).__name__}: {problem}")
    else:
        rank.end(value, gives)
