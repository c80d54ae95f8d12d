# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the math dialect.

f32 and f64 are computed as libm does on the host, in the type itself where Python has a way to;
other types stay, as in MLIR.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.ir.constants import (
    element_type,
    map_elements,
    round_float,
    signed,
    splat_value,
    unsigned,
    width_of,
)

Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | None


@cache
def _libm() -> Any:
    name = ctypes.util.find_library("m")
    try:
        return ctypes.CDLL(name) if name else None
    except OSError:
        return None


#: The exponent of the least normal number, by type.
_LEAST_NORMAL = {"f16": -14, "bf16": -126, "f32": -126, "f64": -1022}


@cache
def libm_function(name: str, single: bool, arity: int) -> Callable[..., float] | None:
    """The C library's function for f32 (`sinf`) or f64 (`sin`)."""
    library = _libm()
    found: Any = getattr(library, name + ("f" if single else ""), None) if library else None
    if found is None:
        return None
    kind = ctypes.c_float if single else ctypes.c_double
    found.restype = kind
    found.argtypes = [kind] * arity
    return found


def libm(name: str, arity: int = 1) -> Any:
    """A fold that calls the C library."""

    def fold(op: Operation, constants: Constants) -> Folded:
        inner = element_type(op.results[0].type)
        if not isinstance(inner, Float32Type | Float64Type) or any(c is None for c in constants):
            return None
        function = libm_function(name, isinstance(inner, Float32Type), arity)
        if function is None:
            return None
        found = map_elements(constants, op.results[0].type, lambda *a: float(function(*a)))
        return None if found is None else [found]

    return fold


def _exact(compute: Callable[..., float | int | None]) -> Any:
    """A fold whose result needs no rounding, or one rounding."""

    def fold(op: Operation, constants: Constants) -> Folded:
        inner = element_type(op.results[0].type)

        def one(*values: Any) -> Any:
            value = compute(*values)
            return round_float(value, inner) if isinstance(value, float) else value

        found = map_elements(constants, op.results[0].type, one)
        return None if found is None else [found]

    return fold


def _integer(compute: Callable[..., int | None]) -> Any:
    def fold(op: Operation, constants: Constants) -> Folded:
        width = width_of(op.results[0].type)
        found = map_elements(constants, op.results[0].type, lambda *a: compute(*a, width))
        return None if found is None else [found]

    return fold


def _ctlz(value: int, width: int) -> int:
    return width - unsigned(value, width).bit_length()


def _cttz(value: int, width: int) -> int:
    bits = unsigned(value, width)
    return width if bits == 0 else (bits & -bits).bit_length() - 1


def _round_away(value: float) -> float:
    if math.isinf(value) or math.isnan(value):
        return value
    return math.copysign(math.floor(abs(value) + 0.5) if abs(value) < 2**52 else abs(value), value)


def _round_even(value: float) -> float:
    if math.isinf(value) or math.isnan(value):
        return value
    return math.copysign(float(round(value)), value)


def _trunc(value: float) -> float:
    if math.isinf(value) or math.isnan(value):
        return value
    return math.copysign(float(math.trunc(value)), value)


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    def compute(value: float) -> float:
        if math.isinf(value) or math.isnan(value):
            return value
        return math.copysign(float(function(value)), value)

    return compute


def _idempotent(fold: Any) -> Any:
    """f(f(x)) -> f(x)"""

    def outer(op: Operation, constants: Constants) -> Folded:
        inner = op.operands[0].owner
        if isinstance(inner, Operation) and inner.name == op.name:
            return [op.operands[0]]
        return fold(op, constants)

    return outer


def _not_negative(name: str) -> Any:
    """A fold of a C function that MLIR does not fold below 0."""
    inner_fold = libm(name)

    def fold(op: Operation, constants: Constants) -> Folded:
        value = splat_value(constants[0])
        if isinstance(value, float) and value < 0:
            return None
        return inner_fold(op, constants)

    return fold


def _powf(op: Operation, constants: Constants) -> Folded:
    if splat_value(constants[1]) == 1.0:
        return [op.operands[0]]
    return libm("pow", 2)(op, constants)


_UNARY = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "sin",
    "sinh",
    "tan",
    "tanh",
]


def _is_normal(op: Operation, constants: Constants) -> Folded:
    """Neither zero nor denormal nor infinite nor a NaN."""
    least = _LEAST_NORMAL.get(str(element_type(op.operands[0].type)))
    if least is None:
        return None

    def one(value: float) -> int:
        return int(math.isfinite(value) and abs(value) >= math.ldexp(1.0, least))

    found = map_elements(constants, op.results[0].type, one)
    return None if found is None else [found]


def _ipowi(base: int, power: int, width: int) -> int | None:
    """A power of integers, cut off at the width; none for 0 to a negative power."""
    base, power = signed(base, width), signed(power, width)
    if power >= 0:
        return signed(pow(base, power, 1 << width), width)
    if base == 0:
        return None
    if base == -1:
        return -1 if power % 2 else 1
    return 1 if base == 1 else 0


FOLD: dict[str, Any] = {
    "math.absf": _exact(lambda a: abs(a)),
    "math.absi": _integer(lambda a, w: abs(signed(a, w))),
    "math.ceil": _idempotent(_exact(_whole(math.ceil))),
    "math.copysign": _exact(math.copysign),
    "math.ctlz": _integer(_ctlz),
    "math.ctpop": _integer(lambda a, w: unsigned(a, w).bit_count()),
    "math.cttz": _integer(_cttz),
    "math.floor": _idempotent(_exact(_whole(math.floor))),
    "math.ipowi": _integer(_ipowi),
    "math.isfinite": _exact(lambda a: int(math.isfinite(a))),
    "math.isinf": _exact(lambda a: int(math.isinf(a))),
    "math.isnan": _exact(lambda a: int(math.isnan(a))),
    "math.isnormal": _is_normal,
    "math.log": _not_negative("log"),
    "math.log10": _not_negative("log10"),
    "math.log1p": _not_negative("log1p"),
    "math.log2": _not_negative("log2"),
    "math.powf": _powf,
    "math.round": _idempotent(_exact(_round_away)),
    "math.roundeven": _idempotent(_exact(_round_even)),
    "math.sqrt": _not_negative("sqrt"),
    "math.trunc": _idempotent(_exact(_trunc)),
    **{f"math.{name}": libm(name) for name in _UNARY},
    "math.atan2": libm("atan2", 2),
}
