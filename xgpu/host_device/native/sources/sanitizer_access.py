# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pass `host-sanitize` calls at loads, stores, atomics and fences.

`info` holds the site (bits 0 to 18), flags (20 to 31), the size in bytes (32 to 47) and the
logarithm of the alignment (48 to 55). The result is the address to use: that of unused memory
where the access would leave its own.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    atomic_add,
    atomic_load,
    copy_bytes,
    i1,
    i8,
    i16,
    i32,
    i64,
    ptr,
)
from xgpu.host_device.native.records import (
    CODE_BEYOND,
    CODE_CONSTANT,
    CODE_FREED,
    CODE_HEAP_FREED,
    CODE_HOST_SPACE,
    CODE_MISALIGNED,
    CODE_OUTSIDE,
    CODE_UNEVEN,
    CODE_UNWRITTEN,
    CODE_WILD,
    FLAG_ATOMIC,
    FLAG_BLOCK_SCOPE,
    FLAG_CLUSTER_SCOPE,
    FLAG_CONSTANT,
    FLAG_MODIFY,
    FLAG_VALUE,
    FLAG_VALUE_AT,
    FLAG_WRITE,
    HOW_ACQUIRE,
    HOW_BITS,
    HOW_READ,
    HOW_REDUCE,
    HOW_RELEASE,
    HOW_WRITE,
    KIND_INIT,
    KIND_MEMORY,
    KIND_RACE,
    ORDER_TURNS,
    PROXY_MBARRIER,
    SCOPE_BLOCK,
    SCOPE_CLUSTER,
    SCOPE_DEVICE,
    Launch,
    SanBlock,
    SanNode,
    SanPage,
    SanState,
    SanSync,
    SanThread,
    Thread,
)
from xgpu.host_device.native.sources.libc import usleep
from xgpu.host_device.native.sources.sanitizer_clocks import (
    block_of,
    block_sync,
    follow,
    global_sync,
    joined,
    of_thread,
    released,
    take_node,
    within,
)
from xgpu.host_device.native.sources.sanitizer_ends import of_another_block
from xgpu.host_device.native.sources.sanitizer_pages import (
    allocation_at,
    cell_of,
    find_page,
    freed_at,
    nearest_allocation,
)
from xgpu.host_device.native.sources.sanitizer_ranges import touch
from xgpu.host_device.native.sources.sanitizer_shadow import (
    ATOMIC,
    BLOCK_SCOPE,
    CLUSTER_SCOPE,
    fill_report,
    fresh,
    in_shared,
    read_cell,
    write_cell,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    ALLOCATION_CONSTANT,
    ALLOCATION_HEAP,
    GONE,
    LIVE,
    RELEASED,
    report_of,
    unused,
    width_class,
    xgpu_san_leave,
    xgpu_san_stack,
    xgpu_san_state,
)

TURN = 20  # microseconds that a worker sleeps at a time while others go first,
MOST_TURNS = 20000  # and how often one of a launch does let others go first


def site_of(info: i64) -> i32:
    return i32(info & 524287)


def flags_of(info: i64) -> i32:
    return i32((info >> 20) & 4095)


def size_in(info: i64) -> i64:
    return (info >> 32) & 65535


# -- bounds


def complain(
    s: SanState, k: SanBlock, agent: i32, code: i32, site: i32, flags: i32, address: i64, size: i64,
    allocation: i32, extra: i64,
) -> None:  # fmt: skip
    if (s.kinds & KIND_MEMORY) == 0:
        return
    r = report_of(s, code, site, 0)
    if i64(r) == 0:
        return
    r.count += 1
    if r.count > 1:
        return
    fill_report(s, r, KIND_MEMORY, k, agent, flags, address, i32(size))
    r.allocation = allocation
    r.extra = extra


def is_private(k: SanBlock, t: Thread, address: i64) -> i1:
    """Whether an address lies in frames of coroutines or on the stack."""
    w = k.block.worker
    frames = i64(w.frames)
    total = w.frame_bytes * i64(k.block.group.count) * i64(k.block.group.cluster_size)
    if address >= frames and address < frames + total:
        return True
    return address > i64(xgpu_san_stack()) and address < w.stack


def shared_fits(k: SanBlock, address: i64, size: i64) -> i1:
    at = address - k.begin
    if k.first != k.last:
        at = at % k.window
    return at + size <= k.bytes and (at >= k.gap_end or at + size <= k.gap)


def inside(
    s: SanState, k: SanBlock, t: Thread, agent: i32, site: i32, flags: i32, address: i64, size: i64,
    root: i64, extent: i64,
) -> i1:  # fmt: skip
    """Whether there is such memory; if there is not, that is reported."""
    if (flags & FLAG_CONSTANT) != 0:
        complain(s, k, agent, CODE_CONSTANT, site, flags, address, size, -1, 0)
        return False
    if extent >= 0:
        if address >= root and address + size <= root + extent:
            return True
        where = ((address - root) << 32) | extent
        complain(s, k, agent, CODE_OUTSIDE, site, flags, address, size, -1, where)
        return False
    if in_shared(k, address):
        if is_astray(s, k, agent, site, flags, address, size, root):
            return False
        if shared_fits(k, address, size):
            return True
        complain(s, k, agent, CODE_BEYOND, site, flags, address, size, -2, k.bytes)
        return False
    page = find_page(s, address)
    if i64(page) == 0:
        if is_private(k, t, address):
            return not is_astray(s, k, agent, site, flags, address, size, root)
        near = nearest_allocation(s, address)
        code: i32 = CODE_WILD
        if near >= 0:
            code = CODE_BEYOND
        complain(s, k, agent, code, site, flags, address, size, near, 0)
        return False
    number = allocation_at(s, page, address)
    if number < 0:
        number = freed_at(s, address)
    if number < 0:
        near = root_allocation(s, root)
        code = CODE_HOST_SPACE
        if near >= 0:
            code = CODE_BEYOND
        complain(s, k, agent, code, site, flags, address, size, near, 0)
        return False
    return in_allocation(s, k, agent, site, flags, address, size, root, number)


def is_astray(
    s: SanState, k: SanBlock, agent: i32, site: i32, flags: i32, address: i64, size: i64, root: i64
) -> i1:  # fmt: skip
    """Whether an address in memory of a block or a thread was computed from an allocation, and lies
    there by chance; that is reported."""
    if root == 0 or in_shared(k, root):
        return False
    number = root_allocation(s, root)
    if number < 0:
        return False
    complain(s, k, agent, CODE_BEYOND, site, flags, address, size, number, 0)
    return True


def sites_of(s: SanState, number: i32) -> i64:
    """Where kernels have made memory of their heap, and freed it."""
    a = s.allocations[i64(number)]
    return (i64(a.made_site) << 32) | i64(a.freed_site)


def in_allocation(
    s: SanState, k: SanBlock, agent: i32, site: i32, flags: i32, address: i64, size: i64, root: i64,
    number: i32,
) -> i1:  # fmt: skip
    a = s.allocations[i64(number)]
    if a.state == GONE:
        complain(s, k, agent, CODE_WILD, site, flags, address, size, -1, 0)
        return False
    if a.state == RELEASED and a.kind == ALLOCATION_HEAP:
        where = sites_of(s, number)
        complain(s, k, agent, CODE_HEAP_FREED, site, flags, address, size, -1, where)
        return False
    if a.state == RELEASED:
        complain(s, k, agent, CODE_FREED, site, flags, address, size, number, 0)
        return False
    if a.kind == ALLOCATION_CONSTANT and (flags & FLAG_WRITE) != 0:
        complain(s, k, agent, CODE_CONSTANT, site, flags, address, size, -1, 0)
        return False
    if address < a.begin or address + size > a.begin + a.size:
        complain(s, k, agent, CODE_BEYOND, site, flags, address, size, number, 0)
        return False
    if root != 0 and (root < a.begin or root > a.begin + a.size):
        # Far away from where the address was computed from, and by chance in other memory.
        other = root_allocation(s, root)
        if other >= 0 and other != number:
            complain(s, k, agent, CODE_BEYOND, site, flags, address, size, other, 0)
            return False
    return True


def root_allocation(s: SanState, root: i64) -> i32:
    """The live allocation that an address was computed from, or -1."""
    page = find_page(s, root)
    if root == 0 or i64(page) == 0:
        return -1
    return allocation_at(s, page, root)


def aligned(
    s: SanState, k: SanBlock, agent: i32, site: i32, flags: i32, info: i64, address: i64
) -> i1:
    alignment: i64 = 1 << ((info >> 48) & 255)
    return placed(s, k, agent, site, flags, address, size_in(info), alignment)


def placed(
    s: SanState, k: SanBlock, agent: i32, site: i32, flags: i32, address: i64, size: i64,
    alignment: i64,
) -> i1:  # fmt: skip
    """Whether an address is a multiple of what it has to be; if it is not, that is reported."""
    if (address & (alignment - 1)) == 0:
        return True
    complain(s, k, agent, CODE_MISALIGNED, site, flags, address, size, -1, alignment)
    return False


# -- loads and stores


def changes(address: ptr, size: i64, flags: i32, value: i64) -> i1:
    """Whether a store puts another value there."""
    if (flags & FLAG_VALUE) != 0:
        if size == 4:
            return Ptr[i32](address)[0] != i32(value)
        if size == 8:
            return Ptr[i64](address)[0] != value
        if size == 2:
            return Ptr[i16](address)[0] != i16(value)
        return Ptr[i8](address)[0] != i8(value)
    if (flags & FLAG_VALUE_AT) != 0:
        old = Ptr[i8](address)
        new = Ptr[i8](ptr(value))
        differs = False
        for i in range(size):
            differs = differs or old[i] != new[i]
        return differs
    return True


def store_vector(address: ptr, size: i64, flags: i32, value: i64) -> None:
    """Store what a lane stores. The lanes of a warp are checked one after another, before any of
    them stores: the next one compares its value with this one's."""
    if (flags & FLAG_VALUE_AT) != 0:
        copy_bytes(address, ptr(value), size)


def marks(flags: i32, size: i64) -> i32:
    """What an access says of itself in a clock."""
    found: i32 = 0
    if (flags & FLAG_ATOMIC) != 0:
        found = ATOMIC | width_class(size)
        if (flags & FLAG_BLOCK_SCOPE) != 0:
            found = found | BLOCK_SCOPE
        if (flags & FLAG_CLUSTER_SCOPE) != 0:
            found = found | CLUSTER_SCOPE
    return found


def plain(
    s: SanState, k: SanBlock, page: SanPage, address: i64, root: i64, extent: i64, info: i64
) -> i1:
    """Whether an access is to one word of memory that is there, as nearly all are."""
    if page.shift != 2 or i64(page.cells) == 0 or size_in(info) != 4:
        return False
    if (address & 3) != 0 or ((info >> 48) & 255) > 2:
        return False
    if page.allocation < 0:
        if k.first != k.last or not in_shared(k, address) or not shared_fits(k, address, 4):
            return False
        if extent < 0:
            return root == 0 or in_shared(k, root)
        return address >= root and address + 4 <= root + extent
    a = s.allocations[i64(page.allocation)]
    if a.state != LIVE or address < a.begin or address + 4 > a.begin + a.size:
        return False
    return root == 0 or (root >= a.begin and root <= a.begin + a.size)


def xgpu_san_access(t: Thread, address: ptr, info: i64, root: ptr, extent: i64, value: i64) -> ptr:
    """Before a load or store. `root` is what the address was computed from, null if that is not
    known; `extent` its bytes, or -1."""
    s = xgpu_san_state()
    k = block_of(s, t)
    flags = flags_of(info)
    site = site_of(info)
    at = i64(address)
    size = size_in(info)
    page = find_page(s, at)
    mark = marks(flags, size)
    if i64(page) != 0 and plain(s, k, page, at, i64(root), extent, info):
        own = k.threads[t.linear]
        cell = cell_of(page, at)
        s.serial += 1
        if page.allocation < 0:
            fresh(s, k, cell)
        if (flags & FLAG_WRITE) == 0:
            read_cell(s, k, own, t.linear, t.linear, own.clock | mark, site, flags, cell,
                      at, 4)  # fmt: skip
        else:
            write_cell(s, k, own, t.linear, t.linear, own.clock | mark, site, flags, cell,
                       at, 4, changes(address, 4, flags, value))  # fmt: skip
            store_vector(address, 4, flags, value)
        return address
    if not inside(s, k, t, t.linear, site, flags, at, size, i64(root), extent):
        return unused(s, size)
    if k.first != k.last and in_shared(k, at):
        of_another_block(s, k, t.linear, k.threads[t.linear].clock, site, at)
    aligned(s, k, t.linear, site, flags, info, at)
    if i64(page) == 0 and not in_shared(k, at) and is_private(k, t, at):
        return address
    own = k.threads[t.linear]
    differs = True
    if (flags & FLAG_WRITE) != 0:
        differs = changes(address, size, flags, value)
    touch(s, k, own, t.linear, t.linear, own.clock | mark, site, flags, at, size, differs)
    store_vector(address, size, flags, value)
    return address


def xgpu_san_range(t: Thread, address: ptr, info: i64, root: ptr, extent: i64, size: i64) -> ptr:
    """Before a copy: whether all of an operand's bytes are there."""
    s = xgpu_san_state()
    k = block_of(s, t)
    flags = flags_of(info)
    at = i64(address)
    if not inside(s, k, t, t.linear, site_of(info), flags, at, size, i64(root), extent):
        return unused(s, size)
    aligned(s, k, t.linear, site_of(info), flags, info, at)
    return address


def xgpu_san_bulk_range(
    t: Thread, address: ptr, info: i64, root: ptr, extent: i64, size: i64
) -> ptr:  # fmt: skip
    """Likewise before a bulk copy, whose addresses and size are multiples of 16."""
    s = xgpu_san_state()
    k = block_of(s, t)
    flags = flags_of(info)
    site = site_of(info)
    at = i64(address)
    if (size & 15) != 0:
        complain(s, k, t.linear, CODE_UNEVEN, site, flags, at, size, -1, 16)
    if not inside(s, k, t, t.linear, site, flags, at, size, i64(root), extent):
        return unused(s, size)
    placed(s, k, t.linear, site, flags, at, size, 16)
    return address


def xgpu_san_private(
    t: Thread, address: ptr, info: i64, root: ptr, extent: i64, shadow: ptr
) -> ptr:
    """Before an access to a thread's own memory; `shadow` has a byte for each of its bytes, that
    says whether it was written."""
    s = xgpu_san_state()
    k = block_of(s, t)
    flags = flags_of(info)
    site = site_of(info)
    at = i64(address)
    size = size_in(info)
    if not inside(s, k, t, t.linear, site, flags, at, size, i64(root), extent):
        return unused(s, size)
    if i64(shadow) == 0:
        return address
    bytes = Ptr[i8](shadow)
    first = at - i64(root)
    for i in range(first, first + size):
        if (flags & FLAG_WRITE) != 0:
            bytes[i] = 1
        elif bytes[i] == 0:
            private_unwritten(s, k, t.linear, site, flags, at, i32(size), i64(root))
            return address
    return address


def private_unwritten(
    s: SanState, k: SanBlock, agent: i32, site: i32, flags: i32, address: i64, size: i32, root: i64
) -> None:
    if (s.kinds & KIND_INIT) == 0:
        return
    r = report_of(s, CODE_UNWRITTEN, site, 0)
    if i64(r) == 0:
        return
    r.count += 1
    if r.count == 1:
        fill_report(s, r, KIND_INIT, k, agent, flags, address, size)
        r.allocation = -3
        r.extra = address - root


# -- atomics and fences


def xgpu_san_compare(
    t: Thread, address: ptr, info: i64, root: ptr, extent: i64, expected: i64, hows: i32
) -> ptr:
    """Before a compare-and-swap. `hows` has what it releases and acquires, and above that likewise
    of one that fails, which reads alone."""
    s = xgpu_san_state()
    k = block_of(s, t)
    size = size_in(info)
    flags = flags_of(info)
    if not inside(s, k, t, t.linear, site_of(info), flags, i64(address), size, i64(root), extent):
        return unused(s, size)
    how = hows & ((1 << HOW_BITS) - 1)
    of_access = info & ~(i64(FLAG_VALUE | FLAG_VALUE_AT) << 20)
    if changes(address, size, flags, expected):
        how = hows >> HOW_BITS
        of_access = of_access & ~(i64(FLAG_WRITE | FLAG_MODIFY) << 20)
    if (how & HOW_ACQUIRE) != 0 and (how & HOW_REDUCE) == 0:
        # It is ordered behind what it acquires, with its write, too.
        xgpu_san_order(t, address, of_access, HOW_READ | HOW_ACQUIRE)
    to = xgpu_san_access(t, address, of_access, root, extent, 0)
    xgpu_san_order(t, to, of_access, how)
    return to


def sync_at(s: SanState, k: SanBlock, address: i64) -> SanSync:
    if in_shared(k, address):
        return block_sync(s, k.block.group.sanitizer, address)
    return global_sync(s, address)


def xgpu_san_order(t: Thread, address: ptr, info: i64, how: i32) -> None:
    """Before an atomic or volatile access: what it releases and acquires."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    own.waits = site_of(info)  # a loop may wait here
    if (s.kinds & KIND_RACE) == 0:
        return
    if (how & (HOW_RELEASE | HOW_ACQUIRE)) == 0 and s.node_count == 0:
        return
    scope: i32 = SCOPE_DEVICE
    if (flags_of(info) & FLAG_BLOCK_SCOPE) != 0:
        scope = SCOPE_BLOCK
    if (flags_of(info) & FLAG_CLUSTER_SCOPE) != 0:
        scope = SCOPE_CLUSTER
    o = sync_at(s, k, i64(address))
    if (how & HOW_READ) != 0 and (how & HOW_REDUCE) == 0 and o.log is not None:
        if (how & HOW_ACQUIRE) != 0:
            take_node(s, k, own, within(s, k, o.log, scope))
            own.site = site_of(info)
        else:
            own.pending = joined(s, own.pending, o.log)
    if (how & HOW_WRITE) != 0:
        release_at(s, k, own, t.linear, o, how, scope)
        if (how & HOW_RELEASE) != 0:
            own.site = site_of(info)


def release_at(
    s: SanState, k: SanBlock, own: SanThread, self: i32, o: SanSync, how: i32, scope: i32
) -> None:
    """A write ends what other threads have released there before it; a read-modify-write goes on
    with it."""
    before = o.log
    if (how & HOW_READ) == 0:
        before = of_thread(s, k, o.log, self)
    if (how & HOW_RELEASE) != 0:
        node = released(s, k, own, self)
        node.scope = scope
        follow(node, before)
        o.log = node
        own.clock += 1
    else:
        o.log = joined(s, before, fenced(s, own, SCOPE_BLOCK))


def fenced(s: SanState, own: SanThread, least: i32) -> SanNode | None:
    """What relaxed stores of a thread release: what its fences have, of a scope or a wider one."""
    found = own.fenced
    if least <= SCOPE_CLUSTER:
        found = joined(s, found, own.fenced_cluster)
    if least <= SCOPE_BLOCK:
        found = joined(s, found, own.fenced_block)
    return found


def xgpu_san_fence(t: Thread, info: i64) -> None:
    """A fence: relaxed accesses before it acquire, those behind it release. Its scope is in the
    flags."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    scope = flags_of(info)
    take_node(s, k, own, within(s, k, own.pending, scope))
    node = released(s, k, own, t.linear)
    node.scope = scope
    node.narrowest = scope
    # What a fence of a wide scope releases is for the threads near by as well.
    own.fenced_block = None
    if scope == SCOPE_BLOCK:
        own.fenced_block = node
    else:
        own.fenced_cluster = None
    if scope == SCOPE_CLUSTER:
        own.fenced_cluster = node
    if scope == SCOPE_DEVICE:
        own.pending = None
        own.fenced = node
    own.clock += 1


def xgpu_san_proxy_fence(t: Thread, info: i64) -> None:
    """A fence between threads' accesses and those of asynchronous copies. The flags have a bit for
    each kind of memory that it is for."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    for kind in range(i64(PROXY_MBARRIER + 1)):
        if ((flags_of(info) >> i32(kind)) & 1) != 0:
            own.proxy_clock[kind] = own.clock
            own.proxy_block_clock[kind] = own.block_clock
    own.proxy_all = own.proxy_all | flags_of(info)
    own.clock += 1


def xgpu_san_pause(t: Thread) -> None:
    """A thread waits for others in memory: let other workers in."""
    xgpu_san_leave(t.block.worker)


def xgpu_san_turn(t: Thread) -> None:
    """Before or behind an atomic operation, in an order in which blocks take turns: all other
    workers go first, each up to such a place or to the end of its blocks.

    Workers that let others go first are in a queue. The first one goes on when all others are in
    the queue or have found no more blocks, however long that takes: so what happens does not depend
    on which of them the machine runs when.
    """
    w = t.block.worker
    launch = w.launch
    xgpu_san_leave(w)
    if (launch.order & ORDER_TURNS) == 0 or atomic_load(launch.queue_end) >= MOST_TURNS:
        return
    own = atomic_add(launch.queue_end, 1)
    while atomic_load(launch.error) == 0:
        if atomic_load(launch.queue_front) == own and not others_go(launch):
            atomic_add(launch.queue_front, 1)
            return
        usleep(TURN)


def others_go(launch: Launch) -> i1:
    """Whether a worker of a launch is not in the queue and has blocks, or will come for some."""
    waiting = atomic_load(launch.queue_end) - atomic_load(launch.queue_front)
    went = atomic_load(launch.went)
    # Last: only this one may have grown meanwhile without the others.
    came = atomic_load(launch.came)
    if came > went + waiting:
        return True
    return came < i64(launch.workers) and atomic_load(launch.next) < launch.groups
