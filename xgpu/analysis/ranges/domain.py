# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Between which bounds integers lie: the domain of integer range inference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from xgpu.analysis.ranges.bounds import storage_width
from xgpu.analysis.ranges.constant_domain import VARIES, ConstantDomain
from xgpu.analysis.ranges.int_range import IntRange, from_signed, full, max_signed, min_signed
from xgpu.analysis.sparse import Domain
from xgpu.core.ir.constants import int_value, make
from xgpu.core.ir.op_info import op_info

if TYPE_CHECKING:
    from xgpu.dialects import affine, scf


Bounds = tuple[int | SSAValue, int | SSAValue, int | SSAValue]
#: How lists of static numbers mark those that are operands.
DYNAMIC = -(1 << 63)


class RangeDomain(Domain):
    """Each value of integer type has a range."""

    def __init__(self, constants: ConstantDomain) -> None:
        super().__init__()
        self.constants = constants

    def entry(self, value: SSAValue) -> IntRange | None:
        width = storage_width(value.type)
        return full(width) if width else None

    def join(self, old: IntRange, new: IntRange) -> IntRange:
        return old.union(new)

    def updated(self, value: SSAValue, what: IntRange) -> None:
        constant = what.constant
        made = None if constant is None else make(value.type, constant)
        self.constants.learn(value, VARIES if made is None else made)

    def visit(self, op: Operation) -> None:
        found = self._infer(op)
        if found is None:
            super().visit(op)
            return
        for result in op.results:
            if result in found:
                self._learn_bounded(result, found[result])

    def visit_arguments(self, op: Operation, index: int, arguments: Sequence[SSAValue]) -> None:
        found = self._infer(op)
        if found is not None:
            for argument in arguments:
                if argument in found:
                    self._learn_bounded(argument, found[argument])
            return
        loops = loop_bounds(op)
        rest = list(arguments)
        for position, bounds in enumerate(loops):
            variable = op.regions[index].blocks[0].args[position]
            if variable in rest:
                rest.remove(variable)
                self._visit_induction_variable(variable, *bounds)
        if rest:
            super().visit_arguments(op, index, rest)

    def _infer(self, op: Operation) -> dict[SSAValue, IntRange] | None:
        """What the rule of `op` says; None if it has none."""
        from xgpu.analysis.ranges.rules import RULES

        rule = RULES.get(op.name)
        if rule is None and op.name.startswith("nvvm.read.ptx.sreg."):
            from xgpu.analysis.ranges.rules_gpu import special_register

            rule = special_register
        if rule is None:
            rule = op_info(op.name).value_range
        if rule is None:
            return None
        return rule(op, [self.known.get(operand) for operand in op.operands])

    def _learn_bounded(self, value: SSAValue, what: IntRange) -> None:
        """Learns of a value that a loop may change again and again: the second time is the last."""
        old = self.known.get(value)
        self.learn(value, what)
        if old is not None and self.known[value] != old and _is_yielded(value):
            self.learn(value, full(what.width))

    def _visit_induction_variable(
        self, value: SSAValue, low: int | SSAValue, high: int | SSAValue, step: int | SSAValue
    ) -> None:
        width = storage_width(value.type)
        least = self._bound(low, width, upper=False)
        most = self._bound(high, width, upper=True)
        if self._bound(step, width, upper=True) < 0:
            least, most = most, least
        else:
            most -= 1
        if most >= least:
            self.learn(value, from_signed(width, least, most))

    def _bound(self, value: int | SSAValue, width: int, *, upper: bool) -> int:
        if isinstance(value, int):
            return value
        known = self.known.get(value)
        if known is not None:
            return known.smax if upper else known.smin
        constant = int_value(self.constants.constant(value))
        if constant is not None:
            return constant
        return max_signed(width) if upper else min_signed(width)


def loop_bounds(op: Operation) -> list[Bounds]:
    """Lower and upper bound and step of each induction variable of a loop; none for other ops."""
    operands = op.operands
    if op.name == "scf.for":
        return [(operands[0], operands[1], operands[2])]
    if op.name == "scf.parallel":
        count = len(op.regions[0].blocks[0].args)
        return [(operands[i], operands[count + i], operands[2 * count + i]) for i in range(count)]
    if op.name == "scf.forall":
        return _forall_bounds(cast("scf.ForallOp", op))
    if op.name == "affine.for":
        return _affine_bounds(cast("affine.ForOp", op))
    return []


def _forall_bounds(op: scf.ForallOp) -> list[Bounds]:
    columns: list[list[int | SSAValue]] = []
    for static, dynamic in (
        (op.static_lower_bound, op.dynamic_lower_bound),
        (op.static_upper_bound, op.dynamic_upper_bound),
        (op.static_step, op.dynamic_step),
    ):
        values = iter(dynamic)
        sizes = static.get_values()
        columns.append([next(values) if s == DYNAMIC else s for s in sizes])
    return list(zip(*columns, strict=True))  # type: ignore[arg-type]


def _affine_bounds(op: affine.ForOp) -> list[Bounds]:
    """Constant bounds; others are the least and the greatest number."""
    bounds: list[int] = []
    for bound, default in (
        (op.lower_bound_map, min_signed(64)),
        (op.upper_bound_map, max_signed(64)),
    ):
        results = bound.data.results
        value = getattr(results[0], "value", None) if len(results) == 1 else None
        bounds.append(value if isinstance(value, int) else default)
    return [(bounds[0], bounds[1], op.properties["step"].value.data)]


def _is_yielded(value: SSAValue) -> bool:
    return any(
        use.operation.has_trait(IsTerminator, value_if_unregistered=False) for use in value.uses
    )
