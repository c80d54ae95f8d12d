# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host device: the functions of the ABI."""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from xgpu.errors import DeviceError
from xgpu.runtime.device import Device
from xgpu.runtime.host_device import reports
from xgpu.runtime.host_device.launch import (
    Dims,
    Launch,
    check_configuration,
    copy_parameters,
    launch_of,
)
from xgpu.runtime.host_device.memory import Memory, transfer
from xgpu.runtime.host_device.modules import HostModule, Kernel
from xgpu.runtime.host_device.streams import Event, Helpers, Stream, StreamPool
from xgpu.runtime.host_device.tensor_map import encode_tensor_map
from xgpu.runtime.native.library import Handlers, native_library
from xgpu.runtime.session import Session

T = TypeVar("T")


class HostDevice(Device):
    """A GPU made of the cores of this machine."""

    name = "host"
    kernel_format = "host"

    def __init__(
        self, session: Session, *, cores: int | None = None, memory: int | None = None
    ) -> None:
        super().__init__(session)
        self._handles = itertools.count(16, 16)
        self._objects: dict[int, Any] = {}
        self._cores = cores or len(os.sched_getaffinity(0))
        self._streams = StreamPool()
        self._helpers = Helpers(self._cores - 1)
        self._memory = Memory(session, memory)
        self._default: Stream | None = None
        self._printed: list[str] = []
        self._print_lock = threading.Lock()
        self._running: set[Launch] = set()
        self._closed = False
        self._tensor_maps: list[Any] = []
        native_library().handlers = _KernelHandlers(self)

    # -- handles

    def _new(self, value: Any) -> int:
        handle = next(self._handles)
        self._objects[handle] = value
        return handle

    def _get(self, handle: int, kind: type[T], what: str) -> T:
        value = self._objects.get(handle)
        if not isinstance(value, kind):
            raise DeviceError(f"0x{handle:x} is not a live {what} (destroyed already?)")
        return value

    def _stream(self, handle: int) -> Stream:
        if handle:
            return self._get(handle, Stream, "stream")
        if self._default is None:
            self._default = self._streams.create()
        return self._default

    # -- modules

    def mgpuModuleLoad(self, data: int, size: int) -> int:
        return self._load(ctypes.string_at(data, size))

    def mgpuModuleLoadJIT(self, data: int, opt_level: int) -> int:
        return self._load(ctypes.string_at(data))

    def _load(self, data: bytes) -> int:
        begin = self.session.now()
        module = HostModule(data)
        self.session.create("modules")
        self.session.create("kernels", len(module.kernels))
        self.session.record("load module", "module", 0, begin)
        return self._new(module)

    def mgpuModuleUnload(self, module: int) -> None:
        if not module:
            return
        self._get(module, HostModule, "module")
        self._streams.wait_all()
        del self._objects[module]
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
        kernel = self._get(function, Kernel, "kernel")
        check_configuration(kernel, grid, block, cluster, shared)
        launch = Launch(kernel, grid, block, cluster, shared, copy_parameters(kernel, parameters))
        self.session.create("launches")
        where = self._stream(stream)
        place = self.session.place()

        def run() -> None:
            begin = self.session.now()
            self._running.add(launch)
            failure = launch.run(self._helpers)
            self._running.discard(launch)
            self.session.record(
                kernel.info.name, "kernel", where.number, begin,
                grid=list(grid), block=list(block), place=place,
            )  # fmt: skip
            if failure is not None:
                self.session.fail(failure, place or "")

        self._enqueue(where, run)

    def _enqueue(self, stream: Stream, operation: Callable[[], None]) -> None:
        """Queue `operation`; after an error it is skipped."""

        def guarded() -> None:
            if self.session.failed:
                return
            try:
                operation()
            except DeviceError as problem:
                self.session.fail(str(problem))

        stream.put(guarded)

    # -- streams and events

    def mgpuStreamCreate(self) -> int:
        self.session.create("streams")
        return self._new(self._streams.create())

    def mgpuStreamDestroy(self, stream: int) -> None:
        if not stream and self.session.failed:
            return
        self._streams.destroy(self._get(stream, Stream, "stream"))
        del self._objects[stream]
        self.session.destroy("streams")

    def mgpuStreamSynchronize(self, stream: int) -> None:
        begin = self.session.now()
        self._stream(stream).synchronize()
        self.flush_printed()
        self.session.record("wait for stream", "wait", 0, begin)

    def mgpuStreamWaitEvent(self, stream: int, event: int) -> None:
        self._stream(stream).wait_for(self._get(event, Event, "event"))

    def mgpuEventCreate(self) -> int:
        self.session.create("events")
        return self._new(Event())

    def mgpuEventDestroy(self, event: int) -> None:
        if not event and self.session.failed:
            return
        self._get(event, Event, "event")
        del self._objects[event]
        self.session.destroy("events")

    def mgpuEventSynchronize(self, event: int) -> None:
        begin = self.session.now()
        recorded = self._get(event, Event, "event").recorded
        if recorded is not None:
            recorded.wait()
        self.flush_printed()
        self.session.record("wait for event", "wait", 0, begin)

    def mgpuEventRecord(self, event: int, stream: int) -> None:
        self._stream(stream).record(self._get(event, Event, "event"))

    # -- memory

    def mgpuMemAlloc(self, size: int, stream: int, host_shared: int) -> int:
        return self._memory.allocate(size)

    def mgpuMemFree(self, address: int, stream: int) -> None:
        if not address:
            return
        self._memory.check_live(address)
        if stream:
            # Not skipped after an error: what is held is released.
            self._stream(stream).put(lambda: self._memory.free(address))
        else:
            self._streams.wait_all()
            self._memory.free(address)

    def mgpuMemcpy(self, target: int, source: int, size: int, stream: int) -> None:
        self._transfer("memcpy", stream, target, source, size, 0, 0)

    def mgpuMemset8(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 1)

    def mgpuMemset16(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 2)

    def mgpuMemset32(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 4)

    def mgpuMemset64(self, target: int, value: int, count: int, stream: int) -> None:
        self._transfer("memset", stream, target, 0, count, value, 8)

    def _transfer(
        self, name: str, stream: int, target: int, source: int, count: int, value: int, width: int
    ) -> None:
        where = self._stream(stream)

        def run() -> None:
            begin = self.session.now()
            transfer(target, source, count, value, width)
            self.session.record(name, "memory", where.number, begin, bytes=count * max(width, 1))

        self._enqueue(where, run)

    def mgpuMemHostRegister(self, address: int, size: int) -> None:
        """Host memory is device memory here."""

    def mgpuMemHostUnregister(self, address: int) -> None:
        """Host memory is device memory here."""

    def mgpuMemHostRegisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        """Host memory is device memory here."""

    def mgpuMemHostUnregisterMemRef(self, rank: int, descriptor: int, element_bytes: int) -> None:
        """Host memory is device memory here."""

    def mgpuSetDefaultDevice(self, device: int) -> None:
        if device != 0:
            raise DeviceError(f"no device {device}: the host device is number 0 and the only one")

    def mgpuTensorMapEncodeTiledMemref(
        self, rank: int, descriptor: int, dtype: int, interleave: int, swizzle: int, l2: int,
        fill: int, box: int,
    ) -> int:  # fmt: skip
        encoded = encode_tensor_map(rank, descriptor, dtype, interleave, swizzle, fill, box)
        self._tensor_maps.append(encoded)
        return ctypes.addressof(encoded)

    # -- end

    def flush_printed(self) -> None:
        """Print what kernels have printed, as a GPU does when the host waits for it."""
        with self._print_lock:
            text, self._printed = "".join(self._printed), []
        if text:
            self.session.write(text)

    def print(self, text: str) -> None:
        with self._print_lock:
            self._printed.append(text)

    def cancel(self) -> None:
        """Let running launches end as soon as their current blocks have."""
        for launch in list(self._running):
            launch.cancel()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._streams.wait_all()
        self.flush_printed()
        self._streams.close()
        self._helpers.close()
        self._memory.release_all()
        self._objects.clear()


class _KernelHandlers(Handlers):
    """What native code tells of kernels, passed on to the launch and the device."""

    def __init__(self, device: HostDevice) -> None:
        self._device = device

    def stuck(self, worker: int) -> None:
        from xgpu.backend.host_structs import ctypes_struct

        record: int = ctypes_struct("Worker").from_address(worker).launch
        launch = launch_of(record)
        if launch is not None:
            launch.fail(reports.describe_deadlock(worker))

    def assertion(self, thread: int, message: int, file: int, line: int, function: int) -> None:
        from xgpu.backend.host_structs import ctypes_struct

        text = reports.describe_assertion(thread, message, file, line, function)
        block: int = ctypes_struct("Thread").from_address(thread).block
        launch = launch_of(ctypes_struct("Block").from_address(block).launch)
        self._device.flush_printed()
        print(text, file=sys.stderr, flush=True)
        if launch is not None:
            launch.fail(f"device-side assert triggered: {text}")

    def printf(self, thread: int, format: int, arguments: int) -> int:
        text, count = reports.format_printf(format, arguments)
        self._device.print(text)
        return count
