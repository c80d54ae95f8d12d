# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The block scheduler of the host device.

A worker (an OS thread) takes one cluster of blocks after another from a launch. In a plain kernel,
the entry runs a whole block. In a suspending kernel each thread is a coroutine: all threads of the
cluster live at once, and are resumed in turn until every one has exited. A thread that must wait
sets its state and suspends; whoever completes what it waits for makes it ready. Because one OS
thread runs a cluster, nothing here is atomic but the counter that hands out work. If nobody is
ready and somebody is alive, the cluster can never go on: that is a deadlock, exactly, and
`xgpu_stuck` tells it.
"""

from __future__ import annotations

from xgpu.runtime.native.codes import NOTICE_EXITED
from xgpu.runtime.native.prelude import (
    Ptr,
    advance,
    atomic_add,
    atomic_load,
    atomic_store,
    extern,
    i1,
    i32,
    i64,
    invoke,
    ptr,
    resume,
    sizeof,
    udiv,
    ult,
    zero_bytes,
    zext64,
)
from xgpu.runtime.native.records import (
    BARRIER_AND,
    BARRIER_OR,
    STATE_BARRIER,
    STATE_CLUSTER,
    STATE_DONE,
    STATE_READY,
    STATE_STEP,
    STATE_YIELD,
    Block,
    Thread,
    Worker,
)
from xgpu.runtime.native.sources.libc import aligned_alloc, free, usleep
from xgpu.runtime.native.sources.warp import warp_exit


@extern
def xgpu_stuck(worker: Worker) -> None: ...
@extern
def xgpu_on_notice(t: Thread, kind: i32, amount: i64) -> None: ...


WARP = 32
SHARED_WINDOW = 262144  # matrix descriptors count 18 bits of an address in shared memory


def round_up(size: i64) -> i64:
    return (size + 63) & -64


def shared_window(size: i64) -> i64:
    return 0 if size == 0 else (size + SHARED_WINDOW - 1) & -SHARED_WINDOW


def xgpu_frame(t: Thread, size: i64) -> ptr:
    """Memory for the coroutine of thread `t`: all frames of a kernel are of one size."""
    w = t.block.worker
    bytes = round_up(size)
    group = t.block.group
    total = i64(group.count) * i64(group.cluster_size)
    if w.frame_bytes != bytes:
        free(w.frames)
        w.frames = aligned_alloc(64, bytes * total)
        w.frame_bytes = bytes
    index = i64(t.block.cluster_rank) * i64(group.count) + i64(t.linear)
    return advance(w.frames, index * bytes)


def xgpu_work(w: Worker) -> None:
    """Run blocks of a launch until there are none left, or the launch has failed."""
    launch = w.launch
    size = launch.cluster_x * launch.cluster_y * launch.cluster_z
    count = launch.block_x * launch.block_y * launch.block_z
    shared_bytes = shared_window(launch.shared_bytes)
    w.blocks = Block(aligned_alloc(64, round_up(i64(size) * sizeof(Block))))
    w.threads = Thread(aligned_alloc(64, round_up(i64(size) * i64(count) * sizeof(Thread))))
    w.shared = aligned_alloc(SHARED_WINDOW, shared_bytes * i64(size))
    if i64(w.blocks) == 0 or i64(w.threads) == 0 or (i64(w.shared) == 0 and shared_bytes != 0):
        atomic_store(launch.error, 2)
        return
    for rank in range(i64(size)):
        zero_bytes(advance(w.shared, rank * shared_bytes), launch.shared_bytes)
    while atomic_load(launch.error) == 0:
        group = atomic_add(launch.next, 1)
        if group >= launch.groups:
            return
        prepare_blocks(w, i32(group), size, count, shared_bytes)
        if launch.suspending != 0:
            for rank in range(i64(size)):
                zero_bytes(advance(w.shared, rank * shared_bytes), i64(launch.static_shared))
            run_group(w, count * size)
        else:
            for rank in range(i64(size)):
                block = w.blocks[rank]
                invoke(launch.entry, None, block)


def xgpu_release(w: Worker) -> None:
    """Give back what `xgpu_work` allocated, whether it returned or was thrown out of."""
    free(w.blocks)
    free(w.threads)
    free(w.shared)
    free(w.frames)
    zero_bytes(w, sizeof(Worker))


def prepare_blocks(w: Worker, group: i32, size: i32, count: i32, shared_bytes: i64) -> None:
    launch = w.launch
    clusters_x = launch.grid_x // launch.cluster_x
    clusters_y = launch.grid_y // launch.cluster_y
    cluster_x = group % clusters_x
    cluster_y = group // clusters_x % clusters_y
    cluster_z = group // clusters_x // clusters_y
    zero_bytes(w.blocks, i64(size) * sizeof(Block))
    for rank in range(size):
        b = w.blocks[rank]
        b.launch = launch
        b.worker = w
        b.group = w.blocks[0]
        b.threads = w.threads[rank * count]
        b.shared = advance(w.shared, i64(rank) * shared_bytes)
        b.cluster_rank = rank
        b.cluster_size = size
        b.ntid_x = launch.block_x
        b.ntid_y = launch.block_y
        b.ntid_z = launch.block_z
        b.cluster_nctaid_x = launch.cluster_x
        b.cluster_nctaid_y = launch.cluster_y
        b.cluster_nctaid_z = launch.cluster_z
        b.cluster_ctaid_x = rank % launch.cluster_x
        b.cluster_ctaid_y = rank // launch.cluster_x % launch.cluster_y
        b.cluster_ctaid_z = rank // launch.cluster_x // launch.cluster_y
        b.clusterid_x = cluster_x
        b.clusterid_y = cluster_y
        b.clusterid_z = cluster_z
        b.nclusterid_x = clusters_x
        b.nclusterid_y = clusters_y
        b.nclusterid_z = launch.grid_z // launch.cluster_z
        b.ctaid_x = cluster_x * launch.cluster_x + b.cluster_ctaid_x
        b.ctaid_y = cluster_y * launch.cluster_y + b.cluster_ctaid_y
        b.ctaid_z = cluster_z * launch.cluster_z + b.cluster_ctaid_z
        b.nctaid_x = launch.grid_x
        b.nctaid_y = launch.grid_y
        b.nctaid_z = launch.grid_z
        b.dynamic_shared = launch.dynamic_shared
        b.static_shared = launch.static_shared
        b.count = count
        b.live = count


def prepare_threads(w: Worker, total: i32) -> None:
    zero_bytes(w.threads, i64(total) * sizeof(Thread))
    for i in range(total):
        t = w.threads[i]
        b = w.blocks[i // w.blocks.count]
        t.block = b
        t.linear = i % b.count
        t.tid_x = t.linear % b.ntid_x
        t.tid_y = t.linear // b.ntid_x % b.ntid_y
        t.tid_z = t.linear // b.ntid_x // b.ntid_y


def run_group(w: Worker, total: i32) -> None:
    """Run every thread of a cluster to its end, or report that it cannot get there."""
    launch = w.launch
    prepare_threads(w, total)
    live = total
    first: i32 = 0
    while first < total:
        last = warp_end(w, first, total)
        for i in range(first, last):
            t = w.threads[i]
            w.current = t
            t.handle = invoke(launch.entry, ptr, t)
            if finished(t):
                live -= 1
        live -= in_step(w, first, last)
        first = last
    while live > 0:
        moved = False
        awake = False
        shortest: i32 = 1000000  # PTX: nanosleep takes at most a millisecond
        first = 0
        while first < total:
            last = warp_end(w, first, total)
            for i in range(first, last):
                t = w.threads[i]
                if t.state == STATE_READY or t.state == STATE_YIELD:
                    if t.state == STATE_READY:
                        awake = True
                    elif ult(t.argument_b, shortest):
                        shortest = t.argument_b
                    moved = True
                    if resume_thread(w, t):
                        live -= 1
            live -= in_step(w, first, last)
            first = last
        if atomic_load(launch.error) != 0:
            return
        if not moved:
            atomic_store(launch.error, 1)
            xgpu_stuck(w)
            return
        if not awake and shortest >= 1000:
            usleep(udiv(shortest, 1000))


def warp_end(w: Worker, first: i32, total: i32) -> i32:
    """Behind the last thread of the warp that begins with thread `first` of a cluster."""
    t = w.threads[first]
    last = first + WARP
    end = first - t.linear + t.block.count
    if end < last:
        last = end
    return last if last < total else total


def in_step(w: Worker, first: i32, last: i32) -> i32:
    """Run the lanes of a warp that wait for one another only; how many have exited thereby.

    Where the whole warp has come to one place, other warps get the time to come there too.
    """
    exited: i32 = 0
    while True:
        waiting: i32 = 0
        live: i32 = 0
        for i in range(first, last):
            t = w.threads[i]
            if t.state != STATE_DONE:
                live += 1
            if t.state == STATE_STEP:
                waiting += 1
        if waiting == 0:
            return exited
        for i in range(first, last):
            t = w.threads[i]
            if t.state == STATE_STEP:
                if waiting == live:
                    t.state = STATE_YIELD
                    t.argument_b = 0
                elif resume_thread(w, t):
                    exited += 1


def resume_thread(w: Worker, t: Thread) -> i1:
    """Run a thread up to its next wait; whether it has exited."""
    w.current = t
    t.state = STATE_READY
    frame = Ptr[ptr](t.handle)
    resume(frame[0], None, t.handle)
    return finished(t)


def finished(t: Thread) -> i1:
    """Whether the coroutine of `t` has ended; if so, whoever waited only for it goes on."""
    frame = Ptr[ptr](t.handle)
    if i64(frame[0]) != 0:
        return False
    t.state = STATE_DONE
    b = t.block
    b.live -= 1
    warp_exit(t)
    if b.waiting != 0 and b.waiting == b.live:
        release_if_all_wait(b)
    return True


# -- barriers of a block (PTX ISA, barrier{.cta})


def xgpu_barrier(t: Thread, id: i32, count: i32, kind: i32, predicate: i32) -> i1:
    """Arrive at barrier `id` and wait; true: go on at once. `count` 0: all threads of the block.

    `kind` is 0, or BARRIER_POPC, BARRIER_AND, BARRIER_OR of `predicate`, delivered in `t.result`.
    """
    b = t.block
    t.wait_id = id
    t.argument_b = kind
    t.argument_c = count
    if arrive(b, id, count, predicate):
        t.result = barrier_result(b, id, kind)
        release_barrier(b, id)
        return True
    t.state = STATE_BARRIER
    b.waiting += 1
    if count == 0 and b.waiting == b.live:
        release_if_all_wait(b)
        return b.waiting == 0
    return False


def release_if_all_wait(b: Block) -> None:
    """Let a barrier of the whole block go that all wait at who have not exited.

    A barrier succeeds when "all non-exited threads in the block" have reached it (CUDA C++
    Programming Guide, independent thread scheduling).
    """
    id: i32 = -1
    for i in range(b.count):
        t = b.threads[i]
        if t.state == STATE_BARRIER:
            if t.argument_c != 0 or (id != -1 and t.wait_id != id):
                return
            id = t.wait_id
    if id != -1:
        xgpu_on_notice(b.threads, NOTICE_EXITED, i64(id))
        release_barrier(b, id)


def xgpu_barrier_arrive(t: Thread, id: i32, count: i32) -> None:
    """Arrive at barrier `id` without waiting."""
    b = t.block
    if arrive(b, id, count, 0):
        release_barrier(b, id)


def arrive(b: Block, id: i32, count: i32, predicate: i32) -> i1:
    expected = b.count if count == 0 else count
    b.bar_expected[id] = expected
    b.bar_arrived[id] += 1
    if predicate != 0:
        b.bar_popc[id] += 1
    return b.bar_arrived[id] >= expected


def barrier_result(b: Block, id: i32, kind: i32) -> i64:
    if kind == BARRIER_AND:
        return zext64(b.bar_popc[id] == b.bar_arrived[id])
    if kind == BARRIER_OR:
        return zext64(b.bar_popc[id] != 0)
    return i64(b.bar_popc[id])


def release_barrier(b: Block, id: i32) -> None:
    for i in range(b.count):
        t = b.threads[i]
        if t.state == STATE_BARRIER and t.wait_id == id:
            t.result = barrier_result(b, id, t.argument_b)
            t.state = STATE_READY
            b.waiting -= 1
    b.bar_arrived[id] = 0
    b.bar_popc[id] = 0


# -- barriers of a cluster (PTX ISA, barrier.cluster)


def xgpu_cluster_arrive(t: Thread) -> None:
    g = t.block.group
    t.cluster_phase = g.cluster_phase
    g.cluster_arrived += 1
    if g.cluster_arrived == g.count * g.cluster_size:
        g.cluster_arrived = 0
        g.cluster_phase += 1
        for i in range(g.count * g.cluster_size):
            other = g.threads[i]
            if other.state == STATE_CLUSTER:
                other.state = STATE_READY


def xgpu_cluster_wait(t: Thread) -> i1:
    if t.block.group.cluster_phase != t.cluster_phase:
        return True
    t.state = STATE_CLUSTER
    return False


def xgpu_yield(t: Thread, nanoseconds: i32) -> i1:
    """nanosleep: let the others go first; where all threads sleep, the worker sleeps too."""
    t.state = STATE_YIELD
    t.argument_b = nanoseconds
    return False


def xgpu_step(t: Thread) -> i1:
    """Let the other lanes of the warp come here first, as if it ran in step."""
    t.state = STATE_STEP
    return False
