# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A system of linear inequalities that is built from affine expressions.

Divisions and remainders by positive numbers get a variable for the quotient.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xgpu.analysis.bounds.linear import Form, Variable, combine, constant_of, of_variable, scale


class LinearSystem:
    """Inequalities, as forms that are at least 0."""

    def __init__(self) -> None:
        self.rows: list[Form] = []
        #: Quotients by what is divided and by what.
        self._quotients: dict[tuple[frozenset[tuple[Variable | None, int]], int], Form] = {}

    @property
    def has_quotients(self) -> bool:
        """Whether there are variables that stand for no value."""
        return bool(self._quotients)

    def at_least(self, what: Form, bound: Form) -> None:
        """`what >= bound`"""
        self.rows.append(combine(what, bound, times=-1))

    def equal(self, what: Form, other: Form) -> None:
        """`what == other`"""
        self.at_least(what, other)
        self.at_least(other, what)

    def quotient(self, what: Form, divisor: int) -> Form:
        """`what floordiv divisor`, for a positive divisor."""
        key = (frozenset(what.items()), divisor)
        known = self._quotients.get(key)
        if known is not None:
            return known
        result = self._quotients[key] = of_variable(("quotient", len(self._quotients)))
        rest = combine(what, result, times=-divisor)
        self.at_least(rest, {None: 0})
        self.at_least({None: divisor - 1}, rest)
        return result

    def expression(
        self, expr: AffineExpr, dims: Sequence[Form], symbols: Sequence[Form]
    ) -> Form | None:
        """An affine expression as a form; None if it is not linear."""
        if isinstance(expr, AffineConstantExpr):
            return {None: expr.value}
        if isinstance(expr, AffineBinaryOpExpr):
            left = self.expression(expr.lhs, dims, symbols)
            right = self.expression(expr.rhs, dims, symbols)
            return None if left is None or right is None else self._binary(expr.kind, left, right)
        assert isinstance(expr, AffineDimExpr | AffineSymExpr)
        return (dims if isinstance(expr, AffineDimExpr) else symbols)[expr.position]

    def _binary(self, kind: AffineBinaryOpKind, left: Form, right: Form) -> Form | None:
        if kind is AffineBinaryOpKind.Add:
            return combine(left, right)
        number = constant_of(right)
        if kind is AffineBinaryOpKind.Mul:
            if number is None:
                left, number = right, constant_of(left)
            return None if number is None else scale(left, number)
        if number is None or number <= 0:
            return None
        if kind is AffineBinaryOpKind.FloorDiv:
            return self.quotient(left, number)
        if kind is AffineBinaryOpKind.CeilDiv:
            return self.quotient(combine(left, {None: number - 1}), number)
        return combine(left, self.quotient(left, number), times=-number)
