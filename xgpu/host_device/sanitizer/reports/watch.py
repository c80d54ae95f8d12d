# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A watch: while it is open, what runs on the host device is under the sanitizer.

One of them looks at what runs, the innermost, as the sanitizer's native state is one. All devices
that it makes share a sanitizer: programs of `xgpu.run` and kernels that Python launches see each
other. The environment variable XGPU_SANITIZE opens one for as long as the process lives; what it
finds is printed at the end.
"""

from __future__ import annotations

import atexit
import contextlib
import os
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.core.support.forks import new_rlock
from xgpu.core.support.process import register_exit_code, set_exit_code
from xgpu.host_device.abi.structs import (
    ORDER_ARGUMENT,
    ORDER_FIRST,
    ORDER_LAST,
    ORDER_LATE,
    ORDER_NATURAL,
    ORDER_RANDOM,
    ORDER_REVERSED,
    ORDER_TURNS,
)
from xgpu.host_device.sanitizer.reports.coverage import Coverage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from xgpu.host_device.device.device import HostDevice
    from xgpu.host_device.sanitizer.reports.findings import Finding
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer
    from xgpu.runtime.session import Session


VARIABLE = "XGPU_SANITIZE"

#: Kinds of findings, and `volatile`: races of accesses that only `volatile` orders, which has no
#: meaning between threads in C++, though PTX has one for it.
KINDS = ("memory", "race", "sync", "init", "leak", "volatile")

DEFAULT = ("memory", "race", "sync", "init")

KERNEL_BITS = 20  # of a seed that are a kernel's order; those above are the host's
_MOST_RANDOM = 1 << (KERNEL_BITS - ORDER_ARGUMENT)
FindingKey = tuple[str, frozenset[str]]  # the kind of a finding, and its locations


def finding_key(finding: Finding) -> FindingKey:
    """What findings of the same mistake have in common."""
    return finding.kind, frozenset(side.location for side in finding.sides)


def kernel_orders(warps: int, groups: int) -> Iterator[int]:
    """Orders of kernels whose largest block has so many warps, and grid so many clusters; the ones
    that show most come first: a slow first warp, late copies, everything reversed."""
    if warps == 0:
        return
    several = warps > 1
    if several:
        yield ORDER_LAST
    if groups > 1:
        yield ORDER_NATURAL | ORDER_TURNS
    yield ORDER_NATURAL | ORDER_LATE
    yield ORDER_REVERSED
    if several:
        yield ORDER_LAST | ORDER_LATE
        yield ORDER_FIRST | ORDER_LATE
    yield ORDER_REVERSED | ORDER_LATE
    for warp in range(1, warps):
        yield ORDER_LAST | warp << ORDER_ARGUMENT
        yield ORDER_FIRST | warp << ORDER_ARGUMENT
    for number in range(_MOST_RANDOM):
        turns = ORDER_TURNS if groups > 1 and number % 4 > 1 else 0
        late = ORDER_LATE if number % 2 else 0
        yield ORDER_RANDOM | number << ORDER_ARGUMENT | late | turns


def launch_orders(warps: int, groups: int, count: int, seed: int) -> list[int]:
    """At most so many orders of one launch, the one that is `seed` first if that is not 0. The
    reversed one is the next: with the natural one, each of two threads that do not wait for one
    another comes first."""
    found = dict.fromkeys([seed] * (seed != 0))
    found |= dict.fromkeys((ORDER_REVERSED, *islice(kernel_orders(warps, groups), count + 1)))
    return list(found)[:count]


# -- watches


class Synchronized(Protocol):
    """A device that one can wait for."""

    def synchronize(self) -> None: ...


class Watch:
    """What is looked for, on which devices, and what was found."""

    def __init__(self, kinds: Sequence[str], schedules: int = 0, seed: int = 0) -> None:
        self.kinds = tuple(kinds)
        #: In how many other orders each launch runs again, and the first of them.
        self.schedules, self.seed = schedules, seed
        #: The orders that have run, and the findings that one of them has shown first.
        self.runs = 0
        self._seeds: dict[FindingKey, int] = {}
        #: Of the first order whose launch has failed and not the natural one: which, and why.
        self.failed: tuple[int, str] | None = None
        self._sanitizer: Sanitizer | None = None
        self._found: list[Finding] = []
        self._left_out = 0
        self._coverage = Coverage(tuple(kinds), (), ())
        #: The texts of what runs, by the names of their files.
        self.sources: dict[str, str] = {}
        #: What Python's arrays and launches have for a device, once they have asked.
        self.backend: Synchronized | None = None
        #: Held by who makes the sanitizer or the device: the first to ask, of several threads.
        self.lock = new_rlock()

    @property
    def sanitizer(self) -> Sanitizer:
        with self.lock:
            if self._sanitizer is None:
                from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

                self._sanitizer = Sanitizer(self.kinds, orders=self.schedules > 0)
                self._sanitizer.sources = self.sources
            return self._sanitizer

    def device(self, session: Session) -> HostDevice:
        """A host device under this watch's sanitizer."""
        from xgpu.host_device.device.device import HostDevice

        return HostDevice(session, sanitizer=self.sanitizer)

    def settle(self) -> None:
        """Wait for what runs. Raises `DeviceError` for what has gone wrong in it."""
        if self.backend is not None:
            self.backend.synchronize()

    def found(self) -> list[Finding]:
        """What was found so far."""
        now = [] if self._sanitizer is None else self._sanitizer.findings()
        for finding in now:
            finding.seed = self._seeds.get(finding_key(finding), 0)
        return [*self._found, *now]

    def has_run(self, order: int) -> None:
        """A launch has run in an order, 0 for the natural one: what is new was shown by that."""
        self.runs += order != 0
        for finding in self.sanitizer.findings():
            self._seeds.setdefault(finding_key(finding), order)

    @property
    def left_out(self) -> int:
        """How often there was no room for another report."""
        now = 0 if self._sanitizer is None else self._sanitizer.left_out
        return self._left_out + now

    @property
    def coverage(self) -> Coverage:
        """What was watched."""
        if self._sanitizer is None:
            return self._coverage
        return self._coverage.with_more(self._sanitizer.coverage())

    def interrupt(self) -> None:
        """Another run needs the sanitizer: what follows begins anew, with another device."""
        self.settle()
        self._put_away()

    def _put_away(self) -> None:
        self._found, self._left_out, self._coverage = self.found(), self.left_out, self.coverage
        self._sanitizer = None
        self.backend = None

    def finish(self) -> None:
        """Nothing more comes: what was found stays when another watch needs the sanitizer."""
        with contextlib.suppress(DeviceError):  # what fails has been raised, or is found
            self.settle()
        self._put_away()


_open: list[Watch] = []

# That of the environment variable, in a list once it has been read.
_of_process: list[Watch | None] = []


def current() -> Watch | None:
    """The watch that is open; the innermost of several. Raises `UsageError` for kinds in the
    environment that there are not."""
    if _open:
        return _open[-1]
    return of_process()


def wanted_kinds() -> tuple[str, ...] | None:
    """What the environment wants to be looked for; None if nothing. Raises `UsageError`."""
    value = os.environ.get(VARIABLE, "").strip()
    if value in ("", "0"):
        return None
    if value in ("1", "all"):
        return DEFAULT
    kinds = dict.fromkeys(kind.strip() for kind in value.split(",") if kind.strip())
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(
                f"{VARIABLE} has '{kind}', expected 1, all, or some of {', '.join(KINDS)}"
            )
    return tuple(kinds) or DEFAULT


def of_process() -> Watch | None:
    """The watch that lasts as long as the process."""
    return _of_process[0] if _of_process else _begin_process()


def watch_process(kinds: Sequence[str]) -> None:
    """Watch the process from here on, as the environment variable does; nothing is printed at its
    end."""
    _of_process[:] = [Watch(kinds)]


def _begin_process() -> Watch | None:
    kinds = wanted_kinds()
    watch = None if kinds is None else Watch(kinds)
    _of_process.append(watch)
    if watch is not None:
        register_exit_code()  # has been called, unless the variable was set after the import
        atexit.register(_report, watch, os.getpid())
    return watch


def _report(watch: Watch, process: int) -> None:
    """Print what was found, and let the process end with code 1 if that is anything."""
    if os.getpid() != process:
        return
    import sys

    with contextlib.suppress(DeviceError):  # what failed has been raised, or is found
        watch.settle()
    found = watch.found()
    if not found:
        return
    print("\n\n".join(f.text(watch.sources) for f in found), file=sys.stderr, flush=True)
    set_exit_code(1)


def is_watched() -> bool:
    """Whether a watch is open, of this process or of the environment."""
    return bool(_open) or (bool(_of_process) and _of_process[0] is not None)


def begin(watch: Watch) -> None:
    """Open a watch; the one around it rests meanwhile."""
    around = _around()
    if around is not None:
        around.interrupt()
    _open.append(watch)


def end(watch: Watch) -> None:
    """Close a watch; the one around it goes on."""
    _open.remove(watch)
    if _around() is not None:
        watch.finish()


def _around() -> Watch | None:
    """The innermost watch that is open or of the environment, as far as that has been read."""
    if _open:
        return _open[-1]
    return _of_process[0] if _of_process else None
