# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that help launches: they wait here, without Python's lock, until one wants help.

A launch that does stands in the list of its device's pool as long as it wants more. A helper that
joins counts among `helping` until it has left; only then may the launch's record go. All of this
is done with the pool's lock held, which is never held while blocks run.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import ELSEWHERE, POOL_CLOSED
from xgpu.host_device.native.prelude import (
    Ptr,
    atomic_add,
    atomic_load,
    atomic_store,
    extern,
    i1,
    i32,
    i64,
    invoke,
)
from xgpu.host_device.native.records import Helper, HelpPool, Launch, Worker
from xgpu.host_device.native.sources.libc import (
    clock_gettime,
    pthread_cond_broadcast,
    pthread_cond_signal,
    pthread_cond_timedwait,
    pthread_cond_wait,
    pthread_kill,
    pthread_mutex_lock,
    pthread_mutex_unlock,
    pthread_self,
)
from xgpu.host_device.native.sources.scheduler import now

SIGILL = 4
CLOCK_REALTIME = 0
LOOKS = 2000  # at the helpers that are left, before a thread sleeps until there are none
LEADERS_LOOKS = 20000  # before it goes back to Python: helpers end a few microseconds later
SLICE = 100000000  # nanoseconds that it sleeps at most: Python may want to know of an interrupt
SECOND = 1000000000


@extern
def xgpu_interrupt_words() -> Ptr[i64]: ...


def offer(launch: Launch, count: i32) -> None:
    """Let up to `count` helpers join."""
    pool = launch.pool
    if pool is None or count <= 0:
        return
    pthread_mutex_lock(pool.mutex)
    launch.offered = 1
    launch.wanted = count
    launch.following = pool.first
    pool.first = launch
    pthread_mutex_unlock(pool.mutex)
    if count == 1:
        pthread_cond_signal(pool.wake)
    else:
        pthread_cond_broadcast(pool.wake)


def xgpu_lead(w: Worker, count: i32) -> i64:
    """Run blocks of the worker's launch until none are left, with up to `count` helpers. The result
    is, below zero, how many nanoseconds 1024 groups took them. It is what the calling thread was
    thrown out with, or zero if the launch has failed elsewhere or a helper is left."""
    launch = w.launch
    begin = now(w)
    offer(launch, count)
    code = invoke(launch.work, i32, w)
    if code != 0:
        return code
    withdraw(launch)
    if still_helping(launch, LEADERS_LOOKS) != 0:
        return 0
    launch.offered = 0
    if atomic_load(launch.error) != 0:
        return 0
    return -1 - (now(w) - begin) * i64(count + 1) * 1024 // launch.groups


def xgpu_lead_again(w: Worker, launch: Launch, count: i32) -> i64:
    """As `xgpu_lead`, of a launch that has run before. Unless the result is below zero it counts as
    running still, or there is more to know of it: Python ends it. ELSEWHERE if it has not run, for
    helpers may be on the processor of the calling thread."""
    pool = launch.pool
    if pool is not None and count > 0 and beside_helpers(pool):
        return ELSEWHERE
    atomic_store(launch.next, 0)
    atomic_store(launch.front, 0)
    atomic_store(launch.back, 0)
    launch.interrupts = xgpu_interrupt_words()[0]
    atomic_add(launch.runs, 1)
    w.launch = launch
    result = xgpu_lead(w, count)
    if result < 0:
        if xgpu_interrupt_words()[0] != launch.interrupts or launch.said != 0:
            return 0
        atomic_add(launch.runs, 1)
    return result


def beside_helpers(pool: HelpPool) -> i1:
    """Whether the calling thread runs where helpers may be."""
    if i64(pool.processor) == 0:
        return False
    return invoke(pool.processor, i32) != pool.seat


def xgpu_help(h: Helper) -> i32:
    """What a helper does: runs blocks of launches that want it to, until it is thrown out of one
    or the pool closes. The result says which: what it was thrown out with, or POOL_CLOSED."""
    pool = h.pool
    h.thread = pthread_self()
    pthread_mutex_lock(pool.mutex)
    while True:
        while pool.first is None and pool.closed == 0:
            pthread_cond_wait(pool.wake, pool.mutex)
        launch = pool.first
        if pool.closed != 0 or launch is None:
            pthread_mutex_unlock(pool.mutex)
            return POOL_CLOSED
        launch.wanted -= 1
        if launch.wanted == 0:
            pool.first = launch.following
        atomic_add(launch.helping, 1)
        w = h.worker
        w.launch = launch
        w.backward = launch.backward
        pthread_mutex_unlock(pool.mutex)
        code = invoke(launch.work, i32, w)
        if code != 0:
            return code
        pthread_mutex_lock(pool.mutex)
        leave(pool, launch)


def xgpu_join(pool: HelpPool, h: Helper) -> None:
    """A helper more."""
    pthread_mutex_lock(pool.mutex)
    h.next = pool.helpers
    pool.helpers = h
    pthread_mutex_unlock(pool.mutex)


def xgpu_helped(pool: HelpPool, launch: Launch) -> None:
    """A worker that was thrown out of a launch's blocks has reported it, and leaves."""
    pthread_mutex_lock(pool.mutex)
    leave(pool, launch)
    pthread_mutex_unlock(pool.mutex)


def leave(pool: HelpPool, launch: Launch) -> None:
    before = atomic_add(launch.helping, -1)
    if before == 1:
        pthread_cond_broadcast(pool.done)


def xgpu_withdraw(launch: Launch, moment: Ptr[i64] | None) -> i64:
    """Let no helper join any more, and look whether those that have leave, or, with `moment`, which
    is room for a time, wait for them for a while; how many still help."""
    pool = launch.pool
    if pool is None:
        return 0
    withdraw(launch)
    if moment is None:
        return still_helping(launch, LOOKS)
    clock_gettime(CLOCK_REALTIME, moment)
    moment[1] += SLICE
    if moment[1] >= SECOND:
        moment[0] += 1
        moment[1] -= SECOND
    late = i32(0)
    pthread_mutex_lock(pool.mutex)
    while atomic_load(launch.helping) != 0 and late == 0:
        late = pthread_cond_timedwait(pool.done, pool.mutex, moment)
    helping = atomic_load(launch.helping)
    pthread_mutex_unlock(pool.mutex)
    return helping


def withdraw(launch: Launch) -> None:
    pool = launch.pool
    if pool is not None:
        pthread_mutex_lock(pool.mutex)
        forget(pool, launch)
        pthread_mutex_unlock(pool.mutex)


def still_helping(launch: Launch, looks: i32) -> i64:
    """How many help still, after so many looks."""
    for _ in range(looks):
        if atomic_load(launch.helping) == 0:
            return 0
    return atomic_load(launch.helping)


def forget(pool: HelpPool, launch: Launch) -> None:
    """Take a launch out of the list, if it is there."""
    if launch.wanted == 0:
        return
    launch.wanted = 0
    before = pool.first
    if before is None:
        return
    if i64(before) == i64(launch):
        pool.first = launch.following
        return
    other = before.following
    while other is not None:
        if i64(other) == i64(launch):
            before.following = launch.following
            return
        before = other
        other = other.following


def xgpu_interrupt_helpers(pool: HelpPool, launch: Launch) -> None:
    """End the blocks of a launch that helpers run: none of them can leave meanwhile."""
    pthread_mutex_lock(pool.mutex)
    h = pool.helpers
    while h is not None:
        w = h.worker
        if i64(w.launch) == i64(launch):
            pthread_kill(h.thread, SIGILL)
        h = h.next
    pthread_mutex_unlock(pool.mutex)


def xgpu_close_pool(pool: HelpPool) -> None:
    """Let helpers end that have nothing to do."""
    pthread_mutex_lock(pool.mutex)
    pool.closed = 1
    pthread_mutex_unlock(pool.mutex)
    pthread_cond_broadcast(pool.wake)
