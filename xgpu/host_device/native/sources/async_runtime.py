# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's async runtime over threads.

Tokens, values and groups are `AsyncObject`s, counted references to memory; a value's content
follows its header. What resumes a coroutine is an `AsyncTask`: it waits in the list of the object
that it awaits, then in the queue of the pool. One lock guards all of this: it is held for a few
instructions only, never while a coroutine runs.

Workers start when there is work. A worker that must block (an await outside of a coroutine) does
not count while it does, so that another may take its place: a program cannot starve itself. What
becomes available puts those who await it on the queue rather than resume them on its own stack, so
chains of any length run in constant stack.

If all threads wait and the queue is empty, nothing can ever happen again: that is an error, not
waited for.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import THROW_PROGRAM, THROW_STUCK
from xgpu.host_device.native.prelude import (
    advance,
    atomic_add,
    atomic_exchange,
    atomic_load,
    atomic_store,
    extern,
    i1,
    i32,
    i64,
    invoke,
    ptr,
    sizeof,
    zero_bytes,
)
from xgpu.host_device.native.records import AsyncObject, AsyncPool, AsyncTask
from xgpu.host_device.native.sources.guards import xgpu_throw
from xgpu.host_device.native.sources.libc import (
    aligned_alloc,
    free,
    malloc,
    pthread_cond_broadcast,
    pthread_cond_signal,
    pthread_cond_wait,
    pthread_mutex_lock,
    pthread_mutex_unlock,
)
from xgpu.host_device.native.sources.scheduler import round_up

UNAVAILABLE = 0
AVAILABLE = 1
ERROR = 2


@extern
def xgpu_async_pool() -> AsyncPool: ...
@extern
def xgpu_async_spawn(pool: AsyncPool) -> i32: ...
@extern
def xgpu_async_is_worker(pool: AsyncPool) -> i1: ...


# -- objects


def async_create(size: i64, references: i64) -> AsyncObject:
    header = round_up(sizeof(AsyncObject))
    created = AsyncObject(aligned_alloc(64, header + round_up(size)))
    zero_bytes(created, header)
    atomic_store(created.references, references)
    pool = xgpu_async_pool()
    atomic_add(pool.alive, 1)
    return created


def mlirAsyncRuntimeAddRef(thing: AsyncObject, count: i64) -> None:
    atomic_add(thing.references, count)


def mlirAsyncRuntimeDropRef(thing: AsyncObject, count: i64) -> None:
    before = atomic_add(thing.references, 0 - count)
    if before == count:
        pool = xgpu_async_pool()
        atomic_add(pool.alive, -1)
        while thing.first is not None:
            task = thing.first
            thing.first = task.next
            free(task)
        free(thing)


def mlirAsyncRuntimeCreateToken() -> AsyncObject:
    # One reference is the task's own, until it has made the token available.
    return async_create(0, 2)


def mlirAsyncRuntimeCreateValue(size: i64) -> AsyncObject:
    return async_create(size, 2)


def mlirAsyncRuntimeCreateGroup(size: i64) -> AsyncObject:
    group = async_create(0, 1)
    group.pending = size
    if size == 0:
        atomic_store(group.state, AVAILABLE)
    return group


def mlirAsyncRuntimeGetValueStorage(value: AsyncObject) -> ptr:
    return advance(value, round_up(sizeof(AsyncObject)))


def mlirAsyncRuntimeIsTokenError(token: AsyncObject) -> i1:
    return atomic_load(token.state) == ERROR


def mlirAsyncRuntimeIsValueError(value: AsyncObject) -> i1:
    return atomic_load(value.state) == ERROR


def mlirAsyncRuntimeIsGroupError(group: AsyncObject) -> i1:
    return atomic_load(group.errors) != 0


# -- becoming available (all with the lock held)


def async_task(handle: ptr, resume: ptr, group: AsyncObject | None) -> AsyncTask:
    task = AsyncTask(malloc(sizeof(AsyncTask)))
    task.next = None
    task.handle = handle
    task.resume = resume
    task.group = group
    return task


def async_enqueue(pool: AsyncPool, task: AsyncTask) -> None:
    if pool.blocked != 0:
        # The newest first: it is likelier to be what a blocked worker waits for, and fewer block.
        task.next = pool.first
        pool.first = task
        if pool.last is None:
            pool.last = task
    else:
        task.next = None
        if pool.last is None:
            pool.first = task
        else:
            last = pool.last
            last.next = task
        pool.last = task
    pool.queued += 1
    async_balance(pool)


def async_balance(pool: AsyncPool) -> None:
    """See to it that a thread works on what is queued."""
    if pool.idle != 0:
        pthread_cond_signal(pool.work)
    if pool.queued > pool.idle and pool.threads - pool.blocked < pool.limit:
        pool.threads += 1
        if pool.parked > pool.tickets:
            pool.tickets += 1
            pthread_cond_signal(pool.spare)
        elif xgpu_async_spawn(pool) != 0:
            pool.threads -= 1


def async_append(thing: AsyncObject, task: AsyncTask) -> None:
    """`task` waits until `thing` is available."""
    if thing.last is None:
        thing.first = task
    else:
        last = thing.last
        last.next = task
    thing.last = task


def async_publish(pool: AsyncPool, thing: AsyncObject, state: i64) -> None:
    """`thing` becomes available: on with those who wait for it."""
    atomic_store(thing.state, state)
    if thing.waiting != 0:
        # They count as running from here on, although they have yet to wake up.
        pool.blocked -= thing.blocked
        pool.waiting -= thing.waiting - thing.blocked
        thing.waiting = 0
        thing.blocked = 0
        pthread_cond_broadcast(pool.done)
    task = thing.first
    thing.first = None
    thing.last = None
    while task is not None:
        following = task.next
        group = task.group
        if group is None:
            async_enqueue(pool, task)
        else:
            async_count_token(pool, group, state)
            free(task)
            mlirAsyncRuntimeDropRef(group, 1)
        task = following


def async_count_token(pool: AsyncPool, group: AsyncObject, state: i64) -> None:
    if state == ERROR:
        atomic_add(group.errors, 1)
    group.pending -= 1
    if group.pending == 0:
        async_publish(pool, group, AVAILABLE)


def async_finish(thing: AsyncObject, state: i64) -> None:
    pool = xgpu_async_pool()
    pthread_mutex_lock(pool.mutex)
    async_publish(pool, thing, state)
    pthread_mutex_unlock(pool.mutex)
    mlirAsyncRuntimeDropRef(thing, 1)


def mlirAsyncRuntimeEmplaceToken(token: AsyncObject) -> None:
    async_finish(token, AVAILABLE)


def mlirAsyncRuntimeEmplaceValue(value: AsyncObject) -> None:
    async_finish(value, AVAILABLE)


def mlirAsyncRuntimeSetTokenError(token: AsyncObject) -> None:
    async_finish(token, ERROR)


def mlirAsyncRuntimeSetValueError(value: AsyncObject) -> None:
    async_finish(value, ERROR)


def mlirAsyncRuntimeAddTokenToGroup(token: AsyncObject, group: AsyncObject) -> i64:
    pool = xgpu_async_pool()
    pthread_mutex_lock(pool.mutex)
    rank = group.rank
    group.rank += 1
    if atomic_load(token.state) != UNAVAILABLE:
        async_count_token(pool, group, atomic_load(token.state))
    else:
        mlirAsyncRuntimeAddRef(group, 1)
        async_append(token, async_task(ptr(0), ptr(0), group))
    pthread_mutex_unlock(pool.mutex)
    return rank


# -- awaiting


def async_wait(thing: AsyncObject) -> None:
    """Blocks the calling thread until `thing` is available, or the program has failed."""
    pool = xgpu_async_pool()
    pthread_mutex_lock(pool.mutex)
    if atomic_load(thing.state) == UNAVAILABLE:
        thing.waiting += 1
        if xgpu_async_is_worker(pool):
            thing.blocked += 1
            pool.blocked += 1
            if pool.queued != 0:
                async_balance(pool)
        else:
            pool.waiting += 1
        async_check_stuck(pool)
    while atomic_load(thing.state) == UNAVAILABLE and pool.failed == 0:
        pthread_cond_wait(pool.done, pool.mutex)
    failed = pool.failed if atomic_load(thing.state) == UNAVAILABLE else i32(0)
    pthread_mutex_unlock(pool.mutex)
    if failed != 0:
        xgpu_throw(failed)


def async_check_stuck(pool: AsyncPool) -> None:
    """If nothing can ever become available, the program fails."""
    if pool.queued != 0 or pool.threads != pool.idle + pool.blocked:
        return
    if pool.draining != 0:
        pthread_cond_broadcast(pool.done)
    elif pool.waiting != 0 and pool.detect != 0 and pool.failed == 0:
        async_fail(pool, THROW_STUCK)


def async_fail(pool: AsyncPool, code: i32) -> None:
    if pool.failed == 0:
        pool.failed = code
    pthread_cond_broadcast(pool.done)
    pthread_cond_broadcast(pool.work)
    pthread_cond_broadcast(pool.spare)


def mlirAsyncRuntimeAwaitToken(token: AsyncObject) -> None:
    async_wait(token)


def mlirAsyncRuntimeAwaitValue(value: AsyncObject) -> None:
    async_wait(value)


def mlirAsyncRuntimeAwaitAllInGroup(group: AsyncObject) -> None:
    async_wait(group)


def async_resume_after(thing: AsyncObject, handle: ptr, resume: ptr) -> None:
    pool = xgpu_async_pool()
    task = async_task(handle, resume, None)
    pthread_mutex_lock(pool.mutex)
    if atomic_load(thing.state) == UNAVAILABLE:
        async_append(thing, task)
    else:
        async_enqueue(pool, task)
    pthread_mutex_unlock(pool.mutex)


def mlirAsyncRuntimeAwaitTokenAndExecute(token: AsyncObject, handle: ptr, resume: ptr) -> None:
    async_resume_after(token, handle, resume)


def mlirAsyncRuntimeAwaitValueAndExecute(value: AsyncObject, handle: ptr, resume: ptr) -> None:
    async_resume_after(value, handle, resume)


def mlirAsyncRuntimeAwaitAllInGroupAndExecute(group: AsyncObject, handle: ptr, resume: ptr) -> None:
    async_resume_after(group, handle, resume)


def mlirAsyncRuntimeExecute(handle: ptr, resume: ptr) -> None:
    pool = xgpu_async_pool()
    task = async_task(handle, resume, None)
    pthread_mutex_lock(pool.mutex)
    async_enqueue(pool, task)
    pthread_mutex_unlock(pool.mutex)


# -- threads


def mlirAsyncRuntimGetNumWorkerThreads() -> i64:
    pool = xgpu_async_pool()
    return pool.limit


def async_leave(pool: AsyncPool) -> None:
    """The calling worker ends; with the lock held, which it gives back."""
    pool.threads -= 1
    async_check_stuck(pool)
    pthread_cond_broadcast(pool.done)
    pthread_mutex_unlock(pool.mutex)


def async_park(pool: AsyncPool) -> None:
    """One worker too many, for one that was blocked goes on: rests until the next is blocked."""
    pool.threads -= 1
    if pool.queued != 0 and pool.idle != 0:
        pthread_cond_signal(pool.work)
    async_check_stuck(pool)
    pool.parked += 1
    while pool.tickets == 0 and pool.failed == 0:
        pthread_cond_wait(pool.spare, pool.mutex)
    pool.parked -= 1
    if pool.tickets != 0:
        pool.tickets -= 1
    else:
        pool.threads += 1


def async_work(pool: AsyncPool) -> None:
    """What a worker does: one task after another."""
    pthread_mutex_lock(pool.mutex)
    while True:
        if pool.failed != 0 or pool.stopping != 0:
            async_leave(pool)
            return
        if pool.threads - pool.blocked > pool.limit:
            async_park(pool)
            continue
        task = pool.first
        if task is None:
            pool.idle += 1
            async_check_stuck(pool)
            pthread_cond_wait(pool.work, pool.mutex)
            pool.idle -= 1
        else:
            pool.first = task.next
            if pool.first is None:
                pool.last = None
            pool.queued -= 1
            pthread_mutex_unlock(pool.mutex)
            handle = task.handle
            resume_function = task.resume
            free(task)
            invoke(resume_function, None, handle)
            pthread_mutex_lock(pool.mutex)


def async_thrown(pool: AsyncPool, code: i32) -> None:
    """A worker was thrown out of its task: the program fails."""
    pthread_mutex_lock(pool.mutex)
    async_fail(pool, code)
    async_leave(pool)


def xgpu_async_start(limit: i64, detect: i32) -> None:
    """Before a program: how many workers, and whether to tell when it can never go on."""
    pool = xgpu_async_pool()
    pool.limit = limit
    pool.detect = detect


def xgpu_async_stop(failed: i32) -> i32:
    """After a program: waits for its tasks, unless it has failed, and ends the workers.

    Returns what a task was thrown out with.
    """
    pool = xgpu_async_pool()
    pthread_mutex_lock(pool.mutex)
    if failed != 0:
        async_fail(pool, THROW_PROGRAM)
    pool.draining = 1
    while pool.failed == 0 and (pool.queued != 0 or pool.threads != pool.idle + pool.blocked):
        pthread_cond_wait(pool.done, pool.mutex)
    code = pool.failed
    pool.stopping = 1
    # Workers that are still blocked wait for what will never be.
    async_fail(pool, THROW_PROGRAM)
    while pool.threads + pool.parked != 0:
        pthread_cond_wait(pool.done, pool.mutex)
    while pool.first is not None:
        task = pool.first
        pool.first = task.next
        free(task)
    pool.last = None
    pool.queued = 0
    pool.blocked = 0
    pool.waiting = 0
    pool.draining = 0
    pool.stopping = 0
    pool.failed = 0
    pthread_mutex_unlock(pool.mutex)
    return code if failed == 0 else i32(0)


def xgpu_async_alive() -> i64:
    """Tokens, values and groups that were not dropped, forgotten from here on."""
    pool = xgpu_async_pool()
    return atomic_exchange(pool.alive, 0)
