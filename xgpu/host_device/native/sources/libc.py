# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the C library."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, extern, i32, i64, ptr


@extern
def pthread_mutex_lock(mutex: Ptr[i64]) -> i32: ...


@extern
def pthread_mutex_unlock(mutex: Ptr[i64]) -> i32: ...


@extern
def pthread_cond_wait(condition: Ptr[i64], mutex: Ptr[i64]) -> i32: ...


@extern
def pthread_cond_timedwait(condition: Ptr[i64], mutex: Ptr[i64], until: Ptr[i64]) -> i32: ...


@extern
def pthread_kill(thread: i64, number: i32) -> i32: ...


@extern
def pthread_cond_signal(condition: Ptr[i64]) -> i32: ...


@extern
def pthread_cond_broadcast(condition: Ptr[i64]) -> i32: ...


@extern
def malloc(size: i64) -> ptr: ...


@extern
def pthread_self() -> i64: ...


@extern
def pthread_setspecific(key: i32, value: ptr) -> i32: ...


@extern
def sigaltstack(new: ptr, old: ptr | None) -> i32: ...


@extern
def signal(number: i32, handler: ptr | None) -> ptr: ...


@extern
def write(file: i32, data: ptr, size: i64) -> i64: ...


@extern
def _exit(code: i32) -> None: ...


@extern
def longjmp(buffer: ptr, code: i32) -> None: ...


@extern
def calloc(count: i64, size: i64) -> ptr: ...


@extern
def aligned_alloc(alignment: i64, size: i64) -> ptr: ...


@extern
def mprotect(address: ptr, size: i64, allowed: i32) -> i32: ...


@extern
def free(address: ptr) -> None: ...


@extern
def sched_yield() -> i32: ...


@extern
def usleep(microseconds: i32) -> i32: ...


@extern
def clock_gettime(clock: i32, into: Ptr[i64]) -> i32: ...
