# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`affine.apply` that is folded and composed while it is built.

Operands and results are mixed: a value, or an integer where the value is known (MLIR's
OpFoldResult; compare makeComposedFoldedAffineApply).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.ir import affine
from xgpu.ir.constants import int_of

if TYPE_CHECKING:
    from xgpu.rewriting.rewriter import Rewriter

#: A value, or the integer that it is known to be.
Mixed = SSAValue | int

_BUILD = {
    AffineBinaryOpKind.Add: affine.add,
    AffineBinaryOpKind.Mul: affine.mul,
    AffineBinaryOpKind.FloorDiv: affine.floordiv,
    AffineBinaryOpKind.CeilDiv: affine.ceildiv,
    AffineBinaryOpKind.Mod: affine.mod,
}


def symbol(position: int) -> AffineExpr:
    return AffineSymExpr(position)


def constant(value: int) -> AffineExpr:
    return AffineConstantExpr(value)


def substitute(
    expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr]
) -> AffineExpr:
    """`expr` with its dimensions and symbols replaced, simplified on the way."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if isinstance(expr, AffineBinaryOpExpr):
        lhs, rhs = substitute(expr.lhs, dims, symbols), substitute(expr.rhs, dims, symbols)
        return _BUILD[expr.kind](lhs, rhs)
    return expr


class _Composer:
    """Gathers the symbols of an expression from operands, looking through affine.apply."""

    def __init__(self) -> None:
        self.values: list[SSAValue] = []
        self._known: dict[SSAValue, AffineExpr] = {}

    def expression(self, operand: Mixed) -> AffineExpr:
        if isinstance(operand, int):
            return AffineConstantExpr(operand)
        known = self._known.get(operand)
        if known is not None:
            return known
        number = int_of(operand)
        owner = operand.owner
        if number is not None:
            expr: AffineExpr = AffineConstantExpr(number)
        elif isinstance(owner, Operation) and owner.name == "affine.apply":
            attr: Any = owner.properties["map"]
            inner: AffineMap = attr.data
            pieces = [self.expression(v) for v in owner.operands]
            dims, symbols = pieces[: inner.num_dims], pieces[inner.num_dims :]
            expr = substitute(inner.results[0], dims, symbols)
        else:
            expr = AffineSymExpr(len(self.values))
            self.values.append(operand)
        self._known[operand] = expr
        return expr


def _used(expr: AffineExpr, found: set[int]) -> set[int]:
    if isinstance(expr, AffineSymExpr):
        found.add(expr.position)
    elif isinstance(expr, AffineBinaryOpExpr):
        _used(expr.lhs, found)
        _used(expr.rhs, found)
    return found


def folded_apply(rw: Rewriter, expr: AffineExpr, operands: Sequence[Mixed]) -> Mixed:
    """The value of `expr`, whose symbols are `operands`: an integer, one of the operands, or an
    `affine.apply` of what is left."""
    composer = _Composer()
    result = substitute(expr, (), [composer.expression(operand) for operand in operands])
    if isinstance(result, AffineConstantExpr):
        return result.value
    if isinstance(result, AffineSymExpr):
        return composer.values[result.position]
    used = sorted(_used(result, set()))
    renumbered: list[AffineExpr] = [AffineConstantExpr(0)] * len(composer.values)
    for new, old in enumerate(used):
        renumbered[old] = AffineSymExpr(new)
    final = AffineMap(0, len(used), (substitute(result, (), renumbered),))
    return rw.value(
        "affine.apply",
        [composer.values[old] for old in used],
        IndexType(),
        {"map": AffineMapAttr(final)},
    )
