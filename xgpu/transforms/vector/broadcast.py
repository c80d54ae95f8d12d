# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.broadcast of vectors: by broadcasts of lower rank, down to those of scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import poison, shape_of, start
from xgpu.transforms.vector.transfers import broadcast, extract, insert, without_leading_dims

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter


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


PATTERNS = {"vector.broadcast": (lower_broadcast,)}
