# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of vector.extract_strided_slice and insert_strided_slice."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.ir import Attribute

from xgpu.dialects.vector.elements import elements_of, filled, splat_element, vector_of
from xgpu.dialects.vector.fold_extract import Constants, Folded
from xgpu.dialects.vector.shapes import defining, integers, is_scalable, place, rank, shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Operation

    from xgpu.dialects import vector


def fold_extract_slice(op: vector.ExtractStridedSliceOp, constants: Constants) -> Folded:
    """The whole is the source; a part of what was inserted is part of that; of a constant one."""
    source = op.operands[0]
    if source.type == op.results[0].type:
        return [source]
    if _through_inserts(op):
        return True
    made = _constant_slice(op, constants[0])
    return None if made is None else [made]


def _through_inserts(op: vector.ExtractStridedSliceOp) -> bool:
    """Reads from the slice that was inserted there, looking through those inserted elsewhere."""
    source = op.operands[0]
    offsets, sizes = integers(op.properties["offsets"]), integers(op.properties["sizes"])
    given = len(offsets)
    offsets.extend([0] * (rank(source) - given))
    sizes.extend(shape(source.type)[given:])
    while (insert := defining(source, "vector.insert_strided_slice")) is not None:
        value, source = insert.operands
        if rank(value) != len(offsets):
            return False
        starts = integers(insert.properties["offsets"])
        both = list(zip(offsets, sizes, starts, shape(value.type), strict=True))
        if any(at + n <= start or start + size <= at for at, n, start, size in both):
            continue
        if any(at < start or at + n > start + size for at, n, start, size in both):
            return False
        op.operands[0] = value
        moved = [IntegerAttr(at - start, i64) for at, _, start, _ in both[:given]]
        op.properties["offsets"] = ArrayAttr(moved)
        return True
    return False


def _constant_slice(op: vector.ExtractStridedSliceOp, constant: Attribute | None) -> Attribute | None:
    result = op.results[0].type
    element = splat_element(constant)
    if element is not None:
        return filled(result, element)
    elements = elements_of(constant)
    whole = cast("VectorType", op.operands[0].type)
    if elements is None or is_scalable(whole):
        return None
    offsets = integers(op.properties["offsets"])
    offsets.extend([0] * (rank(op.operands[0]) - len(offsets)))
    return vector_of(
        result,
        [elements[place(at, shape(whole))] for at in _places(offsets, shape(result))],
    )


def _places(offsets: list[int], sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The positions within a slice of these sizes, in order."""
    return list(product(*(range(at, at + n) for at, n in zip(offsets, sizes, strict=True))))


def constant_insert_slice(
    op: vector.InsertStridedSliceOp, value: Attribute, dest: Attribute
) -> Attribute | None:
    """A constant slice put into a constant."""
    kind, part = op.results[0].type, op.operands[0].type
    elements, new = elements_of(dest), elements_of(value)
    if elements is None or new is None or is_scalable(kind):
        return None
    lead = rank(op.operands[1]) - rank(op.operands[0])
    sizes = (*[1] * lead, *shape(part))
    places = _places(integers(op.offsets), sizes)
    for at, element in zip(places, new, strict=True):
        elements[place(at, shape(kind))] = element
    return vector_of(kind, elements)


def fold_insert_slice(op: Operation, _: Constants) -> Folded:
    """A slice as large as the destination replaces it."""
    value, dest = op.operands
    return [value] if value.type == dest.type else None
