# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma.mma_async: each warp computes its 16 rows of D when its lanes have come.

But no thread leaves wgmma.wait_group before all of its warpgroup have come there, for they may
overwrite the operands then. A lane has left a record: words that say what is done, the registers of
D, those of A where it is not in shared memory, and metadata where A is sparse.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, advance, extern, f64, i1, i32, i64, ptr
from xgpu.host_device.native.records import Thread
from xgpu.host_device.native.sources.descriptors import operand_address
from xgpu.host_device.native.sources.elements import (
    decode,
    element_bits,
    read_code,
    read_element,
    write_element,
)
from xgpu.host_device.native.sources.libc import free, malloc
from xgpu.host_device.native.sources.mma import (
    LAYOUT_SYNC,
    SLOTS,
    dense_column,
    doubles,
    fragment_place,
    lane_memory,
    multiply,
    require_warp,
    xgpu_warp_with,
)

# The words of a record, and its size.
WORD_N = 0
WORD_K = 1
WORD_TYPE_A = 2
WORD_TYPE_B = 3
WORD_TYPE_D = 4
WORD_KEEPS_D = 5
WORD_SIGN_A = 6
WORD_SIGN_B = 7
WORD_COLUMNS_A = 8
WORD_ROWS_B = 9
WORD_IN_REGISTERS = 10
WORD_FLAGS = 11
WORD_DESCRIPTOR_A = 12
WORD_DESCRIPTOR_B = 14
HEADER = 64
ROWS = 16

FLAG_SATURATE = 1
FLAG_SPARSE = 2
SELECTOR = 2  # from this bit of the flags on


@extern
def tensor_wgmma_address() -> ptr: ...


def xgpu_tensor_wgmma(t: Thread, record: ptr) -> i1:
    return xgpu_warp_with(t, tensor_wgmma_address(), record)


def tensor_wgmma(t: Thread) -> None:
    """All lanes of the warp are there."""
    require_warp(t)
    h = Ptr[i32](ptr(t.value))
    n = h[WORD_N]
    k = h[WORD_K]
    memory = malloc((i64(ROWS * k) + i64(k * n) + i64(ROWS * n)) * 8)
    a = doubles(memory, 0)
    b = doubles(memory, i64(ROWS * k))
    d = doubles(memory, i64(ROWS * k + k * n))
    warp_rows(t, h, a)
    columns_from_memory(t, h, b)
    for i in range(i32(ROWS)):
        for j in range(n):
            d[i * n + j] = accumulator(t, h, i, j)
    multiply(ROWS, n, k, a, b, d)
    saturates = h[WORD_FLAGS] & FLAG_SATURATE
    for i in range(i32(ROWS)):
        for j in range(n):
            at = fragment_place(2, i, j % 8, ROWS, 8, 1, LAYOUT_SYNC)
            slot = at % SLOTS + i64(j // 8 * 4)
            registers = advance(lane_memory(t, i32(at // SLOTS)), HEADER)
            write_element(registers, slot, h[WORD_TYPE_D], d[i * n + j], saturates)
    free(memory)


def accumulator(t: Thread, h: Ptr[i32], i: i32, j: i32) -> f64:
    if h[WORD_KEEPS_D] == 0:
        return 0.0
    at = fragment_place(2, i, j % 8, ROWS, 8, 1, LAYOUT_SYNC)
    slot = at % SLOTS + i64(j // 8 * 4)
    registers = advance(lane_memory(t, i32(at // SLOTS)), HEADER)
    return read_element(registers, slot, h[WORD_TYPE_D])


def warp_rows(t: Thread, h: Ptr[i32], to: Ptr[f64]) -> None:
    """The rows of A that are the warp's."""
    k = h[WORD_K]
    sparse = h[WORD_FLAGS] & FLAG_SPARSE
    stored = k // 2 if sparse != 0 else k
    end = HEADER + h[WORD_N] // 8 * 4 * element_bits(h[WORD_TYPE_D]) // 8
    words = i64(end + 16) if h[WORD_IN_REGISTERS] != 0 else i64(end)
    selector = h[WORD_FLAGS] >> SELECTOR
    for i in range(ROWS * k):
        to[i] = 0.0
    for i in range(i32(ROWS)):
        for step in range(stored):
            column = step
            if sparse != 0:
                column = dense_column(t, h[WORD_TYPE_A], k, selector, words, i, step)
            x = row_element(t, h, i, step, stored, i64(end))
            to[i * k + column] = x * f64(h[WORD_SIGN_A])


def row_element(t: Thread, h: Ptr[i32], i: i32, step: i32, columns: i32, begin: i64) -> f64:
    """An element of A as it is stored: in registers from `begin` on, or in memory."""
    if h[WORD_IN_REGISTERS] == 0:
        return in_shared(t, h, 0, t.linear % 128 // 32 * ROWS + i, step)
    type = h[WORD_TYPE_A]
    at = fragment_place(0, i, step, ROWS, columns, 32 // element_bits(type), LAYOUT_SYNC)
    return read_element(advance(lane_memory(t, i32(at // SLOTS)), begin), at % SLOTS, type)


def columns_from_memory(t: Thread, h: Ptr[i32], to: Ptr[f64]) -> None:
    n = h[WORD_N]
    for step in range(h[WORD_K]):
        for j in range(n):
            to[step * n + j] = in_shared(t, h, 1, j, step) * f64(h[WORD_SIGN_B])


def in_shared(t: Thread, h: Ptr[i32], which: i32, major: i32, step: i32) -> f64:
    """An element of A (0) or B (1) in shared memory."""
    type = h[WORD_TYPE_A + which]
    transposed = h[WORD_COLUMNS_A + which]
    wide = Ptr[i64](ptr(t.value))
    descriptor = wide[(WORD_DESCRIPTOR_A + 2 * which) // 2]
    bits = element_bits(type)
    scale_major = i64(bits) if transposed != 0 else i64(8)
    scale_minor = i64(8) if transposed != 0 else i64(bits)
    at = operand_address(
        descriptor, i64(major) * scale_major // 8, i64(step) * scale_minor // 8, transposed, 0
    )
    code = read_code(advance(t.block.shared, at), i64(step & 7) if bits == 1 else i64(0), bits)
    return decode(code, type)
