# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices between memory and the registers of a warp: wmma.load and store, ldmatrix, stmatrix,
movmatrix."""

from __future__ import annotations

from xgpu.host_device.native.prelude import Ptr, advance, extern, i1, i8, i16, i32, i64, ptr, zext32
from xgpu.host_device.native.records import Thread
from xgpu.host_device.native.sources.elements import read_code, write_code
from xgpu.host_device.native.sources.mma import (
    lane_memory,
    require_warp,
    thread_of_lane,
    xgpu_warp_with,
)


@extern
def tensor_ldmatrix_address() -> ptr: ...
@extern
def tensor_stmatrix_address() -> ptr: ...
@extern
def tensor_movmatrix_address() -> ptr: ...


# -- wmma: element e of a row-major matrix lies in lane e / (elements / 32)


def memory_index(index: i32, cols: i32, stride: i32, column_major: i32) -> i64:
    """Where an element of a matrix lies in memory, in elements."""
    row = index // cols
    col = index % cols
    if column_major != 0:
        return i64(col) * i64(stride) + i64(row)
    return i64(row) * i64(stride) + i64(col)


def copy_element(target: ptr, at: i64, source: ptr, index: i64, bits: i32) -> None:
    if bits == 64:
        wide = Ptr[i64](target)
        given = Ptr[i64](source)
        wide[at] = given[index]
    else:
        write_code(target, at, bits, read_code(source, index, bits))


def xgpu_tensor_wmma_load(
    t: Thread,
    out: ptr,
    source: ptr,
    stride: i32,
    rows: i32,
    cols: i32,
    column_major: i32,
    bits: i32,
    slots: i32,
) -> None:
    """A lane's elements of a fragment; where it has more slots than elements, they repeat."""
    per_lane = rows * cols // 32
    for slot in range(slots):
        index = (t.linear & 31) * per_lane + slot % per_lane
        copy_element(out, i64(slot), source, memory_index(index, cols, stride, column_major), bits)


def xgpu_tensor_wmma_store(
    t: Thread,
    target: ptr,
    values: ptr,
    stride: i32,
    rows: i32,
    cols: i32,
    column_major: i32,
    bits: i32,
) -> None:
    per_lane = rows * cols // 32
    for slot in range(per_lane):
        index = (t.linear & 31) * per_lane + slot
        at = memory_index(index, cols, stride, column_major)
        copy_element(target, at, values, i64(slot), bits)


# -- ldmatrix: a record holds the address of a row, what is done, then the registers

SHAPE_8X8 = 0
SHAPE_16X16 = 1
SHAPE_8X16 = 2
FORMAT_PLAIN = 0
FORMAT_6 = 1
FORMAT_4 = 2


def xgpu_tensor_ldmatrix(t: Thread, record: ptr) -> i1:
    return xgpu_warp_with(t, tensor_ldmatrix_address(), record)


def row_of(t: Thread, row: i32) -> ptr:
    """The address that lane `row` gave."""
    address = Ptr[i64](lane_memory(t, row))
    return ptr(address[0])


def packed_byte(row: ptr, col: i32, format: i32) -> i32:
    """Element `col` of a row of bytes; of 16 elements of 6 or 4 bits, which lie at the begin of 16
    bytes, as a byte of its own."""
    bytes = Ptr[i8](row)
    if format == FORMAT_PLAIN:
        return zext32(bytes[col])
    if format == FORMAT_4:
        return (zext32(bytes[col // 2]) >> (col % 2 * 4)) & 15
    bit = col * 6
    low = zext32(bytes[bit // 8]) >> (bit % 8)
    high = zext32(bytes[bit // 8 + 1]) << (8 - bit % 8)
    return (low | high) & 63


def tensor_ldmatrix(t: Thread) -> None:
    require_warp(t)
    h = Ptr[i32](ptr(t.value))
    count = h[2]
    trans = h[3]
    shape = h[4]
    format = h[5]
    for lane in range(i32(32)):
        out = advance(lane_memory(t, lane), 24)
        for matrix in range(count):
            if shape == SHAPE_8X8:
                load_8x8(t, out, lane, matrix, trans)
            elif shape == SHAPE_8X16:
                load_8x16(t, out, lane, matrix, format)
            else:
                load_16x16(t, out, lane, matrix, format)


def load_8x8(t: Thread, out: ptr, lane: i32, matrix: i32, trans: i32) -> None:
    """Two neighbours of 16 bits of row lane / 4."""
    registers = Ptr[i16](out)
    for half in range(i32(2)):
        row = lane // 4
        col = lane % 4 * 2 + half
        if trans != 0:
            row = lane % 4 * 2 + half
            col = lane // 4
        source = Ptr[i16](row_of(t, matrix * 8 + row))
        registers[matrix * 2 + half] = source[col]


def load_8x16(t: Thread, out: ptr, lane: i32, matrix: i32, format: i32) -> None:
    """Four neighbours of 8 bits of row lane / 4."""
    registers = Ptr[i8](out)
    for i in range(i32(4)):
        row = row_of(t, matrix * 8 + lane // 4)
        registers[matrix * 4 + i] = i8(packed_byte(row, lane % 4 * 4 + i, format))


def load_16x16(t: Thread, out: ptr, lane: i32, matrix: i32, format: i32) -> None:
    """Transposed: four neighbours of column lane / 4, and of column lane / 4 + 8."""
    registers = Ptr[i8](out)
    for half in range(i32(2)):
        for i in range(i32(4)):
            row = row_of(t, matrix * 16 + lane % 4 * 4 + i)
            value = packed_byte(row, lane // 4 + 8 * half, format)
            registers[matrix * 8 + half * 4 + i] = i8(value)


# -- stmatrix


def xgpu_tensor_stmatrix(t: Thread, record: ptr) -> i1:
    return xgpu_warp_with(t, tensor_stmatrix_address(), record)


def tensor_stmatrix(t: Thread) -> None:
    require_warp(t)
    h = Ptr[i32](ptr(t.value))
    for lane in range(i32(32)):
        thread_of_lane(t, lane).changed = 0
    for lane in range(i32(32)):
        registers = advance(lane_memory(t, lane), 24)
        for matrix in range(h[2]):
            if h[4] == SHAPE_8X8:
                store_8x8(t, registers, lane, matrix, h[3])
            else:
                store_16x8(t, registers, lane, matrix)


def store_8x8(t: Thread, registers: ptr, lane: i32, matrix: i32, trans: i32) -> None:
    values = Ptr[i16](registers)
    for half in range(i32(2)):
        row = lane // 4
        col = lane % 4 * 2 + half
        if trans != 0:
            row = lane % 4 * 2 + half
            col = lane // 4
        target = Ptr[i16](row_of(t, matrix * 8 + row))
        if target[col] != values[matrix * 2 + half]:
            thread_of_lane(t, matrix * 8 + row).changed = 1
        target[col] = values[matrix * 2 + half]


def store_16x8(t: Thread, registers: ptr, lane: i32, matrix: i32) -> None:
    """Transposed, of 8 bits: a row of memory is a column of 16; a lane has four neighbours of
    column lane / 4."""
    values = Ptr[i8](registers)
    for i in range(i32(4)):
        target = Ptr[i8](row_of(t, matrix * 8 + lane // 4))
        if target[lane % 4 * 4 + i] != values[matrix * 4 + i]:
            thread_of_lane(t, matrix * 8 + lane // 4).changed = 1
        target[lane % 4 * 4 + i] = values[matrix * 4 + i]


# -- movmatrix: an 8x8 matrix of 16 bits, transposed


def xgpu_tensor_movmatrix(t: Thread, record: ptr) -> i1:
    return xgpu_warp_with(t, tensor_movmatrix_address(), record)


def tensor_movmatrix(t: Thread) -> None:
    """A record holds what a lane has, then what it gets."""
    require_warp(t)
    for lane in range(i32(32)):
        mine = Ptr[i16](lane_memory(t, lane))
        for half in range(i32(2)):
            row = lane % 4 * 2 + half
            col = lane // 4
            other = Ptr[i16](lane_memory(t, row * 4 + col // 2))
            mine[2 + half] = other[col % 2]
