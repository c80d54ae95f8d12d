# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementary functions of doubles as arithmetic, and the builder that they are made with.

    exp(x) = 2^n * e^r, n = round(x / ln 2), |r| <= ln 2 / 2    exp2, exp10, expm1, sinh, cosh,
                                                                tanh
    log(x) = e * ln 2 + log(m), sqrt(1/2) <= m < sqrt(2)        log2, log10, log1p
    sin(x) = +-sin r or +-cos r, r = x - n * pi / 2             cos, tan
    pow(x, y) = 2^n * e^r of y * log x, whose logarithm has 68 bits

Where the last bits of a result depend on it, a number is the sum of two doubles: the rounded one
and what it misses. Products are exact by `fma`, sums by Knuth's and Dekker's rules. Polynomials are
those of fdlibm (log, sin, cos, atan, asin), and Taylor's where the series is short enough.

Largest errors in units in the last place that were seen, beside the largest distance from the
rounded result that CUDA's table states (C++ programming guide, section 17.1, table 18 of the
edition with functions of quad precision). An error below n + 1/2 is a distance of at most n:

    exp 0.75 (1), exp2 0.70 (1), exp10 0.73 (1), expm1 0.78 (1), log 0.77 (1), log2 0.75 (1),
    log10 0.65 (1), log1p 0.76 (1), sin 0.78 (2), cos 0.77 (2), tan 0.90 (2), asin 1.00 (2),
    acos 0.76 (2), atan 0.81 (2), atan2 1.32 (2), sinh 1.57 (2), cosh 0.87 (1), tanh 0.88 (1),
    pow 0.79 (2)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import IntegerAttr, f32, f64, i32

from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.host_device.compiler.types import I1, I64

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from xdsl.ir import Attribute, Operation, SSAValue

OEQ, OGT, OGE, OLT, UNO = 1, 2, 3, 4, 14  # of LLVM's predicates
_INFINITY, _NAN = math.inf, math.nan
_SMALLEST_NORMAL = 2.2250738585072014e-308
#: Added to an integer it is in the low bits; it is rounded there.
_MAGIC = 6755399441055744.0

_LN2, _LN2_REST = 0.6931471805599453, 2.3190468138462996e-17
_LN10, _LN10_REST = 2.302585092994046, -2.1707562233822494e-16
_LOG10_2, _LOG10_2_REST = 0.3010299956639812, -2.8037281277851704e-18
#: (e^r - 1 - r - r^2 / 2) / r^3, by powers of r from the highest.
_EXP = tuple(1.0 / math.factorial(k) for k in range(14, 2, -1))

_ROOT_HALF = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
_MANTISSA = 0xFFFFFFFFFFFFF
#: log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R), s = f / (2 + f); R / s^2, the highest power first.
_LOG = (
    1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01,
    2.222219843214978396e-01, 2.857142874366239149e-01, 3.999999999940941908e-01,
    6.666666666666735130e-01,
)  # fmt: skip
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
#: 1 / ln 2 and 1 / ln 10, the first parts of 21 bits; log10 2.
_INV_LN2 = 1.44269504072144627571, 1.67517131648865118353e-10
_INV_LN10 = 4.34294481878168880939e-01, 2.50829467116452752298e-11
_LOG10_OF_2 = 3.01029995663611771306e-01, 3.69423907715893078616e-13

#: pi / 2 in three parts of 53 bits.
_HALF_PI = 1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33
_SIN = (
    1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
    -1.98412698298579493134e-04, 8.33333333332248946124e-03,
)  # fmt: skip
_SIN_FIRST = -1.66666666666666324348e-01
_COS = (
    -1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
    2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02,
)  # fmt: skip

_ATAN = (
    1.62858201153657823623e-02, -3.65315727442169155270e-02, 4.97687799461593236017e-02,
    -5.83357013379057348645e-02, 6.66107313738753120669e-02, -7.69187620504482999495e-02,
    9.09088713343650656196e-02, -1.11111104054623557880e-01, 1.42857142725034663711e-01,
    -1.99999999998764832476e-01, 3.33333333333329318027e-01,
)  # fmt: skip
#: Below a bound, atan t = atan c + atan ((t - c) / (1 + c t)): the bound, numerator and denominator
#: as factors of 1 and t, and atan c in two parts.
_ATAN_STEPS = (
    (2.4375, (-1.5, 1.0), (1.0, 1.5), (9.82793723247329054082e-01, 1.39033110312309984516e-17)),
    (1.1875, (-1.0, 1.0), (1.0, 1.0), (7.85398163397448278999e-01, 3.06161699786838301793e-17)),
    (0.6875, (-1.0, 2.0), (2.0, 1.0), (4.63647609000806093515e-01, 2.26987774529616870924e-17)),
    (0.4375, (0.0, 1.0), (1.0, 0.0), (0.0, 0.0)),
)
_ASIN = (
    3.47933107596021167570e-05, 7.91534994289814532176e-04, -4.00555345006794114027e-02,
    2.01212532134862925881e-01, -3.25565818622400915405e-01, 1.66666666666666657415e-01,
)  # fmt: skip
_ASIN_DIVISOR = (
    7.70381505559019352791e-02, -6.88283971605453293030e-01, 2.02094576023350569471e+00,
    -2.40339491173441421878e+00, 1.0,
)  # fmt: skip


class Arithmetic(LLVMBuilder):
    """Builds operations on floats of type `ty` and words of the same size. What stands in one block
    has each constant once."""

    def __init__(self, anchor: Operation, ty: Attribute = f64) -> None:
        super().__init__(anchor, location=anchor.location)
        self.ty = ty
        self.word = I64 if ty == f64 else i32

    def once(
        self, key: object, name: str, ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:  # fmt: skip
        found = self.constants[key] = self.value(name, (), ty, properties)
        return found

    def real(self, value: float, ty: Attribute | None = None) -> SSAValue:
        ty = self.ty if ty is None else ty
        # Zeros differ in their signs, and NaN from itself.
        found = self.constants.get(key := ("float", repr(value), ty))
        if found is None:
            found = self.constants[key] = super().real(value, ty)
        return found

    def number(self, value: SSAValue | float) -> SSAValue:
        return self.real(value) if isinstance(value, (int, float)) else value

    def fma(self, a: SSAValue, b: SSAValue | float, c: SSAValue | float) -> SSAValue:
        return self.value("llvm.intr.fma", [self.number(v) for v in (a, b, c)], self.ty)

    def product(self, a: SSAValue | float, b: SSAValue | float) -> SSAValue:
        return self.binary("fmul", self.number(a), self.number(b))

    def sum(self, a: SSAValue | float, b: SSAValue | float) -> SSAValue:
        return self.binary("fadd", self.number(a), self.number(b))

    def difference(self, a: SSAValue | float, b: SSAValue | float) -> SSAValue:
        return self.binary("fsub", self.number(a), self.number(b))

    def quotient(self, a: SSAValue | float, b: SSAValue | float) -> SSAValue:
        return self.binary("fdiv", self.number(a), self.number(b))

    def compare(self, predicate: int, a: SSAValue, b: SSAValue | float) -> SSAValue:
        operands = (a, self.number(b))
        return self.value("llvm.fcmp", operands, I1, {"predicate": IntegerAttr(predicate, I64)})

    def choose(
        self, condition: SSAValue, then: SSAValue | float, otherwise: SSAValue | float
    ) -> SSAValue:
        return self.select(condition, self.number(then), self.number(otherwise))

    def polynomial(self, x: SSAValue, factors: Sequence[float]) -> SSAValue:
        """The first factor is that of the highest power."""
        found = self.real(factors[0])
        for factor in factors[1:]:
            found = self.fma(found, x, factor)
        return found

    def clamped(self, x: SSAValue, low: float, high: float) -> SSAValue:
        """A number between both, also for NaN."""
        least = self.value("llvm.intr.maxnum", (x, self.real(low)), self.ty)
        return self.value("llvm.intr.minnum", (least, self.real(high)), self.ty)

    def rounded(self, x: SSAValue) -> SSAValue:
        return self.value("llvm.intr.rint", (x,), self.ty)

    def magnitude(self, x: SSAValue) -> SSAValue:
        return self.value("llvm.intr.fabs", (x,), self.ty)

    def with_sign_of(self, x: SSAValue, sign: SSAValue) -> SSAValue:
        return self.value("llvm.intr.copysign", (x, sign), self.ty)

    def bits(self, x: SSAValue) -> SSAValue:
        return self.value("llvm.bitcast", (x,), self.word)

    def real_of(self, bits: SSAValue) -> SSAValue:
        return self.value("llvm.bitcast", (bits,), self.ty)


class _Pair(NamedTuple):
    """A number as the sum of a double and of what it misses, half a unit of it at most."""

    high: SSAValue
    low: SSAValue


def _fast_sum(b: Arithmetic, x: SSAValue | float, y: SSAValue) -> _Pair:
    """x + y where |x| >= |y| (Dekker)."""
    x = b.number(x)
    total = b.sum(x, y)
    return _Pair(total, b.sum(b.difference(x, total), y))


def _sum(b: Arithmetic, x: SSAValue, y: SSAValue) -> _Pair:
    """x + y (Knuth)."""
    total = b.sum(x, y)
    back = b.difference(total, x)
    lost = b.difference(x, b.difference(total, back))
    return _Pair(total, b.sum(lost, b.difference(y, back)))


def _product(b: Arithmetic, x: SSAValue, y: SSAValue | float) -> _Pair:
    high = b.product(x, y)
    return _Pair(high, b.fma(x, y, b.value("llvm.fneg", (high,), f64)))


def _ratio(b: Arithmetic, x: _Pair, y: _Pair) -> SSAValue:
    """x / y, rounded nearly as if once."""
    inverse = b.quotient(1.0, y.high)
    quotient = b.product(x.high, inverse)
    minus = b.value("llvm.fneg", (quotient,), f64)
    rest = b.fma(minus, y.low, b.sum(b.fma(minus, y.high, x.high), x.low))
    return b.fma(rest, inverse, quotient)


# -- exponentials


class _Exponent(NamedTuple):
    """e^x - 1 = 2^whole * (1 + part) - 1."""

    whole: SSAValue
    part: _Pair


def _part(b: Arithmetic, rest: _Pair) -> _Pair:
    """e^rest - 1 for |rest| < 0.35."""
    r = b.sum(rest.high, rest.low)
    missed = b.sum(b.difference(rest.high, r), rest.low)
    square = _product(b, r, r)
    cube = b.product(b.product(square.high, r), b.polynomial(r, _EXP))
    high, low = _fast_sum(b, r, b.product(square.high, 0.5))
    return _fast_sum(b, high, b.sum(low, b.sum(cube, b.fma(square.low, 0.5, missed))))


def _exponent(b: Arithmetic, x: SSAValue, low: SSAValue | None = None) -> _Exponent:
    """Of x + low, |x| < 2^11."""
    n = b.rounded(b.product(x, 1.4426950408889634))
    rest = b.product(n, -_LN2_REST)
    if low is not None:
        rest = b.sum(rest, low)
    return _Exponent(n, _part(b, _Pair(b.fma(n, -_LN2, x), rest)))


def _power(b: Arithmetic, n: SSAValue) -> SSAValue:
    """2^n for the exponent of a normal number."""
    code = b.binary("add", b.bits(b.sum(n, _MAGIC)), b.integer(1023, I64))
    return b.real_of(b.binary("shl", code, b.integer(52, I64)))


def _scaled(b: Arithmetic, x: SSAValue, n: SSAValue) -> SSAValue:
    """x times 2 to the n, in two steps: a half of n is an exponent of a normal number."""
    half = b.rounded(b.product(n, 0.5))
    return b.product(b.product(x, _power(b, half)), _power(b, b.difference(n, half)))


def _whole(b: Arithmetic, found: _Exponent) -> SSAValue:
    """1 + part."""
    high, low = _fast_sum(b, 1.0, found.part.high)
    return b.sum(high, b.sum(low, found.part.low))


def _unless_nan(b: Arithmetic, x: SSAValue, found: SSAValue) -> SSAValue:
    return b.select(b.compare(UNO, x, x), x, found)


def _exp(b: Arithmetic, x: SSAValue) -> SSAValue:
    found = _exponent(b, b.clamped(x, -746.0, 710.0))
    return _unless_nan(b, x, _scaled(b, _whole(b, found), found.whole))


def _exp2(b: Arithmetic, x: SSAValue) -> SSAValue:
    inside = b.clamped(x, -1076.0, 1025.0)
    n = b.rounded(inside)
    rest = b.difference(inside, n)
    high, low = _product(b, rest, _LN2)
    found = _Exponent(n, _part(b, _Pair(high, b.fma(rest, _LN2_REST, low))))
    return _unless_nan(b, x, _scaled(b, _whole(b, found), n))


def _exp10(b: Arithmetic, x: SSAValue) -> SSAValue:
    inside = b.clamped(x, -324.5, 309.0)
    n = b.rounded(b.product(inside, 3.321928094887362))
    rest = b.fma(n, -_LOG10_2, inside)
    high, low = _product(b, rest, _LN10)
    low = b.fma(rest, _LN10_REST, b.fma(n, -_LOG10_2_REST * _LN10, low))
    found = _Exponent(n, _part(b, _Pair(high, low)))
    return _unless_nan(b, x, _scaled(b, _whole(b, found), n))


def _less_one(b: Arithmetic, found: _Exponent, divisor: int) -> _Pair:
    """(e^x - 1) / divisor, a power of two."""
    power = _power(b, b.difference(found.whole, float(divisor.bit_length() - 1)))
    whole = _fast_sum(b, power, b.product(found.part.high, power))  # an exact product
    high, low = _sum(b, whole.high, b.real(-1.0 / divisor))
    return _fast_sum(b, high, b.fma(found.part.low, power, b.sum(low, whole.low)))


def _expm1(b: Arithmetic, x: SSAValue) -> SSAValue:
    high, low = _less_one(b, _exponent(b, b.clamped(x, -60.0, 710.0)), 2)
    found = b.product(b.sum(high, low), 2.0)
    is_small = b.compare(OLT, b.magnitude(x), 1e-200)
    return _unless_nan(b, x, b.select(is_small, x, found))


def _sinh(b: Arithmetic, x: SSAValue) -> SSAValue:
    # With q = (e^|x| - 1) / 4 it is 2 (q + q / (4 q + 1)).
    inside = b.clamped(b.magnitude(x), 0.0, 710.5)
    q, low = _less_one(b, _exponent(b, inside), 4)
    inverse = b.quotient(1.0, b.fma(q, 4.0, 1.0))
    rest = b.fma(b.product(inverse, inverse), low, b.fma(q, inverse, low))
    found = b.with_sign_of(b.product(b.sum(q, rest), 2.0), x)
    is_small = b.compare(OLT, b.magnitude(x), 1e-8)
    return _unless_nan(b, x, b.select(is_small, x, found))


def _cosh(b: Arithmetic, x: SSAValue) -> SSAValue:
    # With q = e^|x| / 4 it is 2 (q + 1 / (16 q)).
    found = _exponent(b, b.clamped(b.magnitude(x), 0.0, 710.5))
    power = _power(b, b.difference(found.whole, 2.0))
    high, low = _fast_sum(b, 1.0, found.part.high)
    q = b.product(high, power)
    rest = b.fma(b.sum(low, found.part.low), power, b.quotient(0.0625, q))
    return _unless_nan(b, x, b.product(b.sum(q, rest), 2.0))


def _tanh(b: Arithmetic, x: SSAValue) -> SSAValue:
    inside = b.clamped(b.magnitude(x), 0.0, 22.0)
    high, low = _less_one(b, _exponent(b, b.product(inside, 2.0)), 1)
    divisor = _sum(b, high, b.real(2.0))
    found = _ratio(b, _Pair(high, low), _Pair(divisor.high, b.sum(divisor.low, low)))
    is_small = b.compare(OLT, b.magnitude(x), 1e-8)
    return _unless_nan(b, x, b.select(is_small, x, b.with_sign_of(found, x)))


# -- logarithms


def _split(b: Arithmetic, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The exponent e of a positive number, as a double, and m: x = 2^e * m."""
    is_small = b.compare(OLT, x, _SMALLEST_NORMAL)
    normal = b.select(is_small, b.product(x, 2.0**54), x)
    code = b.binary("sub", b.bits(normal), b.integer(_ROOT_HALF - (1024 << 52), I64))
    # Processors have no conversion of words of 64 bits: these are the low bits of a double.
    number = b.binary("lshr", code, b.integer(52, I64))
    number = b.binary("or", number, b.integer(0x4330 << 48, I64))
    bias = b.choose(is_small, 2.0**52 + 1024 + 54, 2.0**52 + 1024)
    mantissa = b.binary("and", code, b.integer(_MANTISSA, I64))
    return (
        b.difference(b.real_of(number), bias),
        b.real_of(b.binary("add", mantissa, b.integer(_ROOT_HALF, I64))),
    )


def _curve(b: Arithmetic, f: SSAValue) -> tuple[SSAValue, SSAValue]:
    """f^2 / 2, and what log(1 + f) is more than f - f^2 / 2."""
    s = b.quotient(f, b.sum(f, 2.0))
    z = b.product(s, s)
    half_square = b.product(b.product(f, f), 0.5)
    return half_square, b.product(s, b.fma(z, b.polynomial(z, _LOG), half_square))


def _log_ends(b: Arithmetic, x: SSAValue, found: SSAValue) -> SSAValue:
    """Of infinity, zero, negative numbers and NaN."""
    found = b.select(b.compare(OLT, x, _INFINITY), found, x)
    found = b.choose(b.compare(OLT, x, 0.0), _NAN, found)
    return b.choose(b.compare(OEQ, x, 0.0), -_INFINITY, found)


def _log(b: Arithmetic, x: SSAValue, rest: SSAValue | None = None) -> SSAValue:
    """log x + rest, which is small beside x."""
    e, m = _split(b, x)
    f = b.difference(m, 1.0)
    half_square, curve = _curve(b, f)
    low = b.product(e, _LN2_LOW)
    low = low if rest is None else b.sum(low, rest)
    inner = b.difference(b.difference(half_square, b.sum(curve, low)), f)
    return _log_ends(b, x, b.difference(b.product(e, _LN2_HIGH), inner))


def _log1p(b: Arithmetic, x: SSAValue) -> SSAValue:
    u = b.sum(x, 1.0)
    is_large = b.compare(OGE, x, 1.0)
    missed = b.select(
        is_large, b.difference(1.0, b.difference(u, x)), b.difference(x, b.difference(u, 1.0))
    )
    missed = b.choose(b.compare(OEQ, u, _INFINITY), 0.0, missed)
    found = _log(b, u, b.quotient(missed, u))
    return b.select(b.compare(OLT, b.magnitude(x), 1e-200), x, found)


def _log_to(
    b: Arithmetic, x: SSAValue, inverse: tuple[float, float], unit: tuple[float, float] | None
) -> SSAValue:
    """A logarithm to a base whose inverse logarithm and logarithm of two are given."""
    e, m = _split(b, x)
    f = b.difference(m, 1.0)
    half_square, curve = _curve(b, f)
    bits = b.bits(b.difference(f, half_square))
    high = b.real_of(b.binary("and", bits, b.integer(-(1 << 32), I64)))
    low = b.sum(b.difference(b.difference(f, high), half_square), curve)
    large = b.product(high, inverse[0])  # exact
    small = b.fma(low, inverse[0], b.product(b.sum(low, high), inverse[1]))
    if unit is not None:
        small = b.fma(e, unit[1], small)
        e = b.product(e, unit[0])  # exact
    total = b.sum(e, large)
    small = b.sum(small, b.sum(b.difference(e, total), large))
    return _log_ends(b, x, b.sum(small, total))


def _log2(b: Arithmetic, x: SSAValue) -> SSAValue:
    return _log_to(b, x, _INV_LN2, None)


def _log10(b: Arithmetic, x: SSAValue) -> SSAValue:
    return _log_to(b, x, _INV_LN10, _LOG10_OF_2)


# -- powers


#: 2 / (2k + 1) by powers of s^2, the highest first, behind 2 s and 2 s^3 / 3.
_SERIES = tuple(2.0 / (2 * k + 1) for k in range(13, 1, -1))
_TWO_THIRDS = 2.0 / 3.0, 3.700743415417188e-17


def _log_pair(b: Arithmetic, x: SSAValue) -> _Pair:
    """log x of a positive normal or subnormal number, with 68 bits."""
    e, m = _split(b, x)
    f = b.difference(m, 1.0)
    # s = f / (2 + f); 2 + f = m + 1 does not fit a double.
    divisor = _fast_sum(b, 1.0, m)
    is_large = b.compare(OGT, m, 1.0)
    other = b.difference(1.0, b.difference(divisor.high, m))
    missed = b.select(is_large, other, divisor.low)
    inverse = b.quotient(1.0, divisor.high)
    s = b.product(f, inverse)
    minus = b.value("llvm.fneg", (s,), f64)
    rest = b.product(b.fma(minus, missed, b.fma(minus, divisor.high, f)), inverse)
    square = _product(b, s, s)
    square = _Pair(square.high, b.fma(b.product(s, 2.0), rest, square.low))
    # The logarithm is s (2 + s^2 (2/3 + tail)).
    tail = b.product(square.high, b.polynomial(square.high, _SERIES))
    third = _fast_sum(b, _TWO_THIRDS[0], tail)
    third = _Pair(third.high, b.sum(third.low, _TWO_THIRDS[1]))
    factor = _product(b, square.high, third.high)
    low = b.fma(square.low, third.high, b.fma(square.high, third.low, factor.low))
    two = _fast_sum(b, 2.0, factor.high)
    low = b.sum(two.low, low)
    own = _product(b, s, two.high)
    own_low = b.fma(rest, two.high, b.fma(s, low, own.low))
    total = _sum(b, b.product(e, _LN2_HIGH), own.high)  # the product is exact
    return _fast_sum(b, total.high, b.sum(total.low, b.fma(e, _LN2_LOW, own_low)))


def _pow(b: Arithmetic, x: SSAValue, y: SSAValue) -> SSAValue:
    base, size = b.magnitude(x), b.magnitude(y)
    log = _log_pair(b, base)
    high, low = _product(b, y, log.high)
    low = b.fma(y, log.low, low)
    inside = b.clamped(high, -1500.0, 1500.0)
    low = b.choose(b.compare(OEQ, inside, high), low, 0.0)
    part = _exponent(b, b.clamped(inside, -800.0, 800.0), low)
    found = _scaled(b, _whole(b, part), part.whole)
    return _pow_ends(b, x, y, base, size, found)


def _pow_ends(
    b: Arithmetic, x: SSAValue, y: SSAValue, base: SSAValue, size: SSAValue, found: SSAValue
) -> SSAValue:
    """The signs of a power, and those of zero, one, infinity and NaN, as C has them."""
    rises = b.compare(OGT, y, 0.0)
    none, much = b.choose(rises, 0.0, _INFINITY), b.choose(rises, _INFINITY, 0.0)
    found = b.select(b.compare(OEQ, base, 0.0), none, found)
    found = b.select(b.compare(OEQ, base, _INFINITY), much, found)
    at_end = b.select(b.compare(OLT, base, 1.0), none, much)
    at_end = b.choose(b.compare(OEQ, base, 1.0), 1.0, at_end)
    found = b.select(b.compare(OEQ, size, _INFINITY), at_end, found)
    # Whole numbers, of which those from 2^53 on are even.
    whole = b.value("llvm.intr.trunc", (y,), b.ty)
    half = b.product(whole, 0.5)
    is_whole = b.compare(OEQ, whole, y)
    is_even = b.compare(OEQ, b.value("llvm.intr.trunc", (half,), b.ty), half)
    is_odd = b.binary("and", is_whole, b.binary("xor", is_even, b.integer(1, I1)))
    found = b.select(is_odd, b.with_sign_of(found, x), found)
    is_negative = b.compare(OLT, x, 0.0)
    is_finite = b.compare(OLT, base, _INFINITY)
    is_broken = b.binary("xor", is_whole, b.integer(1, I1))
    has_none = b.binary("and", b.binary("and", is_negative, is_finite), is_broken)
    found = b.choose(has_none, _NAN, found)
    found = b.select(b.compare(UNO, x, y), b.sum(x, y), found)
    found = b.choose(b.compare(OEQ, x, 1.0), 1.0, found)
    return b.choose(b.compare(OEQ, y, 0.0), 1.0, found)


# -- circular functions


#: Up to here three parts of pi / 2 are enough, and multiples of it are integers of 32 bits.
FAR = 2.0**30


class _Turn(NamedTuple):
    """What is left of an angle, between -pi / 4 and pi / 4, and the bits of its quarter turns."""

    rest: _Pair
    quarters: SSAValue


def _turned(b: Arithmetic, x: SSAValue) -> _Turn:
    """Of |x| < FAR."""
    n = b.rounded(b.product(x, 0.6366197723675814))
    first = b.fma(n, -_HALF_PI[0], x)  # exact
    second = _product(b, n, -_HALF_PI[1])
    rest = _sum(b, first, second.high)
    low = b.sum(rest.low, b.fma(n, -_HALF_PI[2], second.low))
    return _Turn(_Pair(rest.high, low), b.bits(b.sum(n, _MAGIC)))


def _sine(b: Arithmetic, rest: _Pair) -> _Pair:
    x, low = rest
    z = b.product(x, x)
    cube = b.product(z, x)
    inner = b.fma(low, 0.5, b.product(cube, b.value("llvm.fneg", (b.polynomial(z, _SIN),), f64)))
    last = b.difference(b.difference(b.product(z, inner), low), b.product(cube, _SIN_FIRST))
    return _Pair(x, b.value("llvm.fneg", (last,), f64))


def _cosine(b: Arithmetic, rest: _Pair) -> _Pair:
    x, low = rest
    z = b.product(x, x)
    half = b.product(z, 0.5)
    first = b.difference(1.0, half)
    missed = b.difference(b.difference(1.0, first), half)
    fourth = b.product(b.product(z, z), b.polynomial(z, _COS))
    return _Pair(first, b.sum(missed, b.difference(fourth, b.product(x, low))))


def _is_odd(b: Arithmetic, quarters: SSAValue) -> SSAValue:
    return b.icmp("ne", b.binary("and", quarters, b.integer(1, I64)), b.integer(0, I64))


def _circular(b: Arithmetic, x: SSAValue, shift: int) -> SSAValue:
    """The sine of x and so many quarter turns."""
    rest, quarters = _turned(b, x)
    sine, cosine = (b.sum(*pair) for pair in (_sine(b, rest), _cosine(b, rest)))
    quarters = b.binary("add", quarters, b.integer(shift, I64)) if shift else quarters
    found = b.select(_is_odd(b, quarters), cosine, sine)
    sign = b.binary("shl", b.binary("and", quarters, b.integer(2, I64)), b.integer(62, I64))
    return b.real_of(b.binary("xor", b.bits(found), sign))


def _sin(b: Arithmetic, x: SSAValue) -> SSAValue:
    return b.select(b.compare(OEQ, x, 0.0), x, _circular(b, x, 0))


def _cos(b: Arithmetic, x: SSAValue) -> SSAValue:
    return _circular(b, x, 1)


def _tan(b: Arithmetic, x: SSAValue) -> SSAValue:
    rest, quarters = _turned(b, x)
    sine, cosine = (_fast_sum(b, *pair) for pair in (_sine(b, rest), _cosine(b, rest)))
    is_odd = _is_odd(b, quarters)
    parts = [
        _Pair(*(b.select(is_odd, u, v) for u, v in zip(first, second, strict=True)))
        for first, second in ((cosine, sine), (sine, cosine))
    ]
    found = _ratio(b, parts[0], parts[1])
    found = b.select(is_odd, b.value("llvm.fneg", (found,), f64), found)
    return b.select(b.compare(OLT, b.magnitude(x), 1e-8), x, found)


def _angle(b: Arithmetic, t: SSAValue) -> SSAValue:
    """atan t for t >= 0."""
    above, high, low = (b.real(v) for v in (-1.0, _HALF_PI[0], _HALF_PI[1]))
    below = t
    for bound, (own, times), (other, other_times), parts in _ATAN_STEPS:
        is_below = b.compare(OLT, t, bound)
        above = b.select(is_below, b.fma(t, times, own), above)
        below = b.select(is_below, b.fma(t, other_times, other), below)
        high = b.choose(is_below, parts[0], high)
        low = b.choose(is_below, parts[1], low)
    u = b.quotient(above, below)
    z = b.product(u, u)
    curve = b.product(b.product(u, z), b.polynomial(z, _ATAN))
    return b.difference(high, b.difference(b.difference(curve, low), u))


def _atan(b: Arithmetic, x: SSAValue) -> SSAValue:
    return b.with_sign_of(_angle(b, b.magnitude(x)), x)


def _atan2(b: Arithmetic, y: SSAValue, x: SSAValue) -> SSAValue:
    height, width = b.magnitude(y), b.magnitude(x)
    t = b.quotient(height, width)
    t = b.choose(b.compare(OEQ, height, 0.0), 0.0, t)
    both = b.binary(
        "and", b.compare(OEQ, height, _INFINITY), b.compare(OEQ, width, _INFINITY)
    )  # fmt: skip
    angle = _angle(b, b.choose(both, 1.0, t))
    other = b.difference(2 * _HALF_PI[0], b.difference(angle, 2 * _HALF_PI[1]))
    is_left = b.icmp("slt", b.bits(x), b.integer(0, b.word))
    found = b.with_sign_of(b.select(is_left, other, angle), y)
    return b.select(b.compare(UNO, x, y), b.sum(x, y), found)


class _Arc(NamedTuple):
    """asin and acos are made of this: |x|, whether it is below a half, s, which is x, or the root
    of (1 - |x|) / 2, and what asin s is more than s."""

    size: SSAValue
    is_small: SSAValue
    s: SSAValue
    more: SSAValue


def _arc(b: Arithmetic, x: SSAValue) -> _Arc:
    size = b.magnitude(x)
    is_small = b.compare(OLT, size, 0.5)
    half = b.product(b.difference(1.0, size), 0.5)
    z = b.select(is_small, b.product(x, x), half)
    root = b.value("llvm.intr.sqrt", (half,), f64)
    minus = b.value("llvm.fneg", (root,), f64)
    missed = b.quotient(b.fma(minus, root, half), b.product(root, 2.0))
    missed = b.choose(b.compare(OEQ, root, 0.0), 0.0, missed)
    s = b.select(is_small, x, root)
    ratio = b.quotient(
        b.product(z, b.polynomial(z, _ASIN)), b.polynomial(z, _ASIN_DIVISOR)
    )  # fmt: skip
    return _Arc(size, is_small, s, b.fma(s, ratio, b.choose(is_small, 0.0, missed)))


def _asin(b: Arithmetic, x: SSAValue) -> SSAValue:
    _, is_small, s, more = _arc(b, x)
    quarter = b.difference(_HALF_PI[0] / 2, b.product(s, 2.0))
    rest = b.difference(_HALF_PI[1], b.product(more, 2.0))
    large = b.sum(_HALF_PI[0] / 2, b.sum(quarter, rest))
    return b.with_sign_of(b.select(is_small, b.sum(s, more), large), x)


def _acos(b: Arithmetic, x: SSAValue) -> SSAValue:
    _, is_small, s, more = _arc(b, x)
    near = b.product(b.sum(s, more), 2.0)
    far = b.difference(
        2 * _HALF_PI[0], b.product(b.sum(s, b.difference(more, _HALF_PI[1])), 2.0)
    )  # fmt: skip
    large = b.select(b.compare(OLT, x, 0.0), far, near)
    middle = b.difference(_HALF_PI[0], b.difference(s, b.difference(_HALF_PI[1], more)))
    return b.select(is_small, middle, large)


#: By LLVM's or libdevice's name; each takes a builder and its arguments.
DOUBLES: dict[str, Callable[..., SSAValue]] = {
    "exp": _exp, "exp2": _exp2, "exp10": _exp10, "expm1": _expm1, "log": _log, "log2": _log2,
    "log10": _log10, "log1p": _log1p, "pow": _pow, "sin": _sin, "cos": _cos, "tan": _tan,
    "atan": _atan, "atan2": _atan2, "asin": _asin, "acos": _acos, "sinh": _sinh, "cosh": _cosh,
    "tanh": _tanh,
}  # fmt: skip


def _quick_pow(b: Arithmetic, x: SSAValue, y: SSAValue) -> SSAValue:
    """Of singles: a logarithm of 53 bits is enough."""
    base, size = b.magnitude(x), b.magnitude(y)
    power = b.clamped(b.product(y, _log(b, base)), -200.0, 200.0)
    found = _exponent(b, power)
    whole = _scaled(b, _whole(b, found), found.whole)
    return _pow_ends(b, x, y, base, size, whole)


#: Of singles, computed in doubles. Those that take long for a single have rules of their own.
SINGLES: dict[str, Callable[..., SSAValue]] = {
    **{name: rule for name, rule in DOUBLES.items() if name not in ("exp", "exp2", "log")},
    "pow": _quick_pow,
}


def of_singles(
    rule: Callable[..., SSAValue], b: Arithmetic, arguments: Sequence[SSAValue]
) -> SSAValue:
    """A function of singles by that of doubles, which rounds twice."""
    found = rule(b, *(b.cast("fpext", a, f64) for a in arguments))
    return b.cast("fptrunc", found, f32)
