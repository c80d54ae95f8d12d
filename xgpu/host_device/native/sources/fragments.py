# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which lane of a warp has which element of a matrix, and where among its registers.

mma.sync as the PTX ISA says (9.7.14.5): the rows of A lie in groups of four lanes, as many elements
a lane as a register holds. wmma, whose layout the ISA leaves open: element e of a row-major matrix
lies in lane e / (elements / 32).
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import i32, i64, zext32

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
