# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations on numbers mean, in plain Python: integers as they are, floats by rounding once.

Nothing here is xgpu's: that is the point. An integer is its bits as an unsigned number; a float, of
whatever format, is a Python float of which the format has the value.
"""

from __future__ import annotations

import ctypes
import math
from fractions import Fraction

#: Format -> (digits of the significand, smallest and largest exponent).
FORMATS = {
    "f16": (11, -14, 15),
    "bf16": (8, -126, 127),
    "f32": (24, -126, 127),
    "f64": (53, -1022, 1023),
}


class Unsure:
    """A value of which the definition leaves open what it is: poison, the sign of a NaN."""

    def __repr__(self) -> str:
        return "unsure"


UNSURE = Unsure()


class Undefined(Exception):
    """A program whose behaviour is undefined: nothing can be said of it."""


def signed(value: int, width: int) -> int:
    """The number that bits are in two's complement."""
    return value - (1 << width) if width and value >> (width - 1) else value


def rounded(value: Fraction, form: str, negative_zero: bool = False) -> float:
    """A number rounded once, to nearest, ties to even."""
    digits, least, most = FORMATS[form]
    if not value:
        return -0.0 if negative_zero else 0.0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, least) - digits + 1)
    count, rest = divmod(size, step)
    if rest * 2 > step or (rest * 2 == step and count % 2):
        count += 1
    found = count * step
    if found >= Fraction(2) ** (most + 1):
        result = math.inf
    else:
        result = float(found)
    return -result if value < 0 else result


def to_format(value: float, form: str) -> float:
    """A double in another format."""
    if form == "f64" or not math.isfinite(value) or not value:
        return value
    if form == "f32":
        return ctypes.c_float(value).value
    return rounded(Fraction(value), form, negative_zero=value < 0)


def divided(a: float, b: float, form: str) -> float:
    """a / b, also by zero."""
    if math.isnan(a) or math.isnan(b):
        return math.nan
    negative = math.copysign(1, a) != math.copysign(1, b)
    if b == 0:
        if a == 0:
            return math.nan
        return -math.inf if negative else math.inf
    if math.isinf(a):
        return math.nan if math.isinf(b) else (-math.inf if negative else math.inf)
    if math.isinf(b) or a == 0:
        return -0.0 if negative else 0.0
    found = rounded(Fraction(a) / Fraction(b), form)
    return math.copysign(found, -1.0) if negative else found


def remainder(a: float, b: float) -> float:
    """What C's fmod gives."""
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return math.nan
    return math.fmod(a, b)


def fused(a: float, b: float, c: float, form: str) -> float:
    """a * b + c, rounded once."""
    if not all(map(math.isfinite, (a, b, c))):
        product = a * b if not (math.isfinite(a) and math.isfinite(b)) else 0.0
        return product + c  # a finite product that is out of range is not infinite
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        found = rounded(exact, form)
        return math.copysign(found, -1.0) if exact < 0 else found
    product = math.copysign(1, a) * math.copysign(1, b)
    if product < 0 and math.copysign(1, c) < 0 and (a == 0 or b == 0 or c == 0):
        # Both terms are negative zeros, or one is and the other vanishes.
        return -0.0 if (a == 0 or b == 0) and c == 0 else 0.0
    return 0.0


def square_root(a: float, form: str) -> float:
    """The root, rounded once: that of a double is exact enough for smaller formats."""
    if math.isnan(a) or a < 0:
        return math.nan
    return to_format(math.sqrt(a), form) if math.isfinite(a) else a


def floor_divided(a: int, b: int) -> int:
    return a // b


def truncated_divided(a: int, b: int) -> int:
    """a / b toward zero."""
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


def ceiling_divided(a: int, b: int) -> int:
    return -(-a // b)


def minimum(a: float, b: float, sign: int, nan: bool) -> float | Unsure:
    """The smaller (`sign` 1) or larger (-1) of two. With `nan` a NaN wins and -0 is less than 0;
    without, a number wins, and which of two zeros is left open."""
    if math.isnan(a) or math.isnan(b):
        if nan or (math.isnan(a) and math.isnan(b)):
            return math.nan
        return b if math.isnan(a) else a
    if a == b == 0 and math.copysign(1, a) != math.copysign(1, b):
        if not nan:
            return UNSURE
        return math.copysign(0.0, -sign)
    return a if (a < b) == (sign > 0) or a == b else b
