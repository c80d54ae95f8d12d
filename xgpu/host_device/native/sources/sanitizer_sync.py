# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pass `host-sanitize` calls at barriers, warp synchronization and mbarriers.

A barrier has two calls: one before it, which puts what the thread knows into the phase, and one
behind it, which takes what all have put there. Two phases can be in use at once, no more.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i1, i32, i64, lshr, ptr, zero_bytes, zext64
from xgpu.host_device.native.records import (
    CODE_APART,
    CODE_DIVERGED,
    CODE_INITIALIZED,
    CODE_TWICE,
    CODE_UNINITIALIZED_BARRIER,
    FLAG_ATOMIC,
    FLAG_WRITE,
    KIND_INIT,
    KIND_SYNC,
    SCOPE_CLUSTER,
    STATE_WARP,
    SanBlock,
    SanSlot,
    SanState,
    SanSync,
    SanThread,
    Thread,
)
from xgpu.host_device.native.sources.sanitizer_access import fenced, flags_of, inside, site_of
from xgpu.host_device.native.sources.sanitizer_clocks import (
    BULK,
    block_of,
    block_sync,
    contribute,
    contribute_clock,
    empty_slot,
    join_vector,
    joined,
    new_node,
    new_sync,
    record_of,
    released,
    slot_of,
    take_over,
)
from xgpu.host_device.native.sources.sanitizer_ends import of_another_block, owner_of
from xgpu.host_device.native.sources.sanitizer_pages import cell_of
from xgpu.host_device.native.sources.sanitizer_ranges import cells_page, touch
from xgpu.host_device.native.sources.sanitizer_shadow import ATOMIC, fill_report, fresh, in_shared
from xgpu.host_device.native.sources.sanitizer_state import report_of, xgpu_san_state, zeroed

GROUP_WARPS = 4  # warps of a warpgroup
ALIGNED = 1  # flag: all lanes of a warp must execute the same barrier
COLLECTIVE = 2  # flag: part of a reduction of the block
INVAL = 1  # flag: it ends to be an mbarrier
RELAXED = 1  # flag: of what was before, only that before the last fence is released
WARP_KEY = 4611686018427387904


def sync_report(
    s: SanState, k: SanBlock, agent: i32, code: i32, site: i32, other: i32, address: i64, extra: i64
) -> None:
    if (s.kinds & KIND_SYNC) == 0:
        return
    r = report_of(s, code, site, other)
    if i64(r) == 0:
        return
    r.count += 1
    if r.count == 1:
        fill_report(s, r, KIND_SYNC, k, agent, 0, address, 0)
        r.extra = extra


# -- barriers of a block


def barrier_of(s: SanState, k: SanBlock, id: i32) -> SanSync:
    number = i64(id & 31)
    o = SanSync(k.barriers[number])
    if i64(o) == 0:
        o = new_sync(s, number, ptr(0))
        k.barriers[number] = o
    return o


def same_barrier(s: SanState, k: SanBlock, self: i32, o: SanSync, site: i32) -> None:
    """The lanes of a warp come to an aligned barrier at one place."""
    warp = i64(self) // 32
    stamp = (o.generation + 1) * 32 + i32(o.key)
    if k.warps[2 * warp] == stamp and k.warps[2 * warp + 1] != site:
        sync_report(s, k, self, CODE_DIVERGED, site, k.warps[2 * warp + 1], 0, o.key)
    k.warps[2 * warp] = stamp
    k.warps[2 * warp + 1] = site


def join_phase(s: SanState, k: SanBlock, own: SanThread, self: i32, o: SanSync) -> SanSlot:
    slot = slot_of(o, o.generation)
    contribute(s, k, own, self, slot)
    return slot


def xgpu_san_barrier(t: Thread, id: i32, count: i32, info: i64) -> None:
    """Before a thread waits at a barrier of its block, of all threads if `count` is 0."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    o = barrier_of(s, k, id)
    if (flags_of(info) & ALIGNED) != 0:
        same_barrier(s, k, t.linear, o, site_of(info))
    slot = join_phase(s, k, own, t.linear, o)
    own.barrier = o
    own.generation = o.generation
    own.site = site_of(info)
    own.waits = own.site
    own.collective = flags_of(info) & COLLECTIVE
    own.whole = 0
    if count == 0 or count == k.count:
        own.whole = 1
    else:
        contribute_clock(k, slot, t.linear, own.clock)
        own.clock += 1


def xgpu_san_branched(t: Thread, taken: i32, first: i64, second: i64) -> None:
    """Before a branch to the first successor, if it is taken, or the second: the bits of barriers
    that either leads around (`host_device/sanitizer/instrument/kernels.py`)."""
    around = first if taken != 0 else second
    if around == 0:
        return
    k = block_of(xgpu_san_state(), t)
    own = k.threads[t.linear]
    own.skipped = own.skipped | around
    warp = i64(t.linear) // 32
    k.skips[warp] = k.skips[warp] | around


def xgpu_san_behind(t: Thread, barriers: i64, info: i64) -> None:
    """Before an effect behind barriers: the thread has left out those that it has skipped."""
    s = xgpu_san_state()
    own = block_of(s, t).threads[t.linear]
    new = own.skipped & barriers & ~own.left_out
    if new != 0:
        own.left_out = own.left_out | new
        own.left_at = site_of(info)


def xgpu_san_reached(t: Thread, barrier: i64) -> None:
    """Before a barrier that others may skip."""
    k = block_of(xgpu_san_state(), t)
    own = k.threads[t.linear]
    own.skipped = own.skipped & ~barrier
    own.left_out = own.left_out & ~barrier
    own.reached = barrier
    k.reached[i64(t.linear) // 32] = 0


def xgpu_san_barrier_arrive(t: Thread, id: i32, count: i32, info: i64) -> None:
    """Before a thread arrives at a barrier without waiting."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    o = barrier_of(s, k, id)
    slot = join_phase(s, k, own, t.linear, o)
    slot.mixed = 1
    contribute_clock(k, slot, t.linear, own.clock)
    own.arrived = o
    own.arrived_generation = o.generation
    own.clock += 1
    own.site = site_of(info)


def xgpu_san_warp(t: Thread, mask: i32, info: i64) -> None:
    """Before the lanes of `mask` wait for one another."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    warp = zext64(t.linear) // 32
    o = block_sync(s, k, WARP_KEY | (warp << 32) | zext64(mask))
    slot = join_phase(s, k, own, t.linear, o)
    contribute_clock(k, slot, t.linear, own.clock)
    own.clock += 1
    own.barrier = o
    own.generation = o.generation
    own.whole = 0
    own.site = site_of(info)
    own.waits = own.site


def xgpu_san_collective(t: Thread, mask: i32, info: i64) -> None:
    """Before a shuffle, a vote or the like, whose number is in the flags: what a lane has read
    before it has been read when another lane has its data (see `exchanged`)."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    own.waits = site_of(info)
    same_collective(s, k, t, mask, flags_of(info))
    own.shuffled = own.clock
    own.shuffles += 1
    own.clock += 1


def same_collective(s: SanState, k: SanBlock, t: Thread, mask: i32, operation: i32) -> None:
    """The lanes that exchange values do so at one place: data of others is undefined."""
    own = k.threads[t.linear]
    base = t.linear & -32
    for lane in range(i32(32)):
        linear = base + lane
        if ((mask >> lane) & 1) == 0 or linear >= k.count or linear == t.linear:
            continue
        other = k.block.threads[linear]
        if other.state != STATE_WARP or other.mask != mask or other.wait_id != operation:
            continue
        there = record_of(k, linear).waits
        if there != own.waits:
            sync_report(s, k, t.linear, CODE_APART, own.waits, there, 0, i64(linear))
            return


def xgpu_san_waits(t: Thread, info: i64) -> None:
    """Before a thread waits for others of its warp or warpgroup."""
    s = xgpu_san_state()
    block_of(s, t).threads[t.linear].waits = site_of(info)


def xgpu_san_barrier_done(t: Thread, info: i64) -> None:
    """Behind a barrier or a warp's synchronization."""
    s = xgpu_san_state()
    k = block_of(s, t)
    barrier_over(s, k, k.threads[t.linear])


def barrier_over(s: SanState, k: SanBlock, own: SanThread) -> None:
    o = own.barrier
    if o is None:
        return
    slot = slot_of(o, own.generation)
    if o.generation == own.generation:
        o.generation += 1
        empty_slot(slot_of(o, o.generation))
        if own.whole != 0:
            complete(k, o, slot, own.generation)
    if own.whole == 0 or slot.mixed != 0:
        take_over(s, k, own, slot)
        if own.whole != 0:
            own.clock += 1
        return
    own.block_clock = slot.top
    own.clock = slot.top + 1
    own.live = 0
    own.proxy_all = 0
    own.acquired = slot.acquired


def complete(k: SanBlock, o: SanSync, slot: SanSlot, generation: i32) -> None:
    """A barrier of the whole block is over: what one knows of copies, all do, and who has exited
    counts as one who has come."""
    if slot.mixed != 0:
        complete_mixed(k, o, slot, generation)
        return
    if k.exit_clock > slot.top:
        slot.top = k.exit_clock
    if slot.live != 0:
        join_vector(k.block_clocks, -1, slot.vector, slot.live)
        k.block_live = k.block_live | slot.live
        k.copies = Ptr[i32](None)


def complete_mixed(k: SanBlock, o: SanSync, slot: SanSlot, generation: i32) -> None:
    """Likewise where some have arrived without waiting: what these do behind that is not known to
    others, so no clock stands for all. Who waits has not gone on, and who has exited has come with
    all that it did, unless it had arrived before."""
    for i in range(k.count):
        other = record_of(k, i)
        waits = other.barrier == o and other.generation == generation and other.whole != 0
        own = k.threads[i]
        came = own.arrived == o and own.arrived_generation == generation
        if waits or (k.threads[i].exited != 0 and not came):
            contribute_clock(k, slot, i, other.clock)


def xgpu_san_cluster_arrive(t: Thread, info: i64) -> None:
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    leader = k.block.group.sanitizer
    o = block_sync(s, leader, WARP_KEY)
    generation = k.block.group.cluster_phase
    if o.generation != generation:
        o.generation = generation
        empty_slot(slot_of(o, generation))
    slot = slot_of(o, generation)
    if (flags_of(info) & RELAXED) != 0:
        slot.acquired = joined(s, slot.acquired, fenced(s, own, SCOPE_CLUSTER))
    else:
        slot.acquired = joined(s, slot.acquired, released(s, k, own, t.linear))
        own.clock += 1
    own.generation = generation
    own.site = site_of(info)


def xgpu_san_cluster_done(t: Thread, info: i64) -> None:
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    o = block_sync(s, k.block.group.sanitizer, WARP_KEY)
    own.acquired = joined(s, own.acquired, slot_of(o, own.generation).acquired)
    own.proxy_all = 0


# -- mbarriers


def mbarrier_of(s: SanState, k: SanBlock, address: ptr) -> SanSync:
    """An mbarrier as its word says it is now."""
    o = block_sync(s, owner_of(k, i64(address)), i64(address))
    phase = i32(lshr(Ptr[i64](address)[0], 63))
    if (o.generation & 1) != phase:
        o.generation += 1
        empty_slot(slot_of(o, o.generation))
    return o


def usable(s: SanState, k: SanBlock, t: Thread, address: ptr, info: i64) -> i1:
    """Whether there is room for an mbarrier in the block's shared memory."""
    at = i64(address)
    if not inside(s, k, t, t.linear, site_of(info), FLAG_ATOMIC, at, 8, 0, -1):
        return False
    return in_shared(k, at)


def xgpu_san_mbarrier_init(t: Thread, address: ptr, info: i64) -> ptr:
    """Before mbarrier.init and mbarrier.inval, which are plain writes."""
    if info < 0:
        return address
    s = xgpu_san_state()
    k = block_of(s, t)
    if not usable(s, k, t, address, info):
        return s.sink
    own = k.threads[t.linear]
    o = block_sync(s, owner_of(k, i64(address)), i64(address))
    ends = (flags_of(info) & INVAL) != 0
    if not ends and o.initialized != 0:
        sync_report(s, k, t.linear, CODE_INITIALIZED, site_of(info), o.initialized, i64(address), 0)
    none = ends and o.initialized == 0
    before = o.invalidated
    o.initialized = 0
    o.invalidated = 0
    if ends:
        o.invalidated = site_of(info)
    else:
        o.initialized = site_of(info)
    o.generation = 0
    empty_slot(o.even)
    empty_slot(o.odd)
    if i64(o.waited) != 0:
        zero_bytes(o.waited, i64(k.count) * 4)
    fine = touch(s, k, own, t.linear, t.linear, own.clock, site_of(info), FLAG_WRITE, i64(address),
                 8, True)  # fmt: skip
    if none and fine:
        sync_report(s, k, t.linear, CODE_UNINITIALIZED_BARRIER, site_of(info), before,
                    i64(address), 0)  # fmt: skip
    return address


def is_none(s: SanState, k: SanBlock, o: SanSync, address: i64) -> i1:
    """Whether a place is no mbarrier, and its use does not count as a read of unwritten memory."""
    if o.initialized != 0:
        return False
    cell = cell_of(cells_page(s, k, address, 8, FLAG_ATOMIC), address)
    fresh(s, k, cell)
    return (s.kinds & KIND_INIT) == 0 or cell.w_context != 0


def used(s: SanState, k: SanBlock, own: SanThread, self: i32, agent: i32, clock: i32, address: ptr,
         info: i64) -> None:  # fmt: skip
    """Arrivals and waits are atomic for one another, and come after mbarrier.init. A use that races
    with mbarrier.inval is that and no more."""
    if k.first != k.last and agent == self:
        of_another_block(s, k, agent, clock, site_of(info), i64(address))
    o = block_sync(s, owner_of(k, i64(address)), i64(address))
    none = is_none(s, k, o, i64(address))
    fine = touch(s, k, own, self, agent, clock | ATOMIC, site_of(info), FLAG_ATOMIC, i64(address),
                 8, True)  # fmt: skip
    if none and fine:
        sync_report(s, k, self, CODE_UNINITIALIZED_BARRIER, site_of(info), o.invalidated,
                    i64(address), 0)  # fmt: skip


def product_agent(k: SanBlock, warp: i32) -> i32:
    """What the products of matrices of a warp have read."""
    return k.count * 4 + BULK + warp


def speak_for_warpgroup(
    s: SanState, k: SanBlock, own: SanThread, self: i32, slot: SanSlot, home: SanBlock
) -> None:
    """Who arrives behind wgmma.wait_group does so for all warps of its warpgroup, which multiply
    together: kernels let one thread give a buffer back for all."""
    first = self // 32 // GROUP_WARPS * GROUP_WARPS
    for warp in range(first, first + GROUP_WARPS):
        agent = product_agent(k, warp)
        if i64(home) == i64(k):
            contribute_clock(k, slot, agent, own.done_products)
        else:
            node = new_node(s)
            node.context = k.context
            node.agent = agent
            node.clock = own.done_products
            slot.acquired = joined(s, slot.acquired, node)


def put_into(
    s: SanState, k: SanBlock, own: SanThread, self: i32, o: SanSync, home: SanBlock
) -> None:
    """What a thread knows, into the phase that is not over."""
    slot = slot_of(o, o.generation)
    if own.done_products > 0:
        speak_for_warpgroup(s, k, own, self, slot, home)
    if i64(home) == i64(k):
        contribute(s, k, own, self, slot)
        contribute_clock(k, slot, self, own.clock)
    else:
        slot.acquired = joined(s, slot.acquired, released(s, k, own, self))
    own.clock += 1


def xgpu_san_mbarrier_arrive(t: Thread, address: ptr, info: i64) -> ptr:
    """Before a thread arrives, or says how many bytes will come."""
    if info < 0:
        return address
    s = xgpu_san_state()
    k = block_of(s, t)
    if not usable(s, k, t, address, info):
        return s.sink
    own = k.threads[t.linear]
    used(s, k, own, t.linear, t.linear, own.clock, address, info)
    o = mbarrier_of(s, k, address)
    put_into(s, k, own, t.linear, o, owner_of(k, i64(address)))
    own.site = site_of(info)
    return address


def xgpu_san_mbarrier_wait(t: Thread, address: ptr, info: i64) -> ptr:
    """Before a thread waits for a phase, or asks whether it is over."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if not usable(s, k, t, address, info):
        return s.sink
    own = k.threads[t.linear]
    used(s, k, own, t.linear, t.linear, own.clock, address, info)
    own.site = site_of(info)
    own.waits = own.site
    return address


def xgpu_san_mbarrier_waited(t: Thread, address: ptr, info: i64, parity: i32, over: i32) -> None:
    """Behind a wait for the phase of a parity, which is over or not."""
    s = xgpu_san_state()
    if over == 0 or i64(address) == i64(s.sink):
        return
    k = block_of(s, t)
    own = k.threads[t.linear]
    o = mbarrier_of(s, k, address)
    if (o.generation & 1) == (parity & 1) or o.generation == 0:
        return
    if i64(owner_of(k, i64(address))) == i64(k):
        waited_before(s, k, t.linear, o, site_of(info), i64(address))
    take_over(s, k, own, slot_of(o, o.generation - 1))


def waited_before(s: SanState, k: SanBlock, self: i32, o: SanSync, site: i32, address: i64) -> None:
    """Once a thread has waited for a phase, it waits for the next."""
    if i64(o.waited) == 0:
        o.waited = Ptr[i32](zeroed(i64(k.count) * 4))
    if o.waited[i64(self)] == o.generation:
        sync_report(s, k, self, CODE_TWICE, site, 0, address, i64(o.generation - 1))
    o.waited[i64(self)] = o.generation
