# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bulk copies and TMA.

A copy is done at once, and its bytes are reported to the mbarrier, as if it had been that fast;
or, in a launch that asks for it, as late as may be (`deferred_copies`).
Swizzling permutes 16-byte pieces: the piece's number is xor'ed with the number of its 128-byte line
(PTX ISA, "swizzling modes"); addresses count from the start of the block's shared memory.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import ANSWER_BYTES, MISUSE_PAIR, MISUSE_TENSOR_LINES, OF_PAIRS
from xgpu.host_device.native.prelude import Ptr, copy_bytes, i1, i32, i64, ptr, zero_bytes
from xgpu.host_device.native.records import ORDER_LATE, TensorMap, Thread
from xgpu.host_device.native.sources.deferred_copies import (
    LATE_ANSWER,
    LATE_BULK_LOAD,
    LATE_BULK_STORE,
    LATE_GATHER,
    LATE_SCATTER,
    LATE_TENSOR_LOAD,
    LATE_TENSOR_STORE,
    put_off,
)
from xgpu.host_device.native.sources.device_functions import misuse
from xgpu.host_device.native.sources.mbarrier import xgpu_getctarank, xgpu_mbarrier_complete_tx
from xgpu.host_device.native.sources.tensor_maps import LINES, dimensions, element_size

SWIZZLE_32 = 1
SWIZZLE_64 = 2
SWIZZLE_128 = 3

COORDINATES = 5  # where the lines begin, and their numbers


def swizzled(offset: i64, mode: i32) -> i64:
    line = offset >> 7
    if mode == SWIZZLE_32:
        return offset ^ ((line & 1) << 4)
    if mode == SWIZZLE_64:
        return offset ^ ((line & 3) << 4)
    if mode == SWIZZLE_128:
        return offset ^ ((line & 7) << 4)
    return offset


def box_elements(map: TensorMap) -> i64:
    count: i64 = 1
    for d in range(dimensions(map)):
        count = count * i64(map.box[d])
    return count


def line_address(map: TensorMap, index: i64, start: Ptr[i32]) -> i64:
    """The address of an element of four lines of a matrix, or 0 outside of it. `start` is where
    each begins and the numbers of the lines."""
    width = i64(map.box[0])
    at = i64(start[0]) + index % width
    line = i64(start[1 + index // width])
    if at < 0 or at >= map.sizes[0] or line < 0 or line >= map.sizes[1]:
        return 0
    return i64(map.base) + line * map.strides[0] + at * element_size(map)


def require_matrix(t: Thread, map: TensorMap) -> None:
    if dimensions(map) != 2:
        misuse(t, MISUSE_TENSOR_LINES)


def place_of(map: TensorMap, index: i64, start: Ptr[i32], lines: i1) -> i64:
    """The address of an element of four `lines`, or of a box."""
    if lines:
        return line_address(map, index, start)
    return element_address(map, index, start)


def elements_of(map: TensorMap, lines: i1) -> i64:
    if lines:
        return LINES * i64(map.box[0])
    return box_elements(map)


def element_address(map: TensorMap, index: i64, start: Ptr[i32]) -> i64:
    """The address of an element of the box whose corner is `start`, or 0 outside the tensor."""
    address = i64(map.base)
    rest = index
    for d in range(dimensions(map)):
        at = i64(start[d]) + rest % i64(map.box[d])
        rest = rest // i64(map.box[d])
        if at < 0 or at >= map.sizes[d]:
            return 0
        if d == 0:
            address = address + at * element_size(map)
        else:
            address = address + at * map.strides[d - 1]
    return address


def xgpu_tma_load(t: Thread, target: ptr, bar: Ptr[i64], map: TensorMap, start: Ptr[i32]) -> None:
    """Global to shared: one box; what lies outside the tensor reads as zero."""
    load(t, target, bar, map, start, False)


def load(t: Thread, target: ptr, bar: Ptr[i64], map: TensorMap, start: Ptr[i32], lines: i1) -> None:
    if (t.block.launch.order & ORDER_LATE) != 0:
        if lines:
            put_off(t, LATE_GATHER, target, bar, map, start, COORDINATES)
        else:
            put_off(t, LATE_TENSOR_LOAD, target, bar, map, start, dimensions(map))
    else:
        tensor_load(t, target, bar, map, start, lines)


def tensor_load(
    t: Thread, target: ptr, bar: Ptr[i64], map: TensorMap, start: Ptr[i32], lines: i1
) -> None:
    size = element_size(map)
    count = elements_of(map, lines)
    base = i64(t.block.shared)
    for i in range(count):
        offset = swizzled(i64(target) - base + i * size, map.swizzle)
        source = place_of(map, i, start, lines)
        if source != 0:
            copy_bytes(ptr(base + offset), ptr(source), size)
        else:
            zero_bytes(ptr(base + offset), size)
    xgpu_mbarrier_complete_tx(t, bar, i32(count * size))


def xgpu_tma_store(t: Thread, source: ptr, map: TensorMap, start: Ptr[i32]) -> None:
    """Shared to global: one box; what lies outside the tensor is dropped."""
    if (t.block.launch.order & ORDER_LATE) != 0:
        put_off(t, LATE_TENSOR_STORE, source, Ptr[i64](None), map, start, dimensions(map))
    else:
        tensor_store(t, source, map, start, False)


def xgpu_tma_scatter(t: Thread, source: ptr, map: TensorMap, start: Ptr[i32]) -> None:
    """Shared to global: four lines of a matrix; what lies outside of it is dropped."""
    require_matrix(t, map)
    if (t.block.launch.order & ORDER_LATE) != 0:
        put_off(t, LATE_SCATTER, source, Ptr[i64](None), map, start, COORDINATES)
    else:
        tensor_store(t, source, map, start, True)


def tensor_store(t: Thread, source: ptr, map: TensorMap, start: Ptr[i32], lines: i1) -> None:
    size = element_size(map)
    base = i64(t.block.shared)
    for i in range(elements_of(map, lines)):
        offset = swizzled(i64(source) - base + i * size, map.swizzle)
        target = place_of(map, i, start, lines)
        if target != 0:
            copy_bytes(ptr(target), ptr(base + offset), size)


def xgpu_tma_multicast(
    t: Thread, target: ptr, bar: Ptr[i64], map: TensorMap, start: Ptr[i32], mask: i32
) -> None:
    """The same box into every block of the cluster that `mask` names; each says so to its mbarrier,
    or that of its pair (`signalled`)."""
    multicast(t, target, bar, map, start, mask, False)


def xgpu_tma_gather(
    t: Thread, target: ptr, bar: Ptr[i64], map: TensorMap, start: Ptr[i32], mask: i32
) -> None:
    """Global to shared: four lines of a matrix, into every block that `mask` names if it is not 0;
    what lies outside of the matrix reads as zero."""
    require_matrix(t, map)
    if mask == 0:
        load(t, target, bar, map, start, True)
    else:
        multicast(t, target, bar, map, start, mask, True)


def multicast(
    t: Thread, target: ptr, bar: Ptr[i64], map: TensorMap, start: Ptr[i32], mask: i32, lines: i1
) -> None:
    g = t.block.group
    base = i64(t.block.shared)
    for rank in range(g.cluster_size):
        if ((mask >> rank) & 1) != 0:
            other = g.threads[rank * g.count]
            place = ptr(i64(target) - base + i64(other.block.shared))
            load(other, place, signalled(t, bar, rank, mask), map, start, lines)


def xgpu_tma_zeros(t: Thread, target: ptr, bar: Ptr[i64], size: i32, mask: i32) -> None:
    """Zeros instead of a box, into every block that `mask` names if it is not 0."""
    if mask == 0:
        zero_bytes(target, i64(size))
        xgpu_mbarrier_complete_tx(t, bar, size)
        return
    g = t.block.group
    base = i64(t.block.shared)
    for rank in range(g.cluster_size):
        if ((mask >> rank) & 1) != 0:
            other = g.threads[rank * g.count]
            zero_bytes(ptr(i64(target) - base + i64(other.block.shared)), i64(size))
            xgpu_mbarrier_complete_tx(other, signalled(t, bar, rank, mask), size)


def signalled(t: Thread, bar: Ptr[i64], rank: i32, mask: i32) -> Ptr[i64]:
    """The mbarrier of a multicast's copy into block `rank`, at the place that `bar` has in its
    block. Of cta_group::2 it is in that block of a pair which is even or odd as the block of `bar`.
    """
    g = t.block.group
    home = xgpu_getctarank(t, ptr(bar))
    to = rank
    if (mask & OF_PAIRS) != 0:
        to = (rank & -2) | (home & 1)
        if to >= g.cluster_size:
            misuse(t, MISUSE_PAIR)
    own = i64(g.threads[home * g.count].block.shared)
    return Ptr[i64](i64(bar) - own + i64(g.threads[to * g.count].block.shared))


def xgpu_bulk_multicast(
    t: Thread, target: ptr, bar: Ptr[i64], source: ptr, size: i32, mask: i32
) -> None:
    """Into every block of the cluster that `mask` names, and its mbarrier."""
    g = t.block.group
    base = i64(t.block.shared)
    for rank in range(g.cluster_size):
        if ((mask >> rank) & 1) != 0:
            other = g.threads[rank * g.count]
            shift = i64(other.block.shared) - base
            xgpu_bulk_load(
                other, ptr(i64(target) + shift), Ptr[i64](i64(bar) + shift), source, size
            )


def xgpu_try_cancel(t: Thread, answer: ptr, bar: Ptr[i64], to_all: i32) -> None:
    """clusterlaunchcontrol.try_cancel: to the own block or to all of the cluster, the answer that
    no block has been given up. As on a GPU where all have begun: 16 bytes of zeros."""
    g = t.block.group
    base = i64(t.block.shared)
    for rank in range(g.cluster_size):
        if to_all != 0 or rank == t.block.cluster_rank:
            other = g.threads[rank * g.count]
            shift = i64(other.block.shared) - base
            to = Ptr[i64](i64(bar) + shift)
            if (t.block.launch.order & ORDER_LATE) != 0:
                put_off(other, LATE_ANSWER, ptr(i64(answer) + shift), to, ptr(0), Ptr[i32](None), 0)
            else:
                give_answer(other, ptr(i64(answer) + shift), to)


def give_answer(t: Thread, answer: ptr, bar: Ptr[i64]) -> None:
    zero_bytes(answer, i64(ANSWER_BYTES))
    xgpu_mbarrier_complete_tx(t, bar, ANSWER_BYTES)


def xgpu_bulk_load(t: Thread, target: ptr, bar: Ptr[i64], source: ptr, size: i32) -> None:
    if (t.block.launch.order & ORDER_LATE) != 0:
        put_off(t, LATE_BULK_LOAD, target, bar, source, Ptr[i32](None), size)
    else:
        bulk_load(t, target, bar, source, size)


def bulk_load(t: Thread, target: ptr, bar: Ptr[i64], source: ptr, size: i32) -> None:
    copy_bytes(target, source, i64(size))
    xgpu_mbarrier_complete_tx(t, bar, size)


def xgpu_bulk_store(t: Thread, target: ptr, source: ptr, size: i32) -> None:
    if (t.block.launch.order & ORDER_LATE) != 0:
        put_off(t, LATE_BULK_STORE, target, Ptr[i64](None), source, Ptr[i32](None), size)
    else:
        copy_bytes(target, source, i64(size))
