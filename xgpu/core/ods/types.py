# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Questions about types that traits and type inference ask."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    NoneType,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute

#: Types with a shape, ranked or not.
SHAPED = (VectorType, MemRefType, TensorType, UnrankedMemRefType, UnrankedTensorType)
RANKED = (VectorType, MemRefType, TensorType)


def element_type_or_self(type: Attribute) -> Attribute:
    """MLIR's `getElementTypeOrSelf`."""
    return type.element_type if isinstance(type, SHAPED) else type


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """The shape of a ranked type, or None."""
    return type.get_shape() if isinstance(type, RANKED) else None


def scalable_dims(type: Attribute) -> tuple[bool, ...]:
    """Which dimensions of a vector are scalable."""
    if not isinstance(type, VectorType):
        return ()
    return tuple(bool(dim.value.data) for dim in type.scalable_dims.data)


def compatible_shapes(types: Sequence[Attribute]) -> bool:
    """MLIR's `verifyCompatibleShapes`: all scalars, or all shaped and equal where both are static.

    Unranked types are compatible with any shaped type.
    """
    shaped = [isinstance(type, SHAPED) for type in types]
    if not any(shaped):
        return True
    if not all(shaped):
        return False
    shapes = [shape for shape in map(shape_of, types) if shape is not None]
    if not shapes:
        return True
    scalable = {scalable_dims(type) for type in types if isinstance(type, VectorType)}
    if len(scalable) > 1:
        return False
    rank = len(shapes[0])
    if any(len(shape) != rank for shape in shapes):
        return False
    return all(
        len({dim for dim in dims if dim != DYNAMIC_INDEX}) <= 1
        for dims in zip(*shapes, strict=True)
    )


def same_shape(first: Attribute, second: Attribute) -> bool:
    return shape_of(first) == shape_of(second) and scalable_dims(first) == scalable_dims(second)


def with_element_type(type: Attribute, element: Attribute) -> Attribute:
    """`type` with another element type, or `element` itself where `type` is a scalar."""
    if isinstance(type, VectorType):
        return VectorType(element, type.shape, type.scalable_dims)
    if isinstance(type, TensorType):
        return TensorType(element, type.shape, type.encoding)
    if isinstance(type, MemRefType):
        return MemRefType(element, type.shape, type.layout, type.memory_space)
    if isinstance(type, UnrankedTensorType):
        return UnrankedTensorType(element)
    if isinstance(type, UnrankedMemRefType):
        return UnrankedMemRefType.from_type(element, type.memory_space)
    return element


def attribute_type(attr: Attribute) -> Attribute | None:
    """The type of a typed attribute (integers, floats, elements, strings), or None."""
    if isinstance(attr, StringAttr):
        return NoneType()
    get = getattr(attr, "get_type", None)
    if get is not None:
        return get()
    return getattr(attr, "type", None)
