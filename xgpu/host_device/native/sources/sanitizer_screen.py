# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Screening: a launch in loops over vectors, with checks that are quick and miss nothing.

A check answers "nothing is wrong" or "perhaps". After a "perhaps" all that the launch has done is
undone, and it runs thread by thread, where every report comes from. So a check may be wrong in one
direction only: it knows program order, barriers of the block, and what comes before the launch, but
no other way in which one thread learns of another.

What accesses make of the states of memory is in `sanitizer_states`; what a kernel calls for them in
`sanitizer_checks`. A state whose context is older than the launch says only whether the cell has
been written. Cells are of 4 bytes, in memory with narrower accesses of 2 or 1.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    atomic_store,
    copy_bytes,
    i1,
    i32,
    i64,
    lshr,
    ptr,
    sizeof,
    zero_bytes,
)
from xgpu.host_device.native.records import (
    FLAG_ACQUIRES,
    FLAG_ATOMIC,
    FLAG_COMPARES,
    FLAG_RELEASES,
    FLAG_USED,
    FLAG_WRITE,
    KIND_INIT,
    KIND_RACE,
    SHFL_BFLY,
    SHFL_IDX,
    Launch,
    SanCell,
    SanPage,
    SanScreen,
    SanState,
    SanWindow,
    Thread,
)
from xgpu.host_device.native.sources.libc import free, malloc
from xgpu.host_device.native.sources.sanitizer_clocks import xgpu_san_idle
from xgpu.host_device.native.sources.sanitizer_pages import (
    allocation_at,
    fold,
    forget_page,
    forget_readers,
    free_states,
    is_before,
    is_of_blocks,
    page_at,
    recall,
    refine,
    spell_out_for,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    BITS,
    FIRST,
    LIVE,
    MOST_CONTEXTS,
    PAGE,
    PARTS,
    POISON,
    ROW,
    STATE_BEFORE,
    STATE_WRITTEN,
    TABLE,
    enter,
    grown,
    in_lines,
    new_contexts,
    xgpu_san_keep,
    xgpu_san_leave,
    xgpu_san_state,
)
from xgpu.host_device.native.sources.sanitizer_states import begin_copies, own_written, written_all

# -- Numbers of contexts begin anew, where those of screened launches (`MOST_CONTEXTS`) are used up.
#
# It is possible while no launch and no copy runs: then all that has happened comes before all to
# come, and what pages know of it is only what was written.


def renew(s: SanState) -> i1:
    """Begin anew, if that is possible now."""
    for i in range(i64(s.oldest), i64(s.context_count)):
        if s.operations[i64(s.contexts[i].operation)].settled == 0:
            return False
    for part in range(PARTS):
        if i64(s.pages[part]) != 0:
            renew_part(s, SanPage(s.pages[part]))
    xgpu_san_idle()
    s.host_context = 0
    s.context_count = FIRST
    s.oldest = FIRST
    return True


def renew_part(s: SanState, pages: SanPage) -> None:
    for i in range(TABLE):
        page = pages[i]
        if page.era == s.era and page.address != 0:
            if is_of_blocks(page):
                forget_page(s, page)
            else:
                renew_page(s, page)


def renew_page(s: SanState, page: SanPage) -> None:
    if page.live != 0:
        fold(s, page)
    page.changed = 1
    renew_cell(s, page.whole)
    if i64(page.cells) != 0:
        for i in range(i64(PAGE) >> i64(page.shift)):
            renew_cell(s, page.cells[i])


def renew_cell(s: SanState, cell: SanCell) -> None:
    forget_readers(s, cell)
    if (cell.w_clock & POISON) != 0:
        cell.w_context = 0
        cell.w_clock = 0
    elif cell.w_context != 0:
        cell.w_context = 1
        cell.w_clock = 1


# -- Windows of a launch that is screened: for each location, memory in which its accesses are all
# right.
#
# A kernel looks at them in line (`host_device/sanitizer/instrument/fast_path.py`) before it calls a
# check, so what a window promises has to hold until it is closed:
#
# * where races are not looked for: all of it is one allocation's, claimed by the launch, and
# written before; for a location that writes, kept as well (`save`), so that a bit for each word is
# all that is noted;
# * where they are, for locations that read: pages whose reads take a bit each (`SanPage.plain`);
# * for those that write: pages that have been written before and of which nothing is noted in bits;
#   their states are looked at in line. A fence or a release closes it: behind these a write has to
#   be noted (`note_access`). Those of atomic operations are for `window_atomics`.
#
# It grows by pages next to it; for reads without races by those behind it that are written, for
# nothing is noted there. A location has credit for the pages it looks at: many at first, so that
# one that strides through an allocation has all of it, and some more for each miss, so that memory
# with holes costs no more than that.
#
# The bits of the words of an address lie at `base` + address / 32.
# Nothing else ends in a launch: no other is inside. A page that stops to be plain leaves all.


MOST_WINDOWS = 2048
CREDIT = 4096  # pages a location may look at in a launch
MORE_CREDIT = 64  # and for each miss


def begin_windows(v: SanScreen) -> None:
    if i64(v.windows) == 0:
        v.windows = SanWindow(malloc(MOST_WINDOWS * sizeof(SanWindow)))
        v.window_count = MOST_WINDOWS
    close_windows(v)
    v.window_count = 0


def close_windows(v: SanScreen) -> None:
    for i in range(v.window_count):
        close(v.windows[i])


def close(w: SanWindow) -> None:
    w.low = -1
    w.high = 0
    w.credit = CREDIT
    w.has_states = 0


def close_written(v: SanScreen) -> None:
    for i in range(v.window_count):
        if v.windows[i].has_states != 0:
            close(v.windows[i])


def leave_page(v: SanScreen, page: SanPage) -> None:
    """No window has a page any more; each keeps what it has on one side of it."""
    begin = page.address
    end = begin + 4096
    for i in range(v.window_count):
        w = v.windows[i]
        if w.low < end and w.high > begin and w.high != 0:
            if begin - w.low > w.high - end:
                w.high = begin
            else:
                w.low = end
            if w.low >= w.high:
                w.low = -1
                w.high = 0


def slide(s: SanState, v: SanScreen, page: SanPage, at: i64, info: i64, flags: i64) -> None:
    """An access of a location at an address of a page was all right: its window is there now."""
    number = lshr(info, 52) & 2047
    if number == 0:
        return
    if (flags & FLAG_ATOMIC) != 0 and (flags & FLAG_WRITE) == 0:
        return
    if v.races != 0 and flags == 0 and page.plain == 0:
        return
    if v.races != 0 and flags != 0 and not may_write(v, page, info):
        return
    if v.races == 0:
        if page.full == 0 and v.inits != 0:
            return
        if flags != 0 and (page.plain == 0 or page.saved_for != v.operation):
            return
    while v.window_count <= number:
        close(v.windows[v.window_count])
        v.window_count += 1
    allocation = allocation_at(s, page, at)
    if allocation < 0:
        return
    w = v.windows[number]
    w.has_states = i64(v.races != 0 and flags != 0)
    a = s.allocations[i64(allocation)]
    low = page.address if page.address > a.begin else a.begin
    high = page.address + 4096
    if v.races == 0 and flags == 0:
        high = reach(s, v, w, page, allocation)
    if high > a.begin + a.size:
        high = a.begin + a.size
    base = i64(page.bits) - lshr(page.address, 5)
    if w.has_states != 0:
        base = i64(page.states) - page.address * 2
    move(w, allocation, low, high, base)


def may_write(v: SanScreen, page: SanPage, info: i64) -> i1:
    """Whether writes of words to a page need nothing but a look at their states."""
    if page.plain != 0 or page.full == 0 or page.saved_for != v.operation:
        return False
    if page.states_shift != 2 or (lshr(info, 32) & 65535) != 4:
        return False
    is_atomic = (lshr(info, 20) & FLAG_ATOMIC) != 0
    if not is_atomic and (v.fence_lanes != 0 or v.released >= 0):
        return False
    noted: i64 = 0
    for i in range(BITS >> 3):
        noted = noted | page.bits[i]
    return noted == 0


def reach(s: SanState, v: SanScreen, w: SanWindow, page: SanPage, allocation: i32) -> i64:
    """How far reads of an allocation that go on behind a page need no other look."""
    end = s.allocations[i64(allocation)].begin + s.allocations[i64(allocation)].size
    if w.credit < CREDIT:
        w.credit += MORE_CREDIT
    high = page.address + 4096
    for i in range(1, i64(w.credit)):
        w.credit -= 1
        if high >= end or (lshr(high, 12) & (TABLE - 1)) == 0:
            return high
        if high == w.low and w.allocation == allocation:
            return w.high
        following = page[i]
        if following.era != s.era or following.allocation != allocation:
            return high
        if following.full == 0 and v.inits != 0:
            return high
        high = high + 4096
    return high


def move(w: SanWindow, allocation: i32, low: i64, high: i64, base: i64) -> None:
    # In another part of the table bits have another base, and states in another row.
    known = w.high != 0 and w.allocation == allocation and w.base == base
    if known and low <= w.high and high >= w.low:
        if low < w.low:
            w.low = low
        if high > w.high:
            w.high = high
        return
    w.base = base
    w.allocation = allocation
    w.low = low
    w.high = high


MOST_CLOCKS = 4095
MOST_SPINS = 20000
MOST_QUESTIONS = 8
STOPPED = 4  # of a launch's `error`
WHO = 1023
STICKY = 15


# -- a launch


def xgpu_san_screen_begin(launch: Launch, groups: i32, who: ptr, fine: i32) -> i32:
    """Let one launch in; 0 if it cannot be screened."""
    s = xgpu_san_state()
    enter(s, who)
    room: i64 = MOST_CONTEXTS - i64(groups)
    if i64(s.context_count) >= room and (room <= FIRST or not renew(s)):
        xgpu_san_leave(who)
        return 0
    v = s.screen
    v.launch = launch
    v.operation = launch.identity
    v.first = i64(new_contexts(s, groups))
    v.context = v.first - 1
    v.suspicious = 0
    v.fine = fine
    v.again = 0
    v.spins = 0
    v.page_count = 0
    v.races = s.kinds & KIND_RACE
    v.inits = s.kinds & KIND_INIT
    v.has_releases = 0
    v.stored = 0
    v.relaxed = 0
    v.chained = 0
    begin_windows(v)
    return 1


def xgpu_san_screen_end(who: ptr, failed: i32) -> i32:
    """A launch is over, or has stopped; 1 if nothing was wrong with it, 0 if it is undone, 2 if it
    is and should be screened again."""
    s = xgpu_san_state()
    v = s.screen
    clean: i32 = 1
    if v.suspicious != 0 or failed != 0:
        clean = 0
    for i in range(v.page_count):
        page = SanPage(v.pages[i])
        if clean == 0:
            undo(v, page)
        elif page.full == 0:
            look_for_all(page)
    if clean == 0 and v.again != 0 and failed == STOPPED:
        clean = 2
    xgpu_san_leave(who)
    return clean


def undo(v: SanScreen, page: SanPage) -> None:
    """Put back what the launch has changed in a page."""
    size: i64 = 1 << i64(page.states_shift)
    for i in range(i64(PAGE) >> i64(page.states_shift)):
        state = page.states[i]
        changed = lshr(state, 40) >= v.first and (state & STATE_WRITTEN) != 0
        if v.races == 0 and page.plain != 0:
            changed = page.saved_for == v.operation and (lshr(page.bits[i >> 6], i & 63) & 1) != 0
        if changed:
            at = i * size
            copy_bytes(ptr(page.address + at), ptr(i64(page.saved) + at), size)
    recall(page, v.first)
    page.live = 0
    page.changed = 1


def xgpu_san_v_block(t: Thread, shift: i32, same: i32) -> SanScreen:
    """A block begins; cells of its shared memory have 1 << `shift` bytes. If it is the `same`, what
    blocks do there is known when the first one is over. The record of the launch."""
    s = xgpu_san_state()
    v = s.screen
    block = t.block
    v.context += 1
    v.epoch = (v.context << 12) | 1
    v.known = 0
    v.acquired = 0
    begin_region(v)
    begin_copies(v)
    v.is_known = i32(v.context > v.first)
    if v.is_known == 0:
        begin_shared(v, t, i64(shift))
    if v.shared_room != 0 and (same == 0 or v.is_known == 0):
        zero_bytes(v.states, v.shared_room)
    v.is_written = 0
    v.questions = MOST_QUESTIONS
    v.shared_epoch = 0
    c = s.contexts[v.context]
    c.operation = v.operation
    c.x = block.ctaid_x
    c.y = block.ctaid_y
    c.z = block.ctaid_z
    return v


def begin_shared(v: SanScreen, t: Thread, shift: i64) -> None:
    """Where shared memory is: the same in each block, as one worker runs them all."""
    block = t.block
    v.begin = i64(block.shared)
    v.bytes = block.launch.shared_bytes
    v.gap = v.begin + i64(block.launch.static_shared)
    v.gap_end = v.begin + v.bytes - i64(block.launch.dynamic_shared)
    if block.launch.dynamic_shared == 0:
        v.bytes = i64(block.launch.static_shared)
        v.gap_end = v.gap
    v.shift = shift
    v.shared_room = (v.bytes >> shift) * 4
    if v.room < v.shared_room or i64(v.states) == 0:
        if i64(v.states) != 0:
            free(v.states)
        v.states = Ptr[i32](in_lines(v.shared_room + 64))
        v.room = v.shared_room


def stop(v: SanScreen, site: i64) -> i32:
    """Something may be wrong."""
    v.suspicious = i32(site) * 2 + 1
    atomic_store(v.launch.error, STOPPED)
    return 0


def xgpu_san_v_region(t: Thread) -> i32:
    """Behind a barrier of the block."""
    v = xgpu_san_state().screen
    if v.races == 0:
        if v.is_written == 0 and v.questions > 0:
            v.questions -= 1
            v.is_written = i32(own_written(v.states, v.bytes >> v.shift))
        return 1
    v.epoch += 1
    if (v.epoch & MOST_CLOCKS) == 0:
        return stop(v, 0)
    if v.acquired != 0:
        v.known = v.acquired
        v.acquired = 0
    begin_region(v)
    return 1


# -- What one block learns of another: by a ticket, say, which tells a block that it is the last.
#
#     block b: store x; fence; atomic add at A          // releases
#     block c: old = atomic add at A; fence; barrier    // acquires
#              load x                                   // comes after the store
#
# Blocks of a screened launch run one after the other, so an atomic operation that reads and writes
# has read what all earlier ones at its address have released. Known is less than what is ordered:
# of each block the last release alone, what its threads did before the last barrier, and what the
# thread itself did before the release, until it does something else; of a block that acquires what
# is behind its next barrier, and one address. Where an atomic store may have come between the two
# nothing is known.


MOST_RELEASES = 65536  # blocks of a launch whose releases are remembered
FENCED = 2048  # of a release's bits: those of the thread, plus 1


def begin_region(v: SanScreen) -> None:
    v.released = -1
    v.fence_lanes = 0
    v.read_at = 0


def xgpu_san_v_fence(t: Thread, own: i32, mask: i64) -> i32:
    """A fence of the device by lanes, of which lane 0 is thread `own`."""
    v = xgpu_san_state().screen
    v.fence_own = i64(own)
    v.fence_lanes = mask
    close_written(v)
    if v.read_at != 0 and is_fenced(v, v.read_by):
        v.acquired = v.read_at
    return 1


def is_fenced(v: SanScreen, thread: i64) -> i1:
    """Whether a thread has done nothing in the region since its fence that others see."""
    lane = thread - v.fence_own
    return lane >= 0 and lane < 32 and (lshr(v.fence_lanes, lane) & 1) != 0


def note_exchange(v: SanScreen, address: i64, thread: i64, flags: i64, fenced: i1) -> None:
    """A thread has read and written a word in one atomic operation, perhaps behind a fence."""
    if v.known == address or v.acquired == address or v.read_at == address:
        v.relaxed = 1  # who does so may not know of it
    if (fenced and (flags & FLAG_COMPARES) == 0) or (flags & FLAG_RELEASES) != 0:
        note_release(v, address, thread)
    if (flags & FLAG_RELEASES) == 0:
        v.relaxed = 1  # a fence releases what comes before it, and so not this operation
    if (flags & FLAG_USED) == 0:
        return
    if (flags & FLAG_ACQUIRES) != 0:
        v.acquired = address
    else:
        v.read_at = address
        v.read_by = thread


def note_release(v: SanScreen, address: i64, thread: i64) -> None:
    groups = i64(v.launch.groups)
    if groups > MOST_RELEASES:
        v.relaxed = 1
        return
    if v.release_room < groups:
        v.release_at = Ptr[i64](grown(v.release_at, 0, groups * 8))
        v.release_by = Ptr[i64](grown(v.release_by, 0, groups * 8))
        v.release_room = groups
    if v.has_releases == 0:
        zero_bytes(v.release_at, groups * 8)
        v.has_releases = 1
    at = v.context - v.first
    v.release_at[at] = address
    v.release_by[at] = v.epoch * FENCED + thread + 1
    v.released = thread
    close_written(v)


def note_access(v: SanScreen, own: i64) -> None:
    """Lanes of a vector use global memory: what they do now is behind their fences and releases."""
    if v.fence_lanes != 0 and own >= v.fence_own and own < v.fence_own + 32:
        v.fence_lanes = 0
    if v.released >= own and v.released < own + 32:
        at = v.context - v.first
        v.release_by[at] = v.release_by[at] & -FENCED
        v.released = -1


def xgpu_san_v_spin(t: Thread) -> i32:
    """In a loop that may wait for another block, which cannot run meanwhile."""
    v = xgpu_san_state().screen
    v.spins += 1
    if v.spins > MOST_SPINS:
        return stop(v, 0)
    return 1


def xgpu_san_v_together(
    t: Thread, lanes: i64, members: i64, kind: i32, by: i32, limits: i32
) -> i32:
    """Before an operation of a warp: `lanes` execute it, which are those that it names, and a
    shuffle (`kind`, 0 for others) by one distance reads from these alone."""
    named = members & 4294967295
    if (lanes & 4294967295) == 0:
        return 1  # no lane comes here: both sides of a branch are passed
    fine = (lanes & 4294967295) == named
    if fine and named != 4294967295 and kind != 0:
        fine = reads_members(i32(named), kind, by, limits)
    if not fine:
        return stop(xgpu_san_state().screen, 0)
    return 1


def reads_members(named: i32, kind: i32, by: i32, limits: i32) -> i1:
    """Whether all lanes that a shuffle names read from one another (PTX ISA, shfl.sync). The kinds
    that reductions by halves use may read from others."""
    if kind < SHFL_BFLY:
        return True
    if kind > SHFL_IDX:
        return False
    segment = (limits >> 8) & 31
    for lane in range(i32(32)):
        if ((named >> lane) & 1) != 0:
            last = (lane & segment) | (limits & ~segment & 31)
            source = lane ^ (by & 31)
            if kind == SHFL_IDX:
                source = (lane & segment) | (by & ~segment & 31)
            if source <= last and ((named >> source) & 1) == 0:
                return False
    return True


# -- pages


def claim(s: SanState, v: SanScreen, page: SanPage) -> i1:
    """A launch uses a page for the first time: whether it comes after all that wrote to it."""
    if s.summary_count != 0:
        spell_out_for(s, page, v.operation)
    if page.live != 0 and s.operations[i64(page.claimed)].settled == 0:
        fold(s, page)
        page.changed = 1
    v.strangers = 0
    stale = page.live == 0 and (page.changed != 0 or i64(page.states) == 0)
    if stale and not begin_states(s, v, page):
        return False
    page.live = 1
    page.changed = 0
    page.claimed = v.operation
    if v.strangers != 0:
        page.strangers = v.operation
    if page.full == 0:
        look_for_all(page)
    page.plain = page.full
    if page.states_shift != 2 or (v.fine != 0 and v.races != 0):
        page.plain = 0
    if v.races != 0:
        zero_bytes(page.bits, BITS)
    if v.page_count >= v.page_room:
        room = v.page_room * 2 + 1024
        v.pages = Ptr[ptr](grown(v.pages, v.page_count * 8, room * 8))
        v.page_room = room
    v.pages[v.page_count] = page
    v.page_count += 1
    return True


def look_for_all(page: SanPage) -> None:
    """Whether all of a page has been written."""
    page.full = i32(written_all(page.states, i64(PAGE) >> i64(page.states_shift)))


def begin_states(s: SanState, v: SanScreen, page: SanPage) -> i1:
    """The states of a page from its cells, if all of them come before the launch."""
    refine(page, 2)
    if page.shift < page.states_shift and i64(page.cells) != 0 and uneven(page):
        new_states(page, page.shift)
    if i64(page.states) == 0:
        page.states = room_for_states(page)
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
    leave_page(xgpu_san_state().screen, page)
    page.plain = 0
    free_states(page.states, page.states_shift)
    page.states_shift = shift
    page.states = room_for_states(page)


def room_for_states(page: SanPage) -> Ptr[i64]:
    """States of words lie beside those of the next page: a window may have several pages."""
    if page.states_shift != 2:
        return Ptr[i64](in_lines((i64(PAGE) >> i64(page.states_shift)) * 8))
    each = i64(PAGE) * 2
    number = lshr(page.address, 12) & (ROW - 1)
    first = SanPage(ptr(i64(page) - number * sizeof(SanPage)))
    if i64(first.row) == 0:
        first.row = in_lines(ROW * each)
    return Ptr[i64](ptr(i64(first.row) + number * each))


def written(cell: SanCell) -> i64:
    if cell.w_context == 0 or (cell.w_clock & POISON) != 0:
        return 0
    return STATE_BEFORE


def before(s: SanState, v: SanScreen, cell: SanCell) -> i1:
    """Whether the launch comes after the last write of a cell. Who has read it beside the launch
    does no harm, unless the launch writes there (`SanPage.strangers`)."""
    if not is_before(s, cell.w_context, v.operation):
        return False
    if not is_before(s, cell.r_context, v.operation):
        v.strangers = 1
    at = cell.r_more
    while at != 0 and v.strangers == 0:
        r = s.readers[i64(at)]
        if not is_before(s, r.context, v.operation):
            v.strangers = 1
        at = r.next
    return True


def narrow(page: SanPage, shift: i32) -> None:
    """Smaller cells for a page: each part of one has its state."""
    old = page.states
    before = page.states_shift
    shorter = i64(before - shift)
    page.states = Ptr[i64](None)
    new_states(page, shift)
    for i in range(i64(PAGE) >> i64(shift)):
        page.states[i] = old[i >> shorter]
    free_states(old, before)


def save(v: SanScreen, page: SanPage) -> None:
    """Keep what a page holds."""
    if i64(page.saved) == 0:
        page.saved = in_lines(PAGE)
    page.saved_for = v.operation
    if v.races == 0:
        zero_bytes(page.bits, BITS)
    xgpu_san_keep(page.saved, ptr(page.address))


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
    if (flags & FLAG_WRITE) != 0 and page.strangers == v.operation:
        return none
    if (flags & FLAG_WRITE) != 0 and page.saved_for != v.operation:
        save(v, page)
    return page
