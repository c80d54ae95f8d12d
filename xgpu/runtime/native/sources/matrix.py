# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix fragments of a warp.

Every lane puts its registers into a buffer (A, then B, then C, then room for D) and waits; the last
to come computes D = A * B + C for all. Where an element lives is, for mma.sync, what the PTX ISA
says (9.7.14.5); for wmma, whose layout the ISA leaves open, element e of a row-major matrix lies in
lane e / (elements / 32).
"""

from __future__ import annotations

from xgpu.runtime.native.prelude import (
    Ptr,
    advance,
    bits_f32,
    copy_bytes,
    f32,
    f64,
    float_to_half,
    half_to_float,
    i1,
    i8,
    i16,
    i32,
    i64,
    ptr,
    zext32,
)
from xgpu.runtime.native.records import Thread

TYPE_F16 = 0
TYPE_BF16 = 1
TYPE_F32 = 2
TYPE_F64 = 3
TYPE_S8 = 4
TYPE_U8 = 5
TYPE_S32 = 6


def element_size(type: i32) -> i64:
    if type in (TYPE_F16, TYPE_BF16):
        return 2
    if type == TYPE_F64:
        return 8
    if type in (TYPE_S8, TYPE_U8):
        return 1
    return 4


def read_element(p: ptr, index: i64, type: i32) -> f64:
    halves = Ptr[i16](p)
    floats = Ptr[f32](p)
    doubles = Ptr[f64](p)
    bytes = Ptr[i8](p)
    words = Ptr[i32](p)
    if type == TYPE_F16:
        return f64(half_to_float(halves[index]))
    if type == TYPE_BF16:
        return f64(bits_f32(zext32(halves[index]) << 16))
    if type == TYPE_F32:
        return f64(floats[index])
    if type == TYPE_F64:
        return doubles[index]
    if type == TYPE_S8:
        return f64(i32(bytes[index]))
    if type == TYPE_U8:
        return f64(zext32(bytes[index]))
    return f64(words[index])


def write_element(p: ptr, index: i64, type: i32, value: f64) -> None:
    halves = Ptr[i16](p)
    floats = Ptr[f32](p)
    doubles = Ptr[f64](p)
    words = Ptr[i32](p)
    if type == TYPE_F16:
        halves[index] = float_to_half(f32(value))
    elif type == TYPE_F64:
        doubles[index] = value
    elif type == TYPE_S32:
        words[index] = i32(i64(value))
    else:
        floats[index] = f32(value)


def fragment_place(
    which: i32, row: i32, col: i32, rows: i32, cols: i32, width: i32, sync: i1
) -> i64:
    """Lane * 256 + slot of an element. `width`: elements in a register of A and B."""
    if not sync:
        per_lane = rows * cols // 32
        index = row * cols + col
        return i64(index // per_lane * 256 + index % per_lane)
    span = 4 * width
    if which == 0:
        upper = zext32(row >= 8) + 2 * (col // span)
        return i64((row % 8 * 4 + col % span // width) * 256 + col % width + width * upper)
    if which == 1:
        return i64((col * 4 + row % span // width) * 256 + row % width + width * (row // span))
    return i64((row % 8 * 4 + col // 2) * 256 + (col & 1) + 2 * zext32(row >= 8))


def multiply_fragments(t: Thread) -> None:
    """All lanes of the warp are there. The first words of a buffer describe the operation."""
    d = Ptr[i32](ptr(t.value))
    m = d[0]
    n = d[1]
    k = d[2]
    type_a = d[3]
    type_b = d[4]
    type_c = d[5]
    type_d = d[6]
    sync = d[7] != 0
    at_a: i64 = 64
    at_b = at_a + i64(d[8])
    at_c = at_b + i64(d[9])
    at_d = at_c + i64(d[10])
    width_bytes = i64(8) if type_a == TYPE_F64 else i64(4)
    width = i32(width_bytes // element_size(type_a))
    base = t.linear & -32
    threads = t.block.threads
    for i in range(m):
        for j in range(n):
            place = fragment_place(2, i, j, m, n, 1, sync)
            owner = threads[i64(base) + place // 256]
            total = read_element(advance(ptr(owner.value), at_c), place % 256, type_c)
            for step in range(k):
                pa = fragment_place(0, i, step, m, k, width, sync)
                pb = fragment_place(1, step, j, k, n, width, sync)
                la = threads[i64(base) + pa // 256]
                lb = threads[i64(base) + pb // 256]
                a = read_element(advance(ptr(la.value), at_a), pa % 256, type_a)
                b = read_element(advance(ptr(lb.value), at_b), pb % 256, type_b)
                total = total + a * b
            write_element(advance(ptr(owner.value), at_d), place % 256, type_d, total)


def xgpu_wmma_load(
    t: Thread,
    out: ptr,
    source: ptr,
    stride: i32,
    rows: i32,
    cols: i32,
    column_major: i32,
    size: i32,
    slots: i32,
) -> None:
    """A lane's elements of a fragment; where it has more slots than elements, they repeat."""
    per_lane = rows * cols // 32
    for slot in range(slots):
        index = (t.linear & 31) * per_lane + slot % per_lane
        row = index // cols
        col = index % cols
        at = i64(col) * i64(stride) + i64(row)
        if column_major == 0:
            at = i64(row) * i64(stride) + i64(col)
        copy_bytes(advance(out, i64(slot) * i64(size)), advance(source, at * i64(size)), i64(size))


def xgpu_wmma_store(
    t: Thread,
    target: ptr,
    values: ptr,
    stride: i32,
    rows: i32,
    cols: i32,
    column_major: i32,
    size: i32,
) -> None:
    per_lane = rows * cols // 32
    for slot in range(per_lane):
        index = (t.linear & 31) * per_lane + slot
        row = index // cols
        col = index % cols
        at = i64(col) * i64(stride) + i64(row)
        if column_major == 0:
            at = i64(row) * i64(stride) + i64(col)
        copy_bytes(
            advance(target, at * i64(size)), advance(values, i64(slot) * i64(size)), i64(size)
        )


def load_matrices(t: Thread) -> None:
    """ldmatrix for a whole warp: a buffer holds a row's address, then the registers."""
    base = t.linear & -32
    threads = t.block.threads
    for lane in range(i32(32)):
        me = threads[base + lane]
        out = Ptr[i16](advance(ptr(me.value), 8))
        for matrix in range(t.argument_b):
            for half in range(i32(2)):
                row = lane // 4
                col = lane % 4 * 2 + half
                if t.argument_c != 0:
                    row = lane % 4 * 2 + half
                    col = lane // 4
                holder = threads[base + matrix * 8 + row]
                address = Ptr[i64](ptr(holder.value))
                source = Ptr[i16](ptr(address[0]))
                out[matrix * 2 + half] = source[col]
