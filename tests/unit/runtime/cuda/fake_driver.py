# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for cuda.bindings.driver: the real module's enumerations, functions that only keep
books.

Every call is checked against the real module: the function must exist there.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

from cuda.bindings import driver as real

OK = real.CUresult.CUDA_SUCCESS

ATTRIBUTES = {
    "COMPUTE_CAPABILITY_MAJOR": 9, "COMPUTE_CAPABILITY_MINOR": 0, "MAX_THREADS_PER_BLOCK": 1024,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 232448,
}  # fmt: skip


_I, _L = ctypes.c_uint32, ctypes.c_uint64
# The driver's functions as C functions: what they take (Driver API reference).
ENTRIES = {
    "cuCtxSetCurrent": [_L], "cuLaunchKernel": [_L, *[_I] * 7, _L, _L, _L],
    "cuStreamSynchronize": [_L], "cuStreamWaitEvent": [_L, _L, _I], "cuEventRecord": [_L, _L],
    "cuEventSynchronize": [_L], "cuMemcpyAsync": [_L, _L, _L, _L],
    "cuMemsetD8Async": [_L, ctypes.c_uint8, _L, _L],
    "cuMemsetD16Async": [_L, ctypes.c_uint16, _L, _L], "cuMemsetD32Async": [_L, _I, _L, _L],
    "cuGraphLaunch": [_L, _L],
}  # fmt: skip


class FakeDriver:
    """`calls` records (name, arguments); `failures` maps a name to the CUresult it gives."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.failures: dict[str, Any] = {}
        self.log = b""
        self._handles = itertools.count(0x1000, 0x100)
        self.alive: dict[str, set[int]] = {}
        self.recorded: dict[int, int] = {}  # event -> milliseconds: one for each recording
        self._clock = 0
        self._entries: dict[str, Any] = {}  # C functions that were asked for

    def names(self) -> list[str]:
        return [name for name, _ in self.calls if name not in ("cuCtxSetCurrent",)]

    def __getattr__(self, name: str) -> Any:
        original = getattr(real, name)  # what the real module lacks, nobody may call
        if not name.startswith("cu") or name.startswith("cuuint"):
            return original

        def call(*arguments: Any) -> tuple[Any, ...]:
            if name == "cuGetErrorString":
                return real.CUresult.CUDA_SUCCESS, b"words of the driver"
            self.calls.append((name, arguments))
            if name in self.failures:
                if name == "cuModuleLoadDataEx":
                    arguments[3][0][: len(self.log)] = self.log
                return (self.failures[name], 0)
            return (OK, *self._values(name, arguments))

        return call

    def _entry(self, name: str) -> int:
        """The address of a C function that records calls as the Python function does."""
        if name not in self._entries:
            kinds = ENTRIES[name]

            def call(*arguments: int) -> int:
                return int(getattr(self, name)(*arguments)[0])

            self._entries[name] = ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(call)
        return ctypes.cast(self._entries[name], ctypes.c_void_p).value or 0

    def _values(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        if name == "cuDeviceGetCount":
            return (2,)
        if name == "cuEventRecord":
            self._clock += 1
            self.recorded[int(arguments[0])] = self._clock
        if name == "cuEventElapsedTime":
            first, second = (self.recorded[int(a)] for a in arguments)
            return (float(second - first),)
        if name == "cuGetProcAddress":
            return (self._entry(arguments[0].decode()), 0)
        if name == "cuDeviceGetAttribute":
            key = arguments[0].name.removeprefix("CU_DEVICE_ATTRIBUTE_")
            return (ATTRIBUTES[key],)
        made = {
            "cuStreamCreate": "stream", "cuEventCreate": "event", "cuModuleLoadDataEx": "module",
            "cuMemAlloc": "memory", "cuMemAllocAsync": "memory", "cuMemAllocManaged": "memory",
            "cuGraphCreate": "graph", "cuGraphInstantiate": "executable",
        }  # fmt: skip
        ended = {
            "cuStreamDestroy": "stream", "cuEventDestroy": "event", "cuModuleUnload": "module",
            "cuMemFree": "memory", "cuMemFreeAsync": "memory", "cuGraphDestroy": "graph",
            "cuGraphExecDestroy": "executable",
        }  # fmt: skip
        if name in made:
            handle = next(self._handles)
            self.alive.setdefault(made[name], set()).add(handle)
            return (handle,)
        if name in ended:
            self.alive[ended[name]].remove(int(arguments[0]))
        if name.startswith("cuGraphAdd"):
            if name == "cuGraphAddMemAllocNode":
                arguments[3].dptr = real.CUdeviceptr(next(self._handles))
            return (next(self._handles),)
        if name in ("cuModuleGetFunction", "cuDevicePrimaryCtxRetain", "cuDeviceGet"):
            return (next(self._handles),)
        return ()
