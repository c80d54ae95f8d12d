# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations on few words of global memory, done in copies that a worker has for itself.

Kernels whose loops are vectors (`compiler/vectors/combining`) find the copies in the worker's
record. `combine_base` is where the memory begins that the copies stand for, 0 if there is none;
each copy has `WINDOW` bytes, which hold what is to be combined with the memory. A copy begins with
what changes nothing.

The window lies where operations have been. One that leaves it comes here (`xgpu_combine_miss`): the
window moves if it can have all that was seen since it was last moved or given up, and is given up
for ever longer where it cannot.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    atomic_load,
    bits_f32,
    bits_f64,
    bits_i32,
    bits_i64,
    exchange_if,
    function_address,
    i1,
    i32,
    i64,
    ptr,
    ult,
)
from xgpu.host_device.native.records import (
    COMBINE_ADD,
    COMBINE_AND,
    COMBINE_COPIES,
    COMBINE_FADD,
    COMBINE_MAX,
    COMBINE_MIN,
    COMBINE_OR,
    COMBINE_UMAX,
    COMBINE_WINDOW,
    COMBINE_XOR,
    Worker,
)
from xgpu.host_device.native.sources.libc import aligned_alloc

SPARE = 128  # bytes of a window that operations may be out of line by
PATIENCE = 16  # vectors that leave the window before it is tried elsewhere
MOST_PATIENCE = 1048576


def neutral(kind: i32, size: i32) -> i64:
    """What an operation of a kind on words of `size` bytes ignores."""
    if kind < COMBINE_AND or kind == COMBINE_UMAX:
        return 0
    all: i64 = -1
    lowest = all << i64(size * 8 - 1)
    if kind in (COMBINE_MAX, COMBINE_FADD):
        return lowest  # of floats: minus zero
    if kind == COMBINE_MIN:
        return ~lowest
    return all  # and, umin


def combined(kind: i32, size: i32, a: i64, b: i64) -> i64:
    """Of words of 4 bytes as signed numbers, whose order is that of unsigned ones as well."""
    if kind == COMBINE_FADD:
        if size == 4:
            return i64(bits_i32(bits_f32(i32(a)) + bits_f32(i32(b))))
        return bits_i64(bits_f64(a) + bits_f64(b))
    if kind == COMBINE_ADD:
        return a + b
    if kind == COMBINE_OR:
        return a | b
    if kind == COMBINE_XOR:
        return a ^ b
    if kind == COMBINE_AND:
        return a & b
    if kind == COMBINE_MAX:
        return a if a > b else b
    if kind == COMBINE_MIN:
        return a if a < b else b
    if kind == COMBINE_UMAX:
        return b if ult(a, b) else a
    return a if ult(a, b) else b


def word(at: ptr, size: i32) -> i64:
    return i64(Ptr[i32](at)[0]) if size == 4 else Ptr[i64](at)[0]


def put(at: ptr, size: i32, value: i64) -> None:
    if size == 4:
        Ptr[i32](at)[0] = i32(value)
    else:
        Ptr[i64](at)[0] = value


def apply(at: ptr, kind: i32, size: i32, value: i64) -> None:
    """Combine a value with a word that other workers use too."""
    while True:
        if size == 4:
            short = atomic_load(Ptr[i32](at))
            if exchange_if(Ptr[i32](at), short, i32(combined(kind, size, i64(short), value))):
                return
        else:
            old = atomic_load(Ptr[i64](at))
            if exchange_if(Ptr[i64](at), old, combined(kind, size, old, value)):
                return


def clear_copies(w: Worker) -> None:
    value = neutral(w.combine_kind, w.combine_size)
    size = i64(w.combine_size)
    for i in range(i64(COMBINE_WINDOW * COMBINE_COPIES) // size):
        put(advance(w.combine_copies, i * size), w.combine_size, value)


def xgpu_combine_give_back(w: Worker) -> None:
    """Combine the copies with memory: other threads may look at it now."""
    if w.combine_dirty == 0:
        return
    w.combine_dirty = 0
    size = i64(w.combine_size)
    ignored = neutral(w.combine_kind, w.combine_size)
    for i in range(i64(COMBINE_WINDOW) // size):
        total = ignored
        for copy in range(i64(COMBINE_COPIES)):
            at = advance(w.combine_copies, copy * i64(COMBINE_WINDOW) + i * size)
            value = word(at, w.combine_size)
            if value != ignored:
                total = combined(w.combine_kind, w.combine_size, total, value)
                put(at, w.combine_size, ignored)
        if total != ignored:
            apply(ptr(w.combine_base + i * size), w.combine_kind, w.combine_size, total)


def xgpu_combine_end(w: Worker) -> None:
    """A worker has no more blocks of a launch."""
    xgpu_combine_give_back(w)
    w.combine_base = 0
    w.combine_seen = 0


def xgpu_combine_miss(w: Worker, low: i64, high: i64, kind: i32, size: i32) -> None:
    """Lanes use bytes from `low` up to `high`, not all of which are in the window."""
    if w.combine_seen == 0:
        see(w, low, high)
        w.combine_misses = 0
        w.combine_patience = PATIENCE
    elif not sees_more(w, low, high):
        w.combine_misses += 1
        if w.combine_misses < w.combine_patience:
            return
        w.combine_misses = 0
        if w.combine_patience < MOST_PATIENCE:
            w.combine_patience = w.combine_patience * 2
        see(w, low, high)
    if w.combine_high - w.combine_low <= COMBINE_WINDOW - SPARE:
        move_window(w, kind, size)


def see(w: Worker, low: i64, high: i64) -> None:
    w.combine_seen = 1
    w.combine_low = low
    w.combine_high = high


def sees_more(w: Worker, low: i64, high: i64) -> i1:
    """Whether a window can have some bytes beside those that it should have."""
    least = low if low < w.combine_low else w.combine_low
    most = high if high > w.combine_high else w.combine_high
    if most - least > COMBINE_WINDOW - SPARE:
        return False
    see(w, least, most)
    return True


def move_window(w: Worker, kind: i32, size: i32) -> None:
    """Let the window lie around what was seen."""
    xgpu_combine_give_back(w)
    if i64(w.combine_copies) == 0:
        w.combine_copies = aligned_alloc(64, i64(COMBINE_WINDOW * COMBINE_COPIES))
        if i64(w.combine_copies) == 0:
            return
    w.combine_end = function_address(xgpu_combine_end)
    w.combine_kind = kind
    w.combine_size = size
    spare = i64(COMBINE_WINDOW) - (w.combine_high - w.combine_low)
    w.combine_base = (w.combine_low - spare // 2 + 63) & -64
    clear_copies(w)
