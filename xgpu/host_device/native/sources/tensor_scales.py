# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scales of blocks of tcgen05.mma, in tensor memory: row r has its own in lane r % 32, column
r / 32, side by side in the bytes. Sparse A has as many, each for twice as many columns."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, f64, i8, i32, i64, zext32
from xgpu.host_device.native.records import Block, Thread
from xgpu.host_device.native.sources.elements import TYPE_UE4M3, TYPE_UE8M0, decode
from xgpu.host_device.native.sources.tensor_memory import block_of, cell
from xgpu.host_device.native.sources.tensor_record import (
    WORD_BLOCKS,
    WORD_INSTRUCTION,
    WORD_SCALES,
    WORD_SCALES_A,
    WORD_SCALES_B,
)


def scale_type(record: Ptr[i64]) -> i32:
    is_exponent = (i32(record[WORD_INSTRUCTION]) & 8388608) != 0
    return i32(TYPE_UE8M0) if is_exponent else i32(TYPE_UE4M3)


def scale_rows(t: Thread, record: Ptr[i64], m: i32, k: i32, a: Ptr[f64]) -> None:
    blocks = i32(record[WORD_BLOCKS])
    count = i32(record[WORD_SCALES])
    first = (i32(record[WORD_INSTRUCTION]) >> 29) & 3
    each = m // blocks
    for i in range(m):
        owner = block_of(t, blocks, i // each)
        for block in range(count):
            address = i32(record[WORD_SCALES_A])
            factor = tensor_scale(t, owner, address, i % each, first + block, scale_type(record))
            for step in range(k // count):
                at = i * k + block * (k // count) + step
                a[at] = a[at] * factor


def scale_columns(t: Thread, record: Ptr[i64], n: i32, k: i32, b: Ptr[f64]) -> None:
    count = i32(record[WORD_SCALES])
    first = (i32(record[WORD_INSTRUCTION]) >> 4) & 3
    for j in range(n):
        for block in range(count):
            address = i32(record[WORD_SCALES_B])
            factor = tensor_scale(t, t.block, address, j, first + block, scale_type(record))
            for step in range(k // count):
                at = (block * (k // count) + step) * n + j
                b[at] = b[at] * factor


def tensor_scale(t: Thread, b: Block, address: i32, row: i32, byte: i32, type: i32) -> f64:
    place = cell(t, b, (address >> 16) + row % 32, (address & 65535) + row // 32, 0)
    bytes = Ptr[i8](place)
    return decode(zext32(bytes[byte & 3]), type)
