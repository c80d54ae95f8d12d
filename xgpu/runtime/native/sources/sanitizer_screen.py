# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Screening: a launch in loops over vectors, with checks that are quick and miss nothing.

A check answers "nothing is wrong" or "perhaps". After a "perhaps" all that the launch has done is
undone, and it runs thread by thread, where every report comes from. So a check may be wrong in one
direction only: it knows program order, barriers of the block, and what comes before the launch, but
no other way in which one thread learns of another.

Each cell of memory has a state of 64 bits, a machine of constant size:

    63 .. 40  context    the block that used it last, or first if there were several
    39 .. 28  clock      how many barriers that block had behind it
    27 .. 18  thread
    17 .. 7   site       of the last plain write, or the last access
    6 .. 4    kind       since that barrier: read by one thread, by several, written (and read) by
                         one, atomic by any; or, in this launch, used by several blocks
    3, 2, 1   in this launch: read, changed by atomics, written
    0         written before this launch

A state whose context is older than the launch says only whether the cell has been written. Cells
are of 4 bytes, in memory with narrower accesses of 2 or 1.
"""

from __future__ import annotations

from xgpu.runtime.native.prelude import (
    Ptr,
    atomic_store,
    copy_bytes,
    i1,
    i32,
    i64,
    lshr,
    popcount,
    ptr,
    trailing_zeros,
)
from xgpu.runtime.native.records import (
    KIND_INIT,
    KIND_RACE,
    Launch,
    SanCell,
    SanPage,
    SanScreen,
    SanState,
    Thread,
)
from xgpu.runtime.native.sources.libc import free, malloc
from xgpu.runtime.native.sources.sanitizer_state import (
    KIND_ATOMIC,
    KIND_MANY,
    KIND_READ,
    KIND_READS,
    KIND_WROTE,
    LIVE,
    PAGE,
    STATE_ATOMIC,
    STATE_BEFORE,
    STATE_KIND,
    STATE_READ,
    STATE_WRITTEN,
    STATE_WROTE,
    allocation_at,
    enter,
    fold,
    grown,
    new_contexts,
    operation_ordered,
    page_at,
    xgpu_san_leave,
    xgpu_san_state,
    zeroed,
)

POISON = 536870912
FLAG_WRITE = 1
FLAG_ATOMIC = 2
MOST_CONTEXTS = 16777216
MOST_CLOCKS = 4095
MOST_SPINS = 2000000
STOPPED = 4  # of a launch's `error`
WHO = 1023
STICKY = 15


# -- a launch


def xgpu_san_screen_begin(launch: Launch, groups: i32, who: ptr) -> i32:
    """Let a launch in, and nobody else; 0 if it cannot be screened."""
    s = xgpu_san_state()
    enter(s, who)
    if i64(s.context_count) + i64(groups) >= MOST_CONTEXTS:
        xgpu_san_leave(who)
        return 0
    v = s.screen
    v.launch = launch
    v.operation = launch.identity
    v.first = i64(new_contexts(s, groups))
    v.context = v.first - 1
    v.suspicious = 0
    v.spins = 0
    v.page_count = 0
    v.races = s.kinds & KIND_RACE
    v.inits = s.kinds & KIND_INIT
    return 1


def xgpu_san_screen_end(who: ptr, failed: i32) -> i32:
    """A launch is over, or has stopped; 1 if nothing was wrong with it, 0 if it is undone."""
    s = xgpu_san_state()
    v = s.screen
    clean: i32 = 1
    if v.suspicious != 0 or failed != 0:
        clean = 0
    for i in range(v.page_count):
        page = SanPage(v.pages[i])
        if clean == 0:
            undo(v, page)
        if i64(page.saved) != 0:
            free(page.saved)
            page.saved = ptr(0)
    xgpu_san_leave(who)
    return clean


def undo(v: SanScreen, page: SanPage) -> None:
    """Put back what the launch has changed in a page."""
    size: i64 = 1 << i64(page.states_shift)
    for i in range(i64(PAGE) >> i64(page.states_shift)):
        state = page.states[i]
        if lshr(state, 40) < v.first:
            continue
        if (state & STATE_WRITTEN) != 0:
            at = i * size
            copy_bytes(ptr(page.address + at), ptr(i64(page.saved) + at), size)
    page.live = 0
    page.changed = 1


def xgpu_san_v_block(t: Thread, shift: i32) -> None:
    """A block begins; cells of its shared memory have 1 << `shift` bytes."""
    s = xgpu_san_state()
    v = s.screen
    block = t.block
    v.context += 1
    v.epoch = (v.context << 12) | 1
    v.begin = i64(block.shared)
    v.bytes = block.launch.shared_bytes
    v.shift = i64(shift)
    room = v.bytes >> i64(shift)
    if v.room < room:
        if i64(v.states) != 0:
            free(v.states)
        v.states = Ptr[i64](zeroed(room * 8 + 64))
        v.room = room
    c = s.contexts[v.context]
    c.operation = v.operation
    c.x = block.ctaid_x
    c.y = block.ctaid_y
    c.z = block.ctaid_z


def stop(v: SanScreen, site: i64) -> i32:
    """Something may be wrong."""
    v.suspicious = i32(site) | 1
    atomic_store(v.launch.error, STOPPED)
    return 0


def xgpu_san_v_region(t: Thread) -> i32:
    """Behind a barrier of the block."""
    v = xgpu_san_state().screen
    v.epoch += 1
    if (v.epoch & MOST_CLOCKS) == 0:
        return stop(v, 0)
    return 1


def xgpu_san_v_spin(t: Thread) -> i32:
    """In a loop that may wait for another block, which cannot run meanwhile."""
    v = xgpu_san_state().screen
    v.spins += 1
    if v.spins > MOST_SPINS:
        return stop(v, 0)
    return 1


# -- pages


def claim(s: SanState, v: SanScreen, page: SanPage) -> i1:
    """A launch uses a page for the first time: whether it comes after all that was done to it."""
    if page.live != 0:
        before = page.claimed
        if not operation_ordered(s, before, v.operation):
            return False
        if s.operations[i64(before)].settled == 0:
            fold(s, page)
            page.changed = 1
    stale = page.live == 0 and (page.changed != 0 or i64(page.states) == 0)
    if stale and not begin_states(s, v, page):
        return False
    page.live = 1
    page.changed = 0
    page.claimed = v.operation
    if v.page_count >= v.page_room:
        room = v.page_room * 2 + 1024
        v.pages = Ptr[ptr](grown(v.pages, v.page_count * 8, room * 8))
        v.page_room = room
    v.pages[v.page_count] = page
    v.page_count += 1
    return True


def begin_states(s: SanState, v: SanScreen, page: SanPage) -> i1:
    """The states of a page from its cells, if all of them come before the launch."""
    if page.shift < page.states_shift and i64(page.cells) != 0 and uneven(page):
        new_states(page, page.shift)
    if i64(page.states) == 0:
        page.states = Ptr[i64](malloc((i64(PAGE) >> i64(page.states_shift)) * 8))
    count = i64(PAGE) >> i64(page.states_shift)
    if i64(page.cells) == 0:
        if not before(s, v, page.whole):
            return False
        state = written(page.whole)
        for i in range(count):
            page.states[i] = state
        return True
    width = i64(page.states_shift - page.shift)
    if width < 0:
        new_states(page, page.shift)
        count = i64(PAGE) >> i64(page.states_shift)
        width = 0
    for i in range(count):
        cell = page.cells[i << width]
        if not before(s, v, cell):
            return False
        page.states[i] = written(cell)
    return True


def uneven(page: SanPage) -> i1:
    """Whether parts of a word differ."""
    each: i64 = 1 << i64(page.states_shift - page.shift)
    for i in range(i64(PAGE) >> i64(page.shift)):
        first = page.cells[i & -each]
        if written(page.cells[i]) != written(first):
            return True
        if page.cells[i].w_context != first.w_context or page.cells[i].r_more != 0:
            return True
    return False


def new_states(page: SanPage, shift: i32) -> None:
    """Room for states of other cells."""
    if i64(page.states) != 0:
        free(page.states)
    page.states_shift = shift
    page.states = Ptr[i64](malloc((i64(PAGE) >> i64(shift)) * 8))


def written(cell: SanCell) -> i64:
    if cell.w_context == 0 or (cell.w_clock & POISON) != 0:
        return 0
    return STATE_BEFORE


def before(s: SanState, v: SanScreen, cell: SanCell) -> i1:
    """Whether the launch comes after all that a cell knows."""
    if not comes_after(s, v, cell.w_context) or not comes_after(s, v, cell.r_context):
        return False
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        if not comes_after(s, v, r.context):
            return False
        at = r.next
    return True


def comes_after(s: SanState, v: SanScreen, context: i32) -> i1:
    if context < s.oldest:
        return True
    return operation_ordered(s, s.contexts[i64(context)].operation, v.operation)


def narrow(page: SanPage, shift: i32) -> None:
    """Smaller cells for a page: each part of one has its state."""
    old = page.states
    shorter = i64(page.states_shift - shift)
    page.states = Ptr[i64](None)
    new_states(page, shift)
    for i in range(i64(PAGE) >> i64(shift)):
        page.states[i] = old[i >> shorter]
    free(old)


def save(page: SanPage) -> None:
    """Keep what a page holds."""
    page.saved = malloc(PAGE)
    copy_bytes(page.saved, ptr(page.address), PAGE)


def page_for(s: SanState, v: SanScreen, address: i64, size: i64, root: i64, flags: i64) -> SanPage:
    """The page of an access that stays in it; null where something may be wrong."""
    none = SanPage(None)
    page = page_at(s, address)
    if i64(page) == 0:
        return none
    number = page.allocation
    if number < 0:
        number = allocation_at(s, page, address)
        if number < 0:
            return none
    a = s.allocations[i64(number)]
    if a.state != LIVE or address < a.begin or address + size > a.begin + a.size:
        return none
    if root != 0 and (root < a.begin or root > a.begin + a.size):
        return none
    if (page.claimed != v.operation or page.live == 0) and not claim(s, v, page):
        return none
    if (flags & FLAG_WRITE) != 0 and i64(page.saved) == 0:
        save(page)
    return page


# -- steps of states


def written_in(state: i64, keep: i64) -> i64:
    """Whether a cell that the launch has not used has been written."""
    return (state | lshr(state, 1) | lshr(state, 2)) & keep


def read_cells(
    v: SanScreen, states: Ptr[i64], count: i64, first: i64, keep: i64, own: i64, site: i64,
    mask: i64, wide: i64,
) -> i1:  # fmt: skip
    """Reads by a row of lanes, of which each has 1 << `wide` cells. Whether nothing is wrong."""
    epoch = v.epoch
    context = v.context
    inits = i64(v.inits != 0)
    races = i64(v.races != 0)
    wrong: i64 = 0
    for i in range(count):
        s = states[i]
        lane = i >> wide
        active = lshr(mask, lane) & 1
        who = own + lane
        by = lshr(s, 40)
        kind = s & STATE_KIND
        old = i64(by < first)
        has = written_in(s, keep) if old != 0 else (s | lshr(s, 1) | lshr(s, 2)) & 1
        now = lshr(s, 28) == epoch
        same = by == context
        mine = (lshr(s, 18) & WHO) == who
        new = (epoch << 28) | (who << 18) | KIND_READ | STATE_READ
        fresh = new | site | has
        later = new | (s & STICKY) | ((s & 262016) if (s & STATE_WROTE) != 0 else site)
        several = (s & -113) | KIND_READS
        many = (s | KIND_MANY) | STATE_READ
        stays = s | STATE_READ
        here = stays if (kind == KIND_WROTE) | (mine & (kind == KIND_READ)) else several
        clash = i64(((kind == KIND_WROTE) & (not mine)) | (kind == KIND_ATOMIC))
        stranger = i64(not same) | i64(kind == KIND_MANY)
        taken = i64((s & STATE_WRITTEN) != 0)
        result = many if stranger != 0 else (here if now else later)
        result = fresh if old != 0 else result
        bad = (taken if stranger != 0 else (clash & i64(now))) & (1 - old)
        wrong = wrong | (active & ((bad & races) | ((1 - has) & inits)))
        states[i] = result if (active & races) != 0 else s
    return wrong == 0


def write_cells(
    v: SanScreen, states: Ptr[i64], count: i64, first: i64, keep: i64, own: i64, site: i64,
    mask: i64, wide: i64,
) -> i1:  # fmt: skip
    """Writes by a row of lanes."""
    epoch = v.epoch
    context = v.context
    races = i64(v.races != 0)
    wrong: i64 = 0
    for i in range(count):
        s = states[i]
        lane = i >> wide
        active = lshr(mask, lane) & 1
        who = own + lane
        by = lshr(s, 40)
        kind = s & STATE_KIND
        old = i64(by < first)
        now = lshr(s, 28) == epoch
        mine = (lshr(s, 18) & WHO) == who
        sticky = written_in(s, keep) if old != 0 else s & STICKY
        result = (epoch << 28) | (who << 18) | KIND_WROTE | STATE_WROTE | site | sticky
        clash = now & ((not mine) | (kind == KIND_READS) | (kind == KIND_ATOMIC))
        bad = i64((by != context) | (kind == KIND_MANY) | clash) & (1 - old)
        wrong = wrong | (active & bad & races)
        states[i] = result if active != 0 else s
    return wrong == 0


def atomic_cell(
    v: SanScreen, states: Ptr[i64], at: i64, first: i64, keep: i64, who: i64, site: i64, flags: i64
) -> i1:
    """An atomic access to a cell; one that reads alone has no write among its flags."""
    s = states[at]
    by = lshr(s, 40)
    kind = s & STATE_KIND
    changed: i64 = STATE_ATOMIC if (flags & FLAG_WRITE) != 0 else 0
    has = (s | lshr(s, 1) | lshr(s, 2)) & 1
    new = (v.epoch << 28) | (who << 18) | KIND_ATOMIC | site | changed
    if by < first:
        has = has & keep
        states[at] = new | has
    elif by != v.context or kind == KIND_MANY:
        if (s & (STATE_WROTE | STATE_READ)) != 0 and v.races != 0:
            return False
        states[at] = s | KIND_MANY | changed
    elif lshr(s, 28) != v.epoch or kind == KIND_ATOMIC:
        states[at] = new | (s & STICKY)
    else:
        mine = (lshr(s, 18) & WHO) == who
        if (not mine or kind == KIND_READS) and v.races != 0:
            return False
        states[at] = (s & -113) | KIND_WROTE | changed
    return has != 0 or v.inits == 0 or changed != 0


def cells(
    v: SanScreen, states: Ptr[i64], count: i64, first: i64, keep: i64, own: i64, site: i64,
    mask: i64, wide: i64, flags: i64,
) -> i1:  # fmt: skip
    if (flags & FLAG_ATOMIC) != 0:
        for i in range(count):
            lane = i >> wide
            active = (lshr(mask, lane) & 1) != 0
            if active and not atomic_cell(v, states, i, first, keep, own + lane, site, flags):
                return False
        return True
    if (flags & FLAG_WRITE) != 0:
        if wide == 0:
            return write_cells(v, states, count, first, keep, own, site, mask, 0)
        return write_cells(v, states, count, first, keep, own, site, mask, wide)
    if v.races == 0 and v.inits == 0:
        return True
    if wide == 0:
        return read_cells(v, states, count, first, keep, own, site, mask, 0)
    return read_cells(v, states, count, first, keep, own, site, mask, wide)


def shift_of(size: i64) -> i64:
    """The cells that an access of so many bytes needs: 2 for words, less for parts of them."""
    if (size & 3) == 0:
        return 2
    if (size & 1) == 0:
        return 1
    return 0


def logarithm(size: i64) -> i64:
    return i64(trailing_zeros(i32(size)))


def extent_fits(address: i64, size: i64, root: i64, extent: i64) -> i1:
    return extent < 0 or (address >= root and address + size <= root + extent)


def in_block(v: SanScreen, address: i64) -> i1:
    return v.bytes != 0 and address >= v.begin and address < v.begin + v.bytes


# -- checks


def xgpu_san_v_row(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64
) -> i32:
    """Lanes that lie side by side in memory; lane 0 is thread `own`. 1 if nothing is wrong."""
    if mask == 0:
        return 1
    s = xgpu_san_state()
    v = s.screen
    size = (info >> 32) & 65535
    low = lowest(mask)
    begin = address + low * size
    bytes = (highest(mask) + 1 - low) * size
    if not row(s, v, begin, bytes, size, root, extent, info, i64(own) + low, mask >> low):
        return stop(v, info & 524287)
    return 1


def row(
    s: SanState, v: SanScreen, begin: i64, bytes: i64, size: i64, root: i64, extent: i64,
    info: i64, own: i64, mask: i64,
) -> i1:  # fmt: skip
    flags = (info >> 20) & 4095
    site = (info & 2047) << 7
    alignment: i64 = 1 << ((info >> 48) & 15)
    if (begin & (alignment - 1)) != 0 or not extent_fits(begin, bytes, root, extent):
        return False
    if in_block(v, begin):
        if begin + bytes > v.begin + v.bytes:
            return False
        states = Ptr[i64](ptr(i64(v.states) + ((begin - v.begin) >> v.shift) * 8))
        return cells(v, states, bytes >> v.shift, v.context, 0, own, site, mask,
                     logarithm(size) - v.shift, flags)  # fmt: skip
    if extent >= 0:
        return True  # a constant
    shift = shift_of(size)
    at = begin
    end = begin + bytes
    fine = True
    while at < end and fine:
        stop = (at & -4096) + 4096
        if stop > end:
            stop = end
        page = page_for(s, v, at, stop - at, root, flags)
        if i64(page) == 0:
            return False
        if i64(page.states_shift) > shift:
            narrow(page, i32(shift))
        shift = i64(page.states_shift)
        wide = logarithm(size) - shift
        done = (at - begin) // size
        states = Ptr[i64](ptr(i64(page.states) + ((at & 4095) >> shift) * 8))
        fine = cells(v, states, (stop - at) >> shift, v.first, 1, own + done, site, mask >> done,
                     wide, flags)  # fmt: skip
        at = stop
    return fine


def lowest(mask: i64) -> i64:
    """Of a mask of at most 32 lanes."""
    return i64(trailing_zeros(i32(mask)))


def highest(mask: i64) -> i64:
    m = mask | lshr(mask, 1)
    m = m | lshr(m, 2)
    m = m | lshr(m, 4)
    m = m | lshr(m, 8)
    m = m | lshr(m, 16)
    return i64(popcount(i32(m))) - 1


def xgpu_san_v_one(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64
) -> i32:
    """Lanes that use one address."""
    s = xgpu_san_state()
    v = s.screen
    size = (info >> 32) & 65535
    low = lowest(mask)
    high = highest(mask)
    if low == high or mask == 0:
        if mask != 0 and not row(s, v, address, size, size, root, extent, info, i64(own) + low, 1):
            return stop(v, info & 524287)
        return 1
    flags = (info >> 20) & 4095
    # Two threads that read stand for all; two that write are one too many.
    fine = row(s, v, address, size, size, root, extent, info, i64(own) + low, 1)
    if fine and ((flags & FLAG_WRITE) == 0 or (flags & FLAG_ATOMIC) != 0 or v.races != 0):
        fine = row(s, v, address, size, size, root, extent, info, i64(own) + high, 1)
    if not fine:
        return stop(v, info & 524287)
    return 1


def xgpu_san_v_many(
    t: Thread, addresses: Ptr[i64], root: i64, extent: i64, info: i64, own: i32, mask: i64
) -> i32:
    """Lanes with an address each."""
    s = xgpu_san_state()
    v = s.screen
    size = (info >> 32) & 65535
    rest = mask
    lane: i64 = 0
    while rest != 0:
        active = (rest & 1) != 0
        if active and not row(s, v, addresses[lane], size, size, root, extent, info,
                              i64(own) + lane, 1):  # fmt: skip
            return stop(v, info & 524287)
        rest = lshr(rest, 1)
        lane += 1
    return 1
