# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor memory (tcgen05): whether its columns are allocated, and have been written.

It is a space of its own, with addresses of lanes and columns, of which only operations know which
they use; so they note it (`tensor_memory.note`) where a worker has `tensor_notes`, and a call
behind each operation says what was wrong. What products and copies read of workgroup memory through
descriptors counts as read by the thread that asks for them: whoever it releases to, by a commit or
otherwise, comes behind. Races in tensor memory itself are not looked for.
"""

from __future__ import annotations

from xgpu.runtime.native.prelude import Ptr, i32, i64, ptr, sizeof
from xgpu.runtime.native.records import (
    CODE_NOT_ALLOCATED,
    CODE_UNWRITTEN,
    KIND_INIT,
    KIND_MEMORY,
    SanBlock,
    SanState,
    TensorNotes,
    Thread,
    Worker,
)
from xgpu.runtime.native.sources.sanitizer_access import inside, site_of
from xgpu.runtime.native.sources.sanitizer_cells import FLAG_WRITE, fill_report, touch
from xgpu.runtime.native.sources.sanitizer_clocks import block_of
from xgpu.runtime.native.sources.sanitizer_state import report_of, xgpu_san_state, zeroed

CELLS = 65536  # of the tensor memory of a block
PIECE_WORDS = 256
PIECE = 16
NOT_ALLOCATED = 1


def notes_of(t: Thread) -> TensorNotes:
    """What operations of a worker note, made when it is first asked for."""
    w = t.block.worker
    notes = w.tensor_notes
    if notes is not None:
        return notes
    return made_notes(w, i64(t.block.cluster_size))


def made_notes(w: Worker, blocks: i64) -> TensorNotes:
    whole = sizeof(TensorNotes) + PIECE_WORDS * 8 + blocks * CELLS
    memory = i64(zeroed(whole))
    notes = TensorNotes(memory)
    notes.pieces = Ptr[i64](memory + sizeof(TensorNotes))
    notes.written = ptr(memory + sizeof(TensorNotes) + PIECE_WORDS * 8)
    w.tensor_notes = notes
    return notes


def xgpu_san_tensor(t: Thread) -> None:
    """Before an operation on tensor memory."""
    block_of(xgpu_san_state(), t)
    notes_of(t).fault = 0


def xgpu_san_tensor_done(t: Thread, info: i64) -> None:
    """Behind it, before anybody else has done one."""
    s = xgpu_san_state()
    k = block_of(s, t)
    notes = notes_of(t)
    if notes.fault != 0:
        tensor_report(s, k, t, notes, info)
    notes.fault = 0
    for word in range(i64(PIECE_WORDS)):
        bits = notes.pieces[word]
        if bits != 0:
            notes.pieces[word] = 0
            read_pieces(s, k, t, word * 64, bits, info)


def read_pieces(s: SanState, k: SanBlock, t: Thread, first: i64, bits: i64, info: i64) -> None:
    own = k.threads[t.linear]
    site = site_of(info)
    for i in range(i64(64)):
        if ((bits >> i) & 1) == 0:
            continue
        at = i64(t.block.shared) + (first + i) * PIECE
        if not inside(s, k, t, t.linear, site, 0, at, PIECE, 0, -1):
            return
        touch(s, k, own, t.linear, t.linear, own.clock, site, 0, at, PIECE, True)


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
    if notes.writes != 0:
        flags = FLAG_WRITE
    fill_report(s, r, kind, k, t.linear, flags, 0, 4)
    r.allocation = -4
    r.extra = (i64(notes.lane) << 32) | i64(notes.column)
