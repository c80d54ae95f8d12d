# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scf-for-loop-canonicalization`: what loops say of operations in them.

An affine.min or affine.max of induction variables becomes the one result that it always is; the
size of a tensor or memref that a loop carries, and does not change, is that of what it began with.
Source: MLIR 22.1 LoopCanonicalization.cpp, AffineCanonicalizationUtils.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xgpu.analysis.linear import (
    Form,
    LinearSystem,
    combine,
    constant_of,
    form_of,
    of_variable,
    scale,
    simplified,
)
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import scf

#: Lower and upper bound, and step, of an induction variable.
Range = tuple["SSAValue | int", "SSAValue | int", "SSAValue | int"]


def range_of(value: SSAValue) -> Range | None:
    """The range of an induction variable of a loop of scf; None of other values."""
    if not isinstance(value, BlockArgument):
        return None
    loop = value.block.parent_op()
    if loop is None:
        return None
    if loop.name == "scf.for":
        if value.index:
            return None
        lower, upper, step = loop.operands[:3]
        return lower, upper, step
    if loop.name == "scf.parallel":
        groups = cast("scf.ParallelOp", loop)
        bounds = (groups.lower_bound, groups.upper_bound, groups.step)
        lower, upper, step = (group[value.index] for group in bounds)
        return lower, upper, step
    return (
        _range_of_forall(cast("scf.ForallOp", loop), value) if loop.name == "scf.forall" else None
    )


def _range_of_forall(loop: scf.ForallOp, variable: BlockArgument) -> Range | None:
    """The bounds of scf.forall are numbers in an attribute, or operands where it says so."""
    found: list[SSAValue | int] = []
    for static, values in (
        (loop.static_lower_bound, loop.dynamic_lower_bound),
        (loop.static_upper_bound, loop.dynamic_upper_bound),
        (loop.static_step, loop.dynamic_step),
    ):
        numbers = static.get_values()
        if variable.index >= len(numbers):
            return None
        number = numbers[variable.index]
        place = list(numbers[: variable.index]).count(DYNAMIC_INDEX)
        found.append(values[place] if number == DYNAMIC_INDEX else number)
    return found[0], found[1], found[2]


def _form(bound: SSAValue | int) -> Form:
    return {None: bound} if isinstance(bound, int) else form_of(bound)


def _add_range(system: LinearSystem, variable: SSAValue, bounds: Range) -> bool:
    """States that a variable takes values of a range; False if the step is not known."""
    lower, upper, step = (_form(bound) for bound in bounds)
    width = constant_of(step)
    if width is None or width <= 0:
        return False
    here = of_variable(variable)
    system.at_least(here, lower)
    first, last = constant_of(lower), constant_of(upper)
    if first is not None and last is not None and first + width >= last:
        system.at_least(lower, here)
        return True
    # The last value: lower + step * ((upper - lower - 1) floordiv step)
    span = combine(combine(upper, lower, times=-1), {None: -1})
    known = constant_of(span)
    steps: Form = {None: known // width} if known is not None else span
    if known is None and width != 1:
        steps = system.quotient(span, width)
    system.at_least(combine(lower, scale(steps, width)), here)
    return True


def simplify_extreme(op: Operation, rw: GreedyRewriter) -> bool:
    """`min(2, 4 - i)` -> `2` for `i` of `0 to 4 step 2`"""
    system = LinearSystem()
    variables: list[SSAValue] = []
    known: set[SSAValue] = set()
    for operand in op.operands:
        if operand in variables:
            continue
        bounds = range_of(operand)
        if bounds is None:
            continue
        variables.append(operand)
        known.update(b for b in bounds[:2] if not isinstance(b, int))
        if not _add_range(system, operand, bounds):
            return False
    found = simplified(op, system, variables, known)
    if found is None:
        return False
    new_map, values = found
    properties = {"map": AffineMapAttr(new_map)}
    rw.replace_with(op, "affine.apply", values, (op.results[0].type,), properties)
    return True


# --- sizes ---------------------------------------------------------------------------------------
def _keeps_shape(loop: Operation, at: int) -> bool:
    """Whether the carried value number `at` has always the shape that it begins with."""
    body = loop.regions[0].blocks[0]
    end = body.last_op
    assert end is not None, "a loop's body has a terminator"
    value: SSAValue = end.operands[at]
    while True:
        if value is body.args[at + 1]:
            return True
        if not isinstance(value, OpResult):
            return False
        owner = value.op
        if owner.name == "tensor.insert_slice":
            value = owner.operands[1]
        elif owner.name == "scf.for" and _keeps_shape(owner, value.index):
            value = owner.operands[3 + value.index]
        else:
            return False


def size_of_carried(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of a value that a loop carries, or gives, is that of its initial value."""
    source = op.operands[0]
    if isinstance(source, BlockArgument):
        loop, at = source.block.parent_op(), source.index - 1
    else:
        assert isinstance(source, OpResult)
        loop, at = source.op, source.index
    if loop is None or loop.name != "scf.for" or at < 0 or not _keeps_shape(loop, at):
        return False
    rw.set_operand(op, 0, loop.operands[3 + at])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "affine.max": (simplify_extreme,),
    "affine.min": (simplify_extreme,),
    "memref.dim": (size_of_carried,),
    "tensor.dim": (size_of_carried,),
}


class SCFForLoopCanonicalization(Pass):
    """Simplifies operations by the loops that they are in."""

    name = "scf-for-loop-canonicalization"
    summary = "Canonicalize operations within scf.for loop bodies"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, PATTERNS)
