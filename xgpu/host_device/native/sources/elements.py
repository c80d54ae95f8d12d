# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements of matrices, of all types that tensor cores have, as numbers and back.

A double holds every value of these types, and every sum of integers that a product of matrices has.
Types are numbered as `compiler.rules.matrix` numbers them.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    bits_f32,
    bits_i32,
    f32,
    f64,
    float_to_half,
    half_to_float,
    i8,
    i16,
    i32,
    i64,
    ptr,
    zext32,
)
from xgpu.host_device.native.sources.small_floats import xgpu_small_to_float

TYPE_F16 = 0
TYPE_BF16 = 1
TYPE_F32 = 2
TYPE_F64 = 3
TYPE_S8 = 4
TYPE_U8 = 5
TYPE_S32 = 6
TYPE_TF32 = 7
TYPE_E4M3 = 8
TYPE_E5M2 = 9
TYPE_E2M3 = 10
TYPE_E3M2 = 11
TYPE_E2M1 = 12
TYPE_S4 = 13
TYPE_U4 = 14
TYPE_B1 = 15
TYPE_UE8M0 = 16
TYPE_UE4M3 = 17
# One in the middle of a byte, as mma wants it with .kind::f8f6f4.
TYPE_E2M1_BYTE = 18


def element_bits(type: i32) -> i32:
    """How many bits an element takes."""
    if type in (TYPE_F16, TYPE_BF16):
        return 16
    if type == TYPE_F64:
        return 64
    if type in (TYPE_F32, TYPE_S32, TYPE_TF32):
        return 32
    if type in (TYPE_S4, TYPE_U4, TYPE_E2M1):
        return 4
    if type == TYPE_B1:
        return 1
    return 8


def read_code(p: ptr, index: i64, bits: i32) -> i32:
    """The bits of element `index`, at most 32, without a sign."""
    bytes = Ptr[i8](p)
    halves = Ptr[i16](p)
    words = Ptr[i32](p)
    if bits == 32:
        return words[index]
    if bits == 16:
        return zext32(halves[index])
    if bits == 8:
        return zext32(bytes[index])
    if bits == 4:
        return (zext32(bytes[index >> 1]) >> (i32(index & 1) * 4)) & 15
    return (zext32(bytes[index >> 3]) >> i32(index & 7)) & 1


def write_code(p: ptr, index: i64, bits: i32, code: i32) -> None:
    bytes = Ptr[i8](p)
    halves = Ptr[i16](p)
    words = Ptr[i32](p)
    if bits == 32:
        words[index] = code
    elif bits == 16:
        halves[index] = i16(code)
    elif bits == 8:
        bytes[index] = i8(code)
    elif bits == 4:
        shift = i32(index & 1) * 4
        kept = zext32(bytes[index >> 1]) & ~(15 << shift)
        bytes[index >> 1] = i8(kept | ((code & 15) << shift))
    else:
        at = i32(index & 7)
        before = zext32(bytes[index >> 3]) & ~(1 << at)
        bytes[index >> 3] = i8(before | ((code & 1) << at))


def decode(code: i32, type: i32) -> f64:
    """The number that the bits of an element say."""
    if type == TYPE_F16:
        return f64(half_to_float(i16(code)))
    if type == TYPE_BF16:
        return f64(bits_f32(code << 16))
    if type == TYPE_F32:
        return f64(bits_f32(code))
    if type == TYPE_TF32:
        return f64(bits_f32(code & -8192))
    if type == TYPE_S8:
        return f64((code << 24) >> 24)
    if type == TYPE_S4:
        return f64((code << 28) >> 28)
    if type in (TYPE_U8, TYPE_U4, TYPE_B1):
        return f64(code)
    if type == TYPE_S32:
        return f64(code)
    return f64(decode_small(code, type))


def decode_small(code: i32, type: i32) -> f32:
    if type in (TYPE_E4M3, TYPE_UE4M3):
        return xgpu_small_to_float(code & 255, 3, 4, 7, 127, 0, 0)
    if type == TYPE_E5M2:
        return xgpu_small_to_float(code, 2, 5, 15, 0, 1, 0)
    if type == TYPE_E2M3:
        return xgpu_small_to_float(code & 63, 3, 2, 1, 0, 0, 0)
    if type == TYPE_E3M2:
        return xgpu_small_to_float(code & 63, 2, 3, 3, 0, 0, 0)
    if type == TYPE_E2M1_BYTE:
        return xgpu_small_to_float((code >> 2) & 15, 1, 2, 1, 0, 0, 0)
    if type == TYPE_UE8M0:
        return power_of_two(code)
    return xgpu_small_to_float(code & 15, 1, 2, 1, 0, 0, 0)


def power_of_two(code: i32) -> f32:
    """ue8m0: 2 to the power of code - 127; 255 is NaN."""
    if code == 255:
        return bits_f32(2147483647)
    if code == 0:
        return bits_f32(4194304)
    return bits_f32(code << 23)


def read_element(p: ptr, index: i64, type: i32) -> f64:
    doubles = Ptr[f64](p)
    if type == TYPE_F64:
        return doubles[index]
    return decode(read_code(p, index, element_bits(type)), type)


def write_element(p: ptr, index: i64, type: i32, value: f64, saturates: i32) -> None:
    """A result: integers wrap, or with `saturates` become the nearest that there is."""
    halves = Ptr[i16](p)
    floats = Ptr[f32](p)
    doubles = Ptr[f64](p)
    words = Ptr[i32](p)
    if type == TYPE_F16:
        halves[index] = float_to_half(odd_single(value))
    elif type == TYPE_F64:
        doubles[index] = value
    elif type == TYPE_S32:
        whole = i64(value)
        if saturates != 0 and whole > 2147483647:
            whole = 2147483647
        if saturates != 0 and whole < -2147483648:
            whole = -2147483648
        words[index] = i32(whole)
    else:
        floats[index] = f32(value)


def odd_single(value: f64) -> f32:
    """A single that rounds to a shorter format as the double does: inexact ones are made odd."""
    near = f32(value)
    bits = bits_i32(near)
    if f64(near) == value or near != near or (bits & 2139095040) == 2139095040:
        return near
    if (bits & 1) != 0:
        return near
    away = (f64(near) < value) == (value > 0.0)
    return bits_f32(bits + 1) if away else bits_f32(bits - 1)
