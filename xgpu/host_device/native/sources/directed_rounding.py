# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic with directed rounding.

The result rounded to nearest is stepped by one unit where the sign of the exact remainder says so;
remainders come from fused multiply-add and two-sum, which are exact where nothing becomes too small
for a double: then operands are scaled.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import bits_f64, bits_i64, extern, f32, f64, i32, i64

# -- Functions of the C library's libm.


@extern
def fma(x: f64, y: f64, z: f64) -> f64: ...


@extern
def fmaf(x: f32, y: f32, z: f32) -> f32: ...


@extern
def sqrt(x: f64) -> f64: ...


@extern
def sqrtf(x: f32) -> f32: ...


@extern
def exp(x: f64) -> f64: ...


@extern
def log(x: f64) -> f64: ...


@extern
def sin(x: f64) -> f64: ...


@extern
def cos(x: f64) -> f64: ...


@extern
def fmod(x: f64, y: f64) -> f64: ...


@extern
def cbrt(x: f64) -> f64: ...


@extern
def pow(x: f64, y: f64) -> f64: ...


@extern
def erf(x: f64) -> f64: ...


@extern
def erfc(x: f64) -> f64: ...


@extern
def fabs(x: f64) -> f64: ...


@extern
def scalbn(x: f64, n: i32) -> f64: ...


@extern
def hypot(x: f64, y: f64) -> f64: ...


@extern
def nextafter(x: f64, y: f64) -> f64: ...


@extern
def nextafterf(x: f32, y: f32) -> f32: ...


RZ = 0
RD = 1
RU = 2


def infinity() -> f64:
    return bits_f64(9218868437227405312)


def direction(r: f64, e: f64, mode: i32) -> i32:
    """Which way to step from `r` where the exact value is `r + e`: -1, 0 or 1."""
    if e > 0.0 and (mode == RU or (mode == RZ and r < 0.0)):
        return 1
    if e < 0.0 and (mode == RD or (mode == RZ and r > 0.0)):
        return -1
    return 0


def step(r: f64, e: f64, mode: i32) -> f64:
    way = direction(r, e, mode)
    if way == 0:
        return r
    return nextafter(r, infinity() if way > 0 else -infinity())


def stepf(r: f32, e: f64, mode: i32) -> f32:
    way = direction(f64(r), e, mode)
    if way == 0:
        return r
    return nextafterf(r, f32(infinity() if way > 0 else -infinity()))


def sum_error(a: f64, b: f64, s: f64) -> f64:
    """Knuth's two-sum: the exact a + b - s for s = a + b rounded."""
    bb = s - a
    return (a - (s - bb)) + (b - bb)


def small() -> f64:
    """2^-900: below this a product's low half may be too small for a double."""
    return bits_f64(553942754166571008)


def up() -> f64:
    """2^600, by which small numbers are scaled."""
    return bits_f64(7309342195222315008)


def half_up() -> f64:
    return bits_f64(5958262307011166208)


def zero_sign(first: i64, second: i64, mode: i32) -> f64:
    """The sum of two numbers that is exactly zero: downwards it is negative unless both are not."""
    negative = (first | second) if mode == RD else (first & second)
    return -0.0 if negative < 0 else 0.0


def add(a: f64, b: f64, mode: i32) -> f64:
    s = a + b
    if s == 0.0:
        return zero_sign(bits_i64(a), bits_i64(b), mode)
    if fabs(s) == infinity():
        return step(s, (a * 0.5 + b * 0.5) - s, mode)
    return step(s, sum_error(a, b, s), mode)


def product_error(a: f64, b: f64, p: f64) -> f64:
    """The sign of a * b - p for p = a * b rounded."""
    if fabs(p) >= small():
        return fma(a, b, -p)
    if p == 0.0:
        return sign_of_product(a, b)
    if fabs(a) < fabs(b):
        return fma(a * up(), b, -(p * up()))
    return fma(a, b * up(), -(p * up()))


def sign_of_product(a: f64, b: f64) -> f64:
    if a == 0.0 or b == 0.0:
        return 0.0
    return 1.0 if (a > 0.0) == (b > 0.0) else -1.0


def multiply(a: f64, b: f64, mode: i32) -> f64:
    p = a * b
    return step(p, product_error(a, b, p), mode)


def divide(a: f64, b: f64, mode: i32) -> f64:
    q = a / b
    e = 0.0
    if fabs(a) < small():
        e = fma(-(q * up()), b, a * up())
    else:
        e = fma(-q, b, a)
    return step(q, -e if b < 0.0 else e, mode)


def root(a: f64, mode: i32) -> f64:
    r = sqrt(a)
    if fabs(a) < small():
        return step(r, fma(-(r * half_up()), r * half_up(), a * up()), mode)
    return step(r, fma(-r, r, a), mode)


def fused(a: f64, b: f64, c: f64, mode: i32) -> f64:
    r = fma(a, b, c)
    e = fused_error(a, b, c, r)
    if r == 0.0 and e == 0.0:
        return zero_sign(bits_i64(a) ^ bits_i64(b), bits_i64(c), mode)
    return step(r, e, mode)


def fused_error(a: f64, b: f64, c: f64, r: f64) -> f64:
    """The sign of a * b + c - r for r = a * b + c rounded."""
    if fabs(r) == infinity():
        return -r if a * 0.0 + b * 0.0 + c * 0.0 == 0.0 else 0.0
    p = a * b
    if fabs(p) == infinity():
        p = a / up() * b
        return error_of_three(p, fma(a / up(), b, -p), c / up(), r / up())
    if fabs(p) >= small():
        return error_of_three(p, fma(a, b, -p), c, r)
    if fabs(c) > small() * half_up():
        return sign_of_product(a, b)  # r is c
    less = a if fabs(a) < fabs(b) else b
    other = b if fabs(a) < fabs(b) else a
    scaled = less * up() * other
    if fabs(scaled) < small():
        return sign_of_product(a, b)
    low = fma(less * up(), other, -scaled)
    return error_of_three(scaled, low, c * up(), r * up())


def error_of_three(p: f64, low: f64, c: f64, r: f64) -> f64:
    """p + low + c - r, for the sum's rounded r (Boldo and Muller)."""
    first = c + low
    first_low = sum_error(c, low, first)
    whole = p + first
    whole_low = sum_error(p, first, whole)
    return ((whole - r) + whole_low) + first_low


def addf(a: f32, b: f32, mode: i32) -> f32:
    r = a + b
    if r == f32(0.0):
        return f32(zero_sign(bits_i64(f64(a)), bits_i64(f64(b)), mode))
    s = f64(a) + f64(b)
    return stepf(r, (s - f64(r)) + sum_error(f64(a), f64(b), s), mode)


def multiplyf(a: f32, b: f32, mode: i32) -> f32:
    r = a * b
    return stepf(r, f64(a) * f64(b) - f64(r), mode)


def dividef(a: f32, b: f32, mode: i32) -> f32:
    q = a / b
    e = f64(a) - f64(q) * f64(b)
    return stepf(q, -e if b < f32(0.0) else e, mode)


def rootf(a: f32, mode: i32) -> f32:
    r = sqrtf(a)
    return stepf(r, f64(a) - f64(r) * f64(r), mode)


def fusedf(a: f32, b: f32, c: f32, mode: i32) -> f32:
    r = fmaf(a, b, c)
    p = f64(a) * f64(b)
    s = p + f64(c)
    e = (s - f64(r)) + sum_error(p, f64(c), s)
    if r == f32(0.0) and e == 0.0:
        return f32(zero_sign(bits_i64(p), bits_i64(f64(c)), mode))
    return stepf(r, e, mode)


def integer_error(x: i64, r: f64) -> f64:
    """The sign of x - r, for r = x rounded."""
    if r >= 9223372036854775808.0:
        return -1.0
    return f64(x - i64(r))
