# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions that are simpler for what loops say of their variables.

The variable of an affine.for with constant bounds lies between them, and is a multiple of the step
where it begins at one. So quotients may be constant, remainders the dividend, and of the results
of a minimum or maximum some can never count. Source: MLIR 22.1 AffineOps.cpp
(`simplifyMapWithOperands`, `simplifyMinOrMaxExprWithOperands`), AffineExpr.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.core.ir.affine import CEILDIV, FLOORDIV, MOD, largest_divisor
from xgpu.dialects.affine.apply import BUILD

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr

    from xgpu.dialects import affine

_DIVISIONS = (CEILDIV, FLOORDIV, MOD)
#: The least and the largest value, None where it is not known.
Range = tuple[int | None, int | None]


def _loop_of(value: SSAValue) -> affine.ForOp | None:
    """The loop whose variable `value` is."""
    owner = value.owner
    if not isinstance(owner, Block) or owner.args[0] is not value:
        return None
    parent = owner.parent_op()
    is_loop = parent is not None and parent.name == "affine.for"
    return cast("affine.ForOp", parent) if is_loop else None


def _bound(op: affine.ForOp, name: str) -> int | None:
    """A bound that is one constant."""
    results = cast("AffineMapAttr", op.properties[name]).data.results
    first = results[0]
    return first.value if len(results) == 1 and isinstance(first, AffineConstantExpr) else None


def _range_of(value: SSAValue) -> Range:
    loop = _loop_of(value)
    if loop is None:
        return None, None
    lower, upper = _bound(loop, "lowerBoundMap"), _bound(loop, "upperBoundMap")
    if upper is None:
        return lower, None
    last = upper - 1
    # The last value is whole steps away from the first.
    return lower, last if lower is None else last - (last - lower) % loop.step.value.data


class _Known:
    """What is known of the operands of a map."""

    def __init__(self, dims: int, operands: Sequence[SSAValue]) -> None:
        self.dims = dims
        self.operands = operands
        self.ranges = [_range_of(value) for value in operands]

    def range(self, expr: AffineExpr) -> Range:
        """The least and the largest value of an expression."""
        if isinstance(expr, AffineBinaryOpExpr) and expr.kind in _DIVISIONS:
            if not isinstance(expr.rhs, AffineConstantExpr) or expr.rhs.value < 1:
                return None, None
            return _divided(expr.kind, self.range(expr.lhs), expr.rhs.value)
        terms = coefficients(expr, self.dims, len(self.operands))
        if terms is None:
            return None, None
        low: int | None = terms[-1]
        high: int | None = terms[-1]
        for factor, (least, most) in zip(terms, self.ranges, strict=False):
            if factor == 0:
                continue
            if factor < 0:
                least, most = most, least
            low = None if low is None or least is None else low + factor * least
            high = None if high is None or most is None else high + factor * most
        return low, high

    def divisor(self, expr: AffineExpr) -> int:
        """A number of which every value of an expression is a multiple."""
        loop = _loop_of(self.operands[expr.position]) if isinstance(expr, AffineDimExpr) else None
        if loop is None:
            return largest_divisor(expr)
        step = loop.step.value.data
        if _bound(loop, "lowerBoundMap") == 0:
            return step
        results = loop.properties["lowerBoundMap"].data.results
        return math.gcd(step, *map(largest_divisor, results))

    def is_below(self, expr: AffineExpr, limit: int) -> bool:
        """Whether an expression is a constant or a variable between 0 and `limit`."""
        if isinstance(expr, AffineConstantExpr):
            return 0 <= expr.value < limit
        loop = _loop_of(self.operands[expr.position]) if isinstance(expr, AffineDimExpr) else None
        if loop is None:
            return False
        lower, upper = _bound(loop, "lowerBoundMap"), _bound(loop, "upperBoundMap")
        return lower is not None and lower >= 0 and upper is not None and upper <= limit

    def simplified(self, expr: AffineExpr) -> AffineExpr:
        if not isinstance(expr, AffineBinaryOpExpr):
            return expr
        made = BUILD[expr.kind](self.simplified(expr.lhs), self.simplified(expr.rhs))
        if not isinstance(made, AffineBinaryOpExpr) or made.kind not in _DIVISIONS:
            return made
        rhs = made.rhs
        if not isinstance(rhs, AffineConstantExpr) or rhs.value <= 0:
            return made
        low, high = self.range(made.lhs)
        if low is not None and high is not None:
            if made.kind is MOD:
                if low >= 0 and high < rhs.value:
                    return made.lhs
            elif _quotient(made.kind, low, rhs.value) == _quotient(made.kind, high, rhs.value):
                return AffineConstantExpr(_quotient(made.kind, low, rhs.value))
        return self._split(made, made.lhs, rhs)

    def _split(
        self, expr: AffineBinaryOpExpr, lhs: AffineExpr, rhs: AffineConstantExpr
    ) -> AffineExpr:
        """A quotient or remainder of what is so many times a divisor and a rest below it."""
        parts = self._multiple_and_rest(lhs)
        if parts is not None:
            multiple, divisor, rest = parts
            if expr.kind is FLOORDIV and rhs.value % divisor == 0:
                return BUILD[FLOORDIV](multiple, rhs)
            if expr.kind is MOD and divisor % rhs.value == 0:
                return BUILD[MOD](rest, rhs)
            return expr
        if expr.kind is FLOORDIV and self.is_below(lhs, rhs.value):
            return AffineConstantExpr(0)
        if expr.kind is MOD and self.divisor(lhs) % rhs.value == 0:
            return AffineConstantExpr(0)
        return expr

    def _multiple_and_rest(self, expr: AffineExpr) -> tuple[AffineExpr, int, AffineExpr] | None:
        if not isinstance(expr, AffineBinaryOpExpr) or expr.kind is not AffineBinaryOpKind.Add:
            return None
        for multiple, rest in ((expr.lhs, expr.rhs), (expr.rhs, expr.lhs)):
            divisor = self.divisor(multiple)
            if divisor and self.is_below(rest, divisor):
                return multiple, divisor, rest
        return None


def _quotient(kind: AffineBinaryOpKind, value: int, by: int) -> int:
    return -(-value // by) if kind is CEILDIV else value // by


def _divided(kind: AffineBinaryOpKind, value: Range, by: int) -> Range:
    low, high = value
    if kind is not MOD:
        return (
            None if low is None else _quotient(kind, low, by),
            None if high is None else _quotient(kind, high, by),
        )
    if low is not None and high is not None and low // by == high // by:
        return low % by, high % by
    return 0, by - 1


def coefficients(expr: AffineExpr, dims: int, count: int) -> list[int] | None:
    """The factors of dimensions and symbols, and the constant; None if it is no plain sum."""
    row = [0] * (count + 1)
    pending = [(expr, 1)]
    while pending:
        e, factor = pending.pop()
        if isinstance(e, AffineDimExpr):
            row[e.position] += factor
        elif isinstance(e, AffineSymExpr):
            row[dims + e.position] += factor
        elif isinstance(e, AffineConstantExpr):
            row[-1] += factor * e.value
        elif isinstance(e, AffineBinaryOpExpr) and e.kind is AffineBinaryOpKind.Add:
            pending += [(e.lhs, factor), (e.rhs, factor)]
        elif (
            isinstance(e, AffineBinaryOpExpr)
            and e.kind is AffineBinaryOpKind.Mul
            and isinstance(e.rhs, AffineConstantExpr)
        ):
            pending.append((e.lhs, factor * e.rhs.value))
        else:
            return None
    return row


def _divides(expr: AffineExpr) -> bool:
    return isinstance(expr, AffineBinaryOpExpr) and (
        expr.kind in _DIVISIONS or _divides(expr.lhs) or _divides(expr.rhs)
    )


def with_ranges(affine_map: AffineMap, operands: Sequence[SSAValue]) -> AffineMap:
    """The map with quotients and remainders simplified by what is known of its operands."""
    if not any(map(_divides, affine_map.results)):
        return affine_map
    known = _Known(affine_map.num_dims, operands)
    results = tuple(known.simplified(e) for e in affine_map.results)
    return AffineMap(affine_map.num_dims, affine_map.num_symbols, results)


def needed_results(
    affine_map: AffineMap, operands: Sequence[SSAValue], *, largest: bool
) -> AffineMap:
    """The map without results that can never be the `largest`, or else the least, alone."""
    if not operands or len(affine_map.results) < 2:
        return affine_map
    known = _Known(affine_map.num_dims, operands)
    ranges = [known.range(e) for e in affine_map.results]
    if not largest:
        # The least of some is the largest of their negatives.
        ranges = [(_negated(high), _negated(low)) for low, high in ranges]
    kept: list[AffineExpr] = []
    for at, expr in enumerate(affine_map.results):
        low, high = ranges[at]
        if high is not None and any(
            _covers(ranges, other, at) for other in range(len(ranges)) if other != at
        ):
            continue
        if low is not None and low == high:
            expr = AffineConstantExpr(low if largest else -low)
        kept.append(expr)
    return AffineMap(affine_map.num_dims, affine_map.num_symbols, tuple(kept))


def _negated(value: int | None) -> int | None:
    return None if value is None else -value


def _covers(ranges: Sequence[Range], other: int, at: int) -> bool:
    """Whether the result `other` is never below the result `at`, and stays for it."""
    low, high = ranges[other]
    own_low, own_high = ranges[at]
    if low is None or own_high is None or low < own_high:
        return False
    # Of two equal constants the first stays.
    return not (low == own_high and own_low == own_high and low == high and at < other)
