# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bulk and tensor copies that wait until a thread cannot do without them.

An asynchronous copy may take its time: until its mbarrier's phase is what all threads wait for, or
its thread waits for its group. Here are the copies of a worker that have been asked for, in order;
`expired_copies` does them.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i32, i64, ptr, sizeof
from xgpu.host_device.native.records import LateCopy, Thread, Worker
from xgpu.host_device.native.sources.libc import free, malloc

LATE_BULK_LOAD = 0
LATE_BULK_STORE = 1
LATE_TENSOR_LOAD = 2
LATE_TENSOR_STORE = 3
LATE_GATHER = 4
LATE_SCATTER = 5
LATE_ANSWER = 6


def put_off(
    t: Thread, kind: i32, target: ptr, bar: Ptr[i64], source: ptr, start: Ptr[i32], size: i32
) -> None:
    """Keep a copy for later. `size` is its bytes, or for a tensor copy the numbers in `start`."""
    copy = LateCopy(malloc(sizeof(LateCopy)))
    copy.next = None
    copy.thread = t
    copy.target = target
    copy.bar = bar
    copy.source = source
    copy.size = size
    copy.kind = kind
    if kind >= LATE_TENSOR_LOAD and kind != LATE_ANSWER:
        for d in range(size):
            copy.start[d] = start[d]
    w = t.block.worker
    last = w.last_late
    if last is None:
        w.late = copy
    else:
        last.next = copy
    w.last_late = copy


def forget_late(w: Worker) -> None:
    """A launch has failed: its copies are not needed any more."""
    copy = w.late
    while copy is not None:
        following = copy.next
        free(copy)
        copy = following
    w.late = None
    w.last_late = None
