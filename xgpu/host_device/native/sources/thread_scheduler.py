# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who runs next, among the threads of a cluster or its warps.

A coroutine is a thread's, or a warp's that runs as a vector: its handle is in the record of the
warp's first thread then. A warp may go on when none of its threads waits; `wide` in that record
says that each of them must be asked.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
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
)
from xgpu.host_device.native.records import (
    STATE_DONE,
    STATE_READY,
    STATE_STEP,
    STATE_YIELD,
    Thread,
    Worker,
)
from xgpu.host_device.native.sources.barriers import is_spinning, release_if_all_wait
from xgpu.host_device.native.sources.libc import usleep
from xgpu.host_device.native.sources.scheduler import await_others, no_longer_await
from xgpu.host_device.native.sources.warp import awaits_lanes, warp_exit


@extern
def xgpu_stuck(worker: Worker) -> None: ...


WARP = 32
VAIN = 64  # rounds in vain, before a worker lets other threads have its core,
PATIENT_VAIN = 1024  # or sleeps
WATCHED = 128  # rounds that one under the sanitizer counts for
LONGEST_SLEEP = 1000000  # PTX: nanosleep takes at most a millisecond


def prepare_threads(w: Worker, total: i32) -> None:
    zero_bytes(w.threads, i64(total) * sizeof(Thread))
    w.collectives = 0
    rank: i32 = 0
    linear: i32 = 0
    x: i32 = 0
    y: i32 = 0
    z: i32 = 0
    b = w.blocks
    for i in range(total):
        if linear == b.count:
            rank += 1
            b = w.blocks[rank]
            linear = 0
            x = 0
            y = 0
            z = 0
        t = w.threads[i]
        t.block = b
        t.linear = linear
        t.tid_x = x
        t.tid_y = y
        t.tid_z = z
        linear += 1
        x += 1
        if x == b.ntid_x:
            x = 0
            y += 1
            if y == b.ntid_y:
                y = 0
                z += 1


def run_group(w: Worker, total: i32) -> None:
    """Run every thread of a cluster to its end, or report that it cannot get there."""
    launch = w.launch
    prepare_threads(w, total)
    live = total
    vain: i64 = 0
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
        shortest = i32(LONGEST_SLEEP)
        before = w.progress
        first = 0
        while first < total:
            last = warp_end(w, first, total)
            for i in range(first, last):
                t = w.threads[i]
                is_asking = t.state == STATE_YIELD and not awaits_lanes(t)
                if t.state == STATE_READY or is_asking:
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
        vain = in_vain(w, before, vain)
        if not moved:
            atomic_store(launch.error, 1)
            xgpu_stuck(w)
            return
        if not awake and shortest >= 1000:
            usleep(udiv(shortest, 1000))


def in_vain(w: Worker, before: i64, vain: i64) -> i64:
    """How many rounds in a row all threads have looked at memory in vain, after another one, where
    `before` is what had been done. Many of them leave the core to others."""
    if w.progress != before:
        no_longer_await(w)
        return 0
    w.rounds += 1
    if vain >= VAIN:
        await_others(w, vain >= PATIENT_VAIN)
    # Under the sanitizer a worker waits for others in each round (`sanitizer_state.enter`).
    return vain + (1 if i64(w.blocks.sanitizer) == 0 else i64(WATCHED))


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
    spinning = is_spinning(t)
    t.state = STATE_READY
    frame = Ptr[ptr](t.handle)
    resume(frame[0], None, t.handle)
    if not spinning or not is_spinning(t):
        w.progress += 1
    return finished(t)


def finished(t: Thread) -> i1:
    """Whether the coroutine of `t` has ended; if so, threads that waited only for it go on."""
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


# -- warps that are vectors


def run_warps(w: Worker, total: i32) -> None:
    """Run every warp of a cluster to its end, or report that it cannot get there."""
    launch = w.launch
    prepare_threads(w, total)
    live = total
    vain: i64 = 0
    first: i32 = 0
    while first < total:
        last = warp_end(w, first, total)
        t = w.threads[first]
        w.current = t
        t.handle = invoke(launch.entry, ptr, t)
        live -= exited_lanes(w, first, last)
        first = last
    while live > 0:
        moved = False
        awake = False
        shortest = i32(LONGEST_SLEEP)
        first = 0
        while first < total:
            last = warp_end(w, first, total)
            t = w.threads[first]
            state = warp_state(w, first, last)
            if state == STATE_READY:
                awake = True
            elif state == STATE_YIELD and ult(t.argument_b, shortest):
                shortest = t.argument_b
            if is_able(state):
                moved = True
                w.current = t
                t.state = STATE_READY
                frame = Ptr[ptr](t.handle)
                resume(frame[0], None, t.handle)
                live -= exited_lanes(w, first, last)
            first = last
        if atomic_load(launch.error) != 0:
            return
        if not moved:
            atomic_store(launch.error, 1)
            xgpu_stuck(w)
            return
        if awake:
            vain = 0
            no_longer_await(w)
        else:
            vain += 1
            if vain >= VAIN:
                await_others(w, vain >= PATIENT_VAIN)
        if not awake and shortest >= 1000:
            usleep(udiv(shortest, 1000))


def is_able(state: i32) -> i1:
    """Whether who is in that state may go on."""
    able = state == STATE_READY
    return able or state == STATE_YIELD


def warp_state(w: Worker, first: i32, last: i32) -> i32:
    """The state of a warp: of its first thread, or of one that waits."""
    t = w.threads[first]
    if t.wide == 0:
        return t.state
    for i in range(first, last):
        state = w.threads[i].state
        if state != STATE_READY:
            return state
    t.wide = 0
    return STATE_READY


def xgpu_lanes_wait(t: Thread) -> i1:
    """Whether a warp, whose first thread is `t`, may go on: none of its threads waits."""
    b = t.block
    for lane in range(i32(WARP)):
        if t.linear + lane < b.count and b.threads[t.linear + lane].state != STATE_READY:
            t.wide = 1
            return False
    return True


def exited_lanes(w: Worker, first: i32, last: i32) -> i32:
    """How many threads have ended with the coroutine of a warp."""
    t = w.threads[first]
    frame = Ptr[ptr](t.handle)
    if i64(frame[0]) != 0:
        return 0
    for i in range(first, last):
        w.threads[i].state = STATE_DONE
    b = t.block
    b.live -= last - first
    if b.waiting != 0 and b.waiting == b.live:
        release_if_all_wait(b)
    return last - first
