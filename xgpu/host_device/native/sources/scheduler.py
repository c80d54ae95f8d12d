# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The block scheduler of the host device.

A worker (an OS thread) takes one cluster of blocks after another from a launch. In a plain kernel,
the entry runs whole blocks, one after another. In a suspending kernel each thread, or each warp, is
a coroutine: all of the cluster live at once, and are resumed in turn until every one has exited
(`coroutines`). A thread that must wait sets its state and suspends; the thread that completes what
it waits for makes it ready. Because one OS thread runs a cluster, nothing here is atomic but the
counter that hands out work. Where blocks wait for no others a worker takes many at a time
(`xgpu_work`): the counter must wait for all stores before, and its cache line goes from core to
core. If no thread is ready and one is alive, the cluster can never go on: that is a deadlock,
exactly, and `xgpu_stuck` tells it.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import NOTICE_CROWDED
from xgpu.host_device.native.prelude import (
    advance,
    atomic_add,
    atomic_load,
    atomic_store,
    exchange_if,
    i1,
    i32,
    i64,
    invoke,
    lshr,
    ptr,
    sizeof,
    zero_bytes,
)
from xgpu.host_device.native.records import (
    LAUNCH_WARPS,
    ORDER_ARGUMENT,
    ORDER_KINDS,
    ORDER_RANDOM,
    ORDER_REVERSED,
    Block,
    Launch,
    Thread,
    Worker,
)
from xgpu.host_device.native.sources.barriers import xgpu_on_notice
from xgpu.host_device.native.sources.deferred_copies import forget_late
from xgpu.host_device.native.sources.guards import xgpu_end_if_asked
from xgpu.host_device.native.sources.libc import (
    aligned_alloc,
    clock_gettime,
    free,
    mprotect,
    sched_yield,
    usleep,
)

WARP_BITS = 5  # of the number of a lane
PAGE = 4096
NO_ACCESS = 0
READ_WRITE = 3
SHARED_WINDOW = 262144  # matrix descriptors count 18 bits of an address in shared memory
RANK_WINDOW = 16777216  # of a block of a cluster: kernels clear the lowest bit of its rank
CLOCK_MONOTONIC = 1
WORTH = 2  # times that a worker has been alone: so much must be left for another
KEPT = 48  # bytes at the end of a worker's record: the memory of its blocks
SHARES = 8  # of what is left, a worker takes one by so many and the number of workers
MOST_REVERSED = 64  # blocks: of more, some could wait for others that never get a turn
LOOKS = 64  # at what other blocks write, before the worker lets other threads have its core,
PATIENT_LOOKS = 1024  # or sleeps
PAUSE = 100  # microseconds, for each so many workers that sleep
CROWD = 8
VAIN_BITS = 16  # of a launch's `vain` are a number of workers
VAIN_MASK = 65535


def round_up(size: i64) -> i64:
    return (size + 63) & -64


def shared_window(size: i64, blocks: i32) -> i64:
    """How far apart the shared memory of the blocks of a cluster is. As on GPUs the rank of a block
    is in the bits of an address from 24 on: kernels of pairs of blocks make the address of the
    first of a pair of that of the second."""
    if size == 0:
        return 0
    return (size + SHARED_WINDOW - 1) & -SHARED_WINDOW if blocks == 1 else i64(RANK_WINDOW)


def xgpu_frame(t: Thread, size: i64, alignment: i64) -> ptr:
    """Memory for the coroutine of thread `t`, or of the warp that begins with it, at a multiple of
    `alignment`: all frames of a kernel are of one size."""
    w = t.block.worker
    boundary = alignment if alignment > 64 else i64(64)
    bytes = (size + boundary - 1) & -boundary
    group = t.block.group
    shift = i32(WARP_BITS) if w.launch.suspending == LAUNCH_WARPS else i32(0)
    owners = i64(lshr(group.count + (i32(1) << shift) - 1, shift))
    total = owners * i64(group.cluster_size)
    if w.frame_bytes != bytes or i64(w.frames) & (boundary - 1) != 0:
        old = w.frames
        w.frame_bytes = 0
        w.frames = ptr(0)
        free(old)
        w.frames = aligned_alloc(boundary, bytes * total)
        w.frame_bytes = bytes
    index = i64(t.block.cluster_rank) * owners + i64(lshr(t.linear, shift))
    return advance(w.frames, index * bytes)


def make_room(w: Worker) -> i1:
    """Memory for the blocks of a cluster at a time; without it the launch has failed."""
    launch = w.launch
    size = i64(cluster_blocks(launch))
    threads = size * i64(block_threads(launch))
    shared_bytes = shared_window(launch.shared_bytes, cluster_blocks(launch))
    block_bytes = round_up(size * sizeof(Block))
    records = room_for_records(w, block_bytes + round_up(threads * sizeof(Thread)))
    w.blocks = Block(records)
    w.threads = Thread(advance(records, block_bytes))
    w.shared = guarded_shared(w, launch.shared_bytes, shared_bytes, size)
    if i64(records) == 0 or (i64(w.shared) == 0 and shared_bytes != 0):
        atomic_store(launch.error, 2)
        return False
    for rank in range(size):
        zero_bytes(advance(w.shared, rank * shared_bytes), launch.shared_bytes)
    return True


def room_for_records(w: Worker, size: i64) -> ptr:
    """Memory for the records of blocks and threads, which is kept: that of the launch before where
    it is large enough."""
    if w.records_room < size:
        old = w.records
        # A thread that is thrown out here has none: what it has freed must not serve again.
        w.records_room = 0
        w.records = ptr(0)
        free(old)
        w.records = aligned_alloc(64, size)
        w.records_room = size if i64(w.records) != 0 else i64(0)
    return w.records


def next_cluster(w: Worker) -> i1:
    """Whether there is one more to run, whose blocks are prepared then."""
    launch = w.launch
    no_longer_await(w)
    if atomic_load(launch.error) != 0:
        return False
    group = atomic_add(launch.next, 1)
    if group >= launch.groups:
        return False
    prepare_blocks(
        w, ordered_group(launch, i32(group)), cluster_blocks(launch), block_threads(launch),
        shared_window(launch.shared_bytes, cluster_blocks(launch)),
    )  # fmt: skip
    return True


def ordered_group(launch: Launch, group: i32) -> i32:
    """Which cluster is the `group`-th to run."""
    if launch.groups > MOST_REVERSED:
        return group
    kind = launch.order & ORDER_KINDS
    if kind == ORDER_REVERSED:
        return i32(launch.groups) - 1 - group
    if kind == ORDER_RANDOM:
        return (group + lshr(launch.order, ORDER_ARGUMENT)) % i32(launch.groups)
    return group


def cluster_blocks(launch: Launch) -> i32:
    return launch.cluster_x * launch.cluster_y * launch.cluster_z


def block_threads(launch: Launch) -> i32:
    return launch.block_x * launch.block_y * launch.block_z


# -- blocks that wait for other blocks


def xgpu_await(b: Block) -> None:
    """Before a block looks at what another one writes, in a loop that waits for it."""
    b.looks += 1
    if b.looks % LOOKS == 0:
        await_others(b.worker, b.looks >= PATIENT_LOOKS)


def xgpu_await_end(b: Block) -> None:
    """A block that has waited does something else."""
    b.looks = 0
    no_longer_await(b.worker)


def await_others(w: Worker, sleeps: i1) -> None:
    """A worker's blocks wait for other blocks: let other threads have the core. One that `sleeps`
    asks for more workers if some of these blocks have not begun, and all workers have looked in
    vain since the last of them has begun to wait: two that take turns at a lock may both sleep."""
    if not sleeps:
        sched_yield()
        xgpu_end_if_asked()
        return
    launch = w.launch
    if w.awaits == 0:
        w.awaits = 1
        atomic_add(launch.awaiting, 1)
        forget_vain(launch)
    look_in_vain(w)
    awaiting = atomic_load(launch.awaiting)
    came = atomic_load(launch.came)
    # None has left: blocks are left.
    all_look = (atomic_load(launch.vain) & VAIN_MASK) >= came
    all_wait = awaiting >= came and came >= atomic_load(launch.expected)
    is_left = atomic_load(launch.next) < launch.groups
    if all_look and all_wait and is_left and exchange_if(launch.asking, 0, 1):
        atomic_store(launch.expected, came)
        xgpu_on_notice(w.blocks.threads, NOTICE_CROWDED, 0)
        atomic_store(launch.asking, 0)
    # The more there are, the less often each looks: others are to have cores.
    usleep(i32(PAUSE * (1 + awaiting // CROWD)))
    xgpu_end_if_asked()


def no_longer_await(w: Worker) -> None:
    """A worker's blocks do something else, or it has other blocks."""
    if w.awaits != 0:
        w.awaits = 0
        atomic_add(w.launch.awaiting, -1)
        forget_vain(w.launch)


def forget_vain(launch: Launch) -> None:
    """A worker has begun or ended to wait: what others have seen before counts no longer."""
    while True:
        vain = atomic_load(launch.vain)
        if exchange_if(launch.vain, vain, (vain | VAIN_MASK) + 1):
            return


def look_in_vain(w: Worker) -> None:
    """A worker has looked in vain since it was here last."""
    vain = atomic_load(w.launch.vain)
    since = lshr(vain, VAIN_BITS)
    if w.vain_since != since:
        w.vain_since = since
        w.vain_told = 0
    elif w.vain_told == 0 and exchange_if(w.launch.vain, vain, vain + 1):
        w.vain_told = 1


# -- a worker's share of a launch


def xgpu_work(w: Worker) -> None:
    """Run blocks of a launch whose threads are no coroutines, until there are none left, the launch
    has failed, or the time is over that this worker is to work alone (`alone`) and what is left
    takes several times as long.

    Of what is left it takes a part at a time: one group, or where blocks wait for no others and
    have no clusters from `least` to `most`, fewer as fewer are left, so that all workers end
    together.
    """
    if not make_room(w):
        return
    launch = w.launch
    atomic_add(launch.came, 1)
    size = cluster_blocks(launch)
    until = now(w) + w.alone if w.alone != 0 else i64(0)
    while True:
        count = (launch.groups - atomic_load(launch.next)) // i64(launch.workers * SHARES + 1)
        if count < launch.least:
            count = launch.least
        if count > launch.most:
            count = launch.most
        left = launch.groups - atomic_add(launch.next, count)
        if left <= 0:
            break
        if count > left:
            count = left
        group = take(w, launch, count)
        end = group + count
        prepare_blocks(
            w, ordered_group(launch, i32(group)), size, block_threads(launch),
            shared_window(launch.shared_bytes, size),
        )  # fmt: skip
        if atomic_load(launch.error) == 0:
            for rank in range(size):
                invoke(launch.entry, None, w.blocks[rank], i32(count))
        if count == left or atomic_load(launch.error) != 0:
            break
        if w.alone != 0 and now(w) > until:
            if launch.groups - end > WORTH * end:
                break
            w.alone = 0
    if i64(w.combine_end) != 0:
        invoke(w.combine_end, None, w)


def take(w: Worker, launch: Launch, count: i64) -> i64:
    """The first of so many groups, which there are: helpers begin at the end, so that a thread has
    at hand what it used in the launch before."""
    if w.backward != 0:
        return launch.groups - count - atomic_add(launch.back, count)
    return atomic_add(launch.front, count)


def now(w: Worker) -> i64:
    """A time in nanoseconds."""
    clock_gettime(CLOCK_MONOTONIC, w.moment)
    return w.moment[0] * 1000000000 + w.moment[1]


def guarded_shared(w: Worker, used: i64, window: i64, blocks: i64) -> ptr:
    """Shared memory for the blocks of a cluster, each in a window of its own; who leaves it by less
    than a window comes to pages without access. It is kept, for that costs system calls."""
    lead = window if blocks == 1 else 2 * window  # so that the first block is the first of a pair
    room = lead + window * blocks
    end = (used + PAGE - 1) & -PAGE
    if w.shared_room == room and w.shared_end == end:
        return advance(w.shared_base, lead)
    release_shared(w)
    if window == 0:
        return ptr(0)
    base = aligned_alloc(i64(SHARED_WINDOW) if blocks == 1 else lead, room)
    if i64(base) == 0:
        return base
    w.shared_base = base
    w.shared_end = end
    shared = advance(base, lead)
    mprotect(base, lead, NO_ACCESS)
    if end < window:
        for rank in range(blocks):
            mprotect(advance(shared, rank * window + end), window - end, NO_ACCESS)
    w.shared_room = room
    return shared


def release_shared(w: Worker) -> None:
    room = w.shared_room
    w.shared_room = 0
    if room != 0:
        mprotect(w.shared_base, room, READ_WRITE)
        free(w.shared_base)


def xgpu_release(w: Worker) -> None:
    """Give back what `xgpu_work` allocated, whether it returned or was thrown out of."""
    forget_late(w)
    free(w.frames)
    free(w.tensor)
    free(w.combine_copies)
    free(ptr(w.tensor_notes))
    if w.keeps == 0:
        release_shared(w)
        free(w.records)
        w.records = ptr(0)
        w.records_room = 0
    zero_bytes(w, sizeof(Worker) - KEPT)


def prepare_blocks(w: Worker, group: i32, size: i32, count: i32, shared_bytes: i64) -> None:
    launch = w.launch
    x = launch.cluster_x
    y = launch.cluster_y
    z = launch.cluster_z
    clusters_x = launch.grid_x // x
    clusters_y = launch.grid_y // y
    cluster_x = group % clusters_x
    cluster_y = group // clusters_x % clusters_y
    cluster_z = group // clusters_x // clusters_y
    zero_bytes(w.blocks, i64(size) * sizeof(Block))
    for rank in range(size):
        b = w.blocks[rank]
        b.launch = launch
        b.worker = w
        b.group = w.blocks
        b.threads = w.threads[rank * count]
        # Who asks for another block of the cluster asks its first thread, also where threads have
        # no records of their own.
        b.threads.block = b
        b.threads.linear = 0
        b.shared = advance(w.shared, i64(rank) * shared_bytes)
        b.cluster_rank = rank
        b.cluster_size = size
        b.ntid_x = launch.block_x
        b.ntid_y = launch.block_y
        b.ntid_z = launch.block_z
        b.cluster_nctaid_x = x
        b.cluster_nctaid_y = y
        b.cluster_nctaid_z = z
        b.cluster_ctaid_x = rank % x
        b.cluster_ctaid_y = rank // x % y
        b.cluster_ctaid_z = rank // x // y
        b.clusterid_x = cluster_x
        b.clusterid_y = cluster_y
        b.clusterid_z = cluster_z
        b.nclusterid_x = clusters_x
        b.nclusterid_y = clusters_y
        b.nclusterid_z = launch.grid_z // z
        b.ctaid_x = cluster_x * x + b.cluster_ctaid_x
        b.ctaid_y = cluster_y * y + b.cluster_ctaid_y
        b.ctaid_z = cluster_z * z + b.cluster_ctaid_z
        b.nctaid_x = launch.grid_x
        b.nctaid_y = launch.grid_y
        b.nctaid_z = launch.grid_z
        b.dynamic_shared = launch.dynamic_shared
        b.static_shared = launch.static_shared
        b.count = count
        b.live = count
