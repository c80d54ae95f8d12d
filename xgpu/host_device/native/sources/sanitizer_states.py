# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The states of cells under screening (`sanitizer_screen`), and what accesses make of them.

In global memory a state has 64 bits:

    62 .. 40  context    the block that used the cell last, or first if there were several
    39 .. 28  clock      how many barriers that block had behind it
    27 .. 18  thread
    17 .. 7   site       of the last plain write, or the last access
    6 .. 4    kind       since that barrier: read by one thread, by several, written (and read) by
                         one, atomic by any; or, in this launch, used by several blocks
    3, 2, 1   in this launch: read, changed by atomics, written
    0         written before this launch

Blocks run one after the other, so contexts and clocks only grow, and a state's place among three
numbers says when it was made: before the launch, by another block, behind an earlier barrier, since
the last one. In workgroup memory, which begins anew with each block, it has 32:

    31 .. 15  clock
    14 .. 5   thread
    4 .. 2    kind; also: written by an asynchronous copy that goes on
    1         of an atomic access: not of 4 bytes
    0         written

The loops have no branches, so that LLVM makes vectors of them.

What an asynchronous copy uses has the greatest clock: until a thread waits for the copy, any other
use of its target may be wrong, and in the same block any write to its source.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    i1,
    i32,
    i64,
    lshr,
    popcount,
    ptr,
    sizeof,
    trailing_zeros,
    zero_bytes,
)
from xgpu.host_device.native.records import FLAG_MODIFY, FLAG_WRITE, SanCopied, SanScreen
from xgpu.host_device.native.sources.sanitizer_state import (
    KIND_ATOMIC,
    KIND_MANY,
    KIND_READ,
    KIND_READS,
    KIND_WROTE,
    STATE_ATOMIC,
    STATE_BEFORE,
    STATE_KIND,
    STATE_READ,
    STATE_WRITTEN,
    STATE_WROTE,
    grown,
    zeroed,
)

STICKY = 15
ANYHOW = 7  # written, whenever and however
WHO = 268173312  # 1023 << 18
SITE_MASK = 262016  # 2047 << 7

LOW = 268435455  # all but the context and the epoch

OWN_READ = 4
OWN_READS = 8
OWN_WROTE = 16
OWN_ATOMIC = 20
OWN_COPY = 24  # written by a copy that may still go on
OWN_KIND = 28
OWN_WHO = 32736  # 1023 << 5
OWN_OTHER_WIDTH = 2


# -- global memory


def read_all(v: SanScreen, states: Ptr[i64], count: i64, own: i64, site: i64) -> i1:
    """Reads of one cell each by lanes from thread `own` on. Whether nothing is wrong."""
    launch = v.first << 40
    block = v.context << 40
    region = v.epoch << 28
    new = region | KIND_READ | STATE_READ
    bad: i64 = 0
    unwritten: i64 = 0
    for i in range(count):
        s = states[i]
        who = (own + i) << 18
        missing = (s & ANYHOW) == 0
        fresh = new | who | site | (STATE_BEFORE if not missing else 0)
        later = new | who | (s & STICKY) | ((s & SITE_MASK) if (s & STATE_WROTE) != 0 else site)
        keeps = ((s ^ who) & WHO) == 0 and (s & KIND_READS) == 0
        here = (s | STATE_READ) if keeps else ((s & ~STATE_KIND) | KIND_READS)
        clash = (s & STATE_KIND) == KIND_ATOMIC or (not keeps and (s & KIND_WROTE) != 0)
        known = here if s >= region else later
        known = known if s >= block else (s | KIND_MANY | STATE_READ)
        states[i] = known if s >= launch else fresh
        taken = s >= launch and (s & STATE_WRITTEN) != 0
        wrong = (clash and s >= region) if s >= block else taken
        bad = bad | i64(wrong)
        unwritten = unwritten | i64(missing)
    return bad == 0 and (unwritten == 0 or v.inits == 0)


def write_all(v: SanScreen, states: Ptr[i64], count: i64, own: i64, site: i64, flags: i64) -> i1:
    """Writes likewise."""
    launch = v.first << 40
    block = v.context << 40
    region = v.epoch << 28
    new = region | KIND_WROTE | STATE_WROTE | site
    if (flags & FLAG_MODIFY) != 0:
        new = new | STATE_READ
    bad: i64 = 0
    unwritten: i64 = 0
    for i in range(count):
        s = states[i]
        unwritten = unwritten | i64((s & ANYHOW) == 0)
        who = (own + i) << 18
        sticky = s & STICKY if s >= launch else (STATE_BEFORE if (s & ANYHOW) != 0 else 0)
        states[i] = new | who | sticky
        alone = ((s ^ who) & WHO) == 0 and (s & KIND_READS) == 0
        clash = not alone or (s & STATE_KIND) == KIND_ATOMIC
        wrong = (clash and s >= region) if s >= block else s >= launch
        bad = bad | i64(wrong)
    if (flags & FLAG_MODIFY) != 0 and unwritten != 0 and v.inits != 0:
        return False
    return bad == 0 or v.races == 0


def written_all(states: Ptr[i64], count: i64) -> i1:
    """Whether cells have been written."""
    unwritten: i64 = 0
    for i in range(count):
        unwritten = unwritten | i64((states[i] & ANYHOW) == 0)
    return unwritten == 0


def atomic_cell(v: SanScreen, states: Ptr[i64], own: i64, site: i64, flags: i64) -> i1:
    """An atomic access to a cell; one that reads alone has no write among its flags."""
    s = states[0]
    kind = s & STATE_KIND
    changed: i64 = STATE_ATOMIC if (flags & FLAG_WRITE) != 0 else 0
    new = (v.epoch << 28) | (own << 18) | KIND_ATOMIC | site | changed
    fine = (changed != 0 and (flags & FLAG_MODIFY) == 0) or (s & ANYHOW) != 0 or v.inits == 0
    width = v.widths[(s & SITE_MASK) >> 7]
    same = v.races == 0 or width == 0 or width == v.widths[site >> 7]
    if s < v.first << 40:
        before: i64 = STATE_BEFORE if (s & ANYHOW) != 0 else 0
        states[0] = new | before
        return fine
    if s < v.context << 40:
        states[0] = s | KIND_MANY | changed
        return fine and same and ((s & (STATE_WROTE | STATE_READ)) == 0 or v.races == 0)
    if s < v.epoch << 28 or kind == KIND_ATOMIC:
        states[0] = new | (s & STICKY)
        return fine and (same or (kind != KIND_ATOMIC and (s & STATE_ATOMIC) == 0))
    mine = ((s ^ (own << 18)) & WHO) == 0 and kind != KIND_READS
    states[0] = (s & ~STATE_KIND) | KIND_WROTE | changed
    return fine and (mine or v.races == 0)


# -- what other blocks have done that this one knows of (`sanitizer_screen`)


def adopt(v: SanScreen, states: Ptr[i64], count: i64, address: i64, size: i64) -> None:
    """What other blocks have done to cells of `size` bytes, and the block knows of, becomes what it
    did itself before its last barrier."""
    launch = v.first << 40
    block = v.context << 40
    for i in range(count):
        s = states[i]
        if s < launch or s >= block:
            continue
        if (s & STATE_KIND) != KIND_MANY:
            if is_known(v, s):
                states[i] = block | (s & LOW)
            continue
        # Nothing but atomic operations that have released, and the block has acquired.
        atomic = v.relaxed == 0 and (s & (STATE_WROTE | STATE_READ)) == 0
        if atomic and size == 4 and address + i * size == v.known:
            states[i] = block | (s & LOW & ~STATE_KIND) | KIND_ATOMIC


def is_known(v: SanScreen, s: i64) -> i1:
    """Whether the block knows of what one other block has done."""
    at = (s >> 40) - v.first
    if v.release_at[at] != v.known:
        return False
    epoch = s >> 28
    by = v.release_by[at]
    if epoch < by >> 11:
        return True
    own = (by & 2047) - 1 == (s >> 18) & 1023
    return epoch == by >> 11 and own and (s & STATE_KIND) != KIND_READS


# -- workgroup memory


def own_read_all(v: SanScreen, states: Ptr[i32], count: i64, own: i32) -> i1:
    """Reads of the block's own memory."""
    region = i32(v.epoch & 4095) << 15
    new = region | OWN_READ
    bad: i32 = 0
    missing: i32 = 1
    for i in range(count):
        s = states[i]
        who = (own + i32(i)) << 5
        keeps = ((s ^ who) & OWN_WHO) == 0 and (s & OWN_READS) == 0
        here = s if keeps else ((s & ~OWN_KIND) | OWN_READS)
        states[i] = here if s >= region else (new | who | (s & 1))
        clash = (s & OWN_KIND) == OWN_ATOMIC or (not keeps and (s & OWN_WROTE) != 0)
        bad = bad | i32(clash and s >= region)
        missing = missing & s
    return bad == 0 and (missing != 0 or v.inits == 0)


def own_read_rows(v: SanScreen, states: Ptr[i32], count: i64, own: i32, lanes: i32) -> i1:
    """Reads of rows of cells that lie side by side, each by so many threads, a power of two."""
    region = i32(v.epoch & 4095) << 15
    new = region | OWN_READ
    bad: i32 = 0
    missing: i32 = 1
    for i in range(count):
        s = states[i]
        who = (own + (i32(i) & (lanes - 1))) << 5
        keeps = ((s ^ who) & OWN_WHO) == 0 and (s & OWN_READS) == 0
        here = s if keeps else ((s & ~OWN_KIND) | OWN_READS)
        states[i] = here if s >= region else (new | who | (s & 1))
        clash = (s & OWN_KIND) == OWN_ATOMIC or (not keeps and (s & OWN_WROTE) != 0)
        bad = bad | i32(clash and s >= region)
        missing = missing & s
    return bad == 0 and (missing != 0 or v.inits == 0)


def own_read_common(v: SanScreen, states: Ptr[i32], count: i64, own: i32) -> i1:
    """Reads of each of some cells by several threads, `own` among them."""
    region = i32(v.epoch & 4095) << 15
    bad: i32 = 0
    missing: i32 = 1
    for i in range(count):
        s = states[i]
        states[i] = region | (own << 5) | OWN_READS | (s & 1)
        bad = bad | i32((s & OWN_WROTE) != 0 and s >= region)
        missing = missing & s
    return bad == 0 and (missing != 0 or v.inits == 0)


def own_write_all(v: SanScreen, states: Ptr[i32], count: i64, own: i32, flags: i64) -> i1:
    """Writes to it."""
    region = i32(v.epoch & 4095) << 15
    new = region | OWN_WROTE | 1
    bad: i32 = 0
    missing: i32 = 1
    for i in range(count):
        s = states[i]
        missing = missing & s
        who = (own + i32(i)) << 5
        alone = ((s ^ who) & OWN_WHO) == 0 and (s & OWN_READS) == 0
        states[i] = new | who
        clash = not alone or (s & OWN_KIND) == OWN_ATOMIC
        bad = bad | i32(clash and s >= region)
    if (flags & FLAG_MODIFY) != 0 and missing == 0 and v.inits != 0:
        return False
    return bad == 0 or v.races == 0


def own_written(states: Ptr[i32], count: i64) -> i1:
    """Whether cells have been written."""
    missing: i32 = 1
    for i in range(count):
        missing = missing & states[i]
    return missing != 0


def own_shared(v: SanScreen, states: Ptr[i32], count: i64) -> i1:
    """Whether several threads have read each of some cells since the last barrier, so that one
    more changes nothing."""
    wanted = (i32(v.epoch & 4095) << 15) | OWN_READS | 1
    others: i32 = 0
    for i in range(count):
        others = others | ((states[i] & ~OWN_WHO) ^ wanted)
    return others == 0


def own_atomic(v: SanScreen, states: Ptr[i32], own: i32, flags: i64, size: i64) -> i1:
    s = states[0]
    region = i32(v.epoch & 4095) << 15
    changed = i32(flags & FLAG_WRITE)
    fine = (changed != 0 and (flags & FLAG_MODIFY) == 0) or (s & 1) != 0 or v.inits == 0
    width: i32 = 0
    if size != 4:
        width = OWN_OTHER_WIDTH
    new = region | (own << 5) | (s & 1) | changed | width
    if s < region:
        states[0] = new | OWN_ATOMIC
        return fine
    if (s & OWN_KIND) == OWN_ATOMIC:
        states[0] = new | OWN_ATOMIC
        return fine and (v.races == 0 or (s & OWN_OTHER_WIDTH) == width)
    mine = ((s ^ (own << 5)) & OWN_WHO) == 0 and (s & OWN_READS) == 0
    states[0] = new | OWN_WROTE
    return fine and (mine or v.races == 0)


# -- asynchronous copies


MOST_CLOCK = 4095
MOST_THREADS = 1024


def source_all(v: SanScreen, states: Ptr[i64], count: i64, own: i64, site: i64) -> i1:
    """Reads by a copy of global memory, that may come later."""
    if not read_all(v, states, count, own, site):
        return False
    block = v.context << 40
    for i in range(count):
        s = states[i]
        later = (s & ~(STATE_KIND | (MOST_CLOCK << 28))) | (MOST_CLOCK << 28) | KIND_READS
        states[i] = later if s >= block else s
    return True


def own_copy_all(v: SanScreen, states: Ptr[i32], count: i64, own: i32, wide: i32) -> i1:
    """Writes by a copy to the block's own memory, of 1 << `wide` cells by each thread."""
    region = i32(v.epoch & 4095) << 15
    bad: i32 = 0
    for i in range(count):
        s = states[i]
        who = (own + (i32(i) >> wide)) << 5
        alone = ((s ^ who) & OWN_WHO) == 0 and (s & OWN_READS) == 0
        states[i] = (MOST_CLOCK << 15) | OWN_COPY | who | 1
        clash = not alone or (s & OWN_KIND) == OWN_ATOMIC
        bad = bad | i32(clash and s >= region)
    return bad == 0


def own_copied_all(v: SanScreen, states: Ptr[i32], count: i64, own: i32, wide: i32) -> None:
    """The same cells when the threads have waited: each has written its own."""
    new = (i32(v.epoch & 4095) << 15) | OWN_WROTE | 1
    for i in range(count):
        states[i] = new | ((own + (i32(i) >> wide)) << 5)


def begin_copies(v: SanScreen) -> None:
    """A block begins: what the last one has not waited for goes with its memory."""
    if v.has_copies != 0:
        zero_bytes(v.commits, MOST_THREADS * 4)
        zero_bytes(v.copied, 128)
        v.copy_count = 1
        v.free_copy = 0
        v.has_copies = 0


def has_copies(v: SanScreen) -> None:
    """The block has asynchronous copies, or groups of them."""
    if i64(v.commits) == 0:
        # A look at the groups of 32 threads may begin at the last one.
        v.commits = Ptr[i32](zeroed((MOST_THREADS + 32) * 4))
        v.copied = Ptr[i32](zeroed(128))
        v.copy_count = 1
    v.has_copies = 1


def note_copy(v: SanScreen, address: i64, size: i64, own: i64, mask: i64) -> i1:
    """Remember a copy until its threads wait. Whether all of them have ended as many groups."""
    has_copies(v)
    first = own + i64(trailing_zeros(i32(mask)))
    group = v.commits[first] + 1
    if done_lanes(v, own, group - 1) & mask != mask or done_lanes(v, own, group) & mask != 0:
        return False
    number = v.free_copy
    if number != 0:
        v.free_copy = v.copies[i64(number)].next
    else:
        if v.copy_count >= v.copy_room:
            room = v.copy_room * 2 + 1024
            used = v.copy_count * sizeof(SanCopied) if v.copy_room != 0 else 0
            v.copies = SanCopied(grown(v.copies, used, room * sizeof(SanCopied)))
            v.copy_room = room
        number = i32(v.copy_count)
        v.copy_count += 1
    r = v.copies[i64(number)]
    r.address = address
    r.size = i32(size)
    r.own = i32(own)
    r.mask = mask
    r.group = group
    r.next = v.copied[own >> 5]
    v.copied[own >> 5] = number
    return True


def done_lanes(v: SanScreen, own: i64, group: i32) -> i64:
    """Which of 32 threads from `own` on have ended so many groups."""
    done: i32 = 0
    for lane in range(32):
        done = done | (i32(v.commits[own + lane] >= group) << i32(lane))
    return i64(done) & 4294967295


def end_copies(v: SanScreen, warp: i64, own: i64, mask: i64, groups: i32) -> None:
    """Threads from `own` on wait until no more than so many of their groups go on: copies of a list
    that are done then."""
    before: i32 = 0
    number = v.copied[warp]
    while number != 0:
        r = v.copies[i64(number)]
        following = r.next
        apart = i64(r.own) - own
        waiting: i64 = 0
        if apart >= 0 and apart < 32:
            waiting = lshr(mask, apart)
        elif apart < 0 and apart > -32:
            waiting = mask << -apart
        done = waiting & r.mask
        if done != 0:
            done = done & done_lanes(v, i64(r.own), r.group + groups)
        if done != 0:
            finish_copies(v, r, done)
            r.mask = r.mask & ~done
        if r.mask == 0:
            if before == 0:
                v.copied[warp] = following
            else:
                v.copies[i64(before)].next = following
            r.next = v.free_copy
            v.free_copy = number
        else:
            before = number
        number = following


def ones(mask: i64) -> i64:
    """How many lanes from the first on a mask has in a row."""
    return i64(popcount(i32(lshr(mask ^ (mask + 1), 1))))


def finish_copies(v: SanScreen, r: SanCopied, lanes: i64) -> None:
    """The copies of some lanes are done."""
    cells = i64(r.size) >> v.shift
    wide = trailing_zeros(i32(cells))
    rest: i64 = lanes
    lane: i64 = 0
    while rest != 0:
        skipped = i64(trailing_zeros(i32(rest)))
        lane += skipped
        rest = lshr(rest, skipped)
        count = ones(rest)
        first = (r.address - v.begin >> v.shift) + lane * cells
        states = Ptr[i32](ptr(i64(v.states) + first * 4))
        own_copied_all(v, states, count * cells, r.own + i32(lane), wide)
        lane += count
        rest = lshr(rest, count)
