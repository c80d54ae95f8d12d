# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cuda device: the functions of the ABI over the CUDA driver API.

What MLIR's CUDA runtime does, and where it does better: calls are checked, functions are
resolved once, memory is allocated and freed in the order of its stream, more than 48 KB of
shared memory is asked for where a launch needs it, tensor maps are freed.
"""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

from xgpu.ir.errors import DeviceError
from xgpu.runtime.cuda.driver import GONE, STICKY, CudaError, Driver, is_available, load_driver
from xgpu.runtime.cuda.graphs import Graph, GraphFunctions
from xgpu.runtime.cuda.memory import MemoryFunctions
from xgpu.runtime.cuda.native import NAMES, NativeFunctions
from xgpu.runtime.cuda.trace import CudaTrace
from xgpu.runtime.device import Device, format_dims
from xgpu.runtime.session import Session
from xgpu.support.abi import FUNCTIONS

__all__ = ["CudaDevice", "is_available"]

JIT_LOG_BYTES = 8192
DEFAULT_SHARED = 48 * 1024  # more needs cuFuncSetAttribute


class CudaDevice(GraphFunctions, MemoryFunctions, Device):
    """One GPU: the first, until `mgpuSetDefaultDevice` says otherwise (before first use)."""

    name = "cuda"
    kernel_format = "isa"

    def __init__(self, session: Session, driver: Driver | None = None, ordinal: int = 0) -> None:
        super().__init__(session)
        self._driver = driver if driver is not None else load_driver()
        self._ordinal = ordinal
        self._device: Any = None
        self._context: Any = None
        self._functions: dict[tuple[int, str], int] = {}
        self._names: dict[int, str] = {}
        self._modules: set[int] = set()
        self._streams: set[int] = set()
        self._events: set[int] = set()
        self._memory: dict[int, tuple[int, bool]] = {}  # size, and whether managed
        self._registered: set[int] = set()
        self._graphs: dict[int, Graph] = {}
        self._executables: dict[int, Graph] = {}
        self._halves: dict[int, int] = {}
        self._native: NativeFunctions | None = None
        self._trace: CudaTrace | None = None
        self._sticky = False
        self._closed = False

    # -- the context

    def _call(self, name: str, *arguments: Any, doing: str = "") -> Any:
        """A driver call in this device's context, whatever thread makes it."""
        self._enter()
        try:
            return self._driver.call(name, *arguments, doing=doing)
        except CudaError as problem:
            self._sticky = self._sticky or problem.result in STICKY
            raise

    def driver_call(self, name: str, *arguments: Any, doing: str = "") -> Any:
        """A driver call in this device's context; its results. Raises `CudaError`."""
        return self._call(name, *arguments, doing=doing)

    def attribute(self, name: str) -> int:
        """An attribute of the device, by its name in CUdevice_attribute."""
        return self._attribute(name)

    def allocation_size(self, address: int) -> int | None:
        """Bytes of the live allocation that starts at `address`, None if there is none."""
        known = self._memory.get(address)
        return None if known is None else known[0]

    def _tracing(self) -> CudaTrace | None:
        if self._trace is None and self.session.events is not None:
            self._trace = CudaTrace(self.session, self._call)
        return self._trace

    def _operate(
        self, what: str, kind: str, stream: int, name: str, *arguments: Any, doing: str = "",
        **details: Any,
    ) -> Any:  # fmt: skip
        """A driver call that puts an operation into `stream`; in a trace, it is called `what`."""
        trace = self._tracing()
        if trace is None:
            return self._call(name, *arguments, doing=doing)
        return trace.operation(
            what, kind, stream, self.take_place(),
            lambda: self._call(name, *arguments, doing=doing), **details,
        )  # fmt: skip

    def _enter(self) -> None:
        if self._context is None:
            self._device = self._driver.call("cuDeviceGet", self._ordinal)
            self._context = self._driver.call("cuDevicePrimaryCtxRetain", self._device)
            if self._native is not None:
                self._native.context.value = int(self._context)
        self._driver.call("cuCtxSetCurrent", self._context)

    def _attribute(self, name: str) -> int:
        self._enter()
        kind = getattr(self._driver.bindings.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
        return self._driver.call("cuDeviceGetAttribute", kind, self._device)

    @property
    def chip(self) -> str:
        """What kernels should be compiled for, `sm_90a`."""
        major = self._attribute("COMPUTE_CAPABILITY_MAJOR")
        minor = self._attribute("COMPUTE_CAPABILITY_MINOR")
        return f"sm_{major}{minor}{'a' if major >= 9 else ''}"

    def mgpuSetDefaultDevice(self, device: int) -> None:
        if device == self._ordinal:
            return
        count = self._driver.call("cuDeviceGetCount")
        if not 0 <= device < count:
            raise DeviceError(f"no device {device}: there are {count}")
        if self._context is not None and (self._modules or self._memory or self._streams):
            raise DeviceError(f"cannot change to device {device}: device {self._ordinal} is in use")
        self._release_context()
        self._ordinal = device

    def _release_context(self) -> None:
        if self._context is not None:
            if self._native is not None:
                self._native.context.value = 0
            self._driver.call("cuDevicePrimaryCtxRelease", self._device)
            self._context = None

    def address_table(self) -> Any:
        """Pointers to all functions; to machine code where a launch shall not wait for Python."""
        table = super().address_table()
        if self._native is None and self.session.events is None:
            python = {name: table[FUNCTIONS[name].index] for name in NAMES}
            try:
                self._native = NativeFunctions(self._driver, python)
            except CudaError:
                return table  # an old driver: Python serves
            if self._context is not None:
                self._native.context.value = int(self._context)
            for name in NAMES:
                table[FUNCTIONS[name].index] = self._native.addresses[name]
        return table

    def finish(self) -> None:
        if self._native is not None:
            self.session.create("launches", self._native.take_launches())

    # -- modules

    def mgpuModuleLoad(self, data: int, size: int) -> int:
        image = ctypes.string_at(data, size)
        self._check_image(image)
        return self._load(image if image.startswith(b"\x7fELF") else image + b"\0", 0)

    def mgpuModuleLoadJIT(self, data: int, opt_level: int) -> int:
        image = ctypes.string_at(data)
        self._check_image(image)
        return self._load(image + b"\0", opt_level)

    @staticmethod
    def _check_image(image: bytes) -> None:
        from xgpu.backend.host.compiler import is_host_object

        if is_host_object(image) or image.startswith((b"BC\xc0\xde", b"\xde\xc0\x17\x0b")):
            raise DeviceError(
                "the kernel module was compiled for the host device: run it with --device=host, or "
                "compile it with cubin-format=isa, bin or fatbin"
            )

    def _load(self, image: bytes, opt_level: int) -> int:
        """Load an image; PTX is compiled by the driver, whose log goes into the error."""
        option = self._driver.bindings.CUjit_option
        log = bytearray(JIT_LOG_BYTES)
        options = [option.CU_JIT_ERROR_LOG_BUFFER, option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES]
        values: list[Any] = [log, JIT_LOG_BYTES]
        if opt_level:
            options.append(option.CU_JIT_OPTIMIZATION_LEVEL)
            values.append(opt_level)
        begin = self.session.now()
        try:
            module = int(
                self._call(
                    "cuModuleLoadDataEx", image, len(options), options, values,
                    doing="loading a kernel module",
                )
            )  # fmt: skip
        except CudaError as problem:
            words = log.split(b"\0", 1)[0].decode(errors="replace").strip()
            raise CudaError(f"{problem}{': ' + words if words else ''}", problem.result) from None
        self._modules.add(module)
        self.session.create("modules")
        self.session.record("load module", "module", 0, begin)
        return module

    def mgpuModuleUnload(self, module: int) -> None:
        if module not in self._modules:
            return
        self._modules.discard(module)
        self._functions = {k: f for k, f in self._functions.items() if k[0] != module}
        self._release("cuModuleUnload", module)
        self.session.destroy("modules")

    def mgpuModuleGetFunction(self, module: int, name: int) -> int:
        text = ctypes.string_at(name).decode()
        key = (module, text)
        function = self._functions.get(key)
        if function is None:
            function = int(
                self._call("cuModuleGetFunction", module, text.encode(), doing=f"kernel '{text}'")
            )
            self._functions[key] = function
            self._names[function] = text
            self.session.create("kernels")
        return function

    def mgpuKernelPreload(self, function: int) -> None:
        """Drivers before 12.4 load a kernel when it is first launched, and cannot be asked to."""
        try:
            self._call("cuFuncLoad", function, doing=f"kernel '{self._names.get(function, '?')}'")
        except CudaError as problem:
            if problem.result not in ("CUDA_ERROR_NOT_FOUND", "CUDA_ERROR_NOT_SUPPORTED"):
                raise

    # -- launches

    def mgpuLaunchKernel(
        self, function: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int,
        shared: int, stream: int, parameters: int, extra: int, count: int,
    ) -> None:  # fmt: skip
        doing = self._prepare(function, (gx, gy, gz), (bx, by, bz), shared)
        self._operate(
            self._names.get(function, "?"), "kernel", stream,
            "cuLaunchKernel", function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra,
            doing=doing, grid=[gx, gy, gz], block=[bx, by, bz],
        )  # fmt: skip
        self.session.create("launches")

    def mgpuLaunchClusterKernel(
        self, function: int, cx: int, cy: int, cz: int, gx: int, gy: int, gz: int,
        bx: int, by: int, bz: int, shared: int, stream: int, parameters: int, extra: int,
    ) -> None:  # fmt: skip
        doing = self._prepare(function, (gx, gy, gz), (bx, by, bz), shared)
        bindings = self._driver.bindings
        cluster = bindings.CUlaunchAttribute()
        cluster.id = bindings.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        cluster.value.clusterDim.x = cx
        cluster.value.clusterDim.y = cy
        cluster.value.clusterDim.z = cz
        spread = bindings.CUlaunchAttribute()
        spread.id = (
            bindings.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
        )
        spread.value.clusterSchedulingPolicyPreference = (
            bindings.CUclusterSchedulingPolicy.CU_CLUSTER_SCHEDULING_POLICY_SPREAD
        )
        config = bindings.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = gx, gy, gz
        config.blockDimX, config.blockDimY, config.blockDimZ = bx, by, bz
        config.sharedMemBytes = shared
        config.hStream = bindings.CUstream(stream)
        config.attrs = [cluster, spread]
        config.numAttrs = 2
        self._operate(
            self._names.get(function, "?"), "kernel", stream,
            "cuLaunchKernelEx", config, function, parameters, extra,
            doing=doing, grid=[gx, gy, gz], block=[bx, by, bz],
        )  # fmt: skip
        self.session.create("launches")

    def _prepare(
        self, function: int, grid: tuple[int, int, int], block: tuple[int, int, int], shared: int
    ) -> str:
        """Check sizes, ask for shared memory; what an error message says the launch is."""
        name = self._names.get(function, "?")
        sizes = f"grid of {format_dims(*grid)} blocks of {format_dims(*block)} threads"
        doing = f"kernel '{name}': launch with {sizes}, {shared} bytes of dynamic workgroup memory"
        threads = block[0] * block[1] * block[2]
        limit = self._attribute("MAX_THREADS_PER_BLOCK")
        if threads > limit:
            raise DeviceError(
                f"kernel '{name}': invalid configuration: block of {format_dims(*block)} = "
                f"{threads} threads, the limit is {limit}"
            )
        if shared > DEFAULT_SHARED:
            most = self._attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
            if shared > most:
                raise DeviceError(
                    f"kernel '{name}': invalid configuration: {shared} bytes of dynamic workgroup "
                    f"memory, the limit is {most}"
                )
            kind = self._driver.bindings.CUfunction_attribute
            attribute = kind.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._call("cuFuncSetAttribute", function, attribute, shared, doing=doing)
        return doing

    # -- streams and events

    def mgpuStreamCreate(self) -> int:
        flags = self._driver.bindings.CUstream_flags.CU_STREAM_NON_BLOCKING
        stream = int(self._call("cuStreamCreate", flags))
        self._streams.add(stream)
        self.session.create("streams")
        return stream

    def mgpuStreamDestroy(self, stream: int) -> None:
        if stream in self._streams:
            self._streams.discard(stream)
            self._release("cuStreamDestroy", stream)
            if self._trace is not None:
                self._trace.forget(stream)
            self.session.destroy("streams")
        elif not self.session.failed:
            raise DeviceError(f"0x{stream:x} is not a live stream (destroyed already?)")

    def mgpuStreamSynchronize(self, stream: int) -> None:
        begin = self.session.now()
        self._call("cuStreamSynchronize", stream, doing="waiting for a stream")
        trace = self._tracing()
        if trace is not None:
            self.session.record(
                f"wait for stream {trace.lane(stream)}", "wait", 0, begin,
                after=trace.behind(stream=stream), place=self.session.place(),
            )  # fmt: skip

    def mgpuStreamWaitEvent(self, stream: int, event: int) -> None:
        self._call("cuStreamWaitEvent", stream, event, 0)
        if self._trace is not None:
            self._trace.wait(stream, event)

    def mgpuEventCreate(self) -> int:
        flags = self._driver.bindings.CUevent_flags.CU_EVENT_DISABLE_TIMING
        event = int(self._call("cuEventCreate", flags))
        self._events.add(event)
        self.session.create("events")
        return event

    def mgpuEventDestroy(self, event: int) -> None:
        if event in self._events:
            self._events.discard(event)
            self._release("cuEventDestroy", event)
            self.session.destroy("events")
        elif not self.session.failed:
            raise DeviceError(f"0x{event:x} is not a live event (destroyed already?)")

    def mgpuEventSynchronize(self, event: int) -> None:
        begin = self.session.now()
        self._call("cuEventSynchronize", event, doing="waiting for an event")
        trace = self._tracing()
        if trace is not None:
            self.session.record(
                "wait for event", "wait", 0, begin, after=trace.behind(event=event),
                place=self.session.place(),
            )  # fmt: skip

    def mgpuEventRecord(self, event: int, stream: int) -> None:
        self._call("cuEventRecord", event, stream)
        if self._trace is not None:
            self._trace.record(event, stream)

    # -- end

    def _release(self, name: str, *arguments: Any) -> None:
        """Release something; after a sticky error, or without the driver, that cannot work."""
        if self._sticky:
            return
        try:
            self._call(name, *arguments)
        except CudaError as problem:
            if problem.result not in GONE and not self.session.failed:
                raise

    def close(self) -> None:
        self.finish()
        if self._closed or self._context is None:
            return
        self._closed = True
        if not self._sticky:
            try:
                self._call("cuCtxSynchronize", doing="waiting for the device")
                if self._trace is not None:
                    self._trace.close()
            except CudaError as problem:
                self.session.fail(str(problem))
        for name, handles in (
            ("cuGraphExecDestroy", self._executables), ("cuGraphDestroy", self._graphs),
            ("cuEventDestroy", self._events), ("cuStreamDestroy", self._streams),
            ("cuMemFree", set(self._memory)), ("cuMemHostUnregister", self._registered),
            ("cuModuleUnload", self._modules),
        ):  # fmt: skip
            for handle in list(handles):
                with contextlib.suppress(DeviceError):
                    self._release(name, handle)
            handles.clear()
        self._memory.clear()
        with contextlib.suppress(DeviceError):
            self._release_context()
