# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of linalg.broadcast and linalg.transpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, i64

from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg.bodies import copying_region
from xgpu.dialects.linalg.structure import numbers
from xgpu.dialects.tensor.casts import made_by, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def _create(
    rw: GreedyRewriter, name: str, source: SSAValue, over: SSAValue, dims: Sequence[int]
) -> SSAValue:
    """A broadcast or a transposition of `source`, written over `over`."""
    attribute = "dimensions" if name == "linalg.broadcast" else "permutation"
    properties = {attribute: DenseArrayBase.from_list(i64, list(dims))}
    regions = [copying_region((source, over), rw.location)]
    return rw.create(name, (source, over), (over.type,), properties, None, regions).results[0]


def broadcast_of_broadcast(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast(broadcast) -> broadcast along the dimensions of both"""
    inner = made_by(op.operands[0], op.name)
    if inner is None or not op.results:
        return False
    added = numbers(op, "dimensions")
    kept = [dim for dim in range(len(shape_of(op.operands[1]))) if dim not in added]
    dimensions = sorted([*added, *(kept[dim] for dim in numbers(inner, "dimensions"))])
    rw.replace(op, [_create(rw, op.name, inner.operands[0], op.operands[1], dimensions)])
    return True


def transpose_of_transpose(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(transpose) -> transpose by both permutations"""
    inner = made_by(op.operands[0], op.name)
    if inner is None or not op.results:
        return False
    first = numbers(inner, "permutation")
    both = [first[dim] for dim in numbers(op, "permutation")]
    rw.replace(op, [_create(rw, op.name, inner.operands[0], op.operands[1], both)])
    return True


def transpose_of_broadcast(op: Operation, rw: GreedyRewriter) -> bool:
    """transpose(broadcast) -> broadcast(transpose), which moves fewer elements"""
    inner = made_by(op.operands[0], "linalg.broadcast")
    if inner is None or not op.results or not op.operands[0].has_one_use():
        return False
    added, order = numbers(inner, "dimensions"), numbers(op, "permutation")
    kept = [dim for dim in range(len(order)) if dim not in added]
    permutation = [kept.index(dim) for dim in order if dim not in added]
    dimensions = [order.index(dim) for dim in added]
    source = inner.operands[0]
    shape = shape_of(source)
    open_sizes = {
        dim: rw.value("tensor.dim", [source, index_constant(rw, dim)], IndexType())
        for dim, size in enumerate(shape)
        if size == DYNAMIC_INDEX
    }
    sizes = [open_sizes[dim] for dim in permutation if dim in open_sizes]
    element = cast("TensorType", source.type).element_type
    over = rw.value("tensor.empty", sizes, TensorType(element, [shape[dim] for dim in permutation]))
    moved = _create(rw, op.name, source, over, permutation)
    rw.replace(op, [_create(rw, inner.name, moved, op.operands[1], dimensions)])
    return True


TRANSPOSE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "linalg.broadcast": (broadcast_of_broadcast,),
    "linalg.transpose": (transpose_of_transpose, transpose_of_broadcast),
}
