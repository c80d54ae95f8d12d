# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.shape_cast and vector.transpose: rows and elements moved one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, VectorType, i64

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import is_scalable, poison, positions, shape_of, start
from xgpu.transforms.vector.slices import extract_slice, insert_slice
from xgpu.transforms.vector.transfers import extract, insert, without_leading_dims

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, IntegerType
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter


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
    from math import gcd

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
    from xdsl.dialects.builtin import ArrayAttr, BoolAttr

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


PATTERNS = {
    "vector.shape_cast": (shape_cast,),
    "vector.transpose": (transpose,),
}
