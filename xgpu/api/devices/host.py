# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated GPU, as arrays, streams and launches see it."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from threading import current_thread, local, main_thread
from typing import Any, cast

from xgpu.api import profiling
from xgpu.api.copies import Rows
from xgpu.api.devices.interface import Backend, Dims, Launcher, Packed
from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import begins_anew
from xgpu.host_device.device.arrays import ArrayFacts, bounds_wanted
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.device.launch import Launch
from xgpu.host_device.device.memory import transfer
from xgpu.host_device.device.modules import Kernel, Prototype
from xgpu.host_device.device.operations import Operation, Stream, Transfer
from xgpu.host_device.device.prototypes import LIMITS, prototype_of
from xgpu.host_device.native.signals import hold_faults
from xgpu.host_device.sanitizer.reports import watch
from xgpu.runtime.session import PendingError, Session

_QUICK_THREADS = 65536
_QUICK_BYTES = 65536  # a copy of so many bytes takes less time than another thread to begin


class HostEvent:
    """What it recorded, and when that was done, in nanoseconds."""

    __slots__ = ("operation", "session", "time")

    def __init__(self) -> None:
        self.operation: Operation | None = None
        self.session: Session | None = None
        self.time = 0


#: Seconds that work in streams may go on at the end of the process before its errors are lost.
_LAST_MOMENT = 0.5


def report_unseen(stream: Stream) -> None:
    """Prints what went wrong in a stream if nothing has waited for it: it would be lost."""
    problem = None if stream.session is None else stream.session.take_error(None)
    if problem is not None:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # no standard error
            print(
                f"xgpu: error in stream {stream.number}, for which nothing has waited: {problem}",
                file=sys.stderr, flush=True,
            )  # fmt: skip


class HostBackend(Backend):
    """A GPU made of the cores of this machine."""

    name = "host"
    dlpack = (1, 0)
    kernel_format = "host"
    host_access = True
    tells_fresh = True
    has_bounds = True
    #: What stands for it while a watch is open.
    of_watch: Callable[[watch.Watch, HostBackend], Backend]

    def __init__(self) -> None:
        super().__init__()
        hold_faults()
        self.device = self.program_device(Session(), False)
        profiling.register(self.device.session, self.device)
        self._lock = self.device.queueing
        self._streams: dict[int, Stream] = {}
        self._of_thread = local()
        begins_anew(self)
        self._default = self._open()

    def current(self) -> Backend:
        """This device, or while a watch of the sanitizer is open, the one that is watched."""
        watched = watch.current()
        if watched is None:
            return self
        return self.of_watch(watched, self)

    @property
    def chip(self) -> str | None:
        return None

    def begin_anew(self) -> None:
        """What went wrong in streams of the parent process is the parent's."""
        self._of_thread = local()
        for stream in self._streams.values():
            if stream.session is not None:
                stream.session.take_error(None)

    def _open(self) -> int:
        handle = self.device.mgpuStreamCreate()
        stream: Stream = self.device.stream(handle)
        stream.session = Session()
        profiling.register(stream.session, self.device)
        self._streams[handle] = stream
        return handle

    def _stream(self, handle: int) -> Stream:
        found = self._streams.get(handle or self._default)
        if found is None:
            raise DeviceError(f"0x{handle:x} is not a live stream of the host device")
        return found

    def _enqueue(
        self, stream: Stream, name: str, action: Callable[[], None], **options: Any
    ) -> Operation:
        pending = self._pending_error(stream)
        return self.device.enqueue(stream, name, action, pending=pending, **options)

    def _pending_errors(self) -> dict[Session, PendingError]:
        """The calling thread's errors in streams that it has used since it last waited."""
        try:
            return self._of_thread.errors
        except AttributeError:
            self._of_thread.errors = found = dict[Session, PendingError]()
            return found

    def _pending_error(self, stream: Stream) -> PendingError | None:
        session = stream.session
        if session is None:
            return None
        errors = self._pending_errors()
        found = errors.get(session)
        if found is None:
            found = errors[session] = PendingError()
        return found

    # -- memory

    def allocate(self, size: int) -> int:
        self.collect()
        # NumPy and functions of programs use arrays of this device as they are.
        return self.device.memory.allocate(size, is_shared=True)

    def free_later(self, address: int) -> None:
        if address:
            self.later(lambda: self.device.memory.free(address))

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        self._enqueue(
            self._stream(stream), "memcpy", lambda: transfer(target, source, size),
            what=Transfer("memcpy", target, source, size, 0), quick=size <= _QUICK_BYTES,
        )  # fmt: skip

    def copy_rows(self, rows: Rows, stream: int) -> None:
        (to, to_step, _), (origin, from_step, _) = rows.target, rows.source

        def run() -> None:
            for i in range(rows.count):
                transfer(to + i * to_step, origin + i * from_step, rows.width)

        size = (rows.count - 1) * to_step + rows.width
        parts = (rows.count, rows.width, to_step, from_step)
        self._enqueue(
            self._stream(stream), "memcpy", run,
            what=Transfer("memcpy", to, origin, size, 0, parts),
            quick=size <= _QUICK_BYTES,
        )  # fmt: skip

    def fill(self, target: int, value: int, count: int, width: int, stream: int) -> None:
        self._enqueue(
            self._stream(stream), "memset", lambda: transfer(target, 0, count, value, width),
            what=Transfer("memset", target, 0, count, width), quick=count * width <= _QUICK_BYTES,
        )  # fmt: skip

    # -- modules

    def load(self, image: bytes, bounds: bool | None = None) -> int:
        self.collect()
        return self.device.load(image, _wanted(bounds))

    def unload(self, module: int) -> None:
        self.device.mgpuModuleUnload(module)

    def function(self, module: int, name: str) -> int:
        text = ctypes.create_string_buffer(name.encode())
        return self.device.mgpuModuleGetFunction(module, ctypes.addressof(text))

    def kernel(self, function: int) -> Kernel:
        return self.device.kernel(function)

    def attributes(self, function: int) -> dict[str, int | None]:
        info = self.kernel(function).info
        return {
            "registers": None, "shared_bytes": info.static_shared, "local_bytes": None,
            "constant_bytes": None, "max_threads": LIMITS.threads,
        }  # fmt: skip

    def resident_blocks(self, function: int, threads: int, shared: int) -> int | None:
        return None

    def limits(self) -> dict[str, int]:
        return {
            "threads_per_multiprocessor": 2048, "threads_per_block": LIMITS.threads,
            "multiprocessors": self.device.cores,
        }  # fmt: skip

    def count(self) -> int:
        return 1

    def memory_info(self) -> tuple[int, int]:
        memory = self.device.memory
        return max(memory.capacity - memory.in_use, 0), memory.capacity

    def launcher(
        self, function: int, grid: Dims, block: Dims, cluster: Dims | None, shared: int, stream: int
    ) -> Launcher:
        kernel = self.kernel(function)
        cx, cy, cz = (*kernel.info.cluster, 1, 1, 1)[:3]
        configuration = (grid, block, cluster or (cx, cy, cz), shared)
        device = self.device
        gx, gy, gz = grid
        x, y, z = block
        count, has_bounds = len(kernel.info.parameter_sizes), kernel.module.has_bounds
        is_small = gx * gy * gz * x * y * z <= _QUICK_THREADS

        kind: Prototype | None = None
        streams, number = self._streams, stream or self._default

        # Each step before a repeated launch is a part of every small one.
        def launch(packed: Packed, kept: object, waits: bool) -> bool:
            nonlocal kind
            if self.current() is not self:
                raise DeviceError(
                    "this launch was made before a watch of the sanitizer was opened, or in one "
                    "that has ended; take kernel[grid, block] anew"
                )
            # Who waits anyway may do it: no other thread has to wake up. The main thread can be
            # interrupted in a long one.
            quick = waits and (is_small or current_thread() is main_thread())
            where, again = streams.get(number) or self._stream(stream), packed.repeated
            if kind is None:
                kind = prototype_of(kernel, configuration)
            if where.frontier and is_small and kind.is_quick:
                self._let_end(where)
            if again is not None and (quick or is_small):
                try:
                    pending = self._of_thread.errors[where.session]
                except (AttributeError, KeyError):
                    pending = self._pending_error(where)
                if again(pending, waits=quick):
                    if packed.is_foreign:
                        packed.let_go()
                    packed.home.append(packed)
                    return not waits or self._is_quiet(where, pending)
            words = packed.with_bounds(count) if has_bounds else packed.array
            made = Launch(kernel, configuration, 0, words, packed)
            if again is None and (quick or is_small):
                packed.repeated = device.repeated(where, made)

            def end() -> None:
                _ = kept  # until here
                packed.let_go()
                packed.done()

            before = where.frontier
            operation = self._submit(where, made, end, quick)
            if operation is not None and is_small and kind.is_independent:
                operation.launches = _kinds(before, kind)
            return False

        return launch

    def _is_quiet(self, stream: Stream, pending: PendingError | None) -> bool:
        """Whether a wait for a stream in which all is done would have nothing to say: no error, no
        text of kernels, and no timeline that records waits."""
        session, device = stream.session, self.device
        return (
            (pending is None or pending.problem is None)
            and (session is None or session.error is None)
            and not device.printed.is_pending
            and device.session.events is None
        )

    def _let_end(self, stream: Stream) -> None:
        """Wait for launches that end soon, as those before their time was known, which the stream's
        thread was handed: else that thread and the caller would take turns for each."""
        for before in stream.frontier:
            if not before.done and before.launches:
                kinds = cast("tuple[Prototype, ...]", before.launches)
                if all(kind.is_quick for kind in kinds):
                    before.wait()

    def _submit(
        self, stream: Stream, launch: Launch, end: Callable[[], None], quick: bool
    ) -> Operation | None:
        """Run a launch in a stream, and then `end`; the operation if it is one."""

        def run() -> None:
            self.device.run_launch(launch)
            end()

        return self._enqueue(stream, launch.name, run, what=launch, quick=quick)

    # -- streams and events

    def stream_create(self) -> int:
        self.collect()
        return self._open()

    def stream_destroy_later(self, stream: int) -> None:
        found = self._streams.pop(stream, None)
        if found is not None:
            if found.session is not None:
                self._pending_errors().pop(found.session, None)
                report_unseen(found)
            self.later(lambda: self.device.mgpuStreamDestroy(stream))

    def stream_synchronize(self, stream: int) -> None:
        where = self._stream(stream)
        self._wait(where.frontier, f"stream {where.number}", where.number)
        self._raise(where.session)

    def _wait(
        self, operations: tuple[Operation, ...], what: str, stream: int | None = None
    ) -> None:
        session = self.device.session
        begin = session.now()
        for operation in operations:
            operation.wait()
        self.device.flush_printed()
        if session.events is not None:
            numbers = [operation.number for operation in operations]
            session.record(f"wait for {what}", "wait", 0, begin, after=numbers, stream=stream)

    def _raise(self, session: Session | None) -> None:
        """Raise what went wrong in a stream, which is forgotten by that; each of the threads whose
        operations failed, or were skipped for it, gets it."""
        if session is None:
            return
        pending = self._pending_errors().pop(session, None)
        if session.error is None and (pending is None or pending.problem is None):
            return
        problem = session.take_error(pending)
        if problem is not None:
            raise problem.with_traceback(None)

    def report_unseen_errors(self) -> None:
        """Prints what went wrong in streams since they were last waited for, at the end of the
        process. Work that goes on is given a moment."""
        end = time.monotonic() + _LAST_MOMENT
        for stream in list(self._streams.values()):
            while not all(operation.done for operation in stream.frontier):
                if time.monotonic() > end:
                    break
                time.sleep(0.001)
            report_unseen(stream)

    def stream_done(self, stream: int) -> bool:
        return all(operation.done for operation in self._stream(stream).frontier)

    def stream_wait(self, stream: int, event: int) -> None:
        recorded = self._event(event).operation
        if recorded is not None:
            with self._lock:
                self._stream(stream).join((recorded,))

    def event_create(self) -> int:
        return self.device.keep(HostEvent())

    def _event(self, event: int) -> HostEvent:
        return self.device.kept(event, HostEvent, "event")

    def event_destroy_later(self, event: int) -> None:
        self.device.forget(event)

    def event_record(self, event: int, stream: int) -> None:
        where = self._stream(stream)
        record = self._event(event)
        fresh = HostEvent()

        def stamp() -> None:
            fresh.time = time.perf_counter_ns()
            if record.operation is fresh.operation:
                record.time = fresh.time

        with self._lock:
            operation = self.device.enqueue(where, "event", stamp, always=True, quick=True)
            fresh.operation = record.operation = operation
            record.session = where.session
            if operation.done:
                record.time = fresh.time

    def event_synchronize(self, event: int) -> None:
        record = self._event(event)
        if record.operation is not None:
            self._wait((record.operation,), "event")
        self._raise(record.session)

    def event_done(self, event: int) -> bool:
        operation = self._event(event).operation
        return operation is None or operation.done

    def event_elapsed(self, first: int, second: int) -> float:
        begin, end = self._event(first), self._event(second)
        return (end.time - begin.time) / 1e6

    def synchronize(self) -> None:
        for handle in list(self._streams):
            stream = self._streams.get(handle)
            if stream is not None and not all(o.done for o in stream.frontier):
                self._wait(stream.frontier, f"stream {stream.number}")
        self.device.flush_printed()
        for stream in list(self._streams.values()):
            self._raise(stream.session)

    def close(self) -> None:
        self._collect_all()
        self.device.close()

    # -- programs

    def program_device(self, session: Session, bounds: bool | None = None) -> HostDevice:
        return HostDevice(session, bounds=_wanted(bounds))

    @contextmanager
    def working_on(self, device: HostDevice, arrays: Sequence[ArrayFacts]) -> Generator[None]:
        device.arrays.set(arrays)
        try:
            yield
        finally:
            device.arrays.set(())

    def wait_for_program(self, device: HostDevice) -> None:
        device.finish()

    def owned_by_program(self, device: HostDevice, address: int) -> int | None:
        return device.memory.size_at(address)


_MOST_KINDS = 8


def _kinds(before: tuple[Operation, ...], kind: Prototype) -> tuple[object, ...]:
    """The `launches` of an operation of that kind behind others."""
    found: dict[object, None] = {kind: None}
    for operation in before:
        launches = operation.launches
        if not operation.done:
            if not launches:
                return ()
            found.update(dict.fromkeys(launches))
    return tuple(found) if len(found) <= _MOST_KINDS else ()


def _wanted(bounds: bool | None) -> bool:
    """Whether kernels are kept in their arrays."""
    return bounds_wanted() if bounds is None else bounds
