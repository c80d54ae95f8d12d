# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A and B of tcgen05.mma, in shared memory or, A, in tensor memory."""

from __future__ import annotations

from xgpu.host_device.native.codes import MISUSE_TENSOR_SHIFT, MISUSE_TENSOR_SIX_BITS
from xgpu.host_device.native.prelude import Ptr, advance, f64, i1, i32, i64
from xgpu.host_device.native.records import Block, Thread
from xgpu.host_device.native.sources.descriptors import operand_address
from xgpu.host_device.native.sources.elements import (
    TYPE_BF16,
    TYPE_E2M1,
    TYPE_E2M1_BYTE,
    TYPE_E2M3,
    TYPE_E3M2,
    TYPE_F16,
    TYPE_TF32,
    decode,
    read_code,
)
from xgpu.host_device.native.sources.products import xgpu_misuse
from xgpu.host_device.native.sources.tensor_memory import block_of, cell, note_piece
from xgpu.host_device.native.sources.tensor_record import (
    KIND_MXF4,
    WORD_A,
    WORD_A_IN_TENSOR,
    WORD_B,
    WORD_BLOCKS,
    WORD_INSTRUCTION,
    WORD_KIND,
    WORD_SPARSE,
    WORD_ZERO_COLUMNS,
    lane_of_row,
)
from xgpu.host_device.native.sources.tensor_sparse import stored_column
from xgpu.host_device.native.sources.warp_matrices import FORMAT_4, FORMAT_6, packed_byte


def read_rows(
    t: Thread, record: Ptr[i64], m: i32, k: i32, type: i32, bank: i32, to: Ptr[f64]
) -> None:
    """A, as columns of a bank see it; where it is sparse, with its zeros."""
    blocks = i32(record[WORD_BLOCKS])
    instruction = i32(record[WORD_INSTRUCTION])
    sign = -1.0 if (instruction & 8192) != 0 else 1.0
    each = m // blocks
    is_sparse = record[WORD_SPARSE] != 0
    stored = k
    if is_sparse:
        stored = k // 2
        for at in range(m * k):
            to[at] = 0.0
    for i in range(m):
        b = block_of(t, blocks, i // each)
        for s in range(stored):
            value = 0.0
            if record[WORD_A_IN_TENSOR] != 0:
                value = from_tensor(t, b, record, lane_of_row(record, m, i % each, bank), s, type)
            else:
                value = from_shared(
                    b, record[WORD_A], i % each, s, type, (instruction >> 15) & 1, record
                )
            column = s
            if is_sparse:
                column = stored_column(t, b, record, m, i % each, bank, s)
            to[i * k + column] = value * sign


def read_columns(
    t: Thread, record: Ptr[i64], m: i32, n: i32, k: i32, type: i32, to: Ptr[f64]
) -> None:
    blocks = i32(record[WORD_BLOCKS])
    instruction = i32(record[WORD_INSTRUCTION])
    zeros = record[WORD_ZERO_COLUMNS]
    shift = column_shift(t, record, m)
    sign = -1.0 if (instruction & 16384) != 0 else 1.0
    each = n // blocks
    for j in range(n):
        b = block_of(t, blocks, j // each)
        is_zero = is_zero_column(zeros, j, m, n)
        for step in range(k):
            value = 0.0
            if not is_zero:
                value = from_shared(
                    b, record[WORD_B], j % each + shift, step, type, (instruction >> 16) & 1, record
                )
            to[step * n + j] = value * sign


# -- the descriptor of .ws that says which columns of B count as zeros, and how far they are shifted


def is_zero_column(d: i64, j: i32, m: i32, n: i32) -> i1:
    """Each bank of columns has a sequence of columns that are used and columns that are not, in
    turns: which of the two it begins with, and how many of its columns are left out at its begin.
    (PTX ISA, zero-column mask descriptor; its examples say which span is which.)"""
    if ((d >> 39) & 1) == 0:
        return False
    width = n // (128 // m)
    bank = j // width
    skipped = (i32(d >> 40) & 255) + 1
    used = (i32(d >> 48) & 255) + 1
    at = (j % width + (i32(d >> i64(8 * bank)) & 255)) % (skipped + used)
    if ((d >> i64(32 + bank)) & 1) != 0:
        return at < skipped
    return at >= used


def column_shift(t: Thread, record: Ptr[i64], m: i32) -> i32:
    """By how many columns B begins later; the instruction descriptor says how far it may be."""
    shift = i32(record[WORD_ZERO_COLUMNS] >> 56) & 63
    most = (i32(record[WORD_INSTRUCTION]) >> 30) & 3
    if most != 0:
        most = 4 << most
    if shift > most or (m == 32 and shift > 16):
        xgpu_misuse(t, MISUSE_TENSOR_SHIFT)
    return shift


# -- elements


def stored_bits(type: i32) -> i32:
    if type in (TYPE_F16, TYPE_BF16):
        return 16
    return i32(32) if type == TYPE_TF32 else i32(8)


def from_shared(
    b: Block, descriptor: i64, major: i32, step: i32, type: i32, transposed: i32, record: Ptr[i64]
) -> f64:
    """An element of A or B. Those of 6 and 4 bits lie sixteen together at the begin of 16 bytes; of
    .kind::mxf4 two in a byte."""
    along = major if transposed != 0 else step
    across = step if transposed != 0 else major
    packed = record[WORD_KIND] == KIND_MXF4
    byte = i64(along) * i64(stored_bits(type)) // 8
    small = not packed and type in (TYPE_E2M1, TYPE_E2M3, TYPE_E3M2)
    if packed:
        byte = i64(along // 2)
    elif small:
        byte = i64(along // 16 * 16)
    first = i64(across)
    second = byte
    if transposed != 0:
        first = byte
        second = i64(across)
    at = operand_address(descriptor, first, second, transposed, 1)
    note_piece(b, at)
    place = advance(b.shared, at)
    if packed:
        return decode(read_code(place, i64(along % 2), 4), type)
    if small:
        format = i32(FORMAT_4) if type == TYPE_E2M1 else i32(FORMAT_6)
        return decode(packed_byte(place, along % 16, format), type)
    return decode(read_code(place, 0, stored_bits(type)), type)


def from_tensor(t: Thread, b: Block, record: Ptr[i64], lane: i32, s: i32, type: i32) -> f64:
    """An element of A in tensor memory: side by side in 32 bits. One of 4 bits is in the middle of
    a byte; of .kind::mxf4 two are in a byte."""
    if type in (TYPE_E2M3, TYPE_E3M2):
        xgpu_misuse(t, MISUSE_TENSOR_SIX_BITS)
    bits = stored_bits(type)
    kind: i32 = type
    if record[WORD_KIND] == KIND_MXF4:
        bits = 4
    elif type == TYPE_E2M1:
        kind = TYPE_E2M1_BYTE
    address = i32(record[WORD_A])
    per_cell = 32 // bits
    place = cell(t, b, lane + (address >> 16), (address & 65535) + s // per_cell, 0)
    return decode(read_code(place, i64(s % per_cell), bits), kind)
