# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A watch: while it is open, what runs on the host device is under the sanitizer.

It is one for the process, as the sanitizer's native state is, and all devices that it makes share
one sanitizer: programs of `xgpu.run` and kernels that Python launches see each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from xgpu.support.forks import new_rlock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.runtime.host_device.device import HostDevice
    from xgpu.runtime.sanitizer.findings import Finding
    from xgpu.runtime.sanitizer.monitor import Sanitizer
    from xgpu.runtime.session import Session


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
                from xgpu.runtime.sanitizer.monitor import Sanitizer

                self._sanitizer = Sanitizer(self.kinds)
                self._sanitizer.sources = self.sources
            return self._sanitizer

    def device(self, session: Session) -> HostDevice:
        """A host device under this watch's sanitizer."""
        from xgpu.runtime.host_device.device import HostDevice

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

    def interrupt(self) -> None:
        """Another run needs the sanitizer: what follows begins anew, with another device."""
        self.settle()
        self._found = self.found()
        self._sanitizer = None
        self.backend = None


_open: list[Watch] = []


def current() -> Watch | None:
    """The watch that is open; the innermost of several."""
    return _open[-1] if _open else None


def is_watched() -> bool:
    """Whether a watch is open."""
    return bool(_open)


def begin(watch: Watch) -> None:
    _open.append(watch)


def end(watch: Watch) -> None:
    _open.remove(watch)
