# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the host does: copies and fills between buffers, and loads and stores of its own code."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i1, i32, i64, ptr, sizeof
from xgpu.host_device.native.records import (
    CODE_DEVICE_SPACE,
    CODE_FREED,
    CODE_HEAP_FREE,
    CODE_NO_BLOCK,
    FLAG_ATOMIC,
    FLAG_COPY,
    FLAG_WRITE,
    SanBlock,
    SanPage,
    SanState,
    SanThread,
    Thread,
)
from xgpu.host_device.native.sources.sanitizer_access import (
    aligned,
    complain,
    flags_of,
    inside,
    is_private,
    site_of,
    sites_of,
    size_in,
)
from xgpu.host_device.native.sources.sanitizer_clocks import block_of, clocks_of
from xgpu.host_device.native.sources.sanitizer_copies import cell_or_whole, poison
from xgpu.host_device.native.sources.sanitizer_pages import (
    add_allocation,
    allocation_at,
    find_page,
    freed_at,
    is_plain,
    is_unwritten,
    page_at,
    shared_page,
)
from xgpu.host_device.native.sources.sanitizer_ranges import touch
from xgpu.host_device.native.sources.sanitizer_shadow import (
    ATOMIC,
    begin_access,
    in_shared,
    read_cell,
    write_cell,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    ALLOCATION_DEVICE,
    ALLOCATION_HEAP,
    GONE,
    LIVE,
    PAGE,
    RELEASED,
    enter,
    new_contexts,
    unused,
    xgpu_san_leave,
    xgpu_san_stack,
    xgpu_san_state,
    zeroed,
)
from xgpu.host_device.native.sources.sanitizer_states import written_all
from xgpu.host_device.native.sources.sanitizer_sync import usable


def host_block(s: SanState, operation: i32) -> SanBlock:
    """A block of one thread that stands for a copy."""
    k = s.host
    if k is None:
        k = SanBlock(zeroed(sizeof(SanBlock)))
        k.threads = SanThread(zeroed(sizeof(SanThread)))
        k.block_clocks = Ptr[i32](zeroed(i64(clocks_of(1)) * 4))
        k.groups = Ptr[i32](zeroed(4))
        k.count = 1
        k.width = clocks_of(1)
        s.host = k
    k.context = new_contexts(s, 1)
    k.first = k.context
    k.last = k.context
    k.operation = operation
    k.threads.clock = 1
    s.contexts[i64(k.context)].operation = operation
    return k


def xgpu_san_transfer(
    operation: i32, info: i64, target: i64, source: i64, bytes: i64, fill: i32
) -> None:
    """A copy, or a fill, of memory that is there. Either side may be memory that kernels cannot
    reach, of which nothing is known."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    k = host_block(s, operation)
    if fill == 0 and i64(shared_page(s, source)) != 0:
        whole_pages(s, k, site_of(info), FLAG_COPY, source, bytes)
    if i64(shared_page(s, target)) != 0:
        whole_pages(s, k, site_of(info), FLAG_WRITE | FLAG_COPY, target, bytes)
        if fill == 0 and i64(shared_page(s, source)) != 0:
            poison(s, target, source, bytes)
    xgpu_san_leave(who)


def xgpu_san_word(operation: i32, info: i64, address: i64, bytes: i32, writes: i32) -> None:
    """A stream writes a word that others wait for, or has seen it: atomic accesses."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    if i64(shared_page(s, address)) != 0:
        k = host_block(s, operation)
        flags: i32 = FLAG_ATOMIC
        if writes != 0:
            flags = FLAG_ATOMIC | FLAG_WRITE
        touch(s, k, k.threads, 0, 0, 1 | ATOMIC, site_of(info), flags, address, bytes, True)
    xgpu_san_leave(who)


def xgpu_san_missing(address: i64, bytes: i64, first: Ptr[i64]) -> i64:
    """How many bytes of a range of device memory nothing has written; the first of them."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    missing: i64 = 0
    at = address
    end = address + bytes
    while at < end:
        stop = (at & -4096) + 4096
        if stop > end:
            stop = end
        page = shared_page(s, at)
        if i64(page) != 0:
            step: i64 = 4096
            if i64(page.cells) != 0:
                step = 1 << i64(page.shift)
            while at < stop:
                following = (at & -step) + step
                if following > stop:
                    following = stop
                if is_unwritten(cell_or_whole(page, at)):
                    if missing == 0:
                        first[0] = at
                    missing += following - at
                at = following
        at = stop
    xgpu_san_leave(who)
    return missing


def xgpu_san_is_written(address: i64, bytes: i64) -> i32:
    """Whether it is known at once that all of the pages in which an array of the host lies have
    been written, as they have when the array is registered. What launches have noted there is left
    as it is."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    found = i1(s.summary_count == 0)
    at = address & -PAGE
    while found and at < address + bytes:
        page = page_at(s, at)
        found = i64(page) != 0 and is_written(page)
        at = at + PAGE
    xgpu_san_leave(who)
    return i32(found)


def is_written(page: SanPage) -> i1:
    if page.live != 0:
        return written_all(page.states, i64(PAGE) >> i64(page.states_shift))
    if i64(page.cells) == 0:
        return not is_unwritten(page.whole)
    unwritten: i64 = 0
    for i in range(i64(PAGE) >> i64(page.shift)):
        unwritten = unwritten | i64(is_unwritten(page.cells[i]))
    return unwritten == 0


def whole_pages(s: SanState, k: SanBlock, site: i32, flags: i32, begin: i64, bytes: i64) -> None:
    """An access to a range, with one cell for each page that is all alike."""
    t = k.threads
    at = begin
    end = begin + bytes
    while at < end:
        stop = (at & -4096) + 4096
        if stop > end:
            stop = end
        page = shared_page(s, at)
        if i64(page) != 0:
            if stop - at == 4096 and i64(page.cells) == 0:
                all_cells(s, k, t, site, flags, page, at)
            else:
                touch(s, k, t, 0, 0, 1, site, flags, at, stop - at, True)
        at = stop


def all_cells(
    s: SanState, k: SanBlock, t: SanThread, site: i32, flags: i32, page: SanPage, address: i64
) -> None:
    begin_access(s, k, 0, 1, flags)
    if (flags & FLAG_WRITE) != 0:
        write_cell(s, k, t, 0, 0, 1, site, flags, page.whole, address, 4096, True)
    else:
        read_cell(s, k, t, 0, 0, 1, site, flags, page.whole, address, 4096)


def xgpu_san_host_now(operation: i32) -> None:
    """What the host's code does from here on belongs to an operation."""
    s = xgpu_san_state()
    s.host_operation = operation
    s.host_context = 0


def xgpu_san_host_code(info: i64, address: i64, size: i64) -> None:
    """Before a load or store of the host's own code."""
    s = xgpu_san_state()
    page = page_at(s, address)
    if i64(page) == 0 or s.host_operation == 0:
        return
    who = xgpu_san_stack()
    enter(s, who)
    number = allocation_at(s, page, address)
    if number >= 0 and s.allocations[i64(number)].state != GONE and not is_plain(s, number):
        host_access(s, number, info, address, size)
    xgpu_san_leave(who)


def host_access(s: SanState, number: i32, info: i64, address: i64, size: i64) -> None:
    k = s.host
    if k is None or s.host_context == 0 or k.context != s.host_context:
        k = host_block(s, s.host_operation)
        s.host_context = k.context
    a = s.allocations[i64(number)]
    if a.state != LIVE or a.kind == ALLOCATION_DEVICE:
        code: i32 = CODE_DEVICE_SPACE
        if a.state != LIVE:
            code = CODE_FREED
        complain(s, k, 0, code, site_of(info), flags_of(info), address, size, number, 0)
    else:
        touch(s, k, k.threads, 0, 0, 1, site_of(info), flags_of(info), address, size, True)


# -- What the pass `host-sanitize` calls before operations on many bytes: copies and fills by one
# thread, matrices that a warp loads and stores together; and the heap of kernels.


def seen(
    s: SanState, k: SanBlock, t: Thread, info: i64, address: i64, size: i64, changes: i1
) -> None:  # fmt: skip
    """An access to bytes that are there, if they are not the thread's own."""
    unknown = i64(find_page(s, address)) == 0 and not in_shared(k, address)
    if unknown and is_private(k, t, address):
        return
    own = k.threads[t.linear]
    touch(s, k, own, t.linear, t.linear, own.clock, site_of(info), flags_of(info), address, size,
          changes)  # fmt: skip


def xgpu_san_block(t: Thread, address: ptr, info: i64, root: ptr, extent: i64, size: i64) -> ptr:
    """Before a thread copies or fills `size` bytes: one of its operands."""
    s = xgpu_san_state()
    k = block_of(s, t)
    at = i64(address)
    if size <= 0:
        return address
    if not inside(s, k, t, t.linear, site_of(info), flags_of(info), at, size, i64(root), extent):
        return unused(s, size)
    seen(s, k, t, info, at, size, True)
    return address


def xgpu_san_mbarrier_range(t: Thread, address: ptr, info: i64) -> ptr:
    """Before a copy that an mbarrier counts."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if usable(s, k, t, address, info):
        return address
    return s.sink


def xgpu_san_lane_rows(
    t: Thread, address: ptr, info: i64, root: ptr, extent: i64, lanes: i32, later: i32
) -> ptr:  # fmt: skip
    """Before ldmatrix and stmatrix: each of the first lanes gives the address of a row, which is
    used now or `later` (`lane_stored`)."""
    if (t.linear & 31) >= lanes:
        return address
    return row_at(t, address, info, i64(root), extent, later == 0)


def row_at(t: Thread, address: ptr, info: i64, root: i64, extent: i64, now: i1) -> ptr:
    """A row of a matrix, which the lane uses `now`, or has checked before it is written."""
    s = xgpu_san_state()
    k = block_of(s, t)
    at = i64(address)
    size = size_in(info)
    if not inside(s, k, t, t.linear, site_of(info), flags_of(info), at, size, root, extent):
        return unused(s, size)
    aligned(s, k, t.linear, site_of(info), flags_of(info), info, at)
    if now:
        seen(s, k, t, info, at, size, True)
    return address


def xgpu_san_lane_stored(t: Thread, address: ptr, info: i64, lanes: i32) -> None:
    """Behind stmatrix. Whether a row has changed is known only when all lanes have come."""
    s = xgpu_san_state()
    if (t.linear & 31) < lanes and i64(address) != i64(s.sink):
        seen(s, block_of(s, t), t, info, i64(address), size_in(info), t.changed != 0)


def xgpu_san_matrix_rows(
    t: Thread, address: ptr, info: i64, root: ptr, extent: i64, rows: i32, stride: i64
) -> ptr:  # fmt: skip
    """Before a warp loads or stores a matrix: a lane stands for each row."""
    s = xgpu_san_state()
    k = block_of(s, t)
    last = i64(address) + i64(rows - 1) * stride
    site = site_of(info)
    flags = flags_of(info)
    for end in range(2):
        at = i64(address) if end == 0 else last
        if not inside(s, k, t, t.linear, site, flags, at, size_in(info), i64(root), extent):
            return unused(s, size_in(info) + i64(rows) * stride)
    lane = t.linear & 31
    if lane < rows:
        row_at(t, ptr(i64(address) + i64(lane) * stride), info, i64(root), extent, True)
    return address


def xgpu_san_rank(t: Thread, rank: i32, info: i64) -> i32:
    """Before mapa: the rank of a block, or 0 where the cluster does not have it."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if rank >= 0 and rank <= k.last - k.first:
        return rank
    complain(s, k, t.linear, CODE_NO_BLOCK, site_of(info), 0, 0, 0, -1,
             (i64(k.last - k.first + 1) << 32) | (i64(rank) & 4294967295))  # fmt: skip
    return 0


def xgpu_san_heap_allocate(t: Thread, address: ptr, size: i64, info: i64) -> None:
    """Behind malloc of a kernel."""
    if i64(address) != 0:
        s = xgpu_san_state()
        block_of(s, t)
        number = add_allocation(s, i64(address), size, ALLOCATION_HEAP)
        s.allocations[i64(number)].made_site = site_of(info)


def xgpu_san_heap_free(t: Thread, address: ptr, info: i64) -> ptr:
    """Before free of a kernel: what is to be freed, null where that is wrong."""
    s = xgpu_san_state()
    k = block_of(s, t)
    begin = i64(address)
    if begin == 0:
        return address
    number = s.allocation_count - 1
    while number >= 0:
        a = s.allocations[i64(number)]
        if a.begin == begin and a.kind == ALLOCATION_HEAP and a.state == LIVE:
            a.state = RELEASED
            a.freed_site = site_of(info)
            return address
        number = number - 1
    freed = freed_at(s, begin)
    sites: i64 = 0
    if freed >= 0:
        sites = sites_of(s, freed)
    complain(s, k, t.linear, CODE_HEAP_FREE, site_of(info), 0, begin, 0, -1, sites)
    return ptr(0)
