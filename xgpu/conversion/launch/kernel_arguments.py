# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where launches put the arguments of kernels: one buffer a function, in its entry block.

A launch stores its arguments in the buffer and hands on an array of their addresses, from which the
runtime copies before the launch returns. So all launches of a function share the buffer, which is
as large as the largest needs, and those with the same types share the array; neither grows the
stack in a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.conversion import llvm_ops as llvm
from xgpu.dialects.llvm.data_layout import DataLayout
from xgpu.ir.calls import is_function
from xgpu.ir.errors import DiagnosticError, error
from xgpu.rewriting.rewriter import Rewriter

_ALIGNMENT = 16


class ArgumentBuffers:
    """The buffers of all functions of one conversion."""

    __slots__ = ("_buffers", "_lists")

    def __init__(self) -> None:
        self._buffers: dict[Block, _Buffer] = {}
        self._lists: dict[Block, _Buffer] = {}

    def list(self, rw: Any, values: Sequence[SSAValue]) -> SSAValue:
        """Stores handles one behind the other; the address of the first."""
        if not values:
            return llvm.zero(rw, llvm.POINTER)
        block = _entry_block(rw.block)
        buffer = self._lists.get(block)
        if buffer is None:
            buffer = self._lists[block] = _Buffer(block, rw.location)
        buffer.reserve(8 * len(values))
        for i, value in enumerate(values):
            llvm.store(rw, value, llvm.gep(rw, buffer.memory, llvm.POINTER, [i]))
        return buffer.memory

    def size(self, rw: Any, values: Sequence[SSAValue]) -> int:
        """The bytes from the first of `values` to the last's end where `store` puts them."""
        return _layout(rw.anchor, [v.type for v in values])[1]

    def store(self, rw: Any, values: Sequence[SSAValue]) -> SSAValue:
        """Stores `values` before the place of `rw`; the array of their addresses."""
        if not values:
            return llvm.zero(rw, llvm.POINTER)
        block = _entry_block(rw.block)
        buffer = self._buffers.get(block)
        if buffer is None:
            buffer = self._buffers[block] = _Buffer(block, rw.location)
        offsets, size, alignment = _layout(rw.anchor, [v.type for v in values])
        buffer.align(alignment)
        array, places = buffer.array(offsets, size)
        for value, place in zip(values, places, strict=True):
            llvm.store(rw, value, place)
        return array


class _Buffer:
    """The buffer of one function, and the arrays of addresses in it by their offsets."""

    __slots__ = ("_arrays", "_last", "_location", "_places", "_size", "memory")

    def __init__(self, block: Block, location: Any) -> None:
        rw = Rewriter(location=location)
        # What a coroutine has before it begins is on the stack of whoever starts it.
        begin = next((op for op in block.ops if op.name == "llvm.intr.coro.begin"), None)
        if begin is None:
            rw.at_start(block)
        else:
            rw.after(begin)
        self._location = location
        self._size = _number(llvm.constant(rw, 0, i64))
        self.memory = llvm.alloca(rw, self._size.results[0], llvm.I8, 0, _ALIGNMENT)
        self._last: Operation = self.memory.owner  # pyright: ignore[reportAttributeAccessIssue]
        self._arrays: dict[tuple[int, ...], tuple[SSAValue, list[SSAValue]]] = {}
        self._places: dict[int, SSAValue] = {}

    def reserve(self, size: int) -> None:
        """Makes the buffer at least `size` bytes large."""
        count: Any = self._size.properties["value"]
        if count.value.data < size:
            self._size.properties["value"] = IntegerAttr(size, i64)

    def align(self, alignment: int) -> None:
        """Aligns the buffer to at least `alignment` bytes."""
        alloca: Any = self.memory.owner
        if alloca.properties["alignment"].value.data < alignment:
            alloca.properties["alignment"] = IntegerAttr(alignment, i64)

    def array(self, offsets: tuple[int, ...], size: int) -> tuple[SSAValue, list[SSAValue]]:
        """The array with the addresses of `offsets`, and the addresses."""
        self.reserve(size)
        known = self._arrays.get(offsets)
        if known is None:
            rw = Rewriter(location=self._location)
            rw.after(self._last)
            array = llvm.alloca(rw, llvm.constant(rw, len(offsets), i64), llvm.POINTER)
            places = [self._place(rw, offset) for offset in offsets]
            for i, place in enumerate(places):
                slot = llvm.gep(rw, array, llvm.POINTER, [i])
                self._last = llvm.store(rw, place, slot)
            known = self._arrays[offsets] = (array, places)
        return known

    def _place(self, rw: Rewriter, offset: int) -> SSAValue:
        place = self._places.get(offset)
        if place is None:
            place = self._places[offset] = llvm.gep(rw, self.memory, llvm.I8, [offset])
        return place


def _number(value: SSAValue) -> Operation:
    owner = value.owner
    assert isinstance(owner, Operation)
    return owner


def _entry_block(block: Block) -> Block:
    """The first block of the function around `block`."""
    op = block.parent_op()
    outermost = block
    while op is not None and op.name != "builtin.module":
        region = op.regions[0]
        first = region.first_block
        if first is not None:
            outermost = first
        if is_function(op):
            break
        op = op.parent_op()
    return outermost


def _layout(op: Any, types: Sequence[Attribute]) -> tuple[tuple[int, ...], int, int]:
    """The offsets of values of `types` in a buffer, its size and its alignment."""
    offsets: list[int] = []
    end, whole = 0, _ALIGNMENT
    for ty in types:
        size, alignment = storage(op, ty)
        end = -(-end // alignment) * alignment
        offsets.append(end)
        end += size
        whole = max(whole, alignment)
    return tuple(offsets), end, whole


#: The layout of 64-bit hosts, as far as arguments show it.
_HOST = DataLayout("i64:64-i128:128-f80:128")


def storage(op: Operation, ty: Attribute) -> tuple[int, int]:
    """Bytes and alignment of a value of an llvm type in the host's memory."""
    try:
        return _HOST.size(ty), _HOST.align(ty)
    except DiagnosticError:
        raise error(op, f"an argument of type '{ty}' cannot be passed to a kernel") from None
