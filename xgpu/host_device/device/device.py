# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host device: the functions of the ABI."""

from __future__ import annotations

import ctypes
import os
import time
import weakref
from typing import TYPE_CHECKING, TypeVar

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_rlock
from xgpu.host_device.device.arrays import KnownArrays
from xgpu.host_device.device.communication import Communicating
from xgpu.host_device.device.graphs import GraphFunctions
from xgpu.host_device.device.helpers import Helpers
from xgpu.host_device.device.launch import KernelHandlers, Launch, thrown
from xgpu.host_device.device.memory import Memory
from xgpu.host_device.device.memory_functions import MemoryFunctions
from xgpu.host_device.device.modules import HostModule, Kernel, KernelStrategies
from xgpu.host_device.device.operations import Event, Operation, Order, Stream, Threads, counted
from xgpu.host_device.device.printing import Printed
from xgpu.host_device.device.queueing import Queueing
from xgpu.host_device.device.repeated_launches import RepeatedLaunch
from xgpu.host_device.device.watchdog import Watchdog, Watched, native_threads
from xgpu.host_device.native.library import native_library
from xgpu.runtime.device import Device
from xgpu.runtime.launch_limits import Dims
from xgpu.runtime.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xgpu.host_device.device.counting import LaunchCounts
    from xgpu.host_device.device.sanitizer_interface import Sanitizer

T = TypeVar("T")


class HostDevice(GraphFunctions, MemoryFunctions, Communicating, Queueing, Device):
    """A GPU made of the cores of this machine.

    `order` decides when operations run: as soon as they can (the default), or as an exploration of
    orders wants it. `strategies` says which strategy kernels get, `bounds` whether accesses are
    checked against the arrays that kernels get."""

    name = "host"
    kernel_format = "host"

    def __init__(
        self, session: Session, *, cores: int | None = None, memory: int | None = None,
        order: Order | None = None, strategies: KernelStrategies | None = None,
        sanitizer: Sanitizer | None = None, bounds: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(session)
        self._bounds = bounds
        #: Arrays of others that the program now works on.
        self.arrays = KnownArrays()
        #: Counts what threads of streams are given and what kernels print: since nothing was under
        #: way (`is_idle`), nothing is unless it has grown. What has begun shows before it counts.
        self.activity = ctypes.c_int64()
        self.sanitizer = sanitizer
        #: Whether the program is machine code, whose threads Python does not know.
        self.is_of_native = False
        # The sanitizer lets one block in at a time.
        self._cores = 1 if sanitizer is not None else cores or len(os.sched_getaffinity(0))
        self._capacity = memory
        self._loaded: dict[bytes, HostModule] | None = None
        self.strategies = strategies if strategies is not None else KernelStrategies()
        #: Which launches count what they do, while a profile asks for it.
        self.counts: LaunchCounts | None = None
        self._watchdog = Watchdog()
        self.queueing = new_rlock()
        self._begin(session, order)

    def reset(self, session: Session, order: Order) -> None:
        """Begin anew, as a device that was just created; modules stay compiled."""
        self._release()
        if self._loaded is None:
            self._loaded = {}
        self._begin(session, order)

    def _begin(self, session: Session, order: Order | None) -> None:
        self.session = session
        native_library().handlers = KernelHandlers()
        # Numbers distinguish devices of one sanitizer.
        counters = counted() if self.sanitizer is None else self.sanitizer.counters
        self._handles, self._lanes, self._numbers = counters
        self._objects: dict[int, object] = {}
        self._order = order if order is not None else Threads(self.activity)
        self._natural = order is None
        self._helpers = Helpers(self._cores - 1 if self._order.parallel else 0, thrown)
        visible = not self._natural or self.sanitizer is not None
        self._memory = Memory(session, self._capacity, visible_lifetimes=visible)
        # A device need not be closed: that of a watch lives as long as the last array in it.
        self._ending = weakref.finalize(
            self, _end, self._watchdog, self._order, self._helpers, self._memory
        )
        self._ending.atexit = False
        self._default: Stream | None = None
        self._registered: dict[int, int] = {}
        self.printed = Printed(
            session.write, lambda text: session.warn(text, ""), self.activity
        )  # fmt: skip
        self._closed = False
        self._tensor_maps: list[ctypes.Structure] = []
        self._begin_communication()
        self._annotations.clear()
        self._annotation = None

    # -- handles

    def _new(self, value: object) -> int:
        handle = next(self._handles)
        self._objects[handle] = value
        return handle

    def _get(self, handle: int, kind: type[T], what: str) -> T:
        value = self._objects.get(handle)
        if not isinstance(value, kind):
            raise DeviceError(f"0x{handle:x} is not a live {what} (destroyed already?)")
        return value

    def keep(self, value: object) -> int:
        """A handle for something that a caller of ours keeps here."""
        return self._new(value)

    def kept(self, handle: int, kind: type[T], what: str) -> T:
        """What `keep` was given. Raises `DeviceError` for a handle of nothing or something else."""
        return self._get(handle, kind, what)

    def forget(self, handle: int) -> None:
        """Drop what `keep` was given."""
        self._objects.pop(handle, None)

    @property
    def memory(self) -> Memory:
        """The device's memory."""
        return self._memory

    @property
    def cores(self) -> int:
        """How many cores of this machine run kernels."""
        return self._cores

    def stream(self, handle: int) -> Stream:
        """The stream behind a handle; 0 is the default one."""
        return self._stream(handle)

    def _stream(self, handle: int) -> Stream:
        if handle:
            return self._get(handle, Stream, "stream")
        if self._default is None:
            self._default = self._open_stream()
        return self._default

    def _open_stream(self) -> Stream:
        stream = Stream(next(self._lanes), exact=self.sanitizer is not None)
        self._order.open(stream)
        return stream

    # -- modules

    def mgpuModuleLoad(self, data: int, size: int) -> int:
        return self.load(ctypes.string_at(data, size))

    def mgpuModuleLoadJIT(self, data: int, opt_level: int) -> int:
        return self.load(ctypes.string_at(data))

    def load(self, data: bytes, bounds: bool | None = None) -> int:
        """Load a module; `bounds` says whether its kernels are kept in their arrays, None that the
        device's option does."""
        begin = self.session.now()
        module = self._loaded.get(data) if self._loaded is not None else None
        if module is None:
            module = HostModule(
                data, strategies=self.strategies, sanitizer=self.sanitizer,
                has_bounds=self._bounds if bounds is None else bounds,
            )  # fmt: skip
            module.device = self
            if self._loaded is not None and not module.has_globals:
                self._loaded[data] = module
        self.session.create("modules")
        self.session.create("kernels", len(module.kernels))
        self.session.record("load module", "module", 0, begin)
        return self._new(module)

    def mgpuModuleUnload(self, module: int) -> None:
        if not module:
            return
        loaded = self._get(module, HostModule, "module")
        self._order.wait_all()
        loaded.unload()
        del self._objects[module]
        for kernel in loaded.kernels.values():  # each keeps the module's code
            self._objects.pop(id(kernel), None)
        self.session.destroy("modules")

    def mgpuModuleGetFunction(self, module: int, name: int) -> int:
        loaded = self._get(module, HostModule, "module")
        wanted = ctypes.string_at(name).decode()
        kernel = loaded.kernels.get(wanted)
        if kernel is None:
            known = ", ".join(loaded.kernels) or "none"
            raise DeviceError(f"no kernel '{wanted}' in the module; it has: {known}")
        handle = id(kernel)
        self._objects.setdefault(handle, kernel)
        return handle

    # -- launches

    def mgpuLaunchKernel(
        self, function: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int,
        shared: int, stream: int, parameters: int, extra: int, count: int,
    ) -> None:  # fmt: skip
        self._launch(function, (gx, gy, gz), (bx, by, bz), (1, 1, 1), shared, stream, parameters)

    def mgpuLaunchClusterKernel(
        self, function: int, cx: int, cy: int, cz: int, gx: int, gy: int, gz: int,
        bx: int, by: int, bz: int, shared: int, stream: int, parameters: int, extra: int,
    ) -> None:  # fmt: skip
        self._launch(function, (gx, gy, gz), (bx, by, bz), (cx, cy, cz), shared, stream, parameters)

    def _launch(
        self, function: int, grid: Dims, block: Dims, cluster: Dims, shared: int, stream: int,
        parameters: int,
    ) -> None:  # fmt: skip
        launch = self._launch_of(function, grid, block, cluster, shared, parameters)
        if self._memory.is_apart and self.sanitizer is None:
            launch.keep_apart(self.reaches)
        self.session.create("launches")
        operation = self._enqueue(
            self._stream(stream), launch.name, lambda: self.run_launch(launch), launch,
            open=self.sanitizer is None,
        )  # fmt: skip
        launch.location = operation.location

    def mgpuKernelPreload(self, function: int) -> None:
        """Kernels are linked when their module is loaded."""
        self._get(function, Kernel, "kernel")

    def _launch_of(
        self, function: int, grid: Dims, block: Dims, cluster: Dims, shared: int, parameters: int
    ) -> Launch:
        kernel = self.kernel(function)
        configuration = (grid, block, cluster, shared)
        return Launch(kernel, configuration, parameters, arguments=self.arrays)

    def kernel(self, function: int) -> Kernel:
        """The kernel behind a handle."""
        return self._get(function, Kernel, "kernel")

    def repeated(self, stream: Stream, launch: Launch) -> RepeatedLaunch | None:
        """What makes a launch like that one again and again, as a caller does who is no program and
        waits for each; None where an observer looks at operations: the sanitizer, an
        exploration."""
        if not self._natural or self.sanitizer is not None:
            return None
        if launch.kernel.module.uses_workspace:  # each needs one of its own
            return None
        return RepeatedLaunch(
            self, stream, launch, self._helpers, self._watchdog, self._numbers, self._perform
        )

    def run_launch(self, launch: Launch) -> None:
        """Run a launch in this thread, with help. Raises `DeviceError` for what went wrong."""
        if self.sanitizer is not None:
            self.sanitizer.begin_launch()
        try:
            if launch.is_cooperative and launch.kernel.module.uses_workspace:
                with self._memory.workspaces.one(self._workspaces_begin) as address:
                    launch.record.workspace = address
                    failure = self._run(launch)
            else:
                failure = self._run(launch)
        finally:
            if self.sanitizer is not None:
                self.sanitizer.end_launch()
        if failure is not None:
            raise DeviceError(failure)

    def _workspaces_begin(self, address: int, size: int) -> None:
        if self.sanitizer is not None:
            self.sanitizer.allocated(address, size, "variable", None, "workspaces of grids")

    def _run(self, launch: Launch) -> str | None:
        """What went wrong, or None; while a profile asks for it, with how busy the cores were."""
        if self.counts is None:
            return launch.run(self._helpers, self._watchdog)
        clock, processor = time.perf_counter_ns(), time.process_time_ns()
        failure = self.counts.run(launch, lambda one: one.run(self._helpers, self._watchdog))
        used = time.process_time_ns() - processor
        available = (time.perf_counter_ns() - clock) * self._cores
        launch.busy = min(used / available, 1.0)
        return failure

    def count_work(self, wanted: bool) -> None:
        if not wanted or self.sanitizer is not None or not self._natural:
            self.counts = None
            return
        from xgpu.host_device.device.counting import LaunchCounts  # programs start without it

        self.counts = LaunchCounts()

    def wait_for(self, operations: Iterable[Operation]) -> None:
        """Let the host wait for operations."""
        self._order.wait(operations)

    def _wait(
        self, operations: tuple[Operation, ...], what: str, stream: int | None = None
    ) -> None:
        begin = self.session.now()
        self._order.wait(operations)
        if self.sanitizer is not None:
            self.sanitizer.host_waits(operations)
        self.flush_printed()
        if self.session.events is not None:
            self.session.record(
                f"wait for {what}", "wait", 0, begin, after=[o.number for o in operations],
                location=self.session.location(), stream=stream,
            )  # fmt: skip

    # -- streams and events

    def mgpuStreamCreate(self) -> int:
        self.session.create("streams")
        return self._created("stream", self._open_stream())

    def _created(self, what: str, value: object) -> int:
        handle = self._new(value)
        if self.sanitizer is not None:
            self.sanitizer.created(what, handle, self.current_location())
        return handle

    def _destroyed(self, handle: int) -> None:
        del self._objects[handle]
        if self.sanitizer is not None:
            self.sanitizer.destroyed(handle)

    def mgpuStreamDestroy(self, stream: int) -> None:
        if not stream and self.session.failed:
            return
        self._order.release(self._get(stream, Stream, "stream"))
        self._destroyed(stream)
        self.session.destroy("streams")

    def mgpuStreamSynchronize(self, stream: int) -> None:
        where = self._stream(stream)
        self._wait(where.frontier, f"stream {where.number}", where.number)

    def mgpuStreamWaitEvent(self, stream: int, event: int) -> None:
        self._stream(stream).wait_for(self._get(event, Event, "event"))

    def mgpuEventCreate(self) -> int:
        self.session.create("events")
        return self._created("event", Event())

    def mgpuEventDestroy(self, event: int) -> None:
        if not event and self.session.failed:
            return
        self._get(event, Event, "event")
        self._destroyed(event)
        self.session.destroy("events")

    def mgpuEventSynchronize(self, event: int) -> None:
        self._wait(self._get(event, Event, "event").recorded or (), "event")

    def mgpuEventRecord(self, event: int, stream: int) -> None:
        self._stream(stream).record(self._get(event, Event, "event"))

    # -- end

    def flush_printed(self) -> None:
        """Print what kernels have printed, as a GPU does when the host waits for it."""
        self.printed.flush()

    def running(self) -> list[Watched]:
        """Launches that have begun and not ended."""
        return self._watchdog.running()

    def is_quiet(self, thread: int) -> bool:
        """Whether the host waits for what a thread runs, and no other runs anything."""
        return self._order.is_quiet(thread) and not (self.is_of_native and native_threads())

    def cancel(self) -> None:
        """Let running launches end as soon as their current blocks have."""
        for launch in self.running():
            launch.cancel()

    def stop(self) -> None:
        for launch in self.running():
            launch.abort("interrupted")

    def finish(self) -> None:
        self._order.wait_all()
        self.flush_printed()

    def close(self) -> None:
        self._release()
        self._watchdog.close()

    def _release(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._ending.detach()
        self.finish()
        self._order.close()
        self._helpers.close()
        self._memory.release_all()
        self._objects.clear()


def _end(watchdog: Watchdog, order: Order, helpers: Helpers, memory: Memory) -> None:
    """End the threads of a device that is gone, and give its memory back. The collector calls this
    in any thread and between any two operations, so nothing here takes a lock of Python's."""
    watchdog.close()
    order.abandon()
    helpers.close()
    memory.abandon()
