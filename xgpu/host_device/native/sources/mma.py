# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mma.sync, mma.sp.sync and wmma.mma for a whole warp.

Every lane has left a record: 16 words that say what is done, its registers of A, B and C one after
the other, a word of metadata (sparse A), two of scales (scaled blocks), and room for D.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, advance, extern, f64, i1, i32, i64, ptr, zext32
from xgpu.host_device.native.records import Thread
from xgpu.host_device.native.sources.elements import (
    TYPE_F32,
    TYPE_F64,
    decode,
    element_bits,
    read_code,
    read_element,
    write_element,
)
from xgpu.host_device.native.sources.fragments import (
    LAYOUT_QUADS,
    SLOTS,
    fragment_place,
    quad_place,
)
from xgpu.host_device.native.sources.libc import free, malloc
from xgpu.host_device.native.sources.products import (
    count_differences,
    doubles,
    lane_memory,
    multiply,
    require_warp,
    xgpu_warp_with,
)
from xgpu.host_device.native.sources.sparse import dense_column

# The words of a record.
WORD_TYPE_A = 3
WORD_TYPE_B = 4
WORD_LAYOUT = 7
WORD_BYTES_A = 8
WORD_BYTES_B = 9
WORD_BYTES_C = 10
WORD_FLAGS = 11
WORD_SELECTOR = 12
WORD_SCALES = 13
WORD_SCALE_TYPE = 14
WORD_SCALE_IDS = 15
HEADER = 64

FLAG_SATURATE = 1
FLAG_DIFFERENCES = 2
FLAG_SPARSE = 4
FLAG_COLUMNS_A = 8
FLAG_ROWS_B = 16


@extern
def tensor_mma_address() -> ptr: ...


def xgpu_tensor_mma(t: Thread, record: ptr) -> i1:
    return xgpu_warp_with(t, tensor_mma_address(), record)


def tensor_mma(t: Thread) -> None:
    """All lanes of the warp are there."""
    require_warp(t)
    h = Ptr[i32](ptr(t.value))
    m = h[0]
    n = h[1]
    k = h[2]
    memory = malloc((i64(m * k) + i64(k * n) + i64(m * n)) * 8)
    a = doubles(memory, 0)
    b = doubles(memory, i64(m * k))
    c = doubles(memory, i64(m * k + k * n))
    quads = i32(4) if h[WORD_LAYOUT] == LAYOUT_QUADS else i32(1)
    for quad in range(quads):
        if (h[WORD_FLAGS] & FLAG_SPARSE) != 0:
            gather_sparse(t, h, a)
        else:
            gather(t, h, 0, quad, m, k, a)
        gather(t, h, 1, quad, k, n, b)
        gather(t, h, 2, quad, m, n, c)
        if h[WORD_SCALES] != 0:
            scale_operands(t, h, a, b)
        if (h[WORD_FLAGS] & FLAG_DIFFERENCES) != 0:
            count_differences(m, n, k, a, b, c)
        else:
            multiply(m, n, k, a, b, c)
        scatter(t, h, quad, c)
    free(memory)


def begin_of(h: Ptr[i32], which: i32) -> i64:
    """Where A, B, C, what follows C (3) and D (4) begin in a record."""
    at: i64 = 64
    if which > 0:
        at = at + i64(h[WORD_BYTES_A])
    if which > 1:
        at = at + i64(h[WORD_BYTES_B])
    if which > 2:
        at = at + i64(h[WORD_BYTES_C])
    if which > 3 and (h[WORD_FLAGS] & FLAG_SPARSE) != 0:
        at = at + 4
    if which > 3 and h[WORD_SCALES] != 0:
        at = at + 8
    return at


def element_place(h: Ptr[i32], which: i32, quad: i32, row: i32, col: i32, cols: i32) -> i64:
    """Of an element of A, B, C (2) or D (3)."""
    layout = h[WORD_LAYOUT]
    matrix = i32(2) if which > 2 else which
    if layout == LAYOUT_QUADS:
        transposed = h[WORD_FLAGS] & (i32(FLAG_COLUMNS_A) if which == 0 else i32(FLAG_ROWS_B))
        return quad_place(
            matrix, quad, row, col, transposed, zext32(h[WORD_TYPE_A + which] == TYPE_F32)
        )
    bits = element_bits(h[WORD_TYPE_A])
    width = i32(1) if h[WORD_TYPE_A] == TYPE_F64 else 32 // bits
    rows = h[1]
    if which != 1:
        rows = h[0]
    elif layout == 0:
        rows = h[2]
    return fragment_place(matrix, row, col, rows, cols, width, layout)


def gather(
    t: Thread, h: Ptr[i32], which: i32, quad: i32, rows: i32, cols: i32, to: Ptr[f64]
) -> None:
    """A matrix from the registers of all lanes."""
    type = h[WORD_TYPE_A + which]
    begin = begin_of(h, which)
    for row in range(rows):
        for col in range(cols):
            at = element_place(h, which, quad, row, col, cols)
            registers = advance(lane_memory(t, i32(at // SLOTS)), begin)
            to[row * cols + col] = read_element(registers, at % SLOTS, type)


def scatter(t: Thread, h: Ptr[i32], quad: i32, c: Ptr[f64]) -> None:
    n = h[1]
    type = h[WORD_TYPE_A + 3]
    begin = begin_of(h, 4)
    for row in range(h[0]):
        for col in range(n):
            at = element_place(h, 3, quad, row, col, n)
            registers = advance(lane_memory(t, i32(at // SLOTS)), begin)
            value = c[row * n + col]
            write_element(registers, at % SLOTS, type, value, h[WORD_FLAGS] & FLAG_SATURATE)


# -- sparse A


def gather_sparse(t: Thread, h: Ptr[i32], to: Ptr[f64]) -> None:
    type = h[WORD_TYPE_A]
    k = h[2]
    stored = k // 2
    begin = begin_of(h, 0)
    for i in range(h[0] * k):
        to[i] = 0.0
    for row in range(h[0]):
        for s in range(stored):
            at = element_place(h, 0, 0, row, s, stored)
            registers = advance(lane_memory(t, i32(at // SLOTS)), begin)
            value = read_element(registers, at % SLOTS, type)
            column = dense_column(t, type, k, h[WORD_SELECTOR], begin_of(h, 3), row, s)
            to[row * k + column] = value


# -- scaled blocks: a scale for some columns of each row of A, for some rows of each column of B


def scale_operands(t: Thread, h: Ptr[i32], a: Ptr[f64], b: Ptr[f64]) -> None:
    n = h[1]
    k = h[2]
    blocks = h[WORD_SCALES]
    ids = h[WORD_SCALE_IDS]
    begin = begin_of(h, 4) - 8
    for block in range(blocks):
        first = block * (k // blocks)
        for row in range(h[0]):
            lane = row % 8 * 4 + (ids >> 4 & 15) * 2 + row // 8
            factor = scale_of(t, h, lane, begin, (ids & 15) + block)
            for step in range(first, first + k // blocks):
                a[row * k + step] = a[row * k + step] * factor
        for col in range(n):
            lane = col * 4 + (ids >> 12 & 15)
            factor = scale_of(t, h, lane, begin + 4, (ids >> 8 & 15) + block)
            for step in range(first, first + k // blocks):
                b[step * n + col] = b[step * n + col] * factor


def scale_of(t: Thread, h: Ptr[i32], lane: i32, begin: i64, byte: i32) -> f64:
    word = advance(lane_memory(t, lane), begin)
    return decode(read_code(word, i64(byte), 8), h[WORD_SCALE_TYPE])
