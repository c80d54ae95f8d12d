# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums in maps that put the results of an affine.delinearize_index together again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xgpu.core.ir.affine import add, mul
from xgpu.dialects.affine.apply import BUILD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue

    from xgpu.dialects import affine

#: Operands of a map; None for one that it no longer uses.
Values = list["SSAValue | None"]


def rejoin(
    exprs: Sequence[AffineExpr],
    op: affine.DelinearizeIndexOp,
    dims: Values,
    symbols: Values,
) -> list[AffineExpr] | None:
    """`exprs` with d0 * 20 + d1 * 5 + d2 as the index of which d are the parts, in a basis
    (.., 4, 5); None where they have no such sum.

    The index is one more of `dims` or of `symbols`; parts that are no longer used become None.
    """
    parts = _parts(op, dims, symbols)
    if parts is None:
        return None
    terms: set[AffineExpr] = set()
    stride = 1
    sizes = list(op.static_basis.get_values())[::-1]
    for at, part in enumerate(reversed(parts)):
        terms.add(mul(part, AffineConstantExpr(stride)))
        stride *= sizes[at] if at < len(sizes) else 1
    are_dims = all(isinstance(part, AffineDimExpr) for part in parts)
    index = AffineDimExpr(len(dims)) if are_dims else AffineSymExpr(len(symbols))
    new = [_shortened(expr, terms, index) for expr in exprs]
    if new == list(exprs):
        return None
    (dims if are_dims else symbols).append(op.linear_index)
    left = set[AffineExpr]().union(*(_leaves(expr) for expr in new))
    for part in parts:
        if part not in left:
            (dims if isinstance(part, AffineDimExpr) else symbols)[part.position] = None
    return new


def _parts(
    op: affine.DelinearizeIndexOp, dims: Values, symbols: Values
) -> list[AffineDimExpr | AffineSymExpr] | None:
    """What stands for each result of `op`; None if one is not there, or a size is not known."""
    if DYNAMIC_INDEX in op.static_basis.get_values():
        return None
    places: dict[SSAValue | None, AffineDimExpr | AffineSymExpr] = {}
    places.update((value, AffineDimExpr(at)) for at, value in enumerate(dims))
    places.update((value, AffineSymExpr(at)) for at, value in enumerate(symbols))
    parts = [places[result] for result in op.results if result in places]
    return parts if len(parts) == len(op.results) else None


def _shortened(expr: AffineExpr, terms: set[AffineExpr], index: AffineExpr) -> AffineExpr:
    """`expr` with `index` for what has all of `terms` in a sum."""
    if not isinstance(expr, AffineBinaryOpExpr):
        return expr
    if expr.kind is not AffineBinaryOpKind.Add:
        lhs, rhs = _shortened(expr.lhs, terms, index), _shortened(expr.rhs, terms, index)
        same = lhs is expr.lhs and rhs is expr.rhs
        return expr if same else BUILD[expr.kind](lhs, rhs)
    missing = set(terms)
    kept: list[AffineExpr] = []
    for term in _summands(expr):
        if term in missing:
            missing.remove(term)
        else:
            kept.append(_shortened(term, terms, index))
    if not missing:
        total = index
    else:
        total, *kept = [_shortened(term, terms, index) for term in reversed(_summands(expr))]
        kept.reverse()
    for term in reversed(kept):
        total = add(total, term)
    return total


def _summands(expr: AffineExpr) -> list[AffineExpr]:
    """What a chain of additions adds, the last first."""
    found: list[AffineExpr] = []
    while isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.Add:
        found.append(expr.rhs)
        expr = expr.lhs
    return [*found, expr]


def _leaves(expr: AffineExpr) -> set[AffineExpr]:
    """The dimensions and symbols of an expression."""
    if isinstance(expr, AffineBinaryOpExpr):
        return _leaves(expr.lhs) | _leaves(expr.rhs)
    return {expr}
