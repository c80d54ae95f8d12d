# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers of a block and of a cluster, and turns given up.

A barrier counts threads. In a kernel whose warps run as vectors (`LAUNCH_WARPS`) a warp arrives
with as many as it has, and the record of its first thread waits for all (`xgpu_barrier_lanes`).
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import NOTICE_EXITED
from xgpu.host_device.native.prelude import extern, i1, i32, i64, popcount, zext64
from xgpu.host_device.native.records import (
    BARRIER_AND,
    BARRIER_OR,
    LAUNCH_WARPS,
    NAMED_BARRIERS,
    STATE_BARRIER,
    STATE_CLUSTER,
    STATE_READY,
    STATE_STEP,
    STATE_YIELD,
    Block,
    Thread,
)

MOST_SPINS = 1000000


@extern
def xgpu_on_notice(t: Thread, kind: i32, amount: i64) -> None: ...


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


def xgpu_barrier_lanes(t: Thread, lanes: i32, id: i32, count: i32, kind: i32, flags: i32) -> i1:
    """Likewise for a warp whose first thread is `t`: `lanes` are those that take part, `flags`
    their predicates, as bits. What is delivered is in the record of `t`."""
    b = t.block
    threads = lanes_of(t, lanes)
    t.mask = threads
    t.wait_id = id
    t.argument_b = kind
    t.argument_c = count
    expected = b.count if count == 0 else count
    b.bar_expected[id] = expected
    b.bar_arrived[id] += popcount(threads)
    b.bar_popc[id] += popcount(threads & flags)
    if b.bar_arrived[id] >= expected:
        t.result = barrier_result(b, id, kind)
        release_barrier(b, id)
        return True
    t.state = STATE_BARRIER
    b.waiting += popcount(threads)
    if count == 0 and b.waiting == b.live:
        release_if_all_wait(b)
        return b.waiting == 0
    return False


def lanes_of(t: Thread, lanes: i32) -> i32:
    """Those of `lanes` that are threads of the block, in the warp that begins with `t`."""
    left = t.block.count - t.linear
    if left >= 32:
        return lanes
    return lanes & ((i32(1) << left) - 1)


def xgpu_barrier_result(t: Thread) -> i64:
    """What the last barrier of `t` has delivered."""
    return t.result


def stride(b: Block) -> i32:
    """How many threads of a block one record stands for at barriers."""
    return i32(32) if b.launch.suspending == LAUNCH_WARPS else i32(1)


def waiting_threads(b: Block, t: Thread) -> i32:
    return popcount(t.mask) if b.launch.suspending == LAUNCH_WARPS else i32(1)


def release_if_all_wait(b: Block) -> None:
    """Let a barrier of the whole block go that all wait at who have not exited.

    A barrier succeeds when "all non-exited threads in the block" have reached it (CUDA C++
    Programming Guide, independent thread scheduling).
    """
    id: i32 = -1
    step = stride(b)
    for i in range((b.count + step - 1) // step):
        t = b.threads[i * step]
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
    step = stride(b)
    for i in range((b.count + step - 1) // step):
        t = b.threads[i * step]
        if t.state == STATE_BARRIER and t.wait_id == id:
            t.result = barrier_result(b, id, t.argument_b)
            t.state = STATE_READY
            b.waiting -= waiting_threads(b, t)
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


def xgpu_spin(t: Thread) -> i1:
    """A loop that waits for memory begins a round, which stores nothing: likewise."""
    xgpu_count_spin(t)
    return xgpu_yield(t, 0)


def xgpu_count_spin(t: Thread) -> None:
    """A loop that waits begins a round, and what it does there lets the others go first."""
    if t.spins < MOST_SPINS:
        t.spins += 1


def is_spinning(t: Thread) -> i1:
    """Whether a thread has looked in vain at what it waits for in memory."""
    return t.state == STATE_YIELD and t.spins >= 2


def xgpu_step(t: Thread) -> i1:
    """Let the other lanes of the warp come here first, as if it ran in step."""
    t.state = STATE_STEP
    return False


def xgpu_warpgroup_sync(t: Thread) -> i1:
    """Wait until all 128 threads of a warpgroup have come."""
    return xgpu_barrier(t, NAMED_BARRIERS + t.linear // 128, 128, 0, 0)
