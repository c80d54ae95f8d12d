# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mma.sync, mma.sp.sync and wmma.mma for a whole warp.

Every lane has left a record: 16 words that say what is done, its registers of A, B and C one after
the other, a word of metadata (sparse A), two of scales (scaled blocks), and room for D.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import MISUSE_PARTIAL_WARP
from xgpu.host_device.native.prelude import Ptr, advance, extern, f64, i1, i32, i64, ptr, zext32
from xgpu.host_device.native.records import Thread
from xgpu.host_device.native.sources.elements import (
    TYPE_E2M1,
    TYPE_F32,
    TYPE_F64,
    TYPE_S4,
    TYPE_TF32,
    TYPE_U4,
    decode,
    element_bits,
    read_code,
    read_element,
    write_element,
)
from xgpu.host_device.native.sources.libc import free, malloc

# -- Which lane of a warp has which element of a matrix, and where among its registers.
#
# mma.sync as the PTX ISA says (9.7.14.5): the rows of A lie in groups of four lanes, as many
# elements a lane as a register holds. wmma, whose layout the ISA leaves open: element e of a
# row-major matrix lies in lane e / (elements / 32).


LAYOUT_WMMA = 0
LAYOUT_SYNC = 1
LAYOUT_QUADS = 2

# A place is lane * SLOTS + the number of the element among those of the lane.
SLOTS = 1024


def place(lane: i32, slot: i32) -> i64:
    return i64(lane * SLOTS + slot)


def fragment_place(
    which: i32, row: i32, col: i32, rows: i32, cols: i32, width: i32, layout: i32
) -> i64:
    """`which`: 0 A, 1 B, 2 C and D. `width`: elements in a register of A and B."""
    if layout == LAYOUT_WMMA:
        per_lane = rows * cols // 32
        index = row * cols + col
        return place(index // per_lane, index % per_lane)
    span = 4 * width
    if which == 0:
        # Registers go down eight rows first, then to the right; eight rows have one after another.
        tall = i32(2) if rows > 8 else i32(1)
        upper = zext32(row >= 8) + tall * (col // span)
        return place(row % 8 * 4 + col % span // width, col % width + width * upper)
    if which == 1:
        return place(col * 4 + row % span // width, row % width + width * (row // span))
    return place(row % 8 * 4 + col // 2, (col & 1) + 2 * zext32(row >= 8))


def quad_place(which: i32, quad: i32, row: i32, col: i32, transposed: i32, is_single: i32) -> i64:
    """mma.m8n8k4 of f16: lanes 4 q to 4 q + 3 and those 16 on have a product of their own.

    `transposed`: A by columns, B by rows. `is_single`: C or D of f32.
    """
    if which == 0 and transposed == 0:
        return place(quad_lane(quad, row % 4, row // 4), col)
    if which == 0:
        return place(quad_lane(quad, col, row // 4), row % 4)
    if which == 1 and transposed != 0:
        return place(quad_lane(quad, row, col // 4), col % 4)
    if which == 1:
        return place(quad_lane(quad, col % 4, col // 4), row)
    if is_single == 0:
        return place(quad_lane(quad, row % 4, row // 4), col)
    lane = (row & 1) + (col & 2)
    return place(quad_lane(quad, lane, row // 4), (row & 2) + (col & 4) + (col & 1))


def quad_lane(quad: i32, lane: i32, upper: i32) -> i32:
    return quad * 4 + lane + 16 * upper


def metadata_place(row: i32, group: i32, words: i32, selector: i32, halves: i32) -> i64:
    """Of sparse A: which lane's word says which elements a row's `group` has, and from which bit.

    With `halves` a word has 16 bits of row g and of row g + 8, else 32 bits of one row. `words`
    is how many lanes of four have a word; `selector` says which. A group takes four bits.
    """
    g = row % 8
    upper = row // 8
    lane: i32 = 0
    bit: i32 = 0
    if halves != 0:
        lane = group // 4
        bit = group % 4 * 4 + 16 * upper
    else:
        lane = group // 8 * 2 + upper
        bit = group % 8 * 4
    return i64((g * 4 + selector * words + lane) * 32 + bit)


# -- Products of small matrices of doubles, row by row, and what tensor operations share.


@extern
def xgpu_misuse(t: Thread, kind: i32) -> None: ...
@extern
def xgpu_warp_with(t: Thread, function: ptr, value: ptr) -> i1: ...


def multiply(m: i32, n: i32, k: i32, a: Ptr[f64], b: Ptr[f64], d: Ptr[f64]) -> None:
    """D (m x n) gets A (m x k) times B (k x n) added."""
    for i in range(m):
        for step in range(k):
            x = a[i * k + step]
            for j in range(n):
                d[i * n + j] = d[i * n + j] + x * b[step * n + j]


def count_differences(m: i32, n: i32, k: i32, a: Ptr[f64], b: Ptr[f64], d: Ptr[f64]) -> None:
    """D gets the number of places added where a row of A and a column of B, of ones and zeros,
    differ."""
    for i in range(m):
        for step in range(k):
            x = a[i * k + step]
            for j in range(n):
                y = b[step * n + j]
                d[i * n + j] = d[i * n + j] + x + y - 2.0 * x * y


def thread_of_lane(t: Thread, lane: i32) -> Thread:
    """A lane of the warp of `t`."""
    return t.block.threads[(t.linear & -32) + lane]


def lane_memory(t: Thread, lane: i32) -> ptr:
    """What a lane of the warp of `t` has left for the others."""
    return ptr(thread_of_lane(t, lane).value)


def require_warp(t: Thread) -> None:
    """Matrix operations are of 32 lanes."""
    if t.block.count - (t.linear & -32) < 32:
        xgpu_misuse(t, MISUSE_PARTIAL_WARP)


def doubles(p: ptr, index: i64) -> Ptr[f64]:
    """The address of a double among many."""
    return Ptr[f64](advance(p, index * 8))


# -- Sparse A: of four elements two are there (of two one, for tf32; of four pairs two, for 4 bits),
# and four bits of metadata for each group say which.


# How many columns a group has; half of them are stored.
ONE_OF_2 = 2
TWO_OF_4 = 4
PAIRS_OF_8 = 8


def column_in_row(group: i32, s: i32, bits: i32) -> i32:
    """Which column of a row stored element `s` is. `group`: columns of a group, whose four bits of
    metadata are `bits`."""
    if group == ONE_OF_2:
        return s * 2 + (bits & 3) // 2
    if group == PAIRS_OF_8:
        return s // 4 * 8 + ((bits >> (s // 2 % 2 * 2)) & 3) * 2 + s % 2
    return s // 2 * 4 + ((bits >> (s % 2 * 2)) & 3)


def dense_column(t: Thread, type: i32, k: i32, selector: i32, at: i64, row: i32, s: i32) -> i32:
    """Which of the k columns stored element `s` of a row is. Each lane has left a word of metadata
    `at` bytes into its record; `selector` says whose count."""
    group: i32 = TWO_OF_4
    if type == TYPE_TF32:
        group = ONE_OF_2
    elif type in (TYPE_S4, TYPE_U4, TYPE_E2M1):
        group = PAIRS_OF_8
    bits = metadata(t, type, k, selector, at, row, s // (group // 2), group)
    return column_in_row(group, s, bits)


def metadata(
    t: Thread, type: i32, k: i32, selector: i32, at: i64, row: i32, which: i32, group: i32
) -> i32:
    """The four bits of a group of a row."""
    halves = zext32(element_bits(type) > 8)
    words = k // group // 4
    place = metadata_place(row, which, words, selector, halves)
    word = Ptr[i32](advance(lane_memory(t, i32(place // 32)), at))
    return (word[0] >> i32(place % 32)) & 15


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
