# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metadata of tcgen05.mma.sp, in tensor memory.

A row has 32 bits with elements of 16 and 32 bits, else 64. They begin at an even column, and the
selector says which of two columns the 32 bits are in. 64 bits lie in the row's lane; of 32 bits two
rows whose numbers differ by eight share two lanes: the first half of each row in the lane of the
upper row, the second half in that of the lower one, the upper row's in the low bits.
"""

from __future__ import annotations

from xgpu.host_device.native.codes import MISUSE_TENSOR_METADATA
from xgpu.host_device.native.prelude import Ptr, i1, i32, i64
from xgpu.host_device.native.records import Block, Thread
from xgpu.host_device.native.sources.products import xgpu_misuse
from xgpu.host_device.native.sources.sparse import ONE_OF_2, PAIRS_OF_8, TWO_OF_4, column_in_row
from xgpu.host_device.native.sources.tensor_memory import cell
from xgpu.host_device.native.sources.tensor_record import (
    KIND_F8F6F4,
    KIND_MXF4,
    KIND_MXF8F6F4,
    KIND_TF32,
    WORD_A,
    WORD_A_IN_TENSOR,
    WORD_D,
    WORD_INSTRUCTION,
    WORD_KIND,
    WORD_METADATA,
    halves_lanes,
    lane_of_row,
)


def has_halves(record: Ptr[i64]) -> i1:
    """Whether a row has 32 bits of metadata."""
    return record[WORD_KIND] < KIND_F8F6F4


def selector_of(record: Ptr[i64]) -> i32:
    """Kinds with scales take no notice of it."""
    if record[WORD_KIND] >= KIND_MXF8F6F4:
        return 0
    return i32(record[WORD_INSTRUCTION]) & 3


def check_metadata(t: Thread, record: Ptr[i64], m: i32) -> None:
    """Where half of the lanes are used, D, A and metadata use the same half."""
    selector = selector_of(record)
    address = i32(record[WORD_METADATA])
    valid = address % 2 == 0 and (selector == 0 or (selector == 1 and has_halves(record)))
    lane = address >> 16
    if halves_lanes(record, m):
        valid = valid and lane == i32(record[WORD_D]) >> 16 and lane % 16 == 0
        if record[WORD_A_IN_TENSOR] != 0:
            valid = valid and lane == i32(record[WORD_A]) >> 16
    else:
        valid = valid and lane == 0
    if not valid:
        xgpu_misuse(t, MISUSE_TENSOR_METADATA)


def stored_column(
    t: Thread, b: Block, record: Ptr[i64], m: i32, row: i32, bank: i32, s: i32
) -> i32:
    """Which of the k columns of A stored element `s` of a row is."""
    group: i32 = TWO_OF_4
    if record[WORD_KIND] == KIND_TF32:
        group = ONE_OF_2
    elif record[WORD_KIND] == KIND_MXF4:
        group = PAIRS_OF_8
    which = s // (group // 2)
    lane = lane_of_row(record, m, row, bank)
    column = selector_of(record)
    shift = which % 8 * 4
    if has_halves(record):
        shift = which % 4 * 4 + lane // 8 % 2 * 16
        lane = lane // 16 * 16 + lane % 8 + which // 4 * 8
    else:
        column = which // 8
    address = i32(record[WORD_METADATA])
    word = cell(t, b, lane + (address >> 16), (address & 65535) + column, 0)
    return column_in_row(group, s, (word[0] >> shift) & 15)
