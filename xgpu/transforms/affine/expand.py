# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Affine expressions and index (de)linearization as arith operations.

Source: MLIR 22.1 Affine/Utils and AffineExpandIndexOps. Signs: `mod` is never negative, `floordiv`
and `ceildiv` round towards the infinities, while arith's divisions round towards zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, IntegerType, UnitAttr
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

from xgpu.core import ods
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch
from xgpu.dialects.arith.builders import cmpi, index_constant, select

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter

_INDEX = IndexType()
_DYNAMIC = -(1 << 63)


def _binary(rw: Rewriter, name: str, lhs: SSAValue, rhs: SSAValue, *flags: str) -> SSAValue:
    properties = {"overflowFlags": ods.enum("arith.overflow", flags)} if flags else None
    return rw.value(f"arith.{name}", [lhs, rhs], _INDEX, properties)


def expand(
    rw: Rewriter, expr: AffineExpr, dims: Sequence[SSAValue], symbols: Sequence[SSAValue]
) -> SSAValue:
    """Builds the value of `expr`."""
    if isinstance(expr, AffineConstantExpr):
        return index_constant(rw, expr.value)
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if not isinstance(expr, AffineBinaryOpExpr):
        raise NoMatch(f"unknown affine expression {expr}")
    kind = expr.kind
    if kind not in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul):
        _check_divisor(kind, expr.rhs)
    lhs = expand(rw, expr.lhs, dims, symbols)
    rhs = expand(rw, expr.rhs, dims, symbols)
    if kind is AffineBinaryOpKind.Add:
        return _binary(rw, "addi", lhs, rhs)
    if kind is AffineBinaryOpKind.Mul:
        return _binary(rw, "muli", lhs, rhs, "nsw")
    if kind is AffineBinaryOpKind.Mod:
        return _modulo(rw, lhs, rhs)
    return (
        _floordiv(rw, lhs, rhs) if kind is AffineBinaryOpKind.FloorDiv else _ceildiv(rw, lhs, rhs)
    )


def _check_divisor(kind: AffineBinaryOpKind, divisor: AffineExpr) -> None:
    if isinstance(divisor, AffineConstantExpr) and divisor.value <= 0:
        what = "modulo" if kind is AffineBinaryOpKind.Mod else "division"
        raise NoMatch(f"{what} by non-positive value is not supported")


def _modulo(rw: Rewriter, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """a mod b = let r = remsi(a, b) in r < 0 ? r + b : r"""
    remainder = _binary(rw, "remsi", lhs, rhs)
    zero = index_constant(rw, 0)
    negative = cmpi(rw, "slt", remainder, zero)
    return select(rw, negative, _binary(rw, "addi", remainder, rhs), remainder)


def _floordiv(rw: Rewriter, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """a floordiv b = a < 0 ? -1 - (-1 - a) / b : a / b"""
    zero, minus_one = index_constant(rw, 0), index_constant(rw, -1)
    negative = cmpi(rw, "slt", lhs, zero)
    dividend = select(rw, negative, _binary(rw, "subi", minus_one, lhs), lhs)
    quotient = _binary(rw, "divsi", dividend, rhs)
    return select(rw, negative, _binary(rw, "subi", minus_one, quotient), quotient)


def _ceildiv(rw: Rewriter, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """a ceildiv b = a <= 0 ? -(-a / b) : (a - 1) / b + 1"""
    zero, one = index_constant(rw, 0), index_constant(rw, 1)
    small = cmpi(rw, "sle", lhs, zero)
    negated = _binary(rw, "subi", zero, lhs)
    decremented = _binary(rw, "subi", lhs, one)
    quotient = _binary(rw, "divsi", select(rw, small, negated, decremented), rhs)
    minus = _binary(rw, "subi", zero, quotient)
    plus = _binary(rw, "addi", quotient, one)
    return select(rw, small, minus, plus)


def check_map(affine_map: AffineMap) -> None:
    """Raises `NoMatch`, before anything is built, if `affine_map` cannot be expanded."""
    pending = list(affine_map.results)
    while pending:
        expr = pending.pop()
        if isinstance(expr, AffineBinaryOpExpr):
            if expr.kind not in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul):
                _check_divisor(expr.kind, expr.rhs)
            pending += (expr.lhs, expr.rhs)


def expand_map(rw: Rewriter, affine_map: AffineMap, operands: Sequence[SSAValue]) -> list[SSAValue]:
    """Builds the results of `affine_map`; `operands` are its dimensions, then its symbols."""
    check_map(affine_map)
    dims, symbols = operands[: affine_map.num_dims], operands[affine_map.num_dims :]
    return [expand(rw, expr, dims, symbols) for expr in affine_map.results]


# --- affine.linearize_index, affine.delinearize_index ---------------------------------------


def _strides(
    rw: Rewriter, dynamic: Sequence[SSAValue], static: Sequence[int], *flags: str
) -> list[SSAValue]:
    """What one step of each index is worth: products of the basis, from the inside out."""
    strides: list[SSAValue] = []
    rest = list(dynamic)
    dynamic_part: SSAValue | None = None
    static_part = 1
    for size in reversed(static):
        if size == _DYNAMIC:
            value = rest.pop()
            dynamic_part = (
                value if dynamic_part is None else _binary(rw, "muli", dynamic_part, value, *flags)
            )
        else:
            static_part *= size
        if dynamic_part is not None and static_part == 1:
            strides.append(dynamic_part)
            continue
        stride = index_constant(rw, static_part)
        if dynamic_part is not None:
            stride = _binary(rw, "muli", dynamic_part, stride, *flags)
        strides.append(stride)
    return strides[::-1]


def _basis(
    op: Operation, dynamic: Sequence[SSAValue], indices: int
) -> tuple[list[SSAValue], list[int]]:
    """The basis without an outer bound, which says nothing about strides."""
    attr = cast("DenseArrayBase[IntegerType]", op.properties["static_basis"])
    static = list(attr.get_values())
    values = list(dynamic)
    if indices == len(static):
        if static[0] == _DYNAMIC:
            values = values[1:]
        static = static[1:]
    return values, static


def lower_delinearize(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion | GreedyRewriter
) -> Sequence[SSAValue]:
    index, *dynamic = operands
    count = len(op.results)
    if count == 1:
        return [index]
    values, static = _basis(op, dynamic, count)
    strides = _strides(rw, values, static, "nsw", "nuw")
    zero = index_constant(rw, 0)

    def modulo(stride: SSAValue) -> SSAValue:
        remainder = _binary(rw, "remsi", index, stride)
        negative = cmpi(rw, "slt", remainder, zero)
        corrected = _binary(rw, "addi", remainder, stride, "nsw")
        return select(rw, negative, corrected, remainder)

    results = [_binary(rw, "floordivsi", index, strides[0])]
    for outer, inner in itertools.pairwise(strides):
        results.append(_binary(rw, "divsi", modulo(outer), inner))
    results.append(modulo(strides[-1]))
    return results


def lower_linearize(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    sizes = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    count = next(iter(sizes.get_values()))
    if count == 0:
        return [index_constant(rw, 0)]
    indices, dynamic = operands[:count], operands[count:]
    if count == 1:
        return [indices[0]]
    values, static = _basis(op, dynamic, count)
    disjoint = cast("IntegerAttr | UnitAttr", op.properties.get("disjoint"))
    flags = ("nsw", "nuw") if isinstance(disjoint, UnitAttr) else ("nsw",)
    strides = _strides(rw, values, static, *flags)
    terms = [
        (_binary(rw, "muli", index, stride, "nsw"), _invariant_loops(op, index))
        for index, stride in zip(indices, strides, strict=False)
    ]
    terms.append((indices[-1], _invariant_loops(op, indices[-1])))
    # What more loops leave alone is added first, so that it can be hoisted together.
    terms.sort(key=lambda term: -term[1])
    total = terms[0][0]
    for term, _ in terms[1:]:
        total = _binary(rw, "addi", total, term, "nsw")
    return [total]


_LOOPS = frozenset(
    ("affine.for", "affine.parallel", "scf.for", "scf.forall", "scf.parallel", "scf.while")
)


def _invariant_loops(op: Operation, value: SSAValue) -> int:
    """How many of the loops around `op`, from the inside out, `value` does not change in."""
    block = value.owner if not isinstance(value.owner, Operation) else value.owner.parent
    outside: set[int] = set()
    while block is not None:
        parent = block.parent_op()
        if parent is None:
            break
        outside.add(id(parent))
        block = parent.parent
    count = 0
    around = op.parent_op()
    while around is not None and id(around) not in outside:
        if around.name in _LOOPS:
            count += 1
        around = around.parent_op()
    return count


INDEX_RULES = {
    "affine.delinearize_index": lower_delinearize,
    "affine.linearize_index": lower_linearize,
}
