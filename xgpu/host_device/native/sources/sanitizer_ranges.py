# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses to ranges of bytes, cell by cell."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i1, i32, i64, lshr, ptr, sizeof
from xgpu.host_device.native.records import (
    FLAG_ASYNC,
    FLAG_MODIFY,
    FLAG_WRITE,
    SanBlock,
    SanCell,
    SanPage,
    SanState,
    SanThread,
)
from xgpu.host_device.native.sources.sanitizer_pages import (
    cell_of,
    find_page,
    make_page,
    refine,
    spread,
    written_before,
)
from xgpu.host_device.native.sources.sanitizer_shadow import (
    CLOCK_MASK,
    begin_access,
    fresh,
    in_shared,
    read_cell,
    write_cell,
)
from xgpu.host_device.native.sources.sanitizer_state import AGENT_MASK, POISON


def cells_page(s: SanState, k: SanBlock, address: i64, bytes: i64, flags: i32) -> SanPage:
    """The page of an address, ready for an access to so many of its bytes. Global memory that bulk
    copies alone use, in multiples of 16 bytes, has a cell for so many."""
    page = find_page(s, address)
    if i64(page) == 0:
        shared = in_shared(k, address)
        of: i32 = -1
        if shared:
            of = -2
        page = make_page(s, address, of)
        if not shared:
            written_before(page)
    if ((address | bytes) & 3) != 0:
        refine(page, 0)
    elif ((address | bytes) & 15) != 0 or (flags & FLAG_ASYNC) == 0:
        refine(page, 2)
    elif i64(page.cells) == 0 and page.shift == 2 and page.allocation >= 0:
        page.shift = 4
    if i64(page.cells) == 0:
        spread(page)
    return page


def are_over(k: SanBlock, t: SanThread, cell: SanCell) -> i1:
    """Whether a thread plainly comes after all that have read a cell, in its own block."""
    reads = cell.r_context == k.context and (cell.r_clock & ~CLOCK_MASK) == 0
    return reads and (cell.r_who & AGENT_MASK) < k.count and t.block_clock >= cell.r_clock


def is_told(cell: SanCell, flags: i32) -> i1:
    """Whether an access to a cell is not counted as one of unwritten memory."""
    if (flags & (FLAG_WRITE | FLAG_MODIFY)) == FLAG_WRITE:
        return True
    return cell.w_context != 0 and (cell.w_clock & POISON) == 0


def touch(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, address: i64, size: i64, changes: i1,
) -> i1:  # fmt: skip
    """An access to bytes that are there. Whether it is in order."""
    begin_access(s, k, agent, clock, flags)
    fine = True
    at = address
    end = address + size
    while at < end:
        stop = (at & -4096) + 4096
        if stop > end:
            stop = end
        page = cells_page(s, k, at, stop - at, flags)
        step: i64 = 1 << i64(page.shift)
        cells = Ptr[i64](cell_of(page, at))
        left = (stop - at + step - 1) // step
        while left > 0:
            done = touch_run(s, k, t, self, agent, clock, site, flags, at, i32(size), changes,
                             cells, left)  # fmt: skip
            fine = fine and done > 0
            count = done if done > 0 else -done
            at = at + count * step
            cells = Ptr[i64](ptr(i64(cells) + count * sizeof(SanCell)))
            left = left - count
    return fine


def touch_run(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, at: i64, size: i32, changes: i1, words: Ptr[i64], most: i64,
) -> i64:  # fmt: skip
    """An access to the first of some cells and to those behind it that are as it was: what the
    access makes of a cell depends on that alone. How many, below zero where it is not in order."""
    cell = SanCell(words)
    a0 = words[0]
    a1 = words[1]
    a2 = words[2]
    a3 = words[3]
    alike = cell.r_more == 0
    compared: i64 = -1
    ignored: i64 = -1
    of_copies: i64 = 1 << 32  # the first agent that is no thread, where any warp may have read
    if in_shared(k, at):
        if cell.r_context < k.first or cell.r_context > k.last:
            compared = 0  # what has read was in a block that has ended
            ignored = -4294967296
        fresh(s, k, cell)
    alike = alike and is_told(cell, flags)
    if (flags & FLAG_WRITE) != 0 and are_over(k, t, cell):
        compared = ~(i64(AGENT_MASK) << 32)  # any warp has read
        ignored = -4294967296  # which lanes have read
        of_copies = i64(k.count)
    fine = True
    if (flags & FLAG_WRITE) != 0:
        fine = write_cell(s, k, t, self, agent, clock, site, flags, cell, at, size, changes)
    else:
        fine = read_cell(s, k, t, self, agent, clock, site, flags, cell, at, size)
    if not fine:
        return -1
    if not alike or cell.r_more != 0:
        return 1
    b0 = words[0]
    b1 = words[1]
    b2 = words[2]
    b3 = words[3]
    done: i64 = 1
    next = Ptr[i64](ptr(i64(words) + sizeof(SanCell)))
    while done < most:
        differs = (next[0] ^ a0) | (next[1] ^ a1)
        differs = differs | ((next[2] ^ a2) & compared) | ((next[3] ^ a3) & ignored)
        if differs != 0 or (lshr(next[2], 32) & AGENT_MASK) >= of_copies:
            return done
        next[0] = b0
        next[1] = b1
        next[2] = b2
        next[3] = b3
        next = Ptr[i64](ptr(i64(next) + sizeof(SanCell)))
        done += 1
    return done
