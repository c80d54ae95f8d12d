# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arrays that kernels get from elsewhere: their bounds, and what is said of an access outside
of one (`xgpu.host_device.compiler.bounds_checks`)."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from xgpu.core.ir.errors import UsageError
from xgpu.host_device.abi.addresses import UNBOUNDED
from xgpu.host_device.abi.structs import ctypes_struct

if TYPE_CHECKING:
    from xgpu.host_device.abi.record_classes import Worker
    from xgpu.host_device.compiler.bounds_checks import Access


#: Switches the checks of bounds off where it is 0.
VARIABLE = "XGPU_BOUNDS"
_VALUES = {"": True, "1": True, "0": False}
_WORDS = {"load": "from", "store": "to", "atomic operation": "on"}


def bounds_wanted() -> bool:
    """Whether kernels are kept in their arrays where no option says so. Raises `UsageError`."""
    value = os.environ.get(VARIABLE, "")
    if value not in _VALUES:
        raise UsageError(f"{VARIABLE} is '{value}', expected 0 or 1")
    return _VALUES[value]


class ArrayFacts:
    """An array of a launch: `name` as messages have it ("argument 'x'"), `type` of the parameter in
    MLIR's syntax, the first element's `address`, `shape`, `strides` in elements, bytes of an
    element, and the `extent`: where its elements begin and end."""

    __slots__ = ("address", "extent", "itemsize", "name", "shape", "strides", "type")

    def __init__(
        self, name: str, type: str, address: int, shape: tuple[int, ...],
        strides: tuple[int, ...], itemsize: int, extent: tuple[int, int],
    ) -> None:  # fmt: skip
        self.extent = extent
        self.name = name
        self.type = type
        self.address = address
        self.shape = shape
        self.strides = strides
        self.itemsize = itemsize


class Arguments(Protocol):
    """What a launch knows of the memory that its pointers are of."""

    def bounds_of(self, address: int) -> tuple[int, int] | None:
        """Begin and end of the array around an address, None where none is known."""
        ...

    def array_of(self, number: int, begin: int, end: int) -> ArrayFacts | None:
        """The array that parameter `number` of the code points into, or where that is below zero,
        one with these bounds."""
        ...


class KnownArrays:
    """Arrays that a program works on for others. A pointer may be computed from any of those that
    it lies in, so its bounds are those of all of them."""

    __slots__ = ("_arrays",)

    def __init__(self) -> None:
        self._arrays: tuple[tuple[int, int, ArrayFacts], ...] = ()

    def set(self, arrays: Iterable[ArrayFacts]) -> None:
        self._arrays = tuple((*a.extent, a) for a in arrays)

    def bounds_of(self, address: int) -> tuple[int, int] | None:
        low = high = address
        found = False
        for begin, end, _ in self._arrays:
            if begin <= address < end or begin == address:
                low, high, found = min(low, begin), max(high, end), True
        return (low, high) if found else None

    def array_of(self, number: int, begin: int, end: int) -> ArrayFacts | None:
        found = [a for low, high, a in self._arrays if begin <= low and high <= end]
        return found[0] if len(found) == 1 else None


# -- what is said


def missed(
    worker: Worker, kernel: str, accesses: Sequence[Access], arguments: Arguments | None
) -> str:
    """What is said of an access out of bounds, outside of its array, by which a worker was thrown
    out of kernel `kernel`; one of the `accesses` that the check is for."""
    begin = worker.miss_begin & _WORD
    end = begin + (worker.miss_room & _WORD) - 1
    lane, where, kind, start, size, number = _first_outside(worker, accesses, begin, end)
    array = None if arguments is None else arguments.array_of(number, begin, end)
    item = size if array is None else array.itemsize
    if size != item or kind not in _WORDS:
        kind = f"{kind.split()[0]} of {size} bytes at"
    else:
        kind = f"{kind} {_WORDS[kind]}"
    place = _place(array, start, begin, end)
    name = f", {array.name}" if array is not None else ""
    by = _thread(worker, lane)
    at = f" ({where})" if where else ""
    return f"kernel '{kernel}'{name}: {kind} {place}, by {by}{at}"


_WORD = (1 << 64) - 1


def _first_outside(
    worker: Worker, accesses: Sequence[Access], begin: int, end: int
) -> tuple[int, str, str, int, int, int]:
    """The first access of the first thread that is not in the array: number of the thread in its
    vector, location, kind, address, bytes, parameter."""
    found: tuple[int, str, str, int, int, int] | None = None
    for lane in range(64):
        if not worker.miss_lanes >> lane & 1:
            continue
        for where, kind, low, size, number in accesses:
            start = (worker.miss_address + lane * worker.miss_step + low) & _WORD
            length = size or worker.miss_bytes & _WORD
            found = lane, where, kind, start, length, number
            if not (begin <= start and start + length <= end):
                return found
    assert found is not None
    return found


def _place(array: ArrayFacts | None, start: int, begin: int, end: int) -> str:
    """Which element of an array lies, or would lie, at `start`."""
    offset = _signed(start - (begin if array is None else array.address))
    if array is None and (begin, end - begin + 1) == UNBOUNDED:
        return f"0x{start:x}, where no memory can be"
    if array is None:
        return f"byte {offset} of {end - begin} bytes"
    type = array.type if array.type.startswith("memref") else "an array"
    shape = "x".join(map(str, array.shape)) or "1"
    noun = "element" if math.prod(array.shape) == 1 else "elements"
    of = f"{type} of {shape} {noun}"
    if offset % array.itemsize:
        return f"byte {offset} of {of}"
    return f"element {_index(array, offset // array.itemsize)} of {of}"


def _index(array: ArrayFacts, element: int) -> str:
    """The index of what lies so many elements from the first: one number for each dimension where
    one is the outermost and the others are in the array, else the distance."""
    if len(array.shape) == 1:
        stride = array.strides[0]
        return str(element // stride if stride and element % stride == 0 else element)
    by_step = sorted(range(len(array.shape)), key=lambda i: -abs(array.strides[i]))
    found = [0] * len(array.shape)
    rest = element
    for at, i in enumerate(by_step):
        stride = array.strides[i]
        if stride == 0:
            continue
        found[i], rest = divmod(rest, stride)
        if at and not 0 <= found[i] < array.shape[i]:
            return str(element)
    return f"[{', '.join(map(str, found))}]" if rest == 0 and found else str(element)


def _signed(value: int) -> int:
    value &= _WORD
    return value - (1 << 64) if value >> 63 else value


def _thread(worker: Worker, lane: int) -> str:
    block = ctypes_struct("Block").from_address(worker.miss_block)
    linear, x, y = worker.miss_thread + lane, block.ntid_x, block.ntid_y
    thread = (linear % x, linear // x % y, linear // (x * y))
    where = (block.ctaid_x, block.ctaid_y, block.ctaid_z)
    return f"thread {thread} of block {where}"
