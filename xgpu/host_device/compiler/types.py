# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants and types of the llvm dialect on a machine of 64 bits: bytes, alignment, vectors."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, VectorType, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, Block, SSAValue

from xgpu.backend.llvm_ir.facts import integers, prop
from xgpu.dialects.llvm.attributes import DYNAMIC_INDEX
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Operation


def integer_constant(value: SSAValue) -> int | None:
    """The integer that `value` is, if that is known."""
    owner = value.owner
    if isinstance(owner, Block):
        return None
    if owner.name == "llvm.mlir.zero" and value.type.name == "integer_type":
        return 0
    if owner.name != "llvm.mlir.constant":
        return None
    attr = owner.properties.get("value")
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def float_constant(value: SSAValue) -> float | None:
    """The float that `value` is, if that is known."""
    owner = value.owner
    if isinstance(owner, Block) or owner.name != "llvm.mlir.constant":
        return None
    attr = owner.properties.get("value")
    return attr.value.data if isinstance(attr, FloatAttr) else None


POINTER = LLVMPointerType()
I1, I8, I16, I32, I64 = i1, i8, i16, i32, i64

_FLOATS = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}


def bits(ty: Attribute) -> int | None:
    """The width of an integer or float, 64 for a pointer, None for anything else."""
    name = ty.name
    if name == "integer_type":
        return cast("IntegerType", ty).width.data
    if name in _FLOATS:
        return 8 * _FLOATS[name]
    return 64 if name == "llvm.ptr" else None


def size_and_alignment(ty: Attribute) -> tuple[int, int] | None:
    """Bytes and alignment in memory; None for a type that has none that is known here."""
    name = ty.name
    if name == "llvm.ptr":
        return 8, 8
    if name in _FLOATS:
        return _FLOATS[name], _FLOATS[name]
    if name == "integer_type":
        size = 1
        while size * 8 < cast("IntegerType", ty).width.data:
            size *= 2
        return (size, min(size, 16))
    if name == "llvm.array":
        inner = size_and_alignment(cast("LLVMArrayType", ty).element_type)
        return None if inner is None else (cast("LLVMArrayType", ty).size * inner[0], inner[1])
    if name == "vector":
        return _vector(cast("VectorType", ty))
    if name == "llvm.struct":
        return _struct(ty)
    return None


def _vector(ty: VectorType) -> tuple[int, int] | None:
    """LLVM packs elements bit by bit: a vector of 32 i1 has 4 bytes."""
    width = bits(ty.element_type)
    if width is None:
        return None
    for n in ty.get_shape():
        width *= n
    size = 1
    while size * 8 < width:
        size *= 2
    return size, size


def _struct(ty: Attribute) -> tuple[int, int] | None:
    body = getattr(ty, "body", None)
    if body is None:
        return None
    packed = bool(getattr(ty, "packed", False))
    at, widest = 0, 1
    for member in body:
        inner = size_and_alignment(member)
        if inner is None:
            return None
        align = 1 if packed else inner[1]
        at = -(-at // align) * align + inner[0]
        widest = max(widest, align)
    return -(-at // widest) * widest, widest


def member_offset(ty: Attribute, index: int) -> int | None:
    """Where member `index` of a struct begins."""
    at = 0
    packed = bool(getattr(ty, "packed", False))
    for i, member in enumerate(cast("LLVMStructType", ty).body):
        inner = size_and_alignment(member)
        if inner is None:
            return None
        align = 1 if packed else inner[1]
        at = -(-at // align) * align
        if i == index:
            return at
        at += inner[0]
    return None


def size_of(ty: Attribute | None) -> int | None:
    """The bytes from one element of an array of `ty` to the next."""
    found = size_and_alignment(cast("Attribute", ty))
    return None if found is None else -(-found[0] // found[1]) * found[1]


def alignment_of(ty: Attribute) -> int:
    found = size_and_alignment(ty)
    return 1 if found is None else found[1]


def gep_strides(op: Operation) -> tuple[int, list[int]] | None:
    """The constant bytes of a getelementptr, and the bytes of a step of each dynamic index."""
    ty = cast("Attribute", prop(op, "elem_type"))
    constant, strides = 0, []
    for position, index in enumerate(integers(prop(op, "rawConstantIndices"))):
        if position:
            if isinstance(ty, LLVMStructType):
                if index == DYNAMIC_INDEX:
                    return None
                offset = member_offset(ty, index)
                if offset is None:
                    return None
                constant += offset
                ty = ty.body[index]
                continue
            if not isinstance(ty, LLVMArrayType | VectorType):
                return None
            ty = ty.element_type
        size = size_of(ty)
        if size is None:
            return None
        if index == DYNAMIC_INDEX:
            strides.append(size)
        else:
            constant += index * size
    return constant, strides


@lru_cache(maxsize=512)
def vector_of(ty: Attribute, width: int) -> VectorType:
    """The type of `width` lanes of a value of type `ty`; pointers are generic ones."""
    return VectorType(plain(ty), (width,))


@lru_cache(maxsize=512)
def plain(ty: Attribute) -> Attribute:
    """`ty` without address space."""
    return POINTER if ty.name == "llvm.ptr" else ty
