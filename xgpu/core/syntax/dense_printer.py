# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Printing dense elements: lists, one element for all, or hexadecimal for more than a hundred."""

from __future__ import annotations

import math
from collections.abc import Sized
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
)
from xdsl.ir import Attribute

from xgpu.core.ir.elements import byte_count, element_size, is_splat, to_raw, unpack
from xgpu.core.ir.floats import float_text
from xgpu.core.ir.integers import integer_text

if TYPE_CHECKING:
    from xgpu.core.syntax.printer_base import PrinterBase


#: MLIR prints more elements than this in hexadecimal.
HEX_LIMIT = 100


def _element_texts(data: bytes, ty: Attribute) -> list[str]:
    if isinstance(ty, ComplexType):
        parts = iter(_element_texts(data, ty.element_type))
        return [f"({real},{imaginary})" for real, imaginary in zip(parts, parts, strict=True)]
    values = unpack(data, ty)
    if isinstance(ty, IntegerType | IndexType):
        if isinstance(ty, IntegerType) and ty.width.data == 1:
            return ["true" if value else "false" for value in values]
        return [integer_text(value) for value in values]
    kind = cast("AnyFloat", ty)
    return [float_text(value, kind) for value in values]


def nested(texts: list[str], shape: list[int]) -> str:
    """Texts of elements as nested lists; one text stands for all elements."""
    count = math.prod(shape)
    if not count:
        return ""
    if len(texts) == 1 and (count != 1 or not shape):
        return texts[0]
    if len(texts) > 1 and all(text == texts[0] for text in texts):
        return texts[0]
    if count == 1:
        return texts[0]
    for size in reversed(shape):
        texts = ["[" + ", ".join(texts[at : at + size]) + "]" for at in range(0, len(texts), size)]
    return texts[0]


def dense_body(attribute: DenseIntOrFPElementsAttr, hexadecimal: bool = True) -> str:
    """What stands between the angle brackets of `dense<...>`."""
    ty = attribute.type
    element = ty.get_element_type()
    data = attribute.data.data
    size = element_size(element)
    if not data:
        return ""
    if is_splat(data, size):
        return _element_texts(data[:size], element)[0]
    if hexadecimal and len(data) // size > HEX_LIMIT:
        return '"0x' + to_raw(data, element).hex().upper() + '"'
    return nested(_element_texts(data, element), list(ty.get_shape()))


def is_elided(elements: Attribute, limit: int) -> bool:
    """Whether `elements`, numbers or strings, are more than `limit` and not all the same."""
    if isinstance(elements, DenseIntOrFPElementsAttr):
        data = elements.data.data
        size = element_size(elements.type.get_element_type())
        return byte_count(data) // size > limit and not is_splat(data, size)
    return len(cast("Sized", elements)) > limit


def dense_text(printer: PrinterBase, attribute: DenseIntOrFPElementsAttr) -> str:
    """`dense<...> : type`, or what MLIR prints where large ones are elided."""
    ty = printer._attribute_text(attribute.type)
    limit = printer.elide_elements
    if limit is not None and is_elided(attribute, limit):
        return f"dense_resource<__elided__> : {ty}"
    return f"dense<{dense_body(attribute)}> : {ty}"


def array_text(printer: PrinterBase, attribute: DenseArrayBase[IntegerType]) -> str:
    """`array<type: values>`"""
    element = attribute.elt_type
    ty = printer._attribute_text(element)
    values = _element_texts(attribute.data.data, element)
    return f"array<{ty}: {', '.join(values)}>" if values else f"array<{ty}>"
