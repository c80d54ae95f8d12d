# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asynchronous copies, matrix products, and copies of the host: agents of their own.

The host device copies at once; what counts is when a program may know of it. So an access of a
copy has the clock of an agent that is ordered before no other until a wait.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import ANSWER_BYTES, OF_PAIRS
from xgpu.host_device.native.prelude import Ptr, extern, i1, i32, i64, ptr
from xgpu.host_device.native.records import (
    FLAG_ASYNC,
    FLAG_ATOMIC,
    FLAG_COPY,
    FLAG_MODIFY,
    FLAG_WRITE,
    KIND_INIT,
    ORDER_LATE,
    SanBlock,
    SanCell,
    SanPage,
    SanState,
    SanThread,
    TensorMap,
    Thread,
)
from xgpu.host_device.native.sources.sanitizer_access import (
    flags_of,
    inside,
    marks,
    placed,
    site_of,
)
from xgpu.host_device.native.sources.sanitizer_clocks import (
    BULK,
    block_of,
    contribute_clock,
    joined,
    known_copies,
    learn,
    new_node,
    slot_of,
)
from xgpu.host_device.native.sources.sanitizer_ends import (
    copy_padded,
    owner_of,
    perform_late,
    put_off_copy,
)
from xgpu.host_device.native.sources.sanitizer_pages import (
    cell_of,
    find_page,
    is_unwritten,
    refine_for,
    spread,
)
from xgpu.host_device.native.sources.sanitizer_ranges import touch
from xgpu.host_device.native.sources.sanitizer_state import POISON, hold, let_go, xgpu_san_state
from xgpu.host_device.native.sources.sanitizer_sync import mbarrier_of, usable, used
from xgpu.host_device.native.sources.tensor_maps import LINES, dimensions, element_size

TENSOR_ALIGNMENT = 128  # of a box in shared memory (PTX ISA, tensor copies)
# What becomes of a tensor copy.
NO_COPY = 0
COPY = 1
ZEROS = 2  # it is not all there
WAIT_READ = 1  # flag of a wait: the sources may be used again, no more


@extern
def xgpu_late_stores(t: Thread) -> None: ...


@extern
def xgpu_tma_load(t: Thread, target: ptr, bar: ptr, map: TensorMap, start: Ptr[i32]) -> None: ...


@extern
def xgpu_tma_multicast(
    t: Thread, target: ptr, bar: ptr, map: TensorMap, start: Ptr[i32], mask: i32
) -> None: ...


@extern
def xgpu_tma_gather(
    t: Thread, target: ptr, bar: ptr, map: TensorMap, start: Ptr[i32], mask: i32
) -> None: ...


@extern
def xgpu_tma_zeros(t: Thread, target: ptr, bar: ptr, size: i32, mask: i32) -> None: ...


@extern
def xgpu_tma_store(t: Thread, source: ptr, map: TensorMap, start: Ptr[i32]) -> None: ...


@extern
def xgpu_tma_scatter(t: Thread, source: ptr, map: TensorMap, start: Ptr[i32]) -> None: ...


@extern
def xgpu_tma_reduce(t: Thread, source: ptr, map: TensorMap, start: Ptr[i32], kind: i32) -> None: ...


# -- cp.async


def xgpu_san_cp_async(
    t: Thread, target: ptr, source: ptr, info: i64, size: i64, bytes: i64
) -> None:
    """Before cp.async of `size` bytes, of which `bytes` are read and the rest are zero."""
    s = xgpu_san_state()
    if i64(target) == i64(s.sink) or i64(source) == i64(s.sink):
        return
    k = block_of(s, t)
    own = k.threads[t.linear]
    agent = k.count + t.linear
    clock = own.copies + 1
    site = site_of(info)
    touch(s, k, own, t.linear, agent, clock, site, FLAG_COPY | FLAG_ASYNC, i64(source), bytes, True)
    touch(s, k, own, t.linear, agent, clock, site, FLAG_WRITE | FLAG_ASYNC, i64(target), size, True)
    poison(s, i64(target), i64(source), bytes)


def xgpu_san_cp_perform(
    t: Thread, target: ptr, source: ptr, info: i64, size: i64, bytes: i64
) -> None:
    """cp.async itself, in an order in which it may come late."""
    xgpu_san_cp_async(t, target, source, info, size, bytes)
    if (t.block.launch.order & ORDER_LATE) == 0:
        copy_padded(target, source, size, bytes)
        return
    own = block_of(xgpu_san_state(), t).threads[t.linear]
    put_off_copy(own, target, source, size, bytes)


def xgpu_san_cp_commit(t: Thread) -> None:
    s = xgpu_san_state()
    own = block_of(s, t).threads[t.linear]
    own.copies += 1


def xgpu_san_cp_wait(t: Thread, groups: i32, info: i64) -> None:
    """Behind cp.async.wait_group, or wait_all with `groups` of -1."""
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    own.site = site_of(info)
    if groups < 0:
        own.copies += 1
        learn(k, own, k.count + t.linear, own.copies)
        perform_late(own, own.copies)
    else:
        learn(k, own, k.count + t.linear, own.copies - groups)
        perform_late(own, own.copies - groups)


def xgpu_san_cp_arrive(t: Thread, address: ptr, info: i64) -> ptr:
    """Before cp.async.mbarrier.arrive: the copies of the thread arrive when they are done."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if not usable(s, k, t, address, info):
        return s.sink
    own = k.threads[t.linear]
    used(s, k, own, t.linear, t.linear, own.clock, address, info)
    o = mbarrier_of(s, k, address)
    slot = slot_of(o, o.generation)
    contribute_clock(k, slot, k.count + t.linear, own.copies + 1)
    own.copies += 1
    perform_late(own, own.copies)
    return address


# -- bulk copies


def bulk_agent(k: SanBlock) -> i32:
    number = k.bulk % BULK
    k.bulk += 1
    k.bulk_clocks[i64(number)] += 1
    k.bulk_sites[i64(number)] = 0
    return k.count * 4 + number


def arrives(
    s: SanState, k: SanBlock, own: SanThread, self: i32, agent: i32, clock: i32, bar: ptr, info: i64
) -> None:
    """The bytes of a copy arrive at an mbarrier."""
    used(s, k, own, self, agent, clock, bar, info)
    o = mbarrier_of(s, k, bar)
    slot = slot_of(o, o.generation)
    home = owner_of(k, i64(bar))
    if i64(home) == i64(k):
        contribute_clock(k, slot, agent, clock)
        k.bulk_sites[i64(agent - k.count * 4)] = site_of(info)
        return
    node = new_node(s)
    node.context = k.context
    node.agent = agent
    node.clock = clock
    node.block_clock = own.block_clock
    node.threads = k.count
    node.copies = known_copies(s, k)
    slot.acquired = joined(s, slot.acquired, node)


def xgpu_san_bulk_load(t: Thread, target: ptr, bar: ptr, source: ptr, info: i64, size: i64) -> None:
    """Before a bulk copy from global to shared memory."""
    s = xgpu_san_state()
    sink = i64(s.sink)
    if i64(target) == sink or i64(source) == sink or i64(bar) == sink:
        return
    k = block_of(s, t)
    own = k.threads[t.linear]
    agent = bulk_agent(k)
    clock = k.bulk_clocks[i64(agent - k.count * 4)]
    site = site_of(info)
    touch(s, k, own, t.linear, agent, clock, site, FLAG_COPY | FLAG_ASYNC, i64(source), size, True)
    touch(s, k, own, t.linear, agent, clock, site, FLAG_WRITE | FLAG_ASYNC, i64(target), size, True)
    poison(s, i64(target), i64(source), size)
    arrives(s, k, own, t.linear, agent, clock, bar, info)


def xgpu_san_bulk_multicast(
    t: Thread, target: ptr, bar: ptr, source: ptr, info: i64, size: i64, mask: i32
) -> None:
    """Before a bulk copy from global memory to the same place of several blocks."""
    s = xgpu_san_state()
    sink = i64(s.sink)
    if i64(target) == sink or i64(source) == sink or i64(bar) == sink:
        return
    k = block_of(s, t)
    own = k.threads[t.linear]
    agent = bulk_agent(k)
    clock = k.bulk_clocks[i64(agent - k.count * 4)]
    site = site_of(info)
    touch(s, k, own, t.linear, agent, clock, site, FLAG_COPY | FLAG_ASYNC, i64(source), size, True)
    rank = (i64(target) - k.begin) // k.window
    for other in range(i64(k.last - k.first + 1)):
        if ((mask >> i32(other)) & 1) != 0:
            shift = (other - rank) * k.window
            tensor_into(s, k, t, own, agent, clock, ptr(i64(target) + shift),
                        ptr(i64(bar) + shift), size, info)  # fmt: skip
            poison(s, i64(target) + shift, i64(source), size)


def xgpu_san_bulk_store(t: Thread, target: ptr, source: ptr, info: i64, size: i64) -> None:
    """Before a bulk copy from shared to global memory."""
    s = xgpu_san_state()
    if i64(target) == i64(s.sink) or i64(source) == i64(s.sink):
        return
    k = block_of(s, t)
    own = k.threads[t.linear]
    clock = own.stores + 1
    site = site_of(info)
    own.store_group = clock
    own.store_site = site
    touch(s, k, own, t.linear, k.count * 3 + t.linear, clock, site, FLAG_COPY | FLAG_ASYNC,
          i64(source), size, True)  # fmt: skip
    touch(s, k, own, t.linear, k.count * 2 + t.linear, clock, site, FLAG_WRITE | FLAG_ASYNC,
          i64(target), size, True)  # fmt: skip
    poison(s, i64(target), i64(source), size)


def xgpu_san_bulk_commit(t: Thread) -> None:
    s = xgpu_san_state()
    own = block_of(s, t).threads[t.linear]
    own.stores += 1


def xgpu_san_bulk_wait(t: Thread, groups: i32, info: i64) -> None:
    """Behind cp.async.bulk.wait_group."""
    s = xgpu_san_state()
    k = block_of(s, t)
    xgpu_late_stores(t)
    own = k.threads[t.linear]
    own.site = site_of(info)
    learn(k, own, k.count * 3 + t.linear, own.stores - groups)
    if (flags_of(info) & WAIT_READ) == 0:
        learn(k, own, k.count * 2 + t.linear, own.stores - groups)


# -- tensor copies


def elements_of(map: TensorMap, lines: i1) -> i64:
    """How many elements a box has, or four `lines` of a matrix."""
    if lines:
        return LINES * i64(map.box[0])
    count: i64 = 1
    for d in range(dimensions(map)):
        count = count * i64(map.box[d])
    return count


def tensor_rows(
    s: SanState, k: SanBlock, t: Thread, agent: i32, clock: i32, site: i32, flags: i32,
    map: TensorMap, start: Ptr[i32], lines: i1,
) -> i1:  # fmt: skip
    """A box's part of global memory, row by row, or that of `lines`. Whether it is all there."""
    own = k.threads[t.linear]
    size = element_size(map)
    count = elements_of(map, lines)
    row = i64(map.box[0])
    low = i64(start[0])
    high = low + row
    if low < 0:
        low = 0
    if high > map.sizes[0]:
        high = map.sizes[0]
    fine = True
    index: i64 = 0
    while index < count:
        address = row_address(map, index // row, start, lines)
        if address != 0 and high > low:
            at = address + low * size
            bytes = (high - low) * size
            if inside(s, k, t, t.linear, site, flags, at, bytes, 0, -1):
                touch(s, k, own, t.linear, agent, clock, site, flags, at, bytes, True)
            else:
                fine = False
        index = index + row
    return fine


def row_address(map: TensorMap, number: i64, start: Ptr[i32], lines: i1) -> i64:
    """Where element 0 of a row of the tensor lies, or 0 outside of it."""
    address = i64(map.base)
    if lines:
        line = i64(start[1 + number])
        return 0 if line < 0 or line >= map.sizes[1] else address + line * map.strides[0]
    rest = number
    for d in range(1, dimensions(map)):
        at = i64(start[d]) + rest % i64(map.box[d])
        rest = rest // i64(map.box[d])
        if at < 0 or at >= map.sizes[d]:
            return 0
        address = address + at * map.strides[d - 1]
    return address


def xgpu_san_tensor_load(
    t: Thread, target: ptr, bar: ptr, map: TensorMap, start: Ptr[i32], info: i64, mask: i32,
    lines: i32,
) -> None:  # fmt: skip
    """A tensor copy to shared memory, of the blocks of `mask` if that is not 0: of a box, or of
    four `lines`. Zeros come instead of what is not there."""
    hold(t)
    how = loads(t, target, bar, map, start, info, mask, lines != 0)
    let_go(t)
    if how == ZEROS:
        size = elements_of(map, lines != 0) * element_size(map)
        xgpu_tma_zeros(t, target, bar, i32(size), mask)
    elif how == COPY and lines != 0:
        xgpu_tma_gather(t, target, bar, map, start, mask)
    elif how == COPY and mask != 0:
        xgpu_tma_multicast(t, target, bar, map, start, mask)
    elif how == COPY:
        xgpu_tma_load(t, target, bar, map, start)


def loads(
    t: Thread, target: ptr, bar: ptr, map: TensorMap, start: Ptr[i32], info: i64, mask: i32,
    lines: i1,
) -> i32:  # fmt: skip
    if info < 0:
        return NO_COPY
    if lines and dimensions(map) != 2:
        return COPY  # which ends the kernel
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    size = elements_of(map, lines) * element_size(map)
    site = site_of(info)
    if not usable(s, k, t, bar, info):
        return NO_COPY
    if not inside(s, k, t, t.linear, site, FLAG_WRITE | FLAG_ASYNC, i64(target), size, 0, -1):
        return NO_COPY
    placed(s, k, t.linear, site, FLAG_WRITE, i64(target), size, TENSOR_ALIGNMENT)
    agent = bulk_agent(k)
    clock = k.bulk_clocks[i64(agent - k.count * 4)]
    how: i32 = COPY
    if not tensor_rows(s, k, t, agent, clock, site, FLAG_COPY | FLAG_ASYNC, map, start, lines):
        how = ZEROS
    if mask == 0:
        tensor_into(s, k, t, own, agent, clock, target, bar, size, info)
        return how
    rank = (i64(target) - k.begin) // k.window
    home = (i64(bar) - k.begin) // k.window
    for other in range(i64(k.last - k.first + 1)):
        if ((mask >> i32(other)) & 1) != 0:
            to = other
            if (mask & OF_PAIRS) != 0:
                to = (other & -2) | (home & 1)
            if to > i64(k.last - k.first):
                return how  # the copy itself ends the kernel
            tensor_into(s, k, t, own, agent, clock, ptr(i64(target) + (other - rank) * k.window),
                        ptr(i64(bar) + (to - home) * k.window), size, info)  # fmt: skip
    return how


def tensor_into(
    s: SanState, k: SanBlock, t: Thread, own: SanThread, agent: i32, clock: i32, target: ptr,
    bar: ptr, size: i64, info: i64,
) -> None:  # fmt: skip
    touch(s, k, own, t.linear, agent, clock, site_of(info), FLAG_WRITE | FLAG_ASYNC, i64(target),
          size, True)  # fmt: skip
    arrives(s, k, own, t.linear, agent, clock, bar, info)


def xgpu_san_try_cancel(t: Thread, answer: ptr, bar: ptr, info: i64, to_all: i32) -> None:
    """Before a request to take over a block: its answer comes as a copy does."""
    s = xgpu_san_state()
    if i64(answer) == i64(s.sink) or i64(bar) == i64(s.sink):
        return
    k = block_of(s, t)
    own = k.threads[t.linear]
    agent = bulk_agent(k)
    clock = k.bulk_clocks[i64(agent - k.count * 4)]
    rank = (i64(answer) - k.begin) // k.window
    for other in range(i64(k.last - k.first + 1)):
        if to_all != 0 or other == rank:
            shift = (other - rank) * k.window
            tensor_into(s, k, t, own, agent, clock, ptr(i64(answer) + shift),
                        ptr(i64(bar) + shift), ANSWER_BYTES, info)  # fmt: skip


def xgpu_san_tensor_store(
    t: Thread, source: ptr, map: TensorMap, start: Ptr[i32], info: i64, lines: i32
) -> None:
    """A tensor copy from shared memory, of a box or of four `lines`, if all of it is there."""
    hold(t)
    how = stores(t, source, map, start, info, lines != 0, FLAG_WRITE | FLAG_ASYNC)
    let_go(t)
    if how == COPY and lines != 0:
        xgpu_tma_scatter(t, source, map, start)
    elif how == COPY:
        xgpu_tma_store(t, source, map, start)


def xgpu_san_tensor_reduce(
    t: Thread, source: ptr, map: TensorMap, start: Ptr[i32], info: i64, kind: i32
) -> None:
    """A reduction of shared memory into a tensor, if all of it is there, atomic by elements."""
    hold(t)
    flags: i32 = FLAG_WRITE | FLAG_ASYNC | FLAG_ATOMIC | FLAG_MODIFY
    how = stores(t, source, map, start, info, False, flags)
    let_go(t)
    if how == COPY:
        xgpu_tma_reduce(t, source, map, start, kind)


def stores(
    t: Thread, source: ptr, map: TensorMap, start: Ptr[i32], info: i64, lines: i1, flags: i32
) -> i32:  # fmt: skip
    """Before a copy or reduction of shared memory into global memory, which has the flags there."""
    if info < 0:
        return NO_COPY
    if lines and dimensions(map) != 2:
        return COPY
    s = xgpu_san_state()
    k = block_of(s, t)
    own = k.threads[t.linear]
    size = elements_of(map, lines) * element_size(map)
    site = site_of(info)
    if not inside(s, k, t, t.linear, site, FLAG_ASYNC, i64(source), size, 0, -1):
        return NO_COPY
    placed(s, k, t.linear, site, 0, i64(source), size, TENSOR_ALIGNMENT)
    clock = own.stores + 1
    own.store_group = clock
    own.store_site = site
    touch(s, k, own, t.linear, k.count * 3 + t.linear, clock, site, FLAG_ASYNC, i64(source), size,
          True)  # fmt: skip
    mark = clock | marks(flags, element_size(map))
    if tensor_rows(s, k, t, k.count * 2 + t.linear, mark, site, flags, map, start, lines):
        return COPY
    return NO_COPY


# -- copies and fills of the host


def poison(s: SanState, target: i64, source: i64, bytes: i64) -> None:
    """A copy of unwritten memory is unwritten too, and says where it was made."""
    if (s.kinds & KIND_INIT) == 0:
        return
    at: i64 = 0
    while at < bytes:
        from_page = find_page(s, source + at)
        alike = i64(from_page) != 0 and i64(from_page.cells) == 0
        if alike and not is_unwritten(from_page.whole):
            at = ((source + at) & -4096) + 4096 - source
            continue
        step: i64 = 4
        if ((source | target) & 3) != 0 or (i64(from_page) != 0 and from_page.shift == 0):
            step = 1
        if i64(from_page) != 0 and is_unwritten(cell_or_whole(from_page, source + at)):
            mark(s, target + at, step)
        at = at + step


def cell_or_whole(page: SanPage, address: i64) -> SanCell:
    if i64(page.cells) == 0:
        return page.whole
    return cell_of(page, address)


def mark(s: SanState, address: i64, step: i64) -> None:
    page = find_page(s, address)
    if i64(page) == 0:
        return
    refine_for(page, step)
    spread(page)
    page.full = 0
    bytes: i64 = 1 << i64(page.shift)
    at = address
    while at < address + step:
        cell = cell_of(page, at)
        cell.w_clock = cell.w_clock | POISON
        at = at + bytes
