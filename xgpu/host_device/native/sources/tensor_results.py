# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""D of tcgen05.mma, in tensor memory."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, advance, bits_f64, f64, i1, i32, i64
from xgpu.host_device.native.records import Block, Thread
from xgpu.host_device.native.sources.elements import (
    TYPE_F16,
    TYPE_F32,
    TYPE_S32,
    read_element,
    write_element,
)
from xgpu.host_device.native.sources.tensor_memory import block_of, cell
from xgpu.host_device.native.sources.tensor_record import (
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
    if record[WORD_ENABLE_D] == 0:
        for at in range(m * n):
            to[at] = 0.0
        return
    banks = banks_of(record, m)
    width = n // banks
    column = i32(record[WORD_D]) & 65535
    for i in range(m):
        b = block_of_row(t, record, i, m)
        for bank in range(banks):
            lane = result_lane(record, i, m, bank)
            for j in range(width):
                place = cell(t, b, lane, column + j, 0)
                to[i * n + bank * width + j] = read_element(place, 0, type) * factor


def write_result(t: Thread, record: Ptr[i64], m: i32, n: i32, d: Ptr[f64]) -> None:
    type = result_type(record)
    saturates = i32(0)
    if record[WORD_KIND] == KIND_I8:
        saturates = i32(record[WORD_INSTRUCTION]) & 8
    banks = banks_of(record, m)
    width = n // banks
    column = i32(record[WORD_D]) & 65535
    for i in range(m):
        b = block_of_row(t, record, i, m)
        for bank in range(banks):
            lane = result_lane(record, i, m, bank)
            if not is_masked(record, lane, i, m):
                for j in range(width):
                    place = cell(t, b, lane, column + j, 1)
                    place[0] = 0
                    write_element(place, 0, type, d[i * n + bank * width + j], saturates)


def block_of_row(t: Thread, record: Ptr[i64], i: i32, m: i32) -> Block:
    blocks = i32(record[WORD_BLOCKS])
    return block_of(t, blocks, i // (m // blocks))


def result_lane(record: Ptr[i64], i: i32, m: i32, bank: i32) -> i32:
    """The lane of a row of D, for the columns of a bank."""
    rows = m // i32(record[WORD_BLOCKS])
    return lane_of_row(record, m, i % rows, bank) + (i32(record[WORD_D]) >> 16)


def is_masked(record: Ptr[i64], lane: i32, i: i32, m: i32) -> i1:
    """Whether a lane of D is left as it is."""
    if record[WORD_MASKED] == 0:
        return False
    bit = lane
    if record[WORD_BLOCKS] == 2:
        bit = lane + i // (m // 2) * 128
    words = Ptr[i32](advance(record, MASK))
    return ((words[bit // 32] >> (bit % 32)) & 1) != 0
