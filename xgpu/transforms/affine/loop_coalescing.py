# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`affine-loop-coalescing`: nests of affine.for, and of scf.for, as one loop.

The one loop runs to the product of the bounds; the old variables are remainders and quotients of
the new one. Source: MLIR 22.1 LoopCoalescing.cpp, Affine/Utils/LoopUtils.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.core.ir.affine import floordiv, mod, mul
from xgpu.core.ir.construction import operations_of, replace_all_uses
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.affine.fold import set_bounds
from xgpu.transforms.scf.loop_coalescing import (
    bands,
    coalesce_nest,
    outermost_place,
    perfect_nest,
)

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation, SSAValue

    from xgpu.dialects import affine
    from xgpu.transforms.scf.loop_coalescing import Rewriters

#: A map and what it is applied to.
Mapped = tuple[AffineMap, list["SSAValue"]]
_X, _S = AffineDimExpr(0), AffineSymExpr(0)
_ZERO = AffineMap(0, 0, (AffineConstantExpr(0),))


def coalesce_affine_nest(loop: Operation, rewriters: Rewriters = Rewriter) -> bool:
    """Coalesces what can be of the nest that begins with an affine.for; False if a part that should
    be cannot."""
    nest = perfect_nest(loop)
    places = [outermost_place(nest, i, inner.operands) for i, inner in enumerate(nest)]
    for band in bands(nest, places, [0] * len(nest)):
        if not _coalesce([cast("affine.ForOp", inner) for inner in nest[band]], rewriters):
            return False
    return True


def _upper(loop: affine.ForOp) -> Mapped:
    return loop.upper_bound_map.data, list(loop.upper_bound_operands)


def _is_normal(loop: affine.ForOp) -> bool:
    """Whether the loop counts from 0 by 1."""
    return loop.lower_bound_map.data == _ZERO and loop.step.value.data == 1


def _carries_nothing_new(loop: affine.ForOp) -> bool:
    """Whether what the loop carries is always what it began with."""
    body = loop.regions[0].blocks[0]
    end = body.last_op
    assert end is not None
    return list(end.operands) == list(body.args[1:])


def _apply(rw: Rewriter, what: Mapped, name: str = "affine.apply") -> SSAValue:
    return rw.value(name, what[1], IndexType(), {"map": AffineMapAttr(what[0])})


def _of_two(rw: Rewriter, expr: AffineExpr, a: SSAValue, b: SSAValue) -> SSAValue:
    return _apply(rw, (AffineMap(1, 1, (expr,)), [a, b]))


def _coalesce(loops: Sequence[affine.ForOp], rewriters: Rewriters) -> bool:
    """Makes one loop of several; False if they do not count from 0 by 1, or carry values along."""
    outer, inner = loops[0], loops[-1]
    if outer.results or not all(_is_normal(loop) for loop in loops):
        return False
    if not all(_carries_nothing_new(loop) for loop in loops[1:]):
        return False
    rw = rewriters(outer)
    counts: list[SSAValue] = []
    total: SSAValue | None = None
    for loop in loops:
        name = "affine.apply" if len(loop.upper_bound_map.data.results) == 1 else "affine.min"
        counts.append(_apply(rw, _upper(loop), name))
        total = counts[-1] if total is None else _of_two(rw, mul(_X, _S), total, counts[-1])
    assert total is not None
    set_bounds(outer, (_ZERO, []), (AffineMap(0, 1, (_S,)), [total]))
    _replace_variables(loops, counts)
    for loop in loops[1:]:
        body = loop.regions[0].blocks[0]
        for argument, result, init in zip(body.args[1:], loop.results, loop.inits, strict=True):
            replace_all_uses(argument, init)
            replace_all_uses(result, init)
    body = inner.regions[0].blocks[0]
    end = body.last_op
    assert end is not None
    rw.erase(end)
    for op in operations_of(body):
        op.detach()
        outer.regions[0].blocks[0].insert_op_before(op, loops[1])
    rw.erase(loops[1])
    return True


def _replace_variables(loops: Sequence[affine.ForOp], counts: Sequence[SSAValue]) -> None:
    """Computes the variables of all loops from that of the outer one, from the inside."""
    body = loops[0].regions[0].blocks[0]
    rw = Rewriter(block=body, location=loops[0].location)
    rw.at_start(body)
    inner = loops[-1]
    rest: SSAValue = body.args[0]
    for at in range(len(loops) - 1, -1, -1):
        if at != len(loops) - 1:
            rest = _of_two(rw, floordiv(_X, _S), rest, counts[at + 1])
        value = rest if at == 0 else _of_two(rw, mod(_X, _S), rest, counts[at])
        for use in list(loops[at].regions[0].blocks[0].args[0].uses):
            if inner.is_ancestor(use.operation):
                use.operation.operands[use.index] = value


class LoopCoalescing(Pass):
    """Coalesces nested loops with independent bounds."""

    name = "affine-loop-coalescing"
    summary = "Coalesce nested loops with independent bounds into a single loop"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        pending = list(reversed(_directly_in(op)))
        while pending:
            loop = pending.pop()
            if loop.name == "scf.for":
                coalesce_nest(loop)
            elif loop.name == "affine.for":
                coalesce_affine_nest(loop)
            pending += reversed(_directly_in(loop))


def _directly_in(op: Operation) -> list[Operation]:
    """The operations directly in the regions of `op`."""
    return [inner for region in op.regions for block in region.blocks for inner in block.ops]
