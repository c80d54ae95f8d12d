# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of 8, 6 and 4 bits.

A format is given by the bits of its exponent and mantissa, its bias, its largest finite code and
the code of NaN (that of the largest finite number where there is no NaN): PTX ISA, "Alternate
floating point data formats" and `cvt`. To a small format: to the nearest, ties to even, and what is
too large becomes the largest finite number. From one: exact.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    bits_f32,
    bits_i32,
    bits_i64,
    f32,
    f64,
    i32,
    i64,
    lshr,
    zext32,
)

# -- Conversions of 16-bit floats, for processors and compilers' libraries that have none.
#
# A number to convert is given as the bits of an f64, which holds every narrower one exactly. To the
# nearest, ties to even; NaNs stay NaNs and become quiet, with what fits of their payload.


MANTISSA = 52
MAGNITUDE = 9223372036854775807
INFINITY = 9218868437227405312


def soft_narrow(bits: i64, exponent_bits: i32, mantissa_bits: i32) -> i32:
    """The bits of the f64 `bits` in a format with so many bits of exponent and mantissa."""
    sign = i32(lshr(bits, 63)) << (exponent_bits + mantissa_bits)
    magnitude = bits & MAGNITUDE
    top = (i64(1) << i64(exponent_bits)) - 1
    drop = i64(MANTISSA - mantissa_bits)
    if magnitude > INFINITY:
        payload = (magnitude & ((i64(1) << MANTISSA) - 1)) >> drop
        quiet = i64(1) << i64(mantissa_bits - 1)
        return sign | i32((top << i64(mantissa_bits)) | quiet | payload)
    exponent = (magnitude >> MANTISSA) - 1023 + (top >> 1)
    mantissa = magnitude & ((i64(1) << MANTISSA) - 1)
    if exponent <= 0:
        # Smaller than all normal numbers: the leading bit goes into the mantissa.
        mantissa = mantissa | (i64(1) << MANTISSA)
        drop = drop + 1 - exponent
        exponent = 0
        if drop > MANTISSA + 1:
            return sign
    kept = (exponent << i64(mantissa_bits)) + (mantissa >> drop)
    rest = mantissa & ((i64(1) << drop) - 1)
    half = i64(1) << (drop - 1)
    if rest > half or (rest == half and (kept & 1) != 0):
        kept = kept + 1  # a carry out of the mantissa counts up the exponent
    if kept >= top << i64(mantissa_bits):
        kept = top << i64(mantissa_bits)
    return sign | i32(kept)


def soft_half_from_f64(bits: i64) -> i32:
    return soft_narrow(bits, 5, 10)


def soft_half_from_f32(value: f32) -> i32:
    return soft_narrow(bits_i64(f64(value)), 5, 10)


def soft_bfloat_from_f64(bits: i64) -> i32:
    return soft_narrow(bits, 8, 7)


def soft_bfloat_from_f32(value: f32) -> i32:
    return soft_narrow(bits_i64(f64(value)), 8, 7)


def soft_f32_from_half(half: i32) -> f32:
    sign = (half & 32768) << 16
    exponent = (half >> 10) & 31
    mantissa = half & 1023
    if exponent == 31:
        quiet = zext32(mantissa != 0) << 22
        return bits_f32(sign | 2139095040 | quiet | (mantissa << 13))
    if exponent != 0:
        return bits_f32(sign | ((exponent + 112) << 23) | (mantissa << 13))
    magnitude = f32(mantissa) * f32(5.960464477539063e-8)  # 2 to the -24
    return -magnitude if sign != 0 else magnitude


RELU = 1


def xgpu_small_from_float(
    value: f32,
    mantissa_bits: i32,
    exponent_bits: i32,
    bias: i32,
    largest: i32,
    nan: i32,
    flags: i32,
) -> i32:
    bits = bits_i32(value)
    magnitude = bits & 2147483647
    if magnitude > 2139095040:
        return nan
    negative = bits < 0
    if negative and flags == RELU:
        return 0
    code = small_code(magnitude, mantissa_bits, bias)
    if code > largest:
        code = largest
    if negative:
        code = code | (1 << (mantissa_bits + exponent_bits))
    return code


def small_code(magnitude: i32, mantissa_bits: i32, bias: i32) -> i32:
    """The rounded code of a number that is not negative, as if exponents had no end."""
    exponent = (magnitude >> 23) - 127 + bias
    if magnitude < 8388608:
        return 0  # smaller by far than what any of the formats can hold
    mantissa = (magnitude & 8388607) | 8388608
    shift: i32 = 23 - mantissa_bits
    if exponent < 1:
        shift = shift + 1 - exponent
        exponent = 1
        if shift > 25:
            return 0
    quotient = mantissa >> shift
    rest = mantissa & ((1 << shift) - 1)
    half = 1 << (shift - 1)
    if rest > half or (rest == half and (quotient & 1) != 0):
        quotient = quotient + 1
    # The leading bit of the quotient adds one to the exponent, as a carry out of it does.
    return ((exponent - 1) << mantissa_bits) + quotient


def xgpu_small_to_float(
    code: i32,
    mantissa_bits: i32,
    exponent_bits: i32,
    bias: i32,
    nan: i32,
    has_infinity: i32,
    flags: i32,
) -> f32:
    sign = (code >> (mantissa_bits + exponent_bits)) & 1
    exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1)
    mantissa = code & ((1 << mantissa_bits) - 1)
    magnitude = (exponent << mantissa_bits) | mantissa
    top = (1 << exponent_bits) - 1
    if has_infinity != 0 and exponent == top:
        if mantissa != 0:
            return bits_f32(2147483647)
        if sign != 0 and flags == RELU:
            return bits_f32(0)
        return bits_f32(2139095040 | (sign << 31))
    if nan != 0 and magnitude == nan:
        return bits_f32(2147483647)
    if sign != 0 and flags == RELU:
        return bits_f32(0)
    if exponent == 0:
        if mantissa == 0:
            return bits_f32(sign << 31)
        exponent = 1
        while (mantissa & (1 << mantissa_bits)) == 0:
            mantissa = mantissa << 1
            exponent = exponent - 1
        mantissa = mantissa & ((1 << mantissa_bits) - 1)
    return bits_f32(
        (sign << 31) | ((exponent - bias + 127) << 23) | (mantissa << (23 - mantissa_bits))
    )


def xgpu_small_stochastic(
    value: f32,
    mantissa_bits: i32,
    exponent_bits: i32,
    bias: i32,
    largest: i32,
    overflow: i32,
    nan: i32,
    random: i32,
    random_bits: i32,
    flags: i32,
) -> i32:
    """Stochastic rounding: random bits are added to those that are cut off, the highest to the
    highest. What is larger than `largest` becomes `overflow`."""
    bits = bits_i32(value)
    magnitude = bits & 2147483647
    if magnitude > 2139095040:
        return nan
    negative = bits < 0
    if negative and flags == RELU:
        return 0
    exponent = (magnitude >> 23) - 127 + bias
    mantissa = magnitude & 8388607
    if magnitude >= 8388608:
        mantissa = mantissa | 8388608
    else:
        exponent = exponent + 1
    shift: i32 = 23 - mantissa_bits
    if exponent < 1:
        shift = shift + 1 - exponent
        exponent = 1
    code: i32 = 0
    if shift <= 31:
        added = (
            i64(random) << (i64(shift) - i64(random_bits))
            if shift >= random_bits
            else (i64(random) >> (i64(random_bits) - i64(shift)))
        )
        code = ((exponent - 1) << mantissa_bits) + i32((i64(mantissa) + added) >> i64(shift))
    if code > largest or magnitude == 2139095040:
        code = overflow
    if negative:
        code = code | (1 << (mantissa_bits + exponent_bits))
    return code
