# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies that were put off (`deferred_copies`) and that a thread cannot do without any more."""

from __future__ import annotations

from xgpu.host_device.native.prelude import copy_bytes, i1, i64
from xgpu.host_device.native.records import LateCopy, TensorMap, Thread, Worker
from xgpu.host_device.native.sources.deferred_copies import (
    LATE_ANSWER,
    LATE_BULK_LOAD,
    LATE_BULK_STORE,
    LATE_GATHER,
    LATE_SCATTER,
    LATE_TENSOR_LOAD,
    LATE_TENSOR_STORE,
)
from xgpu.host_device.native.sources.libc import free
from xgpu.host_device.native.sources.tma import bulk_load, give_answer, tensor_load, tensor_store


def do_first(w: Worker) -> i1:
    """Do the copy that has waited longest; whether there was one."""
    copy = w.late
    if copy is None:
        return False
    w.late = copy.next
    if w.late is None:
        w.last_late = None
    perform(copy)
    free(copy)
    return True


def perform(copy: LateCopy) -> None:
    t = copy.thread
    if copy.kind == LATE_BULK_LOAD:
        bulk_load(t, copy.target, copy.bar, copy.source, copy.size)
    elif copy.kind == LATE_BULK_STORE:
        copy_bytes(copy.target, copy.source, i64(copy.size))
    elif copy.kind == LATE_ANSWER:
        give_answer(t, copy.target, copy.bar)
    elif copy.kind == LATE_TENSOR_LOAD or copy.kind == LATE_GATHER:
        lines = copy.kind == LATE_GATHER
        tensor_load(t, copy.target, copy.bar, TensorMap(copy.source), copy.start, lines)
    else:
        lines = copy.kind == LATE_SCATTER
        tensor_store(t, copy.target, TensorMap(copy.source), copy.start, lines)


def xgpu_late_stores(t: Thread) -> None:
    """A thread waits for groups of bulk copies: its stores are done."""
    w = t.block.worker
    before: LateCopy | None = None
    copy = w.late
    while copy is not None:
        following = copy.next
        tensor = copy.kind == LATE_TENSOR_STORE or copy.kind == LATE_SCATTER
        stores = tensor or copy.kind == LATE_BULK_STORE
        if stores and i64(copy.thread) == i64(t):
            if before is None:
                w.late = following
            else:
                before.next = following
            perform(copy)
            free(copy)
        else:
            before = copy
        copy = following
    w.last_late = before
