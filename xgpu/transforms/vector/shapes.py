# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices, broadcasts, shape casts and transpositions: by those of lower rank, down to shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, IntegerAttr, VectorType, i64

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import is_scalable, poison, positions, shape_of, start, zeros
from xgpu.dialects.vector.ops import vector_type
from xgpu.transforms.vector.transfers import broadcast, extract, insert, without_leading_dims

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.rewriting.greedy import GreedyRewriter


# --- slices --------------------------------------------------------------------------------------
# Strided slices, inserted and extracted: by slices of lower rank, down to shuffles.


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
    offset = offsets[0]  # strides are 1
    scaled = shuffle(rw, value, value, [i if i < size else 0 for i in range(total)])
    places = [i - offset if offset <= i < offset + size else total + i for i in range(total)]
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


SLICE_PATTERNS = {
    "vector.extract_strided_slice": (extract_rows, extract_one_dimension),
    "vector.insert_strided_slice": (insert_into_higher_rank, insert_same_rank),
}


# --- broadcast -----------------------------------------------------------------------------------
# vector.broadcast of vectors: by broadcasts of lower rank, down to those of scalars.


def lower_broadcast(op: Operation, rw: GreedyRewriter) -> bool:
    source = op.operands[0]
    ty = cast("VectorType", op.results[0].type)
    if not isinstance(source.type, VectorType):
        return False
    old, new = shape_of(source), tuple(ty.get_shape())
    start(op, rw)
    if len(old) <= 1 and len(new) == 1:
        scalar = extract(rw, source, *(0 for _ in old))
        rw.replace(op, [broadcast(rw, scalar, ty)])
        return True
    if len(old) == len(new):
        stretched = next((i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b), None)
        if stretched is None:
            rw.replace(op, [source])
            return True
        if stretched != 0:
            return _stretch_inside(op, rw)
        source = None
    inner = without_leading_dims(ty)
    if source is not None:  # one dimension more: the same for each index
        row = broadcast(rw, source, inner)
        result = poison(rw, ty)
    else:  # the first dimension is of size one
        result = poison(rw, ty)
        row = broadcast(rw, extract(rw, op.operands[0], 0), inner)
    for i in range(new[0]):
        result = insert(rw, row, result, i)
    rw.replace(op, [result])
    return True


def _stretch_inside(op: Operation, rw: GreedyRewriter) -> bool:
    """A later dimension is of size one: each index of the first one alone."""
    ty = cast("VectorType", op.results[0].type)
    if scalable_dims(ty)[0]:
        return False
    inner = without_leading_dims(ty)
    result = poison(rw, ty)
    for i in range(ty.get_shape()[0]):
        row = broadcast(rw, extract(rw, op.operands[0], i), inner)
        result = insert(rw, row, result, i)
    rw.replace(op, [result])
    return True


BROADCAST_PATTERNS = {"vector.broadcast": (lower_broadcast,)}


# --- shapes --------------------------------------------------------------------------------------
# vector.shape_cast and vector.transpose: rows and elements moved one by one.


def _count(shape: Sequence[int]) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count


def shape_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """Moves the longest runs that both shapes have: a run of one as scalars, others as slices."""
    source = op.operands[0]
    ty = cast("VectorType", op.results[0].type)
    source_type = cast("VectorType", source.type)
    if is_scalable(ty) or is_scalable(source_type):
        return _scalable_shape_cast(op, rw)
    start(op, rw)
    old, new = shape_of(source), tuple(ty.get_shape())
    # Trailing dimensions that are alike stay together.
    alike = 0
    while (
        alike < min(len(old), len(new)) - 0
        and old[len(old) - 1 - alike] == new[len(new) - 1 - alike]
    ):
        alike += 1
    if alike == len(old) == len(new):
        rw.replace(op, [source])
        return True
    if alike == 0 and old and new:
        return _by_slices(op, rw, old, new)
    result = poison(rw, ty)
    from_places = positions(old[: len(old) - alike])
    to_places = positions(new[: len(new) - alike])
    for from_place, to_place in zip(from_places, to_places, strict=True):
        part = extract(rw, source, *from_place) if from_place or not old else source
        result = insert(rw, part, result, *to_place) if to_place or not new else part
    rw.replace(op, [result])
    return True


def _by_slices(
    op: Operation, rw: GreedyRewriter, old: tuple[int, ...], new: tuple[int, ...]
) -> bool:
    """The last dimensions differ: parts of the greatest length that divides both."""
    source = op.operands[0]
    ty = cast("VectorType", op.results[0].type)
    length = gcd(old[-1], new[-1])
    total = _count(old)
    result = poison(rw, ty)
    if length == 1:
        for from_place, to_place in zip(positions(old), positions(new), strict=True):
            result = insert(rw, extract(rw, source, *from_place), result, *to_place)
        rw.replace(op, [result])
        return True
    old_row: SSAValue | None = None
    new_row: SSAValue | None = None
    for at in range(0, total, length):
        old_place, old_offset = _split(at, old)
        new_place, new_offset = _split(at, new)
        if old_offset == 0 or old_row is None:
            old_row = extract(rw, source, *old_place) if old_place else source
        if new_offset == 0 or new_row is None:
            row_type = without_leading_dims(ty, len(new_place))
            new_row = poison(rw, row_type) if new_place else result
        if length == old[-1]:
            new_row = insert_slice(rw, old_row, new_row, [new_offset], [1])
        else:
            part = extract_slice(rw, old_row, [old_offset], [length], [1])
            new_row = (
                part if length == new[-1] else insert_slice(rw, part, new_row, [new_offset], [1])
            )
        if new_offset + length == new[-1]:
            result = insert(rw, new_row, result, *new_place) if new_place else new_row
    rw.replace(op, [result])
    return True


def _split(at: int, shape: tuple[int, ...]) -> tuple[list[int], int]:
    """The position of the row, and the place in it, of element number `at`."""
    at, offset = divmod(at, shape[-1])
    place: list[int] = []
    for extent in reversed(shape[:-1]):
        at, index = divmod(at, extent)
        place.append(index)
    return place[::-1], offset


def _scalable_shape_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """Both shapes end in their only scalable dimension: parts by vector.scalable.*."""
    source = op.operands[0]
    ty = cast("VectorType", op.results[0].type)
    for flags in (scalable_dims(source.type), scalable_dims(ty)):
        if not flags or not flags[-1] or any(flags[:-1]):
            return False
    old, new = shape_of(source), tuple(ty.get_shape())
    length = min(old[-1], new[-1])
    if old[-1] % length or new[-1] % length:
        return False
    start(op, rw)
    part_type = VectorType(ty.element_type, [length], _scalable())
    result = poison(rw, ty)
    row: SSAValue | None = None
    for at in range(0, _count(old), length):
        old_place, old_offset = _split(at, old)
        new_place, new_offset = _split(at, new)
        part = extract(rw, source, *old_place) if old_place else source
        if length < old[-1]:
            pos = {"pos": IntegerAttr(old_offset, i64)}
            part = rw.value("vector.scalable.extract", (part,), part_type, pos)
        if length == new[-1]:
            row = part
        else:
            if new_offset == 0:
                row = extract(rw, result, *new_place) if new_place else result
            assert row is not None
            pos = {"pos": IntegerAttr(new_offset, i64)}
            row = rw.value("vector.scalable.insert", (part, row), row.type, pos)
        if new_offset + length == new[-1]:
            result = insert(rw, row, result, *new_place) if new_place else row
    rw.replace(op, [result])
    return True


def _scalable() -> ArrayAttr[BoolAttr]:
    return ArrayAttr([BoolAttr.from_bool(True)])


def transpose(op: Operation, rw: GreedyRewriter) -> bool:
    """Element by element; trailing dimensions that stay where they are stay together."""
    source = op.operands[0]
    ty = cast("VectorType", op.results[0].type)
    source_type = source.type
    if is_scalable(source_type):
        return False
    permutation = cast("DenseArrayBase[IntegerType]", op.properties["permutation"])
    order = list(permutation.get_values())
    shape = shape_of(source)
    start(op, rw)
    moved = len(order)
    while moved and order[moved - 1] == moved - 1:
        moved -= 1
    if moved == 0:
        rw.replace(op, [source])
        return True
    if len(order) == 2 and 1 in shape:  # a row is a column
        rw.replace(op, [rw.value("vector.shape_cast", (source,), ty)])
        return True
    result = poison(rw, ty)
    for place in positions(shape[:moved]):
        target = [place[dimension] for dimension in order[:moved]]
        result = insert(rw, extract(rw, source, *place), result, *target)
    rw.replace(op, [result])
    return True


SHAPE_PATTERNS = {
    "vector.shape_cast": (shape_cast,),
    "vector.transpose": (transpose,),
}
