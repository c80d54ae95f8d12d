# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated GPU under the sanitizer, as arrays, streams and launches see it.

Kernels get the arrays of other libraries where they lie, so each is known to the sanitizer from the
launch that uses it until that launch has been waited for: within its bounds it may be used, and
any other use of it meanwhile without an order is found. What Python itself does with elements is
not seen; they count as written.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable
from itertools import chain

from xgpu.api.copies import Rows, rows_of
from xgpu.api.devices.host import HostBackend
from xgpu.api.devices.interface import Backend, Dims, Launcher, Packed
from xgpu.api.memory import View, memory_owner, span_of
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.device.launch import Launch
from xgpu.host_device.device.modules import HostModule
from xgpu.host_device.device.operations import Operation, Stream
from xgpu.host_device.sanitizer.reports import watch
from xgpu.host_device.sanitizer.reports.watch import launch_orders
from xgpu.runtime.session import Session

_PROGRAM = -1  # stands for the streams of a program's function


class WatchedHost(HostBackend):
    """The host device of a watch."""

    tells_fresh = False  # it reports to the sanitizer what it allocates

    def __init__(self, watched: watch.Watch, plain: Backend) -> None:
        self._watch = watched
        self._plain = plain
        self._sanitizer = watched.sanitizer
        #: Memory of others, by begin and end: the streams that use it, until they are waited for.
        self._lent: dict[tuple[int, int], set[int]] = {}
        #: Those of NumPy's arrays that have them, and those which are gone meanwhile: other arrays
        #: may have got their memory.
        self._owners: dict[tuple[int, int], weakref.ref[object]] = {}
        self._gone: list[tuple[int, int]] = []
        #: For memory of the device, by address, the last operations of each stream that was given
        #: it. Python releases it when these are over.
        self._users: dict[int, dict[Stream, list[int]]] = {}
        super().__init__()
        self.of_watch = watched_host
        self._sanitizer.destroyed(self._default)  # it is no program's leak

    def current(self) -> Backend:
        """This device, while its watch is open."""
        return self if self._is_watched() else self._plain.current()

    def _is_watched(self) -> bool:
        return watch.current() is self._watch and self._watch.backend is self

    def program_device(self, session: Session, bounds: bool | None = None) -> HostDevice:
        return self._watch.device(session)

    def name_source(self, filename: str, text: str) -> None:
        """Texts without a name get one each, or reports would take one for another."""
        sources = self._watch.sources
        name, number = filename, 1
        while sources.get(name, text) != text:
            number += 1
            name = f"<text {number}>"
        sources[name] = text
        self._sanitizer.sites.renamed[filename] = name

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
            users = self._users.pop(address, {})
            if self._is_watched():
                self._sanitizer.released(address, None, chain.from_iterable(users.values()))
            self.device.memory.free(address)

        self.later(free)

    def exposed(self, address: int, size: int) -> None:
        """Others write it from here on: whatever it holds is meant."""
        known = self._sanitizer.allocation_at(address)
        if known is None or known.ended or known.kind != "owned":
            return
        users = chain.from_iterable(self._users.get(known.address, {}).values())
        self._sanitizer.released(known.address, None, users)
        self._sanitizer.allocated(known.address, known.size, "exposed", None)

    def lend(self, views: Iterable[View | None]) -> None:
        self._given(views, _PROGRAM)

    def _given(self, views: Iterable[View | None], stream: int) -> list[int]:
        """A stream uses arrays from here on. Where those lie that are the device's."""
        if self._gone:
            self._forget_gone()
        lent: dict[tuple[int, int], set[int]] = self._lent
        others: list[tuple[int, int, object]] = []
        for view in views:
            if view is None or not view.address:
                continue
            begin, end = extent = _extent(view)
            if begin < end:
                if view.is_used():
                    self._fresh(begin, end)
                if extent in lent:
                    lent[extent].add(stream)
                elif self._sanitizer.lend_array_again(begin, end - begin):
                    self._note_lent(extent, {stream}, view.owner)
                else:
                    others.append((begin, end, view.owner))
        self._sanitizer.end_unused()
        return [other[0] for other in others if not self._lend(*other, stream)]

    def _note_lent(self, extent: tuple[int, int], streams: set[int], owner: object) -> None:
        self._lent[extent] = streams
        memory = memory_owner(owner)
        if memory is not None:
            gone = self._gone
            self._owners[extent] = weakref.ref(memory, lambda _: gone.append(extent))

    def _no_more_lent(self, extent: tuple[int, int]) -> set[int]:
        self._owners.pop(extent, None)
        return self._lent.pop(extent)

    def _forget_gone(self) -> None:
        """A launch keeps its arrays until it is over. What has the memory of one that is gone comes
        behind all its launches."""
        while self._gone:
            extent = self._gone.pop()
            if extent in self._owners:
                self._no_more_lent(extent)
                self._sanitizer.array_forgotten(extent[0])

    def _fresh(self, begin: int, end: int) -> None:
        """An array of `xgpu.empty` from before the watch, which nothing has used: it is known from
        here on as one that was made in it."""
        self._sanitizer.end_unused()
        known = self._sanitizer.allocation_at(begin)
        if known is None or known.ended:
            self._sanitizer.allocated(begin, end - begin, "owned", None)

    def writes(self, view: View) -> None:
        if view.is_used():
            self._fresh(*_extent(view))

    def reads(self, view: View) -> None:
        """Python reads all elements."""
        if view.is_used():
            self._fresh(*_extent(view))
        size = view.item
        parts = [
            (rows.source[0] + i * rows.source[1], rows.width)
            for rows in rows_of(view, view, size)
            for i in range(rows.count)
        ]
        self._sanitizer.read_by_python(parts, view.nbytes)

    def _lend(self, begin: int, end: int, owner: object, stream: int) -> bool:
        """The same for one array; whether it is not the device's."""
        known = self._sanitizer.allocation_at(begin)
        if known is not None and not known.ended:
            if known.kind != "array":
                return False
            if end <= known.address + known.size:
                self._lent[known.address, known.address + known.size].add(stream)
                return True
        # Arrays that lie over one another are one piece of memory.
        streams = {stream}
        others = [r for r in self._lent if r[0] < end and begin < r[1]]
        for other in others:
            streams |= self._no_more_lent(other)
            begin, end = min(begin, other[0]), max(end, other[1])
        self._note_lent((begin, end), streams, owner)
        self._sanitizer.allocated_over(begin, end - begin, [other[0] for other in others])
        return True

    def _note_users(self, addresses: Iterable[int], stream: int) -> None:
        """Memory of the device at some addresses lives until what a stream was given is over."""
        where = self._stream(stream)
        for address in addresses:
            found = self._sanitizer.allocation_at(address)
            if found is not None and not found.ended and found.kind in ("owned", "exposed"):
                users = self._users.setdefault(found.address, {})
                users[where] = [operation.number for operation in where.frontier]

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        super().copy(target, source, size, stream)
        self._note_users((target, source), stream)

    def copy_rows(self, rows: Rows, stream: int) -> None:
        super().copy_rows(rows, stream)
        self._note_users((rows.target[0], rows.source[0]), stream)

    def fill(self, target: int, value: int, count: int, width: int, stream: int) -> None:
        super().fill(target, value, count, width, stream)
        self._note_users((target,), stream)

    def _given_back(self, stream: int) -> None:
        for (begin, end), streams in list(self._lent.items()):
            streams.discard(stream)
            if not streams:
                self._no_more_lent((begin, end))
                self._sanitizer.array_given_back(begin)

    # -- launches

    def launcher(
        self, function: int, grid: Dims, block: Dims, cluster: Dims | None, shared: int, stream: int
    ) -> Launcher:
        plain = super().launcher(function, grid, block, cluster, shared, stream)

        def launch(packed: Packed, kept: object, waits: bool) -> bool:
            own = self._given(packed.views, stream)
            done = plain(packed, kept, waits)
            if own and not waits:
                self._note_users(own, stream)
            return done

        return launch

    def _submit(
        self, stream: Stream, launch: Launch, end: Callable[[], None], quick: bool
    ) -> Operation | None:
        module = launch.kernel.module
        name = launch.kernel.info.name
        if not self._watch.schedules or not module.watched(name).depends_on_order:
            return super()._submit(stream, launch, end, quick)
        self._wait_for_all()
        before, unused = self._contents(module), launch.again()
        if not self._run_again(stream, launch, 0):
            return None  # it has failed, and so has the stream
        after = self._contents(module)
        record = launch.record
        warps = -(-record.block_x * record.block_y * record.block_z // 32)
        watched = self._watch
        try:
            for order in launch_orders(warps, record.groups, watched.schedules, watched.seed):
                _restore(before)
                again = unused.again()
                again.is_repeated = True
                self._run_again(stream, again, order)
        finally:
            self._sanitizer.order = 0
            _restore(after)
        end()
        return None

    def _run_again(self, stream: Stream, launch: Launch, order: int) -> bool:
        """Run a launch in an order, 0 for the natural one, and wait for it. Whether it has not
        failed; in another order than the natural one that is no error of the stream."""
        problems: list[DeviceError] = []

        def run() -> None:
            try:
                self.device.run_launch(launch)
            except DeviceError as problem:
                problems.append(problem)
                if order == 0:
                    raise

        self._sanitizer.order = order
        self._enqueue(stream, launch.name, run, what=launch, quick=True).wait()
        self._watch.has_run(order)
        if problems and order and self._watch.failed is None:
            self._watch.failed = order, str(problems[0])
        return not problems

    def _wait_for_all(self) -> None:
        """Let nothing run. The program does not know of that: it orders nothing."""
        for stream in list(self._streams.values()):
            for operation in stream.frontier:
                operation.wait()

    def _contents(self, module: HostModule) -> list[tuple[int, bytes]]:
        """What the memory holds that the kernels of a module may use, by address."""
        places = [
            (a.address, a.size) for a in self._sanitizer.allocations.values()
            if not a.ended and a.kind != "constant"
        ]  # fmt: skip
        places += [(module.variable(name), size) for name, size in module.variables.items()]
        return [(address, ctypes.string_at(address, size)) for address, size in places if size]

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


def watched_host(watched: watch.Watch, plain: HostBackend) -> Backend:
    """The host device of a watch, in place of the plain one."""
    if not isinstance(watched.backend, WatchedHost):
        with watched.lock:
            if not isinstance(watched.backend, WatchedHost):
                watched.backend = WatchedHost(watched, plain)
    return watched.backend


def _restore(contents: list[tuple[int, bytes]]) -> None:
    """Let memory hold what it held. What a kernel cannot write may not be written here, either."""
    for address, held in contents:
        if ctypes.string_at(address, len(held)) != held:
            ctypes.memmove(address, held, len(held))


def _extent(view: View) -> tuple[int, int]:
    """Where the elements of a view lie: the lowest byte, and behind the highest."""
    low, high = span_of(view.shape, view.strides, view.item)
    return view.address + low, view.address + high
