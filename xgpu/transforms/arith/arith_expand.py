# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`arith-expand`: operations of arith that the conversion to llvm does not take, by others.

Rounding divisions become divisions and a correction, maxima and minima comparisons; conversions of
small floats, if asked for, integer arithmetic on their bits. Source: MLIR 22.1 ExpandOps of arith.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E8M0FNUType,
    Float32Type,
    IntegerType,
    TensorType,
    f32,
    i8,
    i16,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Replacements, Rule, convert, first_of
from xgpu.dialects.arith.builders import (
    binary,
    cast,
    cmpf,
    cmpi,
    constant,
    element_of,
    like,
    select,
)

if TYPE_CHECKING:
    from xdsl.context import Context


# --- expand small floats -------------------------------------------------------------------------
# Conversions of small floats as integer arithmetic on their bits.
#
# bf16 is the upper half of an f32, f8E8M0FNU its exponent; f4E2M1FN has a sign, two bits of
# exponent and one of fraction. Other types go by way of f32. Source: MLIR 22.1 ExpandOps of arith.


Values = Sequence["SSAValue"]
_I4 = IntegerType(4)


def _flags(op: Operation, *names: str) -> dict[str, Attribute]:
    """The properties of `op` that go over to what it becomes."""
    return {name: op.properties[name] for name in names if name in op.properties}


def _number(rw: Conversion, value: int | float, shaped: SSAValue, element: Attribute) -> SSAValue:
    """A constant of the shape of a value."""
    return constant(rw, value, like(shaped.type, element))


def _check(op: Operation, small: str, at: int) -> None:
    """Says that a rule is for another type. `at` is the place of the small type: 0 for the operand,
    1 for the result."""
    ty = op.operands[0].type if at == 0 else op.results[0].type
    element = element_of(ty)
    if element.name != small:
        raise NoMatch(f"not a conversion of {small}")


def _as_f32(rw: Conversion, value: SSAValue, flags: dict[str, Attribute]) -> SSAValue:
    """A float as f32: longer ones are rounded first."""
    element = element_of(value.type)
    if isinstance(element, Float32Type):
        return value
    name = "extf" if getattr(element, "bitwidth", 0) < 32 else "truncf"
    return cast(rw, name, value, f32, flags)


def _from_f32(
    rw: Conversion, value: SSAValue, ty: Attribute, flags: dict[str, Attribute]
) -> SSAValue:
    """An f32 as the type that was asked for."""
    element = element_of(ty)
    if isinstance(element, Float32Type):
        return value
    return cast(
        rw, "truncf" if getattr(element, "bitwidth", 0) < 32 else "extf", value, element, flags
    )


# --- bf16 ----------------------------------------------------------------------------------------
def truncate_to_bf16(op: Operation, operands: Values, rw: Conversion) -> Values:
    """Rounds to nearest even: half of the last bit's weight, less one if that bit is 0, is added
    before the lower half is cut off. A NaN stays one."""
    _check(op, "bf16", 1)
    (value,) = operands
    if not isinstance(element_of(value.type), Float32Type):
        raise NoMatch("not a truncation of f32")
    if "roundingmode" in op.properties:
        raise NoMatch("only applicable to the default rounding mode")
    is_nan = cmpf(rw, "une", value, value)
    bias, nan = _number(rw, 0x7FFF, value, i32), _number(rw, 0x7FC0, value, i16)
    sixteen, one = _number(rw, 16, value, i32), _number(rw, 1, value, i32)
    bits = cast(rw, "bitcast", value, i32)
    last = binary(rw, "andi", binary(rw, "shrui", bits, sixteen), one)
    rounded = binary(rw, "addi", bits, binary(rw, "addi", last, bias))
    half = cast(rw, "trunci", binary(rw, "shrui", rounded, sixteen), i16)
    chosen = select(rw, is_nan, nan, half)
    return [cast(rw, "bitcast", chosen, BFloat16Type())]


def extend_bf16(op: Operation, operands: Values, rw: Conversion) -> Values:
    _check(op, "bf16", 0)
    (value,) = operands
    if not isinstance(element_of(op.results[0].type), Float32Type):
        raise NoMatch("not an extension to f32")
    bits = cast(rw, "extui", cast(rw, "bitcast", value, i16), i32)
    shifted = binary(rw, "shli", bits, _number(rw, 16, value, i32))
    return [cast(rw, "bitcast", shifted, f32)]


# --- f8E8M0FNU -----------------------------------------------------------------------------------
def truncate_to_f8e8m0(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The exponent of an f32."""
    _check(op, "f8E8M0FNU", 1)
    value = _as_f32(rw, operands[0], _flags(op, "fastmath"))
    bits = cast(rw, "bitcast", value, i32)
    exponent = binary(rw, "shrui", bits, _number(rw, 23, value, i32))
    return [cast(rw, "bitcast", cast(rw, "trunci", exponent, i8), element_of(op.results[0].type))]


def extend_f8e8m0(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The exponent of an f32; the one value that is a NaN becomes a NaN."""
    _check(op, "f8E8M0FNU", 0)
    (value,) = operands
    bits = cast(rw, "bitcast", value, i8)
    nan, wide_nan = _number(rw, -1, value, i8), _number(rw, -1, value, i32)
    places = _number(rw, 23, value, i32)
    shifted = binary(rw, "shli", cast(rw, "extui", bits, i32), places)
    chosen = select(rw, cmpi(rw, "eq", bits, nan), wide_nan, shifted)
    wide = cast(rw, "bitcast", chosen, f32)
    return [_from_f32(rw, wide, op.results[0].type, _flags(op, "fastmath"))]


# --- f4E2M1FN ------------------------------------------------------------------------------------
def truncate_to_f4e2m1(op: Operation, operands: Values, rw: Conversion) -> Values:
    """Clamped to the largest value, then sign, exponent and the first bit of the fraction; what is
    below the smallest normal number apart; rounded up from half of the last bit on."""
    _check(op, "f4E2M1FN", 1)
    value = _as_f32(rw, operands[0], {})

    def number(n: int | float, element: Attribute) -> SSAValue:
        return _number(rw, n, value, element)

    one, three = number(1, _I4), number(3, _I4)
    fraction_places = number(22, i32)
    zero8, minus8, zero32 = number(0, i8), number(-1, i8), number(0, i32)
    largest, smallest = number(6.0, f32), number(-6.0, f32)
    clamped = rw.value("arith.minnumf", (value, largest), value.type)
    clamped = rw.value("arith.maxnumf", (clamped, smallest), value.type)
    bits = cast(rw, "bitcast", clamped, i32)
    sign = cast(rw, "trunci", binary(rw, "shrui", bits, number(31, i32)), _I4)
    result = binary(rw, "shli", sign, three)
    offset = number(126, i32)
    exponent = binary(rw, "subi", binary(rw, "shrui", bits, number(23, i32)), offset)
    shifted = binary(rw, "shli", cast(rw, "trunci", exponent, _I4), one)
    result = binary(rw, "addi", result, shifted)
    first = binary(rw, "andi", bits, number(0x400000, i32))
    first = cast(rw, "trunci", binary(rw, "shrui", first, fraction_places), _I4)
    result = binary(rw, "addi", result, first)
    fraction_mask = number(0x7FFFFF, i32)
    exponent8 = cast(rw, "trunci", exponent, i8)
    is_small = cmpi(rw, "sle", exponent8, zero8)
    is_smaller = cmpi(rw, "eq", exponent8, minus8)
    has_fraction = cmpi(rw, "ugt", binary(rw, "andi", bits, fraction_mask), zero32)
    is_half = binary(rw, "andi", is_smaller, has_fraction)
    is_one_half = cmpi(rw, "eq", exponent8, zero8)
    ones = number(-1, _I4)
    zero = number(0, _I4)
    chosen = select(rw, is_small, ones, result)
    chosen = select(rw, is_half, zero, chosen)
    chosen = select(rw, is_one_half, result, chosen)
    rest_mask, half = number(0x3FFFFF, i32), number(0x200000, i32)
    rounds = cmpi(rw, "uge", binary(rw, "andi", bits, rest_mask), half)
    rounds = binary(rw, "ori", rounds, is_small)
    chosen = select(rw, rounds, binary(rw, "addi", chosen, one), chosen)
    return [cast(rw, "bitcast", chosen, element_of(op.results[0].type))]


def extend_f4e2m1(op: Operation, operands: Values, rw: Conversion) -> Values:
    """Sign, exponent and fraction of an f32, put together."""
    _check(op, "f4E2M1FN", 0)
    (value,) = operands

    def number(n: int, element: Attribute) -> SSAValue:
        return _number(rw, n, value, element)

    bits = cast(rw, "bitcast", value, _I4)
    zero, one, two, four, seven = (number(n, _I4) for n in (0, 1, 2, 4, 7))
    size = binary(rw, "andi", bits, seven)
    places = number(20, i32)
    fraction = binary(rw, "shli", size, two)
    fraction = select(rw, cmpi(rw, "eq", size, one), zero, fraction)
    fraction = binary(rw, "shli", cast(rw, "extui", fraction, i32), places)
    zero32, big, little = number(0, i32), number(0x40000000, i32), number(0x3F000000, i32)
    exponent = select(rw, cmpi(rw, "uge", size, four), big, little)
    exponent = select(rw, cmpi(rw, "eq", size, zero), zero32, exponent)
    negative = number(-(1 << 31), i32)
    sign = select(rw, cmpi(rw, "uge", bits, number(-8, _I4)), negative, zero32)
    whole = binary(rw, "addi", binary(rw, "addi", fraction, exponent), sign)
    wide = cast(rw, "bitcast", whole, f32)
    return [_from_f32(rw, wide, op.results[0].type, {})]


# --- scaling -------------------------------------------------------------------------------------
def _scale(op: Operation, rw: Conversion, scale: SSAValue, target: Attribute) -> SSAValue:
    """The scale as a float of the type that is computed in: a power of two, so that a scale of
    another type loses its fraction first."""
    flags = _flags(op, "fastmath")
    element = element_of(scale.type)
    exponent_type = Float8E8M0FNUType()
    if getattr(element, "bitwidth", 0) >= 16:
        scale = cast(rw, "truncf", scale, exponent_type, flags)
    elif element.name != "f8E8M0FNU":
        raise NoMatch("scales are f8E8M0FNU, or truncated to it")
    return cast(rw, "extf", scale, element_of(target), flags)


def scaling_truncf(op: Operation, operands: Values, rw: Conversion) -> Values:
    """`truncf(in / scale)`"""
    value, scale = operands
    flags = _flags(op, "fastmath")
    quotient = binary(rw, "divf", value, _scale(op, rw, scale, value.type), flags)
    flags = _flags(op, "roundingmode", "fastmath")
    return [cast(rw, "truncf", quotient, element_of(op.results[0].type), flags)]


def scaling_extf(op: Operation, operands: Values, rw: Conversion) -> Values:
    """`extf(in) * scale`"""
    value, scale = operands
    target = op.results[0].type
    flags = _flags(op, "fastmath")
    factor = _scale(op, rw, scale, target)
    wide = cast(rw, "extf", value, element_of(target), flags)
    return [binary(rw, "mulf", wide, factor, flags)]


TRUNCATIONS: dict[str, Rule] = {
    "bf16": truncate_to_bf16,
    "f8E8M0FNU": truncate_to_f8e8m0,
    "f4E2M1FN": truncate_to_f4e2m1,
}
EXTENSIONS: dict[str, Rule] = {
    "bf16": extend_bf16,
    "f8E8M0FNU": extend_f8e8m0,
    "f4E2M1FN": extend_f4e2m1,
}
SCALING: dict[str, Rule] = {
    "arith.scaling_extf": scaling_extf,
    "arith.scaling_truncf": scaling_truncf,
}


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


class ArithExpandOpsPass(Pass):
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
