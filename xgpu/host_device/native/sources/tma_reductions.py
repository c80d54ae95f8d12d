# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions into tensors: each element of a box in shared memory is combined with the tensor's, by
an atomic operation of its own (PTX ISA, `cp.reduce.async.bulk.tensor`). All are done when they are
asked for. The tensor map says the type of elements."""

from __future__ import annotations

from xgpu.host_device.abi.codes import MISUSE_TENSOR_REDUCTION
from xgpu.host_device.native.prelude import (
    Ptr,
    atomic_load,
    bits_f32,
    bits_f64,
    bits_i32,
    bits_i64,
    exchange_if,
    f32,
    float_to_half,
    half_to_float,
    i1,
    i16,
    i32,
    i64,
    ptr,
    ult,
    zext64,
)
from xgpu.host_device.native.records import TensorMap, Thread
from xgpu.host_device.native.sources.device_functions import misuse
from xgpu.host_device.native.sources.tensor_maps import element_size
from xgpu.host_device.native.sources.tma import box_elements, element_address, swizzled

# In the order of nvvm's `tma_redux_kind`.
ADD = 0
MIN = 1
MAX = 2
INC = 3
DEC = 4
AND = 5
OR = 6
XOR = 7

# CUtensorMapDataType.
U32 = 2
S32 = 3
U64 = 4
S64 = 5
F16 = 6
F32 = 7
F64 = 8
BF16 = 9
F32_FTZ = 10


def xgpu_tma_reduce(t: Thread, source: ptr, map: TensorMap, start: Ptr[i32], kind: i32) -> None:
    """Shared to global: one box; what lies outside the tensor is dropped."""
    type = map.element_type
    if not is_there(type, kind):
        misuse(t, MISUSE_TENSOR_REDUCTION)
        return
    size = element_size(map)
    base = i64(t.block.shared)
    for i in range(box_elements(map)):
        offset = swizzled(i64(source) - base + i * size, map.swizzle)
        target = element_address(map, i, start)
        if target != 0:
            combine(target, base + offset, type, size, kind)


def is_there(type: i32, kind: i32) -> i1:
    """Whether elements of a type have an operation."""
    if type == U32:
        return True
    if type in (S32, U64, S64):
        return kind != INC and kind != DEC
    if type in (F16, BF16):
        return kind <= MAX
    return type in (F32, F64, F32_FTZ) and kind == ADD


def combine(target: i64, source: i64, type: i32, size: i64, kind: i32) -> None:
    if size == 2:
        half = Ptr[i16](source)[0]
        while True:
            old_half = atomic_load(Ptr[i16](target))
            made_half = half_combined(old_half, half, type, kind)
            if exchange_if(Ptr[i16](target), old_half, made_half):
                return
    if size == 4:
        word = Ptr[i32](source)[0]
        while True:
            old_word = atomic_load(Ptr[i32](target))
            if exchange_if(Ptr[i32](target), old_word, word_combined(old_word, word, type, kind)):
                return
    long = Ptr[i64](source)[0]
    while True:
        old = atomic_load(Ptr[i64](target))
        if exchange_if(Ptr[i64](target), old, long_combined(old, long, type, kind)):
            return


def half_combined(old: i16, value: i16, type: i32, kind: i32) -> i16:
    a = half_to_float(old) if type == F16 else bits_f32(i32(old) << 16)
    b = half_to_float(value) if type == F16 else bits_f32(i32(value) << 16)
    if kind in (MIN, MAX):
        if b != b:
            return old
        if a != a:
            return value
        if a == b:  # of two zeros the negative one is less
            is_first = (bits_i32(a) < bits_i32(b)) == (kind == MIN)
            return old if is_first else value
        return old if (a < b) == (kind == MIN) else value
    total = a + b
    return float_to_half(total) if type == F16 else rounded(total)


def rounded(value: f32) -> i16:
    """As bf16, to the nearest, ties to even."""
    bits = bits_i32(value)
    if value != value:
        return 32767
    return i16((bits + 32767 + ((bits >> 16) & 1)) >> 16)


def word_combined(old: i32, value: i32, type: i32, kind: i32) -> i32:
    if type in (F32, F32_FTZ):
        return bits_i32(bits_f32(old) + bits_f32(value))
    if kind == INC:
        return old + 1 if ult(old, value) else 0
    if kind == DEC:
        return value if old == 0 or ult(value, old) else old - 1
    if type == U32:
        return i32(integers_combined(zext64(old), zext64(value), S64, kind))
    return i32(integers_combined(i64(old), i64(value), S64, kind))


def long_combined(old: i64, value: i64, type: i32, kind: i32) -> i64:
    if type == F64:
        return bits_i64(bits_f64(old) + bits_f64(value))
    return integers_combined(old, value, type, kind)


def integers_combined(old: i64, value: i64, type: i32, kind: i32) -> i64:
    if kind == ADD:
        return old + value
    if kind == AND:
        return old & value
    if kind == OR:
        return old | value
    if kind == XOR:
        return old ^ value
    is_less = ult(old, value) if type == U64 else old < value
    return old if is_less == (kind == MIN) else value
