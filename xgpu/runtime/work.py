# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels do in a time, beside what the machine can do: bytes and operations on floats.

Events of a trace say of a launch that has counted (`Device.count_work`) what it did. Other launches
of the kernel with the same sizes say how long that takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xgpu.runtime.session import TraceEvent


class Access(NamedTuple):
    """Accesses whose lanes go to places of their own: `gather` or `scatter`, their
    `file:line:column`, and how many threads did it."""

    kind: str
    location: str
    threads: int


class Work(NamedTuple):
    """What a launch did. Bytes are those that its threads ask for, whether or not a cache has
    them."""

    #: Operations on floats of at most 32 bits, and on those of 64. A fused one is two.
    floats: int = 0
    doubles: int = 0
    #: Bytes of global memory read and written, and of workgroup memory both.
    loaded: int = 0
    stored: int = 0
    shared: int = 0
    #: Operations of threads, and how many the lanes of the same vectors could have done.
    operations: int = 0
    lanes: int = 0
    gathers: tuple[Access, ...] = ()


class Peaks(NamedTuple):
    """What a machine can do, with all workers: bytes of memory a second, and operations a second on
    floats of 32 and of 64 bits."""

    bytes: float
    floats: float
    doubles: float


@dataclass
class KernelRate:
    """A kernel, over its launches that are timed; rates are by the second."""

    name: str
    strategy: str
    #: Launches, and how many of them are timed: those that count are not, unless all do.
    calls: int = 0
    timed: int = 0
    seconds: float = 0.0
    floats: float = 0.0
    doubles: float = 0.0
    bytes: float = 0.0
    shared: float = 0.0
    operations: float = 0.0
    lanes: float = 0.0
    busy: float = 0.0
    is_counting_timed: bool = False
    gathers: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])

    @property
    def bandwidth(self) -> float:
        """Bytes of global memory that threads ask for."""
        return self.bytes / self.seconds if self.seconds else 0.0

    @property
    def speed(self) -> float:
        """Operations on floats."""
        return (self.floats + self.doubles) / self.seconds if self.seconds else 0.0

    @property
    def intensity(self) -> float:
        """Operations on floats for each byte of global memory."""
        computed = self.floats + self.doubles
        return computed / self.bytes if self.bytes else math.inf if computed else 0.0

    @property
    def lane_share(self) -> float:
        """The share of the lanes of vectors that worked; 1 where threads run by themselves."""
        return self.operations / self.lanes if self.lanes else 1.0

    @property
    def waiting(self) -> float:
        """The share of the cores' time that was not used."""
        return 1.0 - self.busy / self.seconds if self.seconds else 0.0

    def computing_peak(self, peaks: Peaks) -> float:
        """Operations a second at which it would be done if it did nothing but compute."""
        least = self.floats / peaks.floats + self.doubles / peaks.doubles
        return (self.floats + self.doubles) / least if least else peaks.floats

    def roof(self, peaks: Peaks) -> float:
        """The share of what the machine could do: computing or memory, whichever takes longer."""
        if not self.seconds:
            return 0.0
        computing = self.floats / peaks.floats + self.doubles / peaks.doubles
        return max(computing, self.bytes / peaks.bytes) / self.seconds


def kernel_rates(events: Iterable[TraceEvent]) -> list[KernelRate]:
    """Of events of a trace: kernels of which something is counted, what took longest first."""
    launches: dict[tuple[str, str, str], list[TraceEvent]] = {}
    modules: dict[str, set[str]] = {}
    for event in events:
        details = event["args"]
        if event["cat"] == "kernel" and "busy" in details:
            module = details.get("module") or ""
            modules.setdefault(event["name"], set()).add(module)
            sizes = f"{details['grid']} {details['block']}"
            key = event["name"], module, sizes
            launches.setdefault(key, []).append(event)
    found: dict[tuple[str, str], KernelRate] = {}
    for key, some in launches.items():
        work = next((e["args"]["work"] for e in some if "work" in e["args"]), None)
        if work is None:
            continue
        name, module, _ = key
        shown = f"{module}::{name}" if len(modules[name]) > 1 else name
        rate = found.setdefault(
            (name, module), KernelRate(shown, some[0]["args"]["strategy"] or "")
        )
        _add(rate, some, Work(**work))
    return sorted(found.values(), key=lambda rate: -rate.seconds)


def _add(rate: KernelRate, launches: Sequence[TraceEvent], work: Work) -> None:
    """Launches with the same sizes, of which one has counted."""
    timed = [e for e in launches if "work" not in e["args"]]
    rate.is_counting_timed |= not timed
    timed = timed or list(launches)
    seconds = [e["dur"] / 1e6 for e in timed]
    count = len(timed)
    rate.calls += len(launches)
    rate.timed += count
    rate.seconds += sum(seconds)
    rate.busy += sum(s * e["args"]["busy"] for s, e in zip(seconds, timed, strict=True))
    rate.floats += count * work.floats
    rate.doubles += count * work.doubles
    rate.bytes += count * (work.loaded + work.stored)
    rate.shared += count * work.shared
    rate.operations += count * work.operations
    rate.lanes += count * work.lanes
    for kind, location, threads in work.gathers:
        key = kind, location
        rate.gathers[key] = rate.gathers.get(key, 0.0) + count * threads


def rates_table(rates: Sequence[KernelRate], peaks: Peaks) -> str:
    """The table that a profile prints."""
    lines = [
        f"{'':30} {'strategy':12} {'GB/s':>8} {'GFLOP/s':>8} {'of roof':>8} {'lanes':>6} "
        f"{'waiting':>8}"
    ]
    for rate in rates:
        mark = "~" if rate.is_counting_timed else ""
        lines.append(
            f"{rate.name[:30]:30} {rate.strategy:12} {mark + _number(rate.bandwidth / 1e9):>8} "
            f"{mark + _number(rate.speed / 1e9):>8} {_percent(rate.roof(peaks)):>8} "
            f"{_percent(rate.lane_share):>6} {_percent(rate.waiting):>8}"
        )
        lines += [
            f"    {kind} at {location or 'an unknown place'}: "
            f"{threads / rate.timed:,.0f} accesses a launch"
            for (kind, location), threads in sorted(rate.gathers.items(), key=lambda g: -g[1])
        ]
    lines.append(
        f"{'this machine':30} {'':12} {_number(peaks.bytes / 1e9):>8} "
        f"{_number(peaks.floats / 1e9):>8} (f64: {_number(peaks.doubles / 1e9)})"
    )
    if any(rate.is_counting_timed for rate in rates):
        lines.append("~ with the time that counting takes: the kernel ran once with these sizes")
    return "\n".join(line.rstrip() for line in lines)


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
