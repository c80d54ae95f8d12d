# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on floating-point constants: exact, then rounded once to the type of the result.

Values are floats (see `floats`). What is invalid gives the usual NaN; a NaN among the operands
is the result, the first of them, made quiet.

Operations on types with at most 25 bits of significand are computed in double, which has more than
twice as many and a larger exponent, and rounded again: of a sum, difference, product, quotient or
square root that gives what rounding once does (Figueroa, "When is double rounding innocuous?").
"""

from __future__ import annotations

import math
from collections.abc import Callable

from xgpu.core.ir.float_formats import (
    FloatFormat,
    WideFloat,
    exact_float,
    is_negative,
    is_signaling,
    make_nan,
    nan,
    nan_payload,
    parts,
    quiet,
    round_exact,
    round_ratio,
    round_to,
)

#: Types with at most as many bits are computed in double.
_INNOCUOUS = 25


def _in_double(a: float, b: float, to: FloatFormat) -> bool:
    return (to.precision <= _INNOCUOUS or to.precision == 53) and not (
        isinstance(a, WideFloat) or isinstance(b, WideFloat)
    )


def _signed_zero(negative: bool) -> float:
    return -0.0 if negative else 0.0


def _infinity(negative: bool) -> float:
    return -math.inf if negative else math.inf


def _first_nan(a: float, b: float) -> float | None:
    if a != a:
        return quiet(a)
    return quiet(b) if b != b else None


def _finish(value: float, to: FloatFormat) -> float | None:
    """A result in double as one of `to`; None where it has nothing to say it with."""
    if value != value:
        return nan(to) if to.has_nan else None
    if math.isinf(value) and not (to.has_infinity or to.has_nan):
        return None  # a quotient by zero: the result of no finite type is too large in double
    return round_to(value, to)


# --- the operations ------------------------------------------------------------------------------
def add(a: float, b: float, to: FloatFormat) -> float | None:
    """a + b"""
    if (found := _first_nan(a, b)) is not None:
        return found
    if _in_double(a, b, to) or not (math.isfinite(a) and math.isfinite(b)):
        return _finish(float.__add__(a, b), to)
    (x_negative, x, p), (y_negative, y, q) = parts(a), parts(b)
    low = min(p, q)
    x, y = x << (p - low), y << (q - low)
    total = (-x if x_negative else x) + (-y if y_negative else y)
    if not total:
        return _signed_zero(x_negative and y_negative)
    return round_exact(total < 0, abs(total), low, to)


def sub(a: float, b: float, to: FloatFormat) -> float | None:
    """a - b"""
    return add(a, b, to) if b != b else add(a, -b, to)


def mul(a: float, b: float, to: FloatFormat) -> float | None:
    """a * b"""
    if (found := _first_nan(a, b)) is not None:
        return found
    if _in_double(a, b, to) or not (math.isfinite(a) and math.isfinite(b)):
        return _finish(float.__mul__(a, b), to)
    (x_negative, x, p), (y_negative, y, q) = parts(a), parts(b)
    negative = x_negative != y_negative
    return round_exact(negative, x * y, p + q, to) if x and y else _signed_zero(negative)


def div(a: float, b: float, to: FloatFormat) -> float | None:
    """a / b; by zero infinity, of zero or NaN NaN"""
    if (found := _first_nan(a, b)) is not None:
        return found
    negative = is_negative(a) != is_negative(b)
    if math.isinf(a):
        return _finish(math.nan if math.isinf(b) else _infinity(negative), to)
    if math.isinf(b):
        return _finish(_signed_zero(negative), to)
    if not b:
        return _finish(_infinity(negative) if a else math.nan, to)
    if _in_double(a, b, to):
        return _finish(float.__truediv__(a, b), to)
    (_, x, p), (_, y, q) = parts(a), parts(b)
    if not x:
        return _signed_zero(negative)
    x, y = x << max(p - q, 0), y << max(q - p, 0)
    return round_ratio(negative, x, y, to)


def rem(a: float, b: float, to: FloatFormat) -> float | None:
    """What is left of a / b cut off towards zero, with the sign of a: C's fmod."""
    if (found := _first_nan(a, b)) is not None:
        return found
    if math.isinf(a) or not b:
        return _finish(math.nan, to)
    if math.isinf(b):
        return a
    if _in_double(a, b, to):
        return _finish(math.fmod(a, b), to)
    (negative, x, p), (_, y, q) = parts(a), parts(b)
    low = min(p, q)
    rest = (x << (p - low)) % (y << (q - low))
    return round_exact(negative, rest, low, to) if rest else _signed_zero(negative)


def fma(a: float, b: float, c: float, to: FloatFormat) -> float | None:
    """a * b + c, rounded once."""
    for value in (a, b, c):
        if value != value:
            return quiet(value)
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        product = float.__mul__(a, b) if math.isinf(a) or math.isinf(b) else 0.0
        return _finish(product + c, to)
    (x_negative, x, p), (y_negative, y, q), (z_negative, z, r) = parts(a), parts(b), parts(c)
    negative, product = x_negative != y_negative, x * y
    low = min(p + q, r)
    product, z = product << (p + q - low), z << (r - low)
    total = (-product if negative else product) + (-z if z_negative else z)
    if not total:
        return _signed_zero(negative and z_negative)
    return round_exact(total < 0, abs(total), low, to)


def neg(value: float) -> float:
    """-value, a NaN's sign too"""
    if value != value and not isinstance(value, WideFloat):
        return make_nan(not is_negative(value), nan_payload(value))
    return -value


def absolute(value: float) -> float:
    """The value without its sign."""
    return neg(value) if is_negative(value) else value


def copysign(value: float, sign: float) -> float:
    """`value` with the sign of `sign`."""
    return value if is_negative(value) == is_negative(sign) else neg(value)


def _lesser(a: float, b: float) -> bool:
    """Whether a < b, where -0.0 < 0.0; neither is a NaN."""
    return a < b or (a == b and is_negative(a) and not is_negative(b))


def maximum(a: float, b: float) -> float:
    """The greater; a NaN if one is a NaN."""
    found = _first_nan(a, b)
    return found if found is not None else b if _lesser(a, b) else a


def minimum(a: float, b: float) -> float:
    """The lesser; a NaN if one is a NaN."""
    found = _first_nan(a, b)
    return found if found is not None else b if _lesser(b, a) else a


def _signaling(a: float, b: float) -> float | None:
    """The first signaling NaN, made quiet."""
    if is_signaling(a):
        return quiet(a)
    return quiet(b) if is_signaling(b) else None


def maxnum(a: float, b: float) -> float:
    """The greater; the other one if one is a quiet NaN."""
    if (found := _signaling(a, b)) is not None:
        return found
    return b if a != a else a if b != b else maximum(a, b)


def minnum(a: float, b: float) -> float:
    """The lesser; the other one if one is a quiet NaN."""
    if (found := _signaling(a, b)) is not None:
        return found
    return b if a != a else a if b != b else minimum(a, b)


#: Operations of two numbers that round, by LLVM's names.
BINARY: dict[str, Callable[[float, float, FloatFormat], float | None]] = {
    "fadd": add,
    "fsub": sub,
    "fmul": mul,
    "fdiv": div,
    "frem": rem,
}


# --- whole numbers -------------------------------------------------------------------------------
def _to_whole(value: float, choose: Callable[[int, int, int], bool]) -> float:
    """`value` without its fraction; `choose` says whether to step away from zero, of the whole
    part, the rest and half of a unit."""
    if value != value:
        return quiet(value)
    if math.isinf(value) or not value:
        return value
    negative, significand, exponent = parts(value)
    if exponent >= 0:
        return value
    whole, rest = significand >> -exponent, significand & ((1 << -exponent) - 1)
    whole += choose(whole, rest, 1 << (-exponent - 1))
    return exact_float(negative, whole, 0)


def trunc(value: float) -> float:
    """Towards zero."""
    return _to_whole(value, lambda whole, rest, half: False)


def ceil(value: float) -> float:
    """Upwards."""
    return _to_whole(value, lambda whole, rest, half: bool(rest) and not is_negative(value))


def floor(value: float) -> float:
    """Downwards."""
    return _to_whole(value, lambda whole, rest, half: bool(rest) and is_negative(value))


def round_away(value: float) -> float:
    """To the nearest, halves away from zero."""
    return _to_whole(value, lambda whole, rest, half: rest >= half)


def round_even(value: float) -> float:
    """To the nearest, halves to the even one."""
    return _to_whole(
        value, lambda whole, rest, half: rest > half or (rest == half and bool(whole & 1))
    )


# --- conversions ---------------------------------------------------------------------------------
def from_int(value: int, to: FloatFormat) -> float:
    """An integer, rounded once."""
    if not value:
        return round_to(0.0, to)
    return round_exact(value < 0, abs(value), 0, to)


def to_int(value: float, width: int, *, is_signed: bool) -> int | None:
    """A float without its fraction; None if it is no number, or an integer of `width` bits does
    not hold it."""
    if not math.isfinite(value):
        return None
    negative, significand, exponent = parts(value)
    if exponent + significand.bit_length() > width + 1:
        return None if significand else 0
    whole = significand << exponent if exponent >= 0 else significand >> -exponent
    whole = -whole if negative else whole
    low = -(1 << width - 1) if is_signed and width else 0
    high = (1 << width - 1 if is_signed and width else 1 << width) - 1
    return whole if low <= whole <= high else None


def convert(value: float, to: FloatFormat) -> float | None:
    """A value as one of another type, a signaling NaN quiet; None where the type has no NaN."""
    if value != value and not to.has_nan:
        return None
    return round_to(quiet(value), to)


def is_exact_in(value: float, to: FloatFormat) -> bool:
    """Whether `value` is a value of `to` as it is: nothing is rounded and no NaN made quiet."""
    if value != value:
        return to.has_infinity and not is_signaling(value) and same(convert(value, to), value)
    return same(round_to(value, to), value)


def same(a: float | None, b: float | None) -> bool:
    """Whether two values are the same: of zeros by their sign, of NaN by their bits."""
    if a is None or b is None:
        return a is b
    if is_negative(a) != is_negative(b):
        return False
    return nan_payload(a) == nan_payload(b) if a != a and b != b else a == b


# --- comparison ----------------------------------------------------------------------------------
#: By the names, in the order of MLIR's and LLVM's numbers for them.
PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def compare(predicate: str, a: float, b: float) -> bool:
    """Whether the comparison `predicate` holds: "o..." of numbers only, "u..." of NaN too."""
    if predicate in ("true", "false"):
        return predicate == "true"
    unordered = a != a or b != b
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    if unordered:
        return predicate[0] == "u"
    kind = predicate[1:]
    if kind in ("eq", "ne"):
        return (a == b) == (kind == "eq")
    if kind[0] == "g":
        a, b = b, a
    return a < b or (kind[1] == "e" and a == b)
