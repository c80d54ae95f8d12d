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

from xdsl.ir import Operation

from xgpu.core.ir import float_arithmetic as floats
from xgpu.core.ir import integers
from xgpu.core.ir.constants import format_of, map_elements, splat_value, width_of
from xgpu.core.ir.float_formats import F32, F64, exact_float, is_negative, round_to, to_bits
from xgpu.core.ir.integers import signed
from xgpu.dialects.interfaces import Constants, Folded, Folder

Fold = Callable[[Operation, Constants], Folded]


@cache
def _libm() -> ctypes.CDLL | None:
    try:
        own = ctypes.CDLL(None)  # Python has it loaded, where loading works so
        if hasattr(own, "sinf"):
            return own
        name = ctypes.util.find_library("m")
        return ctypes.CDLL(name) if name else None
    except (OSError, TypeError):
        return None


@cache
def libm_function(name: str, single: bool, arity: int) -> Callable[..., float] | None:
    """The C library's function for f32 (`sinf`) or f64 (`sin`)."""
    library = _libm()
    found = getattr(library, name + ("f" if single else ""), None) if library else None
    if found is None:
        return None
    kind = ctypes.c_float if single else ctypes.c_double
    found.restype = kind
    found.argtypes = [kind] * arity
    return found


def libm(name: str, arity: int = 1) -> Fold:
    """A fold that calls the C library."""

    def fold(op: Operation, constants: Constants) -> Folded:
        function = _compute(name, op, arity)
        if function is None or any(c is None for c in constants):
            return None
        found = map_elements(constants, op.results[0].type, function)
        return None if found is None else [found]

    return fold


def _compute(name: str, op: Operation, arity: int) -> Callable[..., float] | None:
    """The C library's function in the type of the result, if it is f32 or f64."""
    form = format_of(op.results[0].type)
    if form is not F32 and form is not F64:
        return None
    function = libm_function(name, form is F32, arity)
    if function is None:
        return None
    if form is F64:
        return lambda *values: float(function(*values))
    return lambda *values: float(function(*map(_single, values)))


def _single(value: float) -> ctypes.c_float:
    """An f32 with the bits that it has: a conversion would make a signaling NaN quiet."""
    return ctypes.c_float.from_buffer_copy(to_bits(value, F32).to_bytes(4, "little"))


def _test(holds: Callable[[float], bool]) -> Fold:
    """A fold of a predicate on a float."""

    def fold(op: Operation, constants: Constants) -> Folded:
        found = map_elements(constants, op.results[0].type, lambda a: int(holds(a)))
        return None if found is None else [found]

    return fold


def _exact(compute: Callable[..., float]) -> Fold:
    """A fold whose result is a number of the type, or a whole number beside one."""

    def fold(op: Operation, constants: Constants) -> Folded:
        form = format_of(op.results[0].type)
        if form is None:
            return None
        found = map_elements(
            constants, op.results[0].type, lambda *values: round_to(compute(*values), form)
        )
        return None if found is None else [found]

    return fold


def _integer(compute: Callable[..., int | None]) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        width = width_of(op.results[0].type)
        found = map_elements(constants, op.results[0].type, lambda *a: compute(*a, width))
        return None if found is None else [found]

    return fold


def _idempotent(fold: Fold) -> Fold:
    """f(f(x)) -> f(x)"""

    def outer(op: Operation, constants: Constants) -> Folded:
        inner = op.operands[0].owner
        if isinstance(inner, Operation) and inner.name == op.name:
            return [op.operands[0]]
        return fold(op, constants)

    return outer


def _unless_negative(name: str, checked: Callable[[float], float]) -> Fold:
    """A fold of a C function that MLIR leaves where `checked` has the sign."""
    inner_fold = libm(name)

    def fold(op: Operation, constants: Constants) -> Folded:
        value = splat_value(constants[0])
        if isinstance(value, float) and is_negative(checked(value)):
            return None
        return inner_fold(op, constants)

    return fold


def _not_negative(name: str) -> Fold:
    return _unless_negative(name, lambda a: a)


_UNARY = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
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
    form = format_of(op.operands[0].type)
    if form is None:
        return None
    least = exact_float(False, 1, form.min_exponent)

    def one(value: float) -> int:
        return int(math.isfinite(value) and floats.absolute(value) >= least)

    found = map_elements(constants, op.results[0].type, one)
    return None if found is None else [found]


FOLD: dict[str, Folder] = {
    "math.absf": _exact(floats.absolute),
    "math.absi": _integer(lambda a, w: abs(signed(a, w))),
    "math.ceil": _idempotent(_exact(floats.ceil)),
    "math.copysign": _exact(floats.copysign),
    "math.ctlz": _integer(integers.ctlz),
    "math.ctpop": _integer(integers.ctpop),
    "math.cttz": _integer(integers.cttz),
    "math.floor": _idempotent(_exact(floats.floor)),
    "math.ipowi": _integer(integers.power),
    "math.isfinite": _test(math.isfinite),
    "math.isinf": _test(math.isinf),
    "math.isnan": _test(math.isnan),
    "math.isnormal": _is_normal,
    "math.log": _not_negative("log"),
    "math.log10": _not_negative("log10"),
    "math.log1p": _unless_negative("log1p", lambda a: 1.0 + a),
    "math.log2": _not_negative("log2"),
    "math.powf": libm("pow", 2),
    "math.round": _idempotent(libm("round")),
    "math.roundeven": _idempotent(_exact(floats.round_even)),
    "math.sqrt": _not_negative("sqrt"),
    "math.trunc": _idempotent(libm("trunc")),
    **{f"math.{name}": libm(name) for name in _UNARY},
    "math.atan2": libm("atan2", 2),
}
