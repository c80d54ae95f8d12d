# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Composing and canonicalizing affine maps and sets together with their operands.

MLIR's `fullyComposeAffineMapAndOperands` and `canonicalizeMapAndOperands`: operands that are
`affine.apply` are taken into the map; dimensions that are symbols become symbols; unused and
duplicate operands go; constants become part of the expressions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr
from xdsl.ir import Block, Operation, SSAValue
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

from xgpu.core.ir.affine import ADD, CEILDIV, FLOORDIV, MOD, MUL, add, largest_divisor, mul
from xgpu.core.ir.constants import int_of
from xgpu.dialects import affine
from xgpu.dialects.affine.maps import (
    BUILD,
    affine_scope,
    is_top_level,
    is_valid_dim,
    is_valid_symbol,
    substitute,
)

# -- Sums in maps that put the results of an affine.delinearize_index together again.


#: Operands of a map; None for one that it no longer uses.
Values = list["SSAValue | None"]


def rejoin(
    exprs: Sequence[AffineExpr],
    op: affine.DelinearizeIndexOp,
    dims: Values,
    symbols: Values,
) -> list[AffineExpr] | None:
    """`exprs` with d0 * 20 + d1 * 5 + d2 as the index of which d are the parts, in a basis
    (.., 4, 5); None where they have no such sum.

    The index is one more of `dims` or of `symbols`; parts that are no longer used become None.
    """
    parts = _parts(op, dims, symbols)
    if parts is None:
        return None
    terms: set[AffineExpr] = set()
    stride = 1
    sizes = list(op.static_basis.get_values())[::-1]
    for at, part in enumerate(reversed(parts)):
        terms.add(mul(part, AffineConstantExpr(stride)))
        stride *= sizes[at] if at < len(sizes) else 1
    are_dims = all(isinstance(part, AffineDimExpr) for part in parts)
    index = AffineDimExpr(len(dims)) if are_dims else AffineSymExpr(len(symbols))
    new = [_shortened(expr, terms, index) for expr in exprs]
    if new == list(exprs):
        return None
    (dims if are_dims else symbols).append(op.linear_index)
    left = set[AffineExpr]().union(*(_leaves(expr) for expr in new))
    for part in parts:
        if part not in left:
            (dims if isinstance(part, AffineDimExpr) else symbols)[part.position] = None
    return new


def _parts(
    op: affine.DelinearizeIndexOp, dims: Values, symbols: Values
) -> list[AffineDimExpr | AffineSymExpr] | None:
    """What stands for each result of `op`; None if one is not there, or a size is not known."""
    if DYNAMIC_INDEX in op.static_basis.get_values():
        return None
    places: dict[SSAValue | None, AffineDimExpr | AffineSymExpr] = {}
    places.update((value, AffineDimExpr(at)) for at, value in enumerate(dims))
    places.update((value, AffineSymExpr(at)) for at, value in enumerate(symbols))
    parts = [places[result] for result in op.results if result in places]
    return parts if len(parts) == len(op.results) else None


def _shortened(expr: AffineExpr, terms: set[AffineExpr], index: AffineExpr) -> AffineExpr:
    """`expr` with `index` for what has all of `terms` in a sum."""
    if not isinstance(expr, AffineBinaryOpExpr):
        return expr
    if expr.kind is not AffineBinaryOpKind.Add:
        lhs, rhs = _shortened(expr.lhs, terms, index), _shortened(expr.rhs, terms, index)
        same = lhs is expr.lhs and rhs is expr.rhs
        return expr if same else BUILD[expr.kind](lhs, rhs)
    missing = set(terms)
    kept: list[AffineExpr] = []
    for term in _summands(expr):
        if term in missing:
            missing.remove(term)
        else:
            kept.append(_shortened(term, terms, index))
    if not missing:
        total = index
    else:
        total, *kept = [_shortened(term, terms, index) for term in reversed(_summands(expr))]
        kept.reverse()
    for term in reversed(kept):
        total = add(total, term)
    return total


def _summands(expr: AffineExpr) -> list[AffineExpr]:
    """What a chain of additions adds, the last first."""
    found: list[AffineExpr] = []
    while isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.Add:
        found.append(expr.rhs)
        expr = expr.lhs
    return [*found, expr]


def _leaves(expr: AffineExpr) -> set[AffineExpr]:
    """The dimensions and symbols of an expression."""
    if isinstance(expr, AffineBinaryOpExpr):
        return _leaves(expr.lhs) | _leaves(expr.rhs)
    return {expr}


# -- Expressions that are simpler for what loops say of their variables.
#
# The variable of an affine.for with constant bounds lies between them, and is a multiple of the
# step where it begins at one. So quotients may be constant, remainders the dividend, and of the
# results of a minimum or maximum some can never count. Source: MLIR 22.1 AffineOps.cpp
# (`simplifyMapWithOperands`, `simplifyMinOrMaxExprWithOperands`), AffineExpr.cpp.


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


if TYPE_CHECKING:
    ShapeT = TypeVar("ShapeT", AffineMap, AffineSet)


# -- Composition and canonicalization of maps with their operands.


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
