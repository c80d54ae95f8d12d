# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads know of one another: happens-before.

A thread knows of its block: every thread up to clock `block_clock`, which barriers of the whole
block raise; beyond that a vector of clocks by agent, which only threads have that learned something
in another way. Of other blocks it knows what is in `acquired`, an immutable list of what was
released to it, which is searched when it is needed: an atomic operation costs a node, whatever it
carries.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    copy_bytes,
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
from xgpu.host_device.native.records import (
    SCOPE_BLOCK,
    SCOPE_CLUSTER,
    SCOPE_DEVICE,
    Block,
    SanBlock,
    SanNode,
    SanRemote,
    SanSlot,
    SanState,
    SanSync,
    SanThread,
    Thread,
)
from xgpu.host_device.native.sources.libc import free, malloc
from xgpu.host_device.native.sources.sanitizer_state import (
    enter,
    grown,
    new_contexts,
    operation_ordered,
    xgpu_san_state,
    zeroed,
)

BULK = 64
WARPS = 32
MOST_BLOCKS = 16  # of a cluster
FEW = 4  # lanes that leave the others one by one
BARRIERS = 32
BUCKETS = 64
PIECE = 128  # clocks of a vector that are zeroed and joined together
NODE_CHUNK = 4096
MOST_RELEASES = 4096  # at one place, of which each is looked at for its scope
SHARED_WINDOW = 262144  # as in `scheduler`
RANK_WINDOW = 16777216


# -- blocks


def block_of(s: SanState, t: Thread) -> SanBlock:
    """What is known of a thread's block, where the thread's record is its own; its worker is inside
    when this returns."""
    k = home_of(s, t)
    separate(k, t.linear)
    return k


def home_of(s: SanState, t: Thread) -> SanBlock:
    """What is known of a thread's block; its worker is inside when this returns."""
    block = t.block
    enter(s, block.worker)
    if i64(block.sanitizer) == 0:
        begin_cluster(s, block)
    return block.sanitizer


def begin_cluster(s: SanState, block: Block) -> None:
    """The blocks of a cluster begin."""
    worker = block.worker
    size = block.cluster_size
    first = new_contexts(s, size)
    window: i64 = 0
    bytes = worker.launch.shared_bytes
    gap = i64(worker.launch.static_shared)
    gap_end = bytes - i64(worker.launch.dynamic_shared)
    if worker.launch.dynamic_shared == 0:
        bytes = gap
        gap_end = gap
    if bytes != 0:
        window = (bytes + SHARED_WINDOW - 1) & -SHARED_WINDOW if size == 1 else i64(RANK_WINDOW)
    for rank in range(size):
        b = worker.blocks[rank]
        k = recycled(s, b)
        b.sanitizer = k
        k.context = first + rank
        k.first = first
        k.last = first + size - 1
        k.operation = worker.launch.identity
        k.level = s.operations[i64(k.operation)].synchronizes
        k.settled = 1
        k.begin = i64(worker.shared)
        k.window = window
        k.bytes = bytes
        k.gap = gap
        k.gap_end = gap_end
        c = s.contexts[i64(first + rank)]
        c.operation = k.operation
        c.x = b.ctaid_x
        c.y = b.ctaid_y
        c.z = b.ctaid_z


def recycled(s: SanState, b: Block) -> SanBlock:
    """The record of the block that ran here before, made empty; or a new one."""
    k = s.blocks
    while k is not None:
        if i64(k.block) == i64(b) and k.room >= b.count:
            reset_block(s, k, b.count)
            return k
        k = k.next
    n = i64(b.count)
    k = SanBlock(zeroed(sizeof(SanBlock)))
    k.next = s.blocks
    s.blocks = k
    k.block = b
    k.room = b.count
    k.width = clocks_of(b.count)
    k.threads = SanThread(zeroed(n * sizeof(SanThread)))
    k.block_clocks = Ptr[i32](zeroed(i64(k.width) * 4))
    k.warps = Ptr[i32](zeroed((n + 31) // 32 * 8))
    k.vectors = Ptr[i32](zeroed((n + 31) // 32 * i64(k.width) * 4))
    k.groups = Ptr[i32](zeroed((n + 31) // 32 * 4))
    k.skips = Ptr[i64](zeroed((n + 31) // 32 * 8))
    k.reached = Ptr[i64](zeroed((n + 31) // 32 * 8))
    k.bulk_clocks = Ptr[i32](zeroed(BULK * 4))
    k.bulk_sites = Ptr[i32](zeroed(BULK * 4))
    k.bulk_known = Ptr[i32](zeroed(BULK * 4))
    k.remotes = SanRemote(zeroed(MOST_BLOCKS * sizeof(SanRemote)))
    k.syncs = Ptr[ptr](zeroed(BUCKETS * 8))
    k.barriers = Ptr[ptr](zeroed(BARRIERS * 8))
    reset_block(s, k, b.count)
    return k


def clocks_of(threads: i32) -> i32:
    """How many clocks a vector has, in whole pieces."""
    return (threads * 4 + BULK + WARPS + PIECE - 1) & -PIECE


def reset_block(s: SanState, k: SanBlock, count: i32) -> None:
    k.count = count
    k.worker = k.block.worker
    k.exited = 0
    k.exit_clock = 0
    k.acquired = None
    k.bulk = 0
    k.slot = 0
    zero_bytes(k.block_clocks, i64(k.width) * 4)
    k.block_live = 0
    k.copies = Ptr[i32](None)
    zero_bytes(k.warps, (i64(k.room) + 31) // 32 * 8)
    zero_bytes(k.bulk_clocks, BULK * 4)
    zero_bytes(k.bulk_sites, BULK * 4)
    zero_bytes(k.bulk_known, BULK * 4)
    zero_bytes(k.remotes, MOST_BLOCKS * sizeof(SanRemote))
    for bucket in range(BUCKETS):
        put_back(s, SanSync(k.syncs[bucket]))
        k.syncs[bucket] = ptr(0)
    for number in range(BARRIERS):
        put_back(s, SanSync(k.barriers[number]))
        k.barriers[number] = ptr(0)
    zero_bytes(k.groups, (i64(k.room) + 31) // 32 * 4)
    zero_bytes(k.skips, (i64(k.room) + 31) // 32 * 8)
    zero_bytes(k.reached, (i64(k.room) + 31) // 32 * 8)
    for i in range(count):
        t = k.threads[i]
        own = t.own
        zero_bytes(t, sizeof(SanThread))
        t.own = own
        t.clock = 1


def put_back(s: SanState, first: SanSync) -> None:
    """Keep a chain of objects for others."""
    while i64(first) != 0:
        following = first.next
        first.next = s.free_syncs
        s.free_syncs = first
        first = following


# -- clocks


#
# A vector has a bit for each of its pieces that hold anything (`live`). A phase of an mbarrier
# knows of the threads that have arrived and of a copy, so most pieces are empty.


def known(k: SanBlock, t: SanThread, agent: i32) -> i32:
    """The clock of an agent of its own block up to which a thread knows what it did."""
    clock = t.block_clock if agent < k.count else k.block_clocks[i64(agent)]
    if has_piece(t.live, agent) and t.vector[i64(agent)] > clock:
        return t.vector[i64(agent)]
    return clock


def has_piece(live: i64, agent: i32) -> i1:
    return (lshr(live, i64(agent) // PIECE) & 1) != 0


def learn(k: SanBlock, t: SanThread, agent: i32, clock: i32) -> None:
    if known(k, t, agent) < clock:
        own_vector(k, t)
        t.live = with_piece(t.vector, t.live, agent)
        t.vector[i64(agent)] = clock


def room_for_vector(k: SanBlock, vector: Ptr[i32]) -> Ptr[i32]:
    return vector if i64(vector) != 0 else Ptr[i32](malloc(i64(k.width) * 4))


def own_vector(k: SanBlock, t: SanThread) -> None:
    """Let a thread have a vector of its own, with what it knows."""
    t.own = room_for_vector(k, t.own)
    if i64(t.vector) == i64(t.own):
        return
    if t.live != 0:
        join_vector(t.own, 0, t.vector, t.live)
    t.vector = t.own


def with_piece(vector: Ptr[i32], live: i64, agent: i32) -> i64:
    """The pieces of a vector, that of an agent among them."""
    piece = i64(agent) // PIECE
    if not has_piece(live, agent):
        zero_bytes(piece_at(vector, piece), PIECE * 4)
    return live | (1 << piece)


def piece_at(vector: Ptr[i32], piece: i64) -> Ptr[i32]:
    return Ptr[i32](ptr(i64(vector) + piece * PIECE * 4))


def join_vector(into: Ptr[i32], live: i64, other: Ptr[i32], more: i64) -> i64:
    """The later clocks of two vectors, in the first one. Which pieces it has then."""
    rest = more
    piece: i64 = 0
    while rest != 0:
        if (rest & 1) != 0:
            target = piece_at(into, piece)
            source = piece_at(other, piece)
            if (lshr(live, piece) & 1) == 0:
                copy_bytes(target, source, PIECE * 4)
            else:
                for i in range(PIECE):
                    target[i] = source[i] if source[i] > target[i] else target[i]
        rest = lshr(rest, 1)
        piece += 1
    return live | more


# -- nodes


def new_node(s: SanState) -> SanNode:
    if s.node_room == 0:
        chunk = SanNode(zeroed(NODE_CHUNK * sizeof(SanNode)))
        chunk.next = s.nodes
        s.nodes = chunk
        s.node_room = NODE_CHUNK - 1
    s.node_room -= 1
    s.node_count += 1
    return s.nodes[NODE_CHUNK - 1 - s.node_room]


def xgpu_san_idle() -> None:
    """No launch runs: what blocks have released is not needed any more."""
    s = xgpu_san_state()
    chunk = s.nodes
    while i64(chunk) != 0:
        following = chunk.next
        free(chunk)
        chunk = SanNode(0)
        if following is not None:
            chunk = following
    s.nodes = SanNode(0)
    s.node_room = 0
    s.node_count = 0
    while i64(s.snapshots) != 0:
        made = s.snapshots
        s.snapshots = Ptr[ptr](made[0])
        free(made)
    if s.sync_count != 0:
        for i in range(65536):
            put_back(s, SanSync(s.syncs[i]))
            s.syncs[i] = ptr(0)
        s.sync_count = 0


def joined(s: SanState, left: SanNode | None, right: SanNode | None) -> SanNode | None:
    """All that two lists hold."""
    if left is None:
        return right
    if right is None or left == right:
        return left
    node = new_node(s)
    node.next = left
    node.other = right
    node.narrowest = narrower(left, right)
    return node


def narrower(left: SanNode, right: SanNode) -> i32:
    return left.narrowest if left.narrowest < right.narrowest else right.narrowest


def reaches(k: SanBlock, node: SanNode, scope: i32) -> i1:
    """Whether what a release has given is for a thread that acquires with a scope: each of the two
    has to be in the other's scope (PTX ISA, morally strong operations)."""
    if node.context == k.context:
        return True
    if node.context >= k.first and node.context <= k.last:
        return scope >= SCOPE_CLUSTER and node.scope >= SCOPE_CLUSTER
    return scope == SCOPE_DEVICE and node.scope == SCOPE_DEVICE


def within(s: SanState, k: SanBlock, list: SanNode | None, scope: i32) -> SanNode | None:
    """Those releases of a list that reach a thread which acquires with a scope."""
    return selected(s, k, list, scope, -1, 0)


def of_thread(s: SanState, k: SanBlock, list: SanNode | None, agent: i32) -> SanNode | None:
    """Those releases of a list that a thread of the block has made itself."""
    return selected(s, k, list, SCOPE_BLOCK, agent, 0)


def selected(
    s: SanState, k: SanBlock, list: SanNode | None, scope: i32, agent: i32, depth: i32
) -> SanNode | None:
    """The releases of a list that reach a scope, or those of a thread alone if `agent` is not -1.
    Of a list that is too long for that, all reach, and none is the thread's."""
    if list is None:
        return None
    if depth > MOST_RELEASES:
        return list if agent == -1 else None
    if agent == -1 and list.narrowest == SCOPE_DEVICE and scope == SCOPE_DEVICE:
        return list
    found = selected(s, k, list.next, scope, agent, depth + 1)
    if list.context == 0:
        return joined(s, found, selected(s, k, list.other, scope, agent, depth + 1))
    fits = reaches(k, list, scope)
    if agent != -1:
        fits = list.context == k.context and list.agent == agent
    if not fits:
        return found
    if list.next == found:
        return list
    node = new_node(s)
    copy_bytes(node, list, sizeof(SanNode))
    node.visited = 0
    follow(node, found)
    return node


def follow(node: SanNode, before: SanNode | None) -> None:
    """Put a release at the head of a list."""
    node.next = before
    node.narrowest = node.scope
    if before is not None and before.narrowest < node.narrowest:
        node.narrowest = before.narrowest


def released(s: SanState, k: SanBlock, t: SanThread, agent: i32) -> SanNode:
    """What a thread knows now, its own accesses among it, for a thread of any block."""
    node = new_node(s)
    node.scope = SCOPE_DEVICE
    node.narrowest = SCOPE_DEVICE
    node.context = k.context
    node.agent = agent
    node.clock = t.clock
    node.block_clock = t.block_clock
    node.threads = k.count
    node.copies = known_copies(s, k)
    node.other = t.acquired
    if t.live != 0:
        node.vector = copied(k, t.vector, t.live)
    return node


def known_copies(s: SanState, k: SanBlock) -> Ptr[i32]:
    """What all threads of a block know of agents other than threads, as it is now; null if that is
    nothing. It lives until no launch runs."""
    if lshr(k.block_live, i64(k.count) // PIECE) == 0:
        return Ptr[i32](None)
    if i64(k.copies) == 0:
        bytes = i64(k.width) * 4
        made = Ptr[ptr](zeroed(bytes + 8))
        made[0] = ptr(s.snapshots)
        s.snapshots = made
        k.copies = Ptr[i32](i64(made) + 8)
        copy_bytes(k.copies, k.block_clocks, bytes)
    return k.copies


def copied(k: SanBlock, vector: Ptr[i32], live: i64) -> Ptr[i32]:
    # Lives as long as the process: few programs mix vectors with atomics.
    copy = Ptr[i32](zeroed(i64(k.width) * 4))
    join_vector(copy, 0, vector, live)
    return copy


def node_knows(s: SanState, node: SanNode, context: i32, agent: i32, clock: i32) -> i1:
    if node.context != context:
        return False
    if node.agent == agent and node.clock >= clock:
        return True
    if agent < node.threads:
        if node.block_clock >= clock:
            return True
    elif i64(node.copies) != 0 and node.copies[i64(agent)] >= clock:
        return True
    return i64(node.vector) != 0 and node.vector[i64(agent)] >= clock


def push(s: SanState, depth: i64, node: SanNode | None) -> i64:
    """The depth of the stack of nodes to visit, with one more."""
    if node is None or node.visited == s.visit:
        return depth
    node.visited = s.visit
    if depth >= s.stack_room:
        room = s.stack_room * 2 + 4096
        s.stack = Ptr[ptr](grown(s.stack, depth * 8, room * 8))
        s.stack_room = room
    s.stack[depth] = node
    return depth + 1


def acquired_knows(
    s: SanState, t: SanThread, list: SanNode | None, context: i32, agent: i32, clock: i32
) -> i1:
    """Whether what a thread has acquired tells of an epoch of another context."""
    if list is None:
        return False
    same = t.asked == list and t.asked_context == context
    if same and (
        (agent < t.asked_threads and t.asked_block_clock >= clock)
        or (t.asked_agent == agent and t.asked_clock >= clock)
    ):
        return True
    s.visit += 1
    depth = push(s, 0, list)
    while depth > 0:
        depth -= 1
        node = SanNode(s.stack[depth])
        if node.context != 0 and node_knows(s, node, context, agent, clock):
            t.asked = list
            t.asked_context = context
            t.asked_agent = agent
            t.asked_clock = clock
            t.asked_block_clock = node.block_clock
            t.asked_threads = node.threads
            return True
        depth = push(s, depth, node.other)
        depth = push(s, depth, node.next)
    return False


def ordered(
    s: SanState, k: SanBlock, t: SanThread, self: i32, context: i32, agent: i32, clock: i32
) -> i1:
    """Whether thread `self` of a block comes after an epoch."""
    if context == k.context:
        if agent == self or known(k, t, agent) >= clock:
            return True
        return acquired_knows(s, t, t.acquired, context, agent, clock)
    if context < s.oldest:
        return True
    operation = s.contexts[i64(context)].operation
    if operation != k.operation and operation_ordered(s, operation, k.operation):
        k.settled = context
        return True
    return acquired_knows(s, t, t.acquired, context, agent, clock)


# -- what comes together


def new_sync(s: SanState, key: i64, next: ptr) -> SanSync:
    o = s.free_syncs
    if i64(o) == 0:
        o = SanSync(zeroed(sizeof(SanSync)))
        o.even = SanSlot(zeroed(sizeof(SanSlot)))
        o.odd = SanSlot(zeroed(sizeof(SanSlot)))
    else:
        s.free_syncs = o.next
        clear_slot(o.even)
        clear_slot(o.odd)
    o.key = key
    o.next = SanSync(next)
    o.log = None
    o.generation = 0
    o.initialized = 0
    if i64(o.waited) != 0:
        free(o.waited)
        o.waited = Ptr[i32](None)
    return o


def clear_slot(slot: SanSlot) -> None:
    """Vectors are as wide as the block that made them, so they go."""
    if i64(slot.vector) != 0:
        free(slot.vector)
        slot.vector = Ptr[i32](None)
    empty_slot(slot)


def empty_slot(slot: SanSlot) -> None:
    slot.live = 0
    slot.block_clock = 0
    slot.top = 0
    slot.arrivals = 0
    slot.mixed = 0
    slot.acquired = None


def slot_of(o: SanSync, generation: i32) -> SanSlot:
    return o.even if generation % 2 == 0 else o.odd


def block_sync(s: SanState, k: SanBlock, key: i64) -> SanSync:
    """The object of a block that has a key: an mbarrier's address, or a warp's mask."""
    bucket = (key ^ (key >> 3) ^ (key >> 9) ^ (key >> 32)) & (BUCKETS - 1)
    o = SanSync(k.syncs[bucket])
    while i64(o) != 0:
        if o.key == key:
            return o
        o = o.next
    o = new_sync(s, key, k.syncs[bucket])
    k.syncs[bucket] = o
    return o


def global_sync(s: SanState, key: i64) -> SanSync:
    """The object of an address that atomics use."""
    bucket = ((key >> 2) ^ (key >> 18)) & 65535
    o = SanSync(s.syncs[bucket])
    while i64(o) != 0:
        if o.key == key:
            return o
        o = o.next
    o = new_sync(s, key, s.syncs[bucket])
    s.syncs[bucket] = o
    s.sync_count += 1
    return o


def contribute(s: SanState, k: SanBlock, t: SanThread, agent: i32, slot: SanSlot) -> None:
    """Put what a thread knows into a phase."""
    slot.arrivals += 1
    if t.clock > slot.top:
        slot.top = t.clock
    if t.block_clock > slot.block_clock:
        slot.block_clock = t.block_clock
    slot.acquired = joined(s, slot.acquired, t.acquired)
    if t.live != 0:
        slot.vector = room_for_vector(k, slot.vector)
        slot.live = join_vector(slot.vector, slot.live, t.vector, t.live)


def contribute_clock(k: SanBlock, slot: SanSlot, agent: i32, clock: i32) -> None:
    slot.vector = room_for_vector(k, slot.vector)
    slot.live = with_piece(slot.vector, slot.live, agent)
    if slot.vector[i64(agent)] < clock:
        slot.vector[i64(agent)] = clock


def take_over(s: SanState, k: SanBlock, t: SanThread, slot: SanSlot) -> None:
    """A thread learns what a phase has collected."""
    t.proxy_all = 0
    if slot.block_clock > t.block_clock:
        t.block_clock = slot.block_clock
    if slot.live != 0:
        own_vector(k, t)
        t.live = join_vector(t.vector, t.live, slot.vector, slot.live)
    t.acquired = joined(s, t.acquired, slot.acquired)


# -- what the threads of a warp do as one
#
# Behind a barrier of the whole block, the threads of a warp know the same. As long as they do the
# same, the record of the first of them stands for all, in the fields that `copy_known` copies. A
# thread that does something by itself is *alone* from there on, up to the next such barrier.


def group_of(k: SanBlock, first: i32) -> i32:
    """The lanes of a warp that share a record; 0 if each has its own."""
    return k.groups[i64(first) // 32]


def record_of(k: SanBlock, self: i32) -> SanThread:
    """The record with what a thread knows."""
    first = self & -32
    group = group_of(k, first)
    if ((group >> (self & 31)) & 1) == 0:
        return k.threads[self]
    return k.threads[first + trailing_zeros(group)]


def copy_known(t: SanThread, other: SanThread) -> None:
    t.clock = other.clock
    t.block_clock = other.block_clock
    t.vector = other.vector
    t.live = other.live
    t.acquired = other.acquired
    t.proxy_all = other.proxy_all
    t.barrier = other.barrier
    t.generation = other.generation
    t.whole = other.whole
    t.collective = other.collective
    t.site = other.site
    t.waits = other.waits


def separate(k: SanBlock, self: i32) -> None:
    """Let a thread have a record of its own."""
    first = self & -32
    group = group_of(k, first)
    lane: i32 = 1 << (self & 31)
    if (group & lane) == 0:
        return
    lead = first + trailing_zeros(group)
    rest = group & ~lane
    own = k.threads[self]
    k.groups[i64(first) // 32] = rest
    if lead != self:
        copy_known(own, k.threads[lead])
    elif rest != 0:
        copy_known(k.threads[first + trailing_zeros(rest)], own)
    if own.live != 0:
        own_vector(k, own)


def separate_all(k: SanBlock, first: i32) -> None:
    """Let each thread of a warp have a record of its own."""
    group = group_of(k, first)
    if group == 0:
        return
    lead = k.threads[first + trailing_zeros(group)]
    rest = group & (group - 1)
    while rest != 0:
        copy_known(k.threads[first + trailing_zeros(rest)], lead)
        rest = rest & (rest - 1)
    k.groups[i64(first) // 32] = 0


def together(k: SanBlock, first: i32, lanes: i32) -> i32:
    """Those lanes that share a record, if all that do are among `lanes`; else 0, and each of
    `lanes` has its own."""
    group = group_of(k, first)
    if (group & ~lanes) == 0:
        return group
    rest = group & lanes
    if popcount(rest) > FEW:
        separate_all(k, first)
        return 0
    while rest != 0:
        separate(k, first + trailing_zeros(rest))
        rest = rest & (rest - 1)
    return 0


def each_record(k: SanBlock, first: i32, lanes: i32) -> i32:
    """The lanes whose records stand for all of `lanes`."""
    group = together(k, first, lanes)
    return (lanes & ~group) | (group & -group)


def vector_of_warp(k: SanBlock, first: i32) -> Ptr[i32]:
    """The vector of clocks that the threads of a warp may share."""
    return Ptr[i32](ptr(i64(k.vectors) + i64(first) // 32 * i64(k.width) * 4))


def is_whole(k: SanBlock, first: i32, lanes: i32) -> i1:
    """Whether these are all lanes of a warp."""
    count = k.count - first
    if count >= 32:
        return lanes == -1
    return lanes == (i32(1) << count) - 1


def in_step(k: SanBlock, first: i32, lanes: i32) -> i1:
    """Whether lanes of a warp have one clock and know the same, all in one vector if in any."""
    lead = k.threads[first + trailing_zeros(lanes)]
    if lead.live != 0 and i64(lead.vector) != i64(vector_of_warp(k, first)):
        return False
    alike = True
    rest = lanes
    while rest != 0:
        t = k.threads[first + trailing_zeros(rest)]
        rest = rest & (rest - 1)
        alike = alike and t.clock == lead.clock and t.block_clock == lead.block_clock
        alike = alike and t.live == lead.live and t.acquired == lead.acquired
        alike = alike and (lead.live == 0 or i64(t.vector) == i64(lead.vector))
    return alike


def contribute_warp(s: SanState, k: SanBlock, first: i32, lanes: i32, slot: SanSlot) -> None:
    """Put what lanes of a warp know into a phase."""
    group = together(k, first, lanes)
    rest = lanes & ~group
    if group != 0:
        lead = first + trailing_zeros(group)
        contribute(s, k, k.threads[lead], lead, slot)
        slot.arrivals += popcount(group) - 1
    elif in_step(k, first, lanes):
        contribute(s, k, k.threads[first + trailing_zeros(rest)], first, slot)
        slot.arrivals += popcount(lanes) - 1
        return
    while rest != 0:
        lane = first + trailing_zeros(rest)
        contribute(s, k, k.threads[lane], lane, slot)
        rest = rest & (rest - 1)


def take_over_warp(s: SanState, k: SanBlock, first: i32, lanes: i32, slot: SanSlot) -> None:
    """Lanes of a warp learn what a phase has collected."""
    group = together(k, first, lanes)
    whole = group == 0 and is_whole(k, first, lanes) and in_step(k, first, lanes)
    if not whole:
        rest = lanes & ~group
        while rest != 0:
            take_over(s, k, k.threads[first + trailing_zeros(rest)], slot)
            rest = rest & (rest - 1)
        if group == 0:
            return
    lead = k.threads[first + trailing_zeros(group if group != 0 else lanes)]
    live = lead.live
    if slot.live != 0:
        live = join_vector(vector_of_warp(k, first), live, slot.vector, slot.live)
    acquired = joined(s, lead.acquired, slot.acquired)
    rest = lanes if whole else group & -group
    while rest != 0:
        t = k.threads[first + trailing_zeros(rest)]
        rest = rest & (rest - 1)
        t.proxy_all = 0
        if slot.block_clock > t.block_clock:
            t.block_clock = slot.block_clock
        t.vector = vector_of_warp(k, first)
        t.live = live
        t.acquired = acquired


def take_node(s: SanState, k: SanBlock, t: SanThread, node: SanNode | None) -> None:
    """A thread learns what another has released, and what that one had acquired."""
    if node is None:
        return
    t.proxy_all = 0
    t.acquired = joined(s, t.acquired, node)
