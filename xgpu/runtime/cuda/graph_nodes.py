# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of graphs on the cuda device, and the parameters that the driver gets for each.

A program's handle of a node is the address of its `NodeRecord`, which holds the driver's handle
and the parameters as they were set last, by Python or machine code: machine code changes a node and
writes them down, and Python can make the whole graph anew from them when the driver refuses a
change.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

from xgpu.runtime.cuda.driver import CudaError, Driver

Dims = tuple[int, int, int]
_I, _L = ctypes.c_uint32, ctypes.c_uint64


class NodeRecord(ctypes.Structure):
    """What machine code and Python share of a node.

    `handle` is the driver's, 0 where machine code may not change the node. `words` are, of a
    kernel: function, grid, block, shared bytes, bytes of its parameters; of a copy: to, from,
    bytes; of a fill: to, value, bytes of a value, values. `executable` is the cell of the
    executable graph whose node was set to that last: to set it again to the same is no work.
    """

    _fields_ = (
        ("handle", ctypes.c_uint64),
        ("parameters", ctypes.c_uint64),  # an array of addresses in `storage`
        ("storage", ctypes.c_uint64),
        ("words", ctypes.c_int64 * 9),
        ("executable", ctypes.c_uint64),
    )


class KernelNode(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS of cuda.h, version 12.0."""

    _fields_ = (
        ("function", _L), ("grid", _I * 3), ("block", _I * 3), ("shared", _I), ("parameters", _L),
        ("extra", _L), ("kernel", _L), ("context", _L),
    )  # fmt: skip


class FillNode(ctypes.Structure):
    """CUDA_MEMSET_NODE_PARAMS of cuda.h."""

    _fields_ = (
        ("target", _L), ("pitch", _L), ("value", _I), ("size", _I), ("width", _L), ("height", _L),
    )  # fmt: skip


@dataclass(slots=True, eq=False)
class Node:
    """A node of a graph. `parts` are the driver's nodes: the last is what others follow, and
    `count` of them do something (of a copy of nothing none does, but a join stands for it).
    """

    kind: str
    after: tuple[Node, ...]
    doing: str
    record: NodeRecord = field(default_factory=NodeRecord)
    cluster: Dims | None = None
    parts: list[int] = field(default_factory=list)
    count: int = 0
    fixed: object = None  # parameters of a node that never changes
    kept: list[object] = field(default_factory=list)

    @property
    def address(self) -> int:
        return ctypes.addressof(self.record)

    def set_words(self, *words: int) -> None:
        self.record.words[: len(words)] = words

    def set_parameters(self, parameters: int, count: int, size: int) -> None:
        """Copy `count` parameters of `size` bytes together: the program's own are gone after the
        call.
        """
        if not count:
            return
        pointers = (ctypes.c_uint64 * count).from_address(parameters)
        if not self.kept:
            storage = ctypes.create_string_buffer(size + 16)
            base = -(-ctypes.addressof(storage) // 16) * 16
            first = pointers[0]
            array = (ctypes.c_uint64 * count)(*(base + p - first for p in pointers))
            self.kept = [storage, array]
            self.record.storage = base
            self.record.parameters = ctypes.addressof(array)
        ctypes.memmove(self.record.storage, pointers[0], size)


class NodeParameters:
    """The driver's structures for nodes; a copy or fill of nothing has none."""

    def __init__(self, driver: Driver) -> None:
        self._driver, self._bindings = driver, driver.bindings

    def of(self, node: Node) -> list[object]:
        """A structure for each part of the node; an empty list: it is a mere join."""
        if node.kind == "Kernel":
            return [self._kernel(node.record)]
        words = list(node.record.words)
        if node.kind == "Memcpy":
            return self._copy(*words[:3])
        if node.kind == "Memset":
            return self._fills(*words[:4])
        return [] if node.fixed is None else [node.fixed]

    def _kernel(self, record: NodeRecord) -> object:
        function, gx, gy, gz, bx, by, bz, shared, _ = record.words
        params = self._bindings.CUDA_KERNEL_NODE_PARAMS()
        params.func = self._bindings.CUfunction(function)
        params.gridDimX, params.gridDimY, params.gridDimZ = gx, gy, gz
        params.blockDimX, params.blockDimY, params.blockDimZ = bx, by, bz
        params.sharedMemBytes = shared
        params.kernelParams = int(record.parameters)
        return params

    def _copy(self, target: int, source: int, size: int) -> list[object]:
        if not size:
            return []
        params = self._bindings.CUDA_MEMCPY3D()
        kinds = self._bindings.CUmemorytype
        for end, address in (("src", source & 2**64 - 1), ("dst", target & 2**64 - 1)):
            is_host = self._is_plain(address)
            kind = kinds.CU_MEMORYTYPE_HOST if is_host else kinds.CU_MEMORYTYPE_UNIFIED
            setattr(params, f"{end}MemoryType", kind)
            setattr(params, f"{end}{'Host' if is_host else 'Device'}", address)
        params.WidthInBytes, params.Height, params.Depth = size, 1, 1
        return [params]

    def _is_plain(self, address: int) -> bool:
        """Whether it is memory of the host that the driver does not know: a node that calls that
        unified faults when it runs, unlike `cuMemcpyAsync`."""
        attribute = self._bindings.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE
        try:
            self._driver.call("cuPointerGetAttribute", attribute, address)
        except CudaError as problem:
            if problem.result != "CUDA_ERROR_INVALID_VALUE":
                raise
            return True
        return False

    def _fills(self, target: int, value: int, width: int, values: int) -> list[object]:
        """The driver knows values of at most 4 bytes: an 8-byte value of two equal halves is two
        of them, of others each half is a column of 4-byte rows.
        """
        if not values:
            return []
        target &= 2**64 - 1
        low, high = value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF
        if width < 8:
            return [self._fill(target, value & (1 << 8 * width) - 1, width, 0, values, 1)]
        if low == high:
            return [self._fill(target, low, 4, 0, 2 * values, 1)]
        return [
            self._fill(target + 4 * i, word, 4, 8, 1, values) for i, word in enumerate((low, high))
        ]

    def _fill(self, at: int, word: int, size: int, pitch: int, columns: int, rows: int) -> object:
        params = self._bindings.CUDA_MEMSET_NODE_PARAMS()
        params.dst, params.value, params.elementSize = at, word, size
        params.pitch, params.width, params.height = pitch, columns, rows
        return params
