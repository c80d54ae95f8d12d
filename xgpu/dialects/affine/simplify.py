# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Composing and canonicalizing affine maps and sets together with their operands.

MLIR's `fullyComposeAffineMapAndOperands` and `canonicalizeMapAndOperands`: operands that are
`affine.apply` are taken into the map; dimensions that are symbols become symbols; unused and
duplicate operands go; constants become part of the expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from xgpu.core.ir.affine import ADD, MOD, MUL
from xgpu.core.ir.constants import int_of
from xgpu.dialects.affine.apply import BUILD, substitute
from xgpu.dialects.affine.bounded import coefficients
from xgpu.dialects.affine.scopes import affine_scope, is_top_level, is_valid_dim, is_valid_symbol

if TYPE_CHECKING:
    from typing import TypeVar

    from xdsl.dialects.builtin import AffineMapAttr

    from xgpu.dialects import affine

    ShapeT = TypeVar("ShapeT", AffineMap, AffineSet)


Shape = AffineMap | AffineSet


def expressions(shape: Shape) -> list[AffineExpr]:
    """The expressions of a map, or those that a set constrains."""
    if isinstance(shape, AffineMap):
        return list(shape.results)
    return [e for c in shape.constraints for e in (c.lhs, c.rhs)]


def with_expressions(shape: ShapeT, exprs: Sequence[AffineExpr], dims: int, symbols: int) -> ShapeT:
    """The same map or set with other expressions."""
    if isinstance(shape, AffineMap):
        return AffineMap(dims, symbols, tuple(exprs))
    pairs = zip(shape.constraints, exprs[::2], exprs[1::2], strict=True)
    return AffineSet(dims, symbols, tuple(AffineConstraintExpr(c.kind, a, b) for c, a, b in pairs))


def replace(
    shape: ShapeT,
    dim_exprs: Sequence[AffineExpr],
    symbol_exprs: Sequence[AffineExpr],
    dims: int,
    symbols: int,
) -> ShapeT:
    """The map or set with its dimensions and symbols replaced."""
    exprs = [substitute(e, dim_exprs, symbol_exprs) for e in expressions(shape)]
    return with_expressions(shape, exprs, dims, symbols)


def used(shape: Shape) -> tuple[set[int], set[int]]:
    """The dimensions and the symbols that occur."""
    dims: set[int] = set()
    symbols: set[int] = set()
    pending = expressions(shape)
    while pending:
        expr = pending.pop()
        if isinstance(expr, AffineDimExpr):
            dims.add(expr.position)
        elif isinstance(expr, AffineSymExpr):
            symbols.add(expr.position)
        elif isinstance(expr, AffineBinaryOpExpr):
            pending += (expr.lhs, expr.rhs)
    return dims, symbols


def valid_symbol(value: SSAValue) -> bool:
    """Whether `value` may be a symbol where it is defined."""
    if value.type.name != "index":
        return False
    if is_top_level(value):
        return True
    owner = value.owner
    return isinstance(owner, Operation) and is_valid_symbol(value, affine_scope(owner))


def _promote_symbols(shape: ShapeT, operands: list[SSAValue]) -> tuple[ShapeT, list[SSAValue]]:
    """Dimensions whose operands are symbols become symbols, after those that there are."""
    dims: list[AffineExpr] = []
    kept: list[SSAValue] = []
    promoted: list[SSAValue] = []
    count = 0
    for i in range(shape.num_dims):
        if valid_symbol(operands[i]):
            dims.append(AffineSymExpr(shape.num_symbols + len(promoted)))
            promoted.append(operands[i])
        else:
            dims.append(AffineDimExpr(count))
            kept.append(operands[i])
            count += 1
    if not promoted:
        return shape, operands
    symbols = [AffineSymExpr(i) for i in range(shape.num_symbols)]
    result = replace(shape, dims, symbols, count, shape.num_symbols + len(promoted))
    return result, [*kept, *operands[shape.num_dims :], *promoted]


def _demote_symbols(shape: ShapeT, operands: list[SSAValue]) -> tuple[ShapeT, list[SSAValue]]:
    """Symbols whose operands may be dimensions only become dimensions, after those that are."""
    symbols: list[AffineExpr] = []
    kept: list[SSAValue] = []
    demoted: list[SSAValue] = []
    for value in operands[shape.num_dims :]:
        if not valid_symbol(value) and _may_be_dim(value):
            symbols.append(AffineDimExpr(shape.num_dims + len(demoted)))
            demoted.append(value)
        else:
            symbols.append(AffineSymExpr(len(kept)))
            kept.append(value)
    if not demoted:
        return shape, operands
    dims = [AffineDimExpr(i) for i in range(shape.num_dims)]
    result = replace(shape, dims, symbols, shape.num_dims + len(demoted), len(kept))
    return result, [*operands[: shape.num_dims], *demoted, *kept]


def _may_be_dim(value: SSAValue) -> bool:
    """Whether `value` may be a dimension where it is defined."""
    owner = value.owner
    if isinstance(owner, Operation):
        return is_valid_dim(value, affine_scope(owner))
    parent = owner.parent_op()
    return parent is not None and is_valid_dim(value, affine_scope(parent))


def canonicalize(shape: ShapeT, operands: Sequence[SSAValue]) -> tuple[ShapeT, list[SSAValue]]:
    """The map or set and its operands in canonical form."""
    values = list(operands)
    if not values:
        return shape, values
    shape, values = _demote_symbols(*_promote_symbols(shape, values))
    used_dims, used_symbols = used(shape)
    results: list[SSAValue] = []
    seen: dict[SSAValue, AffineExpr] = {}
    dims: list[AffineExpr] = []
    count = 0
    for i in range(shape.num_dims):
        if i not in used_dims:
            dims.append(AffineConstantExpr(0))
            continue
        if values[i] not in seen:
            seen[values[i]] = AffineDimExpr(count)
            results.append(values[i])
            count += 1
        dims.append(seen[values[i]])
    symbols: list[AffineExpr] = []
    seen_symbols: dict[SSAValue, AffineExpr] = {}
    symbol_count = 0
    for i in range(shape.num_symbols):
        value = values[shape.num_dims + i]
        if i not in used_symbols:
            symbols.append(AffineConstantExpr(0))
            continue
        number = int_of(value)
        if number is not None:
            symbols.append(AffineConstantExpr(number))
            continue
        if value not in seen_symbols:
            seen_symbols[value] = AffineSymExpr(symbol_count)
            results.append(value)
            symbol_count += 1
        symbols.append(seen_symbols[value])
    return replace(shape, dims, symbols, count, symbol_count), results


def compose(shape: ShapeT, operands: Sequence[SSAValue]) -> tuple[ShapeT, list[SSAValue]]:
    """The map or set with the affine.apply operations among its operands taken in, and with what
    affine.delinearize_index took apart where it puts that together again."""
    dims: list[SSAValue | None] = list(operands[: shape.num_dims])
    symbols: list[SSAValue | None] = list(operands[shape.num_dims :])
    while True:
        while (place := _next_apply(dims, symbols)) is not None:
            shape = _take_in(shape, place, dims, symbols)
        rejoined = _rejoin(shape, dims, symbols)
        if rejoined is None:
            return _without_gaps(shape, dims, symbols)
        shape = rejoined


def _take_in(
    shape: ShapeT,
    place: tuple[bool, int, Operation],
    dims: list[SSAValue | None],
    symbols: list[SSAValue | None],
) -> ShapeT:
    """The map or set with an affine.apply that is an operand in its expressions."""
    is_dim, at, apply = place
    attr = cast("AffineMapAttr", apply.properties["map"])
    inner, inner_values = canonicalize(attr.data, list(apply.operands))
    (dims if is_dim else symbols)[at] = None
    shift_dims = [AffineDimExpr(len(dims) + i) for i in range(inner.num_dims)]
    shift_symbols = [AffineSymExpr(len(symbols) + i) for i in range(inner.num_symbols)]
    expr = substitute(inner.results[0], shift_dims, shift_symbols)
    dim_exprs: list[AffineExpr] = [AffineDimExpr(i) for i in range(len(dims))]
    symbol_exprs: list[AffineExpr] = [AffineSymExpr(i) for i in range(len(symbols))]
    (dim_exprs if is_dim else symbol_exprs)[at] = expr
    dims += inner_values[: inner.num_dims]
    symbols += inner_values[inner.num_dims :]
    return replace(shape, dim_exprs, symbol_exprs, len(dims), len(symbols))


def _rejoin(
    shape: ShapeT, dims: list[SSAValue | None], symbols: list[SSAValue | None]
) -> ShapeT | None:
    """The map or set with the index that an affine.delinearize_index took apart for the sum of
    its parts; None if there is none."""
    for value in (*dims, *symbols):
        owner = value.owner if value is not None else None
        if getattr(owner, "name", None) != "affine.delinearize_index":
            continue
        from xgpu.dialects.affine.rejoin import rejoin  # few programs have such operands

        made = cast("affine.DelinearizeIndexOp", owner)
        exprs = rejoin(expressions(shape), made, dims, symbols)
        if exprs is not None:
            return with_expressions(shape, exprs, len(dims), len(symbols))
    return None


def _next_apply(
    dims: Sequence[SSAValue | None], symbols: Sequence[SSAValue | None]
) -> tuple[bool, int, Operation] | None:
    for is_dim, values in ((True, dims), (False, symbols)):
        for at, value in enumerate(values):
            owner = value.owner if value is not None else None
            if isinstance(owner, Operation) and owner.name == "affine.apply":
                return is_dim, at, owner
    return None


def _without_gaps(
    shape: ShapeT, dims: Sequence[SSAValue | None], symbols: Sequence[SSAValue | None]
) -> tuple[ShapeT, list[SSAValue]]:
    values: list[SSAValue] = []
    columns: list[list[AffineExpr]] = []
    counts: list[int] = []
    for entries, kind in ((dims, AffineDimExpr), (symbols, AffineSymExpr)):
        exprs: list[AffineExpr] = []
        count = 0
        for value in entries:
            if value is None:
                exprs.append(AffineConstantExpr(0))
            else:
                exprs.append(kind(count))
                values.append(value)
                count += 1
        columns.append(exprs)
        counts.append(count)
    return replace(shape, columns[0], columns[1], counts[0], counts[1]), values


def simplify(shape: ShapeT) -> ShapeT:
    """Each expression flattened to a sum, and so are the purely affine parts of the others."""
    identity_dims = [AffineDimExpr(i) for i in range(shape.num_dims)]
    identity_symbols = [AffineSymExpr(i) for i in range(shape.num_symbols)]

    def flat(expr: AffineExpr) -> AffineExpr:
        if not isinstance(expr, AffineBinaryOpExpr) or not _divisors_positive(expr):
            return expr
        if expr.is_pure_affine():
            found = expr.simplify(shape.num_dims, shape.num_symbols)
            return substitute(found, identity_dims, identity_symbols)
        lhs, rhs = flat(expr.lhs), flat(expr.rhs)
        if expr.kind is MOD and _is_multiple(lhs, rhs, shape):
            return AffineConstantExpr(0)
        return AffineBinaryOpExpr(expr.kind, lhs, rhs)

    exprs = [flat(expr) for expr in expressions(shape)]
    return with_expressions(shape, exprs, shape.num_dims, shape.num_symbols)


def _is_multiple(expr: AffineExpr, divisor: AffineExpr, shape: Shape) -> bool:
    """Whether an expression is x - x mod divisor."""
    count = shape.num_dims + shape.num_symbols
    terms = [expr]
    remainders: list[AffineExpr] = []
    rest: AffineExpr = AffineConstantExpr(0)
    while terms:
        term = terms.pop()
        if isinstance(term, AffineBinaryOpExpr) and term.kind is ADD:
            terms += (term.lhs, term.rhs)
        elif (
            isinstance(term, AffineBinaryOpExpr)
            and term.kind is MUL
            and term.rhs == AffineConstantExpr(-1)
            and isinstance(term.lhs, AffineBinaryOpExpr)
            and term.lhs.kind is MOD
            and term.lhs.rhs == divisor
        ):
            remainders.append(term.lhs.lhs)
        else:
            rest = BUILD[ADD](rest, term)
    if len(remainders) != 1:
        return False
    whole = coefficients(rest, shape.num_dims, count)
    return whole is not None and whole == coefficients(remainders[0], shape.num_dims, count)


def _divisors_positive(expr: AffineExpr) -> bool:
    """Whether no division or remainder is by a number below 1."""
    if not isinstance(expr, AffineBinaryOpExpr):
        return True
    if (
        expr.kind not in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
        and isinstance(expr.rhs, AffineConstantExpr)
        and expr.rhs.value < 1
    ):
        return False
    return _divisors_positive(expr.lhs) and _divisors_positive(expr.rhs)


def fully_canonical(shape: ShapeT, operands: Sequence[SSAValue]) -> tuple[ShapeT, list[SSAValue]]:
    """Composed, canonicalized and simplified: what canonicalization of an affine operation does."""
    shape, values = compose(shape, operands)
    shape, values = canonicalize(shape, values)
    shape = simplify(shape)
    return canonicalize(shape, values)


def constant_results(affine_map: AffineMap, operands: Sequence[SSAValue]) -> list[int | None]:
    """The value of each result, None where it is not constant."""
    numbers = [int_of(v) for v in operands]
    dims = [
        AffineConstantExpr(n) if n is not None else AffineDimExpr(i)
        for i, n in enumerate(numbers[: affine_map.num_dims])
    ]
    symbols = [
        AffineConstantExpr(n) if n is not None else AffineSymExpr(i)
        for i, n in enumerate(numbers[affine_map.num_dims :])
    ]
    found: list[int | None] = []
    for expr in affine_map.results:
        folded = substitute(expr, dims, symbols)
        found.append(folded.value if isinstance(folded, AffineConstantExpr) else None)
    return found
