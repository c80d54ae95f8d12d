# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a record of tcgen05.mma says, and in which lanes of tensor memory its matrices lie.

Lanes are those of the PTX ISA's data path layouts. A and D of 128 rows of a block take all lanes;
of 64 rows the first (or last) sixteen of each warp's, where half of the data path is idle. Else
lanes that are left over have a bank of their own: further columns of D, and for these A, or its
metadata, once more.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i1, i32, i64

KIND_F16 = 0
KIND_TF32 = 1
KIND_F8F6F4 = 2
KIND_I8 = 3
KIND_MXF8F6F4 = 4
KIND_MXF4 = 5

# The words of a record, of 64 bits each; the mask of lanes follows them.
WORD_D = 0
WORD_A = 1
WORD_B = 2
WORD_INSTRUCTION = 3
WORD_ENABLE_D = 4
WORD_KIND = 5
WORD_BLOCKS = 6
WORD_A_IN_TENSOR = 7
WORD_SCALE_D = 8
WORD_STATIONARY = 9
WORD_SCALES_A = 10
WORD_SCALES_B = 11
WORD_SCALES = 12
WORD_MASKED = 13
WORD_SPARSE = 14
WORD_METADATA = 15
WORD_SHIFTS_A = 16
WORD_ZERO_COLUMNS = 17
MASK = 144


def rows_of(record: Ptr[i64]) -> i32:
    """M."""
    d = i32(record[WORD_INSTRUCTION])
    if record[WORD_KIND] >= KIND_MXF8F6F4:
        return ((d >> 27) & 3) << 7
    return ((d >> 24) & 31) << 4


def columns_of(record: Ptr[i64]) -> i32:
    """N."""
    return ((i32(record[WORD_INSTRUCTION]) >> 17) & 63) << 3


def depth_of(record: Ptr[i64]) -> i32:
    """K: 32 bytes of A; twice as much where half of its elements are there."""
    kind = i32(record[WORD_KIND])
    depth: i32 = 32
    if kind == KIND_F16:
        depth = 16
    elif kind == KIND_TF32:
        depth = 8
    elif kind == KIND_MXF4:
        depth = 64
    return depth * 2 if record[WORD_SPARSE] != 0 else depth


def banks_of(record: Ptr[i64], m: i32) -> i32:
    """How many banks of lanes have columns of their own."""
    if record[WORD_STATIONARY] != 0:
        return 128 // m
    if record[WORD_BLOCKS] == 2 and m == 128 and record[WORD_SPARSE] == 0:
        return 2
    return 1


def halves_lanes(record: Ptr[i64], m: i32) -> i1:
    """Whether only sixteen lanes of each warp are used."""
    rows = m // i32(record[WORD_BLOCKS])
    return rows == 64 and record[WORD_STATIONARY] == 0 and banks_of(record, m) == 1


def lane_of_row(record: Ptr[i64], m: i32, row: i32, bank: i32) -> i32:
    """The lane of a row, of those of a block."""
    if halves_lanes(record, m):
        return row // 16 * 32 + row % 16
    return bank * (m // i32(record[WORD_BLOCKS])) + row
