# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pass `host-sanitize` calls before operations on many bytes: copies and fills by one
thread, matrices that a warp loads and stores together; and the heap of kernels."""

from __future__ import annotations

from xgpu.host_device.native.prelude import i32, i64, ptr
from xgpu.host_device.native.records import CODE_NO_BLOCK, SanBlock, SanState, Thread
from xgpu.host_device.native.sources.sanitizer_access import (
    aligned,
    complain,
    flags_of,
    inside,
    is_private,
    site_of,
    size_in,
)
from xgpu.host_device.native.sources.sanitizer_allocations import add_allocation
from xgpu.host_device.native.sources.sanitizer_clocks import block_of
from xgpu.host_device.native.sources.sanitizer_pages import find_page
from xgpu.host_device.native.sources.sanitizer_state import (
    ALLOCATION_HOST,
    LIVE,
    RELEASED,
    xgpu_san_state,
)
from xgpu.host_device.native.sources.sanitizer_sync import usable
from xgpu.host_device.native.sources.sanitizer_touch import in_shared, touch


def seen(s: SanState, k: SanBlock, t: Thread, info: i64, address: i64, size: i64) -> None:
    """An access to bytes that are there, if they are not the thread's own."""
    unknown = i64(find_page(s, address)) == 0 and not in_shared(k, address)
    if unknown and is_private(k, t, address):
        return
    own = k.threads[t.linear]
    touch(s, k, own, t.linear, t.linear, own.clock, site_of(info), flags_of(info), address, size,
          True)  # fmt: skip


def xgpu_san_block(t: Thread, address: ptr, info: i64, root: ptr, extent: i64, size: i64) -> ptr:
    """Before a thread copies or fills `size` bytes: one of its operands."""
    s = xgpu_san_state()
    k = block_of(s, t)
    at = i64(address)
    if size <= 0:
        return address
    if not inside(s, k, t, t.linear, site_of(info), flags_of(info), at, size, i64(root), extent):
        return s.sink
    seen(s, k, t, info, at, size)
    return address


def xgpu_san_mbarrier_range(t: Thread, address: ptr, info: i64) -> ptr:
    """Before a copy that an mbarrier counts."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if usable(s, k, t, address, info):
        return address
    return s.sink


def xgpu_san_lane_rows(
    t: Thread, address: ptr, info: i64, root: ptr, extent: i64, lanes: i32
) -> ptr:  # fmt: skip
    """Before ldmatrix: each of the first lanes gives the address of a row."""
    if (t.linear & 31) >= lanes:
        return address
    return row_at(t, address, info, i64(root), extent)


def row_at(t: Thread, address: ptr, info: i64, root: i64, extent: i64) -> ptr:
    s = xgpu_san_state()
    k = block_of(s, t)
    at = i64(address)
    size = size_in(info)
    if not inside(s, k, t, t.linear, site_of(info), flags_of(info), at, size, root, extent):
        return s.sink
    aligned(s, k, t.linear, site_of(info), flags_of(info), info, at)
    seen(s, k, t, info, at, size)
    return address


def xgpu_san_matrix_rows(
    t: Thread, address: ptr, info: i64, root: ptr, extent: i64, rows: i32, stride: i64
) -> ptr:  # fmt: skip
    """Before a warp loads or stores a matrix: a lane stands for each row."""
    s = xgpu_san_state()
    k = block_of(s, t)
    last = i64(address) + i64(rows - 1) * stride
    site = site_of(info)
    flags = flags_of(info)
    for end in range(2):
        at = i64(address) if end == 0 else last
        if not inside(s, k, t, t.linear, site, flags, at, size_in(info), i64(root), extent):
            return s.sink
    lane = t.linear & 31
    if lane < rows:
        row_at(t, ptr(i64(address) + i64(lane) * stride), info, i64(root), extent)
    return address


def xgpu_san_rank(t: Thread, rank: i32, info: i64) -> i32:
    """Before mapa: the rank of a block, or 0 where the cluster does not have it."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if rank >= 0 and rank <= k.last - k.first:
        return rank
    complain(s, k, t.linear, CODE_NO_BLOCK, site_of(info), 0, 0, 0, -1,
             (i64(k.last - k.first + 1) << 32) | (i64(rank) & 4294967295))  # fmt: skip
    return 0


def xgpu_san_nowhere(t: Thread) -> ptr:
    """Memory of nobody's, for what must not be done."""
    return xgpu_san_state().sink


def xgpu_san_heap_allocate(t: Thread, address: ptr, size: i64) -> None:
    """Behind malloc of a kernel."""
    if i64(address) != 0:
        s = xgpu_san_state()
        block_of(s, t)
        add_allocation(s, i64(address), size, ALLOCATION_HOST)


def xgpu_san_heap_free(t: Thread, address: ptr) -> None:
    """Before free of a kernel."""
    s = xgpu_san_state()
    block_of(s, t)
    number = s.allocation_count - 1
    while number >= 0:
        a = s.allocations[i64(number)]
        if a.begin == i64(address) and a.kind == ALLOCATION_HOST and a.state == LIVE:
            a.state = RELEASED
            return
        number = number - 1
