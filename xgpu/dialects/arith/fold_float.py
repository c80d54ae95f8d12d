# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of arith's floating-point operations. Each result is rounded once, to nearest even."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir import float_arithmetic as floats
from xgpu.core.ir.constants import format_of, is_poison, make, map_elements, poison, splat_value
from xgpu.core.ir.float_formats import FloatFormat, round_to

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, IntegerType


Fold = Callable[[Operation, Constants], Folded]


def _is(attr: Attribute | None, value: float) -> bool:
    """Whether a constant is `value`, of the same sign if it is zero."""
    found = splat_value(attr)
    return (
        isinstance(found, float)
        and found == value
        and math.copysign(1.0, found) == math.copysign(1.0, value)
    )


def float_binary(compute: Callable[[float, float, FloatFormat], float | None]) -> Fold:
    """A constant fold of two floats."""

    def fold(op: Operation, constants: Constants) -> Folded:
        form = format_of(op.results[0].type)
        if form is None:
            return None
        found = map_elements(constants, op.results[0].type, lambda a, b: compute(a, b, form))
        return None if found is None else [found]

    return fold


def _choice(compute: Callable[[float, float], float]) -> Fold:
    """A constant fold that gives one of two floats."""
    return float_binary(lambda a, b, to: compute(a, b))


def _neutral(name: str, neutral: float) -> Fold:
    """x op neutral -> x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if _is(constants[1], neutral):
            return [op.operands[0]]
        return CONSTANT[name](op, constants)

    return fold


def _extreme(name: str, neutral: float) -> Fold:
    """max or min: x op x -> x; x op neutral -> x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if op.operands[0] is op.operands[1]:
            return [op.operands[1]]
        value = splat_value(constants[1])
        if isinstance(value, float) and (
            value == neutral or (neutral != neutral and value != value)
        ):
            return [op.operands[0]]
        return CONSTANT[name](op, constants)

    return fold


def _mulf(op: Operation, constants: Constants) -> Folded:
    if _is(constants[1], 1.0):
        return [op.operands[0]]
    flags = getattr(op.properties.get("fastmath"), "flags", ())
    if ("nnan" in flags and "nsz" in flags) or "fast" in flags:
        value = splat_value(constants[1])
        if isinstance(value, float) and value == 0.0:
            return [op.operands[1]]
    return CONSTANT["arith.mulf"](op, constants)


def _negf(op: Operation, constants: Constants) -> Folded:
    inner = op.operands[0].owner
    if isinstance(inner, Operation) and inner.name == "arith.negf":
        return [inner.operands[0]]
    form = format_of(op.results[0].type)
    if form is None:
        return None
    # A type without negative zero has nothing to negate there.
    found = map_elements(constants, op.results[0].type, lambda a: round_to(floats.neg(a), form))
    return None if found is None else [found]


CONSTANT: dict[str, Fold] = {
    "arith.addf": float_binary(floats.add),
    "arith.subf": float_binary(floats.sub),
    "arith.mulf": float_binary(floats.mul),
    "arith.divf": float_binary(floats.div),
    "arith.remf": float_binary(floats.rem),
    "arith.maximumf": _choice(floats.maximum),
    "arith.minimumf": _choice(floats.minimum),
    "arith.maxnumf": _choice(floats.maxnum),
    "arith.minnumf": _choice(floats.minnum),
}


def _cmpf(op: Operation, constants: Constants) -> Folded:
    attr = cast("IntegerAttr", op.properties["predicate"])
    name = floats.PREDICATES[attr.value.data]
    type_ = cast("IntegerType", op.results[0].type)
    if name in ("false", "true"):
        found = make(type_, int(name == "true"))
        return None if found is None else [found]
    if any(is_poison(c) for c in constants):
        return [poison()]
    for constant in constants:
        value = splat_value(constant)
        if isinstance(value, float) and value != value:
            found = make(type_, int(floats.compare(name, value, 0.0)))
            return None if found is None else [found]
    found = map_elements(constants, type_, lambda a, b: int(floats.compare(name, a, b)))
    return None if found is None else [found]


FLOATS: dict[str, Fold] = {
    "arith.addf": _neutral("arith.addf", -0.0),
    "arith.subf": _neutral("arith.subf", 0.0),
    "arith.mulf": _mulf,
    "arith.divf": _neutral("arith.divf", 1.0),
    "arith.remf": CONSTANT["arith.remf"],
    "arith.maximumf": _extreme("arith.maximumf", -math.inf),
    "arith.minimumf": _extreme("arith.minimumf", math.inf),
    "arith.maxnumf": _extreme("arith.maxnumf", math.nan),
    "arith.minnumf": _extreme("arith.minnumf", math.nan),
    "arith.negf": _negf,
    "arith.cmpf": _cmpf,
}
