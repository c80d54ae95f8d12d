# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One product of tcgen05.mma of any form on random numbers, and what NumPy says of it. Where
matrices lie in tensor memory is written down from the PTX ISA (9.7.16.10.5, 9.7.16.10.8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.support.tensor_kernel import COLUMNS, SHARED, assembly, run_tensor, tensor_descriptor
from tests.support.warp_kernel import BITS, packed, random_codes, values_of

_CODES = {"f16": 0, "bf16": 1, "tf32": 2, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5,
          "u8": 0, "s8": 1}  # fmt: skip
_DEPTHS = {"f16": 16, "tf32": 8, "mxf4": 64, "mxf4nvf4": 64}
_NVVM = {"f16": 0, "tf32": 1, "f8f6f4": 2, "i8": 3}
#: All that the four bits of a group of four, or of four pairs, may be.
_PAIRS = (0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110)
_SINGLES = (0b0100, 0b1110)
#: Where operands lie in tensor memory; D begins at the first column.
A_AT, METADATA_AT, SCALES_A_AT, SCALES_B_AT = 80, 96, 104, 112


@dataclass
class Product:
    """What a product is."""

    kind: str
    d: str
    first: str
    second: str
    m: int
    n: int = 16
    blocks: int = 1
    in_tensor: bool = False
    stationary: bool = False
    sparse: bool = False
    selector: int = 0
    shifts: bool = False
    zeros: int | None = None
    #: How far columns may be shifted, as the descriptor has it.
    most_shifted: int = 0
    #: The first lane of D, A and metadata, 0 or 16.
    lane: int = 0
    scales: int = 0
    #: .disable-output-lane, and .scale-input-d
    masked: int | None = None
    exponent: int | None = None
    intrinsic: bool = False
    #: Bits of the instruction descriptor that are wrong.
    wrong: int = 0
    extra: dict[str, int] = field(default_factory=dict)

    @property
    def stored(self) -> int:
        """Columns of A in memory."""
        return _DEPTHS.get(self.kind, 32)

    @property
    def depth(self) -> int:
        return self.stored * (2 if self.sparse else 1)

    @property
    def rows(self) -> int:
        """Rows of a block."""
        return self.m // self.blocks

    @property
    def is_half(self) -> bool:
        """Layouts C and F: sixteen lanes of each warp."""
        return self.rows == 64 and not self.stationary and (self.blocks == 1 or self.sparse)

    @property
    def banks(self) -> int:
        """Layouts B, E and G: lanes that are left over have further columns."""
        return 1 if self.is_half else 128 // self.rows

    def lane_of(self, row: Any, bank: Any) -> Any:
        """Of a row of a block."""
        if self.is_half:
            return self.lane + row // 16 * 32 + row % 16
        return bank * self.rows + row

    def instruction(self) -> int:
        word = (self.n >> 3) << 17 | (self.m >> 4) << 24 | int(self.sparse) << 2 | self.selector
        if self.scales:
            small = {"e2m1": 1} if self.kind != "mxf8f6f4" else _CODES
            word |= small[self.first] << 7 | small[self.second] << 10
            word |= int(self.kind != "mxf4nvf4" or self.scales == 2) << 23
        else:
            word |= {"f16": 0, "f32": 1, "s32": 2}[self.d] << 4 | self.most_shifted << 30
            word |= _CODES[self.first] << 7 | _CODES[self.second] << 10
        return word ^ self.wrong


def _stored(p: Product, codes: Any, kind: str) -> tuple[Any, int]:
    """Elements in shared memory: those of 6 and 4 bits sixteen together at the begin of 16 bytes,
    but for the kinds of 4 bits."""
    if kind not in ("e2m3", "e3m2", "e2m1") or p.kind in ("mxf4", "mxf4nvf4"):
        return codes, BITS[kind]
    dense = packed(codes.reshape(codes.shape[0], -1, 16), BITS[kind])
    room = np.zeros((*dense.shape[:2], 16), np.uint8)
    room[..., : dense.shape[2]] = dense
    return room.reshape(codes.shape[0], -1).astype(np.uint64), 8


def _held(p: Product, codes: Any) -> Any:
    """A row of A in tensor memory: of 4 bits each in the middle of a byte, but for the kinds of 4
    bits."""
    if p.first == "e2m1" and p.kind not in ("mxf4", "mxf4nvf4"):
        return (codes << np.uint64(2)).astype(np.uint8)
    return packed(codes, BITS[p.first])


def _pattern(p: Product, rng: Any) -> tuple[Any, Any]:
    """Four bits for each group of a row of each bank, and the column of each stored element."""
    size = {"tf32": 2, "mxf4": 8, "mxf4nvf4": 8}.get(p.kind, 4)
    choices = _SINGLES if size == 2 else _PAIRS
    bits = rng.choice(choices, (p.banks, p.m, p.depth // size)).astype(np.int64)
    low, high = bits & 3, bits >> 2
    group = np.arange(p.depth // size) * size
    if size == 2:
        return bits, group + low // 2
    if size == 4:
        return bits, np.stack([group + low, group + high], -1).reshape(p.banks, p.m, -1)
    pairs = [group + 2 * low, group + 2 * low + 1, group + 2 * high, group + 2 * high + 1]
    return bits, np.stack(pairs, -1).reshape(p.banks, p.m, -1)


def _place_metadata(p: Product, cells: Any, bits: Any) -> None:
    for bank in range(p.banks):
        for i in range(p.m):
            lane = int(p.lane_of(i % p.rows, bank))
            block = cells[i // p.rows]
            for group, four in enumerate(bits[bank, i]):
                if p.kind in ("f16", "tf32"):
                    # Rows that differ by eight share two lanes.
                    at = lane - lane % 16 + lane % 8 + 8 * (group // 4)
                    shift, column = 16 * (lane % 16 // 8) + 4 * (group % 4), p.selector
                else:
                    at, shift, column = lane, 4 * (group % 8), group // 8
                block[at, METADATA_AT + column] |= np.uint32(int(four) << shift)


def zero_columns(p: Product) -> Any:
    """Which columns of B count as zeros: PTX ISA, zero-column mask descriptor."""
    found = np.zeros(p.n, bool)
    d = p.zeros or 0
    if d >> 39 & 1:
        skip, use, width = (d >> 40 & 255) + 1, (d >> 48 & 255) + 1, p.n // p.banks
        for bank in range(p.banks):
            spans = [False] * use + [True] * skip
            if d >> (32 + bank) & 1:
                spans = [True] * skip + [False] * use
            start = d >> (8 * bank) & 255
            sequence = (spans * (2 + (width + start) // len(spans)))[start:]
            found[bank * width : bank * width + width] = sequence[:width]
    return found


def _scales(p: Product, rng: Any, cells: Any) -> tuple[Any, Any]:
    """Factors (rows, blocks of columns) of A and of B: row r has its own in lane r mod 32 of each
    warp's lanes, column r / 32."""
    is_exponent = p.kind != "mxf4nvf4" or p.scales == 2
    low, high = (120, 134) if is_exponent else (40, 72)
    found = []
    for count, at in ((p.m, SCALES_A_AT), (p.n, SCALES_B_AT)):
        codes = rng.integers(low, high, (count, p.scales)).astype(np.uint64)
        for row in range(count):
            word = sum(int(code) << 8 * i for i, code in enumerate(codes[row]))
            local = row % p.rows if at == SCALES_A_AT else row
            for block in range(p.blocks):
                if at == SCALES_B_AT or block == row // p.rows:
                    cells[block, local % 32 :: 32, at + local // 32] = word
        found.append(2.0 ** (codes - 127.0) if is_exponent else values_of(codes, "e4m3"))
    return found[0], found[1]


def _name(p: Product) -> str:
    words = ["tcgen05.mma"] + ["ws"] * p.stationary + ["sp"] * p.sparse
    words += [f"cta_group::{p.blocks}", f"kind::{p.kind}"]
    if p.scales:
        words += ["block_scale", f"scale_vec::{p.scales}X"]
    return ".".join(words + ["ashift"] * p.shifts)


def _issue(p: Product) -> str:
    """PTX that does it."""
    a = "[ra]" if p.in_tensor else "@da"
    at = {"ra": A_AT, "meta": METADATA_AT, "sa": SCALES_A_AT, "sb": SCALES_B_AT, "rd": 0}
    text = "{ .reg .pred keep; setp.eq.b32 keep, 0, 0;"
    for name, column in at.items():
        lane = p.lane if name in ("ra", "meta", "rd") else 0
        text += f".reg .b32 {name}; add.u32 {name}, @ta, {column + (lane << 16)};"
    operands = ["[rd]", a, "@db"] + ["[meta]"] * p.sparse + [str(_signed(p.instruction(), 32))]
    if p.scales:
        operands += ["[sa]", "[sb]"]
    if p.masked is not None:
        parts = [_signed(p.masked >> 32 * i & 0xFFFFFFFF, 32) for i in range(4 * p.blocks)]
        operands.append("{" + ", ".join(map(str, parts)) + "}")
    operands.append("keep")
    if p.exponent is not None:
        operands.append(str(p.exponent))
    if p.zeros is not None:
        text += f".reg .b64 zeros; mov.b64 zeros, {_signed(p.zeros, 64)};"
        operands.append("zeros")
    text += f"{_name(p)} {', '.join(operands)}; }}"
    return assembly(text, ta="i32 %ta", da="i64 %da", db="i64 %db")


def _issue_intrinsic(p: Product) -> str:
    """The same as a call of NVVM's intrinsic."""
    words = ["tcgen05.mma"] + ["ws"] * p.stationary + ["sp"] * p.sparse
    words.append("tensor" if p.in_tensor else "shared")
    lines, names = [], {"rd": 0, "ra": A_AT, "rm": METADATA_AT, "ka": SCALES_A_AT,
                        "kb": SCALES_B_AT}  # fmt: skip
    for name, column in names.items():
        lane = p.lane if name in ("ra", "rm", "rd") else 0
        lines.append(f"  %n{name} = add i32 %ta, {column + (lane << 16)}")
        lines.append(f"  %{name} = inttoptr i32 %n{name} to ptr addrspace(6)")
    pointer = "ptr addrspace(6)"
    given = [f"{pointer} %rd", f"{pointer} %ra" if p.in_tensor else "i64 %da", "i64 %db",
             f"i32 {_signed(p.instruction(), 32)}", "i1 true"]  # fmt: skip
    given += [f"{pointer} %rm"] * p.sparse
    if p.scales:
        words += [p.kind, "block_scale", "block16" if p.scales == 4 else "block32"]
        given += [f"{pointer} %ka", f"{pointer} %kb", f"i32 {p.blocks}", "i32 0"]
    else:
        if p.exponent is not None:
            words.append("scale_d")
            given.append(f"i64 {p.exponent}")
        if p.masked is not None:
            words += ["disable_output_lane", f"cg{p.blocks}"]
            parts = [_signed(p.masked >> 32 * i & 0xFFFFFFFF, 32) for i in range(4 * p.blocks)]
            vector = ", ".join(f"i32 {part}" for part in parts)
            ty = f"<{len(parts)} x i32>"
            lines.append(f"  %mask = bitcast {ty} <{vector}> to {ty}")
            given.append(f"{ty} %mask")
        if p.zeros is not None:
            words.append("zero_col_mask")
            given.append(f"i64 {_signed(p.zeros, 64)}")
        words += ["ashift"] * p.shifts
        given.append(f"i32 {_NVVM[p.kind]}")
        if p.stationary:
            given.append("i32 0")
        elif p.masked is None:
            given.append(f"i32 {p.blocks}")
        given.append("i32 0")
    name = "llvm.nvvm." + ".".join(words)
    return "\n".join([*lines, f"  call void @{name}({', '.join(given)})"])


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def run_product(p: Product) -> None:
    """Compares all of tensor memory with what NumPy says."""
    from tests.unit.host_device.compiler.ptx.test_wgmma import image_of

    rng = np.random.default_rng(p.m + p.n + p.depth)
    shift = (p.zeros or 0) >> 56 & 63
    further = -(-shift // 8) * 8  # rows come in eights
    zeros = zero_columns(p)
    a = random_codes(rng, (p.banks, p.m, p.stored), p.first)
    b = random_codes(rng, (p.n + further, p.depth), p.second)
    c = random_codes(rng, (p.m, p.n), p.d)
    if not p.in_tensor:
        a[:] = a[0]
    image, descriptors = np.zeros((p.blocks, SHARED), np.uint8), {}
    for name, start, codes, of in (("da", 0, a[0], p.first), ("db", 32768, b, p.second)):
        leading = stride = 0
        for block, part in enumerate(np.split(codes, p.blocks)):
            content, leading, stride = image_of(*_stored(p, part, of), 128, False)
            image[block, start : start + len(content)] = content
        descriptors[name] = tensor_descriptor(start, leading, stride, 128)
    cells = rng.integers(0, 1 << 32, (p.blocks, 128, COLUMNS), dtype=np.uint32)
    rows, columns = np.mgrid[: p.m, : p.n]
    width = p.n // p.banks
    lanes = p.lane_of(rows % p.rows, columns // width)
    places = (rows // p.rows, lanes, columns % width)
    cells[places] = c
    dense = np.zeros((p.banks, p.m, p.depth))
    if p.sparse:
        cells[..., METADATA_AT : METADATA_AT + 2] = 0
        bits, stored = _pattern(p, rng)
        _place_metadata(p, cells, bits)
        np.put_along_axis(dense, stored, values_of(a, p.first), 2)
    else:
        dense[:] = values_of(a, p.first)
    if p.in_tensor:
        for bank in range(p.banks):
            words = _held(p, a[bank]).view(np.uint32)
            every = np.arange(p.m)
            at = p.lane_of(every % p.rows, bank)
            cells[every // p.rows, at, A_AT : A_AT + words.shape[1]] = words
    vb = np.where(zeros, 0.0, values_of(b[shift : shift + p.n], p.second).T)
    if p.scales:
        fa, fb = _scales(p, rng, cells)
        dense *= np.repeat(fa, p.depth // p.scales, 1)
        vb = vb * np.repeat(fb, p.depth // p.scales, 1).T
    expected, scale = values_of(c, p.d) * 2.0 ** -(p.exponent or 0), np.abs(values_of(c, p.d))
    for bank in range(p.banks):
        part = slice(bank * width, bank * width + width)
        expected[:, part] += dense[bank] @ vb[:, part]
        scale[:, part] += np.abs(dense[bank]) @ np.abs(vb[:, part])
    out = run_tensor(_issue_intrinsic(p) if p.intrinsic else _issue(p), descriptors, cells, image)
    if p.masked is not None:
        lane = lanes + 128 * (rows // p.rows)
        kept = np.array([p.masked >> int(at) & 1 for at in lane.ravel()], bool).reshape(p.m, p.n)
        expected = np.where(kept, values_of(c, p.d), expected)
    found = values_of(out[places], p.d)
    if p.d == "s32":
        np.testing.assert_array_equal(found, expected)
    else:
        digits = 2.0**-10 if p.d == "f16" else 2.0**-23
        np.testing.assert_array_less(np.abs(found - expected), digits * scale + 1e-30)
    left = cells.copy()
    left[places] = out[places]
    if p.shifts:
        for first in range(0, 128, 32):
            moved = cells[:, first + 1 : first + 32, A_AT : A_AT + 8]
            left[:, first : first + 31, A_AT : A_AT + 8] = moved
    np.testing.assert_array_equal(out, left)
