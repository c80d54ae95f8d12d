# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers in calls of the runtime: their sizes in elements and bytes, and their addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from xgpu.conversion.launch.builtin_types import (
    Memref,
    UnrankedMemref,
    as_memref,
    as_unranked_memref,
)
from xgpu.conversion.memref.descriptor import MemRefDescriptor
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm.builders import POINTER, binary, gep, index_constant, zero
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.dialects.memref.layout import contiguous_strides, strided_form

if TYPE_CHECKING:
    from xgpu.conversion.launch.state import LaunchConversion


def memref_type(value: SSAValue) -> Memref:
    """The type of a value that is a ranked memref by its operation's definition."""
    ty = as_memref(value.type)
    assert ty is not None
    return ty


def unranked_type(value: SSAValue) -> UnrankedMemref:
    """The type of a value that is an unranked memref by its operation's definition."""
    ty = as_unranked_memref(value.type)
    assert ty is not None
    return ty


def require_identity_layout(ty: Memref) -> None:
    """Raises `NoMatch` unless the elements lie one after the other from the memref's address."""
    if strided_form(ty) != (contiguous_strides(ty.get_shape()), 0):
        raise NoMatch("expected a memref with an identity layout")


def allocation_sizes(
    rw: LaunchConversion, ty: Memref, dynamic: Sequence[SSAValue]
) -> tuple[list[SSAValue], list[SSAValue], SSAValue]:
    """Sizes, strides and bytes of a new buffer of type `ty`."""
    index = rw.types.index
    remaining = iter(dynamic)
    shape = ty.get_shape()
    sizes = [next(remaining) if n < 0 else index_constant(rw, n, index) for n in shape]
    known: int | None = 1
    running = index_constant(rw, 1, index)
    strides: list[SSAValue] = []
    for extent, size in zip(reversed(shape), reversed(sizes), strict=True):
        strides.append(running)
        was_one = known == 1
        known = None if known is None or extent < 0 else known * extent
        if was_one:
            running = size
        elif known is None:
            running = binary(rw, "mul", running, size, 0)
        else:
            running = index_constant(rw, known, index)
    strides.reverse()
    return sizes, strides, size_in_bytes(rw, ty, running)


def size_in_bytes(
    rw: LaunchConversion, ty: Memref | UnrankedMemref, count: SSAValue | int
) -> SSAValue:
    """The bytes of `count` elements: the address of the element behind the last, from null."""
    element = rw.convert_type(ty.element_type)
    end = gep(rw, zero(rw, POINTER), element, [count])
    return rw.value("llvm.ptrtoint", (end,), rw.types.index)


def new_buffer(
    rw: LaunchConversion,
    ty: Memref,
    pointer: SSAValue,
    sizes: Sequence[SSAValue],
    strides: Sequence[SSAValue],
) -> SSAValue:
    """The descriptor of a buffer that the runtime has allocated at `pointer`."""
    space = rw.types.address_space(ty)
    if space:
        pointer = rw.value("llvm.addrspacecast", (pointer,), LLVMPointerType(space))
    return MemRefDescriptor.from_parts(rw, rw.types, ty, pointer, pointer, sizes, strides).value


def generic_pointer(rw: LaunchConversion, pointer: SSAValue) -> SSAValue:
    """`pointer` in address space 0."""
    if pointer.type == POINTER:
        return pointer
    return rw.value("llvm.addrspacecast", (pointer,), POINTER)
