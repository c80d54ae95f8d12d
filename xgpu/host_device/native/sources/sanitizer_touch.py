# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses to ranges of bytes, cell by cell."""

from __future__ import annotations

from xgpu.host_device.native.prelude import i1, i32, i64
from xgpu.host_device.native.records import SanBlock, SanPage, SanState, SanThread
from xgpu.host_device.native.sources.sanitizer_pages import (
    cell_of,
    find_page,
    make_page,
    refine,
    spread,
    written_before,
)
from xgpu.host_device.native.sources.sanitizer_shadow import (
    FLAG_WRITE,
    begin_access,
    fresh,
    read_cell,
    write_cell,
)


def in_shared(k: SanBlock, address: i64) -> i1:
    if k.window == 0 or address < k.begin:
        return False
    return address < k.begin + k.window * i64(k.last - k.first + 1)


def cells_page(s: SanState, k: SanBlock, address: i64, bytes: i64) -> SanPage:
    """The page of an address, ready for an access to so many of its bytes."""
    page = find_page(s, address)
    if i64(page) == 0:
        shared = in_shared(k, address)
        of: i32 = -1
        if shared:
            of = -2
        page = make_page(s, address, of)
        if not shared:
            written_before(page)
    if page.shift != 0 and ((address | bytes) & 3) != 0:
        refine(page)
    if i64(page.cells) == 0:
        spread(page)
    return page


def touch(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, address: i64, size: i64, changes: i1,
) -> i1:  # fmt: skip
    """An access to bytes that are there. Whether it is in order."""
    begin_access(s, k, agent, clock, flags)
    fine = True
    shared = in_shared(k, address)
    at = address
    end = address + size
    while at < end:
        stop = (at & -4096) + 4096
        if stop > end:
            stop = end
        page = cells_page(s, k, at, stop - at)
        step: i64 = 1 << i64(page.shift)
        while at < stop:
            cell = cell_of(page, at)
            if shared:
                fresh(s, k, cell)
            if (flags & FLAG_WRITE) != 0:
                fine = write_cell(s, k, t, self, agent, clock, site, flags, cell, at, i32(size),
                                  changes) and fine  # fmt: skip
            else:
                fine = (
                    read_cell(s, k, t, self, agent, clock, site, flags, cell, at, i32(size))
                    and fine
                )
            at = at + step
    return fine
