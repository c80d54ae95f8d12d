# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strided slices, inserted and extracted: by slices of lower rank, down to shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, VectorType, i64

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import shape_of, start, zeros
from xgpu.transforms.vector.transfers import broadcast, extract, insert

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.core.rewriting.rewriter import Rewriter


def numbers(op: Operation, name: str) -> list[int]:
    array = cast("ArrayAttr[IntegerAttr]", op.properties[name])
    return [item.value.data for item in array.data]


def _array(values: Sequence[int]) -> Attribute:
    return ArrayAttr([IntegerAttr(value, i64) for value in values])


def shuffle(rw: GreedyRewriter, left: SSAValue, right: SSAValue, places: Sequence[int]) -> SSAValue:
    ty = cast("VectorType", left.type)
    mask = {"mask": DenseArrayBase.from_list(i64, places)}
    return rw.value(
        "vector.shuffle", (left, right), VectorType(ty.element_type, [len(places)]), mask
    )


def insert_slice(
    rw: Rewriter,
    value: SSAValue,
    dest: SSAValue,
    offsets: Sequence[int],
    strides: Sequence[int],
) -> SSAValue:
    properties = {"offsets": _array(offsets), "strides": _array(strides)}
    return rw.value("vector.insert_strided_slice", (value, dest), dest.type, properties)


def extract_slice(
    rw: Rewriter,
    source: SSAValue,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> SSAValue:
    ty = cast("VectorType", source.type)
    shape = [*sizes, *ty.get_shape()[len(sizes) :]]
    flags = scalable_dims(ty)
    from xgpu.dialects.vector.ops import vector_type

    result = vector_type(ty.element_type, shape, flags)
    properties = {"offsets": _array(offsets), "sizes": _array(sizes), "strides": _array(strides)}
    return rw.value("vector.extract_strided_slice", (source,), result, properties)


def insert_into_higher_rank(op: Operation, rw: GreedyRewriter) -> bool:
    """Takes out the part of the destination that has the source's rank."""
    value, dest = op.operands
    offsets, strides = numbers(op, "offsets"), numbers(op, "strides")
    more = len(shape_of(dest)) - len(shape_of(value))
    if more == 0 or not offsets:
        return False
    start(op, rw)
    part = extract(rw, dest, *offsets[:more])
    part = insert_slice(rw, value, part, offsets[more:], strides)
    rw.replace(op, [insert(rw, part, dest, *offsets[:more])])
    return True


def insert_same_rank(op: Operation, rw: GreedyRewriter) -> bool:
    """1-D: two shuffles; n-D: slice by slice of the first dimension."""
    value, dest = op.operands
    offsets, strides = numbers(op, "offsets"), numbers(op, "strides")
    if len(shape_of(dest)) != len(shape_of(value)) or not offsets:
        return False
    start(op, rw)
    if value.type == dest.type:
        rw.replace(op, [value])
        return True
    if any(scalable_dims(value.type)) or any(scalable_dims(dest.type)):
        return _insert_rows(op, rw, offsets, strides) if len(offsets) > 1 else False
    if len(offsets) > 1:
        return _insert_rows(op, rw, offsets, strides)
    size, total = shape_of(value)[0], shape_of(dest)[0]
    offset, stride = offsets[0], strides[0]
    scaled = shuffle(rw, value, value, [i if i < size else 0 for i in range(total)])
    places = [
        (i - offset) // stride
        if offset <= i < offset + size * stride and (i - offset) % stride == 0
        else total + i
        for i in range(total)
    ]
    rw.replace(op, [shuffle(rw, scaled, dest, places)])
    return True


def _insert_rows(
    op: Operation, rw: GreedyRewriter, offsets: Sequence[int], strides: Sequence[int]
) -> bool:
    value, dest = op.operands
    result = dest
    size, stride = shape_of(value)[0], strides[0]
    for i, at in enumerate(range(offsets[0], offsets[0] + size * stride, stride)):
        row = extract(rw, value, i)
        old = extract(rw, dest, at)
        row = insert_slice(rw, row, old, offsets[1:], strides[1:])
        result = insert(rw, row, result, at)
    rw.replace(op, [result])
    return True


def extract_one_dimension(op: Operation, rw: GreedyRewriter) -> bool:
    """A slice along the first dimension only: a shuffle."""
    offsets = numbers(op, "offsets")
    if len(offsets) != 1 or any(scalable_dims(op.operands[0].type)):
        return False
    size, stride = numbers(op, "sizes")[0], numbers(op, "strides")[0]
    source = op.operands[0]
    start(op, rw)
    places = list(range(offsets[0], offsets[0] + size * stride, stride))
    mask = {"mask": DenseArrayBase.from_list(i64, places)}
    rw.replace(op, [rw.value("vector.shuffle", (source, source), op.results[0].type, mask)])
    return True


def extract_rows(op: Operation, rw: GreedyRewriter) -> bool:
    """n-D: slice by slice of the first dimension. Shuffles take no scalable vectors."""
    offsets, sizes, strides = (numbers(op, n) for n in ("offsets", "sizes", "strides"))
    flags = scalable_dims(op.operands[0].type)
    if flags[0] or (len(offsets) == 1 and not any(flags)):
        return False
    ty = cast("VectorType", op.results[0].type)
    start(op, rw)
    result = broadcast(rw, zeros(rw, ty.element_type), ty)
    end = offsets[0] + sizes[0] * strides[0]
    if len(offsets) == 1:
        rows = [extract(rw, op.operands[0], at) for at in range(offsets[0], end, strides[0])]
        for i, row in enumerate(rows):
            result = insert(rw, row, result, i)
        rw.replace(op, [result])
        return True
    for i, at in enumerate(range(offsets[0], end, strides[0])):
        row = extract(rw, op.operands[0], at)
        row = extract_slice(rw, row, offsets[1:], sizes[1:], strides[1:])
        result = insert(rw, row, result, i)
    rw.replace(op, [result])
    return True


PATTERNS = {
    "vector.extract_strided_slice": (extract_rows, extract_one_dimension),
    "vector.insert_strided_slice": (insert_into_higher_rank, insert_same_rank),
}
