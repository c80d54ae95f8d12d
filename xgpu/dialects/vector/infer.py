# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Result types that vector operations have from their operands and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from xgpu.dialects.syntax_helpers import scalable_dims

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import SSAValue


def _to_elements(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("VectorType", operands[0].type)
    count = 1
    for size in source.get_shape():
        count *= size
    return [source.element_type] * count


def _shuffle(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    first = cast("VectorType", operands[0].type)
    shape = [
        len(cast("DenseArrayBase[IntegerType]", properties["mask"]).get_values()),
        *first.get_shape()[1:],
    ]
    return [VectorType(first.element_type, shape)]


def _multi_reduction(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("VectorType", operands[0].type)
    reduced = set(cast("DenseArrayBase[IntegerType]", properties["reduction_dims"]).get_values())
    dims = scalable_dims(source)
    kept = [i for i in range(len(dims)) if i not in reduced]
    if not kept:
        return [source.element_type]
    shape = source.get_shape()
    return [vector_type(source.element_type, [shape[i] for i in kept], [dims[i] for i in kept])]


def _extract(
    operands: Sequence[SSAValue],
    properties: Mapping[str, object],
    regions: object,
    attributes: object,
) -> list[Attribute]:
    source = cast("VectorType", operands[0].type)
    count = len(cast("DenseArrayBase[IntegerType]", properties["static_position"]).get_values())
    shape = source.get_shape()
    if count == len(shape):
        return [source.element_type]
    return [vector_type(source.element_type, shape[count:], scalable_dims(source)[count:])]


def vector_type(element: Attribute, shape: Sequence[int], scalable: Sequence[bool]) -> VectorType:
    """A vector type with some scalable dimensions."""
    from xdsl.dialects.builtin import ArrayAttr, BoolAttr

    flags = ArrayAttr([BoolAttr.from_bool(flag) for flag in scalable])
    return VectorType(element, list(shape), flags)  # pyright: ignore[reportArgumentType]


def _extract_compatible(inferred: list[Attribute], given: list[Attribute]) -> bool:
    """A scalar and a vector of one element stand for one another."""
    return len(given) == 1 and (
        _holds_one(inferred[0], given[0]) or _holds_one(given[0], inferred[0])
    )


def _holds_one(vector: Attribute, element: Attribute) -> bool:
    return (
        isinstance(vector, VectorType)
        and tuple(vector.get_shape()) == (1,)
        and not any(scalable_dims(vector))
        and vector.element_type == element
    )


INFER = {
    "vector.to_elements": _to_elements,
    "vector.shuffle": _shuffle,
    "vector.multi_reduction": _multi_reduction,
    "vector.extract": _extract,
}

#: Result types that an operation may have in place of those that are inferred.
COMPATIBLE = {"vector.extract": _extract_compatible}
