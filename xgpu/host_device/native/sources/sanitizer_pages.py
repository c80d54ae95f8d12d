# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of memory as the sanitizer knows them: who has used which of their cells."""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    copy_bytes,
    i1,
    i32,
    i64,
    lshr,
    ptr,
    sizeof,
    udiv,
    zero_bytes,
)
from xgpu.host_device.native.records import (
    FLAG_WRITE,
    KIND_RACE,
    SanAllocation,
    SanCell,
    SanPage,
    SanReader,
    SanState,
    SanSummary,
)
from xgpu.host_device.native.sources.libc import calloc, free, malloc
from xgpu.host_device.native.sources.sanitizer_state import (
    AGENT_BITS,
    ALLOCATION_CONSTANT,
    ALLOCATION_DEVICE,
    ALLOCATION_HEAP,
    ALLOCATION_HOST,
    ALLOCATION_SHARED,
    BITS,
    CLOCK_ATOMIC,
    GONE,
    KIND_READ,
    KIND_READS,
    KIND_WROTE,
    LIVE,
    PAGE,
    PARTS,
    POISON,
    RELEASED,
    STATE_ATOMIC,
    STATE_BEFORE,
    STATE_CONTEXT,
    STATE_EPOCH,
    STATE_KIND,
    STATE_READ,
    STATE_SITE,
    STATE_WHO,
    STATE_WRITTEN,
    STATE_WROTE,
    TABLE,
    enter,
    grown,
    operation_ordered,
    width_class,
    xgpu_san_leave,
    xgpu_san_stack,
    xgpu_san_state,
    zeroed,
)

MOST_READERS = 16777216


def page_slot(s: SanState, address: i64) -> SanPage:
    """The table's record for the page of an address; its part is made if need be: records in a row,
    and behind them the bits of their words in a row. Few are used, and only these take memory."""
    number = lshr(address, 12)
    part = udiv(number, TABLE) & (PARTS - 1)
    if i64(s.pages[part]) == 0:
        s.pages[part] = calloc(TABLE * (sizeof(SanPage) + BITS) + 64, 1)
    return SanPage(s.pages[part])[number & (TABLE - 1)]


def find_page(s: SanState, address: i64) -> SanPage:
    """The page of an address; null where nothing has been allocated. What screened launches did
    to it is in its cells then."""
    page = page_at(s, address)
    if i64(page) != 0:
        if s.summary_count != 0:
            spell_out_for(s, page, -1)
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
    page = SanPage(part)[number & (TABLE - 1)]
    if page.era != s.era:
        return SanPage(None)
    return page


def make_page(s: SanState, address: i64, allocation: i32) -> SanPage:
    """The page of an address, which knows nothing if it was of an earlier program."""
    page = page_slot(s, address)
    if page.address == 0:
        page.whole = SanCell(zeroed(sizeof(SanCell)))
        page.shift = 2
        page.states_shift = 2
        page.address = address & -PAGE
        number = lshr(address, 12) & (TABLE - 1)
        records = i64(page) - number * sizeof(SanPage)
        page.bits = Ptr[i64](ptr(records + TABLE * sizeof(SanPage) + number * BITS))
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
    if page.states_shift != 2:
        # Parts of words mattered to the earlier use alone.
        free_states(page.states, page.states_shift)
        page.states = Ptr[i64](None)
        page.states_shift = 2


def free_states(states: Ptr[i64], shift: i32) -> None:
    if shift != 2 and i64(states) != 0:
        free(states)


def spread(page: SanPage) -> None:
    """Give each cell of a page a record of its own."""
    if i64(page.cells) != 0:
        return
    count: i64 = PAGE >> i64(page.shift)
    page.cells = SanCell(malloc(count * sizeof(SanCell)))
    for i in range(count):
        copy_bytes(page.cells[i], page.whole, sizeof(SanCell))


def written_before(page: SanPage) -> None:
    """The writers of a page are not known: all is ordered behind it."""
    if page.whole.w_context == 0 and i64(page.cells) == 0:
        page.whole.w_context = 1
        page.whole.w_clock = 1


def is_unwritten(cell: SanCell) -> i1:
    return cell.w_context == 0 or (cell.w_clock & POISON) != 0


def was_written(cell: SanCell) -> None:
    """It was written before all that goes on."""
    if is_unwritten(cell):
        cell.w_context = 1
        cell.w_clock = 1


def refine(page: SanPage, shift: i32) -> None:
    """Cells of 1 << `shift` bytes or fewer: parts of the present ones are used."""
    if page.shift <= shift:
        return
    old = page.cells
    wide = i64(page.shift - shift)
    page.shift = shift
    if i64(old) == 0:
        return
    count: i64 = PAGE >> i64(shift)
    page.cells = SanCell(malloc(count * sizeof(SanCell)))
    for i in range(count):
        whole = old[i >> wide]
        copy_bytes(page.cells[i], whole, sizeof(SanCell))
        if (i & ((1 << wide) - 1)) != 0 and whole.r_more != 0:
            page.cells[i].r_more = copied_readers(xgpu_san_state(), whole.r_more)
    free(old)


def refine_for(page: SanPage, size: i64) -> None:
    """Cells of words, or of bytes where less than a word is used."""
    if size < 4:
        refine(page, 0)
    else:
        refine(page, 2)


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
    refine_for(page, 1 << i64(page.states_shift))
    spread(page)
    each: i64 = 1 << i64(page.states_shift - page.shift)
    noted = (s.kinds & KIND_RACE) != 0  # else bits are of what was written
    for i in range(i64(PAGE) >> i64(page.states_shift)):
        state = page.states[i]
        word = (i << i64(page.states_shift)) >> 2
        read = noted and (lshr(page.bits[word >> 6], word & 63) & 1) != 0
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
    if (state & STATE_BEFORE) != 0:
        # By a launch that was screened as well, whose state this one has taken.
        was_written(cell)
    if (state & STATE_WRITTEN) != 0:
        cell.w_context = context
        cell.w_who = who
        cell.w_clock = clock
        if (state & STATE_WRITTEN) == STATE_ATOMIC:
            width = s.screen.widths[lshr(state, STATE_SITE) & 2047]
            cell.w_clock = clock | CLOCK_ATOMIC | width_class(i64(width))
        forget_readers(s, cell)
    if kind != KIND_WROTE and (state & STATE_READ) != 0:
        if beside:
            keep_readers_beside(s, cell, s.contexts[i64(context)].operation)
        else:
            forget_readers(s, cell)
        cell.r_context = context
        cell.r_clock = clock
        cell.r_who = who & -32
        cell.r_lanes = 1 << (who & 31)
        if kind != KIND_READ:
            cell.r_lanes = 3


def recall(page: SanPage, first: i64) -> None:
    """Tell cells what had been written before the contexts from `first` on, which are undone."""
    count = i64(PAGE) >> i64(page.states_shift)
    if i64(page.cells) == 0:
        known: i64 = 0
        for i in range(count):
            known += i64(written_earlier(page.states[i], first))
        if known == 0 or not is_unwritten(page.whole):
            return
        if known == count:
            was_written(page.whole)
            return
    refine_for(page, 1 << i64(page.states_shift))
    spread(page)
    each: i64 = 1 << i64(page.states_shift - page.shift)
    for i in range(count):
        if written_earlier(page.states[i], first):
            for part in range(each):
                was_written(page.cells[i * each + part])


def written_earlier(state: i64, first: i64) -> i1:
    return (state & STATE_BEFORE) != 0 or (
        lshr(state, STATE_CONTEXT) < first and (state & STATE_WRITTEN) != 0
    )


def keep_readers_beside(s: SanState, cell: SanCell, operation: i32) -> None:
    """Room for a reader of an operation beside those of a cell that it does not come after; the
    others are forgotten."""
    if cell.r_context == 0 and cell.r_more == 0:
        return
    before: i32 = 0
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        following = r.next
        if is_before(s, r.context, operation):
            drop_reader(s, cell, before, at)
        else:
            before = at
        at = following
    if cell.r_context != 0 and not is_before(s, cell.r_context, operation):
        list_reader(s, cell)


def drop_reader(s: SanState, cell: SanCell, before: i32, number: i32) -> None:
    """Take a reader from a cell's list, where it stands behind another one or, for 0, first."""
    r = s.readers[i64(number)]
    if before == 0:
        cell.r_more = r.next
    else:
        s.readers[i64(before)].next = r.next
    r.next = s.free_reader
    s.free_reader = number


def is_before(s: SanState, context: i32, operation: i32) -> i1:
    """Whether a block's launch, or another operation, is over before an operation begins."""
    if context < s.oldest:
        return True
    return operation_ordered(s, s.contexts[i64(context)].operation, operation)


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


# -- Summaries of launches that are known as a whole: nothing of them is in cells or states until
# someone looks there who may not be ordered behind them.
#
# An access has 10 words, and more for each of its loops and conditions:
#
#     info, address, steps by block along x, y and z, a number for each thread, loops, conditions,
#     begin and end of what it reaches, an end of 0 where cells know of it
#     of a loop: the step, and how many there are
#     of a condition: least, most, a constant, steps by block, numbers of threads, steps by loop
#
# The address of a thread is the sum of its parts, in each iteration in which all conditions hold.


MOST_SUMMARIES = 64
RANGE = 4  # words: begin, end, the pointer that it is computed from, whether it is written to
ACCESS = 10


def spell_out_for(s: SanState, page: SanPage, but: i32) -> None:
    """Tell cells what launches did to a page, all but operation `but`; and to what one access
    reaches with it, so that cells learn of all in order."""
    begin = page.address
    end = begin + PAGE
    known = False
    wanted = False
    while not known:
        known = True
        for i in range(s.summary_count):
            m = s.summaries[i64(i)]
            at = m.accesses
            for _ in range(m.count):
                if m.operation != but and is_used_in(at, begin, end):
                    wanted = True
                    if at[8] < begin or at[9] > end:
                        begin = at[8] if at[8] < begin else begin
                        end = at[9] if at[9] > end else end
                        known = False
                at = next_access(at)
    if wanted:
        for i in range(s.summary_count):
            m = s.summaries[i64(i)]
            at = m.accesses
            for _ in range(m.count):
                if m.operation != but and is_used_in(at, begin, end):
                    at[9] = 0
                    spell_out(s, m, at)
                at = next_access(at)


def is_used_in(access: Ptr[i64], begin: i64, end: i64) -> i1:
    return access[8] < end and access[9] > begin


def next_access(access: Ptr[i64]) -> Ptr[i64]:
    return Ptr[i64](ptr(i64(conditions_of(access)) + access[7] * (7 + access[6]) * 8))


def conditions_of(access: Ptr[i64]) -> Ptr[i64]:
    return Ptr[i64](ptr(i64(access) + (ACCESS + access[6] * 2) * 8))


def spell_out(s: SanState, m: SanSummary, access: Ptr[i64]) -> None:
    """Tell cells what each thread of a launch did in one place."""
    threads = Ptr[i64](ptr(access[5]))
    turns: i64 = 1
    for loop in range(access[6]):
        turns = turns * access[ACCESS + loop * 2 + 1]
    for block in range(i64(m.skipped), i64(m.groups)):
        c = s.contexts[i64(m.first) + block]
        start = access[1] + access[2] * i64(c.x) + access[3] * i64(c.y) + access[4] * i64(c.z)
        for thread in range(i64(m.threads)):
            for turn in range(turns):
                address = start + threads[thread] + loop_steps(access, access, turn)
                if holds(access, conditions_of(access), c.x, c.y, c.z, thread, turn):
                    spell_out_access(s, m, block, access[0], address, thread)


def loop_steps(access: Ptr[i64], steps: Ptr[i64], turn: i64) -> i64:
    """How far the loops of an access move it in a turn of all of them."""
    moved: i64 = 0
    rest = turn
    loops = access[6]
    for loop in range(loops):
        count = access[ACCESS + loop * 2 + 1]
        step = access[ACCESS + loop * 2] if i64(access) == i64(steps) else steps[7 + loop]
        moved += step * (rest % count)
        rest = rest // count
    return moved


def holds(
    access: Ptr[i64], conditions: Ptr[i64], x: i32, y: i32, z: i32, thread: i64, turn: i64
) -> i1:
    """Whether a thread comes to an access in a turn."""
    at = conditions
    for _ in range(access[7]):
        value = at[2] + at[3] * i64(x) + at[4] * i64(y) + at[5] * i64(z)
        value += Ptr[i64](ptr(at[6]))[thread] + loop_steps(access, at, turn)
        if value < at[0] or value > at[1]:
            return False
        at = Ptr[i64](ptr(i64(at) + (7 + access[6]) * 8))
    return True


def spell_out_access(
    s: SanState, m: SanSummary, block: i64, info: i64, address: i64, thread: i64
) -> None:
    """Tell the cells of an access of one thread."""
    page = page_at(s, address)
    size = lshr(info, 32) & 65535
    if i64(page) == 0:
        return
    if page.live != 0:
        fold(s, page)
    page.changed = 1
    refine_for(page, size)
    spread(page)
    context = i64(m.first) + block
    state = (context << STATE_CONTEXT) | (1 << STATE_EPOCH) | (thread << STATE_WHO)
    state = state | ((info & 2047) << STATE_SITE)
    if (lshr(info, 20) & FLAG_WRITE) != 0:
        state = state | KIND_WROTE | STATE_WROTE
    else:
        state = state | KIND_READ | STATE_READ
    last = i64(m.first + m.groups)
    for i in range((size + (1 << i64(page.shift)) - 1) >> i64(page.shift)):
        cell = cell_of(page, address + (i << i64(page.shift)))
        earlier = i64(cell.r_context)
        if (state & STATE_READ) != 0 and earlier >= i64(m.first) and earlier < last:
            # Several threads read it: two of them stand for all.
            fold_cell(s, cell, (state & ~STATE_KIND) | KIND_READS, True)
        else:
            fold_cell(s, cell, state, True)


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


# -- Memory that kernels may use: told of by the host, and found by an address.


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
        mixed = of_host(kind) and (not inner or kind == ALLOCATION_CONSTANT)
        # Host memory may be registered once more with what lies beside it.
        kept = i64(known) != 0 and of_host(kind) and not is_over(s, known)
        if i64(known) != 0 and not kept:
            forget_page(s, known)
        page = make_page(s, at, -1 if mixed else number)
        if kind != ALLOCATION_DEVICE and kind != ALLOCATION_HEAP:
            written_before(page)
        if mixed:
            refine(page, 0)
        if kind == ALLOCATION_HEAP:
            forget_accesses(s, page, begin, begin + size)
        elif mixed or kept:
            count_as_written(page, begin, begin + size)
        at = at + PAGE


def of_host(kind: i32) -> i1:
    """Whether an allocation shares pages with other memory of the host."""
    return kind in (ALLOCATION_HOST, ALLOCATION_HEAP, ALLOCATION_CONSTANT)


def forget_accesses(s: SanState, page: SanPage, begin: i64, end: i64) -> None:
    """Let the part of a new allocation in a page know nothing: malloc comes behind the free of
    memory that it gives again, and so behind all that its last user did. Nothing has written it."""
    page.changed = 1
    if i64(page.cells) == 0:
        if page.whole.w_context == 0 and page.whole.r_context == 0 and page.whole.r_more == 0:
            return
        spread(page)
    step: i64 = 1 << i64(page.shift)
    at = begin if begin > page.address else page.address
    while at < end and at < page.address + PAGE:
        cell = cell_of(page, at)
        forget_readers(s, cell)
        zero_bytes(cell, sizeof(SanCell))
        at = at + step


def is_over(s: SanState, page: SanPage) -> i1:
    """Whether a page was that of one allocation, whose memory has been given to others since, or of
    a block's own memory: what was unwritten there says nothing of theirs."""
    if is_of_blocks(page):
        return True
    return page.allocation >= 0 and s.allocations[i64(page.allocation)].state != LIVE


def count_as_written(page: SanPage, begin: i64, end: i64) -> None:
    """Count the part of a new allocation in a page of several as written: what the page knows to be
    unwritten is of the allocation before it."""
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


def xgpu_san_forget(number: i32) -> None:
    """Memory of the host is gone when all that has used it is over: what has its addresses next
    comes behind that."""
    s = xgpu_san_state()
    who = xgpu_san_stack()
    enter(s, who)
    a = s.allocations[i64(number)]
    a.state = RELEASED
    at = a.begin & -PAGE
    while at < a.begin + a.size:
        page = find_page(s, at)
        if i64(page) != 0 and page.allocation < 0:
            spread(page)
            forget_accesses(s, page, a.begin, a.begin + a.size)
        at = at + PAGE
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


def heap_at(s: SanState, address: i64) -> i32:
    """The memory of a kernel's malloc that holds an address, or -1."""
    page = page_at(s, address)
    if i64(page) == 0:
        return -1
    number = allocation_at(s, page, address)
    if number >= 0 and s.allocations[i64(number)].kind == ALLOCATION_HEAP:
        return number
    return -1


def freed_at(s: SanState, address: i64) -> i32:
    """The memory that held an address and that a kernel has freed, or -1."""
    number = s.allocation_count - 1
    while number >= 0:
        a = s.allocations[i64(number)]
        if a.kind == ALLOCATION_HEAP and address >= a.begin and address < a.begin + a.size:
            return number if a.state == RELEASED else -1
        number = number - 1
    return -1


def shared_page(s: SanState, address: i64) -> SanPage:
    """The page of an address, null where it is the host's alone: of memory that is not registered,
    or no longer, it is not known what the host does."""
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
    return of_host(a.kind) and a.state != LIVE


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
