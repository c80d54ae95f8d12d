# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the linalg dialect: what computes nothing, and sizes that one
operand of a structured operation tells of another. Those of fills, transpositions and packing are
in modules of their own.

Source: MLIR 22.1 LinalgOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.ir import BlockArgument
from xdsl.ir.affine import AffineDimExpr

from xgpu.dialects.linalg.canonicalize_packing import PACK_PATTERNS
from xgpu.dialects.linalg.canonicalize_transposes import TRANSPOSE_PATTERNS
from xgpu.dialects.linalg.fills import copy_of_fill, pack_of_fill, transpose_of_fill
from xgpu.dialects.linalg.named_ops import OPS
from xgpu.dialects.linalg.retyping import with_operands
from xgpu.dialects.linalg.structure import (
    MATMULS,
    indexing_maps,
    is_on_buffers,
    outputs,
    shape_of as sizes_of,
)
from xgpu.dialects.tensor.casts import cast_to, is_static, made_by, may_be_cast, with_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def erase_identity(op: Operation, rw: GreedyRewriter) -> bool:
    """An operation whose maps are all the same one and that yields what it is given is that."""
    block = op.regions[0].blocks[0]
    end = block.last_op
    if end is None or end is not block.first_op or end.name != "linalg.yield":
        return False
    maps = indexing_maps(op)
    if any(each != maps[0] for each in maps[1:]):
        return False
    given: list[SSAValue] = []
    for value in end.operands:
        if not isinstance(value, BlockArgument) or value.owner is not block:
            return False
        given.append(op.operands[value.index])
    if is_on_buffers(op):
        return len(outputs(op)) == 1 and erase_self_copy(op, rw)
    if any(value.type.name != "tensor" for value in op.operands) or len(given) != len(op.results):
        return False
    pairs = list(zip(given, [result.type for result in op.results], strict=True))
    if not all(v.type == kind or may_be_cast(v.type, kind) for v, kind in pairs):
        return False
    rw.replace(op, [cast_to(rw, value, kind) for value, kind in pairs])
    return True


def erase_self_copy(op: Operation, rw: GreedyRewriter) -> bool:
    """What is copied to itself stays as it is."""
    if len(op.operands) != 2 or op.operands[0] is not op.operands[1]:
        return False
    rw.replace(op, op.operands[: len(op.results)])
    return True


def erase_dead(op: Operation, rw: GreedyRewriter) -> bool:
    """Nothing is done to a buffer without elements. A tensor without any may stand for others."""
    if op.results or not any(
        isinstance(v.type, MemRefType) and 0 in v.type.get_shape() for v in op.operands
    ):
        return False
    rw.erase(op)
    return True


def infer_static_shape(op: Operation, rw: GreedyRewriter) -> bool:
    """Sizes of operands that others tell: each dimension of the iteration has one extent."""
    if not op.results or any(isinstance(v.type, MemRefType) for v in op.operands):
        return False
    maps = indexing_maps(op)
    if not all(_is_projection(each.results) for each in maps):
        return False
    extents = _extents(op)
    operands, kinds = list(op.operands), [result.type for result in op.results]
    outs = outputs(op)
    for place, (value, each) in enumerate(zip(op.operands, maps, strict=True)):
        shape = sizes_of(value)
        if shape is None or not isinstance(value.type, TensorType):
            continue
        new = [
            extents.get(cast("AffineDimExpr", expr).position, size)
            if size == DYNAMIC_INDEX
            else size
            for expr, size in zip(each.results, shape, strict=True)
        ]
        if list(shape) == new:
            continue
        kind = with_shape(value.type, new)
        operands[place] = rw.value("tensor.cast", (value,), kind)
        if place >= len(operands) - len(outs):
            kinds[place - (len(operands) - len(outs))] = kind
    if all(new is old for new, old in zip(operands, op.operands, strict=True)):
        return False
    old = [result.type for result in op.results]
    new_op = with_operands(rw, op, operands, kinds)
    pairs = zip(new_op.results, old, strict=True)
    rw.replace(op, [cast_to(rw, result, kind) for result, kind in pairs])
    return True


def _is_projection(results: Sequence[object]) -> bool:
    dims = [r.position for r in results if isinstance(r, AffineDimExpr)]
    return len(dims) == len(results) == len(set(dims))


def _extents(op: Operation) -> dict[int, int]:
    """The extents of the iteration's dimensions that are known, the first one that is told of each.
    What is cast from known sizes has these."""
    found: dict[int, int] = {}
    for value, each in zip(op.operands, indexing_maps(op), strict=True):
        shape = sizes_of(value)
        if shape is None:
            continue
        source = made_by(value, "tensor.cast")
        told: Sequence[int] = shape
        if source is not None and is_static(source.operands[0].type):
            told = sizes_of(source.operands[0]) or shape
        for expr, size, known in zip(each.results, shape, told, strict=True):
            if size != DYNAMIC_INDEX:
                found.setdefault(cast("AffineDimExpr", expr).position, known)
    return found


_STRUCTURED = (
    *MATMULS, *OPS, "linalg.broadcast", "linalg.contract", "linalg.elementwise", "linalg.generic",
    "linalg.map", "linalg.reduce", "linalg.transpose",
)  # fmt: skip
_OWN: dict[str, tuple[Pattern, ...]] = {
    **TRANSPOSE_PATTERNS,
    "linalg.copy": (erase_self_copy, copy_of_fill),
    "linalg.generic": (erase_identity,),
}
_OWN["linalg.broadcast"] = (erase_identity, *_OWN["linalg.broadcast"])
_OWN["linalg.transpose"] = (transpose_of_fill, *_OWN["linalg.transpose"])

PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **{n: (*_OWN.get(n, ()), erase_dead, infer_static_shape) for n in _STRUCTURED},
    **PACK_PATTERNS,
}
PATTERNS["linalg.pack"] = (*PATTERNS["linalg.pack"], pack_of_fill)
