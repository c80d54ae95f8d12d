# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver with every call checked.

`cuda.bindings.driver` returns a tuple that begins with a CUresult; `Driver.call` raises
`DeviceError` with the driver's own words for anything but success, and gives back the rest.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, SupportsInt, cast

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_rlock, once

# After these the context is lost: cleaning up would only fail again.
STICKY = frozenset((
    "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_ASSERT",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION", "CUDA_ERROR_MISALIGNED_ADDRESS", "CUDA_ERROR_LAUNCH_TIMEOUT",
    "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC", "CUDA_ERROR_HARDWARE_STACK_ERROR",
    "CUDA_ERROR_ECC_UNCORRECTABLE",
))  # fmt: skip

# The process is ending and the driver has gone before us: nothing is left to release.
GONE = frozenset(("CUDA_ERROR_DEINITIALIZED", "CUDA_ERROR_CONTEXT_IS_DESTROYED"))

# This driver, or this device, has no such thing.
ABSENT = frozenset(("CUDA_ERROR_NOT_FOUND", "CUDA_ERROR_NOT_SUPPORTED"))

_FORKED = (
    "this process was forked from one that had used the cuda device, and CUDA does not work in "
    "it: start processes with multiprocessing's 'spawn', or use the device only in the child"
)

# Which interface of the driver we know: CUDA 12.0.
_INTERFACE = 12000


class CudaError(DeviceError):
    """A driver call failed; `result` is the CUresult's name, `function` what was called."""

    def __init__(self, message: str, result: str = "", function: str = "") -> None:
        super().__init__(message)
        self.result = result
        self.function = function


def pointer_to(address: int) -> object:
    """The address, or a handle of the driver, as an argument of `Driver.function`."""
    return ctypes.byref(ctypes.c_char.from_address(address))


class Driver:
    """`bindings` is the module cuda.bindings.driver, or something that looks like it."""

    def __init__(self, bindings: ModuleType) -> None:
        self.bindings = bindings
        self._process = os.getpid()
        self._entries: dict[str, int] = {}
        self._contexts: dict[int, Context] = {}
        #: Held while something is made that threads of a program share, so that it is made once.
        self.making = new_rlock()

    def call(self, name: str, *arguments: object, doing: str = "") -> Any:
        """Call `name`; its one result, a tuple of several, or None. `doing` goes into the error."""
        if os.getpid() != self._process:
            raise CudaError(_FORKED, "CUDA_ERROR_NOT_INITIALIZED")
        try:
            result, *values = getattr(self.bindings, name)(*arguments)
        except RuntimeError as problem:  # the library or a function of it is not there
            raise CudaError(f"{name}: {problem}", "CUDA_ERROR_NOT_FOUND") from None
        self.check(result, name, doing)
        if not values:
            return None
        return values[0] if len(values) == 1 else tuple(values)

    def check(self, result: SupportsInt, name: str, doing: str = "") -> None:
        """Raise `CudaError` unless `result`, which the function `name` gave, is success."""
        if int(result) == 0:
            return
        code, text = self._describe(result)
        what = f"{doing}: " if doing else ""
        raise CudaError(f"{what}{name} failed with {code} ({text})", code, name)

    def _describe(self, result: SupportsInt) -> tuple[str, str]:
        try:
            known = self.bindings.CUresult(int(result))
        except ValueError:
            return str(int(result)), "a result that the bindings do not know"
        code: str = known.name
        try:
            status, text = self.bindings.cuGetErrorString(known)
        except RuntimeError:
            return code, "no description"
        if int(status) != 0 or text is None:
            return code, "no description"
        return code, text.decode() if isinstance(text, bytes) else str(text)

    def entry(self, name: str) -> int:
        """The address of a function of the driver. Raises `CudaError` if it has none."""
        found = self._entries.get(name)
        if found is None:
            got: object = self.call("cuGetProcAddress", name.encode(), _INTERFACE, 0)
            if isinstance(got, tuple):
                got = cast("tuple[object, ...]", got)[0]
            found = int(cast("SupportsInt", got or 0))
            if not found:
                raise CudaError(f"the driver has no {name}", "CUDA_ERROR_NOT_FOUND")
            self._entries[name] = found
        return found

    def function(self, name: str) -> Callable[..., int]:
        """The entry point `name` as a function that gives the code of the result. Its arguments are
        pointers as `ctypes.byref` makes them, which ctypes has nothing to convert of, or objects of
        C types; other threads of Python run meanwhile. Raises `CudaError` as `entry`."""
        return cast("Callable[..., int]", ctypes.CFUNCTYPE(ctypes.c_int32)(self.entry(name)))

    @once
    def launch(self) -> Callable[[object, object, object, object], int]:
        """cuLaunchKernelEx: pointers to a `launches.LaunchConfig`, to a kernel (its handle), to an
        array of the arguments' addresses, and to further options."""
        return self.function("cuLaunchKernelEx")

    @once
    def launch_graph(self) -> Callable[[object, object], int]:
        """cuGraphLaunch: an executable graph, a stream."""
        return self.function("cuGraphLaunch")

    @once
    def query_stream(self) -> Callable[[object], int]:
        """cuStreamQuery."""
        return self.function("cuStreamQuery")

    # -- contexts

    def context(self, ordinal: int) -> Context:
        """The primary context of a device, kept until the process ends or `drop` is called: to
        make it again for each program would take longer than most programs.
        """
        with self.making:
            found = self._contexts.get(ordinal)
            if found is None:
                if not self._contexts:
                    atexit.register(self.drop_all)
                found = self._contexts[ordinal] = Context(self, ordinal)
        return found

    def leave(self, context: Context, *, broken: bool) -> None:
        """One who has used a context does not any more; what an error has `broken` goes back with
        the last of them, and the next program gets a new one.
        """
        context.users -= 1
        context.is_broken = context.is_broken or broken
        if not context.is_broken:
            context.trim()
        elif context.users <= 0:
            self.drop(context)

    def drop(self, context: Context) -> None:
        """Give a context back."""
        if self._contexts.get(context.ordinal) is context:
            del self._contexts[context.ordinal]
            context.release()

    def drop_all(self) -> None:
        """Give all contexts back; errors at the end of the process are dropped."""
        for context in list(self._contexts.values()):
            try:
                self.drop(context)
            except DeviceError:
                continue
        atexit.unregister(self.drop_all)


class Context:
    """The primary context of a device, and what is asked of the device once."""

    __slots__ = (
        "_attributes", "_driver", "_pool", "device", "handle", "is_broken", "ordinal", "users",
    )  # fmt: skip

    def __init__(self, driver: Driver, ordinal: int) -> None:
        self._driver = driver
        self._attributes: dict[str, int] = {}
        self._pool: object = None
        #: Devices that use it; whether an error has made it useless.
        self.users = 0
        self.is_broken = False
        self.ordinal = ordinal
        self.device = driver.call("cuDeviceGet", ordinal)
        self.handle = int(driver.call("cuDevicePrimaryCtxRetain", self.device))

    def attribute(self, name: str) -> int:
        """A CU_DEVICE_ATTRIBUTE of the device, by the rest of its name."""
        value = self._attributes.get(name)
        if value is None:
            kind = getattr(self._driver.bindings.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
            value = self._driver.call("cuDeviceGetAttribute", kind, self.device)
            self._attributes[name] = value
        return value

    def pool(self) -> object:
        """A pool of memory of our own that keeps what is freed, or None where the driver makes
        none. The default pool gives memory back to the system at every synchronization, and
        belongs to the whole process: to change that there would change it for others too.
        """
        if self._pool is None:
            with self._driver.making:
                if self._pool is None:
                    self._pool = self._made_pool()
        return self._pool or None

    def _made_pool(self) -> object:
        """A pool, or False where the driver makes none."""
        try:
            return self._make_pool()
        except CudaError as problem:
            if problem.result not in ABSENT:
                raise
            return False

    def _make_pool(self) -> object:
        b = self._driver.bindings
        properties = b.CUmemPoolProps()
        properties.allocType = b.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        properties.location.type = b.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        properties.location.id = self.ordinal
        pool = self._driver.call("cuMemPoolCreate", properties)
        kind = b.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
        try:
            self._driver.call("cuMemPoolSetAttribute", pool, kind, b.cuuint64_t(2**64 - 1))
        except CudaError:
            self._driver.call("cuMemPoolDestroy", pool)
            raise
        return pool

    def share_pool(self, ordinal: int) -> None:
        """Let another device read and write what the pool allocates."""
        pool = self.pool()
        if pool is None:
            return
        b = self._driver.bindings
        access = b.CUmemAccessDesc()
        access.location.type = b.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        access.location.id = ordinal
        access.flags = b.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        self._driver.call("cuMemPoolSetAccess", pool, [access], 1)

    def trim(self) -> None:
        """Give the pool's free memory back to the system."""
        if self._pool:
            self._driver.call("cuMemPoolTrimTo", self._pool, 0)

    def release(self) -> None:
        if self._pool:
            pool, self._pool = self._pool, None
            with contextlib.suppress(CudaError):  # a broken context takes the pool with it
                self._driver.call("cuMemPoolDestroy", pool)
        self._driver.call("cuDevicePrimaryCtxRelease", self.device)


@cache
def load_driver() -> Driver:
    """The driver of this machine. Raises `DeviceError` that says what is missing."""
    remedy = "the device 'host' is a simulated one"
    try:
        from cuda.bindings import driver  # pyright: ignore
    except ImportError:
        raise DeviceError(
            f"the cuda device needs the package cuda-python (pip install 'xgpu[cuda]'); {remedy}"
        ) from None
    wrapped = Driver(cast("ModuleType", driver))
    try:
        wrapped.call("cuInit", 0)
        count = wrapped.call("cuDeviceGetCount")
    except DeviceError as problem:
        reason = str(problem).strip()
        raise DeviceError(f"no NVIDIA GPU can be used here: {reason}; {remedy}") from None
    except Exception as problem:  # cuda-bindings raises what its loader raises
        raise DeviceError(f"no NVIDIA driver can be loaded: {problem}; {remedy}") from None
    if count == 0:
        raise DeviceError(f"there is no NVIDIA GPU here; {remedy}")
    return wrapped


def is_available() -> bool:
    """Whether there is a GPU and a driver for it."""
    if "cuda.bindings.driver" not in sys.modules and not _has_library():
        return False  # without importing what takes as long as lowering a small program
    try:
        load_driver()
    except DeviceError:
        return False
    return True


def _has_library() -> bool:
    """Whether the driver's library can be loaded; where that is another matter, it may be."""
    if sys.platform != "linux":
        return True
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True
