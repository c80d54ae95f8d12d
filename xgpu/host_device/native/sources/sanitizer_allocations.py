# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that kernels may use: told of by the host, and found by an address."""

from __future__ import annotations

from xgpu.host_device.native.prelude import i1, i32, i64, sizeof
from xgpu.host_device.native.records import SanAllocation, SanPage, SanState
from xgpu.host_device.native.sources.sanitizer_pages import (
    cell_of,
    find_page,
    forget_page,
    is_of_blocks,
    make_page,
    refine,
    written_before,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    ALLOCATION_DEVICE,
    ALLOCATION_HOST,
    ALLOCATION_SHARED,
    GONE,
    LIVE,
    PAGE,
    POISON,
    RELEASED,
    enter,
    grown,
    xgpu_san_leave,
    xgpu_san_stack,
    xgpu_san_state,
)


def xgpu_san_allocate(begin: i64, size: i64, kind: i32) -> i32:
    """Memory that kernels may use from here on; the number of the allocation."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    number = add_allocation(s, begin, size, kind)
    xgpu_san_leave(who)
    return number


def add_allocation(s: SanState, begin: i64, size: i64, kind: i32) -> i32:
    number = s.allocation_count
    if number >= s.allocation_room:
        room = i64(number) * 2 + 256
        used = i64(number) * sizeof(SanAllocation)
        s.allocations = SanAllocation(grown(s.allocations, used, room * sizeof(SanAllocation)))
        s.allocation_room = i32(room)
    s.allocation_count = number + 1
    a = s.allocations[i64(number)]
    a.begin = begin
    a.size = size
    a.kind = kind
    a.state = LIVE
    register_pages(s, number, begin, size, kind)
    return number


def register_pages(s: SanState, number: i32, begin: i64, size: i64, kind: i32) -> None:
    """Device memory has pages of its own; host memory shares them with other memory."""
    at = begin & -PAGE
    while at < begin + size:
        known = find_page(s, at)
        inner = at >= begin and at + PAGE <= begin + size
        mixed = kind == ALLOCATION_HOST and not inner
        if i64(known) != 0 and (not mixed or is_over(s, known)):
            forget_page(s, known)
        page = make_page(s, at, -1 if mixed else number)
        if kind != ALLOCATION_DEVICE:
            written_before(page)
        if mixed:
            refine(page)
            count_as_written(page, begin, begin + size)
        at = at + PAGE


def is_over(s: SanState, page: SanPage) -> i1:
    """Whether a page was that of one allocation, whose memory has been given to others since, or of
    a block's own memory: what nobody had written there says nothing of theirs."""
    if is_of_blocks(page):
        return True
    return page.allocation >= 0 and s.allocations[i64(page.allocation)].state != LIVE


def count_as_written(page: SanPage, begin: i64, end: i64) -> None:
    """Of a page of several, the part that is now somebody's: what a kernel has copied to who had it
    before was nothing, perhaps."""
    if i64(page.cells) == 0:
        return
    step: i64 = 1 << i64(page.shift)
    at = begin if begin > page.address else page.address
    while at < end and at < page.address + PAGE:
        cell = cell_of(page, at)
        if cell.w_context == 0 or (cell.w_clock & POISON) != 0:
            cell.w_context = 1
            cell.w_clock = 1
        at = at + step


def xgpu_san_release(number: i32) -> None:
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    s.allocations[i64(number)].state = RELEASED
    xgpu_san_leave(who)


def allocation_at(s: SanState, page: SanPage, address: i64) -> i32:
    """The live allocation that holds an address of a page that several share, or -1."""
    if page.allocation >= 0:
        return page.allocation
    number = s.allocation_count - 1
    while number >= 0:
        a = s.allocations[i64(number)]
        if a.state == LIVE and address >= a.begin and address < a.begin + a.size:
            return number
        number = number - 1
    return -1


def shared_page(s: SanState, address: i64) -> SanPage:
    """The page of an address, null where it is the host's alone: of memory that is not registered,
    or no longer, nobody knows what the host does."""
    page = find_page(s, address)
    if i64(page) == 0:
        return page
    number = allocation_at(s, page, address)
    if number < 0 or is_plain(s, number):
        return SanPage(None)
    return page


def is_plain(s: SanState, number: i32) -> i1:
    """Whether an allocation was the host's and is no longer registered."""
    a = s.allocations[i64(number)]
    return a.kind == ALLOCATION_HOST and a.state != LIVE


def nearest_allocation(s: SanState, address: i64) -> i32:
    """The allocation that an address misses by the least, if that is less than a mebibyte."""
    best: i32 = -1
    least: i64 = 1048576
    for number in range(s.allocation_count):
        a = s.allocations[i64(number)]
        distance = a.begin - address
        if distance < 0:
            distance = address - (a.begin + a.size) + 1
        if distance < least and a.kind != ALLOCATION_SHARED and a.state != GONE:
            least = distance
            best = number
    return best
