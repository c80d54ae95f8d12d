# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where launches put the arguments of kernels: one buffer a function, in its entry block.

A launch stores its arguments in the buffer and hands on an array of their addresses, from which the
runtime copies before the launch returns. So all launches of a function share the buffer, which is
as large as the largest needs, and those with the same types share the array; neither grows the
stack in a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.core.ir.calls import is_function
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.conversion.launch.kernel_signature import KernelSignature

#: What stacks are aligned to.
_ALIGNMENT = 16


class ArgumentBuffers:
    """The buffers of all functions of one conversion."""

    __slots__ = ("_buffers", "_lists")

    def __init__(self) -> None:
        self._buffers: dict[Block, _Buffer] = {}
        self._lists: dict[Block, _Buffer] = {}

    def list(self, rw: Rewriter, values: Sequence[SSAValue]) -> SSAValue:
        """Stores handles one behind the other; the address of the first."""
        if not values:
            return llvm.zero(rw, llvm.POINTER)
        block = _entry_block(rw)
        buffer = self._lists.get(block)
        if buffer is None:
            buffer = self._lists[block] = _Buffer(block, rw.location)
        buffer.reserve(8 * len(values))
        for i, value in enumerate(values):
            llvm.store(rw, value, llvm.gep(rw, buffer.memory, llvm.POINTER, [i]))
        return buffer.memory

    def store(
        self, rw: Rewriter, signature: KernelSignature, values: Sequence[SSAValue]
    ) -> SSAValue:
        """Stores the arguments of a launch where `rw` is; the array of their addresses."""
        if not values:
            return llvm.zero(rw, llvm.POINTER)
        block = _entry_block(rw)
        buffer = self._buffers.get(block)
        if buffer is None:
            buffer = self._buffers[block] = _Buffer(block, rw.location)
        assert rw.anchor is not None
        layout = signature.layout(rw.anchor)
        buffer.align(layout.alignment)
        array, addresses = buffer.array(layout.offsets, layout.size)
        for value, address in zip(values, addresses, strict=True):
            llvm.store(rw, value, address)
        return array


class _Buffer:
    """The buffer of one function, and the arrays of addresses in it by their offsets."""

    __slots__ = ("_addresses", "_arrays", "_last", "_location", "_size", "memory")

    def __init__(self, block: Block, location: LocationAttr | None) -> None:
        rw = Rewriter(location=location)
        # What a coroutine has before it begins is on the stack of whoever starts it.
        begin = next((op for op in block.ops if op.name == "llvm.intr.coro.begin"), None)
        if begin is None:
            rw.at_start(block)
        else:
            rw.after(begin)
        self._location = location
        self._size = _definition(llvm.constant(rw, 0, i64))
        self.memory = llvm.alloca(rw, self._size.results[0], llvm.I8, 0, _ALIGNMENT)
        self._last = _definition(self.memory)
        self._arrays: dict[tuple[int, ...], tuple[SSAValue, list[SSAValue]]] = {}
        self._addresses: dict[int, SSAValue] = {}

    def reserve(self, size: int) -> None:
        """Makes the buffer at least `size` bytes large."""
        if _number(self._size.properties["value"]) < size:
            self._size.properties["value"] = IntegerAttr(size, i64)

    def align(self, alignment: int) -> None:
        """Aligns the buffer to at least `alignment` bytes."""
        alloca = _definition(self.memory)
        if _number(alloca.properties["alignment"]) < alignment:
            alloca.properties["alignment"] = IntegerAttr(alignment, i64)

    def array(self, offsets: tuple[int, ...], size: int) -> tuple[SSAValue, list[SSAValue]]:
        """The array with the addresses of `offsets`, and the addresses."""
        self.reserve(size)
        known = self._arrays.get(offsets)
        if known is None:
            rw = Rewriter(location=self._location)
            rw.after(self._last)
            array = llvm.alloca(rw, llvm.constant(rw, len(offsets), i64), llvm.POINTER)
            addresses = [self._address(rw, offset) for offset in offsets]
            for i, address in enumerate(addresses):
                slot = llvm.gep(rw, array, llvm.POINTER, [i])
                self._last = llvm.store(rw, address, slot)
            known = self._arrays[offsets] = (array, addresses)
        return known

    def _address(self, rw: Rewriter, offset: int) -> SSAValue:
        address = self._addresses.get(offset)
        if address is None:
            address = self._addresses[offset] = llvm.gep(rw, self.memory, llvm.I8, [offset])
        return address


def _number(attribute: Attribute) -> int:
    assert isinstance(attribute, IntegerAttr)
    return attribute.value.data


def _definition(value: SSAValue) -> Operation:
    owner = value.owner
    assert isinstance(owner, Operation)
    return owner


def _entry_block(rw: Rewriter) -> Block:
    """The first block of the function that `rw` is in."""
    assert rw.block is not None
    op = rw.block.parent_op()
    outermost = rw.block
    while op is not None and op.name != "builtin.module":
        region = op.regions[0]
        first = region.first_block
        if first is not None:
            outermost = first
        if is_function(op):
            break
        op = op.parent_op()
    return outermost
