# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading and building the structs that stand for memrefs.

A ranked memref is `struct<(ptr allocated, ptr aligned, index offset, array<rank x index> sizes,
array<rank x index> strides)>`, without the arrays for rank 0. One of unknown rank is
`struct<(index rank, ptr)>`, where the pointer leads to a ranked struct in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, SSAValue

from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm.builders import (
    INBOUNDS_NUW,
    NSW,
    NUW,
    binary,
    extract,
    gep,
    index_constant,
    insert,
    poison,
)
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from xgpu.dialects.memref_layout import strided_form


class DescriptorTypes(Protocol):
    """What descriptors ask of a type converter: `LLVMTypeConverter`."""

    index_bitwidth: int

    @property
    def index(self) -> Attribute: ...

    def convert(self, ty: Attribute) -> Any: ...

    def can_be_bare(self, ty: MemRefType) -> bool: ...


class MemRefDescriptor:
    """The struct of a ranked memref. Setters build a new struct and keep it as `value`."""

    __slots__ = ("index", "rw", "value")

    def __init__(self, rw: Rewriter, value: SSAValue) -> None:
        self.rw = rw
        self.value = value
        ty = value.type
        if not isinstance(ty, LLVMStructType) or len(ty.body) not in (3, 5):
            raise NoMatch("the memref is not a descriptor")
        self.index = ty.body[2]

    @classmethod
    def poison(cls, rw: Rewriter, ty: Attribute) -> MemRefDescriptor:
        return cls(rw, poison(rw, ty))

    @classmethod
    def pack(
        cls, rw: Rewriter, types: DescriptorTypes, ty: MemRefType, values: Sequence[SSAValue]
    ) -> MemRefDescriptor:
        """From allocated, aligned, offset, sizes..., strides... ."""
        rank = ty.get_num_dims()
        struct = types.convert(ty)
        descriptor = cls.poison(rw, struct)
        descriptor.set_allocated(values[0])
        descriptor.set_aligned(values[1])
        descriptor.set_offset(values[2])
        for i in range(rank):
            descriptor.set_size(i, values[3 + i])
            descriptor.set_stride(i, values[3 + rank + i])
        return descriptor

    @classmethod
    def from_static_shape(
        cls,
        rw: Rewriter,
        types: DescriptorTypes,
        ty: MemRefType,
        allocated: SSAValue,
        aligned: SSAValue | None = None,
    ) -> MemRefDescriptor:
        """From a pointer, where the type tells the rest."""
        form = strided_form(ty)
        if form is None or not types.can_be_bare(ty):
            raise NoMatch("expected a memref of static shape, strides and offset")
        strides, offset = form
        descriptor = cls.poison(rw, types.convert(ty))
        descriptor.set_allocated(allocated)
        descriptor.set_aligned(allocated if aligned is None else aligned)
        descriptor.set_offset(descriptor.constant(offset or 0))
        for i, (size, stride) in enumerate(zip(ty.get_shape(), strides, strict=True)):
            descriptor.set_size(i, descriptor.constant(size))
            descriptor.set_stride(i, descriptor.constant(stride or 0))
        return descriptor

    @classmethod
    def from_parts(
        cls,
        rw: Rewriter,
        types: DescriptorTypes,
        ty: MemRefType,
        allocated: SSAValue,
        aligned: SSAValue,
        sizes: Sequence[SSAValue],
        strides: Sequence[SSAValue],
    ) -> MemRefDescriptor:
        """What an allocation gives: offset 0, all sizes, then all strides."""
        descriptor = cls.poison(rw, types.convert(ty))
        descriptor.set_allocated(allocated)
        descriptor.set_aligned(aligned)
        descriptor.set_offset(descriptor.constant(0))
        for i, size in enumerate(sizes):
            descriptor.set_size(i, size)
        for i, stride in enumerate(strides):
            descriptor.set_stride(i, stride)
        return descriptor

    def constant(self, value: int) -> SSAValue:
        return index_constant(self.rw, value, self.index)

    @property
    def rank(self) -> int:
        ty = cast("LLVMStructType", self.value.type)
        return cast("LLVMArrayType", ty.body[3]).size if len(ty.body) > 3 else 0

    @property
    def pointer_type(self) -> LLVMPointerType:
        ty = cast("LLVMStructType", self.value.type)
        return cast("LLVMPointerType", ty.body[0])

    def allocated(self) -> SSAValue:
        return extract(self.rw, self.value, 0)

    def aligned(self) -> SSAValue:
        return extract(self.rw, self.value, 1)

    def offset(self) -> SSAValue:
        return extract(self.rw, self.value, 2)

    def size(self, i: int) -> SSAValue:
        return extract(self.rw, self.value, 3, i)

    def stride(self, i: int) -> SSAValue:
        return extract(self.rw, self.value, 4, i)

    def set_allocated(self, value: SSAValue) -> None:
        self.value = insert(self.rw, self.value, value, 0)

    def set_aligned(self, value: SSAValue) -> None:
        self.value = insert(self.rw, self.value, value, 1)

    def set_offset(self, value: SSAValue) -> None:
        self.value = insert(self.rw, self.value, value, 2)

    def set_size(self, i: int, value: SSAValue) -> None:
        self.value = insert(self.rw, self.value, value, 3, i)

    def set_stride(self, i: int, value: SSAValue) -> None:
        self.value = insert(self.rw, self.value, value, 4, i)

    def unpack(self) -> list[SSAValue]:
        """allocated, aligned, offset, sizes..., strides..."""
        rank = self.rank
        return [
            self.allocated(),
            self.aligned(),
            self.offset(),
            *(self.size(i) for i in range(rank)),
            *(self.stride(i) for i in range(rank)),
        ]

    def buffer(self, types: DescriptorTypes, ty: MemRefType) -> SSAValue:
        """A pointer to the first element: the aligned pointer, moved by the offset."""
        form = strided_form(ty)
        if form is None:
            raise NoMatch("expected a memref with strides")
        pointer = self.aligned()
        offset = form[1]
        if offset == 0:
            return pointer
        moved = self.offset() if offset is None else self.constant(offset)
        return gep(self.rw, pointer, types.convert(ty.element_type), [moved])


class UnrankedDescriptor:
    """The struct of a memref of unknown rank."""

    __slots__ = ("rw", "value")

    def __init__(self, rw: Rewriter, value: SSAValue) -> None:
        self.rw = rw
        self.value = value
        ty = value.type
        if not isinstance(ty, LLVMStructType) or len(ty.body) != 2:
            raise NoMatch("the memref is not a descriptor of unknown rank")

    @classmethod
    def poison(cls, rw: Rewriter, ty: Attribute) -> UnrankedDescriptor:
        return cls(rw, poison(rw, ty))

    @classmethod
    def pack(
        cls,
        rw: Rewriter,
        types: DescriptorTypes,
        ty: UnrankedMemRefType,
        values: Sequence[SSAValue],
    ) -> UnrankedDescriptor:
        descriptor = cls.poison(rw, types.convert(ty))
        descriptor.set_rank(values[0])
        descriptor.set_pointer(values[1])
        return descriptor

    def rank(self) -> SSAValue:
        return extract(self.rw, self.value, 0)

    def pointer(self) -> SSAValue:
        return extract(self.rw, self.value, 1)

    def set_rank(self, value: SSAValue) -> None:
        self.value = insert(self.rw, self.value, value, 0)

    def set_pointer(self, value: SSAValue) -> None:
        self.value = insert(self.rw, self.value, value, 1)

    def unpack(self) -> list[SSAValue]:
        return [self.rank(), self.pointer()]


def unranked_size_in_bytes(
    rw: Rewriter, types: DescriptorTypes, rank: SSAValue | UnrankedDescriptor, space: int
) -> SSAValue:
    """Bytes of a ranked descriptor in memory: two pointers and 1 + 2 * rank indices."""
    index = types.index
    one = index_constant(rw, 1, index)
    two = index_constant(rw, 2, index)
    index_size = index_constant(rw, -(-types.index_bitwidth // 8), index)
    pointer_size = index_constant(rw, 8, index)
    pointers = binary(rw, "mul", two, pointer_size)
    rank = rank.rank() if isinstance(rank, UnrankedDescriptor) else rank
    both = binary(rw, "mul", two, rank)
    numbers = binary(rw, "add", both, one)
    numbers_size = binary(rw, "mul", numbers, index_size)
    return binary(rw, "add", pointers, numbers_size)


def element_pointer(
    rw: Rewriter,
    types: DescriptorTypes,
    ty: MemRefType,
    descriptor: SSAValue,
    indices: Sequence[SSAValue],
    *,
    flags: int = INBOUNDS_NUW,
) -> SSAValue:
    """A pointer to the element at `indices`. `flags` are those of its getelementptr; indices that
    may not wrap tell so in the arithmetic too."""
    memref = MemRefDescriptor(rw, descriptor)
    form = strided_form(ty)
    if form is None:
        raise NoMatch("expected a memref with strides")
    base = memref.buffer(types, ty)
    strides = form[0]
    overflow = (NSW if flags & 1 else 0) | (NUW if flags & 4 else 0)
    index: SSAValue | None = None
    for i, increment in enumerate(indices):
        stride = strides[i]
        if stride != 1:
            step = memref.stride(i) if stride is None else memref.constant(stride)
            increment = binary(rw, "mul", increment, step, overflow)
        index = increment if index is None else binary(rw, "add", index, increment, overflow)
    if index is None:
        return base
    return gep(rw, base, types.convert(ty.element_type), [index], flags)
