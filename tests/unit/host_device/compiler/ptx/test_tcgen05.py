# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor memory and tcgen05.mma against NumPy. Where elements lie is written down from the PTX ISA
(9.7.16): 128 lanes of 512 columns of 32 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.support.some_cases import long_first, some
from tests.support.warp_kernel import (
    BITS,
    kernel,
    packed,
    random_codes,
    run,
    values_of,
)
from tests.unit.host_device.compiler.ptx.test_wgmma import image_of
from xgpu.core.ir.errors import DeviceError

pytestmark = pytest.mark.sampled(2)

SIZE = 1 << 16
STATE_AT = SIZE - 64  # where the address of tensor memory and an mbarrier lie
_MODES = {16: 0, 128: 2, 64: 4, 32: 6}


def registers_from(first: int, count: int) -> str:
    return "{" + ", ".join(f"${first + i}" for i in range(count)) + "}"


BEGIN = """{ .reg .b32 ta, w, tid, td; .reg .pred one, first, done, keep;
mov.u32 tid, %tid.x; setp.lt.u32 first, tid, 32; setp.eq.u32 one, tid, 0;
@first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [@S], 512;
@one mbarrier.init.shared::cta.b64 [@S + 8], 1;
bar.sync 0;
ld.shared.b32 ta, [@S];
shr.u32 w, tid, 5; shl.b32 w, w, 21; add.u32 w, w, ta;
"""
END = """
bar.sync 0;
@first tcgen05.dealloc.cta_group::1.sync.aligned.b32 ta, 512; }"""
STATE = f"""
  %state = getelementptr i8, ptr addrspace(3) @s, i32 {STATE_AT}
  %sa = ptrtoint ptr addrspace(3) %state to i32
"""

# -- loads and stores


SHAPES: dict[str, tuple[int, Callable[[int, int], tuple[int, int]]]] = {
    # registers of one repetition; (thread, register) -> (lane, column)
    "32x32b": (1, lambda t, r: (t, r)),
    "16x64b": (1, lambda t, r: (t // 4 + 8 * (t % 2), t // 2 % 2 + 2 * r)),
    "16x128b": (2, lambda t, r: (t // 4 + 8 * (r % 2), t % 4 + 4 * (r // 2))),
    "16x256b": (4, lambda t, r: (t // 4 + 8 * (r // 2 % 2), 2 * (t % 4) + r % 2 + 8 * (r // 4))),
}


@pytest.mark.parametrize(
    ("shape", "repeats", "packs"), some(list(SHAPES), [1, 2, 4, 8], [False, True], of=11)
)
def test_loads(shape: str, repeats: int, packs: bool):
    """What a store of 64 columns has left, each shape finds where it says."""
    each, place = SHAPES[shape]
    if packs and shape == "16x256b":
        repeats = min(repeats, 4)  # 64 columns
    count = each * repeats
    rng = np.random.default_rng(repeats)
    cells = rng.integers(0, 1 << 32, (32, 64), dtype=np.uint32)
    word = ".pack::16b" if packs else ""
    asm = (
        BEGIN + f"tcgen05.st.sync.aligned.32x32b.x64.b32 [w], {registers_from(count, 64)};"
        "tcgen05.wait::st.sync.aligned;"
        f"tcgen05.ld.sync.aligned.{shape}.x{repeats}{word}.b32 {registers_from(0, count)}, [w];"
        "tcgen05.wait::ld.sync.aligned;" + END
    ).replace("@S", f"${count + 64}")
    out = np.zeros((32, count), np.uint32)
    source = kernel(asm, "r" * count, "r" * 64, SIZE, STATE, "r=i32 %sa")
    run(source, cells, out, 32, np.zeros(SIZE, np.uint8))
    for thread in range(32):
        for register in range(count):
            lane, column = place(thread, register)
            if packs:
                low, high = cells[lane, 2 * column], cells[lane, 2 * column + 1]
                wanted = low & 0xFFFF | high << np.uint32(16)
            else:
                wanted = cells[lane, column]
            assert out[thread, register] == wanted


@pytest.mark.parametrize("shape", list(SHAPES))
def test_stores(shape: str):
    each, place = SHAPES[shape]
    count = each * 4
    words = np.random.default_rng(0).integers(0, 1 << 32, (32, count), dtype=np.uint32)
    asm = (
        BEGIN + f"tcgen05.st.sync.aligned.{shape}.x4.b32 [w], {registers_from(32, count)};"
        f"tcgen05.ld.sync.aligned.32x32b.x32.b32 {registers_from(0, 32)}, [w];" + END
    ).replace("@S", f"${count + 32}")
    out = np.zeros((32, 32), np.uint32)
    source = kernel(asm, "r" * 32, "r" * count, SIZE, STATE, "r=i32 %sa")
    run(source, words, out, 32, np.zeros(SIZE, np.uint8))
    for thread in range(32):
        for register in range(count):
            assert out[place(thread, register)] == words[thread, register]


def test_a_warp_reaches_its_own_lanes():
    """Whether the address says which, or not."""
    cells = np.random.default_rng(3).integers(0, 1 << 32, (128, 4), dtype=np.uint32)
    asm = (
        BEGIN + f"tcgen05.st.sync.aligned.32x32b.x4.b32 [ta], {registers_from(4, 4)}; bar.sync 0;"
        f"tcgen05.ld.sync.aligned.32x32b.x4.b32 {registers_from(0, 4)}, [w];" + END
    ).replace("@S", "$8")
    out = np.zeros((128, 4), np.uint32)
    source = kernel(asm, "rrrr", "rrrr", SIZE, STATE, "r=i32 %sa")
    run(source, cells, out, 128, np.zeros(SIZE, np.uint8))
    np.testing.assert_array_equal(out, cells)


@pytest.mark.parametrize("packs", [False, True])
def test_two_halves(packs: bool):
    """.16x32bx2: lanes 0 to 15 twice, the second time some columns on, however many a register
    holds."""
    cells = np.random.default_rng(1).integers(0, 1 << 32, (32, 64), dtype=np.uint32)
    word = ".pack::16b" if packs else ""
    asm = (
        BEGIN + f"tcgen05.st.sync.aligned.32x32b.x64.b32 [w], {registers_from(8, 64)};"
        f"tcgen05.ld.sync.aligned.16x32bx2.x8{word}.b32 {registers_from(0, 8)}, [w], 20;" + END
    ).replace("@S", "$72")
    out = np.zeros((32, 8), np.uint32)
    run(kernel(asm, "r" * 8, "r" * 64, SIZE, STATE, "r=i32 %sa"), cells, out, 32,
        np.zeros(SIZE, np.uint8))  # fmt: skip
    for half, begin in ((out[:16], 0), (out[16:], 20)):
        if packs:
            pairs = cells[:16, begin : begin + 16].reshape(16, 8, 2)
            wanted = pairs[..., 0] & 0xFFFF | pairs[..., 1] << np.uint32(16)
        else:
            wanted = cells[:16, begin : begin + 8]
        np.testing.assert_array_equal(half, wanted)


@pytest.mark.parametrize("unpacks", [False, True])
def test_stores_of_two_halves(unpacks: bool):
    words = np.random.default_rng(2).integers(0, 1 << 32, (32, 8), dtype=np.uint32)
    word = ".unpack::16b" if unpacks else ""
    asm = (
        BEGIN + f"tcgen05.st.sync.aligned.16x32bx2.x8{word}.b32 [w], 20, {registers_from(64, 8)};"
        f"tcgen05.ld.sync.aligned.32x32b.x64.b32 {registers_from(0, 64)}, [w];" + END
    ).replace("@S", "$72")
    out = np.zeros((32, 64), np.uint32)
    run(kernel(asm, "r" * 64, "r" * 8, SIZE, STATE, "r=i32 %sa"), words, out, 32,
        np.zeros(SIZE, np.uint8))  # fmt: skip
    for half, begin in ((words[:16], 0), (words[16:], 20)):
        if unpacks:
            pairs = np.stack([half & 0xFFFF, half >> np.uint32(16)], axis=-1).reshape(16, 16)
            np.testing.assert_array_equal(out[:16, begin : begin + 16], pairs)
        else:
            np.testing.assert_array_equal(out[:16, begin : begin + 8], half)


# -- copies

COPIES = {
    "128x256b": (128, 32, lambda r: [r]),
    "128x128b": (128, 16, lambda r: [r]),
    "64x128b.warpx2::02_13": (64, 16, lambda r: [r, r + 64]),
    "64x128b.warpx2::01_23": (64, 16, lambda r: [r + r // 32 * 32, r + r // 32 * 32 + 32]),
    "32x128b.warpx4": (32, 16, lambda r: [r, r + 32, r + 64, r + 96]),
}  # fmt: skip


def tensor_descriptor(at: int, leading: int, stride: int, swizzle: int) -> int:
    fixed = 1 << 46
    return at >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | fixed | _MODES[swizzle] << 61


def described(name: str, value: int) -> str:
    signed = value - (1 << 64) if value >> 63 else value
    return f"  %{name} = add i64 %unit, {signed}\n"


UNIT = """
  %base = ptrtoint ptr addrspace(3) @s to i64
  %low = and i64 %base, 262143
  %unit = lshr i64 %low, 4
"""


@pytest.mark.parametrize("shape", [*COPIES, "warpx4.32x128b"])
def test_copies(shape: str):
    """Triton writes the multicast before the shape."""
    rows, width, lanes = COPIES[shape if shape in COPIES else "32x128b.warpx4"]
    data = np.random.default_rng(2).integers(0, 256, (rows, width), dtype=np.uint8)
    content, leading, stride = image_of(data.astype(np.uint64), 8, 16, False)
    image = np.zeros(SIZE, np.uint8)
    image[: len(content)] = content
    count = width // 4
    asm = (
        BEGIN + f"@one tcgen05.cp.cta_group::1.{shape} [ta], ${count + 1}; bar.sync 0;"
        f"tcgen05.ld.sync.aligned.32x32b.x{count}.b32 {registers_from(0, count)}, [w];" + END
    ).replace("@S", f"${count}")
    before = STATE + UNIT + described("d", tensor_descriptor(0, leading, stride, 16))
    out = np.zeros((128, width), np.uint8)
    source = kernel(asm, "r" * count, "", SIZE, before, "r=i32 %sa;l=i64 %d")
    run(source, image, out, 128, image)
    found = {lane for row in range(rows) for lane in lanes(row)}
    assert len(found) == 128
    for row in range(rows):
        for lane in lanes(row):
            np.testing.assert_array_equal(out[lane], data[row])


# -- products

_CODES = {"f16": 0, "bf16": 1, "tf32": 2, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5,
          "u8": 0, "s8": 1}  # fmt: skip


def instruction_word(d: str, first: str, second: str, m: int, n: int, **bits: int) -> int:
    found = {"f16": 0, "f32": 1, "s32": 2}[d] << 4 | _CODES[first] << 7 | _CODES[second] << 10
    found |= (n >> 3) << 17 | (m >> 4) << 24
    for name, at in (("negate_a", 13), ("negate_b", 14), ("columns_a", 15), ("rows_b", 16),
                     ("saturate", 3)):  # fmt: skip
        found |= bits.get(name, 0) << at
    return found


def _stored(codes: Any, kind: str) -> tuple[Any, int]:
    """Elements of 6 and 4 bits: sixteen together in 16 bytes, at their begin."""
    if kind not in ("e2m3", "e3m2", "e2m1"):
        return codes, BITS[kind]
    dense = packed(codes.reshape(codes.shape[0], -1, 16), BITS[kind])
    room = np.zeros((*dense.shape[:2], 16), np.uint8)
    room[..., : dense.shape[2]] = dense
    return room.reshape(codes.shape[0], -1).astype(np.uint64), 8


def run_product(
    kind: str, d: str, first: str, second: str, m: int, n: int, *, swizzle: int = 128,
    keeps: int = 1, in_tensor: bool = False, stationary: bool = False, masked: int = 0,
    exponent: int | None = None, **bits: int,
) -> None:  # fmt: skip
    """One product of one block against NumPy."""
    rng = np.random.default_rng(m + n)
    depth = {"f16": 16, "tf32": 8}.get(kind, 32)
    a, b = random_codes(rng, (m, depth), first), random_codes(rng, (n, depth), second)
    c = random_codes(rng, (m, n), d)
    image = np.zeros(SIZE, np.uint8)
    offsets, start = [], 0
    columns = (bits.get("columns_a", 0), bits.get("rows_b", 0))
    for codes, of, transposed in ((a, first, columns[0]), (b, second, columns[1])):
        content, leading, stride = image_of(*_stored(codes, of), swizzle, bool(transposed))
        image[start : start + len(content)] = content
        offsets.append(tensor_descriptor(start, leading, stride, swizzle))
        start += -(-len(content) // 1024) * 1024
    assert start <= STATE_AT
    width = n * m // 128 if stationary else n
    before = np.zeros((128, width), np.uint32)
    lanes = _lanes(m, n, stationary)
    before[lanes] = c
    words = [before.view(np.uint8)]
    a_columns = depth * BITS[first] // 32
    if in_tensor:
        held = np.zeros((128, a_columns * 4), np.uint8)
        held[_lanes(m, n, stationary)[0][:, 0]] = packed(a, BITS[first])
        words.append(held)
    count = width + (a_columns if in_tensor else 0)
    at = width + count
    first_operand = "[td]" if in_tensor else f"${at + 1}"
    store_a = (
        f"add.u32 td, w, 256; tcgen05.st.sync.aligned.32x32b.x{a_columns}.b32 [td], "
        f"{registers_from(2 * width, a_columns)}; add.u32 td, ta, 256;" if in_tensor else ""
    )  # fmt: skip
    mask = ""
    if masked:
        mask = ", {" + ", ".join(f"{masked >> 32 * i & 0xFFFFFFFF}" for i in range(4)) + "}"
    more = "" if exponent is None else f", {exponent}"
    name = f"tcgen05.mma{'.ws' if stationary else ''}.cta_group::1.kind::{kind}"
    asm = (
        BEGIN
        + f"tcgen05.st.sync.aligned.32x32b.x{width}.b32 [w], {registers_from(width, width)};"
        + f"{store_a}"
        f"tcgen05.wait::st.sync.aligned; bar.sync 0; setp.ne.b32 keep, {keeps}, 0;"
        f"@one {name} [ta], {first_operand}, ${at + 2}, "
        f"{instruction_word(d, first, second, m, n, **bits)}{mask}, keep{more};"
        "@one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [@S + 8];\n"
        "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [@S + 8], 0; @!done bra AGAIN;"
        f"tcgen05.ld.sync.aligned.32x32b.x{width}.b32 {registers_from(0, width)}, [w];" + END
    ).replace("@S", f"${at}")
    text = STATE + UNIT + described("da", offsets[0]) + described("db", offsets[1])
    source = kernel(asm, "r" * width, "r" * count, SIZE, text, "r=i32 %sa;l=i64 %da;l=i64 %db")
    out = np.zeros((128, width), np.uint32)
    run(source, np.ascontiguousarray(np.concatenate(words, 1)), out, 128, image)
    va = values_of(a, first) * (-1 if bits.get("negate_a") else 1)
    vb = values_of(b, second).T * (-1 if bits.get("negate_b") else 1)
    vc = values_of(c, d) * keeps * 2.0 ** -(exponent or 0)
    expected, found = va @ vb + vc, values_of(out[lanes], d)
    kept = np.array([masked >> int(lane) & 1 for lane in lanes[0].ravel()], bool).reshape(m, n)
    expected = np.where(kept, values_of(c, d), expected)
    if d == "s32":
        np.testing.assert_array_equal(found, expected)
        return
    scale = np.abs(va) @ np.abs(vb) + np.abs(vc) + 1e-30
    digits = 2.0**-10 if d == "f16" else 2.0**-23
    np.testing.assert_array_less(np.abs(found - expected), digits * scale)


def _lanes(m: int, n: int, stationary: bool) -> tuple[Any, Any]:
    """Lane and column of each element of D: with M = 64 the first sixteen lanes of each warp; where
    B is held (.ws), columns that are left over lie in lanes below."""
    rows, columns = np.mgrid[:m, :n]
    if stationary:
        width = n * m // 128
        return rows + columns // width * m, columns % width
    return (rows if m == 128 else rows // 16 * 32 + rows % 16), columns


KINDS = [
    ("f16", "f32", "f16", "f16"), ("f16", "f16", "f16", "f16"), ("f16", "f32", "bf16", "bf16"),
    ("f16", "f32", "f16", "bf16"), ("tf32", "f32", "tf32", "tf32"),
    ("i8", "s32", "s8", "u8"), ("i8", "s32", "u8", "s8"),
    ("f8f6f4", "f32", "e4m3", "e5m2"), ("f8f6f4", "f16", "e5m2", "e4m3"),
    ("f8f6f4", "f32", "e2m1", "e2m3"), ("f8f6f4", "f32", "e3m2", "e2m1"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "d", "first", "second", "m"), some(KINDS, [64, 128]))
def test_kinds(kind: str, d: str, first: str, second: str, m: int):
    run_product(kind, d, first, second, m, 16)


@pytest.mark.parametrize(
    ("swizzle", "columns", "rows"),
    some([16, 32, 64, 128], [(0, 0), (1, 1), (1, 0), (0, 1)], of=9),
)
def test_layouts(swizzle: int, columns: int, rows: int):
    run_product("f16", "f32", "f16", "f16", 64, 64, swizzle=swizzle, columns_a=columns, rows_b=rows)


@pytest.mark.parametrize(
    ("kind", "d", "first"),
    [
        ("f16", "f32", "bf16"),
        ("tf32", "f32", "tf32"),
        ("i8", "s32", "s8"),
        ("f8f6f4", "f32", "e4m3"),
    ],
)
def test_a_in_tensor_memory(kind: str, d: str, first: str):
    run_product(kind, d, first, first, 128, 16, in_tensor=True)
    run_product(kind, d, first, first, 64, 16, in_tensor=True)


def test_what_else_a_product_says():
    run_product("f16", "f32", "f16", "f16", 128, 8, keeps=0)
    run_product("f16", "f32", "f16", "f16", 128, 8, negate_a=1)
    run_product("f16", "f32", "f16", "f16", 128, 8, negate_b=1, exponent=3)
    run_product("f16", "f32", "f16", "f16", 128, 8, masked=(1 << 77) | 7)


@pytest.mark.parametrize("m", [32, 64, 128])
def test_b_is_held(m: int):
    run_product("f16", "f32", "f16", "f16", m, 64, stationary=True)


@pytest.mark.parametrize(
    ("kind", "types", "blocks", "stype"),
    [
        ("mxf8f6f4", ("e4m3", "e5m2"), 1, "ue8m0"), ("mxf4", ("e2m1", "e2m1"), 2, "ue8m0"),
        ("mxf4nvf4", ("e2m1", "e2m1"), 4, "ue4m3"),
    ],
)  # fmt: skip
def test_scaled_blocks(kind: str, types: tuple[str, str], blocks: int, stype: str):
    """Row r of the scales lies in lane r mod 32 of each warp's lanes, column r / 32."""
    m, n, depth = 128, 16, 32 if kind == "mxf8f6f4" else 64
    rng = np.random.default_rng(depth)
    a, b = random_codes(rng, (m, depth), types[0]), random_codes(rng, (n, depth), types[1])
    image, start, offsets = np.zeros(SIZE, np.uint8), 0, []
    for codes, of in ((a, types[0]), (b, types[1])):
        content, leading, stride = image_of(codes, BITS[of], 32, False)
        image[start : start + len(content)] = content
        offsets.append(tensor_descriptor(start, leading, stride, 32))
        start += -(-len(content) // 1024) * 1024
    low, high = (120, 134) if stype == "ue8m0" else (40, 72)
    scales = [rng.integers(low, high, (rows, blocks)) for rows in (m, n)]
    cells = np.zeros((128, 8, 4), np.uint8)  # four columns of A's, one of B's
    for lane in range(128):
        for row in range(lane % 32, m, 32):
            cells[lane, row // 32, :blocks] = scales[0][row]
        if lane % 32 < n:
            cells[lane, 4, :blocks] = scales[1][lane % 32]
    code = {"e4m3": 0, "e5m2": 1, "e2m1": 1}
    number = code[types[0]] << 7 | code[types[1]] << 10 | (n >> 3) << 17 | (m >> 7) << 27
    number |= int(stype == "ue8m0") << 23
    vec = {1: "1X", 2: "2X", 4: "4X"}[blocks]
    asm = (
        BEGIN + "tcgen05.st.sync.aligned.32x32b.x8.b32 [w + 64], " + registers_from(16, 8) + ";"
        "tcgen05.wait::st.sync.aligned; bar.sync 0; setp.ne.b32 keep, 0, 0;"
        ".reg .b32 sfa, sfb; add.u32 sfa, ta, 64; add.u32 sfb, ta, 68;"
        f"@one tcgen05.mma.cta_group::1.kind::{kind}.block_scale.scale_vec::{vec} [ta], $25, $26, "
        f"{number}, [sfa], [sfb], keep; bar.sync 0;"
        f"tcgen05.ld.sync.aligned.32x32b.x16.b32 {registers_from(0, 16)}, [w];" + END
    ).replace("@S", "$24")
    text = STATE + UNIT + described("da", offsets[0]) + described("db", offsets[1])
    source = kernel(asm, "r" * 16, "r" * 8, SIZE, text, "r=i32 %sa;l=i64 %da;l=i64 %db")
    out = np.zeros((128, 16), np.uint32)
    run(source, cells, out, 128, image)
    factors = [2.0 ** (s - 127.0) if stype == "ue8m0" else values_of(s, "e4m3") for s in scales]
    va = values_of(a, types[0]) * np.repeat(factors[0], depth // blocks, 1)
    vb = values_of(b, types[1]) * np.repeat(factors[1], depth // blocks, 1)
    expected, scale = va @ vb.T, np.abs(va) @ np.abs(vb).T
    np.testing.assert_array_less(np.abs(values_of(out, "f32") - expected), 2.0**-23 * scale)


@pytest.mark.parametrize("n", long_first([32, 64, 128]))
@pytest.mark.parametrize(("kind", "d", "first", "second"), KINDS)
def test_every_width(kind: str, d: str, first: str, second: str, n: int):
    run_product(kind, d, first, second, 128, n)


# -- what has no meaning


def test_more_columns_than_there_are():
    asm = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 512;" * 2
    source = kernel(asm, "", "", SIZE, STATE, "r=i32 %sa")
    image = np.zeros(SIZE, np.uint8)
    with pytest.raises(DeviceError, match="asks for more tensor memory than is left"):
        run(source, image, image, 32, image)
