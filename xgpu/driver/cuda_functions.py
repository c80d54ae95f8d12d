# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that programs call most, over the driver without Python between.

`cuda_function_sources` has them, in the language of the native library. Each calls the driver's
entry point, whose address the driver itself gives (cuGetProcAddress). What needs more than that,
and what the driver refuses, is left to the function in Python, which does it again and finds the
words for the error; so is everything while a trace is written, where a program uses several
devices, and the first call of each thread, which makes the context current there.
"""

from __future__ import annotations

import ctypes
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.graph_nodes import FillNode, KernelNode, NodeRecord
from xgpu.runtime.cuda.launches import LaunchAttribute, LaunchConfig
from xgpu.runtime.launch_limits import PORTABLE_CLUSTER

if TYPE_CHECKING:
    from llvmlite.binding.orcjit import ResourceTracker

_numbers = itertools.count()


def _offset(structure: type[ctypes.Structure], field: str, unit: int = 1) -> int:
    """Where a field begins, in bytes or in words of so many."""
    found: int = getattr(structure, field).offset
    return found // unit


#: The functions, by their names in the ABI.
NAMES = (
    "mgpuLaunchKernel", "mgpuLaunchClusterKernel", "mgpuStreamSynchronize", "mgpuStreamWaitEvent",
    "mgpuEventRecord", "mgpuEventSynchronize", "mgpuMemcpy", "mgpuMemset8", "mgpuMemset16",
    "mgpuMemset32", "mgpuGraphExecKernelSetParams", "mgpuGraphExecMemsetSetParams",
    "mgpuGraphLaunch",
)  # fmt: skip
# What they call of the driver.
_ENTRIES = (
    "cuCtxGetCurrent", "cuLaunchKernelEx", "cuStreamSynchronize", "cuStreamQuery",
    "cuStreamWaitEvent", "cuEventRecord", "cuEventSynchronize", "cuEventQuery", "cuMemcpyAsync",
    "cuMemsetD8Async", "cuMemsetD16Async", "cuMemsetD32Async", "cuGraphExecKernelNodeSetParams",
    "cuGraphExecMemsetNodeSetParams", "cuGraphLaunch",
)  # fmt: skip

# -- numbers for the source: bytes, and where fields lie, in words of 8 or 4 bytes

CONTEXT, LAUNCHES, GRAPH, POLLS = range(4)  # words that Python shares
CONFIG_BYTES, ATTRIBUTE_BYTES = ctypes.sizeof(LaunchConfig), ctypes.sizeof(LaunchAttribute)
ATTRIBUTE_VALUE = _offset(LaunchAttribute, "value", 4)
CONFIG_GRID, CONFIG_BLOCK = _offset(LaunchConfig, "grid", 4), _offset(LaunchConfig, "block", 4)
CONFIG_SHARED, CONFIG_COUNT = _offset(LaunchConfig, "shared", 4), _offset(LaunchConfig, "count", 4)
CONFIG_STREAM = _offset(LaunchConfig, "stream", 8)
CONFIG_ATTRIBUTES = _offset(LaunchConfig, "attributes", 8)
NODE_HANDLE, NODE_WORDS = _offset(NodeRecord, "handle", 8), _offset(NodeRecord, "words", 8)
NODE_PARAMETERS = _offset(NodeRecord, "parameters", 8)
NODE_STORAGE = _offset(NodeRecord, "storage", 8)
NODE_EXECUTABLE = _offset(NodeRecord, "executable", 8)
KERNEL_BYTES, KERNEL_FUNCTION = ctypes.sizeof(KernelNode), _offset(KernelNode, "function", 8)
KERNEL_GRID, KERNEL_BLOCK = _offset(KernelNode, "grid", 4), _offset(KernelNode, "block", 4)
KERNEL_SHARED = _offset(KernelNode, "shared", 4)
KERNEL_PARAMETERS = _offset(KernelNode, "parameters", 8)
FILL_BYTES, FILL_TARGET = ctypes.sizeof(FillNode), _offset(FillNode, "target", 8)
FILL_VALUE, FILL_SIZE = _offset(FillNode, "value", 4), _offset(FillNode, "size", 4)
FILL_WIDTH, FILL_HEIGHT = _offset(FillNode, "width", 8), _offset(FillNode, "height", 8)

# The words that Python shares, which the language has no way to name.
_OWN = {
    "xgpu_cuda_words": "@xgpu_cuda_words = external global [4 x i64]",
    "cuda_words": "define ptr @cuda_words() alwaysinline { ret ptr @xgpu_cuda_words }",
}


class NativeFunctions:
    """Addresses by name in `addresses`. `python` has those of the functions in Python."""

    def __init__(self, driver: Driver, python: dict[str, int]) -> None:
        from xgpu.host_device.native.library import libc_addresses

        self._words = (ctypes.c_int64 * 4)()
        symbols = {entry: driver.entry(entry) for entry in _ENTRIES} | libc_addresses(("memcmp",))
        symbols |= {f"python_{name}": python[name] for name in NAMES}
        symbols["xgpu_cuda_words"] = ctypes.addressof(self._words)
        self._tracker, self.addresses = linked(machine_code(), symbols, NAMES)

    @property
    def context(self) -> int:
        """The context that has to be current; 0 where everything is left to Python."""
        return self._words[CONTEXT]

    @context.setter
    def context(self, handle: int) -> None:
        self._words[CONTEXT] = handle

    @property
    def graph(self) -> int:
        """The program's handle of the executable graph that was launched last, 0 for none."""
        return self._words[GRAPH]

    @graph.setter
    def graph(self, executable: int) -> None:
        self._words[GRAPH] = executable

    @property
    def polls(self) -> bool:
        """Whether they wait for nothing that is not over: Python does."""
        return bool(self._words[POLLS])

    @polls.setter
    def polls(self, polls: bool) -> None:
        self._words[POLLS] = int(polls)

    def take_launches(self) -> int:
        """How many launches there have been since this was asked for last."""
        count, self._words[LAUNCHES] = self._words[LAUNCHES], 0
        return count


# What the machine code depends on: the source, and where its numbers come from.
_FILES = ("driver/cuda_function_sources.py", "driver/cuda_functions.py", "runtime/cuda/launches.py",
          "runtime/cuda/graph_nodes.py")  # fmt: skip


def _file(name: str) -> str:
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), name)
    with open(path, encoding="utf-8") as file:
        return file.read()


def library_text() -> str:
    """The functions as LLVM IR."""
    from xgpu.host_device.native.language import Source
    from xgpu.host_device.native.library_text import compile_reachable

    source = Source("cuda_function_sources", _file(_FILES[0]), f"xgpu/{_FILES[0]}")
    return compile_reachable([source], "xgpu cuda", NAMES, _OWN)


def machine_code() -> bytes:
    """Object code of the functions, from the user's cache if it is there."""
    sources = [_file(name) for name in _FILES]
    return cached_code([*sources, str(PORTABLE_CLUSTER)], library_text)


def linked(
    code: bytes, symbols: Mapping[str, int], names: Sequence[str]
) -> tuple[ResourceTracker, dict[str, int]]:
    """Machine code as a library of this process: what it lives as long as, and the addresses of
    `names` in it. `symbols` has those that it needs."""
    from llvmlite import binding

    from xgpu.host_device.native.library import native_library

    builder = binding.JITLibraryBuilder().add_object_img(code)
    for name, address in symbols.items():
        builder.import_symbol(name, address)
    for name in names:
        builder.export_symbol(name)
    tracker = builder.link(native_library().jit, f"xgpu.functions.{next(_numbers)}")
    return tracker, {name: tracker[name] for name in names}


def cached_code(sources: Sequence[str], library_text: Callable[[], str]) -> bytes:
    """Object code of a library in LLVM IR that depends on these texts, from the user's cache if it
    is there."""
    from xgpu.core.support import cache
    from xgpu.core.support.cache import CUDA
    from xgpu.host_device.machine.cpu import compile_ir, description
    from xgpu.host_device.native.parts import compiler_state

    said = [compiler_state(), *(source.encode() for source in sources)]
    key = CUDA.key(machine=description(), sources=cache.checksum(b"\0".join(said)).hex())
    code = CUDA.get(key)
    if code is None:
        code = compile_ir(library_text(), 2)
        CUDA.put(key, code)
    return code
