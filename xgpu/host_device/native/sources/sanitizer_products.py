# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices by warpgroups (`wgmma`): what they read through descriptors.

The four warps of a warpgroup each read 16 rows of A and all of B, through the asynchronous proxy,
and may do so until somebody has waited for the group. So each warp has an agent for it, whose clock
is the number of the group; the first lane stands for its warp, which is of one mind.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import i1, i32, i64, lshr
from xgpu.host_device.native.records import (
    CODE_UNFENCED,
    CODE_UNFINISHED,
    KIND_RACE,
    SanBlock,
    SanState,
    SanThread,
    Thread,
)
from xgpu.host_device.native.sources.descriptors import operand_address
from xgpu.host_device.native.sources.sanitizer_access import inside, site_of
from xgpu.host_device.native.sources.sanitizer_clocks import block_of, learn
from xgpu.host_device.native.sources.sanitizer_shadow import FLAG_ASYNC, fill_report
from xgpu.host_device.native.sources.sanitizer_state import report_of, xgpu_san_state
from xgpu.host_device.native.sources.sanitizer_sync import GROUP_WARPS, product_agent, sync_report
from xgpu.host_device.native.sources.sanitizer_touch import touch

WARP = 32
ROWS = 16  # of A that a warp multiplies
PIECE = 16  # bytes that lie side by side, however rows are swizzled


def read_piece(
    s: SanState, k: SanBlock, t: Thread, own: SanThread, descriptor: i64, major: i64, minor: i64,
    transposed: i32, info: i64,
) -> i1:  # fmt: skip
    """16 bytes of an operand; whether they are there."""
    at = i64(t.block.shared) + operand_address(descriptor, major, minor, transposed, 0)
    site = site_of(info)
    if not inside(s, k, t, t.linear, site, FLAG_ASYNC, at, PIECE, 0, -1):
        return False
    agent = product_agent(k, t.linear // WARP)
    clock = own.products + 1
    touch(s, k, own, t.linear, agent, clock, site, FLAG_ASYNC, at, PIECE, True)
    return True


def read_matrix(
    s: SanState, k: SanBlock, t: Thread, own: SanThread, descriptor: i64, first: i64, rows: i64,
    depth: i64, size: i64, transposed: i32, info: i64,
) -> None:  # fmt: skip
    """`rows` rows from `first` on of a matrix whose other side has `depth` elements of `size`
    bytes. Transposed, the rows are what lies side by side."""
    outer = rows
    inner = depth * size
    start: i64 = 0
    if transposed != 0:
        outer = depth
        inner = rows * size
        start = first * size
    for i in range(outer):
        at: i64 = 0
        while at < inner:
            fine = True
            if transposed != 0:
                fine = read_piece(s, k, t, own, descriptor, start + at, i, transposed, info)
            else:
                fine = read_piece(s, k, t, own, descriptor, first + i, at, transposed, info)
            if not fine:
                return
            at = at + PIECE


def xgpu_san_wgmma(t: Thread, a: i64, b: i64, info: i64, shape: i64, layouts: i32) -> None:
    """Before wgmma.mma_async. `shape` holds n (bits 0 to 15), k (16 to 31), the bytes of an element
    (32 to 39), and bit 40 if A is in registers; `layouts` which of A (1), B (2) is transposed."""
    if t.linear % WARP != 0:
        return
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    if own.fenced_products == 0:
        sync_report(s, k, t.linear, CODE_UNFENCED, site_of(info), 0, 0, 0)
    depth = lshr(shape, 16) & 65535
    size = lshr(shape, 32) & 255
    warp = i64(t.linear // WARP) % GROUP_WARPS
    if (lshr(shape, 40) & 1) == 0:
        read_matrix(s, k, t, own, a, warp * ROWS, ROWS, depth, size, layouts & 1, info)
    read_matrix(s, k, t, own, b, 0, shape & 65535, depth, size, layouts & 2, info)


def xgpu_san_wgmma_fence(t: Thread) -> None:
    s = xgpu_san_state()
    block_of(s, t).threads[t.linear].fenced_products = 1


def xgpu_san_wgmma_commit(t: Thread) -> None:
    s = xgpu_san_state()
    own = block_of(s, t).threads[t.linear]
    own.products += 1


def xgpu_san_wgmma_group(t: Thread) -> i32:
    """Before a product: the number of its group."""
    s = xgpu_san_state()
    return block_of(s, t).threads[t.linear].products + 1


def xgpu_san_wgmma_read(t: Thread, group: i32, product: i64, info: i64) -> None:
    """Before a use of what a product of that group has written to registers."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    if group <= own.done_products or (s.kinds & KIND_RACE) == 0:
        return
    r = report_of(s, CODE_UNFINISHED, site_of(info), site_of(product))
    if i64(r) == 0:
        return
    r.count += 1
    if r.count == 1:
        fill_report(s, r, KIND_RACE, k, t.linear, 0, 0, 0)


def xgpu_san_wgmma_wait(t: Thread, groups: i32, info: i64) -> None:
    """Behind wgmma.wait_group: what the warp itself has read for products is over, up to the last
    `groups` (PTX ISA: groups "committed by the executing threads"); other warps may lag behind."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    own.site = site_of(info)
    learn(k, own, product_agent(k, t.linear // WARP), own.products - groups)
    own.done_products = own.products - groups
