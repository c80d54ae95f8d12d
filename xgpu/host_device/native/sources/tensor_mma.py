# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05.mma: D in tensor memory, A there or in shared memory, B in shared memory.

One thread asks for it, and it is done at once. What it is, the instruction descriptor says (PTX
ISA, tcgen05 instruction descriptor). With two blocks each has a half of the rows of A and of D and
a half of the columns of B.
"""

from __future__ import annotations

from xgpu.host_device.native.codes import MISUSE_TENSOR_DESCRIPTOR, MISUSE_TENSOR_SHIFT
from xgpu.host_device.native.prelude import Ptr, f64, i1, i32, i64, ptr
from xgpu.host_device.native.records import Thread
from xgpu.host_device.native.sources.elements import (
    TYPE_BF16,
    TYPE_E2M1,
    TYPE_E2M3,
    TYPE_E3M2,
    TYPE_E4M3,
    TYPE_E5M2,
    TYPE_F16,
    TYPE_S8,
    TYPE_TF32,
    TYPE_U8,
)
from xgpu.host_device.native.sources.libc import free, malloc
from xgpu.host_device.native.sources.products import doubles, xgpu_misuse
from xgpu.host_device.native.sources.tensor_copy import shift_rows
from xgpu.host_device.native.sources.tensor_memory import block_of
from xgpu.host_device.native.sources.tensor_operands import read_columns, read_rows
from xgpu.host_device.native.sources.tensor_record import (
    KIND_F8F6F4,
    KIND_F16,
    KIND_I8,
    KIND_MXF4,
    KIND_MXF8F6F4,
    KIND_TF32,
    WORD_A,
    WORD_A_IN_TENSOR,
    WORD_BLOCKS,
    WORD_INSTRUCTION,
    WORD_KIND,
    WORD_SCALES,
    WORD_SHIFTS_A,
    WORD_SPARSE,
    WORD_STATIONARY,
    banks_of,
    columns_of,
    depth_of,
    halves_lanes,
    rows_of,
)
from xgpu.host_device.native.sources.tensor_results import read_result, write_result
from xgpu.host_device.native.sources.tensor_scales import scale_columns, scale_rows
from xgpu.host_device.native.sources.tensor_sparse import check_metadata


def operand_type(kind: i32, code: i32) -> i32:
    """The type of A or B; -1 for none."""
    if kind == KIND_F16 and code < 2:
        return i32(TYPE_F16) if code == 0 else i32(TYPE_BF16)
    if kind == KIND_TF32 and code == 2:
        return TYPE_TF32
    if kind == KIND_I8 and code < 2:
        return i32(TYPE_U8) if code == 0 else i32(TYPE_S8)
    if kind == KIND_MXF4 and code == 1:
        return TYPE_E2M1
    if kind in (KIND_F8F6F4, KIND_MXF8F6F4):
        if code == 0:
            return TYPE_E4M3
        if code == 1:
            return TYPE_E5M2
        if code == 3:
            return TYPE_E2M3
        if code == 4:
            return TYPE_E3M2
        if code == 5:
            return TYPE_E2M1
    return -1


def type_of_rows(record: Ptr[i64]) -> i32:
    """The type of A."""
    return operand_type(i32(record[WORD_KIND]), (i32(record[WORD_INSTRUCTION]) >> 7) & 7)


def type_of_columns(record: Ptr[i64]) -> i32:
    """The type of B."""
    kind = i32(record[WORD_KIND])
    mask = i32(3) if kind == KIND_MXF4 else i32(7)
    return operand_type(kind, (i32(record[WORD_INSTRUCTION]) >> 10) & mask)


def is_valid(record: Ptr[i64], m: i32, n: i32) -> i1:
    """Whether the instruction descriptor is one of that instruction. Scaled blocks of a pair with
    sparse A have 256 rows."""
    instruction = i32(record[WORD_INSTRUCTION])
    blocks = i32(record[WORD_BLOCKS])
    if type_of_rows(record) < 0 or type_of_columns(record) < 0 or n == 0:
        return False
    if ((instruction & 4) != 0) != (record[WORD_SPARSE] != 0):
        return False
    if record[WORD_KIND] == KIND_MXF4 and instruction < 0:
        return False
    if record[WORD_KIND] >= KIND_MXF8F6F4 and record[WORD_SPARSE] != 0 and m != 128 * blocks:
        return False
    if record[WORD_STATIONARY] != 0:
        return m in (32, 64, 128)
    return m == 64 * blocks or m == 128 * blocks


def xgpu_tensor_mma5(t: Thread, place: ptr) -> None:
    record = Ptr[i64](place)
    m = rows_of(record)
    n = columns_of(record)
    k = depth_of(record)
    if not is_valid(record, m, n):
        xgpu_misuse(t, MISUSE_TENSOR_DESCRIPTOR)
    if record[WORD_SPARSE] != 0:
        check_metadata(t, record, m)
    if record[WORD_SHIFTS_A] != 0:
        check_shift(t, record, m)
    banks = banks_of(record, m)
    copies: i32 = 1
    if record[WORD_A_IN_TENSOR] != 0 or record[WORD_SPARSE] != 0:
        copies = banks
    memory = malloc((i64(copies) * i64(m * k) + i64(k * n) + i64(m * n)) * 8)
    b = doubles(memory, i64(copies) * i64(m * k))
    d = doubles(memory, i64(copies) * i64(m * k) + i64(k * n))
    for bank in range(copies):
        a = doubles(memory, i64(bank) * i64(m * k))
        read_rows(t, record, m, k, type_of_rows(record), bank, a)
        if record[WORD_SCALES] != 0:
            scale_rows(t, record, m, k, a)
    read_columns(t, record, m, n, k, type_of_columns(record), b)
    if record[WORD_SCALES] != 0:
        scale_columns(t, record, n, k, b)
    read_result(t, record, m, n, d)
    width = n // banks
    for bank in range(banks):
        a = doubles(memory, i64(bank % copies) * i64(m * k))
        multiply_bank(m, n, k, bank * width, width, a, b, d)
    write_result(t, record, m, n, d)
    free(memory)
    if record[WORD_SHIFTS_A] != 0:
        shift_operand(t, record)


def multiply_bank(
    m: i32, n: i32, k: i32, first: i32, width: i32, a: Ptr[f64], b: Ptr[f64], d: Ptr[f64]
) -> None:
    """D gets A times B added in `width` columns from `first` on."""
    for i in range(m):
        sums = doubles(d, i64(i * n + first))
        for step in range(k):
            x = a[i * k + step]
            row = doubles(b, i64(step * n + first))
            for j in range(width):
                sums[j] = sums[j] + x * row[j]


# -- .ashift: A, in tensor memory, is as tcgen05.shift leaves it when it has been multiplied by


def check_shift(t: Thread, record: Ptr[i64], m: i32) -> None:
    """All lanes have rows."""
    lane = i32(record[WORD_A]) >> 16
    if record[WORD_A_IN_TENSOR] == 0 or m < 128 or halves_lanes(record, m) or lane != 0:
        xgpu_misuse(t, MISUSE_TENSOR_SHIFT)


def shift_operand(t: Thread, record: Ptr[i64]) -> None:
    blocks = i32(record[WORD_BLOCKS])
    for which in range(blocks):
        for warp in range(i32(4)):
            b = block_of(t, blocks, which)
            shift_rows(t, b, 32 * warp, i32(record[WORD_A]) & 65535)
