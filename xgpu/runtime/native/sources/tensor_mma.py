# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05.mma: D in tensor memory, A there or in shared memory, B in shared memory.

One thread asks for it, and it is done at once. What it is, the instruction descriptor says (PTX
ISA, tcgen05 instruction descriptor). With two blocks each has a half of the rows of A and of D and
a half of the columns of B.
"""

from __future__ import annotations

from xgpu.runtime.native.codes import MISUSE_TENSOR_DESCRIPTOR
from xgpu.runtime.native.prelude import (
    Ptr,
    advance,
    bits_f64,
    f64,
    i1,
    i8,
    i32,
    i64,
    ptr,
    zext32,
)
from xgpu.runtime.native.records import Block, Thread
from xgpu.runtime.native.sources.descriptors import operand_address
from xgpu.runtime.native.sources.elements import (
    TYPE_BF16,
    TYPE_E2M1,
    TYPE_E2M3,
    TYPE_E3M2,
    TYPE_E4M3,
    TYPE_E5M2,
    TYPE_F16,
    TYPE_F32,
    TYPE_S8,
    TYPE_S32,
    TYPE_TF32,
    TYPE_U8,
    TYPE_UE4M3,
    TYPE_UE8M0,
    decode,
    read_code,
    read_element,
    write_element,
)
from xgpu.runtime.native.sources.libc import free, malloc
from xgpu.runtime.native.sources.products import doubles, multiply, xgpu_misuse
from xgpu.runtime.native.sources.tensor_memory import cell, note_piece
from xgpu.runtime.native.sources.warp_matrices import FORMAT_4, FORMAT_6, packed_byte

KIND_F16 = 0
KIND_TF32 = 1
KIND_F8F6F4 = 2
KIND_I8 = 3
KIND_MXF8F6F4 = 4
KIND_MXF4 = 5

# The words of a record, of 64 bits each; the mask of lanes follows them.
WORD_D = 0
WORD_A = 1
WORD_B = 2
WORD_INSTRUCTION = 3
WORD_ENABLE_D = 4
WORD_KIND = 5
WORD_BLOCKS = 6
WORD_A_IN_TENSOR = 7
WORD_SCALE_D = 8
WORD_STATIONARY = 9
WORD_SCALES_A = 10
WORD_SCALES_B = 11
WORD_SCALES = 12
WORD_MASKED = 13
MASK = 112


def depth_of(kind: i32) -> i32:
    """K: 32 bytes of A and B."""
    if kind == KIND_F16:
        return 16
    if kind == KIND_TF32:
        return 8
    return i32(64) if kind == KIND_MXF4 else i32(32)


def operand_type(kind: i32, code: i32) -> i32:
    """The type of A or B; -1 for none."""
    if kind == KIND_F16 and code < 2:
        return i32(TYPE_F16) if code == 0 else i32(TYPE_BF16)
    if kind == KIND_TF32 and code == 2:
        return TYPE_TF32
    if kind == KIND_I8 and code < 2:
        return i32(TYPE_U8) if code == 0 else i32(TYPE_S8)
    if kind == KIND_MXF4 and code == 1:
        return TYPE_E2M1
    if kind in (KIND_F8F6F4, KIND_MXF8F6F4):
        if code == 0:
            return TYPE_E4M3
        if code == 1:
            return TYPE_E5M2
        if code == 3:
            return TYPE_E2M3
        if code == 4:
            return TYPE_E3M2
        if code == 5:
            return TYPE_E2M1
    return -1


def rows_of(record: Ptr[i64]) -> i32:
    """M."""
    d = i32(record[WORD_INSTRUCTION])
    if record[WORD_KIND] >= KIND_MXF8F6F4:
        return ((d >> 27) & 3) << 7
    return ((d >> 24) & 31) << 4


def xgpu_tensor_mma5(t: Thread, place: ptr) -> None:
    record = Ptr[i64](place)
    kind = i32(record[WORD_KIND])
    blocks = i32(record[WORD_BLOCKS])
    instruction = i32(record[WORD_INSTRUCTION])
    m = rows_of(record)
    n = ((instruction >> 17) & 63) << 3
    k = depth_of(kind)
    type_a = operand_type(kind, (instruction >> 7) & 7)
    type_b = operand_type(kind, (instruction >> 10) & (i32(3) if kind == KIND_MXF4 else i32(7)))
    stationary = record[WORD_STATIONARY] != 0
    least = i32(64) * blocks
    if stationary:
        least = 32
    sparse = (instruction & 4) != 0
    if type_a < 0 or type_b < 0 or m < least or m > 128 * blocks or n == 0 or sparse:
        xgpu_misuse(t, MISUSE_TENSOR_DESCRIPTOR)
    memory = malloc((i64(m * k) + i64(k * n) + i64(m * n)) * 8)
    a = doubles(memory, 0)
    b = doubles(memory, i64(m * k))
    d = doubles(memory, i64(m * k + k * n))
    read_rows(t, record, m, k, type_a, a)
    read_columns(t, record, n, k, type_b, b)
    if record[WORD_SCALES] != 0:
        scale_blocks(t, record, m, n, k, a, b)
    read_result(t, record, m, n, d)
    multiply(m, n, k, a, b, d)
    write_result(t, record, m, n, d)
    free(memory)


def block_of(t: Thread, blocks: i32, which: i32) -> Block:
    """Block `which` of the pair."""
    b = t.block
    if blocks == 2:
        return b.group[b.cluster_rank // 2 * 2 + which]
    return b


def read_rows(t: Thread, record: Ptr[i64], m: i32, k: i32, type: i32, to: Ptr[f64]) -> None:
    blocks = i32(record[WORD_BLOCKS])
    instruction = i32(record[WORD_INSTRUCTION])
    sign = -1.0 if (instruction & 8192) != 0 else 1.0
    each = m // blocks
    for i in range(m):
        b = block_of(t, blocks, i // each)
        for step in range(k):
            value = 0.0
            if record[WORD_A_IN_TENSOR] != 0:
                value = from_tensor(t, b, record, i % each, step, type, each)
            else:
                value = from_shared(
                    b, record[WORD_A], i % each, step, type, (instruction >> 15) & 1, record
                )
            to[i * k + step] = value * sign


def read_columns(t: Thread, record: Ptr[i64], n: i32, k: i32, type: i32, to: Ptr[f64]) -> None:
    blocks = i32(record[WORD_BLOCKS])
    instruction = i32(record[WORD_INSTRUCTION])
    sign = -1.0 if (instruction & 16384) != 0 else 1.0
    each = n // blocks
    for j in range(n):
        b = block_of(t, blocks, j // each)
        for step in range(k):
            value = from_shared(
                b, record[WORD_B], j % each, step, type, (instruction >> 16) & 1, record
            )
            to[step * n + j] = value * sign


def stored_bits(type: i32) -> i32:
    if type in (TYPE_F16, TYPE_BF16):
        return 16
    return i32(32) if type == TYPE_TF32 else i32(8)


def from_shared(
    b: Block, descriptor: i64, major: i32, step: i32, type: i32, transposed: i32, record: Ptr[i64]
) -> f64:
    """An element of A or B. Those of 6 and 4 bits lie sixteen together at the begin of 16 bytes; of
    .kind::mxf4 two in a byte."""
    along = major if transposed != 0 else step
    across = step if transposed != 0 else major
    packed = record[WORD_KIND] == KIND_MXF4
    byte = i64(along) * i64(stored_bits(type)) // 8
    small = not packed and type in (TYPE_E2M1, TYPE_E2M3, TYPE_E3M2)
    if packed:
        byte = i64(along // 2)
    elif small:
        byte = i64(along // 16 * 16)
    first = i64(across)
    second = byte
    if transposed != 0:
        first = byte
        second = i64(across)
    at = operand_address(descriptor, first, second, transposed, 1)
    note_piece(b, at)
    place = advance(b.shared, at)
    if packed:
        return decode(read_code(place, i64(along % 2), 4), type)
    if small:
        format = i32(FORMAT_4) if type == TYPE_E2M1 else i32(FORMAT_6)
        return decode(packed_byte(place, along % 16, format), type)
    return decode(read_code(place, 0, stored_bits(type)), type)


def from_tensor(
    t: Thread, b: Block, record: Ptr[i64], row: i32, step: i32, type: i32, rows: i32
) -> f64:
    """An element of A in tensor memory: side by side in 32 bits."""
    if type in (TYPE_E2M1, TYPE_E2M3, TYPE_E3M2):
        xgpu_misuse(t, MISUSE_TENSOR_DESCRIPTOR)
    address = i32(record[WORD_A])
    lane = row
    if rows == 64 and record[WORD_STATIONARY] == 0 and record[WORD_BLOCKS] == 1:
        lane = row // 16 * 32 + row % 16
    per_cell = 32 // stored_bits(type)
    place = cell(t, b, lane + (address >> 16), (address & 65535) + step // per_cell, 0)
    return read_element(place, i64(step % per_cell), type)


# -- D


def result_lane(record: Ptr[i64], i: i32, j: i32, m: i32, n: i32) -> i32:
    """The lane of an element of D in its block."""
    if record[WORD_STATIONARY] != 0:
        return i + j // (n * m // 128) * m
    if record[WORD_BLOCKS] == 2:
        return i % 128 if m == 256 else i % 64 + j // (n // 2) * 64
    return i if m == 128 else i // 16 * 32 + i % 16


def result_column(record: Ptr[i64], j: i32, m: i32, n: i32) -> i32:
    if record[WORD_STATIONARY] != 0:
        return j % (n * m // 128)
    if record[WORD_BLOCKS] == 2 and m == 128:
        return j % (n // 2)
    return j


def result_cell(
    t: Thread, record: Ptr[i64], i: i32, j: i32, m: i32, n: i32, writes: i32
) -> Ptr[i32]:
    blocks = i32(record[WORD_BLOCKS])
    b = block_of(t, blocks, i // (m // blocks))
    address = i32(record[WORD_D])
    lane = result_lane(record, i, j, m, n) + (address >> 16)
    return cell(t, b, lane, result_column(record, j, m, n) + (address & 65535), writes)


def result_type(record: Ptr[i64]) -> i32:
    if record[WORD_KIND] >= KIND_MXF8F6F4:
        return TYPE_F32
    code = (i32(record[WORD_INSTRUCTION]) >> 4) & 3
    if code == 0:
        return TYPE_F16
    return i32(TYPE_F32) if code == 1 else i32(TYPE_S32)


def read_result(t: Thread, record: Ptr[i64], m: i32, n: i32, to: Ptr[f64]) -> None:
    type = result_type(record)
    factor = bits_f64((1023 - record[WORD_SCALE_D]) << 52)
    for i in range(m):
        for j in range(n):
            value = 0.0
            if record[WORD_ENABLE_D] != 0:
                value = read_element(result_cell(t, record, i, j, m, n, 0), 0, type) * factor
            to[i * n + j] = value


def write_result(t: Thread, record: Ptr[i64], m: i32, n: i32, d: Ptr[f64]) -> None:
    type = result_type(record)
    saturates = i32(0)
    if record[WORD_KIND] == KIND_I8:
        saturates = i32(record[WORD_INSTRUCTION]) & 8
    for i in range(m):
        for j in range(n):
            if not is_masked(record, result_lane(record, i, j, m, n), i, m):
                place = result_cell(t, record, i, j, m, n, 1)
                place[0] = 0
                write_element(place, 0, type, d[i * n + j], saturates)


def is_masked(record: Ptr[i64], lane: i32, i: i32, m: i32) -> i1:
    """Whether a lane of D is left as it is."""
    if record[WORD_MASKED] == 0:
        return False
    bit = lane
    if record[WORD_BLOCKS] == 2:
        bit = lane + i // (m // 2) * 128
    words = Ptr[i32](advance(record, MASK))
    return ((words[bit // 32] >> (bit % 32)) & 1) != 0


# -- scales of blocks: row r has its own in lane r % 32, column r / 32, side by side in the bytes


def scale_blocks(
    t: Thread, record: Ptr[i64], m: i32, n: i32, k: i32, a: Ptr[f64], b: Ptr[f64]
) -> None:
    instruction = i32(record[WORD_INSTRUCTION])
    blocks = i32(record[WORD_BLOCKS])
    count = i32(record[WORD_SCALES])
    type = i32(TYPE_UE8M0) if (instruction & 8388608) != 0 else i32(TYPE_UE4M3)
    each = m // blocks
    for i in range(m):
        owner = block_of(t, blocks, i // each)
        for block in range(count):
            byte = ((instruction >> 29) & 3) + block
            factor = tensor_scale(t, owner, i32(record[WORD_SCALES_A]), i % each, byte, type)
            for step in range(k // count):
                at = i * k + block * (k // count) + step
                a[at] = a[at] * factor
    for j in range(n):
        for block in range(count):
            byte = ((instruction >> 4) & 3) + block
            factor = tensor_scale(t, t.block, i32(record[WORD_SCALES_B]), j, byte, type)
            for step in range(k // count):
                at = (block * (k // count) + step) * n + j
                b[at] = b[at] * factor


def tensor_scale(t: Thread, b: Block, address: i32, row: i32, byte: i32, type: i32) -> f64:
    place = cell(t, b, (address >> 16) + row % 32, (address & 65535) + row // 32, 0)
    bytes = Ptr[i8](place)
    return decode(zext32(bytes[byte & 3]), type)
