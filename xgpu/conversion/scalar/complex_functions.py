# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of complex numbers by functions of floats: roots, powers, exponentials, tangents.

A complex number is `x + y i`, with modulus `r` and angle `a`. Source: MLIR 22.1
ComplexToStandard.cpp; for the root, CACM algorithm 312; for `cos(x) - 1`, Cephes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.conversion.scalar.complex_floats import RealFloats

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Conversion

Operands = Sequence["SSAValue"]

_INFINITY = float("inf")
_NAN = float("nan")
#: (pi / 4) ** 2, as MLIR rounds it.
_SMALL_ANGLE = 0.61685
#: cos(x) - 1 + x ** 2 / 2, in x ** 2, divided by x ** 4.
_COSINE = (
    4.7377507964246204691685e-14,
    -1.1470284843425359765671e-11,
    2.0876754287081521758361e-9,
    -2.7557319214999787979814e-7,
    2.4801587301570552304991e-5,
    -1.3888888888888872993737e-3,
    4.1666666666666666609054e-2,
)


def modulus(f: RealFloats, x: SSAValue, y: SSAValue, power: str = "") -> SSAValue:
    """`r`, its "sqrt" or its "rsqrt": by the ratio of the smaller part to the larger one, so that
    squares do not overflow."""
    one = f.of_value(1.0)
    x, y = f.absolute(x), f.absolute(y)
    larger, smaller = f.arith("maximumf", x, y), f.arith("minimumf", x, y)
    e = f.exact
    ratio = e.div(smaller, larger)
    square = e.add(e.mul(ratio, ratio), one)
    if power == "rsqrt":
        square, smaller, larger = (e.math("rsqrt", v) for v in (square, smaller, larger))
    if power == "sqrt":
        quarter = f.of_value(0.25)
        root = e.math("sqrt", larger)
        result = e.mul(root, e.math("powf", square, quarter))
    else:
        result = e.mul(larger, e.math("sqrt", square))
    # 0 / 0 and inf / inf: the smaller part is the answer.
    return f.select(e.holds("uno", result, result), smaller, result)


def lower_abs(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw)
    return [modulus(f, *f.parts(operands[0]))]


def lower_log(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`log(r) + a i`"""
    f = RealFloats.of(op, rw)
    real = f.math("log", f.modulus(operands[0]))
    x, y = f.parts(operands[0])
    return [f.number(real, f.math("atan2", y, x))]


def lower_log1p(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`log(x + 1 + y i)`, exact where `x` and `y` are small."""
    f = RealFloats.of(op, rw)
    x, y = f.parts(operands[0])
    half, one = f.of_value(0.5), f.of_value(1.0)
    next_x = f.add(x, one)
    abs_x, abs_y = f.absolute(next_x), f.absolute(y)
    larger, smaller = f.arith("maximumf", abs_x, abs_y), f.arith("minimumf", abs_x, abs_y)
    by_x = f.holds("ogt", next_x, abs_y)
    less_one = f.select(by_x, x, f.sub(larger, one))
    e = f.exact
    ratio = e.div(smaller, larger)
    log_larger = f.math("log1p", less_one)
    log_rest = e.math("log1p", e.mul(ratio, ratio))
    log = e.add(e.mul(half, log_rest), log_larger)
    real = f.select(e.holds("uno", log, log), smaller, log)
    return [f.number(real, f.math("atan2", y, next_x))]


def lower_exp(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`exp(x) * (cos(y) + sin(y) i)`; where `exp(x)` overflows, times `exp(x/2)` twice."""
    f = RealFloats.of(op, rw)
    x, y = f.parts(operands[0])
    zero, half, infinity = f.of_value(0.0), f.of_value(0.5), f.of_value(_INFINITY)
    size = f.math("exp", x)
    root = f.math("exp", f.mul(x, half))
    cosine, sine = f.math("cos", y), f.math("sin", y)
    overflows = f.holds("oeq", size, infinity)
    on_axis = f.compare("oeq", y, zero)

    def scaled(part: SSAValue) -> SSAValue:
        direct = f.mul(size, part)
        return f.select(overflows, f.mul(f.mul(root, part), root), direct)

    real = scaled(cosine)
    return [f.number(real, f.select(on_axis, zero, scaled(sine)))]


def _cosine_less_one(f: RealFloats, x: SSAValue) -> SSAValue:
    """`cos(x) - 1`, exact where x is small."""
    minus_half, minus_one = f.of_value(-0.5), f.of_value(-1.0)
    far = f.add(f.math("cos", x), minus_one)
    square = f.mul(x, x)
    fourth = f.mul(square, square)
    rest = f.polynomial(square, _COSINE)
    near = f.plain.add(f.mul(fourth, rest), f.mul(minus_half, square))
    is_far = f.holds("oge", square, f.of_value(_SMALL_ANGLE))
    return f.select(is_far, far, near)


def lower_expm1(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`expm1(x) * cos(y) + (cos(y) - 1) + exp(x) * sin(y) i`"""
    f = RealFloats.of(op, rw)
    x, y = f.parts(operands[0])
    zero, one = f.of_value(0.0), f.of_value(1.0)
    less_one = f.math("expm1", x)
    size = f.add(less_one, one)
    sine = f.math("sin", y)
    cosine_less_one = _cosine_less_one(f, y)
    cosine = f.add(cosine_less_one, one)
    real = f.add(f.mul(less_one, cosine), cosine_less_one)
    on_axis = f.holds("oeq", y, zero)
    return [f.number(real, f.select(on_axis, zero, f.mul(size, sine)))]


def _waves(f: RealFloats, value: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue, SSAValue]:
    """`exp(y) / 2`, `1 / (2 * exp(y))`, `sin(x)`, `cos(x)`"""
    x, y = f.parts(value)
    half = f.of_value(0.5)
    size = f.math("exp", y)
    scaled, inverse = f.mul(half, size), f.div(half, size)
    return scaled, inverse, f.math("sin", x), f.math("cos", x)


def lower_cos(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`(1/(2e) + e/2) * cos(x) + (1/(2e) - e/2) * sin(x) i` with `e = exp(y)`"""
    f = RealFloats.of(op, rw)
    scaled, inverse, sine, cosine = _waves(f, operands[0])
    real = f.mul(f.add(inverse, scaled), cosine)
    return [f.number(real, f.mul(f.sub(inverse, scaled), sine))]


def lower_sin(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`(e/2 + 1/(2e)) * sin(x) + (e/2 - 1/(2e)) * cos(x) i` with `e = exp(y)`"""
    f = RealFloats.of(op, rw)
    scaled, inverse, sine, cosine = _waves(f, operands[0])
    real = f.mul(f.add(scaled, inverse), sine)
    return [f.number(real, f.mul(f.sub(scaled, inverse), cosine))]


def lower_sqrt(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`sqrt(r) * (cos(a/2) + sin(a/2) i)`"""
    f = RealFloats.of(op, rw)
    zero, half = f.of_value(0.0), f.of_value(0.5)
    x, y = f.parts(operands[0])
    size = modulus(f, x, y, "sqrt")
    angle = f.mul(f.math("atan2", y, x), half)
    cosine, sine = f.math("cos", angle), f.math("sin", angle)
    # The sine of an infinite number's angle is 0, and 0 * inf must stay 0.
    on_axis = f.holds("oeq", sine, zero)
    real = f.mul(size, cosine)
    imaginary = f.select(on_axis, zero, f.mul(size, sine))
    if f.has_special_values:
        real, imaginary = _special_roots(f, x, y, size, zero, real, imaginary)
    is_zero = f.holds("oeq", size, zero)
    real = f.select(is_zero, zero, real)
    return [f.number(real, f.select(is_zero, zero, imaginary))]


def _special_roots(
    f: RealFloats,
    x: SSAValue,
    y: SSAValue,
    size: SSAValue,
    zero: SSAValue,
    real: SSAValue,
    imaginary: SSAValue,
) -> tuple[SSAValue, SSAValue]:
    """The root where a part is infinite or not a number."""
    infinity, minus_infinity = f.of_value(_INFINITY), f.of_value(-_INFINITY)
    nan = f.of_value(_NAN)
    abs_y = f.absolute(y)
    y_infinite, y_finite = f.holds("oeq", abs_y, infinity), f.holds("one", abs_y, infinity)
    x_infinite = f.holds("oeq", x, infinity)
    x_minus_infinite = f.holds("oeq", x, minus_infinity)
    real = f.select(f.both(x_minus_infinite, y_finite), zero, real)
    real = f.select(f.either(y_infinite, x_infinite), infinity, real)
    signed = f.signed(infinity, y)
    imaginary = f.select(f.compare("uno", size, size), nan, imaginary)
    imaginary = f.select(f.either(y_infinite, x_minus_infinite), signed, imaginary)
    return real, imaginary


def lower_rsqrt(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`(cos(-a/2) + sin(-a/2) i) / sqrt(r)`"""
    f = RealFloats.of(op, rw)
    zero, infinity = f.of_value(0.0), f.of_value(_INFINITY)
    minus_half, nan = f.of_value(-0.5), f.of_value(_NAN)
    x, y = f.parts(operands[0])
    size = modulus(f, x, y, "rsqrt")
    angle = f.mul(f.math("atan2", y, x), minus_half)
    cosine, sine = f.math("cos", angle), f.math("sin", angle)
    real, imaginary = f.mul(size, cosine), f.mul(size, sine)
    if f.has_special_values:
        minus_one = f.of_value(-1.0)
        zero_x, zero_y = f.signed(zero, x), f.signed(zero, y)
        minus_zero_y = f.mul(minus_one, zero_y)
        abs_x, abs_y = f.absolute(x), f.absolute(y)
        y_infinite = f.holds("oeq", abs_y, infinity)
        x_unknown = f.holds("uno", x, x)
        x_infinite = f.holds("oeq", abs_x, infinity)
        vanishes = f.either(f.both(y_infinite, x_unknown), x_infinite)
        real = f.select(vanishes, zero_x, real)
        imaginary = f.select(vanishes, minus_zero_y, imaginary)
    x_zero, y_zero = f.holds("oeq", x, zero), f.holds("oeq", y, zero)
    is_zero = f.both(x_zero, y_zero)
    real = f.select(is_zero, infinity, real)
    return [f.number(real, f.select(is_zero, nan, imaginary))]


def lower_tanh(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw)
    x, y = f.parts(operands[0])
    return [f.number(*_hyperbolic_tangent(f, x, y, f.of_value(-1.0)))]


def lower_tan(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    """`tan(x + y i) = -i * tanh(-y + x i)`"""
    f = RealFloats.of(op, rw)
    x, y = f.parts(operands[0])
    minus_one = f.of_value(-1.0)
    real, imaginary = _hyperbolic_tangent(f, f.mul(y, minus_one), x, minus_one)
    return [f.number(imaginary, f.mul(real, minus_one))]


def _hyperbolic_tangent(
    f: RealFloats, x: SSAValue, y: SSAValue, minus_one: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """Both parts over `expm1(2x) + expm1(-2x) + 4 * cos(y) ** 2`."""
    infinity, four = f.of_value(_INFINITY), f.of_value(4.0)
    twice = f.add(x, x)
    minus_twice = f.mul(minus_one, twice)
    up, down = f.math("expm1", twice), f.math("expm1", minus_twice)
    numerator = f.sub(up, down)
    cosine = f.math("cos", y)
    squares = f.mul(f.mul(cosine, cosine), four)
    sine = f.math("sin", y)
    other = f.mul(four, f.mul(cosine, sine))
    size = f.add(up, down)
    denominator = f.add(size, squares)
    overflows = f.holds("oeq", size, infinity)
    limit = f.signed(minus_one, x)
    real = f.select(overflows, limit, f.div(numerator, denominator))
    imaginary = f.div(other, denominator)
    if not f.has_special_values:
        return real, imaginary
    abs_x = f.absolute(x)
    zero, nan = f.of_value(0.0), f.of_value(_NAN)
    x_infinite = f.holds("oeq", abs_x, infinity)
    on_axis = f.holds("oeq", y, zero)
    x_finite = f.negation(x_infinite)
    unknown = f.holds("uno", other, other)
    real_unknown = f.both(unknown, x_finite)
    vanishes = f.either(on_axis, f.both(x_infinite, unknown))
    return f.select(real_unknown, nan, real), f.select(vanishes, zero, imaginary)


def lower_powi(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw)
    exponent = rw.value("arith.sitofp", (operands[1],), f.ty)
    return [f.complex("pow", operands[0], f.number(exponent, f.of_value(0.0)))]


def lower_pow(op: Operation, operands: Operands, rw: Conversion) -> Operands:
    f = RealFloats.of(op, rw)
    real, imaginary = f.parts(operands[1])
    return [_power(f, operands[0], real, imaginary)]


def _power(f: RealFloats, base: SSAValue, c: SSAValue, d: SSAValue) -> SSAValue:
    """`r ** c * exp(-d * a) * (cos(q) + sin(q) i)` with `q = c * a + d * log(r)`, with care for
    zeros, ones and infinities: see Kahan, Branch Cuts for Complex Elementary Functions."""
    x, y = f.parts(base)
    size = f.modulus(base)
    size_to_c = f.math("powf", size, c)
    minus_d = f.negative(d)
    angle = f.math("atan2", y, x)
    shrink = f.math("exp", f.mul(minus_d, angle))
    scale = f.mul(size_to_c, shrink)
    log = f.math("log", size)
    q = f.add(f.mul(c, angle), f.mul(d, log))
    cosine, sine = f.math("cos", q), f.math("sin", q)
    infinity, zero, one = f.of_value(_INFINITY), f.of_value(0.0), f.of_value(1.0)
    number_one, number_zero = f.number(one, zero), f.number(zero, zero)
    number_infinity = f.number(infinity, zero)

    base_zero, d_zero = f.holds("oeq", size, zero), f.holds("oeq", d, zero)
    c_zero, y_zero = f.holds("oeq", c, zero), f.holds("oeq", y, zero)
    c_not_negative = f.holds("ole", zero, c)
    real, imaginary = f.mul(scale, cosine), f.mul(scale, sine)
    of_zero = f.select(c_zero, number_one, number_zero)
    general = f.number(real, imaginary)
    result = f.select(f.both(f.both(base_zero, d_zero), c_not_negative), of_zero, general)
    result = f.select(f.both(c_zero, d_zero), number_one, result)
    base_one = f.both(f.holds("oeq", x, one), y_zero)
    result = f.select(base_one, number_one, result)
    base_infinite = f.both(f.holds("oeq", x, infinity), y_zero)
    c_positive = f.both(d_zero, f.holds("ogt", c, zero))
    result = f.select(f.both(base_infinite, c_positive), number_infinity, result)
    c_negative = f.both(d_zero, f.holds("olt", c, zero))
    return f.select(f.both(base_infinite, c_negative), number_zero, result)
