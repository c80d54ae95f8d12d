# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cuda device: the functions of the ABI over the CUDA driver API.

What MLIR's CUDA runtime does, and where it does better: calls are checked, functions are
resolved once, memory is allocated and freed in the order of its stream, more than 48 KB of
shared memory is asked for where a kernel can have it, tensor maps are freed, other devices can be
used too, and the caller's context stays current in the caller's threads.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol, SupportsInt

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.abi import FUNCTIONS
from xgpu.runtime.cuda.communication import CudaCommunication
from xgpu.runtime.cuda.driver import (
    GONE,
    STICKY,
    Context,
    CudaError,
    Driver,
    is_available,
    load_driver,
)  # fmt: skip
from xgpu.runtime.cuda.graphs import Executable, GraphFunctions
from xgpu.runtime.cuda.launches import LaunchFunctions
from xgpu.runtime.cuda.memory import MemoryFunctions
from xgpu.runtime.cuda.modules import Gate, Members, ModuleFunctions
from xgpu.runtime.cuda.sparse import SparseFunctions
from xgpu.runtime.cuda.streams import StreamFunctions
from xgpu.runtime.cuda.trace import CudaTrace, wanted_ranges
from xgpu.runtime.device import Device
from xgpu.runtime.session import Session

__all__ = ["CudaDevice", "NativeFunctions", "is_available"]


class NativeFunctions(Protocol):
    """Functions of the ABI as machine code over one driver (`xgpu.driver.cuda_functions`)."""

    #: Where each of them begins, by its name in the ABI.
    addresses: dict[str, int]

    @property
    def context(self) -> int:
        """The context that has to be current; 0 where they leave everything to Python."""
        ...

    @context.setter
    def context(self, handle: int, /) -> None: ...

    @property
    def graph(self) -> int:
        """The program's handle of the executable graph that was launched last, 0 for none."""
        ...

    @graph.setter
    def graph(self, executable: int, /) -> None: ...

    @property
    def polls(self) -> bool:
        """Whether they wait for nothing that is not over: Python does."""
        ...

    @polls.setter
    def polls(self, polls: bool, /) -> None: ...

    def take_launches(self) -> int:
        """How many launches there have been since this was asked for last."""
        ...


#: Makes them, of a driver and the addresses of all functions of the ABI in Python.
NativeMaker = Callable[[Driver, dict[str, int]], NativeFunctions]


class CudaDevice(
    StreamFunctions, ModuleFunctions, LaunchFunctions, GraphFunctions, MemoryFunctions,
    SparseFunctions, CudaCommunication, Device,
):  # fmt: skip
    """The GPU `ordinal`, until `mgpuSetDefaultDevice` says otherwise: what a program makes from
    then on is made on the other device, and what it made before stays where it is. Work goes to the
    device that is chosen when it is given; streams go along (`streams`). `native` makes functions
    that compiled programs call in place of those in Python.
    """

    name = "cuda"
    kernel_format = "isa"

    def __init__(
        self,
        session: Session,
        driver: Driver | None = None,
        ordinal: int = 0,
        native: NativeMaker | None = None,
    ) -> None:
        Device.__init__(self, session)
        self._driver = driver if driver is not None else load_driver()
        self._ordinal = 0
        self._used: dict[int, Context] = {}
        self._make_native = native
        self._native: NativeFunctions | None = None
        self._thread = threading.local()
        self._trace: CudaTrace | None = None
        self._traced = session.events is not None
        self._ranges = wanted_ranges()
        self._sticky = False
        self._closed = False
        #: Of the modules whose launches go to the driver alone while nothing observes them.
        self.gates = Members[Gate]()
        self.mgpuSetDefaultDevice(ordinal)
        StreamFunctions.__init__(self)
        ModuleFunctions.__init__(self)
        GraphFunctions.__init__(self)
        MemoryFunctions.__init__(self)
        SparseFunctions.__init__(self)
        CudaCommunication.__init__(self)

    # -- contexts

    def _call(
        self, name: str, *arguments: object, doing: str = "", on: int | None = None
    ) -> SupportsInt:
        """A driver call in the context of the device `on` (of the default device, without),
        whatever thread makes it.
        """
        with self._current(on):
            return self._driver.call(name, *arguments, doing=doing)

    @contextlib.contextmanager
    def _current(self, on: int | None = None) -> Generator[None]:
        """While calls of the driver are made for the device `on`."""
        before = self._enter(self._context(on))
        try:
            yield
        except CudaError as problem:
            self._sticky = self._sticky or problem.result in STICKY
            raise
        finally:
            if before is not None:
                self._come_back(before)

    def _come_back(self, context: int) -> None:
        """Make the caller's context current again; what was done in ours is done, so this is tried
        twice before it is an error.
        """
        try:
            self._driver.call("cuCtxSetCurrent", context)
        except CudaError:
            self._driver.call("cuCtxSetCurrent", context)

    def _context(self, on: int | None = None) -> Context:
        ordinal = self._ordinal if on is None else on
        return self._used.get(ordinal) or self._use(ordinal)

    def _use(self, ordinal: int) -> Context:
        """Begin to use a device."""
        with self._driver.making:
            found = self._used.get(ordinal)
            if found is None:
                found = self._driver.context(ordinal)
                found.users += 1
                self._used[ordinal] = found
                self._connect(found)
        return found

    def _connect(self, context: Context) -> None:
        """Let devices use each other's memory where they can."""
        others = [c for c in self._used.values() if c is not context]
        self._set_native_context()
        for other in others:
            for user, owner in ((context, other), (other, context)):
                if self._driver.call("cuDeviceCanAccessPeer", user.device, owner.device):
                    self._open_memory(user, owner)

    def _open_memory(self, user: Context, owner: Context) -> None:
        try:
            self._call("cuCtxEnablePeerAccess", owner.handle, 0, on=user.ordinal)
        except CudaError as problem:
            if problem.result != "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED":
                raise
        owner.share_pool(user.ordinal)

    def _enter(self, context: Context) -> int | None:
        """Make `context` current; the context to come back to where the thread is not ours."""
        current = int(self._driver.call("cuCtxGetCurrent") or 0)
        if current == context.handle:
            return None
        self._driver.call("cuCtxSetCurrent", context.handle)
        # Where none was current, CUDA's other interface means device 0: its context may stay.
        stays = not current and context.ordinal == 0
        return None if stays or self._is_thread_ours() else current

    def _is_thread_ours(self) -> bool:
        """Whether a program runs in this thread, or it is a worker, which Python does not know."""
        if getattr(self._thread, "depth", 0):
            return True
        return threading.current_thread().name.startswith("Dummy-")

    @contextlib.contextmanager
    def entered(self) -> Generator[None]:
        before = int(self._driver.call("cuCtxGetCurrent") or 0)
        depth = getattr(self._thread, "depth", 0)
        self._thread.depth = depth + 1
        try:
            yield
        finally:
            self._thread.depth = depth
            now = int(self._driver.call("cuCtxGetCurrent") or 0)
            first = self._used.get(0)
            stays = not before and first is not None and now == first.handle  # as in `_enter`
            if now != before and not stays:
                self._come_back(before)

    def _attribute(self, name: str, on: int | None = None) -> int:
        return self._context(on).attribute(name)

    @property
    def chip(self) -> str:
        """What kernels should be compiled for, `sm_90a`."""
        from xgpu.backend.nvptx.compiler import chip_of_device

        major = self._attribute("COMPUTE_CAPABILITY_MAJOR")
        return chip_of_device(major, self._attribute("COMPUTE_CAPABILITY_MINOR"))

    @property
    def other_chips(self) -> tuple[str, ...]:
        """What kernels should be compiled for on the other devices, without entering them."""
        chips = (self._chip_on(n) for n in range(self._driver.call("cuDeviceGetCount")))
        return tuple(dict.fromkeys(chip for chip in chips if chip != self.chip))

    def _chip_on(self, ordinal: int) -> str:
        from xgpu.backend.nvptx.compiler import chip_of_device

        kinds = self._driver.bindings.CUdevice_attribute
        device = self._driver.call("cuDeviceGet", ordinal)
        major, minor = (
            self._driver.call("cuDeviceGetAttribute", kind, device)
            for kind in (
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            )
        )
        return chip_of_device(major, minor)

    def mgpuSetDefaultDevice(self, device: int) -> None:
        if device == self._ordinal:
            return
        count = self._driver.call("cuDeviceGetCount")
        if not 0 <= device < count:
            raise DeviceError(f"no device {device}: there are {count}")
        self._ordinal = device
        self._set_native_context()

    def address_table(self) -> ctypes.Array[ctypes.c_void_p]:
        """Pointers to all functions; to machine code where a launch shall not wait for Python."""
        table = super().address_table()
        if self._native is None and self._make_native is not None:
            python = {name: table[function.index] for name, function in FUNCTIONS.items()}
            try:
                self._native = self._make_native(self._driver, python)
            except CudaError:
                return table  # an old driver: Python serves
            self._set_native_context()
            for name, address in self._native.addresses.items():
                table[FUNCTIONS[name].index] = address
        return table

    def _set_native_context(self) -> None:
        """Machine code knows one context: it leaves all to Python where there are several, and
        while a trace is written, or ranges are."""
        if self._native is not None:
            chosen = self._used.get(self._ordinal)
            serves = chosen is not None and len(self._used) == 1 and not self.is_watched()
            self._native.context = chosen.handle if chosen is not None and serves else 0

    def is_watched(self) -> bool:
        """Whether each call is recorded."""
        return self._traced or self._ranges is not None

    def begin_trace(self) -> None:
        self._traced = True
        for gate in self.gates.all():
            gate.dismiss()
        self._set_native_context()

    def end_trace(self) -> None:
        self._traced = False
        self._set_native_context()
        trace, self._trace = self._trace, None
        if trace is not None and not self._sticky:
            trace.close()

    def finish(self) -> None:
        if self._native is not None:
            self.session.create("launches", self._native.take_launches())

    def _graph_launched(self, executable: int) -> None:
        if self._native is not None:
            self._native.graph = executable

    def _polls(self) -> bool:
        return self._native is not None and self._native.polls

    def set_polls(self, polls: bool) -> None:
        if self._native is not None:
            self._native.polls = polls

    def take_graph(self) -> Executable | None:
        """The graph that was launched last since this was asked for, which may be launched without
        the program: None where there is none."""
        if self._native is None or not self._native.context:
            return None
        graph, self._native.graph = self._native.graph, 0
        return self._executables.get(graph)

    # -- operations in streams

    def driver_call(self, name: str, *arguments: object, doing: str = "") -> Any:
        """A driver call in this device's context; its results. Raises `CudaError`."""
        return self._call(name, *arguments, doing=doing)

    def entered_context(self) -> AbstractContextManager[None]:
        """While the context of the default device is current."""
        return self._current()

    @property
    def driver(self) -> Driver:
        return self._driver

    @property
    def context(self) -> int:
        """The driver's handle of the context of the default device."""
        return self._context().handle

    def attribute(self, name: str) -> int:
        """An attribute of the device, by its name in CUdevice_attribute."""
        return self._attribute(name)

    def _tracing(self) -> CudaTrace | None:
        if self._trace is None and self._traced and self.session.events is not None:
            self._trace = CudaTrace(self.session, self._call, self._release, self._home)
        return self._trace

    def _operate(
        self, what: str, kind: str, stream: int, name: str, *arguments: object, doing: str = "",
        **details: object,
    ) -> object:  # fmt: skip
        """A driver call that puts an operation into `stream`; in a trace, it is called `what`."""
        return self._operation(
            what, kind, stream, lambda: self._driver.call(name, *arguments, doing=doing), **details
        )

    def _operation(
        self, what: str, kind: str, stream: int, do: Callable[[], object], **details: object
    ) -> object:
        """`do`, which puts an operation into `stream`, in the context of its device."""
        on = self._home(stream)

        def call() -> object:
            with self._current(on):
                return do()

        trace = self._tracing()
        if trace is None and self._ranges is None:
            return call()
        location = self.take_location()
        with self._ranges.around(what, location) if self._ranges is not None else nullcontext():
            if trace is None:
                return call()
            return trace.operation(what, kind, stream, location, call, **details)

    # -- end

    def release(self, name: str, *arguments: object) -> None:
        """A call of the driver that gives something of the default device back."""
        self._release(name, *arguments)

    def _release(self, name: str, *arguments: object, on: int | None = None) -> None:
        """Release something; after a sticky error, or without the driver, that cannot work."""
        if self._sticky:
            return
        try:
            self._call_again(name, *arguments, on=on)
        except CudaError as problem:
            if problem.result not in GONE and not self.session.failed:
                raise

    def _call_again(self, name: str, *arguments: object, on: int | None) -> None:
        """A call that is made once more where what failed was the way to it."""
        try:
            self._call(name, *arguments, on=on)
        except CudaError as problem:
            if problem.function == name or self._sticky:
                raise
            self._call(name, *arguments, on=on)

    def _wait_for_all(self) -> None:
        for ordinal in self._used:
            self._call("cuCtxSynchronize", doing="waiting for the device", on=ordinal)

    def abandon(self) -> None:
        self._closed = True

    def close(self) -> None:
        self.finish()
        if self._closed or not self._used:
            return
        self._closed = True
        if not self._sticky:
            self._drain()
        if not self._sticky:
            self._release_sparse()
            self._release_communicators()
        for each in (self._release_graphs, self._release_streams, self._release_memory,
                     self._release_modules):  # fmt: skip
            each()
        for context in self._used.values():
            with contextlib.suppress(DeviceError):
                self._driver.leave(context, broken=self._sticky)

    def _drain(self) -> None:
        """Wait for all that runs, and read the times of a trace."""
        try:
            self._wait_for_all()
            self.end_trace()
        except CudaError as problem:
            self.session.fail(str(problem))

    def _release_each(self, name: str, handles: dict[int, int]) -> None:
        """Release what is left of one kind: handles, and the devices that they belong to."""
        for handle, home in handles.items():
            with contextlib.suppress(DeviceError):
                self._release(name, handle, on=home)
        handles.clear()
