# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The range of what an affine.apply computes. Source: MLIR 22.1 InferIntRangeInterfaceImpls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xgpu.analysis.ranges import int_range_arith as a
from xgpu.analysis.ranges.int_range import IntRange, constant, from_signed, full

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr
    from xdsl.ir import Operation, SSAValue

    from xgpu.analysis.ranges.bounds import Ranges, Rule

_WIDTH = 64


def _remainder(value: IntRange, by: IntRange) -> IntRange:
    """The remainder of affine maps: never below zero, for a divisor that is positive."""
    # Nothing comes of a division by zero.
    if by.smin < 0 or by.smax == 0:
        return full(_WIDTH)
    if value.smin >= 0 and value.smax < max(by.smin, 1):
        return value
    divisor = by.constant
    # Within one multiple of the divisor remainders are in order.
    if divisor is not None and value.smin // divisor == value.smax // divisor:
        return from_signed(_WIDTH, value.smin % divisor, value.smax % divisor)
    return from_signed(_WIDTH, 0, by.smax - 1)


_BINARY = {
    AffineBinaryOpKind.Add: a.add,
    AffineBinaryOpKind.Mul: a.mul,
    AffineBinaryOpKind.FloorDiv: a.floordiv_s,
    AffineBinaryOpKind.CeilDiv: a.ceildiv_s,
    AffineBinaryOpKind.Mod: _remainder,
}


def _range_of(expr: AffineExpr, dims: Sequence[IntRange], symbols: Sequence[IntRange]) -> IntRange:
    if isinstance(expr, AffineConstantExpr):
        return constant(_WIDTH, expr.value)
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    binary = cast("AffineBinaryOpExpr", expr)
    infer = _BINARY[binary.kind]
    return infer(_range_of(binary.lhs, dims, symbols), _range_of(binary.rhs, dims, symbols))


def _apply(op: Operation, ranges: Ranges) -> dict[SSAValue, IntRange]:
    known = [r for r in ranges if r is not None]
    if len(known) != len(ranges):
        return {}
    affine_map = cast("AffineMapAttr", op.properties["map"]).data
    dims, symbols = known[: affine_map.num_dims], known[affine_map.num_dims :]
    return {op.results[0]: _range_of(affine_map.results[0], dims, symbols)}


AFFINE_RULES: dict[str, Rule] = {"affine.apply": _apply}
