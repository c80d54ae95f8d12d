# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of arith's floating-point operations. Each result is rounded once, to nearest even."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.ir.constants import (
    element_type,
    is_poison,
    make,
    map_elements,
    poison,
    round_float,
    splat_value,
)

Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None


def _is(attr: Attribute | None, value: float) -> bool:
    """Whether a constant is `value`, of the same sign if it is zero."""
    found = splat_value(attr)
    return (
        isinstance(found, float)
        and found == value
        and math.copysign(1.0, found) == math.copysign(1.0, value)
    )


def float_binary(compute: Callable[[float, float], float]) -> Any:
    """A constant fold of two floats."""

    def fold(op: Operation, constants: Constants) -> Folded:
        inner = element_type(op.results[0].type)
        found = map_elements(
            constants, op.results[0].type, lambda a, b: round_float(compute(a, b), inner)
        )
        return None if found is None else [found]

    return fold


def _divide(a: float, b: float) -> float:
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))
    return a / b


def _remainder(a: float, b: float) -> float:
    if b == 0 or math.isinf(a) or a != a or b != b:
        return math.nan
    return math.fmod(a, b)


def _maximum(a: float, b: float) -> float:
    if a != a or b != b:
        return math.nan
    if a == b == 0:
        return a if math.copysign(1.0, a) > 0 else b
    return max(a, b)


def _minimum(a: float, b: float) -> float:
    if a != a or b != b:
        return math.nan
    if a == b == 0:
        return a if math.copysign(1.0, a) < 0 else b
    return min(a, b)


def _maxnum(a: float, b: float) -> float:
    return b if a != a else a if b != b else _maximum(a, b)


def _minnum(a: float, b: float) -> float:
    return b if a != a else a if b != b else _minimum(a, b)


def _neutral(name: str, neutral: float) -> Any:
    """x op neutral -> x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if _is(constants[1], neutral):
            return [op.operands[0]]
        return CONSTANT[name](op, constants)

    return fold


def _extreme(name: str, neutral: float) -> Any:
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
    found = map_elements(constants, op.results[0].type, lambda a: -a)
    return None if found is None else [found]


CONSTANT: dict[str, Any] = {
    "arith.addf": float_binary(lambda a, b: a + b),
    "arith.subf": float_binary(lambda a, b: a - b),
    "arith.mulf": float_binary(lambda a, b: a * b),
    "arith.divf": float_binary(_divide),
    "arith.remf": float_binary(_remainder),
    "arith.maximumf": float_binary(_maximum),
    "arith.minimumf": float_binary(_minimum),
    "arith.maxnumf": float_binary(_maxnum),
    "arith.minnumf": float_binary(_minnum),
}


# --- comparison ----------------------------------------------------------------------------------
def compare_floats(predicate: int, a: float, b: float) -> bool:
    """MLIR's cmpf predicates: false, oeq, ogt, oge, olt, ole, one, ord, then unordered ones."""
    if predicate == 0:
        return False
    if predicate == 15:
        return True
    unordered = a != a or b != b
    if predicate == 7:
        return not unordered
    if predicate == 14:
        return unordered
    if unordered:
        return predicate > 7
    kind = predicate if predicate < 7 else predicate - 7
    return (a == b, a > b, a >= b, a < b, a <= b, a != b)[kind - 1]


def _cmpf(op: Operation, constants: Constants) -> Folded:
    attr: Any = op.properties["predicate"]
    predicate: int = attr.value.data
    type_ = op.results[0].type
    if predicate in (0, 15):
        found = make(type_, int(predicate == 15))
        return None if found is None else [found]
    if any(is_poison(c) for c in constants):
        return [poison()]
    for constant in constants:
        value = splat_value(constant)
        if isinstance(value, float) and value != value:
            found = make(type_, int(compare_floats(predicate, value, 0.0)))
            return None if found is None else [found]
    found = map_elements(constants, type_, lambda a, b: int(compare_floats(predicate, a, b)))
    if found is None:
        return None
    if isinstance(type_, IntegerType) and isinstance(found, IntegerAttr):
        return [IntegerAttr(-1 if found.value.data else 0, type_)]
    return [found]


FLOATS: dict[str, Any] = {
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
