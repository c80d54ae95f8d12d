# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for cuda.bindings.driver: the real module's enumerations and structures, functions
that keep books, check what they are given as the driver documents it, and run no kernel.

What breaks a rule is written into `violations` and refused with the driver's code. Functions exist
only if the real module has them. As machine code calls the driver, so it can call this: entry
points are C functions, whose structures are read from memory as cuda.h lays them out.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from typing import Any

from cuda.bindings import driver as real

from tests.support import fake_graph_rules, fake_memory_rules, fake_neighbour_rules  # noqa: F401  add to RULES
from tests.support.fake_rules import RULES, AnotherContext, Refused

OK = real.CUresult.CUDA_SUCCESS

ATTRIBUTES = {
    "COMPUTE_CAPABILITY_MAJOR": 9, "COMPUTE_CAPABILITY_MINOR": 0, "MAX_THREADS_PER_BLOCK": 1024,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 232448, "MEMORY_POOLS_SUPPORTED": 1,
    "CONCURRENT_MANAGED_ACCESS": 1, "CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM": 1,
}  # fmt: skip

#: The context of device 0; that of device 1 comes next.
FIRST_CONTEXT = 0x7C0000

_I, _L = ctypes.c_uint32, ctypes.c_uint64
# The driver's functions as C functions: what they take (Driver API reference).
ENTRIES = {
    "cuCtxGetCurrent": [_L], "cuCtxPushCurrent": [_L], "cuCtxPopCurrent": [_L],
    "cuLaunchKernel": [_L, *[_I] * 7, _L, _L, _L],
    "cuLaunchKernelEx": [_L, _L, _L, _L],
    "cuStreamSynchronize": [_L], "cuStreamQuery": [_L], "cuEventQuery": [_L],
    "cuStreamWaitEvent": [_L, _L, _I],
    "cuEventRecord": [_L, _L],
    "cuEventSynchronize": [_L], "cuMemcpyAsync": [_L, _L, _L, _L],
    "cuMemsetD8Async": [_L, ctypes.c_uint8, _L, _L],
    "cuMemsetD16Async": [_L, ctypes.c_uint16, _L, _L], "cuMemsetD32Async": [_L, _I, _L, _L],
    "cuGraphLaunch": [_L, _L], "cuGraphExecKernelNodeSetParams": [_L, _L, _L],
    "cuGraphExecMemcpyNodeSetParams": [_L, _L, _L, _L],
    "cuGraphExecMemsetNodeSetParams": [_L, _L, _L, _L],
    "cuTensorMapEncodeTiled": [_L, _I, _I, _L, _L, _L, _L, _L, _I, _I, _I, _I],
}  # fmt: skip

# Which argument is a structure, and of which class: bindings take no other.
STRUCTURES: dict[str, tuple[int, Any]] = {
    "cuLaunchKernelEx": (0, real.CUlaunchConfig),
    "cuMemcpy2DAsync": (0, real.CUDA_MEMCPY2D),
    "cuGraphAddKernelNode": (3, real.CUDA_KERNEL_NODE_PARAMS),
    "cuGraphAddMemcpyNode": (3, real.CUDA_MEMCPY3D),
    "cuGraphAddMemsetNode": (3, real.CUDA_MEMSET_NODE_PARAMS),
    "cuGraphAddHostNode": (3, real.CUDA_HOST_NODE_PARAMS),
    "cuGraphAddMemAllocNode": (3, real.CUDA_MEM_ALLOC_NODE_PARAMS),
    "cuGraphKernelNodeSetAttribute": (2, real.CUkernelNodeAttrValue),
    "cuGraphExecKernelNodeSetParams": (2, real.CUDA_KERNEL_NODE_PARAMS),
    "cuGraphExecMemcpyNodeSetParams": (2, real.CUDA_MEMCPY3D),
    "cuGraphExecMemsetNodeSetParams": (2, real.CUDA_MEMSET_NODE_PARAMS),
    "cuMemPoolCreate": (0, real.CUmemPoolProps),
}

_NO_CONTEXT = frozenset((
    "cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxSetCurrent",
    "cuCtxGetCurrent", "cuDeviceGetAttribute", "cuCtxGetDevice",
    "cuDriverGetVersion", "cuGetProcAddress", "cuDeviceCanAccessPeer", "cuGetErrorString",
    "cuMemPoolCreate", "cuMemPoolSetAttribute", "cuMemPoolSetAccess", "cuMemPoolTrimTo",
    "cuMemPoolDestroy", "cuGraphCreate", "cuGraphDestroy", "cuGraphExecDestroy",
    "cuStreamDestroy", "cuEventDestroy",
))  # fmt: skip

# Launches leave it to the driver to find out that another context is current: to be refused for
# that breaks no rule.
_FINDS_OUT = frozenset(("cuLaunchKernelEx", "cuGraphLaunch"))


class Memory:
    """An allocation: real memory of the process. `kind`: plain, managed, ordered, mapped, graph."""

    def __init__(self, size: int, kind: str) -> None:
        self.size = size
        self.kind = kind
        self.buffer = ctypes.create_string_buffer(size)
        self.address = ctypes.addressof(self.buffer)


class FakeDriver:
    """`calls` records (name, arguments); `failures` maps a name to the CUresult it gives; the
    call number `fail_at` gives `fail_with`, and each later one too if that is `sticky`.
    """

    def __init__(self, **attributes: int) -> None:
        self.attributes = {**ATTRIBUTES, **attributes}
        self.count = 2
        self.chips: dict[int, tuple[int, int]] = {}  # of devices that are other than `attributes`
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.violations: list[str] = []
        self.failures: dict[str, Any] = {}
        self.fail_at = 0
        self.fail_with = real.CUresult.CUDA_ERROR_INVALID_VALUE
        self.sticky = False
        self.injected: str | None = None
        self.numbered = 0
        self.log = b""
        self.absent: set[str] = set()
        self.handles = itertools.count(0x1000, 0x100)
        self.alive: dict[str, dict[int, Any]] = {}
        self.retained: dict[int, int] = {}
        self.current: dict[int, int] = {}  # thread -> context
        self.pushed: dict[int, list[int]] = {}  # thread -> contexts below the current one
        self.recorded: dict[int, int] = {}  # event -> milliseconds: one for each recording
        self.clock = 0
        self.pools_of_devices: dict[int, int] = {}
        # Kernel, grid, block, cluster, shared bytes and stream of each launch that was done.
        self.launches: list[tuple[int, list[int], list[int], list[int], int, int]] = []
        self.tensor_maps: list[Any] = []  # type, address, sizes, strides, box of each
        self._entries: dict[str, Any] = {}  # C functions that were asked for
        self._lock = threading.RLock()

    def made(self) -> list[tuple[str, tuple[Any, ...]]]:
        """The calls, but for those that only look, or say in which context."""
        looks = (
            "cuCtxPushCurrent",
            "cuCtxPopCurrent",
            "cuCtxSetCurrent",
            "cuCtxGetCurrent",
            "cuDeviceGetAttribute",
            "cuDeviceGet",
        )
        return [call for call in self.calls if call[0] not in looks]

    def names(self) -> list[str]:
        """The names of what was `made`."""
        return [name for name, _ in self.made()]

    def leftovers(self) -> dict[str, int]:
        """What is alive, by kind."""
        kinds = {k: len(v) for k, v in self.alive.items() if v and k not in ("kernel", "node")}
        return kinds | ({"context": n} if (n := sum(self.retained.values())) else {})

    # -- calling

    def __getattr__(self, name: str) -> Any:
        original = getattr(real, name)  # what the real module lacks, must not be called
        if not name.startswith("cu") or name.startswith("cuuint"):
            return original

        def call(*arguments: Any) -> tuple[Any, ...]:
            if name == "cuGetErrorString":
                return OK, b"words of the driver"
            if name in self.absent:
                raise RuntimeError(f'Function "{name}" not found')
            where = STRUCTURES.get(name)
            if where is not None and not isinstance(arguments[where[0]], where[1]):
                raise TypeError(f"{name}: argument {where[0]} is no {where[1].__name__}")
            return self._call(name, arguments)

        return call

    def _call(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        with self._lock:
            self.calls.append((name, arguments))
            self.numbered += 1
            failure = self._failure(name)
            if failure is not None:
                if name == "cuModuleLoadDataEx":
                    arguments[3][0][: len(self.log)] = self.log
                return (failure, 0)
            finds_out = name in _FINDS_OUT
            if name not in _NO_CONTEXT and not self.here():
                words = f"{name} without a current context"
                return (self.refuse(words, "INVALID_CONTEXT", not finds_out),)
            try:
                rule = RULES.get(name)
                values = rule(self, *arguments) if rule is not None else ()
            except Refused as refusal:
                broken = refusal.broken and not (finds_out and isinstance(refusal, AnotherContext))
                return (self.refuse(f"{name}: {refusal}", refusal.code, broken), 0)
            return (OK, *(() if values is None else values))

    def _failure(self, name: str) -> Any:
        if name in self.failures:
            return self.failures[name]
        if self.fail_at and self.numbered == self.fail_at:
            self.injected = name
            return self.fail_with
        if self.sticky and self.injected is not None and name not in _NO_CONTEXT:
            return self.fail_with
        return None

    def refuse(self, words: str, code: str, broken: bool = True) -> Any:
        if broken:
            self.violations.append(words)
        return getattr(real.CUresult, f"CUDA_ERROR_{code}")

    def here(self) -> int:
        """The context that is current in this thread, if it is alive."""
        context = self.current.get(threading.get_ident(), 0)
        return context if context and self.retained.get(context - FIRST_CONTEXT) else 0

    def entry(self, name: str) -> int:
        """The address of a C function that does what the Python function does."""
        if name not in self._entries:

            def call(*arguments: int) -> int:
                if name in ("cuCtxGetCurrent", "cuCtxPopCurrent"):
                    result, context = self._call(name, ())[:2]
                    ctypes.c_uint64.from_address(arguments[0]).value = int(context)
                    return int(result)
                return int(self._call(name, arguments)[0])

            self._entries[name] = ctypes.CFUNCTYPE(ctypes.c_int32, *ENTRIES[name])(call)
        return ctypes.cast(self._entries[name], ctypes.c_void_p).value or 0

    # -- books

    def make(self, kind: str, what: Any = None, handle: int = 0) -> int:
        handle = handle or next(self.handles)
        self.alive.setdefault(kind, {})[handle] = what
        return handle

    def find(self, kind: str, handle: Any) -> Any:
        found = self.alive.get(kind, {})
        if int(handle) not in found:
            raise Refused(f"0x{int(handle):x} is no live {kind}", "INVALID_HANDLE")
        return found[int(handle)]

    def end(self, kind: str, handle: Any) -> Any:
        self.find(kind, handle)
        return self.alive[kind].pop(int(handle))

    def memory_at(self, address: int, size: int = 1) -> Memory | None:
        """The allocation that holds these bytes; None: they are the host's."""
        for memory in self.alive.get("memory", {}).values():
            if memory.address <= address < memory.address + memory.size:
                if address + size > memory.address + memory.size:
                    raise Refused(f"{size} bytes leave an allocation of {memory.size}")
                return memory
        return None
