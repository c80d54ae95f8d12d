# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05.cp: from shared to tensor memory, as it is or unpacked. And tcgen05.shift, which moves
rows within tensor memory."""

from __future__ import annotations

from xgpu.host_device.abi.codes import MISUSE_TENSOR_SHIFT
from xgpu.host_device.native.prelude import Ptr, advance, i32, i64, ptr
from xgpu.host_device.native.records import Block, Thread
from xgpu.host_device.native.sources.descriptors import operand_address
from xgpu.host_device.native.sources.mma import xgpu_misuse
from xgpu.host_device.native.sources.tensor_memory import block_of, cell, note_piece
from xgpu.host_device.native.sources.warp_matrices import FORMAT_PLAIN, packed_byte

COPY_ALL = 0
COPY_2_02_13 = 1
COPY_2_01_23 = 2
COPY_4 = 3


def xgpu_tensor_copy(
    t: Thread,
    address: i64,
    descriptor: i64,
    rows: i32,
    bytes: i32,
    spread: i32,
    blocks: i32,
    format: i32,
) -> None:
    """`rows` of `bytes`; `spread`: to which warps' lanes. In each of `blocks` blocks of a pair.
    Other than plain, 16 elements at the begin of 16 bytes become a byte each."""
    for pair in range(blocks):
        b = block_of(t, blocks, pair)
        for row in range(rows):
            for part in range(bytes // 16):
                at = operand_address(descriptor, i64(row), i64(part * 16), 0, 1)
                note_piece(b, at)
                source = advance(b.shared, at)
                copy_row(t, b, address, source, row, part * 4, spread, format)


def copy_row(
    t: Thread, b: Block, address: i64, source: ptr, row: i32, column: i32, spread: i32, format: i32
) -> None:
    """16 bytes to the lanes that a row goes to."""
    first = i32(address) >> 16
    at = (i32(address) & 65535) + column
    if spread == COPY_ALL:
        put_row(t, b, first + row, at, source, format)
    elif spread == COPY_2_02_13:
        put_row(t, b, first + row, at, source, format)
        put_row(t, b, first + row + 64, at, source, format)
    elif spread == COPY_2_01_23:
        put_row(t, b, first + row // 32 * 64 + row % 32, at, source, format)
        put_row(t, b, first + row // 32 * 64 + row % 32 + 32, at, source, format)
    else:
        for warp in range(i32(4)):
            put_row(t, b, first + row + 32 * warp, at, source, format)


def put_row(t: Thread, b: Block, lane: i32, column: i32, source: ptr, format: i32) -> None:
    for part in range(i32(4)):
        place = cell(t, b, lane, column + part, 1)
        if format == FORMAT_PLAIN:
            place[0] = Ptr[i32](source)[i64(part)]
        else:
            place[0] = unpacked_word(source, part * 4, format)


def unpacked_word(source: ptr, first: i32, format: i32) -> i32:
    """Four elements of 4 bits, each in the middle of a byte, where .kind::mxf8f6f4 looks for it."""
    found: i32 = 0
    for i in range(i32(4)):
        found = found | (packed_byte(source, first + i, format) << (8 * i + 2))
    return found


# -- rows go down by one: row i + 1 to row i, among the 32 lanes of a warp; the last one stays

SHIFTED_COLUMNS = 8


def xgpu_tensor_shift(t: Thread, address: i64, blocks: i32) -> None:
    """32 bytes of 32 lanes from an address on, in each of `blocks` blocks of a pair."""
    lane = i32(address) >> 16
    if lane % 32 != 0:
        xgpu_misuse(t, MISUSE_TENSOR_SHIFT)
    for pair in range(blocks):
        shift_rows(t, block_of(t, blocks, pair), lane, i32(address) & 65535)


def shift_rows(t: Thread, b: Block, lane: i32, column: i32) -> None:
    for row in range(i32(31)):
        for part in range(SHIFTED_COLUMNS):
            source = cell(t, b, lane + row + 1, column + i32(part), 0)
            target = cell(t, b, lane + row, column + i32(part), 1)
            target[0] = source[0]
