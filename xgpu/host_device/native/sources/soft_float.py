# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions of 16-bit floats, for processors and compilers' libraries that have none.

A number to convert is given as the bits of an f64, which holds every narrower one exactly. To the
nearest, ties to even; NaNs stay NaNs and become quiet, with what fits of their payload.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import bits_f32, bits_i64, f32, f64, i32, i64, lshr, zext32

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
