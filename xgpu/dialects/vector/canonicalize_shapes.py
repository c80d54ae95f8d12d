# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of vector.broadcast, shape_cast, shuffle and transpose.

Source: MLIR 22.1 VectorOps.cpp; the order of the rules is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.dialects.vector.canonicalize_elements import broadcast, reshape
from xgpu.dialects.vector.fold_shapes import is_order_preserving
from xgpu.dialects.vector.mask_folding import transpose_twice
from xgpu.dialects.vector.shapes import (
    count,
    defining,
    is_broadcastable,
    is_vector,
    rank,
    shape,
    splat_source,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


def broadcast_twice(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast(broadcast %a) -> broadcast %a"""
    inner = defining(op.operands[0], "vector.broadcast")
    return inner is not None and broadcast(op, rw, inner.operands[0])


def cast_of_broadcast(op: vector.ShapeCastOp, rw: GreedyRewriter) -> bool:
    """shape_cast(broadcast %a) -> shape_cast %a, or broadcast %a"""
    inner = cast("vector.BroadcastOp | None", defining(op.operands[0], "vector.broadcast"))
    if inner is None:
        return False
    source, result = inner.operands[0], op.results[0].type
    if is_vector(source.type) and count(source.type) == count(result):
        return reshape(op, rw, source)
    return is_broadcastable(source.type, result) and broadcast(op, rw, source)


# --- transpose -----------------------------------------------------------------------------------
def transpose_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(shape_cast %a) -> shape_cast %a, where elements keep their order"""
    cast = defining(op.operands[0], "vector.shape_cast")
    return cast is not None and is_order_preserving(op) and reshape(op, rw, cast.operands[0])


def transpose_of_broadcast(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """transpose(broadcast %a) -> broadcast %a, where it moves only what is repeated.

    Dimensions between two that the source has may change places."""
    inner = defining(op.operands[0], "vector.broadcast")
    if inner is None:
        return False
    source = inner.operands[0]
    sizes = shape(source.type)
    lead = rank(op.operands[0]) - len(sizes)
    permutation = list(op.properties["permutation"].get_values())
    low = 0
    for i, size in enumerate(sizes):
        if size == 1 and (i == 0 or sizes[i - 1] == 1):
            continue
        high = i + lead
        if any(not low <= p < high for p in permutation[low:high]):
            return False
        low = high
    return broadcast(op, rw, source)


def transpose_of_elements(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """transpose(from_elements) -> from_elements in their new order"""
    maker = defining(op.operands[0], "vector.from_elements")
    if maker is None:
        return False
    from xgpu.dialects.vector.shapes import place, position_of

    before, after = shape(op.operands[0].type), shape(op.results[0].type)
    permutation = op.properties["permutation"].get_values()
    moved: list[SSAValue] = []
    for at in range(len(maker.operands)):
        source = [0] * len(before)
        for dim, here in zip(permutation, position_of(at, after), strict=True):
            source[dim] = here
        moved.append(maker.operands[place(source, before)])
    rw.replace(op, [rw.value("vector.from_elements", moved, op.results[0].type)])
    return True


# --- shuffle -------------------------------------------------------------------------------------
def shuffle_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """shuffle(broadcast %a, broadcast %a) -> broadcast %a"""
    scalar = splat_source(op.operands[0])
    if scalar is None or splat_source(op.operands[1]) is not scalar:
        return False
    return broadcast(op, rw, scalar)


def shuffle_interleave(op: vector.ShuffleOp, rw: GreedyRewriter) -> bool:
    """shuffle %a, %b [0, n, 1, n + 1, ...] -> interleave %a, %b"""
    first, second = op.operands
    result = op.results[0]
    if rank(result) != 1 or first.type != second.type:
        return False
    size = count(first.type)
    if list(op.properties["mask"].get_values()) != [n for i in range(size) for n in (i, size + i)]:
        return False
    rw.replace(op, [rw.value("vector.interleave", (first, second), result.type)])
    return True


def shuffle_scalars(op: vector.ShuffleOp, rw: GreedyRewriter) -> bool:
    """A shuffle that makes one element of vectors without dimensions -> broadcast"""
    mask = list(op.properties["mask"].get_values())
    if rank(op.operands[0]) or len(mask) != 1:
        return False
    return broadcast(op, rw, op.operands[0 if mask[0] == 0 else 1])


SHAPE_PATTERNS = {
    "vector.broadcast": (broadcast_twice,),
    "vector.shape_cast": (cast_of_broadcast,),
    "vector.shuffle": (shuffle_splat, shuffle_interleave, shuffle_scalars),
    "vector.transpose": (
        transpose_of_cast,
        transpose_twice,
        transpose_of_broadcast,
        transpose_of_elements,
    ),
}
