# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor memory (tcgen05): whether its columns are allocated, and have been written, and whether
what uses them is in order.

It is a space of its own, with addresses of lanes and columns, of which only operations know which
they use; so they note it (`tensor_memory.note`) where a worker has `tensor_notes`, and a call
behind each operation looks at it. Cells lie at addresses where nothing else is. Loads and stores
count as their thread's. Products and copies from workgroup memory are asynchronous, and in order
among themselves: each warp has the agent for them that it has for wgmma, and a commit gives its
clock to an mbarrier. What they read of workgroup memory through descriptors is that agent's too.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, i1, i32, i64, lshr, ptr, sizeof
from xgpu.host_device.native.records import (
    CODE_NOT_ALLOCATED,
    CODE_RACE,
    CODE_UNFENCED,
    CODE_UNFINISHED,
    CODE_UNWRITTEN,
    FLAG_ASYNC,
    FLAG_WRITE,
    KIND_INIT,
    KIND_MEMORY,
    KIND_RACE,
    SanBlock,
    SanCell,
    SanState,
    SanThread,
    TensorNotes,
    Thread,
    Worker,
)
from xgpu.host_device.native.sources.descriptors import operand_address
from xgpu.host_device.native.sources.sanitizer_access import flags_of, inside, site_of
from xgpu.host_device.native.sources.sanitizer_clocks import (
    block_of,
    contribute_clock,
    joined,
    learn,
    new_node,
    ordered,
    slot_of,
)
from xgpu.host_device.native.sources.sanitizer_ends import owner_of
from xgpu.host_device.native.sources.sanitizer_pages import (
    cell_of,
    find_page,
    forget_readers,
    make_page,
    spread,
)
from xgpu.host_device.native.sources.sanitizer_ranges import touch
from xgpu.host_device.native.sources.sanitizer_shadow import (
    CLOCK_MASK,
    add_reader,
    begin_access,
    behind_readers,
    fill_report,
    fresh,
    race,
)
from xgpu.host_device.native.sources.sanitizer_state import (
    AGENT_BITS,
    AGENT_MASK,
    report_of,
    xgpu_san_state,
    zeroed,
)
from xgpu.host_device.native.sources.sanitizer_sync import (
    GROUP_WARPS,
    mbarrier_of,
    product_agent,
    put_into,
    sync_report,
    usable,
    used,
)

# -- Products of matrices by warpgroups (`wgmma`): what they read through descriptors.
#
# The four warps of a warpgroup each read 16 rows of A and all of B, through the asynchronous proxy,
# and may do so until a thread has waited for the group. So each warp has an agent for it, whose
# clock is the number of the group; the first lane stands for its warp, which is of one mind.


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


def xgpu_san_tensor_slot(t: Thread, address: ptr) -> None:
    """tcgen05.alloc writes an address there: the write of a warp's first lane."""
    k = block_of(xgpu_san_state(), t)
    if (t.linear & 31) == 0:
        k.slot = i64(address)
        k.slot_writer = t.linear
        k.slot_clock = k.threads[t.linear].clock & CLOCK_MASK


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


CELLS = 65536  # of the tensor memory of a block
PIECE_WORDS = 256
WORDS = 1024
MOST_BLOCKS = 16  # of a cluster
NOT_ALLOCATED = 1
TENSOR_BEGIN = 4294967296  # where no process has memory: 4 GiB


def notes_of(t: Thread) -> TensorNotes:
    """What operations of a worker note, made when it is first asked for."""
    w = t.block.worker
    notes = w.tensor_notes
    if notes is not None:
        return notes
    return made_notes(w, i64(t.block.cluster_size))


def made_notes(w: Worker, blocks: i64) -> TensorNotes:
    pieces = blocks * PIECE_WORDS * 8
    cells = blocks * WORDS * 8
    bits = pieces + 2 * cells
    whole = sizeof(TensorNotes) + bits + blocks * CELLS
    memory = i64(zeroed(whole))
    notes = TensorNotes(memory)
    notes.pieces = Ptr[i64](memory + sizeof(TensorNotes))
    notes.reads = Ptr[i64](memory + sizeof(TensorNotes) + pieces)
    notes.writes = Ptr[i64](memory + sizeof(TensorNotes) + pieces + cells)
    notes.written = ptr(memory + sizeof(TensorNotes) + bits)
    notes.low = WORDS * MOST_BLOCKS
    w.tensor_notes = notes
    return notes


def xgpu_san_tensor(t: Thread) -> None:
    """Before an operation on tensor memory."""
    block_of(xgpu_san_state(), t)
    notes_of(t).fault = 0


def xgpu_san_tensor_done(t: Thread, info: i64) -> None:
    """Behind an operation, before another thread has executed one."""
    s = xgpu_san_state()
    k = block_of(s, t)
    notes = notes_of(t)
    if notes.fault != 0:
        tensor_report(s, k, t, notes, info)
    notes.fault = 0
    agent = t.linear
    clock = k.threads[t.linear].clock
    if (flags_of(info) & FLAG_ASYNC) != 0:
        agent = product_agent(k, t.linear // WARP)
        clock = k.threads[t.linear].products + 1
    if (s.kinds & KIND_RACE) != 0:
        use_cells(s, k, t, notes, agent, clock, info)
    forget_uses(notes)
    for rank in range(t.block.cluster_size):
        b = t.block
        if b.cluster_size > 1:
            b = b.group[rank]
        for word in range(i64(PIECE_WORDS)):
            at = i64(rank) * PIECE_WORDS + word
            bits = notes.pieces[at]
            if bits != 0:
                notes.pieces[at] = 0
                first = i64(b.shared) + word * 64 * PIECE
                read_pieces(s, k, t, first, bits, agent, clock, info)


def forget_uses(notes: TensorNotes) -> None:
    for word in range(notes.low, notes.high):
        notes.reads[word] = 0
        notes.writes[word] = 0
    notes.low = WORDS * MOST_BLOCKS
    notes.high = 0


def use_cells(
    s: SanState, k: SanBlock, t: Thread, notes: TensorNotes, agent: i32, clock: i32, info: i64
) -> None:
    """What an operation has read and written."""
    begin_access(s, k, agent, clock, flags_of(info))
    for word in range(notes.low, notes.high):
        reads = notes.reads[word]
        writes = notes.writes[word]
        if (reads | writes) != 0:
            for i in range(i64(64)):
                at = word * 64 + i
                if ((reads >> i) & 1) != 0:
                    use_cell(s, k, t, at, agent, clock, info, 0)
                if ((writes >> i) & 1) != 0:
                    use_cell(s, k, t, at, agent, clock, info, FLAG_WRITE)


def use_cell(
    s: SanState, k: SanBlock, t: Thread, number: i64, agent: i32, clock: i32, info: i64, does: i32
) -> None:
    own = k.threads[t.linear]
    address = TENSOR_BEGIN + number * 4
    page = find_page(s, address)
    if i64(page) == 0:
        page = make_page(s, address, -1)
    spread(page)
    cell = cell_of(page, address)
    fresh(s, k, cell)
    site = site_of(info)
    flags = (flags_of(info) & FLAG_ASYNC) | does
    if cell.w_context != 0 and not in_order(s, k, own, t.linear, cell, agent):
        race(s, k, CODE_RACE, agent, site, flags, cell.w_context, cell.w_who, cell.w_clock,
             FLAG_WRITE, address, 4)  # fmt: skip
    if does == 0:
        add_reader(s, k, own, t.linear, agent, clock, site, cell)
        return
    pass_over(s, k, t.linear, cell, agent)
    if cell.r_context != 0 or cell.r_more != 0:
        behind_readers(s, k, own, t.linear, agent, clock, site, flags, cell, address, 4, True)
    forget_readers(s, cell)
    cell.w_context = k.context
    cell.w_clock = clock
    cell.w_who = (site << AGENT_BITS) | agent


def pass_over(s: SanState, k: SanBlock, self: i32, cell: SanCell, agent: i32) -> None:
    """Readers that are in order anyway: the agent itself, and the threads of the warp, which does
    such operations as one."""
    if cell.r_context == k.context:
        cell.r_lanes = others_of(cell.r_who & AGENT_MASK, cell.r_lanes, self, agent)
        if cell.r_lanes == 0:
            cell.r_context = 0
    at = cell.r_more
    while at != 0:
        r = s.readers[i64(at)]
        if r.context == k.context:
            r.lanes = others_of(r.who & AGENT_MASK, r.lanes, self, agent)
        at = r.next


def others_of(first: i32, lanes: i32, self: i32, agent: i32) -> i32:
    if first == (self & -32):
        return 0
    if first == (agent & -32):
        return lanes & ~(i32(1) << (agent & 31))
    return lanes


def in_order(s: SanState, k: SanBlock, own: SanThread, self: i32, cell: SanCell, agent: i32) -> i1:
    """Whether an agent comes after the last write: its own and its warp's anyway."""
    writer = cell.w_who & AGENT_MASK
    own_warp = writer < k.count and (writer & -32) == (self & -32)
    if cell.w_context == k.context and (writer == agent or own_warp):
        return True
    return ordered(s, k, own, self, cell.w_context, writer, cell.w_clock & CLOCK_MASK)


def xgpu_san_tensor_commit(t: Thread, address: ptr, info: i64) -> ptr:
    """Before tcgen05.commit: an mbarrier learns when the thread's operations are over."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if not commit_to(s, k, t, address, info):
        return s.sink
    own = k.threads[t.linear]
    own.products += 1
    own.site = site_of(info)
    return address


def xgpu_san_tensor_commits(t: Thread, address: ptr, info: i64, ranks: i32) -> ptr:
    """The same for the mbarriers at that place in each block of the cluster that `ranks` names."""
    s = xgpu_san_state()
    k = block_of(s, t)
    if not usable(s, k, t, address, info):
        return s.sink
    rank = (i64(address) - k.begin) // k.window
    for other in range(i64(k.last - k.first + 1)):
        if ((ranks >> i32(other)) & 1) != 0:
            commit_to(s, k, t, ptr(i64(address) + (other - rank) * k.window), info)
    own = k.threads[t.linear]
    own.products += 1
    own.site = site_of(info)
    return address


def commit_to(s: SanState, k: SanBlock, t: Thread, address: ptr, info: i64) -> i1:
    """One mbarrier learns when the thread's operations are over. Whether it is there."""
    if not usable(s, k, t, address, info):
        return False
    own = k.threads[t.linear]
    used(s, k, own, t.linear, t.linear, own.clock, address, info)
    o = mbarrier_of(s, k, address)
    home = owner_of(k, i64(address))
    slot = slot_of(o, o.generation)
    agent = product_agent(k, t.linear // WARP)
    if i64(home) == i64(k):
        contribute_clock(k, slot, agent, own.products + 1)
    else:
        node = new_node(s)
        node.context = k.context
        node.agent = agent
        node.clock = own.products + 1
        slot.acquired = joined(s, slot.acquired, node)
    put_into(s, k, own, t.linear, o, home)
    return True


def read_pieces(
    s: SanState, k: SanBlock, t: Thread, first: i64, bits: i64, agent: i32, clock: i32, info: i64
) -> None:
    """Pieces of workgroup memory from an address on, which products or copies have read."""
    own = k.threads[t.linear]
    site = site_of(info)
    for i in range(i64(64)):
        if ((bits >> i) & 1) == 0:
            continue
        at = first + i * PIECE
        if not inside(s, k, t, t.linear, site, FLAG_ASYNC, at, PIECE, 0, -1):
            return
        touch(s, k, own, t.linear, agent, clock, site, FLAG_ASYNC, at, PIECE, True)


def tensor_report(s: SanState, k: SanBlock, t: Thread, notes: TensorNotes, info: i64) -> None:
    kind: i32 = KIND_INIT
    code: i32 = CODE_UNWRITTEN
    if notes.fault == NOT_ALLOCATED:
        kind = KIND_MEMORY
        code = CODE_NOT_ALLOCATED
    if (s.kinds & kind) == 0:
        return
    r = report_of(s, code, site_of(info), 0)
    if i64(r) == 0:
        return
    r.count += 1
    if r.count > 1:
        return
    flags: i32 = 0
    if notes.is_write != 0:
        flags = FLAG_WRITE
    fill_report(s, r, kind, k, t.linear, flags, 0, 4)
    r.allocation = -4
    r.extra = (i64(notes.lane) << 32) | i64(notes.column)
