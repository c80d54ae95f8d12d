# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of vector.extract_strided_slice and insert_strided_slice.

Source: MLIR 22.1 VectorOps.cpp; the order of the rules is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i64
from xdsl.ir import SSAValue

from xgpu.core.ir.constants import constant_of, is_poison
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.canonicalize_elements import broadcast, extract, reshape
from xgpu.dialects.vector.fold_insert import MOST_ELEMENTS
from xgpu.dialects.vector.fold_slices import constant_insert_slice
from xgpu.dialects.vector.infer import vector_type
from xgpu.dialects.vector.shapes import (
    count,
    defining,
    integers,
    is_scalable,
    rank,
    shape,
    splat_source,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


def slice_of_broadcast(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """extract_strided_slice(broadcast %a) -> broadcast of a slice of %a, or of %a"""
    inner = defining(op.operands[0], "vector.broadcast")
    if inner is None:
        return False
    source = inner.operands[0]
    sizes, result = shape(source.type), shape(op.results[0].type)
    lead = len(result) - len(sizes)
    kept = [size if size == 1 else left for size, left in zip(sizes, result[lead:], strict=True)]
    if tuple(kept) != sizes:
        source = _slice(op, rw, source, lead, kept)
    return broadcast(op, rw, source)


def _slice(
    op: Operation, rw: GreedyRewriter, source: SSAValue, lead: int, kept: list[int]
) -> SSAValue:
    """The same slice of what was broadcast, which has `lead` dimensions less."""
    sizes = shape(source.type)
    kind = cast("VectorType", source.type)
    offsets = integers(cast("ArrayAttr[IntegerAttr]", op.properties["offsets"]))[lead:]
    starts = [0 if size == 1 else at for at, size in zip(offsets, sizes, strict=False)]
    numbers = {
        "offsets": starts,
        "sizes": kept[: len(starts)],
        "strides": integers(cast("ArrayAttr[IntegerAttr]", op.properties["strides"]))[lead:],
    }
    return rw.value(
        "vector.extract_strided_slice",
        (source,),
        vector_type(kind.element_type, kept, scalable_dims(kind)),
        {
            name: ArrayAttr([IntegerAttr(n, i64) for n in values])
            for name, values in numbers.items()
        },
    )


def slice_of_rows(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """A slice without gaps, whose leading dimensions are 1 and the others whole -> shape_cast of an
    extract"""
    source = op.operands[0]
    whole, sizes = shape(source.type), integers(op.sizes)
    if is_scalable(source.type) or not whole:
        return False
    if any(stride != 1 for stride in integers(op.strides)):
        return False
    lead = len(sizes)
    while lead and sizes[lead - 1] == whole[lead - 1]:
        lead -= 1
    if lead in (0, len(whole)) or any(size != 1 for size in sizes[:lead]):
        return False
    # Leading dimensions of 1 would only make the cast harder.
    while lead < len(sizes) - 1 and sizes[lead] == 1:
        lead += 1
    offsets = integers(op.offsets)
    return reshape(op, rw, extract(rw, source, offsets[:lead]))


def insert_slice_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_strided_slice(broadcast %a, broadcast %a) -> the destination"""
    value, dest = op.operands
    scalar = splat_source(value)
    if scalar is None or splat_source(dest) is not scalar:
        return False
    rw.replace(op, [dest])
    return True


def insert_slice_back(op: Operation, rw: GreedyRewriter) -> bool:
    """insert_strided_slice of what extract_strided_slice took from there -> the destination"""
    value, dest = op.operands
    piece = defining(value, "vector.extract_strided_slice")
    if piece is None or piece.operands[0] is not dest or rank(value) != rank(dest):
        return False
    if any(piece.properties[name] != op.properties[name] for name in ("offsets", "strides")):
        return False
    rw.replace(op, [dest])
    return True


def insert_slice_constant(op: vector.InsertStridedSliceOp, rw: GreedyRewriter) -> bool:
    """insert_strided_slice of constants -> a constant"""
    value, dest = op.operands
    first, second = constant_of(value), constant_of(dest)
    if first is None or second is None or is_poison(first) or is_poison(second):
        return False
    if count(dest.type) > MOST_ELEMENTS and not dest.has_one_use():
        return False
    made = constant_insert_slice(op, first, second)
    if made is None:
        return False
    rw.replace(op, [attribute_constant(rw, made, op.results[0].type)])
    return True


EXTRACT = (slice_of_broadcast, slice_of_rows)
INSERT = (insert_slice_splat, insert_slice_back, insert_slice_constant)
