# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An NVIDIA GPU, as arrays, streams and launches see it: `xgpu.runtime.cuda` behind `Backend`."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from threading import get_ident
from typing import Any, NoReturn, cast

from xgpu.api import profiling
from xgpu.api.copies import Rows
from xgpu.api.devices.interface import Backend, Description, Dims, Launcher, Packed
from xgpu.backend.nvptx.cubin import is_bundle
from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import CudaError, Driver, load_driver, pointer_to
from xgpu.runtime.cuda.modules import Gate
from xgpu.runtime.cuda.streams import wait
from xgpu.runtime.session import Session

_ATTRIBUTES = {
    "registers": "NUM_REGS", "shared_bytes": "SHARED_SIZE_BYTES", "local_bytes": "LOCAL_SIZE_BYTES",
    "constant_bytes": "CONST_SIZE_BYTES", "max_threads": "MAX_THREADS_PER_BLOCK",
}  # fmt: skip
_LIMITS = {
    "threads_per_multiprocessor": "MAX_THREADS_PER_MULTIPROCESSOR",
    "threads_per_block": "MAX_THREADS_PER_BLOCK",
    "multiprocessors": "MULTIPROCESSOR_COUNT",
}


# That of a module which is not known any more.
_CLOSED = Gate()
_CLOSED.close()


class _Closed:
    """In place of a device that was given back."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> NoReturn:
        raise DeviceError(f"{self._name} is closed, as devices are when the process ends")


class _GraphLaunch:
    """`again` launches a program's executable graph, whose handle is in `cell`, and waits. False
    where the program has to do that: the graph has to be made anew, each call is recorded, or
    the driver refuses. `gate` is that of all graphs of the device."""

    __slots__ = (
        "__weakref__", "_backend", "_cell", "_device", "_launch", "_query", "direct", "thread",
    )  # fmt: skip

    def __init__(
        self, backend: CudaBackend, cell: ctypes.c_uint64, device: CudaDevice, gate: Gate
    ) -> None:
        self._backend, self._cell, self._device = backend, cell, device
        self._launch, self._query = device.driver.launch_graph, device.driver.query_stream
        self.thread = 0
        self.direct: tuple[object, ...] | None = None
        with gate:
            gate.admit(self, (pointer_to(cell.value), pointer_to(backend.default_stream)))

    def again(self) -> bool:
        try:
            self.thread = get_ident()
            direct = self.direct
            if direct is None or not self._cell.value:
                return False
            if self._launch(*direct):
                with self._device.entered_context():  # another was current, or this is an error
                    if self._launch(*direct):
                        return False
            is_over = not self._query(direct[1])
        finally:
            self.thread = 0
        if not is_over:
            with self._device.entered_context():  # another may be current, and stays so
                self._backend.stream_synchronize(0)
        return True


class CudaBackend(Backend):
    """One GPU, through its primary context, which other libraries of the process use too."""

    kernel_format = "isa"
    host_access = False

    def __init__(self, ordinal: int, driver: Driver | None = None) -> None:
        super().__init__()
        self._driver = driver if driver is not None else load_driver()
        count = self._driver.call("cuDeviceGetCount")
        if ordinal >= count:
            raise DeviceError(f"no device cuda:{ordinal}: there are {count} GPUs")
        self.ordinal = ordinal
        self.name = f"cuda:{ordinal}"
        self.dlpack = (2, ordinal)
        self.device = CudaDevice(Session(), self._driver, ordinal)
        self._chip: str | None = None
        self._timed: set[int] = set()
        # Of modules and of their kernels, by handle.
        self._gates: dict[int, Gate] = {}
        self._kernel_gates: dict[int, Gate] = {}
        # Of the graphs of programs, until this device is closed.
        self._graphs = Gate()
        profiling.register(self.device.session, self.device)
        self.default_stream = self.device.mgpuStreamCreate()

    @property
    def chip(self) -> str:
        if self._chip is None:
            self._chip = self.device.chip
        return self._chip

    @property
    def other_chips(self) -> tuple[str, ...]:
        return self.device.other_chips

    def _call(self, name: str, *arguments: object, doing: str = "") -> Any:
        return self.device.driver_call(name, *arguments, doing=doing)

    def _at(self, stream: int) -> int:
        return stream or self.default_stream

    # -- memory

    def allocate(self, size: int) -> int:
        self.collect()
        return self.device.mgpuMemAlloc(size, 0, 0)

    def free_later(self, address: int) -> None:
        if address:
            self.later(lambda: self.device.mgpuMemFree(address, 0))

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        if size:
            self.device.mgpuMemcpy(target, source, size, self._at(stream))

    def copy_rows(self, rows: Rows, stream: int) -> None:
        self.device.copy_rows(rows.target, rows.source, rows.width, rows.count, self._at(stream))

    def fill(self, target: int, value: int, count: int, width: int, stream: int) -> None:
        if not count:
            return
        fills = {1: "mgpuMemset8", 2: "mgpuMemset16", 4: "mgpuMemset32", 8: "mgpuMemset64"}
        getattr(self.device, fills[width])(target, value, count, self._at(stream))

    # -- modules

    def load(self, image: bytes, bounds: bool | None = None) -> int:
        self.collect()
        module = self._load(image)
        self._gates[module] = gate = Gate()
        self.device.gates.add(gate)
        return module

    def _load(self, image: bytes) -> int:
        if image.startswith((b"\x7fELF", b"\x50\xed\x55\xba")) or is_bundle(image):
            data = ctypes.create_string_buffer(image, len(image))
            return self.device.mgpuModuleLoad(ctypes.addressof(data), len(image))
        text = ctypes.create_string_buffer(image)
        return self.device.mgpuModuleLoadJIT(ctypes.addressof(text), 0)

    def unload(self, module: int) -> None:
        if self.closed:
            return
        gate = self._gates[module]
        gate.close()
        self.synchronize()  # what runs must not lose its code
        del self._gates[module]
        self._kernel_gates = {f: g for f, g in self._kernel_gates.items() if g is not gate}
        self.device.mgpuModuleUnload(module)

    def function(self, module: int, name: str) -> int:
        text = ctypes.create_string_buffer(name.encode())
        gate = self._gates.get(module, _CLOSED)
        with gate:
            found = self.device.mgpuModuleGetFunction(module, ctypes.addressof(text))
            self._kernel_gates[found] = gate
        return found

    def _gate(self, function: int) -> Gate:
        return self._kernel_gates.get(function, _CLOSED)

    def attributes(self, function: int) -> dict[str, int | None]:
        kinds = self._driver.bindings.CUfunction_attribute
        with self._gate(function):
            return {
                name: int(
                    self._call(
                        "cuFuncGetAttribute", getattr(kinds, f"CU_FUNC_ATTRIBUTE_{a}"), function
                    )
                )
                for name, a in _ATTRIBUTES.items()
            }

    def resident_blocks(self, function: int, threads: int, shared: int) -> int | None:
        with self._gate(function):
            return int(
                self._call("cuOccupancyMaxActiveBlocksPerMultiprocessor", function, threads, shared)
            )

    def limits(self) -> dict[str, int]:
        return {name: self.device.attribute(a) for name, a in _LIMITS.items()}

    def count(self) -> int:
        return int(self._driver.call("cuDeviceGetCount"))

    def description(self) -> Description:
        device = self._driver.call("cuDeviceGet", self.ordinal)
        name = bytes(self._driver.call("cuDeviceGetName", 256, device))
        identity = self._driver.call("cuDeviceGetUuid", device)
        return Description(name.partition(b"\0")[0].decode(), bytes(identity.bytes))

    def attribute(self, name: str) -> int:
        return self.device.attribute(name)

    def memory_info(self) -> tuple[int, int]:
        free, total = self._call("cuMemGetInfo")
        return int(free), int(total)

    def launcher(
        self, function: int, grid: Dims, block: Dims, cluster: Dims | None, shared: int, stream: int
    ) -> Launcher:
        device, gate = self.device, self._gate(function)
        with gate:
            where = self._at(stream)
            prepared = device.prepare_launch(function, grid, block, cluster, shared, where)

        def launch(packed: Packed, kept: object, waits: bool) -> bool:
            # In the right context, with words for what is wrong, and in a trace.
            with gate:
                device.launch(prepared, packed.pointers)
                if not device.is_watched():
                    gate.admit(packed, prepared.call_with(packed.pointers))
            packed.done()
            return False

        return launch

    @property
    def direct_launch(self) -> Callable[..., int]:  # type: ignore[override]
        # Where another context is current, the driver refuses it, and the launcher does it again.
        return self._driver.launch

    def graph_launcher(self, device: CudaDevice) -> Callable[[], bool] | None:
        graph = device.take_graph()
        if graph is None:
            return None
        device.gates.add(self._graphs)
        return _GraphLaunch(self, graph.cell, device, self._graphs).again

    # -- streams and events

    def stream_create(self) -> int:
        self.collect()
        return self.device.mgpuStreamCreate()

    def stream_destroy_later(self, stream: int) -> None:
        self.later(lambda: self.device.end_stream(stream))

    def stream_synchronize(self, stream: int) -> None:
        where = self._at(stream)
        wait(
            lambda: self.device.mgpuStreamSynchronize(where),
            lambda: self._is_done("cuStreamQuery", where),
        )

    def stream_done(self, stream: int) -> bool:
        return self._is_done("cuStreamQuery", self._at(stream))

    def _is_done(self, name: str, handle: int) -> bool:
        try:
            self._call(name, handle)
        except CudaError as problem:
            if problem.result == "CUDA_ERROR_NOT_READY":
                return False
            raise
        return True

    def stream_wait(self, stream: int, event: int) -> None:
        self.device.mgpuStreamWaitEvent(self._at(stream), event)

    def event_create(self) -> int:
        self.collect()
        # Those of the ABI take no time.
        event = int(self._call("cuEventCreate", 0))
        self._timed.add(event)
        return event

    def event_destroy_later(self, event: int) -> None:
        if event in self._timed:
            self._timed.discard(event)
            self.later(lambda: self.device.release("cuEventDestroy", event))

    def event_record(self, event: int, stream: int) -> None:
        self.device.mgpuEventRecord(event, self._at(stream))

    def event_synchronize(self, event: int) -> None:
        wait(lambda: self.device.mgpuEventSynchronize(event), lambda: self.event_done(event))

    def event_done(self, event: int) -> bool:
        return self._is_done("cuEventQuery", event)

    def event_elapsed(self, first: int, second: int) -> float:
        return float(self._call("cuEventElapsedTime", first, second))

    def synchronize(self) -> None:
        wait(
            lambda: self._call("cuCtxSynchronize", doing="waiting for the device"),
            lambda: all(self._is_done("cuStreamQuery", s) for s in self.device.live_streams()),
        )

    def close(self) -> None:
        for gate in (*self._gates.values(), self._graphs):
            gate.close()  # threads may be launching while the process ends
        self._collect_all()
        for event in self._timed:
            with contextlib.suppress(DeviceError):
                self.device.release("cuEventDestroy", event)
        self._timed.clear()
        self.device.close()
        self.closed = True
        self.device = cast("CudaDevice", _Closed(self.name))

    # -- programs

    def program_device(self, session: Session, bounds: bool | None = None) -> CudaDevice:
        from xgpu.driver.cuda_functions import NativeFunctions

        return CudaDevice(session, self._driver, self.ordinal, NativeFunctions)

    def wait_for_program(self, device: CudaDevice) -> None:
        wait(
            lambda: device.driver_call("cuCtxSynchronize", doing="waiting for the device"),
            lambda: all(self._is_done("cuStreamQuery", s) for s in device.live_streams()),
        )  # fmt: skip
        device.finish()

    def owned_by_program(self, device: CudaDevice, address: int) -> int | None:
        return device.allocation_size(address)


def device_of_pointer(address: int) -> str:
    """`cuda:N`, of an address of device memory."""
    driver = load_driver()
    if not address:
        return "cuda:0"
    kind = driver.bindings.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    return f"cuda:{int(driver.call('cuPointerGetAttribute', kind, address))}"
