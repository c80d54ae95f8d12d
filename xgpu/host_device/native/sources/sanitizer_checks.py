# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What screened kernels (`xgpu/host_device/sanitizer/instrument/screening.py`) call before an
access of a vector of threads.

`info` holds the site, flags, the size and the alignment of one lane's access, as in
`sanitizer_access`. The result is 1 if nothing is wrong.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    i1,
    i8,
    i32,
    i64,
    lshr,
    popcount,
    ptr,
    trailing_zeros,
    ult,
)
from xgpu.host_device.native.records import (
    FLAG_ASYNC,
    FLAG_ATOMIC,
    FLAG_MODIFY,
    FLAG_WRITE,
    SanPage,
    SanScreen,
    SanState,
    Thread,
)
from xgpu.host_device.native.sources.sanitizer_pages import page_at
from xgpu.host_device.native.sources.sanitizer_screen import (
    is_fenced,
    leave_page,
    narrow,
    note_access,
    note_exchange,
    page_for,
    slide,
    stop,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    KIND_MANY,
    LIVE,
    STATE_ATOMIC,
    xgpu_san_state,
)
from xgpu.host_device.native.sources.sanitizer_states import (
    adopt,
    atomic_cell,
    end_copies,
    has_copies,
    note_copy,
    ones,
    own_atomic,
    own_copy_all,
    own_read_all,
    own_read_common,
    own_read_rows,
    own_shared,
    own_write_all,
    own_written,
    read_all,
    source_all,
    write_all,
    written_all,
)

READER = 40  # KIND_READS and STATE_READ
ATOMICS = 262142  # all but the context, the clock, the thread, and what was before the launch


def site_in(info: i64) -> i64:
    return info & 524287


def access_flags(info: i64) -> i64:
    return (info >> 20) & 4095


def is_copy(flags: i64) -> i1:
    """Whether an access is of an asynchronous copy; atomic ones have another flag in its place."""
    return (flags & (FLAG_ASYNC | FLAG_ATOMIC)) == FLAG_ASYNC


def flags_at_once(info: i64) -> i64:
    """The flags of an access as if it were done at once."""
    flags = access_flags(info)
    return flags & ~FLAG_ASYNC if is_copy(flags) else flags


def access_size(info: i64) -> i64:
    return (info >> 32) & 65535


def shift_of(size: i64) -> i64:
    """The cells that an access of so many bytes needs: 2 for words, less for parts of them."""
    if (size & 3) == 0:
        return 2
    if (size & 1) == 0:
        return 1
    return 0


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


def misplaced(begin: i64, bytes: i64, root: i64, extent: i64, info: i64) -> i1:
    """Whether an access is not aligned, or leaves the variable that it is meant for."""
    alignment: i64 = 1 << ((info >> 48) & 15)
    if (begin & (alignment - 1)) != 0:
        return True
    return extent >= 0 and (begin < root or begin + bytes > root + extent)


def in_gap(v: SanScreen, begin: i64, bytes: i64) -> i1:
    """Whether an access to the block's memory is to none of its variables."""
    return begin < v.gap_end and begin + bytes > v.gap


def in_block(v: SanScreen, address: i64) -> i1:
    return address >= v.begin and address < v.begin + v.bytes


def comes_from_elsewhere(v: SanScreen, root: i64, extent: i64) -> i1:
    """Whether an address in the block's memory was computed from none there."""
    return extent < 0 and root != 0 and not in_block(v, root)


# -- cells of some lanes


def global_cells(
    v: SanScreen, states: Ptr[i64], count: i64, own: i64, info: i64, mask: i64, wide: i64
) -> i1:
    """Accesses of lanes from `own` on, of 1 << `wide` cells each; bit 0 of `mask` is the first."""
    flags = access_flags(info)
    site = (info & 2047) << 7
    if (flags & FLAG_ATOMIC) == 0:
        if (flags & FLAG_WRITE) == 0 and v.races == 0:
            return v.inits == 0 or mask & (mask + 1) != 0 or written_all(states, count)
        if wide == 0 and mask & (mask + 1) == 0 and (flags & FLAG_ASYNC) == 0:
            if (flags & FLAG_WRITE) != 0:
                return write_all(v, states, count, own, site, flags)
            return read_all(v, states, count, own, site)
    if (flags & FLAG_ATOMIC) != 0:
        v.widths[site >> 7] = i8(access_size(info))
    fine = True
    for i in range(count):
        lane = i >> wide
        if (lshr(mask, lane) & 1) != 0:
            at = Ptr[i64](ptr(i64(states) + i * 8))
            if (flags & FLAG_ATOMIC) != 0:
                fine = atomic_cell(v, at, own + lane, site, flags) and fine
            elif (flags & FLAG_WRITE) != 0:
                fine = write_all(v, at, 1, own + lane, site, flags) and fine
            elif (flags & FLAG_ASYNC) != 0:
                fine = source_all(v, at, 1, own + lane, site) and fine
            else:
                fine = read_all(v, at, 1, own + lane, site) and fine
    return fine


def plain_cells(
    v: SanScreen, page: SanPage, first: i64, count: i64, own: i64, info: i64, mask: i64, wide: i64
) -> i1:
    """Accesses to words of a page that holds no secrets (`SanPage.plain`), noted by a bit each.
    False where that is not enough."""
    flags = flags_at_once(info)
    if flags != 0 and v.races != 0:
        # From here on it matters who has read.
        page.plain = 0
        leave_page(v, page)
        return False
    if flags == 0 and v.races == 0:
        return True
    page.reader = (v.epoch << 28) | (own << 18) | ((info & 2047) << 7) | READER
    if wide == 0:
        note(page, first, mask & ((1 << count) - 1))
        return True
    for i in range(count):
        note(page, first + i, lshr(mask, i >> wide) & 1)
    return True


def note(page: SanPage, first: i64, mask: i64) -> None:
    """Set bits of words from `first` on; `mask` has at most 32."""
    at = Ptr[i64](ptr(i64(page.bits) + (first >> 3)))
    at[0] = at[0] | (mask << (first & 7))


def note_words(page: SanPage, first: i64, end: i64) -> None:
    at = first
    while at < end:
        some = end - at if end - at < 32 else 32
        note(page, at, (1 << some) - 1)
        at = at + some


def was_read(page: SanPage, first: i64, count: i64) -> i1:
    """Whether any of some cells has been read without a note of the reader."""
    shift = i64(page.states_shift)
    at = (first << shift) >> 2
    rest = (((first + count) << shift) + 3 >> 2) - at
    while rest > 0:
        some = rest if rest < 32 else 32
        bits = Ptr[i64](ptr(i64(page.bits) + (at >> 3)))[0] >> (at & 7)
        if bits & ((1 << some) - 1) != 0:
            return True
        at = at + some
        rest = rest - some
    return False


def own_cells(
    v: SanScreen, states: Ptr[i32], count: i64, own: i64, info: i64, mask: i64, wide: i64
) -> i1:
    """The same in the block's own memory."""
    flags = access_flags(info)
    if (flags & FLAG_ATOMIC) == 0 and wide == 0 and mask & (mask + 1) == 0:
        if (flags & FLAG_WRITE) != 0:
            return own_write_all(v, states, count, i32(own), flags)
        if v.races == 0:
            return v.inits == 0 or own_written(states, count)
        return own_read_all(v, states, count, i32(own))
    fine = True
    for i in range(count):
        lane = i >> wide
        if (lshr(mask, lane) & 1) != 0:
            at = Ptr[i32](ptr(i64(states) + i * 4))
            if (flags & FLAG_ATOMIC) != 0:
                fine = own_atomic(v, at, i32(own + lane), flags, access_size(info)) and fine
            elif (flags & FLAG_WRITE) != 0:
                fine = own_write_all(v, at, 1, i32(own + lane), flags) and fine
            else:
                fine = own_read_all(v, at, 1, i32(own + lane)) and fine
    return fine


def own_copy(v: SanScreen, begin: i64, size: i64, own: i64, info: i64, mask: i64, wide: i64) -> i1:
    """Lanes begin to copy to the block's own memory."""
    if (access_flags(info) & FLAG_WRITE) == 0:
        return False
    cells: i64 = 1 << wide
    fine = True
    rest: i64 = mask
    lane: i64 = 0
    while rest != 0:
        skipped = lowest(rest)
        lane += skipped
        rest = lshr(rest, skipped)
        count = ones(rest)
        states = own_states(v, begin + lane * size)
        fine = own_copy_all(v, states, count * cells, i32(own + lane), i32(wide)) and fine
        lane += count
        rest = lshr(rest, count)
    return fine and note_copy(v, begin, size, own, mask)


def own_states(v: SanScreen, address: i64) -> Ptr[i32]:
    return Ptr[i32](ptr(i64(v.states) + ((address - v.begin) >> v.shift) * 4))


def row(
    s: SanState, v: SanScreen, begin: i64, bytes: i64, size: i64, root: i64, extent: i64,
    info: i64, own: i64, mask: i64,
) -> i1:  # fmt: skip
    """Lanes side by side, of `size` bytes each."""
    if misplaced(begin, bytes, root, extent, info):
        return False
    if in_block(v, begin):
        if begin + bytes > v.begin + v.bytes or in_gap(v, begin, bytes):
            return False
        if comes_from_elsewhere(v, root, extent):
            return False
        wide = i64(trailing_zeros(i32(size))) - v.shift
        if is_copy(access_flags(info)) and v.races != 0:
            return own_copy(v, begin, size, own, info, mask, wide)
        return own_cells(v, own_states(v, begin), bytes >> v.shift, own, info, mask, wide)
    if extent >= 0:
        return True  # a constant
    return global_row(s, v, begin, bytes, size, root, info, own, mask)


def global_row(
    s: SanState, v: SanScreen, begin: i64, bytes: i64, size: i64, root: i64, info: i64, own: i64,
    mask: i64,
) -> i1:  # fmt: skip
    flags = flags_at_once(info)
    if v.races != 0:
        note_access(v, own)
        look_at_atomic(v, flags)
    at = begin
    end = begin + bytes
    while at < end:
        stop = (at & -4096) + 4096
        if stop > end:
            stop = end
        page = page_for(s, v, at, stop - at, root, flags)
        if i64(page) == 0:
            return False
        if page.plain != 0 and v.races == 0 and (size & 3) != 0:
            # All is written: of parts of a word it matters only that the word has changed.
            if flags != 0:
                note_words(page, (at & 4095) >> 2, (((stop - 1) & 4095) >> 2) + 1)
            at = stop
            continue
        if (size & 3) != 0 and i64(page.states_shift) > shift_of(size):
            narrow(page, i32(shift_of(size)))
        shift = i64(page.states_shift)
        wide = i64(trailing_zeros(i32(size))) - shift
        done = (at - begin) >> (shift + wide)
        first = (at & 4095) >> shift
        count = (stop - at) >> shift
        rest = mask >> done
        noted = page.plain != 0 and plain_cells(v, page, first, count, own + done, info, rest, wide)
        if not noted:
            states = Ptr[i64](ptr(i64(page.states) + first * 8))
            if v.known != 0 and v.has_releases != 0 and v.stored == 0 and v.races != 0:
                adopt(v, states, count, at & -(1 << shift), 1 << shift)
            if flags != 0 and v.fine == 0 and was_read(page, first, count):
                v.again = 1
                return False
            if not global_cells(v, states, count, own + done, info, rest, wide):
                return False
        slide(s, v, page, at, info, flags)
        at = stop
    return True


def look_at_atomic(v: SanScreen, flags: i64) -> None:
    """Note an atomic access by which no block is known to learn of another."""
    if (flags & FLAG_ATOMIC) == 0 or v.chained != 0:
        return
    v.relaxed = 1
    if (flags & FLAG_WRITE) != 0 and (flags & FLAG_MODIFY) == 0:
        v.stored = 1


# -- checks


def is_swift(v: SanScreen, begin: i64, bytes: i64, root: i64, extent: i64, info: i64) -> i1:
    """Whether an access is one to a cell of the block's own memory for each lane, as most are."""
    size = access_size(info)
    flags = access_flags(info)
    if (flags & FLAG_ATOMIC) != 0 or is_copy(flags) or size != 1 << v.shift or extent < 0:
        return False
    return begin >= root and begin + bytes <= root + extent and (begin & (size - 1)) == 0


def swift_own(v: SanScreen, begin: i64, bytes: i64, info: i64, own: i64) -> i1:
    flags = access_flags(info)
    states = own_states(v, begin)
    count = bytes >> v.shift
    if (flags & FLAG_WRITE) != 0:
        return own_write_all(v, states, count, i32(own), flags)
    if v.races == 0:
        return v.inits == 0 or own_written(states, count)
    return own_read_all(v, states, count, i32(own))


def swift_plain(
    s: SanState, v: SanScreen, begin: i64, bytes: i64, root: i64, info: i64, own: i64, mask: i64
) -> i1:
    """What most accesses of memory that has only been read need: a bit for each word."""
    flags = flags_at_once(info)
    page = page_at(s, begin)
    if i64(page) == 0 or page.plain == 0 or page.claimed != v.operation or page.live == 0:
        return False
    if page.allocation < 0 or (begin & 4095) + bytes > 4096 or (begin & 3) != 0:
        return False
    if flags != 0 and (v.races != 0 or page.saved_for != v.operation):
        return False
    a = s.allocations[i64(page.allocation)]
    end = a.begin + a.size
    if access_size(info) != 4 or a.state != LIVE or begin < a.begin or begin + bytes > end:
        return False
    if root != 0 and (root < a.begin or root > end):
        return False
    slide(s, v, page, begin, info, flags)
    if flags == 0 and v.races == 0:
        return True
    page.reader = (v.epoch << 28) | (own << 18) | ((info & 2047) << 7) | READER
    note(page, (begin & 4095) >> 2, mask)
    return True


def xgpu_san_v_row(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64
) -> i32:
    """Lanes that lie side by side in memory; lane 0 is thread `own`."""
    if mask == 0:
        return 1
    s = xgpu_san_state()
    v = s.screen
    size = access_size(info)
    if mask & (mask + 1) == 0:
        bytes = i64(popcount(i32(mask))) * size
        if in_block(v, address) and is_swift(v, address, bytes, root, extent, info):
            if swift_own(v, address, bytes, info, i64(own)):
                return 1
            return stop(v, site_in(info))
        if extent < 0 and swift_plain(s, v, address, bytes, root, info, i64(own), mask):
            return 1
    return any_row(s, v, address, size, root, extent, info, i64(own), mask)


def any_row(
    s: SanState, v: SanScreen, address: i64, size: i64, root: i64, extent: i64, info: i64,
    own: i64, mask: i64,
) -> i32:  # fmt: skip
    low = lowest(mask)
    begin = address + low * size
    bytes = (highest(mask) + 1 - low) * size
    if not row(s, v, begin, bytes, size, root, extent, info, own + low, mask >> low):
        return stop(v, site_in(info))
    return 1


def xgpu_san_v_one(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64
) -> i32:
    """Lanes that use one address."""
    if mask == 0:
        return 1
    s = xgpu_san_state()
    v = s.screen
    size = access_size(info)
    flags = access_flags(info)
    low = lowest(mask)
    first = i64(own) + low
    alone = mask & (mask - 1) == 0
    if not alone and flags == 0 and in_block(v, address) and size == 1 << v.shift:
        # Two threads that read stand for all.
        fine = not (misplaced(address, size, root, extent, info) or in_gap(v, address, size))
        fine = fine and not comes_from_elsewhere(v, root, extent)
        fine = fine and own_read_common(v, own_states(v, address), 1, i32(first))
    else:
        chained = alone and size == 4 and v.races != 0 and is_exchange(flags)
        chained = chained and not in_block(v, address)
        fenced = chained and is_fenced(v, first)
        v.chained = i32(chained)
        fine = row(s, v, address, size, size, root, extent, info, first, 1)
        v.chained = 0
        if chained:
            note_exchange(v, address, first, flags, fenced)
        if fine and not alone and ((flags & FLAG_ATOMIC) != 0 or v.races != 0):
            other = i64(own) + highest(mask)
            fine = row(s, v, address, size, size, root, extent, info, other, 1)
    if not fine:
        return stop(v, site_in(info))
    return 1


def is_exchange(flags: i64) -> i1:
    """Whether an access reads and writes in one atomic operation."""
    wanted = FLAG_ATOMIC | FLAG_WRITE | FLAG_MODIFY
    return (flags & wanted) == wanted


def swift_many(
    v: SanScreen, addresses: Ptr[i64], root: i64, extent: i64, info: i64, own: i32, mask: i64
) -> i1:
    """Accesses of lanes, a word each, to a variable of the block."""
    flags = access_flags(info)
    size = access_size(info)
    last = extent - size
    rest = mask
    lane: i64 = 0
    fine = True
    while rest != 0 and fine:
        if (rest & 1) != 0:
            at = addresses[lane]
            fine = not ult(last, at - root) and (at & (size - 1)) == 0
            if fine:
                fine = own_word(v, at, own + i32(lane), flags, size)
        rest = lshr(rest, 1)
        lane += 1
    return fine


def own_word(v: SanScreen, at: i64, thread: i32, flags: i64, size: i64) -> i1:
    """What an access to a word of the block makes of its state."""
    states = own_states(v, at)
    if (flags & FLAG_ATOMIC) != 0:
        if v.races == 0 and (flags & FLAG_WRITE) != 0:
            fine = (states[0] & 1) != 0 or (flags & FLAG_MODIFY) == 0 or v.inits == 0
            states[0] = states[0] | 1
            return fine
        return own_atomic(v, states, thread, flags, size)
    if (flags & FLAG_WRITE) != 0:
        return own_write_all(v, states, 1, thread, flags)
    if v.races == 0:
        return v.inits == 0 or own_written(states, 1)
    return own_read_all(v, states, 1, thread)


def xgpu_san_v_many(
    t: Thread, addresses: Ptr[i64], root: i64, extent: i64, info: i64, own: i32, mask: i64
) -> i32:
    """Lanes with an address each."""
    s = xgpu_san_state()
    v = s.screen
    size = access_size(info)
    if extent < 0 and are_in_window(v, addresses, info, mask):
        if window_atomics(v, addresses, info, own, mask):
            return 1
        return stop(v, site_in(info))
    swift = size == 1 << v.shift and not is_copy(access_flags(info))
    if swift and extent >= size and in_block(v, root):
        if swift_many(v, addresses, root, extent, info, own, mask):
            return 1
        return stop(v, site_in(info))
    return xgpu_san_v_manys(t, addresses, root, extent, info, own, mask, 0, 1)


def are_in_window(v: SanScreen, addresses: Ptr[i64], info: i64, mask: i64) -> i1:
    """Whether lanes do atomic operations on words that all lie in their location's window
    (`slide`)."""
    number = lshr(info, 52) & 2047
    if (access_flags(info) & FLAG_ATOMIC) == 0 or access_size(info) != 4:
        return False
    # What other blocks have released may have to be looked at (`adopt`).
    if number >= v.window_count or (v.known != 0 and v.has_releases != 0):
        return False
    w = v.windows[number]
    if w.high == 0:
        return False
    last = w.high - 4 - w.low
    rest = mask
    lane: i64 = 0
    while rest != 0:
        if (rest & 1) != 0 and (ult(last, addresses[lane] - w.low) or addresses[lane] & 3 != 0):
            return False
        rest = lshr(rest, 1)
        lane += 1
    return True


def window_atomics(v: SanScreen, addresses: Ptr[i64], info: i64, own: i32, mask: i64) -> i1:
    """What they make of bits or states there."""
    base = v.windows[lshr(info, 52) & 2047].base
    if v.races == 0:
        note_each(addresses, base, mask)
        return True
    note_access(v, i64(own))
    look_at_atomic(v, access_flags(info))
    return atomic_cells(v, addresses, base, info, own, mask)


def note_each(addresses: Ptr[i64], base: i64, mask: i64) -> None:
    """Set the bits of words, one each."""
    rest = mask
    lane: i64 = 0
    while rest != 0:
        if (rest & 1) != 0:
            at = Ptr[i8](ptr(base + lshr(addresses[lane], 5)))
            at[0] = at[0] | i8(1 << ((addresses[lane] >> 2) & 7))
        rest = lshr(rest, 1)
        lane += 1


def atomic_cells(
    v: SanScreen, addresses: Ptr[i64], base: i64, info: i64, own: i32, mask: i64
) -> i1:
    """Atomic operations of lanes, whose states lie at `base` + 2 * address. One more changes
    nothing where several blocks have done such, and none has done anything else."""
    launch = v.first << 40
    block = v.context << 40
    site = (info & 2047) << 7
    v.widths[site >> 7] = 4
    usual = KIND_MANY | STATE_ATOMIC | site
    rest = mask
    lane: i64 = 0
    fine = True
    while rest != 0:
        if (rest & 1) != 0:
            at = Ptr[i64](ptr(base + addresses[lane] * 2))
            s = at[0]
            known = s >= launch and s < block and (s & ATOMICS) == usual
            if not known:
                fine = atomic_cell(v, at, i64(own) + lane, site, access_flags(info)) and fine
        rest = lshr(rest, 1)
        lane += 1
    return fine


def run_length(addresses: Ptr[i64], lane: i64, rest: i64, size: i64) -> i64:
    """How many lanes from one on, of those of `rest`, use one address or lie side by side."""
    if (rest & 2) == 0:
        return 1
    step = addresses[lane + 1] - addresses[lane]
    if step != 0 and step != size:
        return 1
    count: i64 = 2
    while (lshr(rest, count) & 1) != 0:
        if addresses[lane + count] - addresses[lane + count - 1] != step:
            return count
        count += 1
    return count


# -- groups of asynchronous copies


def xgpu_san_v_commit(t: Thread, own: i32, mask: i64) -> i32:
    """Lanes end a group; lane 0 is thread `own`."""
    v = xgpu_san_state().screen
    has_copies(v)
    for lane in range(32):
        v.commits[i64(own) + lane] += i32(lshr(mask, lane) & 1)
    return 1


def xgpu_san_v_wait(t: Thread, own: i32, mask: i64, groups: i32) -> i32:
    """Lanes wait until no more than so many of their groups go on."""
    v = xgpu_san_state().screen
    if v.has_copies != 0:
        first = i64(own)
        end_copies(v, first >> 5, first, mask, groups)
        if (first & 31) != 0 and first < 992:
            end_copies(v, (first >> 5) + 1, first, mask, groups)
    return 1


# -- Checks of all iterations of a loop: `count` of them, `stride` bytes apart.


def xgpu_san_v_rows(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64, stride: i64,
    count: i64,
) -> i32:  # fmt: skip
    v = xgpu_san_state().screen
    bytes = (highest(mask) + 1) * access_size(info)
    full = mask & (mask + 1) == 0 and count > 0
    if full and stride == bytes and in_block(v, address) and extent >= bytes * count:
        fits = not misplaced(address, bytes * count, root, extent, info)
        cells = (bytes * count) >> v.shift
        if fits and rows_known(v, address, bytes * count, cells):
            return 1
        lanes = popcount(i32(mask))
        if fits and v.races != 0 and cells == i64(lanes) * count and lanes & (lanes - 1) == 0:
            if own_read_rows(v, own_states(v, address), cells, own, lanes):
                return 1
            return stop(v, site_in(info))
    at = address
    for _ in range(count):
        if xgpu_san_v_row(t, at, root, extent, info, own, mask) == 0:
            return 0
        at = at + stride
    return 1


def rows_known(v: SanScreen, address: i64, bytes: i64, count: i64) -> i1:
    """Whether reads of some cells by all lanes of a vector say nothing new."""
    states = own_states(v, address)
    if v.races == 0:
        return v.inits == 0 or v.is_written != 0 or own_written(states, count)
    # What several threads have read stays so until the next barrier, or the launch is undone.
    known = v.shared_epoch == v.epoch
    if known and address >= v.shared_low and address + bytes <= v.shared_high:
        return True
    if not own_shared(v, states, count):
        return False
    v.shared_epoch = v.epoch
    v.shared_low = address
    v.shared_high = address + bytes
    return True


def xgpu_san_v_ones(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64, stride: i64,
    count: i64,
) -> i32:  # fmt: skip
    v = xgpu_san_state().screen
    size = access_size(info)
    several = mask & (mask - 1) != 0 and count > 0
    if several and stride == size and size == 1 << v.shift and in_block(v, address):
        bytes = size * count
        if extent >= bytes and not misplaced(address, bytes, root, extent, info):
            first = own + i32(lowest(mask))
            if v.races == 0:
                if v.inits == 0 or v.is_written != 0:
                    return 1
                if own_written(own_states(v, address), count):
                    return 1
            elif own_read_common(v, own_states(v, address), count, first):
                return 1
            return stop(v, site_in(info))
    at = address
    for _ in range(count):
        if xgpu_san_v_one(t, at, root, extent, info, own, mask) == 0:
            return 0
        at = at + stride
        if stride == 0:
            return 1
    return 1


def xgpu_san_v_manys(
    t: Thread, addresses: Ptr[i64], root: i64, extent: i64, info: i64, own: i32, mask: i64,
    stride: i64, count: i64,
) -> i32:  # fmt: skip
    size = access_size(info)
    rest = mask
    lane: i64 = 0
    while rest != 0:
        skipped = lowest(rest)
        lane += skipped
        rest = lshr(rest, skipped)
        lanes = run_length(addresses, lane, rest, size)
        run: i64 = (1 << lanes) - 1
        at = addresses[lane]
        first = own + i32(lane)
        fine: i32 = 1
        if lanes > 1 and addresses[lane + 1] == at:
            fine = xgpu_san_v_ones(t, at, root, extent, info, first, run, stride, count)
        else:
            fine = xgpu_san_v_rows(t, at, root, extent, info, first, run, stride, count)
        if fine == 0:
            return 0
        lane += lanes
        rest = lshr(rest, lanes)
    return 1
