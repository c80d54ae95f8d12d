# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cells: who wrote some bytes last, who has read them since, and what that says of an access.

An access comes from an agent at a clock; `self` is the thread that does it, or that has asked for
it. All accesses that are not ordered behind those that a cell knows, and conflict, are races,
whatever the order in which they happened to run.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import i1, i32, i64, lshr
from xgpu.host_device.native.records import (
    CODE_POISONED,
    CODE_PROXY,
    CODE_RACE,
    CODE_SCOPE,
    CODE_UNWRITTEN,
    CODE_WIDTHS,
    FLAG_ASYNC,
    FLAG_ATOMIC,
    FLAG_COPY,
    FLAG_MODIFY,
    FLAG_UNREAD,
    FLAG_WRITE,
    KIND_INIT,
    KIND_RACE,
    PROXY_GLOBAL,
    PROXY_MBARRIER,
    PROXY_SHARED,
    SanBlock,
    SanCell,
    SanReport,
    SanState,
    SanThread,
)
from xgpu.host_device.native.sources.sanitizer_clocks import ordered, record_of
from xgpu.host_device.native.sources.sanitizer_pages import (
    drop_reader,
    forget_readers,
    heap_at,
    new_reader,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    AGENT_BITS,
    AGENT_MASK,
    POISON,
    report_of,
)

CLOCK_MASK = 33554431
CLUSTER_SCOPE = 33554432
WIDTH = 201326592  # the class of an atomic access: `width_class`
BLOCK_SCOPE = 268435456
ATOMIC = 1073741824
MARKS = 1577058304  # ATOMIC, BLOCK_SCOPE, CLUSTER_SCOPE and WIDTH
WROTE = 536870912  # of an entry among the readers: a write that an atomic one has replaced
MOST_REPLACED = 64  # such entries of a cell
NOT_OBSERVED = 2147483647
# Of a reader: it has read the last write, and the two are morally strong. Of a write that stands
# first among the readers: the last write has stored the same value. Of another one: the last write
# is a read-modify-write that has read it, at once or by way of others, and does not stand for it as
# it shows to nothing what it has read; who has observed the last write has observed both.
OBSERVED = 2147483648


def shared_offset(k: SanBlock, address: i64) -> i64:
    """Where an address lies in the workgroup memory of a block of the cluster, or -1."""
    if k.window == 0:
        return -1
    at = address - k.begin
    if at < 0 or at >= k.window * i64(k.last - k.first + 1):
        return -1
    return at % k.window


def fill_report(
    s: SanState, r: SanReport, kind: i32, k: SanBlock, agent: i32, flags: i32, address: i64,
    size: i32,
) -> None:  # fmt: skip
    r.kind = kind
    r.context = k.context
    r.agent = agent
    r.flags = flags
    r.address = address
    r.size = size
    r.offset = shared_offset(k, address)
    if agent < k.count:
        r.synced = record_of(k, agent).site


def begin_access(s: SanState, k: SanBlock, agent: i32, clock: i32, flags: i32) -> None:
    """Another access; all parts of a copy are one."""
    if (flags & (FLAG_COPY | FLAG_ASYNC)) == 0:
        s.serial += 1
    else:
        s.serial = -1 - (i64(k.context) << 40 | i64(agent) << 27 | i64(clock & 134217727))


def is_first(s: SanState, r: SanReport) -> i1:
    """Count an access, once for all of its cells; whether it is the first of a report."""
    if r.count != 0 and r.serial == s.serial:
        return False
    r.serial = s.serial
    r.count += 1
    return r.count == 1


def race(
    s: SanState, k: SanBlock, code: i32, agent: i32, site: i32, flags: i32, context: i32, who: i32,
    clock: i32, wrote: i32, address: i64, size: i32,
) -> None:  # fmt: skip
    """Report an access against an earlier one."""
    r = report_of(s, code, site, lshr(who, AGENT_BITS))
    if i64(r) == 0 or not is_first(s, r):
        return
    fill_report(s, r, KIND_RACE, k, agent, flags, address, size)
    r.other_context = context
    r.other_agent = who & AGENT_MASK
    r.other_flags = wrote
    if (clock & ATOMIC) != 0:
        r.other_flags = wrote | FLAG_ATOMIC


def scopes_meet(k: SanBlock, context: i32, mine: i32, other: i32) -> i1:
    """Whether two accesses are atomic for one another."""
    if (mine & other & ATOMIC) == 0 or ((mine ^ other) & WIDTH) != 0:
        return False
    if context == k.context:
        return True
    if ((mine | other) & CLUSTER_SCOPE) != 0 and (context < k.first or context > k.last):
        return False
    return ((mine | other) & BLOCK_SCOPE) == 0


def against(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, context: i32, other: i32, who: i32, wrote: i32, address: i64, size: i32,
) -> i1:  # fmt: skip
    """Whether an access does not race with an earlier one; if it does, that is reported."""
    if scopes_meet(k, context, clock, other):
        return True
    if ordered(s, k, t, self, context, who & AGENT_MASK, other & CLOCK_MASK):
        if agent >= k.count * 2 and wrote != 0 and context == k.context:
            return through_proxy(s, k, t, self, agent, site, flags, other, who, address, size)
        return True
    code: i32 = CODE_RACE
    if (clock & other & ATOMIC) != 0:
        code = CODE_SCOPE
        if ((clock ^ other) & WIDTH) != 0:
            code = CODE_WIDTHS
    race(s, k, code, agent, site, flags, context, who, other, wrote, address, size)
    return False


def proxy_kind(k: SanBlock, flags: i32, address: i64) -> i32:
    """Which fence an asynchronous access needs. Copies use mbarriers atomically, and data not."""
    if (flags & FLAG_ATOMIC) != 0:
        return i32(PROXY_MBARRIER)
    end = k.begin + k.window * i64(k.last - k.first + 1)
    if address >= k.begin and address < end:
        return i32(PROXY_SHARED)
    return i32(PROXY_GLOBAL)


def through_proxy(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, site: i32, flags: i32,
    other: i32, who: i32, address: i64, size: i32,
) -> i1:  # fmt: skip
    """An asynchronous access sees what a thread wrote only behind a proxy fence: of the writer, or
    of the thread that asks for it, after it learned of the write (PTX ISA, proxies). By which proxy
    tcgen05.alloc writes an address the ISA does not say, so nothing is said of it."""
    writer = who & AGENT_MASK
    clock = other & CLOCK_MASK
    if address == k.slot and writer == k.slot_writer and clock == k.slot_clock:
        return True
    kind = i64(proxy_kind(k, flags, address))
    if writer >= k.count or k.threads[writer].proxy_clock[kind] >= clock:
        return True
    learned_nothing = ((t.proxy_all >> i32(kind)) & 1) != 0
    if t.proxy_block_clock[kind] >= clock or (learned_nothing and writer != self):
        return True
    race(s, k, CODE_PROXY, agent, site, flags, k.context, who, other, FLAG_WRITE, address, size)
    return False


def in_shared(k: SanBlock, address: i64) -> i1:
    if k.window == 0 or address < k.begin:
        return False
    return address < k.begin + k.window * i64(k.last - k.first + 1)


# -- one cell


def fresh(s: SanState, k: SanBlock, cell: SanCell) -> None:
    """Shared memory of a block that has ended tells nothing."""
    if cell.w_context < k.first or cell.w_context > k.last:
        cell.w_context = 0
    if cell.r_context < k.first or cell.r_context > k.last:
        cell.r_context = 0
    if cell.r_more != 0:
        context = s.readers[i64(cell.r_more)].context
        if context < k.first or context > k.last:
            forget_readers(s, cell)


def read_cell(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, cell: SanCell, address: i64, size: i32,
) -> i1:  # fmt: skip
    if settled(k, t, cell) and read_already(k, cell, agent, clock):
        return True
    if cell.w_context == 0 or (cell.w_clock & POISON) != 0:
        if (flags & FLAG_COPY) == 0:
            unwritten(s, k, agent, site, flags, cell, address, size)
        if cell.w_context == 0:
            if (s.kinds & KIND_RACE) != 0:
                # Who writes later is to be told of it.
                add_reader(s, k, t, self, agent, clock, site, cell)
            return True
    if (s.kinds & KIND_RACE) == 0:
        return True
    fine = behind_last(s, k, t, self, agent, clock, site, flags, cell, address, size)
    if (cell.w_clock & ATOMIC) != 0 and fine:
        fine = behind_writers(s, k, t, self, agent, clock, site, flags, cell, address, size)
    mark: i32 = 0
    if scopes_meet(k, cell.w_context, clock, cell.w_clock):
        mark = OBSERVED
    add_reader(s, k, t, self, agent, clock | mark, site, cell)
    return fine


def behind_last(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, cell: SanCell, address: i64, size: i32,
) -> i1:  # fmt: skip
    """Whether an access does not race with the last write."""
    if scopes_meet(k, cell.w_context, clock, cell.w_clock):
        return True
    if (cell.w_clock & ATOMIC) != 0 and behind_observer(s, k, t, self, cell):
        return True
    return against(
        s, k, t, self, agent, clock, site, flags, cell.w_context, cell.w_clock, cell.w_who,
        FLAG_WRITE, address, size,
    )  # fmt: skip


def behind_observer(s: SanState, k: SanBlock, t: SanThread, self: i32, cell: SanCell) -> i1:
    """Whether thread `self` comes after a read that has observed the last write, and so after that
    (PTX ISA, causality order)."""
    if cell.r_context != 0 and behind_lane(
        s, k, t, self, cell.r_context, cell.r_clock, cell.r_who, cell.r_lanes
    ):
        return True
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        if behind_lane(s, k, t, self, r.context, r.clock, r.who, r.lanes):
            return True
        at = r.next
    return False


def behind_lane(
    s: SanState, k: SanBlock, t: SanThread, self: i32, context: i32, clock: i32, who: i32,
    lanes: i32,
) -> i1:  # fmt: skip
    """Whether a thread comes after one of some lanes that have observed the last write."""
    if (clock & OBSERVED) == 0 or (clock & WROTE) != 0:
        return False
    first = who & AGENT_MASK
    rest = lanes
    lane: i32 = 0
    while rest != 0:
        known = (rest & 1) != 0
        if known and ordered(s, k, t, self, context, first | lane, clock & CLOCK_MASK):
            return True
        rest = lshr(rest, 1)
        lane += 1
    return False


def forget_observers(s: SanState, cell: SanCell) -> None:
    """What readers have observed is not the last write any more."""
    cell.r_clock = cell.r_clock & NOT_OBSERVED
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        if (r.clock & WROTE) == 0:
            r.clock = r.clock & NOT_OBSERVED
        at = r.next


def end_chain(s: SanState, cell: SanCell) -> None:
    """A write comes that reads none of the earlier ones: who observes it has not observed them."""
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        if (r.clock & WROTE) != 0:
            r.clock = r.clock & NOT_OBSERVED
        at = r.next


def forget_chain(s: SanState, cell: SanCell) -> None:
    """A read-modify-write comes that stands for all that the last write has read."""
    before: i32 = 0
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        following = r.next
        if (r.clock & WROTE) == 0 or (r.clock & OBSERVED) == 0:
            before = at
        else:
            drop_reader(s, cell, before, at)
        at = following


def behind_writers(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, cell: SanCell, address: i64, size: i32,
) -> i1:  # fmt: skip
    """Whether a read is ordered behind the writes that atomic ones have replaced, as far as the
    last of them does not stand for all."""
    fine = True
    seen: i32 = -1
    at = cell.r_more
    while at != 0 and fine:
        r = s.readers[i64(at)]
        asks = (r.clock & WROTE) != 0 and not scopes_meet(k, r.context, clock, r.clock)
        of_chain = asks and (r.clock & OBSERVED) != 0
        if of_chain and seen < 0:
            seen = i32(behind_observer(s, k, t, self, cell))
        if asks and not (of_chain and seen > 0):
            fine = behind(s, k, t, self, agent, clock, site, flags, r.context, r.clock, r.who,
                          r.lanes, FLAG_WRITE, address, size)  # fmt: skip
        at = r.next
    return fine


def settled(k: SanBlock, t: SanThread, cell: SanCell) -> i1:
    """Whether a thread plainly comes after the last write, which was one."""
    if cell.w_context == k.context:
        return t.block_clock >= cell.w_clock and (cell.w_clock & POISON) == 0
    return cell.w_context == k.settled and (cell.w_clock & POISON) == 0


def read_already(k: SanBlock, cell: SanCell, agent: i32, clock: i32) -> i1:
    """Whether there is nothing to add to a cell's readers: where only barriers order a block, two
    of its threads stand for all."""
    if cell.r_context != k.context or cell.r_clock != clock:
        return False
    if k.level == 0 and (cell.r_lanes & (cell.r_lanes - 1)) != 0:
        return True
    if (cell.r_who & AGENT_MASK) != (agent & -32):
        return False
    return (cell.r_lanes & (1 << (agent & 31))) != 0


def unwritten(
    s: SanState, k: SanBlock, agent: i32, site: i32, flags: i32, cell: SanCell, address: i64,
    size: i32,
) -> None:  # fmt: skip
    """Report a read of unwritten memory, or of a copy of that."""
    if (s.kinds & KIND_INIT) == 0:
        return
    poisoned = cell.w_context != 0
    code: i32 = CODE_UNWRITTEN
    source: i32 = 0
    if poisoned:
        code = CODE_POISONED
        source = lshr(cell.w_who, AGENT_BITS)
    r = report_of(s, code, site, source)
    if i64(r) == 0:
        return
    if not poisoned and (flags & FLAG_MODIFY) == 0 and not has_readers(cell):
        r.cells += 1
    if not is_first(s, r):
        return
    fill_report(s, r, KIND_INIT, k, agent, flags, address, size)
    if poisoned:
        r.other_context = cell.w_context
        r.other_agent = cell.w_who & AGENT_MASK
    elif r.offset < 0:
        r.allocation = heap_at(s, address)


def has_readers(cell: SanCell) -> i1:
    return cell.r_context != 0 or cell.r_more != 0


def written_late(s: SanState, cell: SanCell) -> None:
    """The first write to a cell races with its readers: it was missing because nothing ordered it
    before them, and not because there is none."""
    if cell.r_context == 0:
        return
    site = lshr(cell.r_who, AGENT_BITS)
    for i in range(s.report_count):
        r = s.reports[i64(i)]
        if r.code == CODE_UNWRITTEN and r.site == site:
            r.cells -= 1
            return


def add_reader(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    cell: SanCell,
) -> None:  # fmt: skip
    """A cell's readers are those that a write has to be ordered behind."""
    who = (site << AGENT_BITS) | (agent & -32)
    lane: i32 = 1 << (agent & 31)
    if read_already(k, cell, agent, clock):
        return
    same = cell.r_context == k.context and cell.r_clock == clock
    if same and (cell.r_who & AGENT_MASK) == (agent & -32):
        cell.r_lanes = cell.r_lanes | lane
        return
    if cell.r_context != 0 and replaces(s, k, t, self, cell.r_context, cell.r_clock, cell.r_who,
                                        cell.r_lanes, clock):  # fmt: skip
        cell.r_context = 0
    if cell.r_context == 0 and cell.r_more == 0:
        cell.r_context = k.context
        cell.r_clock = clock
        cell.r_who = who
        cell.r_lanes = lane
        return
    add_to_list(s, k, t, self, agent, clock, who, cell)


def replaces(
    s: SanState, k: SanBlock, t: SanThread, self: i32, context: i32, clock: i32, who: i32,
    lanes: i32, mine: i32,
) -> i1:  # fmt: skip
    """Whether all of some readers are ordered before a new one, which then stands for them."""
    if ((clock ^ mine) & (MARKS | WROTE)) != 0:
        return False
    if context == k.context:
        agent = who & AGENT_MASK
        if t.block_clock >= (clock & CLOCK_MASK) and agent < k.count:
            return True
        only = lanes == 1 << (self & 31) and agent == (self & -32)
        return only
    if s.contexts[i64(context)].operation == k.operation:
        return False
    return ordered(s, k, t, self, context, 0, clock & CLOCK_MASK)


def add_to_list(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, who: i32,
    cell: SanCell,
) -> None:  # fmt: skip
    lane: i32 = 1 << (agent & 31)
    before: i32 = 0
    at = cell.r_more
    strangers: i32 = 0
    while at != 0:
        r = s.readers[i64(at)]
        same = r.context == k.context and r.clock == clock
        if same and (k.level == 0 or (r.who & AGENT_MASK) == (agent & -32)):
            if k.level != 0:
                r.lanes = r.lanes | lane
            return
        following = r.next
        if replaces(s, k, t, self, r.context, r.clock, r.who, r.lanes, clock):
            if before == 0:
                cell.r_more = following
            else:
                s.readers[i64(before)].next = following
            r.next = s.free_reader
            s.free_reader = at
        else:
            if r.context != k.context and (r.clock & WROTE) == 0:
                strangers += 1
            before = at
        at = following
    # A write races with some of these readers, whatever else has read.
    if strangers >= most_strangers(k):
        return
    number = new_reader(s)
    if number == 0:
        return
    r = s.readers[i64(number)]
    r.context = k.context
    r.clock = clock
    r.who = who
    r.lanes = lane
    r.next = cell.r_more
    cell.r_more = number


def most_strangers(k: SanBlock) -> i32:
    """How many readers of other blocks are worth remembering."""
    if k.level == 2:
        return 64
    return 1


def write_cell(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, cell: SanCell, address: i64, size: i32, changes: i1,
) -> i1:  # fmt: skip
    fine = True
    if (flags & FLAG_MODIFY) != 0 and (cell.w_context == 0 or (cell.w_clock & POISON) != 0):
        unwritten(s, k, agent, site, flags, cell, address, size)
    if (s.kinds & KIND_RACE) != 0:
        # Threads that write the value that is there already do no harm to one another; an atomic
        # write says that others may come between.
        compared = changes or agent >= k.count or (cell.w_clock & ATOMIC) != 0
        if cell.w_context != 0 and compared:
            fine = behind_last(s, k, t, self, agent, clock, site, flags, cell, address, size)
        if has_readers(cell) and not behind_readers(
            s, k, t, self, agent, clock, site, flags, cell, address, size, compared
        ):
            fine = False
            if cell.w_context == 0:
                written_late(s, cell)
        if (clock & ATOMIC) == 0:
            keep_one(s, k, t, cell, compared)
        else:
            keep_replaced(s, k, t, self, clock, flags, cell, address)
            forget_observers(s, cell)
    cell.w_context = k.context
    cell.w_clock = clock
    cell.w_who = (site << AGENT_BITS) | agent
    return fine


def keep_one(s: SanState, k: SanBlock, t: SanThread, cell: SanCell, differs: i1) -> None:
    """What comes behind a plain write comes behind all before it. Another write of the same value
    does not have to, but races with who has read or written another one: one such access stays."""
    context = cell.r_context
    forget_readers(s, cell)
    if context != 0 and is_recent(s, k, t, context, cell.r_clock, cell.r_who):
        cell.r_context = context
    elif is_recent(s, k, t, cell.w_context, cell.w_clock, cell.w_who):
        cell.r_context = cell.w_context
        cell.r_clock = cell.w_clock | WROTE
        if not differs:
            cell.r_clock = cell.r_clock | OBSERVED
        cell.r_who = cell.w_who & -32
        cell.r_lanes = 1 << (cell.w_who & 31)
    else:  # cells without readers are alike
        cell.r_clock = 0
        cell.r_who = 0
        cell.r_lanes = 0


def is_recent(s: SanState, k: SanBlock, t: SanThread, context: i32, clock: i32, who: i32) -> i1:
    """Whether a thread of the launch has done something that not all of its threads come after."""
    if context == k.context:
        return (who & AGENT_MASK) < k.count and (clock & CLOCK_MASK) > t.block_clock
    return s.contexts[i64(context)].operation == k.operation


def keep_replaced(
    s: SanState, k: SanBlock, t: SanThread, self: i32, clock: i32, flags: i32, cell: SanCell,
    address: i64,
) -> None:  # fmt: skip
    """The last write stays known behind an atomic one that does not stand for it: what is in order
    with the new one may race with it."""
    context = cell.w_context
    if context == 0:
        return
    mark: i32 = WROTE
    if has_read_last(k, clock, flags, cell):
        if (flags & FLAG_UNREAD) == 0:
            forget_chain(s, cell)
            return
        mark = WROTE | OBSERVED
    else:
        end_chain(s, cell)
    if stands_for(s, k, t, self, cell, address):
        return
    lane: i32 = 1 << (cell.w_who & 31)
    who = cell.w_who & ~31
    replaced: i32 = 0
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        at = r.next
        if (r.clock & WROTE) == 0:
            continue
        replaced += 1
        if r.context != context or ((r.who ^ who) & AGENT_MASK) != 0:
            continue
        if r.lanes == lane and ((r.clock ^ cell.w_clock) & MARKS) == 0:
            # What comes behind a write comes behind those of its thread before it.
            r.clock = cell.w_clock | mark
            r.who = who
            return
        if r.who == who and r.clock == cell.w_clock | mark:
            r.lanes = r.lanes | lane
            return
    if replaced >= MOST_REPLACED:
        return
    number = new_reader(s)
    if number == 0:
        return
    r = s.readers[i64(number)]
    r.context = context
    r.clock = cell.w_clock | mark
    r.who = who
    r.lanes = lane
    r.next = cell.r_more
    cell.r_more = number


def has_read_last(k: SanBlock, clock: i32, flags: i32, cell: SanCell) -> i1:
    """Whether a write is a read-modify-write, and the last write is atomic and morally strong with
    it.

    If its result is used it has observed that write and all that one has read: what comes behind it
    comes behind these (PTX ISA, causality order). An operation without a result (`red`) is no read;
    a later read observes them by way of it."""
    alike = (flags & FLAG_MODIFY) != 0 and ((clock ^ cell.w_clock) & MARKS) == 0
    return alike and scopes_meet(k, cell.w_context, clock, cell.w_clock)


def stands_for(
    s: SanState, k: SanBlock, t: SanThread, self: i32, cell: SanCell, address: i64
) -> i1:
    """Whether an access that does not race with a write of a thread cannot race with the last one,
    since that comes before it."""
    context = cell.w_context
    agent = cell.w_who & AGENT_MASK
    if context == k.context:
        # No other block can use the block's own memory; all of its threads come behind the write.
        own = k.first == k.last and in_shared(k, address)
        return own and agent < k.count and t.block_clock >= (cell.w_clock & CLOCK_MASK)
    if s.contexts[i64(context)].operation == k.operation:
        return False
    return ordered(s, k, t, self, context, agent, cell.w_clock & CLOCK_MASK)


def behind_readers(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, cell: SanCell, address: i64, size: i32, differs: i1,
) -> i1:  # fmt: skip
    """Whether a write is ordered behind all readers, and what stands among them."""
    fine = True
    alike = (cell.r_clock & WROTE) != 0 and (cell.r_clock & OBSERVED) != 0
    if cell.r_context != 0 and (differs or not alike):
        fine = behind(s, k, t, self, agent, clock, site, flags, cell.r_context, cell.r_clock,
                      cell.r_who, cell.r_lanes, wrote_of(cell.r_clock), address, size)  # fmt: skip
    seen: i32 = -1
    at = cell.r_more
    while at != 0 and fine:
        r = s.readers[i64(at)]
        asks = not scopes_meet(k, r.context, clock, r.clock)
        of_chain = asks and (r.clock & WROTE) != 0 and (r.clock & OBSERVED) != 0
        if of_chain and seen < 0:
            seen = i32(behind_observer(s, k, t, self, cell))
        if asks and not (of_chain and seen > 0):
            fine = behind(s, k, t, self, agent, clock, site, flags, r.context, r.clock, r.who,
                          r.lanes, wrote_of(r.clock), address, size)  # fmt: skip
        at = r.next
    return fine


def wrote_of(clock: i32) -> i32:
    """Flags of an entry among the readers."""
    if (clock & WROTE) != 0:
        return i32(FLAG_WRITE)
    return 0


def behind(
    s: SanState, k: SanBlock, t: SanThread, self: i32, agent: i32, clock: i32, site: i32,
    flags: i32, context: i32, other: i32, who: i32, lanes: i32, wrote: i32, address: i64,
    size: i32,
) -> i1:  # fmt: skip
    """Whether an access is ordered behind all of some lanes, that have read or written."""
    by_proxy = agent >= k.count * 2 and wrote != 0
    if (
        context == k.context
        and t.block_clock >= (other & CLOCK_MASK)
        and (who & AGENT_MASK) < k.count
        and not by_proxy
    ):
        return True
    rest = lanes
    while rest != 0:
        lane: i32 = 0
        while ((rest >> lane) & 1) == 0:
            lane += 1
        rest = rest & ~(1 << lane)
        same_block = context == k.context and wrote == 0
        if same_block and exchanged(k, t, self, (who & AGENT_MASK) | lane, other):
            continue
        if not against(s, k, t, self, agent, clock, site, flags, context, other, who | lane, wrote,
                       address, size):  # fmt: skip
            return False
    return True


def exchanged(k: SanBlock, t: SanThread, self: i32, reader: i32, clock: i32) -> i1:
    """Whether a lane has read before a collective of its warp that the writer has behind it: the
    collective orders no memory, but its data comes from what was read."""
    if reader >= k.count or self >= k.count or (reader & -32) != (self & -32):
        return False
    other = k.threads[reader]
    return other.shuffled >= (clock & CLOCK_MASK) and t.shuffles >= other.shuffles
