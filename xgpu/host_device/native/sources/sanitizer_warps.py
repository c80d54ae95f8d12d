# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel whose warps run as vectors calls: once for all lanes that do something.

A lane's part is what `sanitizer_access` and `sanitizer_sync` do for its thread. What is the same
for lanes that are in step is done once: the look-up of the block and of a page, the clocks that a
barrier or an mbarrier passes on, the readers of an mbarrier.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    copy_bytes,
    i1,
    i8,
    i16,
    i32,
    i64,
    ptr,
    sizeof,
    trailing_zeros,
    zext64,
)
from xgpu.host_device.native.records import (
    FLAG_MODIFY,
    FLAG_WRITE,
    KIND_RACE,
    SanBlock,
    SanCell,
    SanState,
    SanSync,
    SanThread,
    Thread,
)
from xgpu.host_device.native.sources.sanitizer_access import (
    changes,
    flags_of,
    marks,
    plain,
    site_of,
    size_in,
    xgpu_san_access,
    xgpu_san_range,
)
from xgpu.host_device.native.sources.sanitizer_clocks import (
    contribute_clock,
    contribute_warp,
    copy_known,
    each_record,
    group_of,
    home_of,
    in_step,
    is_whole,
    record_of,
    separate_all,
    slot_of,
    take_over_warp,
    together,
)
from xgpu.host_device.native.sources.sanitizer_copies import xgpu_san_cp_async
from xgpu.host_device.native.sources.sanitizer_ends import owner_of
from xgpu.host_device.native.sources.sanitizer_pages import cell_of, find_page
from xgpu.host_device.native.sources.sanitizer_shadow import (
    ATOMIC,
    CLOCK_MASK,
    fresh,
    read_cell,
    write_cell,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    AGENT_BITS,
    AGENT_MASK,
    POISON,
    xgpu_san_state,
)
from xgpu.host_device.native.sources.sanitizer_sync import (
    ALIGNED,
    COLLECTIVE,
    barrier_of,
    barrier_over,
    mbarrier_of,
    same_barrier,
    usable,
    used,
    waited_before,
)

# -- loads and stores


def xgpu_san_w_load(
    t: Thread, lanes: i32, places: Ptr[i64], info: i64, root: ptr, extent: i64, values: ptr
) -> None:
    """Loads of lanes, each at its place, into `values`, which has an element for each lane."""
    s = xgpu_san_state()
    k = home_of(s, t)
    flags = flags_of(info)
    size = size_in(info)
    if lanes == -1 and are_side_by_side(s, k, places, info, i64(root), extent):
        load_row(s, k, t.linear, places[0], site_of(info), flags, marks(flags, size))
        copy_bytes(values, ptr(places[0]), 128)
        return
    each_place(s, k, t, lanes, places, info, root, extent, values)


def xgpu_san_w_range(
    t: Thread, lanes: i32, places: Ptr[i64], info: i64, root: ptr, extent: i64, size: i64,
    found: Ptr[i64],
) -> None:  # fmt: skip
    """`xgpu_san_range` of lanes, each at its place; `found` gets the addresses to use."""
    k = home_of(xgpu_san_state(), t)
    rest = lanes
    while rest != 0:
        lane = i64(trailing_zeros(rest))
        rest = rest & (rest - 1)
        other = k.block.threads[t.linear + i32(lane)]
        found[lane] = i64(xgpu_san_range(other, ptr(places[lane]), info, root, extent, size))


def xgpu_san_w_cp_async(
    t: Thread, lanes: i32, targets: Ptr[i64], sources: Ptr[i64], info: i64, size: i64, bytes: i64
) -> None:
    """`xgpu_san_cp_async` of lanes, each from its source to its target."""
    k = home_of(xgpu_san_state(), t)
    rest = lanes
    while rest != 0:
        lane = i64(trailing_zeros(rest))
        rest = rest & (rest - 1)
        other = k.block.threads[t.linear + i32(lane)]
        xgpu_san_cp_async(other, ptr(targets[lane]), ptr(sources[lane]), info, size, bytes)


def each_place(
    s: SanState, k: SanBlock, t: Thread, lanes: i32, places: Ptr[i64], info: i64, root: ptr,
    extent: i64, words: ptr,
) -> None:  # fmt: skip
    """Loads of lanes into `words`, or stores of an i64 each, one after the other."""
    flags = flags_of(info)
    site = site_of(info)
    size = size_in(info)
    mark = marks(flags, size)
    stores = (flags & FLAG_WRITE) != 0
    base: i64 = -1
    page = find_page(s, 0)
    rest = lanes
    while rest != 0:
        lane = i64(trailing_zeros(rest))
        rest = rest & (rest - 1)
        at = places[lane]
        word: i64 = 0
        if stores:
            word = Ptr[i64](words)[lane]
        if (at & -4096) != base:
            page = find_page(s, at)
            base = at & -4096
        if i64(page) != 0 and plain(s, k, page, at, i64(root), extent, info):
            self = t.linear + i32(lane)
            own = record_of(k, self)
            cell = cell_of(page, at)
            s.serial += 1
            if page.allocation < 0:
                fresh(s, k, cell)
            if stores:
                write_cell(s, k, own, self, self, own.clock | mark, site, flags, cell, at, 4,
                           changes(ptr(at), 4, flags, word))  # fmt: skip
            else:
                read_cell(s, k, own, self, self, own.clock | mark, site, flags, cell, at, 4)
        else:
            base = -1
            other = k.block.threads[t.linear + i32(lane)]
            at = i64(xgpu_san_access(other, ptr(at), info, root, extent, word))
        if stores:
            store_word(at, word, size)
        else:
            load_to(words, lane, at, size)


def are_side_by_side(
    s: SanState, k: SanBlock, places: Ptr[i64], info: i64, root: i64, extent: i64
) -> i1:
    """Whether lanes use words that lie side by side in one page, and are all there."""
    first = places[0]
    last = first + 124
    if (first & -4096) != (last & -4096):
        return False
    apart: i64 = 0
    for lane in range(32):
        apart = apart | (places[lane] - first - 4 * lane)
    page = find_page(s, first)
    if apart != 0 or i64(page) == 0 or page.shift != 2:
        return False
    if (first < k.gap_end) != (last < k.gap_end):
        return False
    return plain(s, k, page, first, root, extent, info) and plain(
        s, k, page, last, root, extent, info
    )


def load_row(
    s: SanState, k: SanBlock, first: i32, at: i64, site: i32, flags: i32, mark: i32
) -> None:
    """Loads of all lanes of a warp of words that lie side by side."""
    page = find_page(s, at)
    words = Ptr[i64](cell_of(page, at))
    group = group_of(k, first)
    if group == 0 and in_step(k, first, -1):
        group = -1
    races = (s.kinds & KIND_RACE) != 0  # else a read changes no cell
    known = False
    a0: i64 = 0
    a1: i64 = 0
    a2: i64 = 0
    a3: i64 = 0
    b0: i64 = 0
    b1: i64 = 0
    b2: i64 = 0
    for lane in range(i32(32)):
        differs = (words[0] ^ a0) | (words[1] ^ a1) | (words[2] ^ a2) | (words[3] ^ a3)
        alike = ((group >> lane) & 1) != 0
        if known and alike and differs == 0:
            if races:
                words[0] = b0
                words[1] = b1
                words[2] = b2
                words[3] = zext64(i32(1) << lane)
        elif not alike:
            cell = SanCell(words)
            own = k.threads[first + lane]
            if page.allocation < 0:
                fresh(s, k, cell)
            s.serial += 1
            read_cell(s, k, own, first + lane, first + lane, own.clock | mark, site, flags, cell,
                      at + 4 * i64(lane), 4)  # fmt: skip
        else:
            a0 = words[0]
            a1 = words[1]
            a2 = words[2]
            a3 = words[3]
            cell = SanCell(words)
            own = record_of(k, first + lane)
            known = cell.r_more == 0
            if page.allocation < 0:
                fresh(s, k, cell)
            known = known and is_of_no_lane(k, own, cell)
            s.serial += 1
            right = read_cell(s, k, own, first + lane, first + lane, own.clock | mark, site, flags,
                              cell, at + 4 * i64(lane), 4)  # fmt: skip
            b0 = words[0]
            b1 = words[1]
            b2 = words[2]
            known = known and right and (not races or words[3] == zext64(i32(1) << lane))
        words = Ptr[i64](ptr(i64(words) + sizeof(SanCell)))


def is_of_no_lane(k: SanBlock, own: SanThread, cell: SanCell) -> i1:
    """Whether what a read makes of a cell is the same for all lanes in step, but for the lane: all
    come behind the last write, or a copy has made it, and who has read is forgotten."""
    if cell.w_context == 0 or (cell.w_clock & (POISON | ATOMIC)) != 0:
        return False
    if not is_read_before(k, own, cell):
        return False
    if cell.w_context != k.context:
        return cell.w_context == k.settled
    return (cell.w_who & AGENT_MASK) >= k.count or own.block_clock >= (cell.w_clock & CLOCK_MASK)


def is_read_before(k: SanBlock, own: SanThread, cell: SanCell) -> i1:
    """Whether a thread plainly comes after all that have read a cell, threads of its block."""
    if cell.r_context == 0 or cell.r_more != 0:
        return cell.r_more == 0
    mine = cell.r_context == k.context and (cell.r_clock & ~CLOCK_MASK) == 0
    return mine and (cell.r_who & AGENT_MASK) < k.count and own.block_clock >= cell.r_clock


def load_to(values: ptr, lane: i64, at: i64, size: i64) -> None:
    if size == 4:
        Ptr[i32](values)[lane] = Ptr[i32](ptr(at))[0]
    elif size == 8:
        Ptr[i64](values)[lane] = Ptr[i64](ptr(at))[0]
    elif size == 2:
        Ptr[i16](values)[lane] = Ptr[i16](ptr(at))[0]
    else:
        Ptr[i8](values)[lane] = Ptr[i8](ptr(at))[0]


def xgpu_san_w_store(
    t: Thread, lanes: i32, places: Ptr[i64], info: i64, root: ptr, extent: i64, words: Ptr[i64]
) -> None:
    """Stores of lanes, each of its word at its place, one after the other: a lane that stores what
    another one has stored already does no harm."""
    s = xgpu_san_state()
    k = home_of(s, t)
    flags = flags_of(info)
    mark = marks(flags, size_in(info))
    is_plain = (flags & FLAG_MODIFY) == 0 and (mark & ATOMIC) == 0
    if lanes == -1 and is_plain and are_side_by_side(s, k, places, info, i64(root), extent):
        store_row(s, k, t.linear, places[0], site_of(info), flags, mark, words)
    else:
        each_place(s, k, t, lanes, places, info, root, extent, ptr(words))


def store_row(
    s: SanState, k: SanBlock, first: i32, at: i64, site: i32, flags: i32, mark: i32,
    values: Ptr[i64],
) -> None:  # fmt: skip
    """Stores of all lanes of a warp of words that lie side by side."""
    page = find_page(s, at)
    words = Ptr[i64](cell_of(page, at))
    group = group_of(k, first)
    if group == 0 and in_step(k, first, -1):
        group = -1
    races = (s.kinds & KIND_RACE) != 0  # else who has read is not known
    known = False
    a0: i64 = 0
    a1: i64 = 0
    a2: i64 = 0
    a3: i64 = 0
    b0: i64 = 0
    b1: i64 = 0
    for lane in range(i32(32)):
        place = at + 4 * i64(lane)
        differs = (words[0] ^ a0) | ((words[1] ^ a1) & ~31)  # which lane has written
        differs = differs | (words[2] ^ a2) | ((words[3] ^ a3) & -4294967296)  # and read
        if known and ((group >> lane) & 1) != 0 and differs == 0:
            words[0] = b0
            words[1] = b1 | i64(lane)
            if races:
                words[2] = 0
                words[3] = 0
        else:
            own = record_of(k, first + lane)
            cell = SanCell(words)
            a0 = words[0]
            a1 = words[1]
            a2 = words[2]
            a3 = words[3]
            if page.allocation < 0:
                fresh(s, k, cell)
            known = ((group >> lane) & 1) != 0 and is_used_before(k, own, cell)
            s.serial += 1
            right = write_cell(s, k, own, first + lane, first + lane, own.clock | mark, site,
                               flags, cell, place, 4,
                               changes(ptr(place), 4, flags, values[lane]))  # fmt: skip
            b0 = words[0]
            b1 = words[1] & ~31
            known = known and right and (not races or (words[2] | words[3]) == 0)
            known = known and cell.r_context == 0
        Ptr[i32](ptr(place))[0] = i32(values[lane])
        words = Ptr[i64](ptr(i64(words) + sizeof(SanCell)))


def is_used_before(k: SanBlock, own: SanThread, cell: SanCell) -> i1:
    """Whether what a plain store makes of a cell is the same for all lanes in step, but for the
    lane: all come behind those that have used it, which are no copies."""
    if (cell.w_clock & ATOMIC) != 0 or not is_read_before(k, own, cell):
        return False
    if cell.w_context == k.context:
        is_thread = (cell.w_who & AGENT_MASK) < k.count
        return is_thread and own.block_clock >= (cell.w_clock & CLOCK_MASK)
    return cell.w_context == 0 or cell.w_context == k.settled


def store_word(at: i64, word: i64, size: i64) -> None:
    if size == 4:
        Ptr[i32](ptr(at))[0] = i32(word)
    elif size == 8:
        Ptr[i64](ptr(at))[0] = word
    elif size == 2:
        Ptr[i16](ptr(at))[0] = i16(word)
    else:
        Ptr[i8](ptr(at))[0] = i8(word)


# -- barriers of a block


def xgpu_san_w_barrier(t: Thread, lanes: i32, id: i32, count: i32, info: i64) -> None:
    """Before lanes wait at a barrier of their block, of all threads if `count` is 0."""
    s = xgpu_san_state()
    k = home_of(s, t)
    o = barrier_of(s, k, id)
    site = site_of(info)
    whole = count == 0 or count == k.count
    if (flags_of(info) & ALIGNED) != 0:
        same_barrier(s, k, t.linear, o, site)
    slot = slot_of(o, o.generation)
    if not whole:
        separate_all(k, t.linear)
    contribute_warp(s, k, t.linear, lanes, slot)
    rest = each_record(k, t.linear, lanes)
    while rest != 0:
        self = t.linear + trailing_zeros(rest)
        rest = rest & (rest - 1)
        own = k.threads[self]
        own.barrier = o
        own.generation = o.generation
        own.site = site
        own.waits = site
        own.collective = flags_of(info) & COLLECTIVE
        own.whole = i32(1) if whole else i32(0)
        if not whole:
            contribute_clock(k, slot, self, own.clock)
            own.clock += 1


def xgpu_san_w_barrier_done(t: Thread, lanes: i32, info: i64) -> None:
    """Behind a barrier."""
    s = xgpu_san_state()
    k = home_of(s, t)
    first = t.linear
    lead = record_of(k, first + trailing_zeros(lanes))
    o = lead.barrier
    alike = lanes == -1 and is_whole(k, first, lanes) and o is not None and lead.whole != 0
    if o is None or slot_of(o, lead.generation).mixed != 0:
        alike = False
        separate_all(k, first)
    rest = each_record(k, first, lanes)
    while rest != 0:
        own = k.threads[first + trailing_zeros(rest)]
        rest = rest & (rest - 1)
        alike = alike and own.barrier == o and own.generation == lead.generation
        alike = alike and own.whole != 0 and own.collective == lead.collective
        alike = alike and own.site == lead.site and own.waits == lead.waits
        barrier_over(s, k, own)
    if alike:
        if i64(lead) != i64(k.threads[first]):
            copy_known(k.threads[first], lead)
        k.groups[i64(first) // 32] = -1


def xgpu_san_w_branched(t: Thread, lanes: i32, taken: i32, first: i64, second: i64) -> None:
    """Before a branch, which the lanes in `taken` take to the first successor."""
    rest: i32 = 0
    if first != 0:
        rest = lanes & taken
    if second != 0:
        rest = rest | (lanes & ~taken)
    if rest == 0:
        return
    k = home_of(xgpu_san_state(), t)
    warp = i64(t.linear) // 32
    k.skips[warp] = k.skips[warp] | first | second
    while rest != 0:
        lane = trailing_zeros(rest)
        rest = rest & (rest - 1)
        own = k.threads[t.linear + lane]
        own.skipped = own.skipped | (first if ((taken >> lane) & 1) != 0 else second)


def xgpu_san_w_behind(t: Thread, lanes: i32, barriers: i64, info: i64) -> None:
    """Before an effect behind barriers."""
    k = home_of(xgpu_san_state(), t)
    if (k.skips[i64(t.linear) // 32] & barriers) == 0:
        return
    rest = lanes
    while rest != 0:
        own = k.threads[t.linear + trailing_zeros(rest)]
        rest = rest & (rest - 1)
        new = own.skipped & barriers & ~own.left_out
        if new != 0:
            own.left_out = own.left_out | new
            own.left_at = site_of(info)


def xgpu_san_w_reached(t: Thread, lanes: i32, barrier: i64) -> None:
    """Before a barrier that others may skip."""
    k = home_of(xgpu_san_state(), t)
    warp = i64(t.linear) // 32
    if (k.skips[warp] & barrier) == 0 and k.reached[warp] == barrier:
        return
    k.reached[warp] = 0
    if lanes == -1:
        k.reached[warp] = barrier
        k.skips[warp] = k.skips[warp] & ~barrier
    rest = lanes
    while rest != 0:
        own = k.threads[t.linear + trailing_zeros(rest)]
        rest = rest & (rest - 1)
        own.skipped = own.skipped & ~barrier
        own.left_out = own.left_out & ~barrier
        own.reached = barrier


# -- mbarriers


def xgpu_san_w_mbarrier_wait(t: Thread, lanes: i32, address: ptr, info: i64) -> ptr:
    """Before lanes wait for a phase of one mbarrier, or ask whether it is over."""
    s = xgpu_san_state()
    k = home_of(s, t)
    rest = lanes
    fits = True
    while rest != 0:
        fits = usable(s, k, k.block.threads[t.linear + trailing_zeros(rest)], address, info)
        rest = rest & (rest - 1)
        if fits:
            rest = 0
    if not fits:
        return s.sink
    used_by_warp(s, k, t.linear, lanes, address, info)
    rest = each_record(k, t.linear, lanes)
    while rest != 0:
        own = k.threads[t.linear + trailing_zeros(rest)]
        rest = rest & (rest - 1)
        own.site = site_of(info)
        own.waits = own.site
    return address


def used_by_warp(s: SanState, k: SanBlock, first: i32, lanes: i32, address: ptr, info: i64) -> None:
    """As `used`, of lanes: those that are in step with one of them are readers where it is."""
    group = together(k, first, lanes)
    if group == 0 and in_step(k, first, lanes):
        group = lanes
    if group != 0:
        lead = first + trailing_zeros(group)
        own = record_of(k, lead)
        used(s, k, own, lead, lead, own.clock, address, info)
        alike = k.first == k.last
        if not alike or not joins(s, k, lead, own.clock | ATOMIC, site_of(info), i64(address),
                                  group):  # fmt: skip
            group = group & -group
    rest = lanes & ~group
    while rest != 0:
        self = first + trailing_zeros(rest)
        rest = rest & (rest - 1)
        own = record_of(k, self)
        used(s, k, own, self, self, own.clock, address, info)


def joins(
    s: SanState, k: SanBlock, lead: i32, clock: i32, site: i32, address: i64, lanes: i32
) -> i1:
    """Add lanes to what one of them has read; whether each cell has it as a reader, or needs none
    where no races are looked for."""
    page = find_page(s, address)
    step: i64 = 1 << i64(page.shift)
    races = (s.kinds & KIND_RACE) != 0
    who = (site << AGENT_BITS) | (lead & -32)
    at = address
    while at < address + 8:
        cell = cell_of(page, at)
        at = at + step
        found = not races and cell.w_context != 0 and (cell.w_clock & POISON) == 0
        mine = cell.r_context == k.context and cell.r_who == who
        if not found and mine and same_clock(cell.r_clock, clock):
            cell.r_lanes = cell.r_lanes | lanes
            found = True
        number = cell.r_more
        while number != 0 and not found:
            r = s.readers[i64(number)]
            if r.context == k.context and r.who == who and same_clock(r.clock, clock):
                r.lanes = r.lanes | lanes
                found = True
            number = r.next
        if not found:
            return False
    return True


def same_clock(one: i32, other: i32) -> i1:
    return ((one ^ other) & (CLOCK_MASK | ATOMIC)) == 0


def xgpu_san_w_mbarrier_waited(
    t: Thread, lanes: i32, address: ptr, info: i64, parity: i32, over: i32
) -> None:
    """Behind a wait of lanes for the phase of a parity, which is over or not."""
    s = xgpu_san_state()
    if over == 0 or i64(address) == i64(s.sink):
        return
    k = home_of(s, t)
    o = mbarrier_of(s, k, address)
    if (o.generation & 1) == (parity & 1) or o.generation == 0:
        return
    if i64(owner_of(k, i64(address))) == i64(k):
        waited_by_warp(s, k, t.linear, lanes, o, site_of(info), i64(address))
    take_over_warp(s, k, t.linear, lanes, slot_of(o, o.generation - 1))


def waited_by_warp(
    s: SanState, k: SanBlock, first: i32, lanes: i32, o: SanSync, site: i32, address: i64
) -> None:
    """As `waited_before`, of lanes."""
    if lanes == -1 and i64(o.waited) != 0:
        waited = Ptr[i32](advance(o.waited, 4 * i64(first)))
        again: i32 = 0
        for lane in range(32):
            again = again | i32(waited[lane] == o.generation)
        if again == 0:
            for lane in range(32):
                waited[lane] = o.generation
            return
    rest = lanes
    while rest != 0:
        waited_before(s, k, first + trailing_zeros(rest), o, site, address)
        rest = rest & (rest - 1)
