# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constant vectors, element by element."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import (
    ArrayAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute

from xgpu.core.ir.constants import make, wrapped
from xgpu.core.ir.elements import dense, element_size, is_splat, pack, unpack
from xgpu.core.ir.floats import to_bits
from xgpu.core.ir.splats import repeated
from xgpu.dialects.vector.shapes import count, is_vector


def splat_element(attr: Attribute | None) -> bytes | None:
    """The element, as bytes, that all of a constant vector are, or None."""
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return None
    size = element_size(attr.get_element_type())
    data: bytes = attr.data.data
    return data[:size] if is_splat(data, size) else None


def elements_of(attr: Attribute | None) -> list[bytes] | None:
    """The elements of a constant vector, each as bytes; None if it is none."""
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return None
    size = element_size(attr.get_element_type())
    data: bytes = attr.data.data
    if is_splat(data, size):
        return [data[:size]] * count(attr.type)
    return [data[at : at + size] for at in range(0, len(data), size)]


def filled(kind: Attribute, element: bytes) -> Attribute | None:
    """The constant of type `kind` whose elements are all `element`; of a scalable vector too."""
    return dense(kind, repeated(element, count(kind))) if is_vector(kind) else scalar(kind, element)


def vector_of(kind: Attribute, elements: Iterable[bytes]) -> Attribute:
    """The constant vector of these elements."""
    return dense(kind, b"".join(elements))


def scalar(kind: Attribute, element: bytes) -> Attribute | None:
    """The scalar constant; None where none is written as one attribute with a type."""
    value = unpack(element, kind)[0]
    return None if isinstance(kind, ComplexType) else make(kind, value)


def element_of(attr: Attribute | None, kind: Attribute) -> bytes | None:
    """A scalar constant as an element of a vector of `kind`; None if it is none. Integers of
    another width and floats of the same, as the llvm dialect has them, are so by their bits."""
    if isinstance(attr, IntegerAttr) and isinstance(kind, IntegerType | IndexType):
        return pack([wrapped(attr.value.data, kind)], kind)
    if isinstance(attr, FloatAttr) and attr.type == kind:
        return pack([attr.value.data], kind)
    if isinstance(attr, FloatAttr) and isinstance(kind, IntegerType):
        return pack([wrapped(to_bits(attr.value.data, attr.type), kind)], kind)
    if isinstance(attr, ArrayAttr) and isinstance(kind, ComplexType):
        return pack([tuple(part.value.data for part in attr.data)], kind)  # pyright: ignore
    return None
