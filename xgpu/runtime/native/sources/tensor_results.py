# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""D of tcgen05.mma, in tensor memory."""

from __future__ import annotations

from xgpu.runtime.native.prelude import Ptr, advance, bits_f64, f64, i1, i32, i64
from xgpu.runtime.native.records import Thread
from xgpu.runtime.native.sources.elements import (
    TYPE_F16,
    TYPE_F32,
    TYPE_S32,
    read_element,
    write_element,
)
from xgpu.runtime.native.sources.tensor_memory import block_of, cell
from xgpu.runtime.native.sources.tensor_record import (
    KIND_I8,
    KIND_MXF8F6F4,
    MASK,
    WORD_BLOCKS,
    WORD_D,
    WORD_ENABLE_D,
    WORD_INSTRUCTION,
    WORD_KIND,
    WORD_MASKED,
    WORD_SCALE_D,
    banks_of,
    lane_of_row,
)


def result_lane(record: Ptr[i64], i: i32, j: i32, m: i32, n: i32) -> i32:
    """The lane of an element of D in its block."""
    rows = m // i32(record[WORD_BLOCKS])
    return lane_of_row(record, m, i % rows, j // (n // banks_of(record, m)))


def result_cell(
    t: Thread, record: Ptr[i64], i: i32, j: i32, m: i32, n: i32, writes: i32
) -> Ptr[i32]:
    blocks = i32(record[WORD_BLOCKS])
    b = block_of(t, blocks, i // (m // blocks))
    address = i32(record[WORD_D])
    lane = result_lane(record, i, j, m, n) + (address >> 16)
    return cell(t, b, lane, j % (n // banks_of(record, m)) + (address & 65535), writes)


def result_type(record: Ptr[i64]) -> i32:
    if record[WORD_KIND] >= KIND_MXF8F6F4:
        return TYPE_F32
    code = (i32(record[WORD_INSTRUCTION]) >> 4) & 3
    if code == 0:
        return TYPE_F16
    return i32(TYPE_F32) if code == 1 else i32(TYPE_S32)


def read_result(t: Thread, record: Ptr[i64], m: i32, n: i32, to: Ptr[f64]) -> None:
    type = result_type(record)
    factor = bits_f64((1023 - record[WORD_SCALE_D]) << 52)
    for i in range(m):
        for j in range(n):
            value = 0.0
            if record[WORD_ENABLE_D] != 0:
                value = read_element(result_cell(t, record, i, j, m, n, 0), 0, type) * factor
            to[i * n + j] = value


def write_result(t: Thread, record: Ptr[i64], m: i32, n: i32, d: Ptr[f64]) -> None:
    type = result_type(record)
    saturates = i32(0)
    if record[WORD_KIND] == KIND_I8:
        saturates = i32(record[WORD_INSTRUCTION]) & 8
    for i in range(m):
        for j in range(n):
            lane = result_lane(record, i, j, m, n) + (i32(record[WORD_D]) >> 16)
            if not is_masked(record, lane, i, m):
                place = result_cell(t, record, i, j, m, n, 1)
                place[0] = 0
                write_element(place, 0, type, d[i * n + j], saturates)


def is_masked(record: Ptr[i64], lane: i32, i: i32, m: i32) -> i1:
    """Whether a lane of D is left as it is."""
    if record[WORD_MASKED] == 0:
        return False
    bit = lane
    if record[WORD_BLOCKS] == 2:
        bit = lane + i // (m // 2) * 128
    words = Ptr[i32](advance(record, MASK))
    return ((words[bit // 32] >> (bit % 32)) & 1) != 0
