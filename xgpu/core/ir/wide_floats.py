# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of f80 and f128 that no double is.

Everywhere in xgpu a floating-point constant is a Python float: a double holds each number of each
smaller type exactly, and its NaN holds theirs, left-aligned as conversions between types align
them. What f80 and f128 have beyond that is a `WideFloat`: a float to whoever does not care (the
nearest double that is finite and not zero), with the exact number beside it for `float_formats` and
`float_arithmetic`. It compares as the number that it is; arithmetic with Python's operators is that
of the double, and has no place in a fold.
"""

from __future__ import annotations

import math
import sys

#: A NaN's payload: 112 bits of fraction, left-aligned; above them, whether x87's integer bit lacks.
PAYLOAD_BITS = 112
_MOST_BITS = sys.float_info.mant_dig
_TINIEST = math.ldexp(1.0, -1074)


class WideFloat(float):
    """`significand` * 2**`exponent`, of the sign that the float has; the significand is odd.

    A NaN has its payload as significand.
    """

    __slots__ = ("exponent", "significand")
    significand: int
    exponent: int

    def __new__(
        cls, negative: bool, significand: int, exponent: int, *, is_nan: bool = False
    ) -> WideFloat:
        near = math.nan if is_nan else _nearest_double(significand, exponent)
        found = super().__new__(cls, -near if negative else near)
        found.significand = significand
        found.exponent = exponent
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (is_negative(self), self.significand, self.exponent, math.isnan(self))

    def __deepcopy__(self, memo: object) -> WideFloat:
        return self

    def as_integer_ratio(self) -> tuple[int, int]:
        whole = -self.significand if is_negative(self) else self.significand
        return (whole << self.exponent, 1) if self.exponent >= 0 else (whole, 1 << -self.exponent)

    def __neg__(self) -> WideFloat:
        negative = not is_negative(self)
        return WideFloat(negative, self.significand, self.exponent, is_nan=math.isnan(self))

    def __abs__(self) -> WideFloat:
        return -self if is_negative(self) else self

    def _key(self) -> tuple[bool, int, int]:
        return is_negative(self), self.significand, self.exponent

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WideFloat) or math.isnan(self):
            return False  # it is no double, and no integer that a double is
        return self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())

    def __lt__(self, other: float) -> bool:
        return _less(self, other)

    def __gt__(self, other: float) -> bool:
        return _less(other, self)

    def __le__(self, other: float) -> bool:
        return self == other or _less(self, other)

    def __ge__(self, other: float) -> bool:
        return self == other or _less(other, self)


def _again(negative: bool, significand: int, exponent: int, is_nan: bool) -> WideFloat:
    return WideFloat(negative, significand, exponent, is_nan=is_nan)


def is_negative(value: float) -> bool:
    """Whether the sign is set, of zeros and NaN too."""
    return math.copysign(1.0, value) < 0


def _nearest_double(significand: int, exponent: int) -> float:
    extra = significand.bit_length() - _MOST_BITS - 2
    if extra > 0:
        # Two bits more than a double has, and whether anything follows: what rounding asks for.
        cut = significand & ((1 << extra) - 1)
        significand = significand >> extra << 1 | (1 if cut else 0)
        exponent += extra - 1
    try:
        return math.ldexp(significand, exponent) or _TINIEST
    except OverflowError:
        return sys.float_info.max


def _less(a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return False
    if math.isinf(a) or math.isinf(b) or is_negative(a) != is_negative(b):
        return float.__lt__(a, b)
    (x, p), (y, q) = a.as_integer_ratio(), b.as_integer_ratio()
    return x * q < y * p


def exact_float(negative: bool, significand: int, exponent: int) -> float:
    """`significand` * 2**`exponent`, exactly: a double where one is that number."""
    if not significand:
        return -0.0 if negative else 0.0
    zeros = (significand & -significand).bit_length() - 1
    significand >>= zeros
    exponent += zeros
    length = significand.bit_length()
    top = exponent + length - 1
    if length > _MOST_BITS or top > 1023 or exponent < -1074:
        return WideFloat(negative, significand, exponent)
    value = math.ldexp(significand, exponent)
    return -value if negative else value


def parts(value: float) -> tuple[bool, int, int]:
    """Sign, significand and exponent of a finite number."""
    if isinstance(value, WideFloat):
        return is_negative(value), value.significand, value.exponent
    fraction, exponent = math.frexp(value)
    return is_negative(value), int(math.ldexp(abs(fraction), _MOST_BITS)), exponent - _MOST_BITS
