# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sanitizer's state: the lock, allocations, pages of shadow, contexts, reports.

One worker at a time is inside of the sanitizer, and stays until its block ends or pauses; so what
it finds does not depend on how threads of the machine happen to run.
"""

from __future__ import annotations

from xgpu.runtime.native.prelude import (
    Ptr,
    advance,
    atomic_store,
    copy_bytes,
    exchange_if,
    extern,
    i1,
    i32,
    i64,
    lshr,
    ptr,
    sizeof,
    udiv,
    zero_bytes,
)
from xgpu.runtime.native.records import (
    SanCell,
    SanContext,
    SanOperation,
    SanPage,
    SanReader,
    SanReport,
    SanScreen,
    SanState,
)
from xgpu.runtime.native.sources.libc import free, malloc, usleep

PAGE = 4096
TABLE = 262144  # pages of a part of the table: 1 GiB
PARTS = 131072  # 47 bits of addresses
MOST_REPORTS = 4096
AGENT_MASK = 8191
AGENT_BITS = 13
MOST_READERS = 16777216
POISON = 536870912  # mark of a clock: what was written there was nothing
LIVE = 1
RELEASED = 2
GONE = 3  # with the program that made it
ALLOCATION_DEVICE = 0
ALLOCATION_SHARED = 1
ALLOCATION_HOST = 2
ALLOCATION_MANAGED = 3

# A state of a cell, as `sanitizer_screen` keeps it: where its parts begin, and its marks.
STATE_CONTEXT = 40
STATE_EPOCH = 28
STATE_WHO = 18
STATE_SITE = 7
STATE_KIND = 112
KIND_READ = 16  # by one thread of the block
KIND_READS = 32  # by several
KIND_WROTE = 64  # by one thread, which may have read as well
KIND_ATOMIC = 80
KIND_MANY = 112  # used by several blocks
STATE_READ = 8
STATE_ATOMIC = 4
STATE_WROTE = 2
STATE_WRITTEN = 6
STATE_BEFORE = 1  # written before this launch
CLOCK_ATOMIC = 1073741824


@extern
def xgpu_san_state() -> SanState: ...


@extern
def xgpu_san_stack() -> ptr: ...


def zeroed(size: i64) -> ptr:
    memory = malloc(size)
    zero_bytes(memory, size)
    return memory


def grown(old: ptr, bytes: i64, room: i64) -> ptr:
    """An array that grows to `room` bytes, of which `bytes` are in use."""
    new = zeroed(room)
    if bytes != 0:
        copy_bytes(new, old, bytes)
    if i64(old) != 0:
        free(old)
    return new


def xgpu_san_begin(kinds: i32) -> None:
    """Make the state, empty, on its first use; and say what to look for."""
    s = xgpu_san_state()
    if i64(s.pages) == 0:
        s.pages = Ptr[ptr](zeroed(PARTS * 8))
        s.sink = zeroed(65536)
        s.reports = SanReport(zeroed(MOST_REPORTS * sizeof(SanReport)))
        s.syncs = Ptr[ptr](zeroed(65536 * 8))
        s.screen = SanScreen(zeroed(sizeof(SanScreen)))
        # What happened before everything: operation 0, context 1.
        s.context_count = 1
        xgpu_san_operation(0, 0, Ptr[i32](s.sink), 0, 0)
        new_contexts(s, 1)
    for number in range(i64(s.allocation_count)):
        s.allocations[number].state = GONE
    # Addresses serve again, for other things: what pages know of earlier programs is forgotten, and
    # with it who has read there.
    s.era += 1
    s.reader_count = 1
    s.free_reader = 0
    s.kinds = kinds
    s.oldest = s.context_count
    s.report_count = 0
    s.dropped = 0


def enter(s: SanState, who: ptr) -> None:
    """Wait until nobody else is inside. Two threads of the machine must not be the same `who`:
    a worker is one, what is called from Python has its stack (`xgpu_san_stack`)."""
    if i64(s.owner) == i64(who):
        return
    pause: i32 = 20
    while not exchange_if(s.lock, 0, 1):
        usleep(pause)
        if pause < 5000:
            pause = pause * 2
    s.owner = who


def xgpu_san_enter(who: ptr) -> None:
    enter(xgpu_san_state(), who)


def xgpu_san_leave(who: ptr) -> None:
    """Let others in, if `who` is inside."""
    s = xgpu_san_state()
    if i64(s.owner) == i64(who):
        s.owner = ptr(0)
        atomic_store(s.lock, 0)


# -- contexts and operations


def new_contexts(s: SanState, count: i32) -> i32:
    """The first of `count` numbers in a row."""
    first = s.context_count
    if first + count > s.context_room:
        room = i64(first + count) * 2 + 1024
        used = i64(s.context_room) * sizeof(SanContext)
        s.contexts = SanContext(grown(s.contexts, used, room * sizeof(SanContext)))
        s.context_room = i32(room)
    s.context_count = first + count
    return first


def xgpu_san_operation(
    lane: i32, index: i32, after: Ptr[i32], lanes: i32, synchronizes: i32
) -> i32:
    """The number of a new operation; `after` is what it comes after in each of `lanes` lanes, and
    it `synchronizes` if its blocks may learn of one another."""
    s = xgpu_san_state()
    enter(s, after)
    number = s.operation_count
    if number >= s.operation_room:
        room = i64(number) * 2 + 1024
        used = i64(number) * sizeof(SanOperation)
        s.operations = SanOperation(grown(s.operations, used, room * sizeof(SanOperation)))
        s.operation_room = i32(room)
    s.operation_count = number + 1
    o = s.operations[i64(number)]
    o.lane = lane
    o.index = index
    o.lanes = lanes
    o.after = after
    o.synchronizes = synchronizes
    xgpu_san_leave(after)
    return number


def xgpu_san_settle(after: i32) -> None:
    """All that is not over comes after the operations up to `after`, and so does all to come."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    number = i64(after)
    while number >= 0 and s.operations[number].settled == 0:
        s.operations[number].settled = 1
        number -= 1
    xgpu_san_leave(who)


def operation_ordered(s: SanState, earlier: i32, later: i32) -> i1:
    """Whether one operation is over before the other begins, whatever the order of the run."""
    if earlier == later:
        return True
    if earlier == 0:
        return True
    a = s.operations[i64(earlier)]
    b = s.operations[i64(later)]
    return a.lane < b.lanes and b.after[i64(a.lane)] >= a.index


# -- pages


def page_slot(s: SanState, address: i64) -> Ptr[ptr]:
    """Where the table has the page of an address; its part is made if need be."""
    number = lshr(address, 12)
    part = udiv(number, TABLE) & (PARTS - 1)
    if i64(s.pages[part]) == 0:
        s.pages[part] = zeroed(TABLE * 8)
    entries = Ptr[ptr](s.pages[part])
    return Ptr[ptr](advance(entries, (number & (TABLE - 1)) * 8))


def find_page(s: SanState, address: i64) -> SanPage:
    """The page of an address; null where nothing has been allocated. What screened launches did
    to it is in its cells then."""
    page = page_at(s, address)
    if i64(page) != 0:
        if page.live != 0:
            fold(s, page)
        page.changed = 1
    return page


def page_at(s: SanState, address: i64) -> SanPage:
    """The page of an address, as it is; null if this program has nothing there."""
    number = lshr(address, 12)
    part = s.pages[udiv(number, TABLE) & (PARTS - 1)]
    if i64(part) == 0:
        return SanPage(part)
    entries = Ptr[ptr](part)
    page = SanPage(entries[number & (TABLE - 1)])
    if i64(page) != 0 and page.era != s.era:
        return SanPage(None)
    return page


def make_page(s: SanState, address: i64, allocation: i32) -> SanPage:
    """The page of an address, which knows nothing if it was of an earlier program."""
    slot = page_slot(s, address)
    page = SanPage(slot[0])
    if i64(page) == 0:
        page = SanPage(zeroed(sizeof(SanPage)))
        page.whole = SanCell(zeroed(sizeof(SanCell)))
        page.shift = 2
        page.states_shift = 2
        page.address = address & -PAGE
        slot[0] = page
    elif page.era != s.era:
        clear_page(page)
    page.era = s.era
    page.allocation = allocation
    page.changed = 1
    return page


def is_of_blocks(page: SanPage) -> i1:
    """Whether a page is of the own memory of blocks."""
    return page.allocation == -2


def forget_page(s: SanState, page: SanPage) -> None:
    """Let a page know nothing."""
    if i64(page.cells) != 0:
        for i in range(i64(PAGE) >> i64(page.shift)):
            forget_readers(s, page.cells[i])
    forget_readers(s, page.whole)
    clear_page(page)


def clear_page(page: SanPage) -> None:
    page.live = 0
    page.full = 0
    page.changed = 1
    if i64(page.cells) != 0:
        free(page.cells)
    page.cells = SanCell(None)
    page.shift = 2
    zero_bytes(page.whole, sizeof(SanCell))


def spread(page: SanPage) -> None:
    """Give each cell of a page a record of its own."""
    if i64(page.cells) != 0:
        return
    count: i64 = PAGE >> i64(page.shift)
    page.cells = SanCell(malloc(count * sizeof(SanCell)))
    for i in range(count):
        copy_bytes(page.cells[i], page.whole, sizeof(SanCell))


def written_before(page: SanPage) -> None:
    """Nobody can say who has written what a page holds: all is ordered behind it."""
    if page.whole.w_context == 0 and i64(page.cells) == 0:
        page.whole.w_context = 1
        page.whole.w_clock = 1


def refine(page: SanPage) -> None:
    """A cell for each byte: somebody uses parts of a word."""
    if page.shift == 0:
        return
    old = page.cells
    page.shift = 0
    if i64(old) == 0:
        return
    page.cells = SanCell(malloc(PAGE * sizeof(SanCell)))
    for i in range(PAGE):
        copy_bytes(page.cells[i], old[i >> 2], sizeof(SanCell))
        if (i & 3) != 0 and old[i >> 2].r_more != 0:
            page.cells[i].r_more = copied_readers(xgpu_san_state(), old[i >> 2].r_more)
    free(old)


def copied_readers(s: SanState, first: i32) -> i32:
    """A list of readers of its own for another cell."""
    head: i32 = 0
    at = first
    while at != 0:
        number = new_reader(s)
        if number == 0:
            return head
        copy_bytes(s.readers[i64(number)], s.readers[i64(at)], sizeof(SanReader))
        s.readers[i64(number)].next = head
        head = number
        at = s.readers[i64(at)].next
    return head


def cell_of(page: SanPage, address: i64) -> SanCell:
    return page.cells[(address & (PAGE - 1)) >> i64(page.shift)]


# -- states of screened launches


def fold(s: SanState, page: SanPage) -> None:
    """Tell cells what screened launches have done. It comes after all that cells know, but for
    what others read beside it."""
    page.live = 0
    beside = i1(page.strangers == page.claimed)
    if page.states_shift < page.shift:
        refine(page)
    spread(page)
    each: i64 = 1 << i64(page.states_shift - page.shift)
    for i in range(i64(PAGE) >> i64(page.states_shift)):
        state = page.states[i]
        read = i64(page.bits) != 0 and (lshr(page.bits[i >> 6], i & 63) & 1) != 0
        for part in range(each):
            cell = page.cells[i * each + part]
            if (state & STATE_KIND) != 0:
                fold_cell(s, cell, state, beside)
            if read:
                fold_cell(s, cell, page.reader, beside)


def fold_cell(s: SanState, cell: SanCell, state: i64, beside: i1) -> None:
    context = i32(lshr(state, STATE_CONTEXT))
    clock = i32(lshr(state, STATE_EPOCH) & 4095)
    who = (i32(lshr(state, STATE_SITE) & 2047) << AGENT_BITS) | i32(lshr(state, STATE_WHO) & 1023)
    kind = state & STATE_KIND
    if (state & STATE_WRITTEN) != 0:
        cell.w_context = context
        cell.w_who = who
        cell.w_clock = clock
        if (state & STATE_WRITTEN) == STATE_ATOMIC:
            cell.w_clock = clock | CLOCK_ATOMIC
        forget_readers(s, cell)
    if kind != KIND_WROTE and (state & STATE_READ) != 0:
        if beside and cell.r_context != 0:
            list_reader(s, cell)
        else:
            forget_readers(s, cell)
        cell.r_context = context
        cell.r_clock = clock
        cell.r_who = who & -32
        cell.r_lanes = 1 << (who & 31)
        if kind != KIND_READ:
            cell.r_lanes = 3


def list_reader(s: SanState, cell: SanCell) -> None:
    """Room for another reader beside those that a cell has."""
    number = new_reader(s)
    if number == 0:
        return
    r = s.readers[i64(number)]
    r.context = cell.r_context
    r.clock = cell.r_clock
    r.who = cell.r_who
    r.lanes = cell.r_lanes
    r.next = cell.r_more
    cell.r_more = number


def forget_readers(s: SanState, cell: SanCell) -> None:
    cell.r_context = 0
    at = cell.r_more
    cell.r_more = 0
    while at != 0:
        r = s.readers[i64(at)]
        following = r.next
        r.next = s.free_reader
        s.free_reader = at
        at = following


# -- readers of a cell beyond the first


def new_reader(s: SanState) -> i32:
    number = s.free_reader
    if number != 0:
        s.free_reader = s.readers[i64(number)].next
        return number
    number = s.reader_count
    if number >= s.reader_room:
        if number >= MOST_READERS:
            return 0
        room = i64(number) * 2 + 4096
        used = i64(s.reader_room) * sizeof(SanReader)
        s.readers = SanReader(grown(s.readers, used, room * sizeof(SanReader)))
        s.reader_room = i32(room)
    s.reader_count = number + 1
    return number


# -- reports


def report_of(s: SanState, code: i32, site: i32, other: i32) -> SanReport:
    """The report on a pair of places, or one that has no count yet; null where there is no room."""
    for i in range(s.report_count):
        r = s.reports[i64(i)]
        if r.code == code and r.site == site and r.other_site == other:
            return r
    if s.report_count >= MOST_REPORTS:
        s.dropped += 1
        return SanReport(None)
    r = s.reports[i64(s.report_count)]
    zero_bytes(r, sizeof(SanReport))
    s.report_count += 1
    r.code = code
    r.site = site
    r.other_site = other
    r.allocation = -1
    return r
