# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Affine expressions, simplified as MLIR does.

Expressions are xDSL's. MLIR simplifies an expression while it is built, and semi-affine ones too
(products with and divisions by symbols), which xDSL refuses; so they are built here.
"""

from __future__ import annotations

import math

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.core.ir.integers import wrapped

ADD, MUL = AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul
MOD, FLOORDIV, CEILDIV = (
    AffineBinaryOpKind.Mod,
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
)


def is_symbolic_or_constant(expr: AffineExpr) -> bool:
    """Whether an expression has no dimension in it."""
    if isinstance(expr, AffineBinaryOpExpr):
        return is_symbolic_or_constant(expr.lhs) and is_symbolic_or_constant(expr.rhs)
    return not isinstance(expr, AffineDimExpr)


def _constant(value: int) -> AffineConstantExpr:
    """A constant, which is an int64: what does not fit wraps around, as in MLIR."""
    return AffineConstantExpr(wrapped(value))


def add(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """A sum, simplified as MLIR's `AffineExpr::operator+` does."""
    if isinstance(lhs, AffineConstantExpr) and isinstance(rhs, AffineConstantExpr):
        return _constant(lhs.value + rhs.value)
    if isinstance(lhs, AffineConstantExpr) or (
        is_symbolic_or_constant(lhs) and not is_symbolic_or_constant(rhs)
    ):
        return add(rhs, lhs)
    if isinstance(rhs, AffineConstantExpr) and rhs.value == 0:
        return lhs
    for kind in (AffineDimExpr, AffineSymExpr):
        if isinstance(lhs, kind) and isinstance(rhs, kind) and lhs.position > rhs.position:
            lhs, rhs = rhs, lhs
    inner = lhs if isinstance(lhs, AffineBinaryOpExpr) else None
    if (
        inner is not None
        and inner.kind is ADD
        and isinstance(rhs, AffineConstantExpr)
        and isinstance(inner.rhs, AffineConstantExpr)
    ):
        return add(inner.lhs, _constant(inner.rhs.value + rhs.value))
    # c1 * e + c2 * e is (c1 + c2) * e.
    left, left_factor = _factor(lhs)
    right, right_factor = _factor(rhs)
    if left == right:
        return mul(left, _constant(left_factor + right_factor))
    if inner is not None and inner.kind is ADD and isinstance(inner.rhs, AffineConstantExpr):
        return add(add(inner.lhs, rhs), inner.rhs)
    # d0 - (d0 floordiv c) * c is d0 mod c, also as the last part of a sum.
    found = _as_mod(lhs, rhs)
    if found is not None:
        return found
    if inner is not None and inner.kind is ADD:
        found = _as_mod(inner.rhs, rhs)
        if found is not None:
            return add(inner.lhs, found)
    return AffineBinaryOpExpr(ADD, lhs, rhs)


def _factor(expr: AffineExpr) -> tuple[AffineExpr, int]:
    if (
        isinstance(expr, AffineBinaryOpExpr)
        and expr.kind is MUL
        and isinstance(expr.rhs, AffineConstantExpr)
    ):
        return expr.lhs, expr.rhs.value
    return expr, 1


def _as_mod(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr | None:
    if not isinstance(rhs, AffineBinaryOpExpr) or rhs.kind is not MUL:
        return None
    if isinstance(rhs.rhs, AffineConstantExpr):
        inner, factor = rhs.lhs, rhs.rhs.value
        if factor == -1 and isinstance(inner, AffineBinaryOpExpr) and inner.kind is MUL:
            # A symbolic divisor: x - (x floordiv s) * s.
            quotient, divisor = inner.lhs, inner.rhs
            if (
                isinstance(quotient, AffineBinaryOpExpr)
                and quotient.kind is FLOORDIV
                and quotient.lhs == lhs
                and quotient.rhs == divisor
            ):
                return mod(lhs, divisor)
            return None
        if (
            isinstance(inner, AffineBinaryOpExpr)
            and inner.kind is FLOORDIV
            and inner.rhs == AffineConstantExpr(-factor)
            and inner.lhs == lhs
        ):
            return mod(lhs, inner.rhs)
    return None


def mul(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """A product, simplified as MLIR does."""
    if isinstance(lhs, AffineConstantExpr) and isinstance(rhs, AffineConstantExpr):
        return _constant(lhs.value * rhs.value)
    if is_symbolic_or_constant(lhs) and (
        isinstance(lhs, AffineConstantExpr) or not is_symbolic_or_constant(rhs)
    ):
        return mul(rhs, lhs)
    if (
        isinstance(lhs, AffineSymExpr)
        and isinstance(rhs, AffineSymExpr)
        and lhs.position > rhs.position
    ):
        return AffineBinaryOpExpr(MUL, rhs, lhs)
    if isinstance(rhs, AffineConstantExpr):
        if rhs.value == 1:
            return lhs
        if rhs.value == 0:
            return rhs
    if (
        isinstance(lhs, AffineBinaryOpExpr)
        and lhs.kind is MUL
        and isinstance(lhs.rhs, AffineConstantExpr)
    ):
        if isinstance(rhs, AffineConstantExpr):
            return mul(lhs.lhs, _constant(lhs.rhs.value * rhs.value))
        return mul(mul(lhs.lhs, rhs), lhs.rhs)
    return AffineBinaryOpExpr(MUL, lhs, rhs)


def _divides(expr: AffineExpr, divisor: int) -> bool:
    """Whether every value of an expression is known to be a multiple of `divisor`."""
    if isinstance(expr, AffineConstantExpr):
        return expr.value % divisor == 0
    if isinstance(expr, AffineBinaryOpExpr):
        if expr.kind is MUL:
            return largest_divisor(expr) % divisor == 0
        if expr.kind is ADD or expr.kind is MOD:
            return _divides(expr.lhs, divisor) and _divides(expr.rhs, divisor)
    return divisor in (1, -1)


def largest_divisor(expr: AffineExpr) -> int:
    """A number of which every value of an expression is a multiple, whatever its operands."""
    if isinstance(expr, AffineConstantExpr):
        return abs(expr.value)
    if isinstance(expr, AffineBinaryOpExpr):
        left, right = largest_divisor(expr.lhs), largest_divisor(expr.rhs)
        if expr.kind is MUL:
            return left * right
        if expr.kind in (ADD, MOD):
            return math.gcd(left, right)
    return 1


def floordiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """Division rounded down, simplified as MLIR does."""
    if not isinstance(rhs, AffineConstantExpr) or rhs.value == 0:
        return AffineBinaryOpExpr(FLOORDIV, lhs, rhs)
    if isinstance(lhs, AffineConstantExpr):
        return _constant(lhs.value // rhs.value)
    if rhs.value == 1:
        return lhs
    if isinstance(lhs, AffineBinaryOpExpr):
        if (
            lhs.kind is MUL
            and isinstance(lhs.rhs, AffineConstantExpr)
            and lhs.rhs.value % rhs.value == 0
        ):
            return mul(lhs.lhs, _constant(lhs.rhs.value // rhs.value))
        if lhs.kind is ADD and (
            largest_divisor(lhs.lhs) % rhs.value == 0 or largest_divisor(lhs.rhs) % rhs.value == 0
        ):
            return add(floordiv(lhs.lhs, rhs), floordiv(lhs.rhs, rhs))
    return AffineBinaryOpExpr(FLOORDIV, lhs, rhs)


def ceildiv(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """Division rounded up, simplified as MLIR does."""
    if not isinstance(rhs, AffineConstantExpr) or rhs.value == 0:
        return AffineBinaryOpExpr(CEILDIV, lhs, rhs)
    if isinstance(lhs, AffineConstantExpr):
        return _constant(-(-lhs.value // rhs.value))
    if rhs.value == 1:
        return lhs
    if (
        isinstance(lhs, AffineBinaryOpExpr)
        and lhs.kind is MUL
        and isinstance(lhs.rhs, AffineConstantExpr)
        and lhs.rhs.value % rhs.value == 0
    ):
        return mul(lhs.lhs, _constant(lhs.rhs.value // rhs.value))
    return AffineBinaryOpExpr(CEILDIV, lhs, rhs)


def mod(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """A remainder, simplified as MLIR does."""
    if not isinstance(rhs, AffineConstantExpr) or rhs.value < 1:
        return AffineBinaryOpExpr(MOD, lhs, rhs)
    if isinstance(lhs, AffineConstantExpr):
        return AffineConstantExpr(lhs.value % rhs.value)
    if largest_divisor(lhs) % rhs.value == 0:
        return AffineConstantExpr(0)
    if isinstance(lhs, AffineBinaryOpExpr):
        if lhs.kind is ADD:
            if largest_divisor(lhs.lhs) % rhs.value == 0:
                return mod(lhs.rhs, rhs)
            if largest_divisor(lhs.rhs) % rhs.value == 0:
                return mod(lhs.lhs, rhs)
        if (
            lhs.kind is MOD
            and isinstance(lhs.rhs, AffineConstantExpr)
            and lhs.rhs.value % rhs.value == 0
        ):
            return mod(lhs.lhs, rhs)
    return AffineBinaryOpExpr(MOD, lhs, rhs)


def negate(expr: AffineExpr) -> AffineExpr:
    return mul(expr, AffineConstantExpr(-1))


def is_identity(map: AffineMap) -> bool:
    """Whether a map gives its dimensions back, in order."""
    return len(map.results) == map.num_dims and all(
        isinstance(result, AffineDimExpr) and result.position == at
        for at, result in enumerate(map.results)
    )
