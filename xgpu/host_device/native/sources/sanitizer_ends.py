# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The end of threads and blocks: with a block ends its shared memory, which copies and other blocks
of its cluster may still use. Before the block ends, a thread of it has to know that they do not.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    copy_bytes,
    i32,
    i64,
    ptr,
    sizeof,
    trailing_zeros,
    zero_bytes,
)
from xgpu.host_device.native.records import (
    CODE_ENDED,
    KIND_RACE,
    SanBlock,
    SanLate,
    SanState,
    SanThread,
    Thread,
)
from xgpu.host_device.native.sources.libc import free, malloc
from xgpu.host_device.native.sources.sanitizer_clocks import (
    BULK,
    block_of,
    each_record,
    home_of,
    known,
    ordered,
    record_of,
)
from xgpu.host_device.native.sources.sanitizer_shadow import fill_report
from xgpu.host_device.native.sources.sanitizer_state import (
    report_of,
    xgpu_san_leave,
    xgpu_san_state,
)

# -- Copies by `cp.async` in an order in which they come late: each thread keeps its own, in order,
# until it waits for their groups, lets them arrive at an mbarrier, or ends.


def put_off_copy(own: SanThread, target: ptr, source: ptr, size: i64, bytes: i64) -> None:
    late = SanLate(malloc(sizeof(SanLate)))
    late.next = None
    late.target = target
    late.source = source
    late.size = size
    late.bytes = bytes
    late.group = own.copies + 1
    last = own.last_late
    if last is None:
        own.late = late
    else:
        last.next = late
    own.last_late = late


def copy_padded(target: ptr, source: ptr, size: i64, bytes: i64) -> None:
    zero_bytes(target, size)
    copy_bytes(target, source, bytes)


def perform_late(own: SanThread, group: i32) -> None:
    """Do the copies of groups up to `group` that were put off."""
    late = own.late
    while late is not None and late.group <= group:
        copy_padded(late.target, late.source, late.size, late.bytes)
        following = late.next
        free(late)
        late = following
    own.late = late
    if late is None:
        own.last_late = None


OF_STORE = 0
OF_LOAD = 1
OF_BLOCK = 2


def owner_of(k: SanBlock, address: i64) -> SanBlock:
    """The block of the cluster that has a place in shared memory."""
    if k.first == k.last:
        return k
    rank = (address - k.begin) // k.window
    return k.block.worker.blocks[rank].sanitizer


def xgpu_san_exit(t: Thread) -> None:
    s = xgpu_san_state()
    k = block_of(s, t)
    exits(s, k, t.linear)
    if (s.kinds & KIND_RACE) != 0:
        leave_copies(k, k.threads[t.linear])
    end_block(s, k)


def xgpu_san_w_exit(t: Thread, lanes: i32) -> None:
    """Lanes of a warp exit."""
    s = xgpu_san_state()
    k = home_of(s, t)
    rest = lanes
    while rest != 0:
        exits(s, k, t.linear + trailing_zeros(rest))
        rest = rest & (rest - 1)
    if (s.kinds & KIND_RACE) != 0:
        rest = each_record(k, t.linear, lanes)
        while rest != 0:
            leave_copies(k, k.threads[t.linear + trailing_zeros(rest)])
            rest = rest & (rest - 1)
    end_block(s, k)


def exits(s: SanState, k: SanBlock, self: i32) -> None:
    """A thread exits. What it knows may stand in the record of another lane."""
    own = k.threads[self]
    own.exited = 1
    perform_late(own, 2147483647)
    k.exited += 1
    knows = record_of(k, self)
    if knows.clock > k.exit_clock:
        k.exit_clock = knows.clock
    if (s.kinds & KIND_RACE) != 0:
        reader = k.count * 3 + self
        if own.store_group > known(k, knows, reader):
            too_early(s, k, OF_STORE, k.context, reader, own.store_site)
        leave_cluster(s, k, knows, self)


def leave_copies(k: SanBlock, own: SanThread) -> None:
    """What an exiting thread knows of the bulk copies that use its block's memory."""
    for i in range(min_of(k.bulk, BULK)):
        clock = known(k, own, k.count * 4 + i)
        if clock > k.bulk_known[i64(i)]:
            k.bulk_known[i64(i)] = clock


def leave_cluster(s: SanState, k: SanBlock, own: SanThread, self: i32) -> None:
    """What an exiting thread knows of the other blocks that use its block's memory."""
    if k.first == k.last:
        return
    for rank in range(i64(k.last - k.first + 1)):
        r = k.remotes[rank]
        if r.context != 0 and ordered(s, k, own, self, r.context, r.agent, r.clock):
            r.context = 0


def end_block(s: SanState, k: SanBlock) -> None:
    """The block ends with its last thread."""
    if k.exited == k.count:
        if (s.kinds & KIND_RACE) != 0:
            end_memory(s, k)
        xgpu_san_leave(k.worker)


def end_memory(s: SanState, k: SanBlock) -> None:
    """The last thread exits: those not known to be done come too late."""
    for i in range(min_of(k.bulk, BULK)):
        at = i64(i)
        if k.bulk_sites[at] != 0 and k.bulk_clocks[at] > k.bulk_known[at]:
            too_early(s, k, OF_LOAD, k.context, k.count * 4 + i, k.bulk_sites[at])
    if k.first == k.last:
        return
    for rank in range(i64(k.last - k.first + 1)):
        r = k.remotes[rank]
        if r.context != 0:
            too_early(s, k, OF_BLOCK, r.context, r.agent, r.site)


def min_of(a: i32, b: i32) -> i32:
    return a if a < b else b


def of_another_block(
    s: SanState, k: SanBlock, agent: i32, clock: i32, site: i32, address: i64
) -> None:
    """A thread uses shared memory of its cluster."""
    home = owner_of(k, address)
    if i64(home) == i64(k) or (s.kinds & KIND_RACE) == 0:
        return
    if home.exited == home.count:
        too_early(s, home, OF_BLOCK, k.context, agent, site)
        return
    r = home.remotes[i64(k.context - k.first)]
    r.context = k.context
    r.agent = agent
    r.clock = clock
    r.site = site


def too_early(s: SanState, k: SanBlock, what: i32, context: i32, agent: i32, site: i32) -> None:
    """A block ends while another may still use its memory."""
    r = report_of(s, CODE_ENDED, site, 0)
    if i64(r) == 0:
        return
    r.count += 1
    if r.count > 1:
        return
    fill_report(s, r, KIND_RACE, k, 0, 0, 0, 0)
    r.synced = 0
    r.other_context = context
    r.other_agent = agent
    r.extra = i64(what)
