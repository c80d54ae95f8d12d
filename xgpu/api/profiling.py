# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu.profile`: what ran on a device, how often and how long.

with xgpu.profile() as p:
    kernel[grid, block](x, y)
print(p)                # a table; Jupyter shows a timeline beside it
p.save("run.html")      # or .svg, or .json for Perfetto
"""

from __future__ import annotations

import threading
import time
import weakref
from pathlib import Path
from typing import Any

from xgpu.ir.errors import DeviceError, UsageError
from xgpu.runtime.session import Session

_lock = threading.Lock()
_current: Profile | None = None
# Devices in use that cannot be seen.
_blind: list[str] = []
# Sessions by the device that they belong to: what runs on one has numbers of its own.
_sessions: weakref.WeakKeyDictionary[Session, int] = weakref.WeakKeyDictionary()


def register(session: Session, owner: int) -> None:
    """Let profiles see what `session` records; `owner` tells devices from each other."""
    with _lock:
        _sessions[session] = owner
        if _current is not None:
            _current.attach(session, owner)


def register_blind(device: str) -> None:
    """Say that what runs on `device` cannot be recorded."""
    _blind.append(device)


def forget_blind(device: str) -> None:
    """Nobody uses `device` any more."""
    if device in _blind:
        _blind.remove(device)


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
    """What ran between `with` and its end, on the host device: kernels, copies, fills, waits."""

    def __init__(self) -> None:
        self._lists: dict[int, list[dict[str, Any]]] = {}
        self._start = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Profile:
        global _current
        with _lock:
            if _current is not None:
                raise UsageError("there is a profile already: they cannot be inside each other")
            if _blind:
                raise DeviceError(
                    f"xgpu.profile sees the host device alone, and {_blind[0]} is in use: trace it "
                    "with xgpu-runner --trace, or with NVIDIA's tools"
                )
            _current = self
            self._start = time.perf_counter_ns()
            for session, owner in list(_sessions.items()):
                self.attach(session, owner)
        return self

    def __exit__(self, *_: object) -> None:
        global _current
        with _lock:
            _current = None
            for session in list(_sessions):
                session.events = None
        self.events = self._merged()

    def attach(self, session: Session, owner: int) -> None:
        session.begin_trace(self._lists.setdefault(owner, []), self._start)

    def _merged(self) -> list[dict[str, Any]]:
        """The events of all devices, with lanes and numbers that no two share."""
        merged: list[dict[str, Any]] = []
        lanes: dict[tuple[int, int], int] = {}
        for at, events in enumerate(self._lists.values()):
            for event in events:
                lane = event["tid"]
                if lane:
                    lane = lanes.setdefault((at, lane), len(lanes) + 1)
                arguments = dict(event["args"])
                for name in ("operation", "after"):
                    if arguments.get(name) is not None:
                        arguments[name] = _moved(arguments[name], at)
                merged.append({**event, "tid": lane, "args": arguments})
        return sorted(merged, key=lambda e: e["ts"])

    @property
    def rows(self) -> list[Row]:
        """What ran, by name, what took longest first."""
        durations: dict[tuple[str, str], list[float]] = {}
        for event in self.events:
            durations.setdefault((event["name"], event["cat"]), []).append(event["dur"])
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


def _moved(numbers: Any, device: int) -> Any:
    if isinstance(numbers, int):
        return numbers + device * 1_000_000_000
    return [number + device * 1_000_000_000 for number in numbers]


def profile() -> Profile:
    """A context that records what runs on the host device; see `xgpu.api.profiling`."""
    return Profile()
