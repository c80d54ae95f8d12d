# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu.profile`: what ran on a device, how often and how long, and what limits its kernels.

with xgpu.profile() as p:
    for _ in range(3):
        kernel[grid, block](x, y)
print(p)                # tables; Jupyter shows a timeline beside it
p.save("run.html")      # or .svg, or .json for Perfetto
p.roofline()            # kernels beside what the machine can do: a picture (SVG)

On the host device the first launch of a kernel with its sizes counts what it does: operations on
floats, bytes, lanes that worked, gathers and scatters. Others say how long that takes.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence
from pathlib import Path

from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.core.support.forks import new_lock
from xgpu.runtime.device import Device
from xgpu.runtime.session import Session, TraceEvent, TraceEvents
from xgpu.runtime.work import KernelRate, Peaks, kernel_rates, rates_table

_lock = new_lock()
_current: Profile | None = None
# Sessions, and the device of each: what runs on one has numbers of its own.
_sessions: weakref.WeakKeyDictionary[Session, weakref.ref[Device]] = weakref.WeakKeyDictionary()


def register(session: Session, device: Device) -> None:
    """Let profiles see what `device` records in `session`."""
    with _lock:
        _sessions[session] = weakref.ref(device)
        if _current is not None:
            _current.attach(session, device)


def _registered() -> list[tuple[Session, Device]]:
    """The sessions of devices that are in use."""
    found = [(session, device()) for session, device in list(_sessions.items())]
    return [(session, device) for session, device in found if device is not None]


class Row:
    """One line of the table: times in microseconds."""

    __slots__ = ("calls", "kind", "longest", "name", "shortest", "total")

    def __init__(self, name: str, kind: str, durations: list[float]) -> None:
        self.name = name
        self.kind = kind
        self.calls = len(durations)
        self.total = sum(durations)
        self.shortest = min(durations)
        self.longest = max(durations)

    @property
    def mean(self) -> float:
        return self.total / self.calls


class Profile:
    """What ran between `with` and its end, on all devices: kernels, copies, fills, waits.

    On a GPU an event before and one behind each operation say when it ran, so that its stream
    does a little more than without, and the end of the `with` waits for what is recorded.
    """

    def __init__(self, counts: bool = True) -> None:
        self._counts = counts
        self._has_counted = False
        self._lists: dict[int, TraceEvents] = {}
        self._start = 0
        self.events = TraceEvents()

    def __enter__(self) -> Profile:
        global _current
        with _lock:
            if _current is not None:
                raise UsageError("there is a profile already: they cannot be inside each other")
            _current = self
            self._start = time.perf_counter_ns()
            for session, device in _registered():
                self.attach(session, device)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        global _current
        problem: DeviceError | None = None
        with _lock:
            _current = None
            for session, device in _registered():
                try:
                    device.end_trace()
                except DeviceError as raised:
                    problem = problem or raised
                device.count_work(False)
                session.events = None
        self.events = self._merged()
        if problem is not None and kind is None:
            raise problem

    def attach(self, session: Session, device: Device) -> None:
        session.begin_trace(self._lists.setdefault(id(device), TraceEvents()), self._start)
        device.begin_trace()
        if self._counts and device.name == "host":
            self._has_counted = True
            device.count_work(True)

    @property
    def kernels(self) -> list[KernelRate]:
        """What kernels of the host device do in a second, what took longest first; empty where
        nothing was counted."""
        return kernel_rates(self.events)

    def peaks(self) -> Peaks:
        """What the machine can do, measured when it is first asked for. Raises `UsageError` where
        the host device has not run."""
        if not self._has_counted:
            raise UsageError("the profile has seen no host device, or does not count")
        from xgpu.host_device.device.peaks import machine_peaks  # programs start without it

        return machine_peaks()

    def roofline(self, title: str = "xgpu.profile") -> str:
        """The kernels of the host device beside what the machine can do: a picture (SVG). Raises
        `UsageError` where nothing was counted."""
        from xgpu.tools.roofline import svg

        return svg(self.kernels, self.peaks(), title)

    @property
    def left_out(self) -> int:
        """Operations that ran when there was no room for more (`XGPU_TRACE_EVENTS`)."""
        return self.events.left_out

    def _merged(self) -> TraceEvents:
        """The events of all devices, with lanes and numbers that no two share."""
        merged: list[TraceEvent] = []
        lanes: dict[tuple[int, int], int] = {}

        def number(at: int, lane: int) -> int:
            return lanes.setdefault((at, lane), len(lanes) + 1)

        for at, events in enumerate(self._lists.values()):
            for event in events:
                lane = event["tid"] and number(at, event["tid"])
                arguments = dict(event["args"])
                waited = arguments.get("stream")
                if waited is not None:  # by the number that the stream's lane has here
                    arguments["stream"] = number(at, waited)
                    event = event.copy()
                    event["name"] = f"wait for stream {arguments['stream']}"
                for name in ("operation", "after"):
                    if arguments.get(name) is not None:
                        arguments[name] = _moved(arguments[name], at)
                merged.append({**event, "tid": lane, "args": arguments})
        found = TraceEvents(sorted(merged, key=lambda e: e["ts"]))
        found.left_out = sum(events.left_out for events in self._lists.values())
        return found

    @property
    def rows(self) -> list[Row]:
        """What ran, by name, what took longest first; kernels of one name in several gpu.modules
        as `module::kernel`."""
        modules: dict[str, set[str]] = {}
        for event in self.events:
            modules.setdefault(event["name"], set()).add(event["args"].get("module", ""))
        durations: dict[tuple[str, str], list[float]] = {}
        for event in self.events:
            name = event["name"]
            if len(modules[name]) > 1:  # kernels of one name
                name = f"{event['args'].get('module', '')}::{name}"
            durations.setdefault((name, event["cat"]), []).append(event["dur"])
        rows = [Row(name, kind, found) for (name, kind), found in durations.items()]
        return sorted(rows, key=lambda row: -row.total)

    def __repr__(self) -> str:
        lines = [
            f"{'':30} {'':8} {'calls':>6} {'total ms':>10} {'mean us':>10} {'least':>9} {'most':>9}"
        ]
        lines += [
            f"{row.name[:30]:30} {row.kind:8} {row.calls:>6} {row.total / 1e3:>10.3f} "
            f"{row.mean:>10.1f} {row.shortest:>9.1f} {row.longest:>9.1f}"
            for row in self.rows
        ]
        if kernels := self.kernels:
            lines += ["", rates_table(kernels, self.peaks())]
        if self.left_out:
            lines.append(f"{self.left_out} more operations ran when the profile was full")
        return "\n".join(line.rstrip() for line in lines)

    def timeline(self) -> str:
        """Streams as lanes, operations as bars, waits as arrows: a picture (SVG)."""
        from xgpu.tools.timeline import svg

        return svg(self.events, "xgpu.profile")

    def _repr_html_(self) -> str:
        from xgpu.api.display import code

        return self.timeline() + code(repr(self))

    def save(self, path: str | Path) -> None:
        """Write a picture (.svg), a page (.html) or a trace for Perfetto (.json)."""
        from xgpu.tools.timeline import html

        path = Path(path)
        if path.suffix == ".json":
            session = Session()
            session.events = self.events
            text = session.trace_json()
        elif path.suffix == ".svg":
            text = self.timeline()
        elif path.suffix == ".html":
            text = html(self.events, "xgpu.profile")
        else:
            raise UsageError(f"path is '{path}', expected .svg, .html or .json")
        path.write_text(text, encoding="utf-8")


def _moved(numbers: int | Sequence[int], device: int) -> int | list[int]:
    if isinstance(numbers, int):
        return numbers + device * 1_000_000_000
    return [number + device * 1_000_000_000 for number in numbers]


def profile(counts: bool = True) -> Profile:
    """A context that records what runs on all devices, and with `counts` what kernels of the host
    device do; see `xgpu.api.profiling`."""
    return Profile(counts)
