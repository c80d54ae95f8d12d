# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies by `cp.async` in an order in which they come late: each thread keeps its own, in order,
until it waits for their groups, lets them arrive at an mbarrier, or ends."""

from __future__ import annotations

from xgpu.host_device.native.prelude import copy_bytes, i32, i64, ptr, sizeof, zero_bytes
from xgpu.host_device.native.records import SanLate, SanThread
from xgpu.host_device.native.sources.libc import free, malloc


def put_off_copy(own: SanThread, target: ptr, source: ptr, size: i64, bytes: i64) -> None:
    late = SanLate(malloc(sizeof(SanLate)))
    late.next = None
    late.target = target
    late.source = source
    late.size = size
    late.bytes = bytes
    late.group = own.copies + 1
    last = own.last_late
    if last is None:
        own.late = late
    else:
        last.next = late
    own.last_late = late


def copy_padded(target: ptr, source: ptr, size: i64, bytes: i64) -> None:
    zero_bytes(target, size)
    copy_bytes(target, source, bytes)


def perform_late(own: SanThread, group: i32) -> None:
    """Do the copies of groups up to `group` that were put off."""
    late = own.late
    while late is not None and late.group <= group:
        copy_padded(late.target, late.source, late.size, late.bytes)
        following = late.next
        free(late)
        late = following
    own.late = late
    if late is None:
        own.last_late = None
