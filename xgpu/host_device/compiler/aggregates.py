# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structs, arrays and vectors of a thread: which scalars they have, and where those lie."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType
from xgpu.host_device.compiler.types import member_offset, size_of
from xgpu.host_device.compiler.vectors.regions import NoRegions

_MOST_ELEMENTS = 512


def is_aggregate(ty: Attribute) -> bool:
    return ty.name in ("llvm.struct", "llvm.array", "vector")


def elements(ty: Attribute) -> list[tuple[tuple[int, ...], Attribute]]:
    """The scalars in a type: position, and type."""
    if isinstance(ty, LLVMStructType):
        inner = list(enumerate(ty.body))
    elif isinstance(ty, LLVMArrayType):
        inner = [(i, ty.element_type) for i in range(ty.size)]
    elif isinstance(ty, VectorType):
        if len(ty.shape.data) != 1:
            raise NoRegions(f"a value has type {ty}", None)
        inner = [(i, ty.element_type) for i in range(ty.get_shape()[0])]
    else:
        return [((), ty)]
    found = [((i, *at), t) for i, member in inner for at, t in elements(member)]
    if len(found) > _MOST_ELEMENTS:
        raise NoRegions(f"a value has more than {_MOST_ELEMENTS} elements", None)
    return found


def offset_of(ty: Attribute, position: tuple[int, ...]) -> int:
    """Where an element lies in memory, in bytes."""
    total = 0
    for index in position:
        if isinstance(ty, LLVMStructType):
            at = member_offset(ty, index)
            inner = ty.body[index]
        else:
            inner = cast("LLVMArrayType | VectorType", ty).element_type
            size = size_of(inner)
            at = None if size is None else index * size
        if at is None:
            raise NoRegions(f"a value has type {ty}", None)
        total += at
        ty = inner
    return total
