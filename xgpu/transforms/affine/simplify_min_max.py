# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`affine-simplify-min-max`: affine.min, affine.max, affine.apply by the bounds of their operands.

A result of a minimum that is known to be at least another one goes; a quotient of a minimum and one
of its results, rounded up, is one. Source: MLIR 22.1 SimplifyAffineMinMax.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.analysis.bounds import ValueBounds
from xgpu.analysis.linear import Form
from xgpu.core.ir.affine import (
    ADD,
    CEILDIV,
    FLOORDIV,
    MUL,
    add,
    ceildiv,
    floordiv,
    is_symbolic_or_constant,
    mod,
    mul,
)
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.affine.canonicalize import PATTERNS as CANONICALIZATIONS
from xgpu.dialects.affine.maps import substitute
from xgpu.dialects.affine.simplify import canonicalize, compose, simplify

if TYPE_CHECKING:
    from xdsl.context import Context

_ONE = AffineConstantExpr(1)


def _map(op: Operation) -> AffineMap:
    return cast("AffineMapAttr", op.properties["map"]).data


def _forms(op: Operation, bounds: ValueBounds) -> list[Form | None]:
    """The results of the map as forms, None where they are not linear."""
    old = _map(op)
    values = [bounds.value(v) for v in op.operands]
    dims, symbols = values[: old.num_dims], values[old.num_dims :]
    return [bounds.expression(e, dims, symbols) for e in old.results]


class _Classes:
    """Sets of results of which one bounds all others."""

    def __init__(self, count: int) -> None:
        self.leaders = list(range(count))
        #: By leader, the result that bounds its class.
        self.bounds: dict[int, int] = {}

    def leader(self, index: int) -> int:
        while self.leaders[index] != index:
            index = self.leaders[index]
        return index

    def join(self, a: int, b: int) -> None:
        a, b = self.leader(a), self.leader(b)
        self.leaders[max(a, b)] = min(a, b)


def _kept(forms: Sequence[Form | None], bounds: ValueBounds, *, smallest: bool) -> list[int]:
    """The results that no other one is known to bound, in MLIR's order."""
    classes = _Classes(len(forms))
    for i in range(len(forms)):
        leader = classes.leader(i)
        if leader in classes.bounds:
            continue
        bound = i
        for j in range(i + 1, len(forms)):
            other_leader = classes.leader(j)
            if other_leader == leader:
                continue
            other = classes.bounds.get(other_leader, j)
            first = _is_first(forms[bound], forms[other], bounds, smallest=smallest)
            if first is None:
                continue
            if not first:
                bound = other
            classes.join(leader, other_leader)
        classes.bounds[classes.leader(i)] = bound
    return [classes.bounds[k] for k in sorted(classes.bounds, key=_place)]


def _place(leader: int) -> int:
    """Where a number is in the hash table that MLIR keeps the bounds in."""
    return leader * 37 % 64


def _is_first(
    a: Form | None, b: Form | None, bounds: ValueBounds, *, smallest: bool
) -> bool | None:
    """Whether `a` is the one to keep, strictly; False if it is `b`; None if nothing is known."""
    if a is None or b is None:
        return None
    if bounds.compare(a, "LT" if smallest else "GT", b):
        return True
    return False if bounds.compare(a, "GE" if smallest else "LE", b) else None


def drop_bounded_results(op: Operation, rw: GreedyRewriter) -> bool:
    """`min(x, 192, y)` -> `x`, if `x` is at most 128 and `y` at least 256"""
    bounds = ValueBounds()
    old = _map(op)
    kept = _kept(_forms(op, bounds), bounds, smallest=op.name == "affine.min")
    if len(kept) >= len(old.results):
        return False
    # Dimensions become symbols; which of them may be none is for canonicalization.
    dims = [AffineSymExpr(i) for i in range(old.num_dims)]
    symbols = [AffineSymExpr(old.num_dims + i) for i in range(old.num_symbols)]
    results = tuple(substitute(old.results[i], dims, symbols) for i in kept)
    op.properties["map"] = AffineMapAttr(AffineMap(0, len(op.operands), results))
    rw.modified(op)
    return True


def compose_apply(op: Operation, rw: GreedyRewriter) -> bool:
    """Takes in what defines the operands: affine.apply, and affine.min where it is divided by what
    it cannot exceed."""
    old = _map(op)
    owners = [v.owner for v in op.operands]
    names = [owner.name for owner in owners if isinstance(owner, Operation)]
    if "affine.apply" not in names and "affine.min" not in names:
        return False
    new, values = compose(old, list(op.operands))
    new, values = canonicalize(new, values)
    new = simplify(_without_quotients(new, values))
    new, values = canonicalize(new, values)
    if new == old:
        return False
    op.properties["map"] = AffineMapAttr(new)
    rw.set_operands(op, values)
    return True


def _without_quotients(of: AffineMap, values: Sequence[SSAValue]) -> AffineMap:
    """`min(x, c) ceildiv c` -> 1, if the minimum is positive"""
    expr = of.results[0]
    for at, value in enumerate(values):
        owner = value.owner
        if not isinstance(owner, Operation) or owner.name != "affine.min":
            continue
        if not _is_positive(owner):
            continue
        is_dim = at < of.num_dims
        variable = AffineDimExpr(at) if is_dim else AffineSymExpr(at - of.num_dims)
        for divisor in _divisors(owner, of, values):
            less = add(divisor, AffineConstantExpr(-1))
            expr = _replaced(expr, ceildiv(variable, divisor))
            expr = _replaced(expr, floordiv(add(variable, less), divisor))
    return AffineMap(of.num_dims, of.num_symbols, (expr,))


def _is_positive(minimum: Operation) -> bool:
    bounds = ValueBounds()
    forms = _forms(minimum, bounds)
    return all(form is not None and bounds.compare(form, "GE", {None: 1}) for form in forms)


def _divisors(minimum: Operation, of: AffineMap, values: Sequence[SSAValue]) -> list[AffineExpr]:
    """The constant and symbolic results of a minimum in terms of the symbols of another map."""
    inner = _map(minimum)
    places = {value: AffineSymExpr(i) for i, value in enumerate(values[of.num_dims :])}
    own = list(minimum.operands)[inner.num_dims :]
    found: list[AffineExpr] = []
    for expr in inner.results:
        if not is_symbolic_or_constant(expr):
            continue
        missing = any(
            isinstance(e, AffineSymExpr) and own[e.position] not in places for e in expr.dfs()
        )
        if not missing:
            symbols = [places.get(value, AffineConstantExpr(0)) for value in own]
            found.append(substitute(expr, [], symbols))
    return found


_BUILD = {ADD: add, MUL: mul, FLOORDIV: floordiv, CEILDIV: ceildiv}


def _replaced(expr: AffineExpr, part: AffineExpr) -> AffineExpr:
    """The expression with 1 in the place of `part`."""
    if expr == part:
        return _ONE
    if not isinstance(expr, AffineBinaryOpExpr):
        return expr
    build = _BUILD.get(expr.kind, mod)
    return build(_replaced(expr.lhs, part), _replaced(expr.rhs, part))


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "affine.apply": (compose_apply,),
    "affine.max": (*CANONICALIZATIONS["affine.max"], drop_bounded_results),
    "affine.min": (*CANONICALIZATIONS["affine.min"], drop_bounded_results),
}


class SimplifyAffineMinMaxPass(Pass):
    """Simplifies minima, maxima and maps by the bounds of values."""

    name = "affine-simplify-min-max"
    summary = "Simplify affine min/max/apply"
    anchor = "FunctionOpInterface"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, PATTERNS)
