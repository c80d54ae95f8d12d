# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index arithmetic that is folded where it can be: numbers are Python's, or values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, i1, i64
from xdsl.ir import SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.dialects.arith.builders import attribute_constant, index_constant

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter

Number = int | SSAValue
INDEX, I64 = IndexType(), i64
EQ, NE, SLT, ULT, UGE = 0, 1, 2, 6, 9


def number(value: SSAValue) -> Number:
    """The integer that `value` is known to be, or `value`."""
    known = int_of(value)
    return value if known is None else known


def value(rw: Rewriter, of: Number) -> SSAValue:
    if isinstance(of, SSAValue):
        return of
    return index_constant(rw, of)


def flag(rw: Rewriter, of: bool) -> SSAValue:
    return attribute_constant(rw, IntegerAttr(int(of), i1), i1)


def _binary(rw: Rewriter, name: str, left: Number, right: Number) -> SSAValue:
    return rw.value(f"arith.{name}", [value(rw, left), value(rw, right)], IndexType())


def add(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if left == 0:
        return right
    return left if right == 0 else _binary(rw, "addi", left, right)


def sub(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    return left if right == 0 else _binary(rw, "subi", left, right)


def mul(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if left == 1:
        return right
    return left if right == 1 else _binary(rw, "muli", left, right)


def div(rw: Rewriter, left: Number, right: int) -> Number:
    """Of a number that is not negative."""
    if isinstance(left, int):
        return left // right
    return left if right == 1 else _binary(rw, "divui", left, right)


def rem(rw: Rewriter, left: Number, right: int) -> Number:
    """Of a number that is not negative."""
    if isinstance(left, int):
        return left % right
    return 0 if right == 1 else _binary(rw, "remui", left, right)


def smallest(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return min(left, right)
    return _binary(rw, "minsi", left, right)


def largest(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return max(left, right)
    return _binary(rw, "maxsi", left, right)


def compare(rw: Rewriter, predicate: int, left: Number, right: Number) -> SSAValue:
    operands = [value(rw, left), value(rw, right)]
    return rw.value("arith.cmpi", operands, i1, {"predicate": IntegerAttr(predicate, i64)})


def iterations(rw: Rewriter, lower: SSAValue, upper: SSAValue, step: SSAValue) -> Number:
    """How often an scf.for runs, as an index."""
    low, high, by = (number(_as_index(rw, bound)) for bound in (lower, upper, step))
    span = largest(rw, sub(rw, high, low), 0)
    if by == 1:
        return span
    rounded = add(rw, span, sub(rw, by, 1))
    if isinstance(rounded, int) and isinstance(by, int):
        return rounded // by
    return _binary(rw, "divui", rounded, by)


def _as_index(rw: Rewriter, bound: SSAValue) -> SSAValue:
    if isinstance(bound.type, IndexType) or int_of(bound) is not None:
        return bound
    return rw.value("arith.index_cast", [bound], IndexType())
