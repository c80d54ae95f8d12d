# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`arith-expand`: operations of arith that the conversion to llvm does not take, by others.

Rounding divisions become divisions and a correction, maxima and minima comparisons; conversions of
small floats, if asked for, integer arithmetic on their bits. Source: MLIR 22.1 ExpandOps of arith.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import BFloat16Type, Float32Type, TensorType

from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import NoMatch, convert, first_of
from xgpu.dialects.arith.builders import binary, cmpf, cmpi, constant, element_of, select
from xgpu.transforms.arith.expand_small_floats import EXTENSIONS, SCALING, TRUNCATIONS

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.driver import Conversion, Replacements, Rule

Values = Sequence["SSAValue"]


def ceil_div_unsigned(op: Operation, operands: Values, rw: Conversion) -> Values:
    """`n == 0 ? 0 : (n - 1) / m + 1`"""
    n, m = operands
    zero = constant(rw, 0, n.type)
    is_zero = cmpi(rw, "eq", n, zero)
    one = constant(rw, 1, n.type)
    quotient = binary(rw, "divui", binary(rw, "subi", n, one), m)
    return [select(rw, is_zero, zero, binary(rw, "addi", quotient, one))]


def ceil_div_signed(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The quotient, plus one where the division has a rest and the operands have one sign."""
    n, m = operands
    zero, one = constant(rw, 0, n.type), constant(rw, 1, n.type)
    quotient = binary(rw, "divsi", n, m)
    has_rest = cmpi(rw, "ne", n, binary(rw, "muli", quotient, m))
    signs = cmpi(rw, "eq", cmpi(rw, "slt", n, zero), cmpi(rw, "slt", m, zero))
    corrects = binary(rw, "andi", has_rest, signs)
    return [select(rw, corrects, binary(rw, "addi", quotient, one), quotient)]


def floor_div_signed(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The quotient, less one where the division has a rest and the operands have two signs."""
    n, m = operands
    quotient = binary(rw, "divsi", n, m)
    has_rest = cmpi(rw, "ne", n, binary(rw, "muli", quotient, m))
    zero = constant(rw, 0, n.type)
    signs = cmpi(rw, "ne", cmpi(rw, "slt", n, zero), cmpi(rw, "slt", m, zero))
    corrects = binary(rw, "andi", has_rest, signs)
    less = binary(rw, "addi", quotient, constant(rw, -1, n.type))
    return [select(rw, corrects, less, quotient)]


def _extreme(predicate: str, *, number: bool) -> Rule:
    """The greater or smaller operand: with a NaN among them the NaN, or if it is about `number`s
    the other one. The comparison holds if one operand is a NaN."""

    def rule(op: Operation, operands: Values, rw: Conversion) -> Values:
        lhs, rhs = operands
        chosen = select(rw, cmpf(rw, predicate, lhs, rhs), lhs, rhs)
        tested = lhs if number else rhs
        is_nan = cmpf(rw, "uno", tested, tested)
        return [select(rw, is_nan, rhs, chosen)]

    return rule


def _integer_extreme(predicate: str) -> Rule:
    """The greater or smaller integer: a comparison and a choice."""

    def rule(op: Operation, operands: Values, rw: Conversion) -> Values:
        lhs, rhs = operands
        return [select(rw, cmpi(rw, predicate, lhs, rhs), lhs, rhs)]

    return rule


_CONVERSIONS = ("arith.extf", "arith.truncf")


def of_known_shape(rule: Rule) -> Rule:
    """`rule` where constants of the operand's shape can be made: not for `tensor<?xi32>`."""

    def checked(op: Operation, operands: Values, rw: Conversion) -> Replacements | None:
        ty = operands[0].type
        if isinstance(ty, TensorType) and not ty.has_static_shape():
            raise NoMatch("there are no constants of a shape that is not known")
        return rule(op, operands, rw)

    return checked


RULES: dict[str, Rule] = {
    "arith.ceildivsi": of_known_shape(ceil_div_signed),
    "arith.ceildivui": of_known_shape(ceil_div_unsigned),
    "arith.floordivsi": of_known_shape(floor_div_signed),
    "arith.maximumf": _extreme("ugt", number=False),
    "arith.maxnumf": _extreme("ugt", number=True),
    "arith.minimumf": _extreme("ult", number=False),
    "arith.minnumf": _extreme("ult", number=True),
    "arith.maxsi": _integer_extreme("sgt"),
    "arith.maxui": _integer_extreme("ugt"),
    "arith.minsi": _integer_extreme("slt"),
    "arith.minui": _integer_extreme("ult"),
    **SCALING,
}


def _first_that_fits(rules: list[Rule]) -> Rule:
    return of_known_shape(rules[0] if len(rules) == 1 else first_of(*rules))


class ArithExpandOps(Pass):
    """Legalizes arith operations to be convertible to LLVM."""

    name = "arith-expand"
    summary = "Legalize Arith ops to be convertible to LLVM."
    options = (
        Option("include-bf16", bool, False, "Enable the BF16 expansion patterns"),
        Option("include-f8e8m0", bool, False, "Enable the F8E8M0 expansion patterns"),
        Option("include-f4e2m1", bool, False, "Enable the F4E2M1 expansion patterns"),
    )
    include_bf16: bool
    include_f8e8m0: bool
    include_f4e2m1: bool

    def run(self, op: Operation, ctx: Context) -> None:
        included = [
            name
            for name, wanted in (
                ("bf16", self.include_bf16),
                ("f8E8M0FNU", self.include_f8e8m0),
                ("f4E2M1FN", self.include_f4e2m1),
            )
            if wanted
        ]
        rules = dict(RULES)
        if included:
            rules["arith.extf"] = _first_that_fits([EXTENSIONS[n] for n in included])
            rules["arith.truncf"] = _first_that_fits([TRUNCATIONS[n] for n in included])

        def may_stay(o: Operation) -> bool:
            return o.name in _CONVERSIONS and not _is_expanded(o, included)

        convert(
            op,
            rules,
            legal=may_stay,
            illegal=lambda o: o.name in rules and not may_stay(o),
            known=("arith", "vector"),
        )


def _is_expanded(op: Operation, included: list[str]) -> bool:
    wide, small = op.operands[0].type, op.results[0].type
    if op.name == "arith.extf":
        wide, small = small, wide
    element = element_of(small)
    if isinstance(element, BFloat16Type):
        # From other types bf16 is reached by way of f32.
        return "bf16" in included and isinstance(element_of(wide), Float32Type)
    return element.name in included
