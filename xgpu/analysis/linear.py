# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linear inequalities over integers, and how index values compare by them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from math import gcd
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType, ShapedType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.core.ir.affine import add, mul
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.affine.simplify import canonicalize

# -- Systems of linear inequalities over integers, and whether they have a solution.
#
# A row is a linear form that is at least 0: coefficients by variable, and a constant under
# `None`. Emptiness is decided by Fourier and Motzkin's elimination, with the constant of each row
# rounded down as integers allow: what is found to be empty is; of what is not, nothing is known.


Variable = Hashable
Form = dict["Variable | None", int]

#: More rows than this are not looked at: the answer is that nothing is known.
_MOST_ROWS = 2000


def of_variable(variable: Variable) -> Form:
    """A variable as a linear form."""
    return {variable: 1, None: 0}


def combine(
    a: Mapping[Variable | None, int], b: Mapping[Variable | None, int], *, times: int = 1
) -> Form:
    """`a + times * b`"""
    result = dict(a)
    for key, value in b.items():
        result[key] = result.get(key, 0) + times * value
    return {k: v for k, v in result.items() if v or k is None}


def scale(a: Mapping[Variable | None, int], factor: int) -> Form:
    """`factor * a`"""
    return {k: v * factor for k, v in a.items() if v * factor or k is None}


def constant_of(a: Mapping[Variable | None, int]) -> int | None:
    """The number that a form is, if it has no variables."""
    return a.get(None, 0) if all(k is None for k in a) else None


def is_empty(rows: Iterable[Form]) -> bool:
    """Whether no integers satisfy all rows, as far as can be seen."""
    system = _reduced(rows)
    while system is not None:
        variables = {k for row in system for k in row if k is not None}
        if not variables:
            return False
        variable = min(variables, key=lambda v: _cost(system, v))  # pyright: ignore
        if _cost(system, variable) > _MOST_ROWS:
            return False
        system = _reduced(_eliminate(system, variable))
    return True


def constant_bound(rows: Iterable[Form], variable: Variable, *, upper: bool) -> int | None:
    """The largest or smallest number that `variable` may be, if the rows have one that can be
    seen."""
    system = _reduced(rows)
    while system is not None:
        others = {k for row in system for k in row if k is not None and k != variable}
        if not others:
            break
        cheapest = min(others, key=lambda v: _cost(system, v))  # pyright: ignore
        if _cost(system, cheapest) > _MOST_ROWS:
            return None
        system = _reduced(_eliminate(system, cheapest))
    if system is None:
        return None
    # In lowest terms the coefficient of what is alone is 1 or -1.
    limits = [
        row.get(None, 0) if upper else -row.get(None, 0)
        for row in system
        if (row.get(variable, 0) < 0) is upper and variable in row
    ]
    if not limits:
        return None
    return min(limits) if upper else max(limits)


def _cost(system: list[Form], variable: Variable) -> int:
    low = sum(row.get(variable, 0) > 0 for row in system)
    high = sum(row.get(variable, 0) < 0 for row in system)
    return low * high


def _eliminate(system: list[Form], variable: Variable) -> list[Form]:
    """The rows without `variable`: each lower bound together with each upper bound."""
    rest = [row for row in system if variable not in row]
    low = [row for row in system if row.get(variable, 0) > 0]
    high = [row for row in system if row.get(variable, 0) < 0]
    for a in low:
        for b in high:
            rest.append(combine(scale(a, -b[variable]), b, times=a[variable]))
    return rest


def _reduced(rows: Iterable[Form]) -> list[Form] | None:
    """Each row in lowest terms, the strictest of parallel ones; None if one cannot hold."""
    strictest: dict[frozenset[tuple[Variable | None, int]], int] = {}
    for row in rows:
        divisor = gcd(*(v for k, v in row.items() if k is not None))
        constant = row.get(None, 0)
        if divisor == 0:
            if constant < 0:
                return None
            continue
        key = frozenset((k, v // divisor) for k, v in row.items() if k is not None and v)
        constant //= divisor
        known = strictest.get(key)
        strictest[key] = constant if known is None else min(known, constant)
    return [{**dict(key), None: constant} for key, constant in strictest.items()]


# -- A system of linear inequalities that is built from affine expressions.
#
# Divisions and remainders by positive numbers get a variable for the quotient.


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


# -- How index values compare: MLIR's ValueBoundsConstraintSet.
#
# From the values that are compared the analysis goes back to what defines them, and states
# linear inequalities of each: arithmetic, loops, sizes of memrefs, ids and sizes of gpu.


#: What `compare` takes: MLIR's names.
COMPARISONS = ("LT", "LE", "EQ", "GE", "GT")
_ONE: Form = {None: 1}
#: Stands for what a bound is looked for of.
_ASKED: Variable = ("asked", 0)


class Bounds(LinearSystem):
    """What is known of some values and of those that they are made of.

    `ValueBounds` (`bounds.py`) has the rules: by operation, for arguments of its regions,
    its results, and the sizes of a memref that it gives.
    """

    arguments: Mapping[str, Callable[..., None]] = {}
    values: Mapping[str, Callable[..., None]] = {}
    dimensions: Mapping[str, Callable[..., Form | None]] = {}

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[Variable] = set()
        self._pending: list[Variable] = []

    # --- asking --------------------------------------------------------------------------------
    def compare(self, left: Form, comparison: str, right: Form) -> bool:
        """Whether `left comparison right` holds for sure."""
        self._learn()
        if comparison == "EQ":
            return self.compare(left, "LE", right) and self.compare(left, "GE", right)
        if comparison in ("GT", "GE"):
            left, right = right, left
        # Is there a way to be the other way round?
        opposite = combine(left, right, times=-1)
        if comparison in ("LE", "GE"):
            opposite = combine(opposite, _ONE, times=-1)
        return is_empty([*self.rows, opposite])

    def upper(self, form: Form) -> int | None:
        """The largest number that `form` may be, if one can be seen."""
        known = constant_of(form)
        if known is not None:
            return known
        self._learn()
        row = combine(form, of_variable(_ASKED), times=-1)
        return constant_bound([*self.rows, row, scale(row, -1)], _ASKED, upper=True)

    # --- saying --------------------------------------------------------------------------------
    def value(self, value: SSAValue) -> Form:
        """An index value as a form."""
        known = int_of(value)
        return {None: known} if known is not None else self.variable(value)

    def dimension(self, memref: SSAValue, index: int) -> Form:
        """The size of a dimension of a memref."""
        shape = cast("ShapedType", memref.type)
        extent = shape.get_shape()[index]
        return {None: extent} if extent >= 0 else self.variable((memref, index))

    def variable(self, variable: Variable) -> Form:
        """A variable, of which everything that is known is learnt."""
        if variable not in self._seen:
            self._seen.add(variable)
            self._pending.append(variable)
        return of_variable(variable)

    # --- learning ------------------------------------------------------------------------------
    def _learn(self) -> None:
        while self._pending:
            variable = self._pending.pop()
            if isinstance(variable, tuple):
                memref, index = cast("tuple[SSAValue, int]", variable)
                self._learn_dimension(memref, index)
            else:
                self._learn_value(cast("SSAValue", variable))

    def _learn_value(self, value: SSAValue) -> None:
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            rule: Callable[..., None] | None = None
            if parent is not None and parent.regions[0].first_block is value.block:
                rule = self.arguments.get(parent.name)
            if rule is not None:
                rule(self, parent, value)
            return
        owner = value.owner
        assert isinstance(owner, Operation)
        rule = self.values.get(owner.name)
        if rule is not None:
            rule(self, owner, value)

    def _learn_dimension(self, memref: SSAValue, index: int) -> None:
        size = of_variable((memref, index))
        self.at_least(size, {None: 0})
        owner = memref.owner
        rule = self._dimension_rule(owner.name) if isinstance(owner, Operation) else None
        if rule is not None:
            found = rule(self, memref, index)
            if found is not None:
                self.equal(size, found)

    def _dimension_rule(self, name: str) -> Callable[..., Form | None] | None:
        found = self.dimensions.get(name)
        if found is None and "DestinationStyleOpInterface" in traits_of(name):
            return self.dimensions.get("DestinationStyleOpInterface")
        return found


def is_index(value: SSAValue) -> bool:
    """Whether bounds of `value` are looked for."""
    return isinstance(value.type, IndexType)


def is_shaped(value: SSAValue) -> bool:
    """Whether dimensions of `value` are looked for."""
    return isinstance(value.type, MemRefType)


# -- When an affine.min or affine.max is one of its results, or a number, for what is known of the
# operands.
#
# A bound is looked for that the operation has for sure; if no result of the map exceeds it, the
# operation is that bound. Source: MLIR 22.1 simplifyConstrainedMinMaxOp.


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
