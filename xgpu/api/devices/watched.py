# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated GPU under the sanitizer, as arrays, streams and launches see it.

Kernels get the arrays of other libraries where they lie, so each is known to the sanitizer from the
launch that uses it until that launch has been waited for: within its bounds it may be used, and
whoever else uses it meanwhile without an order is seen. What Python itself does with elements is
not seen; they count as written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xgpu.api import elements
from xgpu.api.devices.host import HostBackend
from xgpu.api.devices.interface import Backend, Dims, Launcher, Packed
from xgpu.runtime.sanitizer import watch

if TYPE_CHECKING:
    from xgpu.api.memory import View
    from xgpu.runtime.host_device.device import HostDevice
    from xgpu.runtime.host_device.operations import Operation
    from xgpu.runtime.session import Session

_PROGRAM = -1  # stands for the streams of a program's function


class WatchedHost(HostBackend):
    """The host device of a watch."""

    def __init__(self, watched: watch.Watch, plain: Backend) -> None:
        self._watch = watched
        self._plain = plain
        self._sanitizer = watched.sanitizer
        #: Memory of others, by begin and end: the streams that use it, until they are waited for.
        self._lent: dict[tuple[int, int], set[int]] = {}
        self.sources = watched.sources
        super().__init__()
        self.of_watch = watched_host
        self._sanitizer.destroyed(self._default)  # it is no program's leak

    def current(self) -> Backend:
        """This device, while its watch is open."""
        return self if self._is_watched() else self._plain.current()

    def _is_watched(self) -> bool:
        return watch.current() is self._watch and self._watch.backend is self

    def program_device(self, session: Session) -> HostDevice:
        return self._watch.device(session)

    # -- memory

    def allocate(self, size: int) -> int:
        address = super().allocate(size)
        if address:
            self._sanitizer.allocated(address, size, "owned", None)
        return address

    def free_later(self, address: int) -> None:
        if not address:
            return

        def free() -> None:
            if self._is_watched():
                self._sanitizer.released(address, None)
            self.device.memory.free(address)

        self.later(free)

    def exposed(self, address: int, size: int) -> None:
        """Others write it from here on: whatever it holds is meant."""
        known = self._sanitizer.allocation_at(address)
        if known is None or known.ended or known.kind != "owned":
            return
        self._sanitizer.released(known.address, None)
        self._sanitizer.allocated(known.address, known.size, "exposed", None)

    def lend(self, views: Iterable[View | None], stream: int = _PROGRAM) -> None:
        for view in views:
            if view is not None and view.address and view.nbytes:
                self._lend(*_extent(view), stream)

    def _lend(self, begin: int, end: int, stream: int) -> None:
        known = self._sanitizer.allocation_at(begin)
        if known is not None and not known.ended:
            if known.kind != "array":
                return  # it is the device's own
            if end <= known.address + known.size:
                self._lent[known.address, known.address + known.size].add(stream)
                return
        # Arrays that lie over one another are one piece of memory.
        streams = {stream}
        for other in [r for r in self._lent if r[0] < end and begin < r[1]]:
            streams |= self._lent.pop(other)
            self._sanitizer.unregistered(other[0], None)
            begin, end = min(begin, other[0]), max(end, other[1])
        self._lent[begin, end] = streams
        self._sanitizer.allocated(begin, end - begin, "array", None)

    def _given_back(self, stream: int) -> None:
        for (begin, end), streams in list(self._lent.items()):
            streams.discard(stream)
            if not streams:
                del self._lent[begin, end]
                self._sanitizer.unregistered(begin, None)

    # -- launches

    def launcher(
        self, function: int, grid: Dims, block: Dims, cluster: Dims | None, shared: int, stream: int
    ) -> Launcher:
        plain = super().launcher(function, grid, block, cluster, shared, stream)

        def launch(packed: Packed, kept: object, waits: bool) -> None:
            self.lend(packed.views, stream)
            plain(packed, kept, waits)

        return launch

    # -- order

    def stream_create(self) -> int:
        stream = super().stream_create()
        self._sanitizer.destroyed(stream)  # it goes with the object that has it
        return stream

    def _wait(
        self, operations: tuple[Operation, ...], what: str, stream: int | None = None
    ) -> None:
        super()._wait(operations, what, stream)
        self._sanitizer.host_waits(operations)

    def stream_synchronize(self, stream: int) -> None:
        try:
            super().stream_synchronize(stream)
        finally:
            self._given_back(stream)

    def stream_done(self, stream: int) -> bool:
        done = super().stream_done(stream)
        if done:
            self._sanitizer.host_waits(self._stream(stream).frontier)
        return done

    def synchronize(self) -> None:
        try:
            super().synchronize()
        finally:
            for stream in list(self._streams):
                self._sanitizer.host_waits(self._streams[stream].frontier)
                self._given_back(stream)
            self._given_back(0)

    def wait_for_program(self, device: HostDevice) -> None:
        try:
            super().wait_for_program(device)
        finally:
            self._given_back(_PROGRAM)


def _extent(view: View) -> tuple[int, int]:
    """The first and the last address, one past, of an array's elements."""
    size = elements.itemsize(view.dtype)
    low = high = 0
    for count, stride in zip(view.shape, view.strides, strict=True):
        step = (count - 1) * stride
        low, high = low + min(step, 0), high + max(step, 0)
    return view.address + low * size, view.address + (high + 1) * size


def watched_host(watched: watch.Watch, plain: HostBackend) -> Backend:
    """The host device of a watch, in place of the plain one."""
    if not isinstance(watched.backend, WatchedHost):
        watched.backend = WatchedHost(watched, plain)
    return watched.backend
