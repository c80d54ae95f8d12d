# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of `affine.apply`: what to put for dimensions and symbols."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xgpu.core.ir import affine

#: A value, or the integer that it is known to be.
Mixed = SSAValue | int

#: What makes, and simplifies, an expression of each kind.
BUILD = {
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
        return BUILD[expr.kind](lhs, rhs)
    return expr
