# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Affine maps, sets and expressions as text, with MLIR's parentheses and minus signs."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from xgpu.core.ir.affine import add, negate

#: Names a dimension (False, position) or symbol (True, position).
Namer = Callable[[bool, int], str]


def _plain(is_symbol: bool, position: int) -> str:
    return f"{'s' if is_symbol else 'd'}{position}"


def expr_text(expr: AffineExpr, name: Namer = _plain, strong: bool = False) -> str:
    """An expression; `strong` says that it is the operand of a product, division or remainder."""
    if isinstance(expr, AffineDimExpr):
        return name(False, expr.position)
    if isinstance(expr, AffineSymExpr):
        return name(True, expr.position)
    if isinstance(expr, AffineConstantExpr):
        return str(expr.value)
    assert isinstance(expr, AffineBinaryOpExpr)
    text = _sum(expr, name) if expr.kind is AffineBinaryOpKind.Add else _product(expr, name)
    return f"({text})" if strong else text


def _product(expr: AffineBinaryOpExpr, name: Namer) -> str:
    lhs = expr_text(expr.lhs, name, True)
    if expr.kind is AffineBinaryOpKind.Mul and expr.rhs == AffineConstantExpr(-1):
        return f"-{lhs}"
    return f"{lhs} {expr.kind.get_token()} {expr_text(expr.rhs, name, True)}"


def _sum(expr: AffineBinaryOpExpr, name: Namer) -> str:
    lhs = expr_text(expr.lhs, name)
    rhs = expr.rhs
    if isinstance(rhs, AffineConstantExpr) and rhs.value < 0:
        return f"{lhs} - {-rhs.value}"
    if (
        isinstance(rhs, AffineBinaryOpExpr)
        and rhs.kind is AffineBinaryOpKind.Mul
        and isinstance(rhs.rhs, AffineConstantExpr)
        and rhs.rhs.value < 0
    ):
        factor = -rhs.rhs.value
        if factor > 1:
            return f"{lhs} - {expr_text(rhs.lhs, name, True)} * {factor}"
        inner = rhs.lhs
        is_sum = isinstance(inner, AffineBinaryOpExpr) and inner.kind is AffineBinaryOpKind.Add
        return f"{lhs} - {expr_text(inner, name, is_sum)}"
    return f"{lhs} + {expr_text(rhs, name)}"


def _space(dims: int, symbols: int) -> str:
    text = "(" + ", ".join(f"d{n}" for n in range(dims)) + ")"
    if symbols:
        text += "[" + ", ".join(f"s{n}" for n in range(symbols)) + "]"
    return text


def map_text(map: AffineMap) -> str:
    """A map, without `affine_map<>` around it."""
    results = ", ".join(expr_text(result) for result in map.results)
    return f"{_space(map.num_dims, map.num_symbols)} -> ({results})"


def set_text(set: AffineSet) -> str:
    """A set, without `affine_set<>` around it."""
    parts: list[str] = []
    for constraint in set.constraints:
        lhs = constraint.lhs
        if constraint.rhs != AffineConstantExpr(0):
            lhs = add(lhs, negate(constraint.rhs))
        sign = "==" if constraint.kind is AffineConstraintKind.eq else ">="
        if constraint.kind is AffineConstraintKind.le:
            lhs = negate(lhs)
        parts.append(f"{expr_text(lhs)} {sign} 0")
    return f"{_space(set.num_dims, set.num_symbols)} : ({', '.join(parts)})"
