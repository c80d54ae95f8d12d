# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor memory of a block: 128 lanes of 512 columns of 32 bits, and what moves to and from it.

An address has the lane in bits 16-31 and the column in bits 0-15. A worker has the memory of the
blocks of its cluster; which of the 16 groups of 32 columns are taken is in the block's record.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import MISUSE_TENSOR_COLUMNS, MISUSE_TENSOR_PLACE
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    extern,
    i1,
    i8,
    i16,
    i32,
    i64,
    ptr,
    zero_bytes,
    zext32,
)
from xgpu.host_device.native.records import Block, TensorNotes, Thread
from xgpu.host_device.native.sources.libc import malloc
from xgpu.host_device.native.sources.mma import require_warp, xgpu_misuse, xgpu_warp_with

LANES = 128
COLUMNS = 512
BYTES = 262144
UNIT = 32
PIECES = 16384  # of 16 bytes, of workgroup memory
FAULT_NOT_ALLOCATED = 1
FAULT_UNWRITTEN = 2


@extern
def tensor_alloc_address() -> ptr: ...
@extern
def tensor_dealloc_address() -> ptr: ...
@extern
def xgpu_mbarrier_arrive(t: Thread, bar: Ptr[i64], count: i32) -> i64: ...
@extern
def xgpu_mapa(t: Thread, address: ptr, rank: i32) -> ptr: ...


def tensor_memory(b: Block) -> ptr:
    """The memory of a block, made when a cluster first asks for it."""
    w = b.worker
    if i64(w.tensor) == 0:
        whole = i64(b.cluster_size) * BYTES
        w.tensor = malloc(whole)
        zero_bytes(w.tensor, whole)
    return advance(w.tensor, i64(b.cluster_rank) * BYTES)


def block_of(t: Thread, blocks: i32, which: i32) -> Block:
    """The own block, or block `which` of a pair."""
    b = t.block
    if blocks == 2:
        return b.group[b.cluster_rank // 2 * 2 + which]
    return b


def cell(t: Thread, b: Block, lane: i32, column: i32, writes: i32) -> Ptr[i32]:
    """The address of 32 bits that are read, or written."""
    if lane < 0 or lane >= LANES or column < 0 or column >= COLUMNS:
        xgpu_misuse(t, MISUSE_TENSOR_PLACE)
    notes = b.worker.tensor_notes
    if notes is not None:
        note(notes, b, lane, column, writes)
        note_use(notes, b, i64(lane * COLUMNS + column), writes)
    return Ptr[i32](advance(tensor_memory(b), i64(lane * COLUMNS + column) * 4))


# -- what the sanitizer records


def note(notes: TensorNotes, b: Block, lane: i32, column: i32, writes: i32) -> None:
    """The first of what is wrong with an operation is kept."""
    at = i64(b.cluster_rank) * (BYTES // 4) + i64(lane * COLUMNS + column)
    written = Ptr[i8](notes.written)
    fault: i32 = 0
    if ((b.tensor_units >> (column // UNIT)) & 1) == 0:
        fault = FAULT_NOT_ALLOCATED
    elif writes != 0:
        written[at] = 1
    elif written[at] == 0:
        fault = FAULT_UNWRITTEN
    if fault != 0 and notes.fault == 0:
        notes.fault = fault
        notes.lane = lane
        notes.column = column
        notes.is_write = writes


def note_use(notes: TensorNotes, b: Block, at: i64, writes: i32) -> None:
    """32 bits of a block's that the operation uses."""
    word = (i64(b.cluster_rank) * (BYTES // 4) + at) >> 6
    bit: i64 = 1 << (at & 63)
    if writes != 0:
        notes.writes[word] = notes.writes[word] | bit
    else:
        notes.reads[word] = notes.reads[word] | bit
    if word < notes.low:
        notes.low = word
    if word >= notes.high:
        notes.high = word + 1


def note_piece(b: Block, at: i64) -> None:
    """16 bytes of workgroup memory are read through a descriptor."""
    notes = b.worker.tensor_notes
    if notes is not None:
        piece = i64(b.cluster_rank) * PIECES + ((at >> 4) & (PIECES - 1))
        notes.pieces[piece >> 6] = notes.pieces[piece >> 6] | (1 << (piece & 63))


def forget_columns(b: Block, first: i32, count: i32) -> None:
    """Columns that are allocated anew are unwritten."""
    notes = b.worker.tensor_notes
    if notes is not None:
        for lane in range(i32(LANES)):
            at = i64(b.cluster_rank) * (BYTES // 4) + i64(lane * COLUMNS + first)
            zero_bytes(advance(notes.written, at), i64(count))


def release_columns(b: Block, first: i32, count: i32) -> None:
    """What still uses columns comes too late."""
    notes = b.worker.tensor_notes
    if notes is not None:
        for lane in range(i32(LANES)):
            for column in range(first, first + count):
                note_use(notes, b, i64(lane * COLUMNS + column), 1)


# -- allocation, by a whole warp: a record holds where the address goes, or what it is, and columns


def xgpu_tensor_alloc(t: Thread, record: ptr) -> i1:
    return xgpu_warp_with(t, tensor_alloc_address(), record)


def tensor_alloc(t: Thread) -> None:
    require_warp(t)
    record = Ptr[i64](ptr(t.value))
    columns = i32(record[1])
    b = t.block
    units = columns // UNIT
    valid = columns in (32, 64, 128, 256, 512)
    first: i32 = 0
    while valid and first + units <= COLUMNS // UNIT:
        taken = ((i32(1) << units) - 1) << first
        if (b.tensor_units & taken) == 0:
            b.tensor_units = b.tensor_units | taken
            forget_columns(b, first * UNIT, columns)
            target = Ptr[i32](ptr(record[0]))
            target[0] = first * UNIT
            return
        first = first + 1
    xgpu_misuse(t, MISUSE_TENSOR_COLUMNS)


def xgpu_tensor_dealloc(t: Thread, record: ptr) -> i1:
    return xgpu_warp_with(t, tensor_dealloc_address(), record)


def tensor_dealloc(t: Thread) -> None:
    require_warp(t)
    record = Ptr[i64](ptr(t.value))
    first = i32(record[0]) & 65535
    units = i32(record[1]) // UNIT
    taken = ((i32(1) << units) - 1) << (first // UNIT)
    b = t.block
    if (b.tensor_units & taken) != taken or first + units * UNIT > COLUMNS:
        xgpu_misuse(t, MISUSE_TENSOR_PLACE)
    release_columns(b, first, units * UNIT)
    b.tensor_units = b.tensor_units & ~taken


# -- registers of a warp: each lane its own

SHAPE_32X32 = 0
SHAPE_16X64 = 1
SHAPE_16X128 = 2
SHAPE_16X256 = 3
SHAPE_16X32X2 = 4


def first_lane(t: Thread, address: i64) -> i32:
    """A warp reaches the 32 lanes that are its own, whether its address says so or not."""
    return t.linear // 32 % 4 * 32 + ((i32(address) >> 16) & 31)


def lane_of(shape: i32, thread: i32, register: i32) -> i32:
    """Which lane of tensor memory a register of a thread is in, from the address on."""
    if shape == SHAPE_32X32:
        return thread
    if shape == SHAPE_16X64:
        return thread % 2 * 8 + thread // 4
    if shape == SHAPE_16X128:
        return thread // 4 + register % 2 * 8
    if shape == SHAPE_16X256:
        return thread // 4 + register // 2 % 2 * 8
    return thread % 16


def column_of(shape: i32, thread: i32, register: i32) -> i32:
    if shape == SHAPE_16X64:
        return thread // 2 % 2 + 2 * register
    if shape == SHAPE_16X128:
        return thread % 4 + 4 * (register // 2)
    if shape == SHAPE_16X256:
        return thread % 4 * 2 + register % 2 + 8 * (register // 4)
    return register


def xgpu_tensor_load(
    t: Thread, out: ptr, address: i64, shape: i32, count: i32, packs: i32, apart: i32
) -> None:
    """`count` registers; with `packs` each holds 16 bits of two columns. `apart`: the columns
    between the two halves of .16x32bx2."""
    registers = Ptr[i32](out)
    thread = t.linear & 31
    first = i32(address) & 65535
    if shape == SHAPE_16X32X2:
        first = first + thread // 16 * apart
    for r in range(count):
        lane = first_lane(t, address) + lane_of(shape, thread, r)
        column = column_of(shape, thread, r)
        if packs == 0:
            place = cell(t, t.block, lane, first + column, 0)
            registers[r] = place[0]
        else:
            low = cell(t, t.block, lane, first + 2 * column, 0)
            high = cell(t, t.block, lane, first + 2 * column + 1, 0)
            registers[r] = (low[0] & 65535) | (high[0] << 16)


def xgpu_tensor_store(
    t: Thread, values: ptr, address: i64, shape: i32, count: i32, unpacks: i32, apart: i32
) -> None:
    registers = Ptr[i32](values)
    thread = t.linear & 31
    first = i32(address) & 65535
    if shape == SHAPE_16X32X2:
        first = first + thread // 16 * apart
    for r in range(count):
        lane = first_lane(t, address) + lane_of(shape, thread, r)
        column = column_of(shape, thread, r)
        if unpacks == 0:
            place = cell(t, t.block, lane, first + column, 1)
            place[0] = registers[r]
        else:
            low = cell(t, t.block, lane, first + 2 * column, 1)
            high = cell(t, t.block, lane, first + 2 * column + 1, 1)
            low[0] = registers[r] & 65535
            high[0] = zext32(i16(registers[r] >> 16))


# -- completion


def xgpu_tensor_commit(t: Thread, bar: ptr, ranks: i32) -> None:
    """Arrives at the mbarrier at that place in each block of the cluster that `ranks` names."""
    for rank in range(t.block.cluster_size):
        if ((ranks >> rank) & 1) != 0:
            xgpu_mbarrier_arrive(t, Ptr[i64](xgpu_mapa(t, bar, rank)), 1)
