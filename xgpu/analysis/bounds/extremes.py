# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When an affine.min or affine.max is one of its results, or a number, for what is known of the
operands.

A bound is looked for that the operation has for sure; if no result of the map goes beyond it, the
operation is that bound. Source: MLIR 22.1 simplifyConstrainedMinMaxOp.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.analysis.bounds.linear import (
    Form,
    combine,
    constant_bound,
    is_empty,
    of_variable,
    scale,
)
from xgpu.core.ir.affine import add, mul
from xgpu.core.ir.constants import int_of
from xgpu.dialects.affine.simplify import canonicalize

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.analysis.bounds.system import LinearSystem



class _Itself:
    """The variable that stands for the operation."""


def form_of(value: SSAValue) -> Form:
    """A value as a variable, or the number that it is."""
    number = int_of(value)
    return of_variable(value) if number is None else {None: number}


def simplified(
    op: Operation, system: LinearSystem, dims: Sequence[SSAValue], known: Collection[SSAValue]
) -> tuple[AffineMap, list[SSAValue]] | None:
    """The map and operands of the affine.apply that `op` is, if what `system` says of values makes
    it one; `dims` are the values that come first. Only of the `known` values is used that they are
    constants, as in MLIR: the others are for canonicalization. Adds to `system`."""
    sign = 1 if op.name == "affine.min" else -1
    values = [form_of(v) if v in known else of_variable(v) for v in op.operands]
    results = _results(op, system, values)
    if results is None:
        return None
    # Largest for a minimum: with the opposite sign everything is a minimum.
    itself = _Itself()
    limits = [combine(scale(r, sign), of_variable(itself), times=-1) for r in results]
    bound = _bound([*system.rows], limits, itself, expressible=not system.has_quotients)
    if bound is None:
        return None
    rows = [*system.rows, *limits]
    if is_empty(rows):
        return None  # a loop that never runs
    for result in results:
        beyond = combine(combine(bound, scale(result, sign), times=-1), _ONE, times=-1)
        if not is_empty([*rows, beyond]):
            return None
    return _as_map(scale(bound, sign), rows, dims)


def _results(op: Operation, system: LinearSystem, values: list[Form]) -> list[Form] | None:
    """The results of the map as forms; None if one is not linear."""
    attr = cast("AffineMapAttr", op.properties["map"])
    dims, symbols = values[: attr.data.num_dims], values[attr.data.num_dims :]
    found = [system.expression(e, dims, symbols) for e in attr.data.results]
    return None if any(f is None for f in found) else cast("list[Form]", found)


def _bound(
    rows: list[Form], limits: list[Form], itself: _Itself, *, expressible: bool
) -> Form | None:
    """The only limit that the others do not imply; else the number that nothing exceeds."""
    if expressible:
        kept = list(limits)
        for limit in limits:
            others = list(kept)
            others.remove(limit)
            opposite = combine(scale(limit, -1), _ONE, times=-1)
            if is_empty([*rows, *others, opposite]):
                kept = others
        if len(kept) == 1:
            return combine(kept[0], of_variable(itself))
    number = constant_bound([*rows, *limits], itself, upper=True)
    return None if number is None else {None: number}


def _as_map(
    bound: Form, rows: list[Form], dims: Sequence[SSAValue]
) -> tuple[AffineMap, list[SSAValue]]:
    """A form as a map of its variables, those that are known to be a number replaced by it."""
    expr: AffineExpr = AffineConstantExpr(0)
    used = [v for v in bound if isinstance(v, SSAValue)]
    leading = [v for v in dims if v in used]
    others = [v for v in used if v not in leading]
    for place, values in ((AffineDimExpr, leading), (AffineSymExpr, others)):
        for position, value in enumerate(values):
            low = constant_bound(rows, value, upper=False)
            known = low is not None and low == constant_bound(rows, value, upper=True)
            variable = AffineConstantExpr(low) if known and low is not None else place(position)
            expr = add(expr, mul(variable, AffineConstantExpr(bound[value])))
    expr = add(expr, AffineConstantExpr(bound.get(None, 0)))
    return canonicalize(AffineMap(len(leading), len(others), (expr,)), [*leading, *others])
