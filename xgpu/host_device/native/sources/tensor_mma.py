# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05.mma: D in tensor memory, A there or in shared memory, B in shared memory.

One thread asks for it, and it is done at once. What it is, the instruction descriptor says (PTX
ISA, tcgen05 instruction descriptor). With two blocks each has a half of the rows of A and of D and
a half of the columns of B.
"""

from __future__ import annotations

from xgpu.host_device.abi.codes import (
    MISUSE_TENSOR_DESCRIPTOR,
    MISUSE_TENSOR_METADATA,
    MISUSE_TENSOR_SHIFT,
    MISUSE_TENSOR_SIX_BITS,
)
from xgpu.host_device.native.prelude import (
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
from xgpu.host_device.native.records import Block, Thread
from xgpu.host_device.native.sources.descriptors import operand_address
from xgpu.host_device.native.sources.elements import (
    TYPE_BF16,
    TYPE_E2M1,
    TYPE_E2M1_BYTE,
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
from xgpu.host_device.native.sources.libc import free, malloc
from xgpu.host_device.native.sources.mma import (
    ONE_OF_2,
    PAIRS_OF_8,
    TWO_OF_4,
    column_in_row,
    doubles,
    xgpu_misuse,
)
from xgpu.host_device.native.sources.tensor_copy import shift_rows
from xgpu.host_device.native.sources.tensor_memory import block_of, cell, note_piece
from xgpu.host_device.native.sources.warp_matrices import FORMAT_4, FORMAT_6, packed_byte

# -- What a record of tcgen05.mma says, and in which lanes of tensor memory its matrices lie.
#
# Lanes are those of the PTX ISA's data path layouts. A and D of 128 rows of a block take all lanes;
# of 64 rows the first (or last) sixteen of each warp's, where half of the data path is idle. Else
# lanes that are left over have a bank of their own: further columns of D, and for these A, or its
# metadata, once more.


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
WORD_SPARSE = 14
WORD_METADATA = 15
WORD_SHIFTS_A = 16
WORD_ZERO_COLUMNS = 17
MASK = 144


def rows_of(record: Ptr[i64]) -> i32:
    """M."""
    d = i32(record[WORD_INSTRUCTION])
    if record[WORD_KIND] >= KIND_MXF8F6F4:
        return ((d >> 27) & 3) << 7
    return ((d >> 24) & 31) << 4


def columns_of(record: Ptr[i64]) -> i32:
    """N."""
    return ((i32(record[WORD_INSTRUCTION]) >> 17) & 63) << 3


def depth_of(record: Ptr[i64]) -> i32:
    """K: 32 bytes of A; twice as much where half of its elements are there."""
    kind = i32(record[WORD_KIND])
    depth: i32 = 32
    if kind == KIND_F16:
        depth = 16
    elif kind == KIND_TF32:
        depth = 8
    elif kind == KIND_MXF4:
        depth = 64
    return depth * 2 if record[WORD_SPARSE] != 0 else depth


def banks_of(record: Ptr[i64], m: i32) -> i32:
    """How many banks of lanes have columns of their own."""
    if record[WORD_STATIONARY] != 0:
        return 128 // m
    if record[WORD_BLOCKS] == 2 and m == 128 and record[WORD_SPARSE] == 0:
        return 2
    return 1


def halves_lanes(record: Ptr[i64], m: i32) -> i1:
    """Whether only sixteen lanes of each warp are used."""
    rows = m // i32(record[WORD_BLOCKS])
    return rows == 64 and record[WORD_STATIONARY] == 0 and banks_of(record, m) == 1


def lane_of_row(record: Ptr[i64], m: i32, row: i32, bank: i32) -> i32:
    """The lane of a row, of those of a block."""
    if halves_lanes(record, m):
        return row // 16 * 32 + row % 16
    return bank * (m // i32(record[WORD_BLOCKS])) + row


# -- Scales of blocks of tcgen05.mma, in tensor memory: row r has its own in lane r % 32, column
# r / 32, side by side in the bytes. Sparse A has as many, each for twice as many columns.


def scale_type(record: Ptr[i64]) -> i32:
    is_exponent = (i32(record[WORD_INSTRUCTION]) & 8388608) != 0
    return i32(TYPE_UE8M0) if is_exponent else i32(TYPE_UE4M3)


def scale_rows(t: Thread, record: Ptr[i64], m: i32, k: i32, a: Ptr[f64]) -> None:
    blocks = i32(record[WORD_BLOCKS])
    count = i32(record[WORD_SCALES])
    first = (i32(record[WORD_INSTRUCTION]) >> 29) & 3
    each = m // blocks
    for i in range(m):
        owner = block_of(t, blocks, i // each)
        for block in range(count):
            address = i32(record[WORD_SCALES_A])
            factor = tensor_scale(t, owner, address, i % each, first + block, scale_type(record))
            for step in range(k // count):
                at = i * k + block * (k // count) + step
                a[at] = a[at] * factor


def scale_columns(t: Thread, record: Ptr[i64], n: i32, k: i32, b: Ptr[f64]) -> None:
    count = i32(record[WORD_SCALES])
    first = (i32(record[WORD_INSTRUCTION]) >> 4) & 3
    for j in range(n):
        for block in range(count):
            address = i32(record[WORD_SCALES_B])
            factor = tensor_scale(t, t.block, address, j, first + block, scale_type(record))
            for step in range(k // count):
                at = (block * (k // count) + step) * n + j
                b[at] = b[at] * factor


def tensor_scale(t: Thread, b: Block, address: i32, row: i32, byte: i32, type: i32) -> f64:
    place = cell(t, b, (address >> 16) + row % 32, (address & 65535) + row // 32, 0)
    bytes = Ptr[i8](place)
    return decode(zext32(bytes[byte & 3]), type)


# -- Metadata of tcgen05.mma.sp, in tensor memory.
#
# A row has 32 bits with elements of 16 and 32 bits, else 64. They begin at an even column, and the
# selector says which of two columns the 32 bits are in. 64 bits lie in the row's lane; of 32 bits
# two rows whose numbers differ by eight share two lanes: the first half of each row in the lane of
# the upper row, the second half in that of the lower one, the upper row's in the low bits.


def has_halves(record: Ptr[i64]) -> i1:
    """Whether a row has 32 bits of metadata."""
    return record[WORD_KIND] < KIND_F8F6F4


def selector_of(record: Ptr[i64]) -> i32:
    """Kinds with scales take no notice of it."""
    if record[WORD_KIND] >= KIND_MXF8F6F4:
        return 0
    return i32(record[WORD_INSTRUCTION]) & 3


def check_metadata(t: Thread, record: Ptr[i64], m: i32) -> None:
    """Where half of the lanes are used, D, A and metadata use the same half."""
    selector = selector_of(record)
    address = i32(record[WORD_METADATA])
    valid = address % 2 == 0 and (selector == 0 or (selector == 1 and has_halves(record)))
    lane = address >> 16
    if halves_lanes(record, m):
        valid = valid and lane == i32(record[WORD_D]) >> 16 and lane % 16 == 0
        if record[WORD_A_IN_TENSOR] != 0:
            valid = valid and lane == i32(record[WORD_A]) >> 16
    else:
        valid = valid and lane == 0
    if not valid:
        xgpu_misuse(t, MISUSE_TENSOR_METADATA)


def stored_column(
    t: Thread, b: Block, record: Ptr[i64], m: i32, row: i32, bank: i32, s: i32
) -> i32:
    """Which of the k columns of A stored element `s` of a row is."""
    group: i32 = TWO_OF_4
    if record[WORD_KIND] == KIND_TF32:
        group = ONE_OF_2
    elif record[WORD_KIND] == KIND_MXF4:
        group = PAIRS_OF_8
    which = s // (group // 2)
    lane = lane_of_row(record, m, row, bank)
    column = selector_of(record)
    shift = which % 8 * 4
    if has_halves(record):
        shift = which % 4 * 4 + lane // 8 % 2 * 16
        lane = lane // 16 * 16 + lane % 8 + which // 4 * 8
    else:
        column = which // 8
    address = i32(record[WORD_METADATA])
    word = cell(t, b, lane + (address >> 16), (address & 65535) + column, 0)
    return column_in_row(group, s, (word[0] >> shift) & 15)


# -- A and B of tcgen05.mma, in shared memory or, A, in tensor memory.


def read_rows(
    t: Thread, record: Ptr[i64], m: i32, k: i32, type: i32, bank: i32, to: Ptr[f64]
) -> None:
    """A, as columns of a bank see it; where it is sparse, with its zeros."""
    blocks = i32(record[WORD_BLOCKS])
    instruction = i32(record[WORD_INSTRUCTION])
    sign = -1.0 if (instruction & 8192) != 0 else 1.0
    each = m // blocks
    is_sparse = record[WORD_SPARSE] != 0
    stored = k
    if is_sparse:
        stored = k // 2
        for at in range(m * k):
            to[at] = 0.0
    for i in range(m):
        b = block_of(t, blocks, i // each)
        for s in range(stored):
            value = 0.0
            if record[WORD_A_IN_TENSOR] != 0:
                value = from_tensor(t, b, record, lane_of_row(record, m, i % each, bank), s, type)
            else:
                value = from_shared(
                    b, record[WORD_A], i % each, s, type, (instruction >> 15) & 1, record
                )
            column = s
            if is_sparse:
                column = stored_column(t, b, record, m, i % each, bank, s)
            to[i * k + column] = value * sign


def read_columns(
    t: Thread, record: Ptr[i64], m: i32, n: i32, k: i32, type: i32, to: Ptr[f64]
) -> None:
    blocks = i32(record[WORD_BLOCKS])
    instruction = i32(record[WORD_INSTRUCTION])
    zeros = record[WORD_ZERO_COLUMNS]
    shift = column_shift(t, record, m)
    sign = -1.0 if (instruction & 16384) != 0 else 1.0
    each = n // blocks
    for j in range(n):
        b = block_of(t, blocks, j // each)
        is_zero = is_zero_column(zeros, j, m, n)
        for step in range(k):
            value = 0.0
            if not is_zero:
                value = from_shared(
                    b, record[WORD_B], j % each + shift, step, type, (instruction >> 16) & 1, record
                )
            to[step * n + j] = value * sign


# -- the descriptor of .ws that says which columns of B count as zeros, and how far they are shifted


def is_zero_column(d: i64, j: i32, m: i32, n: i32) -> i1:
    """Each bank of columns has a sequence of columns that are used and columns that are not, in
    turns: which of the two it begins with, and how many of its columns are left out at its begin.
    (PTX ISA, zero-column mask descriptor; its examples say which span is which.)"""
    if ((d >> 39) & 1) == 0:
        return False
    width = n // (128 // m)
    bank = j // width
    skipped = (i32(d >> 40) & 255) + 1
    used = (i32(d >> 48) & 255) + 1
    at = (j % width + (i32(d >> i64(8 * bank)) & 255)) % (skipped + used)
    if ((d >> i64(32 + bank)) & 1) != 0:
        return at < skipped
    return at >= used


def column_shift(t: Thread, record: Ptr[i64], m: i32) -> i32:
    """By how many columns B begins later; the instruction descriptor says how far it may be."""
    shift = i32(record[WORD_ZERO_COLUMNS] >> 56) & 63
    most = (i32(record[WORD_INSTRUCTION]) >> 30) & 3
    if most != 0:
        most = 4 << most
    if shift > most or (m == 32 and shift > 16):
        xgpu_misuse(t, MISUSE_TENSOR_SHIFT)
    return shift


# -- elements


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


def from_tensor(t: Thread, b: Block, record: Ptr[i64], lane: i32, s: i32, type: i32) -> f64:
    """An element of A in tensor memory: side by side in 32 bits. One of 4 bits is in the middle of
    a byte; of .kind::mxf4 two are in a byte."""
    if type in (TYPE_E2M3, TYPE_E3M2):
        xgpu_misuse(t, MISUSE_TENSOR_SIX_BITS)
    bits = stored_bits(type)
    kind: i32 = type
    if record[WORD_KIND] == KIND_MXF4:
        bits = 4
    elif type == TYPE_E2M1:
        kind = TYPE_E2M1_BYTE
    address = i32(record[WORD_A])
    per_cell = 32 // bits
    place = cell(t, b, lane + (address >> 16), (address & 65535) + s // per_cell, 0)
    return decode(read_code(place, i64(s % per_cell), bits), kind)


# -- D of tcgen05.mma, in tensor memory.


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
    if record[WORD_ENABLE_D] == 0:
        for at in range(m * n):
            to[at] = 0.0
        return
    banks = banks_of(record, m)
    width = n // banks
    column = i32(record[WORD_D]) & 65535
    for i in range(m):
        b = block_of_row(t, record, i, m)
        for bank in range(banks):
            lane = result_lane(record, i, m, bank)
            for j in range(width):
                place = cell(t, b, lane, column + j, 0)
                to[i * n + bank * width + j] = read_element(place, 0, type) * factor


def write_result(t: Thread, record: Ptr[i64], m: i32, n: i32, d: Ptr[f64]) -> None:
    type = result_type(record)
    saturates = i32(0)
    if record[WORD_KIND] == KIND_I8:
        saturates = i32(record[WORD_INSTRUCTION]) & 8
    banks = banks_of(record, m)
    width = n // banks
    column = i32(record[WORD_D]) & 65535
    for i in range(m):
        b = block_of_row(t, record, i, m)
        for bank in range(banks):
            lane = result_lane(record, i, m, bank)
            if not is_masked(record, lane, i, m):
                for j in range(width):
                    place = cell(t, b, lane, column + j, 1)
                    place[0] = 0
                    write_element(place, 0, type, d[i * n + bank * width + j], saturates)


def block_of_row(t: Thread, record: Ptr[i64], i: i32, m: i32) -> Block:
    blocks = i32(record[WORD_BLOCKS])
    return block_of(t, blocks, i // (m // blocks))


def result_lane(record: Ptr[i64], i: i32, m: i32, bank: i32) -> i32:
    """The lane of a row of D, for the columns of a bank."""
    rows = m // i32(record[WORD_BLOCKS])
    return lane_of_row(record, m, i % rows, bank) + (i32(record[WORD_D]) >> 16)


def is_masked(record: Ptr[i64], lane: i32, i: i32, m: i32) -> i1:
    """Whether a lane of D is left as it is."""
    if record[WORD_MASKED] == 0:
        return False
    bit = lane
    if record[WORD_BLOCKS] == 2:
        bit = lane + i // (m // 2) * 128
    words = Ptr[i32](advance(record, MASK))
    return ((words[bit // 32] >> (bit % 32)) & 1) != 0


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


def type_of_rows(record: Ptr[i64]) -> i32:
    """The type of A."""
    return operand_type(i32(record[WORD_KIND]), (i32(record[WORD_INSTRUCTION]) >> 7) & 7)


def type_of_columns(record: Ptr[i64]) -> i32:
    """The type of B."""
    kind = i32(record[WORD_KIND])
    mask = i32(3) if kind == KIND_MXF4 else i32(7)
    return operand_type(kind, (i32(record[WORD_INSTRUCTION]) >> 10) & mask)


def is_valid(record: Ptr[i64], m: i32, n: i32) -> i1:
    """Whether the instruction descriptor is one of that instruction. Scaled blocks of a pair with
    sparse A have 256 rows."""
    instruction = i32(record[WORD_INSTRUCTION])
    blocks = i32(record[WORD_BLOCKS])
    if type_of_rows(record) < 0 or type_of_columns(record) < 0 or n == 0:
        return False
    if ((instruction & 4) != 0) != (record[WORD_SPARSE] != 0):
        return False
    if record[WORD_KIND] == KIND_MXF4 and instruction < 0:
        return False
    if record[WORD_KIND] >= KIND_MXF8F6F4 and record[WORD_SPARSE] != 0 and m != 128 * blocks:
        return False
    if record[WORD_STATIONARY] != 0:
        return m in (32, 64, 128)
    return m == 64 * blocks or m == 128 * blocks


def xgpu_tensor_mma5(t: Thread, place: ptr) -> None:
    record = Ptr[i64](place)
    m = rows_of(record)
    n = columns_of(record)
    k = depth_of(record)
    if not is_valid(record, m, n):
        xgpu_misuse(t, MISUSE_TENSOR_DESCRIPTOR)
    if record[WORD_SPARSE] != 0:
        check_metadata(t, record, m)
    if record[WORD_SHIFTS_A] != 0:
        check_shift(t, record, m)
    banks = banks_of(record, m)
    copies: i32 = 1
    if record[WORD_A_IN_TENSOR] != 0 or record[WORD_SPARSE] != 0:
        copies = banks
    memory = malloc((i64(copies) * i64(m * k) + i64(k * n) + i64(m * n)) * 8)
    b = doubles(memory, i64(copies) * i64(m * k))
    d = doubles(memory, i64(copies) * i64(m * k) + i64(k * n))
    for bank in range(copies):
        a = doubles(memory, i64(bank) * i64(m * k))
        read_rows(t, record, m, k, type_of_rows(record), bank, a)
        if record[WORD_SCALES] != 0:
            scale_rows(t, record, m, k, a)
    read_columns(t, record, m, n, k, type_of_columns(record), b)
    if record[WORD_SCALES] != 0:
        scale_columns(t, record, n, k, b)
    read_result(t, record, m, n, d)
    width = n // banks
    for bank in range(banks):
        a = doubles(memory, i64(bank % copies) * i64(m * k))
        multiply_bank(m, n, k, bank * width, width, a, b, d)
    write_result(t, record, m, n, d)
    free(memory)
    if record[WORD_SHIFTS_A] != 0:
        shift_operand(t, record)


def multiply_bank(
    m: i32, n: i32, k: i32, first: i32, width: i32, a: Ptr[f64], b: Ptr[f64], d: Ptr[f64]
) -> None:
    """D gets A times B added in `width` columns from `first` on."""
    for i in range(m):
        sums = doubles(d, i64(i * n + first))
        for step in range(k):
            x = a[i * k + step]
            row = doubles(b, i64(step * n + first))
            for j in range(width):
                sums[j] = sums[j] + x * row[j]


# -- .ashift: A, in tensor memory, is as tcgen05.shift leaves it when it has been multiplied by


def check_shift(t: Thread, record: Ptr[i64], m: i32) -> None:
    """All lanes have rows."""
    lane = i32(record[WORD_A]) >> 16
    if record[WORD_A_IN_TENSOR] == 0 or m < 128 or halves_lanes(record, m) or lane != 0:
        xgpu_misuse(t, MISUSE_TENSOR_SHIFT)


def shift_operand(t: Thread, record: Ptr[i64]) -> None:
    blocks = i32(record[WORD_BLOCKS])
    for which in range(blocks):
        for warp in range(i32(4)):
            b = block_of(t, blocks, which)
            shift_rows(t, b, 32 * warp, i32(record[WORD_A]) & 65535)
