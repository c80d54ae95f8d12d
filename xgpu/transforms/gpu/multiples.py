# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which indices count along with a loop's variable, from a multiple of a number on.

Known of an index are two numbers: how often it contains the variable, and a divisor of the rest.
`%c = %k * 16 + %j` contains `%j` once, and its rest is a multiple of 16.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xgpu.core.ir.constants import int_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr

#: How often an index contains the variable, and a divisor of the rest (0: the rest is 0).
Form = tuple[int, int]


class Multiples:
    """Indices of iterations of the loop whose variable is `variable`, for vectors of `count`."""

    __slots__ = ("_dependent", "_forms", "count", "variable")

    def __init__(self, variable: SSAValue, count: int) -> None:
        self.variable, self.count = variable, count
        self._forms: dict[SSAValue, Form | None] = {variable: (1, 0)}
        self._dependent: dict[SSAValue, bool] = {variable: True}

    def runs(self, index: SSAValue) -> bool:
        """Whether `index` counts along with the variable, and is a multiple where that is one."""
        form = self.form(index)
        return form is not None and form[0] == 1 and form[1] % self.count == 0

    def depends(self, value: SSAValue) -> bool:
        """Whether a value changes with the variable."""
        found = self._dependent.get(value)
        if found is None:
            owner = value.owner
            found = False
            if isinstance(owner, Operation) and owner.parent is self.variable.owner:
                found = any(self.depends(operand) for operand in owner.operands)
            self._dependent[value] = found
        return found

    def form(self, value: SSAValue) -> Form | None:
        """None where the variable is contained in another way than by sums and products."""
        if value not in self._forms:
            self._forms[value] = self._form(value)
        return self._forms[value]

    def _form(self, value: SSAValue) -> Form | None:
        number = int_of(value)
        if number is not None:
            return 0, abs(number)
        owner = value.owner
        if isinstance(owner, Operation):
            found = self._computed(owner)
            if found is not None:
                return found
        return None if self.depends(value) else (0, 1)

    def _computed(self, op: Operation) -> Form | None:
        if op.name == "affine.apply":
            affine_map = cast("AffineMapAttr", op.properties["map"]).data
            forms = [self.form(operand) for operand in op.operands]
            dims, symbols = forms[: affine_map.num_dims], forms[affine_map.num_dims :]
            return _of_expression(affine_map.results[0], dims, symbols)
        if op.name in ("arith.addi", "arith.subi", "arith.muli"):
            left, right = (self.form(operand) for operand in op.operands)
            if op.name == "arith.muli":
                return _product(left, right, [int_of(operand) for operand in op.operands])
            return _sum(left, right, -1 if op.name == "arith.subi" else 1)
        return None


def _sum(left: Form | None, right: Form | None, sign: int = 1) -> Form | None:
    if left is None or right is None:
        return None
    return left[0] + sign * right[0], gcd(left[1], right[1])


def _product(left: Form | None, right: Form | None, numbers: list[int | None]) -> Form | None:
    if left is None or right is None:
        return None
    if left[0] == 0 and right[0] == 0:
        return 0, left[1] * right[1]
    for (times, rest), number in ((left, numbers[1]), (right, numbers[0])):
        if number is not None:
            return times * number, rest * abs(number)
    return None


def _of_expression(
    expr: AffineExpr, dims: list[Form | None], symbols: list[Form | None]
) -> Form | None:
    if isinstance(expr, AffineConstantExpr):
        return 0, abs(expr.value)
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if not isinstance(expr, AffineBinaryOpExpr):
        return None
    left = _of_expression(expr.lhs, dims, symbols)
    right = _of_expression(expr.rhs, dims, symbols)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return _sum(left, right)
    if expr.kind is AffineBinaryOpKind.Mul:
        sides = (expr.lhs, expr.rhs)
        return _product(
            left, right, [e.value if isinstance(e, AffineConstantExpr) else None for e in sides]
        )
    # A quotient or a remainder of what does not contain the variable may be anything.
    return (0, 1) if left[0] == 0 and right[0] == 0 else None
