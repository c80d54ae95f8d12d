# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of all iterations of a loop: `count` of them, `stride` bytes apart."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i1, i32, i64, lshr
from xgpu.host_device.native.records import SanScreen, Thread
from xgpu.host_device.native.sources.sanitizer_checks import (
    access_size,
    highest,
    in_block,
    lowest,
    misplaced,
    own_states,
    row,
    site_in,
    xgpu_san_v_one,
    xgpu_san_v_row,
)
from xgpu.host_device.native.sources.sanitizer_screen import stop
from xgpu.host_device.native.sources.sanitizer_state import xgpu_san_state
from xgpu.host_device.native.sources.sanitizer_states import (
    own_read_common,
    own_shared,
    own_written,
)


def xgpu_san_v_rows(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64, stride: i64,
    count: i64,
) -> i32:  # fmt: skip
    v = xgpu_san_state().screen
    bytes = (highest(mask) + 1) * access_size(info)
    full = mask & (mask + 1) == 0 and count > 0
    if full and stride == bytes and in_block(v, address) and extent >= bytes * count:
        fits = not misplaced(address, bytes * count, root, extent, info)
        cells = (bytes * count) >> v.shift
        if fits and rows_known(v, own_states(v, address), cells):
            return 1
    at = address
    for _ in range(count):
        if xgpu_san_v_row(t, at, root, extent, info, own, mask) == 0:
            return 0
        at = at + stride
    return 1


def rows_known(v: SanScreen, states: Ptr[i32], count: i64) -> i1:
    """Whether reads of some cells by all lanes of a vector say nothing new."""
    if v.races == 0:
        return v.inits == 0 or own_written(states, count)
    return own_shared(v, states, count)


def xgpu_san_v_ones(
    t: Thread, address: i64, root: i64, extent: i64, info: i64, own: i32, mask: i64, stride: i64,
    count: i64,
) -> i32:  # fmt: skip
    v = xgpu_san_state().screen
    size = access_size(info)
    several = mask & (mask - 1) != 0 and count > 0
    if several and stride == size and size == 1 << v.shift and in_block(v, address):
        bytes = size * count
        if extent >= bytes and not misplaced(address, bytes, root, extent, info):
            first = own + i32(lowest(mask))
            if v.races == 0:
                if v.inits == 0 or own_written(own_states(v, address), count):
                    return 1
            elif own_read_common(v, own_states(v, address), count, first):
                return 1
            return stop(v, site_in(info))
    at = address
    for _ in range(count):
        if xgpu_san_v_one(t, at, root, extent, info, own, mask) == 0:
            return 0
        at = at + stride
        if stride == 0:
            return 1
    return 1


def xgpu_san_v_manys(
    t: Thread, addresses: Ptr[i64], root: i64, extent: i64, info: i64, own: i32, mask: i64,
    stride: i64, count: i64,
) -> i32:  # fmt: skip
    s = xgpu_san_state()
    size = access_size(info)
    for i in range(count):
        rest = mask
        lane: i64 = 0
        while rest != 0:
            at = addresses[lane] + stride * i
            active = (rest & 1) != 0
            if active and not row(s, s.screen, at, size, size, root, extent, info,
                                  i64(own) + lane, 1):  # fmt: skip
                return stop(s.screen, site_in(info))
            rest = lshr(rest, 1)
            lane += 1
    return 1
