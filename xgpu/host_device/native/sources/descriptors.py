# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices in shared memory that a descriptor of 64 bits says, for wgmma and tcgen05.

Bits 0-13 the address, 16-29 the leading and 32-45 the stride byte offset, each divided by 16 (PTX
ISA, matrix descriptor). The swizzling is in bits 62-63 for wgmma, in 61-63 for tcgen05. The address
is an offset: the buffer of a block's shared memory is aligned to what these fields can count.
"""

from __future__ import annotations

from xgpu.host_device.native.prelude import i32, i64, lshr

# As `swizzle_of` numbers them: the width of rows in bytes, 129 for 128 bytes in atoms of 32.
ATOMS_OF_32 = 129


def descriptor_field(d: i64, shift: i32) -> i64:
    return (lshr(d, i64(shift)) & 16383) << 4


def swizzle_of(d: i64, fifth: i32) -> i32:
    """How rows are swizzled: 16 (not at all), 32, 64 or 128 bytes wide."""
    if fifth != 0:
        mode = i32(lshr(d, 61))
        if mode == 1:
            return ATOMS_OF_32
        if mode == 2:
            return 128
        if mode == 4:
            return 64
        return i32(32) if mode == 6 else i32(16)
    kind = i32(lshr(d, 62))
    if kind == 1:
        return 128
    if kind == 2:
        return 64
    return i32(32) if kind == 3 else i32(16)


def operand_address(d: i64, major: i64, minor: i64, transposed: i32, fifth: i32) -> i64:
    """The offset in shared memory of an element's byte. `minor` runs along K, `major` along M or N;
    the one that lies side by side in memory is in bytes.

    K-major: rows of a swizzle atom hold consecutive k, eight rows make an atom, atoms of further
    rows lie a stride apart. Transposed: rows hold consecutive m or n, further ones lie a leading
    offset apart; without swizzling the two offsets have changed places.
    """
    swizzle = swizzle_of(d, fifth)
    width = i64(128) if swizzle == ATOMS_OF_32 else i64(swizzle)
    row = major
    byte = minor
    leading = descriptor_field(d, 16)
    stride = descriptor_field(d, 32)
    if transposed != 0:
        row = minor
        byte = major
        if width == 16:
            leading = descriptor_field(d, 32)
            stride = descriptor_field(d, 16)
    at = descriptor_field(d, 0) + row // 8 * stride + row % 8 * width
    at = at + byte // width * leading + byte % width
    return swizzled_bits(at, swizzle)


def swizzled_bits(at: i64, swizzle: i32) -> i64:
    """Bits of an address that choose 16 bytes are combined with those that choose a row."""
    if swizzle == ATOMS_OF_32:
        return at ^ (((at >> 7) & 3) << 5)
    if swizzle == 128:
        return at ^ (((at >> 7) & 7) << 4)
    if swizzle == 64:
        return at ^ (((at >> 7) & 3) << 4)
    if swizzle == 32:
        return at ^ (((at >> 7) & 1) << 4)
    return at
