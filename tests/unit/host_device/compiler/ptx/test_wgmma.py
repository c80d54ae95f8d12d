# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma.mma_async of every type and layout against NumPy. Operands lie in shared memory as the PTX
ISA's canonical layouts say (9.7.15.5), which `image_of` writes down by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.some_cases import long_each, some
from tests.support.warp_kernel import BITS, kernel, packed, random_codes, run, unpacked, values_of
from tests.unit.host_device.compiler.ptx.test_mma import metadata_words, sparse_pattern

pytestmark = pytest.mark.sampled(2)

#: Swizzle -> the number in a descriptor.
MODES = {16: 0, 128: 1, 64: 2, 32: 3}
_SIZE = 1 << 16


def image_of(
    codes: np.ndarray[Any, Any], bits: int, swizzle: int, transposed: bool
) -> tuple[np.ndarray[Any, Any], int, int]:
    """A matrix whose rows run along M or N and whose columns along K, as bytes; its leading and
    stride byte offsets. What lies side by side is K, or with `transposed` M or N."""
    rows = codes.T if transposed else codes
    data = packed(rows, bits)  # a line for each row
    height, width = data.shape
    atoms = -(-width // swizzle)
    if swizzle == 16:
        # Core matrices of 8 rows of 16 bytes, those below one another side by side.
        below, beside = 128, 128 * (height // 8)
    else:
        below, beside = 8 * swizzle, 8 * swizzle * (height // 8)
    found = np.zeros(beside * atoms, np.uint8)
    for row in range(height):
        for byte in range(width):
            chunk, inside = divmod(byte % swizzle, 16)
            line = row % 8 * swizzle
            twist = (line + chunk * 16 + row // 8 * below) // 128 % (swizzle // 16)
            at = byte // swizzle * beside + row // 8 * below + line
            found[at + ((chunk ^ twist) * 16) + inside] = data[row, byte]
    if swizzle == 16 and transposed:
        return found, below, beside
    return found, beside, below


def descriptor(at: int, leading: int, stride: int, swizzle: int) -> int:
    return (at >> 4) | (leading >> 4) << 16 | (stride >> 4) << 32 | MODES[swizzle] << 62


def descriptors(first: int, second: int) -> str:
    """LLVM IR: both descriptors, whose addresses are from the begin of shared memory on."""
    return f"""
  %base = ptrtoint ptr addrspace(3) @s to i64
  %low = and i64 %base, 262143
  %unit = lshr i64 %low, 4
  %da = add i64 %unit, {first - (1 << 64) if first >> 63 else first}
  %db = add i64 %unit, {second - (1 << 64) if second >> 63 else second}
"""


def rows_of_d(n: int, bits: int, data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """D (64 x n) from the bytes of 128 threads: element i of a thread lies in row
    16 (warp) + g + 8 (i / 2 mod 2), column 8 (i / 4) + 2 t + i mod 2."""
    lanes = unpacked(data, bits)
    found = np.zeros((64, n), np.uint64)
    for thread in range(128):
        g, t = thread % 32 // 4, thread % 4
        for i in range(n // 2):
            row = thread // 32 * 16 + g + 8 * (i // 2 % 2)
            found[row, 8 * (i // 4) + 2 * t + i % 2] = lanes[thread, i]
    return found


def threads_of(codes: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
    """The other way."""
    n = codes.shape[1]
    lanes = np.zeros((128, n // 2), np.uint64)
    for thread in range(128):
        g, t = thread % 32 // 4, thread % 4
        for i in range(n // 2):
            row = thread // 32 * 16 + g + 8 * (i // 2 % 2)
            lanes[thread, i] = codes[row, 8 * (i // 4) + 2 * t + i % 2]
    return packed(lanes, bits)


def rows_of_a(codes: np.ndarray[Any, Any], bits: int) -> np.ndarray[Any, Any]:
    """A (64 x k) in registers: four of each thread, elements side by side; the second has the row
    eight below, the third those half of k on."""
    width = 32 // bits
    lanes = np.zeros((128, 4 * width), np.uint64)
    for thread in range(128):
        g, t = thread % 32 // 4, thread % 4
        for i in range(4 * width):
            register, at = divmod(i, width)
            row = thread // 32 * 16 + g + 8 * (register % 2)
            lanes[thread, i] = codes[row, t * width + at + register // 2 * 4 * width]
    return packed(lanes, bits)


def run_wgmma(
    d: str, first: str, second: str, n: int, *, swizzle: int = 128, in_registers: bool = False,
    layouts: tuple[bool, bool] = (False, False), signs: tuple[int, int] = (1, 1), keeps: int = 1,
    more: str = "", strategy: str = "threads",
) -> None:  # fmt: skip
    """One product of a warpgroup against NumPy. `layouts`: A and B transposed."""
    rng = np.random.default_rng(n)
    k = 256 // BITS[first]
    a, b = random_codes(rng, (64, k), first), random_codes(rng, (n, k), second)
    c = random_codes(rng, (64, n), d)
    image = np.zeros(_SIZE, np.uint8)
    a_bytes, *offsets_a = image_of(a, BITS[first], swizzle, layouts[0])
    b_bytes, *offsets_b = image_of(b, BITS[second], swizzle, layouts[1])
    start = 0 if in_registers else -(-len(a_bytes) // 1024) * 1024
    if not in_registers:
        image[: len(a_bytes)] = a_bytes
    image[start : start + len(b_bytes)] = b_bytes
    data = threads_of(c, BITS[d])
    count = data.shape[1] // 4
    words = [data, rows_of_a(a, BITS[first])] if in_registers else [data]
    at = 2 * count
    registers = "{" + ", ".join(f"${i}" for i in range(count)) + "}"
    first_operand = f"${at}"
    if in_registers:
        first_operand = "{" + ", ".join(f"${at + i}" for i in range(4)) + "}"
        at += 3
    rest = f"{first_operand}, ${at + 1}, p"
    if d != "s32":
        rest += f", {signs[0]}, {signs[1]}"
    if BITS[first] == 16:
        rest += ("" if in_registers else f", {int(layouts[0])}") + f", {int(layouts[1])}"
    move = "".join(f"mov.b32 ${i}, ${count + i}; " for i in range(count))
    asm = (
        f"{{ .reg .pred p; setp.ne.b32 p, {keeps}, 0; {move}"
        f"wgmma.mma_async.sync.aligned.m64n{n}k{k}.{d}.{first}.{second}{more} {registers}, {rest}; "
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
    )
    shifted = descriptor(start, offsets_b[0], offsets_b[1], swizzle)
    before = descriptors(descriptor(0, offsets_a[0], offsets_a[1], swizzle), shifted)
    given = "l=i64 %db" if in_registers else "l=i64 %da;l=i64 %db"
    inputs = "r" * (count + (4 if in_registers else 0))
    out = np.zeros_like(data)
    source = kernel(asm, "r" * count, inputs, _SIZE, before, given)
    run(source, np.ascontiguousarray(np.concatenate(words, 1)), out, 128, image, strategy)
    codes = rows_of_d(n, BITS[d], out)
    va, vb = values_of(a, first) * signs[0], values_of(b, second).T * signs[1]
    vc = values_of(c, d) * keeps
    expected, found = va @ vb + vc, values_of(codes, d)
    if d == "s32":
        if more == ".satfinite":
            expected = np.clip(expected, -(2.0**31), 2.0**31 - 1)
        np.testing.assert_array_equal(found, expected)
        return
    scale = np.abs(va) @ np.abs(vb) + np.abs(vc) + 1e-30
    digits = 2.0**-10 if d == "f16" else 2.0**-23
    np.testing.assert_array_less(np.abs(found - expected), digits * scale)


TYPES = [
    ("f32", "f16", "f16"), ("f16", "f16", "f16"), ("f32", "bf16", "bf16"), ("f32", "tf32", "tf32"),
    *((d, a, b) for d in ("f32", "f16") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")),
    *(("s32", a, b) for a in ("s8", "u8") for b in ("s8", "u8")),
]  # fmt: skip


@pytest.mark.parametrize(("d", "first", "second", "in_registers"), some(TYPES, [False, True]))
def test_types(d: str, first: str, second: str, in_registers: bool):
    run_wgmma(d, first, second, 16, in_registers=in_registers)


@pytest.mark.parametrize(
    ("swizzle", "first", "second"),
    some([16, 32, 64, 128], [(False, False), (True, True), (True, False), (False, True)], of=4),
)
def test_layouts(swizzle: int, first: bool, second: bool):
    """A and B along K, or along M and N, with each swizzling."""
    run_wgmma("f32", "f16", "f16", 64, swizzle=swizzle, layouts=(first, second))


def test_signs_and_accumulators():
    run_wgmma("f32", "bf16", "bf16", 8, signs=(-1, 1))
    run_wgmma("f32", "bf16", "bf16", 8, signs=(1, -1), keeps=0)
    run_wgmma("s32", "s8", "s8", 8, keeps=0, more=".satfinite")


def test_single_bits():
    run_wgmma("s32", "b1", "b1", 16, more=".and.popc")


@pytest.mark.parametrize("n", long_each(range(8, 257, 8), 7))
def test_every_width(n: int):
    run_wgmma("f32", "f16", "f16", n)
    run_wgmma("f16", "e4m3", "e5m2", n, in_registers=True)


# -- sparse A


def run_sparse(
    d: str, first: str, second: str, n: int, selector: int, *, in_registers: bool = False,
    strategy: str = "threads",
) -> None:  # fmt: skip
    """Likewise with sparse A: a warp's 16 rows have metadata as mma.sp has them."""
    rng = np.random.default_rng(n + selector)
    width = BITS[first]
    k = 512 // width
    stored, b = random_codes(rng, (64, k // 2), first), random_codes(rng, (n, k), second)
    c = random_codes(rng, (64, n), d)
    patterns = [sparse_pattern(rng, 16, k, first) for _ in range(4)]
    dense = np.zeros((64, k))
    np.put_along_axis(dense, np.concatenate([p[0] for p in patterns]), values_of(stored, first), 1)
    selectors = 1 if width == 8 else 2
    meta = [metadata_words(bits, first, selectors, selector) for _, bits in patterns]
    image = np.zeros(_SIZE, np.uint8)
    a_bytes, *offsets_a = image_of(stored, width, 32, False)
    b_bytes, *offsets_b = image_of(b, BITS[second], 64, False)
    start = -(-len(a_bytes) // 1024) * 1024
    image[: len(a_bytes)] = a_bytes
    image[start : start + len(b_bytes)] = b_bytes
    data = threads_of(c, BITS[d])
    words = [data, rows_of_a(stored, width), np.concatenate(meta)]
    count = data.shape[1] // 4
    at = 2 * count
    operand = (
        "{" + ", ".join(f"${at + i}" for i in range(4)) + "}" if in_registers else f"${at + 5}"
    )
    registers = "{" + ", ".join(f"${i}" for i in range(count)) + "}"
    rest = f"{operand}, ${at + 6}, ${at + 4}, {selector}, p"
    rest += "" if d == "s32" else ", 1, -1"
    rest += ("" if in_registers else ", 0") + ", 0" if width == 16 else ""
    move = "".join(f"mov.b32 ${i}, ${count + i}; " for i in range(count))
    asm = (
        f"{{ .reg .pred p; setp.ne.b32 p, 1, 0; {move}"
        f"wgmma.mma_async.sp.sync.aligned.m64n{n}k{k}.{d}.{first}.{second} {registers}, {rest}; "
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
    )
    before = descriptors(
        descriptor(0, offsets_a[0], offsets_a[1], 32),
        descriptor(start, offsets_b[0], offsets_b[1], 64),
    )
    out = np.zeros_like(data)
    source = kernel(asm, "r" * count, "r" * (count + 5), _SIZE, before, "l=i64 %da;l=i64 %db")
    run(source, np.ascontiguousarray(np.concatenate(words, 1)), out, 128, image, strategy)
    found = values_of(rows_of_d(n, BITS[d], out), d)
    vb, vc = values_of(b, second).T * (1 if d == "s32" else -1), values_of(c, d)
    expected = dense @ vb + vc
    if d == "s32":
        np.testing.assert_array_equal(found, expected)
        return
    scale = np.abs(dense) @ np.abs(vb) + np.abs(vc) + 1e-30
    digits = 2.0**-10 if d == "f16" else 2.0**-23
    np.testing.assert_array_less(np.abs(found - expected), digits * scale)


@pytest.mark.parametrize(
    ("d", "first", "second", "selectors", "in_registers"),
    some([("f32", "f16", "f16", 2), ("f16", "f16", "f16", 2), ("f32", "bf16", "bf16", 2),
     ("f32", "tf32", "tf32", 2), ("s32", "s8", "u8", 1), ("s32", "u8", "u8", 1),
     ("f32", "e4m3", "e5m2", 1), ("f16", "e5m2", "e5m2", 1)], [False, True]),
)  # fmt: skip
def test_sparse_rows(d: str, first: str, second: str, selectors: int, in_registers: bool):
    for selector in range(selectors):
        run_sparse(d, first, second, 16, selector, in_registers=in_registers)


def test_warps_as_vectors():
    run_sparse("f32", "f16", "f16", 8, 1, in_registers=True, strategy="warps")
    run_wgmma("f32", "f16", "f16", 8, in_registers=True, strategy="warps")
