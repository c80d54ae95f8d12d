# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other orders in which the threads of a cluster may run (`Launch.order`).

A program has to be right in all of them, and some mistakes show in few: a warp that comes last, a
producer that is slow, blocks that begin in another order, copies that take their time. Each order
follows from its number alone, so it can be had again.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    advance,
    atomic_add,
    atomic_load,
    atomic_store,
    i1,
    i32,
    i64,
    invoke,
    lshr,
    ptr,
    zero_bytes,
)
from xgpu.host_device.native.records import (
    LAUNCH_WARPS,
    ORDER_ARGUMENT,
    ORDER_FIRST,
    ORDER_KINDS,
    ORDER_LAST,
    ORDER_NATURAL,
    ORDER_RANDOM,
    ORDER_REVERSED,
    STATE_READY,
    STATE_YIELD,
    STEP_ASIDE,
    Thread,
    Worker,
)
from xgpu.host_device.native.sources.deferred_copies import forget_late
from xgpu.host_device.native.sources.expired_copies import do_first
from xgpu.host_device.native.sources.scheduler import (
    await_others,
    block_threads,
    cluster_blocks,
    make_room,
    next_cluster,
    shared_window,
)
from xgpu.host_device.native.sources.thread_scheduler import (
    PATIENT_VAIN,
    VAIN,
    WARP,
    finished,
    in_step,
    prepare_threads,
    resume_thread,
    run_group,
    run_warps,
    warp_end,
    xgpu_stuck,
)
from xgpu.host_device.native.sources.warp import awaits_lanes

PATIENCE = 16  # rounds in which all warps poll in vain, before the one that is held back may run
MOST_HELD = 4096  # rounds, before who is held back may run in any case
NO_WARP = 65535  # no number of a warp
# What a round came to.
STILL = 0
ASKED = 1
MOVED = 2


def run_ordered(w: Worker, total: i32) -> None:
    """Run every thread of a cluster to its end in the order of its launch."""
    launch = w.launch
    kind = launch.order & ORDER_KINDS
    argument = lshr(launch.order, ORDER_ARGUMENT)
    prepare_threads(w, total)
    for i in range(total):
        t = w.threads[i]
        w.current = t
        t.handle = invoke(launch.entry, ptr, t)
        finished(t)
    random = i64(argument) * 2862933555777941757 + 3037000493
    vain: i32 = 0
    held: i32 = 0
    while alive(w, total):
        random = random * 6364136223846793005 + 1442695040888963407
        moved = one_round(w, total, kind, argument, random)
        if atomic_load(launch.error) != 0:
            forget_late(w)
            return
        held += 1
        if moved == MOVED and held < MOST_HELD:
            vain = 0
            continue
        vain += 1
        if moved == ASKED and vain < PATIENCE:
            continue
        vain = 0
        held = 0
        before = w.progress
        came = run_all_warps(w, total)
        if came == ASKED and w.progress == before:
            w.rounds += 1
            if w.rounds > VAIN:
                await_others(w, w.rounds > PATIENT_VAIN)
        if came == MOVED or do_first(w):
            continue
        # Twice, for lanes that wait for their warp only may go on in the next round.
        if came == STILL and alive(w, total) and run_all_warps(w, total) == STILL:
            atomic_store(launch.error, 1)
            xgpu_stuck(w)
            return
    while do_first(w):
        pass


def alive(w: Worker, total: i32) -> i1:
    first: i32 = 0
    while first < total:
        b = w.threads[first].block
        if b.live != 0:
            return True
        first = first + b.count
    return False


def warp_count(w: Worker) -> i32:
    """Warps of a block."""
    return (w.blocks.count + WARP - 1) // WARP


def run_all_warps(w: Worker, total: i32) -> i32:
    """One round for all, whatever the order."""
    return one_round(w, total, ORDER_NATURAL, 0, 0)


def one_round(w: Worker, total: i32, kind: i32, argument: i32, random: i64) -> i32:
    """Let who may run do so, once; what came of it."""
    if kind == ORDER_FIRST:
        chosen = some_warps(w, total, False, argument, NO_WARP, 0)
        if chosen == MOVED:
            return chosen
    held: i32 = NO_WARP
    if kind == ORDER_LAST:
        held = argument
    mask: i64 = 0
    if kind == ORDER_RANDOM:
        mask = lshr(random, 16)
    return some_warps(w, total, kind == ORDER_REVERSED, NO_WARP, held, mask)


def some_warps(w: Worker, total: i32, reversed: i1, only: i32, held: i32, mask: i64) -> i32:
    """A round for the warps of a cluster: `only` one of each block, all but the one that is
    `held`, or those that `mask` has a bit for, if it has any."""
    each = warp_count(w)
    warps = each * (total // w.blocks.count)
    moved: i32 = STILL
    for i in range(warps):
        at = warps - 1 - i if reversed else i
        warp = at % each
        wanted = only == NO_WARP or warp == only % each
        if held != NO_WARP and warp == held % each:
            wanted = False
        if mask != 0 and (lshr(mask, i64(at % 47)) & 1) != 0:
            wanted = False
        if wanted:
            came = one_warp(w, at // each * w.blocks.count + warp * WARP, total, reversed, mask)
            if came > moved:
                moved = came
    return moved


def one_warp(w: Worker, first: i32, total: i32, reversed: i1, mask: i64) -> i32:
    moved: i32 = STILL
    last = warp_end(w, first, total)
    for i in range(last - first):
        at = last - 1 - i if reversed else first + i
        held = mask != 0 and (lshr(mask, i64((at * 7) % 43)) & 1) != 0
        if not held:
            came = one_thread(w, w.threads[at])
            if came > moved:
                moved = came
    if in_step(w, first, last) != 0:
        moved = MOVED
    return moved


def one_thread(w: Worker, t: Thread) -> i32:
    if t.state == STATE_READY:
        resume_thread(w, t)
        return MOVED
    if t.state != STATE_YIELD or awaits_lanes(t):
        return STILL
    aside = t.argument_b == STEP_ASIDE
    resume_thread(w, t)
    if aside:
        return MOVED
    return ASKED


# -- A worker's share of a launch whose threads, or warps, are coroutines (see `scheduler`).


def xgpu_scheduled_work(w: Worker) -> None:
    """Run blocks of a launch until there are none left, or the launch has failed."""
    launch = w.launch
    atomic_add(launch.came, 1)
    if not make_room(w):
        return
    size = i64(cluster_blocks(launch))
    total = block_threads(launch) * cluster_blocks(launch)
    shared_bytes = shared_window(launch.shared_bytes, cluster_blocks(launch))
    while next_cluster(w):
        for rank in range(size):
            zero_bytes(advance(w.shared, rank * shared_bytes), i64(launch.static_shared))
        if launch.suspending == LAUNCH_WARPS:
            run_warps(w, total)
        elif launch.order != 0:
            run_ordered(w, total)
        else:
            run_group(w, total)
    atomic_add(launch.went, 1)
