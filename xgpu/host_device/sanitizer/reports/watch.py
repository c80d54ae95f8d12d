# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A watch: while it is open, what runs on the host device is under the sanitizer.

A process has one, as the sanitizer's native state is one, and all devices that it makes share a
sanitizer: programs of `xgpu.run` and kernels that Python launches see each other. The environment
variable XGPU_SANITIZE opens one for as long as the process lives; what it finds is printed at the
end.
"""

from __future__ import annotations

import atexit
import os
from typing import TYPE_CHECKING, Protocol

from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.core.support.forks import new_rlock
from xgpu.core.support.process import register_exit_code, set_exit_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.host_device.device.device import HostDevice
    from xgpu.host_device.sanitizer.reports.findings import Finding
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer
    from xgpu.runtime.session import Session


VARIABLE = "XGPU_SANITIZE"

#: Kinds of findings, and `volatile`: races of accesses that only `volatile` orders, which has no
#: meaning between threads in C++, though PTX has one for it.
KINDS = ("memory", "race", "sync", "init", "leak", "volatile")

DEFAULT = ("memory", "race", "sync", "init")


class Synchronized(Protocol):
    """A device that one can wait for."""

    def synchronize(self) -> None: ...


class Watch:
    """What is looked for, on which devices, and what was found."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        self._sanitizer: Sanitizer | None = None
        self._found: list[Finding] = []
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

                self._sanitizer = Sanitizer(self.kinds)
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
        return [*self._found, *now]

    @property
    def left_out(self) -> int:
        """How often there was no room for another report."""
        return 0 if self._sanitizer is None else self._sanitizer.left_out

    @property
    def launches(self) -> tuple[str, ...]:
        """How launches were watched, a line for each kernel and way."""
        return () if self._sanitizer is None else tuple(self._sanitizer.watched_launches())

    def interrupt(self) -> None:
        """Another run needs the sanitizer: what follows begins anew, with another device."""
        self.settle()
        self._found = self.found()
        self._sanitizer = None
        self.backend = None


_open: list[Watch] = []

# That of the environment variable, in a list once it has been read.
_of_process: list[Watch | None] = []


def current() -> Watch | None:
    """The watch that is open; the innermost of several. Raises `UsageError` for kinds in the
    environment that there are not."""
    if _open:
        return _open[-1]
    return of_process()


def is_open() -> bool:
    """Whether a watch of this process is open."""
    return bool(_open)


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
    import contextlib
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
    """Open a watch; that of the environment rests meanwhile."""
    around = _of_process[0] if _of_process else None
    if around is not None:
        around.interrupt()
    _open.append(watch)


def end(watch: Watch) -> None:
    _open.remove(watch)
