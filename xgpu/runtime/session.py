# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One run of a program: its first error, what it made and released, and when what ran.

Errors stop the program. A device function that fails latches a `DeviceError` here and raises the
flag that native code looks at after every device call; what the device still holds is skipped.
`finish` raises the error once all has been released.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any, NotRequired, TypedDict

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_lock

#: Warnings that a run shows.
MOST_WARNINGS = 1000
KINDS = ("kernels", "launches", "modules", "streams", "events", "bytes", "graphs")


#: Says how many operations a trace, a timeline or a profile holds.
EVENTS_VARIABLE = "XGPU_TRACE_EVENTS"
_MOST_EVENTS = 200_000


def most_events() -> int:
    """How many operations a trace may hold. Raises `DeviceError` for a number that is none."""
    text = os.environ.get(EVENTS_VARIABLE, "")
    if text and not text.isdecimal():
        raise DeviceError(f"{EVENTS_VARIABLE} is '{text}', expected a number of operations")
    return int(text) if text else _MOST_EVENTS


class TraceEvent(TypedDict):
    """One entry of a trace in Chrome's format, with times in microseconds: something that ran
    (`ph` is "X", with `dur`), or an end of an arrow ("s", "f", with `id`)."""

    name: str
    cat: str
    ph: str
    pid: int
    #: The lane: a stream's number, 0 for the host.
    tid: int
    ts: float
    dur: float
    #: What the one who recorded it knows besides.
    args: dict[str, Any]
    id: NotRequired[int]
    bp: NotRequired[str]


class TraceEvents(list[TraceEvent]):
    """What ran, in the order of its end, and how many operations there was no room for."""

    def __init__(self, events: Iterable[TraceEvent] = ()) -> None:
        super().__init__(events)
        self.left_out = 0


def negative_size(size: int) -> str:
    """What is said of an allocation of fewer than 0 bytes, which arrive as 64 bits."""
    if size >= 1 << 63:
        size -= 1 << 64
    return (
        f"gpu.alloc of {size} bytes: a size is negative, or the product of all sizes needs more "
        "than 63 bits"
    )


class Count:
    """How many (or how many bytes) were created and destroyed; `peak` is the most alive at once."""

    __slots__ = ("alive", "created", "destroyed", "peak")

    def __init__(self) -> None:
        self.created = self.destroyed = self.alive = self.peak = 0

    def create(self, amount: int = 1) -> None:
        self.created += amount
        self.alive += amount
        if self.alive > self.peak:
            self.peak = self.alive

    def destroy(self, amount: int = 1) -> None:
        self.destroyed += amount
        self.alive -= amount


class PendingError:
    """The error that a thread gets when it waits for a stream that several threads use: the first
    of its own operations, or the one for which an operation was skipped, whether or not another
    thread has got it before."""

    __slots__ = ("problem",)

    def __init__(self) -> None:
        self.problem: BaseException | None = None


def lane_name(lane: int) -> str:
    """What a lane of a trace is called: that of a stream, 0 that of the host."""
    return f"stream {lane}" if lane else "host"


class Session:
    """Shared by the engine and the device. `location` is where the program is now: the engine sets
    it.
    """

    def __init__(self) -> None:
        self.flag = ctypes.c_int32(0)
        #: What went wrong first; of the caller's `output`, whatever that has raised.
        self.error: BaseException | None = None
        self._warned: set[str] = set()
        #: The program's text, if it is known, for locations in one without a name.
        self.text: str | None = None
        self.counts: dict[str, Count] = {kind: Count() for kind in KINDS}
        self.events: list[TraceEvent] | None = None
        #: Operations that `events` may hold.
        self.most_events = _MOST_EVENTS
        #: What lanes are called that are not one process's streams.
        self.lane_names: dict[int, str] = {}
        self.location: Callable[[], str | None] = lambda: None
        self.lock = new_lock()
        self._start = time.perf_counter_ns()
        self.output: Callable[[str], None] = lambda text: print(text, end="", flush=True)

    def write(self, text: str) -> None:
        """Print what the program prints; where its reader is gone, the program ends."""
        try:
            self.output(text)
        except OSError as problem:
            self.fail(f"cannot write the program's output: {problem.strerror}")
        except BaseException as problem:  # for who called the program: native code is in between
            self.latch(problem)

    # -- errors

    def fail(self, message: str, location: str | None = None) -> BaseException:
        """Latch the first error, which is returned; later ones are its consequences."""
        with self.lock:
            if self.error is not None:
                return self.error
        where = location if location is not None else self.location()
        where = self._shown(where or "")
        return self.latch(DeviceError(f"{where}: error: {message}" if where else message))

    def _shown(self, location: str) -> str:
        """A location as messages have it."""
        if self.text is None:
            return location
        from xgpu.core.support.literals import shown  # not for runs without a mistake

        return shown(self.text, location)

    def latch(self, problem: BaseException) -> BaseException:
        """Let the program end with `problem`, if nothing else went wrong before; with what it
        ends."""
        with self.lock:
            if self.error is None:
                self.error = problem
                self.flag.value = 1
            return self.error

    def take_error(self, pending: PendingError | None) -> BaseException | None:
        """The error for a thread that has waited: one of its own operations, or else one of others'
        that has not been reported. The stream goes on."""
        own = None if pending is None else pending.problem
        with self.lock:
            found = own or self.error
            if found is self.error:
                self.error = None
                self.flag.value = 0
        return found

    def warn(self, message: str, location: str) -> None:
        """Print a warning, each text once."""
        location = self._shown(location)
        text = f"{location}: warning: {message}" if location else f"warning: {message}"
        with self.lock:
            if text in self._warned or len(self._warned) > MOST_WARNINGS:
                return
            self._warned.add(text)
            if len(self._warned) > MOST_WARNINGS:
                text = f"warning: more than {MOST_WARNINGS} warnings: no more are shown"
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr, flush=True)

    @property
    def failed(self) -> bool:
        return self.error is not None

    # -- accounting

    def create(self, kind: str, amount: int = 1) -> None:
        with self.lock:
            self.counts[kind].create(amount)

    def destroy(self, kind: str, amount: int = 1) -> None:
        with self.lock:
            self.counts[kind].destroy(amount)

    def leaks(self) -> dict[str, int]:
        """What is still alive, by kind. Modules live as long as the program."""
        return {
            kind: count.alive
            for kind, count in self.counts.items()
            if kind in ("streams", "events", "bytes", "graphs") and count.alive
        }

    def report(self) -> str:
        """The table of `--report`."""
        rows = ["             created  destroyed     leaked       peak"]
        for kind, count in self.counts.items():
            if kind in ("kernels", "launches"):
                rows.append(f"{kind:10}{count.created:>10}")
            elif count.created or kind in ("streams", "events", "bytes"):
                rows.append(
                    f"{kind:10}{count.created:>10} {count.destroyed:>10} {count.alive:>10}"
                    f" {count.peak:>10}"
                )
        return "\n".join(rows) + "\n"

    # -- trace

    def start_trace(self) -> None:
        self.begin_trace(TraceEvents(), self._start)

    def begin_trace(self, events: list[TraceEvent], start: int) -> None:
        """Record into `events`, with times since `start` (`time.perf_counter_ns`)."""
        self._start = start
        self.most_events = most_events()
        self.events = events

    def now(self) -> int:
        """Nanoseconds since the start of the run."""
        return time.perf_counter_ns() - self._start

    def record(self, name: str, kind: str, lane: int, begin: int, **details: object) -> None:
        """Something that ran in `lane` (a stream's number, 0 for the host) from `begin` till
        now.
        """
        self.record_at(name, kind, lane, begin / 1000, self.now() / 1000, **details)

    def record_at(
        self, name: str, kind: str, lane: int, begin: float, end: float, **details: object
    ) -> None:
        """Something that ran in `lane` from `begin` till `end`, microseconds."""
        events = self.events
        if events is None:
            return
        if len(events) >= self.most_events:
            self._leave_out(events)
            return
        events.append(
            {
                "name": name, "cat": kind, "ph": "X", "pid": 1, "tid": lane,
                "ts": begin, "dur": end - begin, "args": details,
            }
        )  # fmt: skip

    def _leave_out(self, events: list[TraceEvent]) -> None:
        """An operation for which a trace has no room; of the first one there is a warning."""
        if not isinstance(events, TraceEvents):
            return
        with self.lock:
            events.left_out += 1
            is_first = events.left_out == 1
        if is_first:
            self.warn(
                f"a trace, a timeline or a profile holds {self.most_events} operations "
                f"({EVENTS_VARIABLE}): what runs from here on is not in it",
                "",
            )

    def trace_json(self) -> str:
        """The trace in Chrome's format (chrome://tracing, Perfetto); times in microseconds."""
        events = sorted(self.events or [], key=lambda e: e["ts"])
        lanes = sorted({e["tid"] for e in events})
        names = [
            {
                "name": "thread_name", "ph": "M", "pid": 1, "tid": lane,
                "args": {"name": self.lane_names.get(lane) or lane_name(lane)},
            }
            for lane in lanes
        ]  # fmt: skip
        everything = [*names, *events, *self._flows(events)]
        trace: dict[str, object] = {"traceEvents": everything, "displayTimeUnit": "ms"}
        left_out = getattr(self.events, "left_out", 0)
        if left_out:
            trace["otherData"] = {"operations left out": left_out}
        return json.dumps(trace, indent=1)

    def _flows(self, events: list[TraceEvent]) -> list[dict[str, object]]:
        """Arrows from what was waited for to what waited."""
        by_number = {
            e["args"]["operation"]: e for e in events if e["args"].get("operation") is not None
        }
        flows: list[dict[str, object]] = []
        for event in events:
            for number in event["args"].get("after", ()):
                source = by_number.get(number)
                if source is None:
                    continue
                same = {"name": "waits for", "cat": "wait", "id": len(flows) // 2 + 1, "pid": 1}
                # A flow binds to the slice that holds its time: the last moment of the one, the
                # first of the other (or the last, where the host has waited).
                end = event["ts"] + (event["dur"] if event["cat"] == "wait" else 0)
                flows.append(
                    {**same, "ph": "s", "tid": source["tid"], "ts": source["ts"] + source["dur"]}
                )
                flows.append({**same, "ph": "f", "bp": "e", "tid": event["tid"], "ts": end})
        return flows
