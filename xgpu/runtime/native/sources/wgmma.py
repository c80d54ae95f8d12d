# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma with both operands in shared memory.

Every thread of the warpgroup computes its own part of D, so nothing is exchanged; but none leaves
wgmma.wait_group before all have computed, for they may overwrite the operands then. A matrix
descriptor (PTX ISA 9.7.15.5.1) holds in bits 0-13 the address, 16-29 the leading and 32-45 the
stride byte offset, each divided by 16, and in bits 62-63 the swizzling. The address is an offset:
the buffer of a block's shared memory is aligned to what these fields can count.
"""

from __future__ import annotations

from xgpu.runtime.native.prelude import Ptr, advance, f32, f64, i1, i32, i64, lshr
from xgpu.runtime.native.records import NAMED_BARRIERS, Thread
from xgpu.runtime.native.sources.barriers import xgpu_barrier
from xgpu.runtime.native.sources.matrix import element_size, read_element
from xgpu.runtime.native.sources.tma import SWIZZLE_32, SWIZZLE_64, SWIZZLE_128, swizzled


def descriptor_field(d: i64, shift: i32) -> i64:
    return (lshr(d, i64(shift)) & 16383) << 4


def operand_address(d: i64, major: i64, minor: i64, size: i64, transposed: i32) -> i64:
    """The offset in shared memory of an element. `minor` runs along K, `major` along M or N.

    K-major: rows of a swizzle atom hold consecutive k, eight rows make an atom, atoms of further
    rows lie a stride apart. Transposed: rows hold consecutive m or n, further ones lie a leading
    offset apart.
    """
    mode = i32(lshr(d, 62))
    width: i64 = 16
    swizzle: i32 = 0
    if mode == 1:
        width = 128
        swizzle = SWIZZLE_128
    elif mode == 2:
        width = 64
        swizzle = SWIZZLE_64
    elif mode == 3:
        width = 32
        swizzle = SWIZZLE_32
    row = major
    col = minor
    if transposed != 0:
        row = minor
        col = major
    bytes = col * size
    leading = descriptor_field(d, 16)
    stride = descriptor_field(d, 32)
    at = descriptor_field(d, 0) + row // 8 * stride + row % 8 * width
    at = at + bytes // width * leading + bytes % width
    if swizzle == SWIZZLE_64:
        return at ^ (((at >> 7) & 3) << 4)
    return swizzled(at, swizzle)


def xgpu_wgmma(
    t: Thread,
    d: Ptr[f32],
    a: i64,
    b: i64,
    n: i32,
    k: i32,
    type: i32,
    scale_d: i32,
    scale_a: i32,
    scale_b: i32,
    transposed_a: i32,
    transposed_b: i32,
) -> None:
    size = element_size(type)
    shared = t.block.shared
    warp = t.linear % 128 // 32
    lane = t.linear & 31
    sign = f64(scale_a) * f64(scale_b)
    for i in range(n // 2):
        row = warp * 16 + lane // 4 + 8 * (i // 2 % 2)
        col = lane % 4 * 2 + i % 2 + 8 * (i // 4)
        total = 0.0
        if scale_d != 0:
            total = f64(d[i])
        for step in range(k):
            at_a = operand_address(a, i64(row), i64(step), size, transposed_a)
            at_b = operand_address(b, i64(col), i64(step), size, transposed_b)
            x = read_element(advance(shared, at_a), 0, type)
            y = read_element(advance(shared, at_b), 0, type)
            total = total + sign * x * y
        d[i] = f32(total)


def xgpu_warpgroup_sync(t: Thread) -> i1:
    return xgpu_barrier(t, NAMED_BARRIERS + t.linear // 128, 128, 0, 0)
