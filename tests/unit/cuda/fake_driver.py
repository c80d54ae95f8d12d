# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for cuda.bindings.driver: the real module's enumerations, functions that only keep
books.

Every call is checked against the real module: the function must exist there.
"""

from __future__ import annotations

import itertools
from typing import Any

from cuda.bindings import driver as real

OK = real.CUresult.CUDA_SUCCESS

ATTRIBUTES = {
    "COMPUTE_CAPABILITY_MAJOR": 9, "COMPUTE_CAPABILITY_MINOR": 0, "MAX_THREADS_PER_BLOCK": 1024,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 232448,
}  # fmt: skip


class FakeDriver:
    """`calls` records (name, arguments); `failures` maps a name to the CUresult it gives."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.failures: dict[str, Any] = {}
        self.log = b""
        self._handles = itertools.count(0x1000, 0x100)
        self.alive: dict[str, set[int]] = {}

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

    def _values(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        if name == "cuDeviceGetCount":
            return (2,)
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
