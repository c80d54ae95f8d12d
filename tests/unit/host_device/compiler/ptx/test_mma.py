# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mma.sync of every shape and type against NumPy. Where elements lie is written down from the PTX
ISA's formulas (9.7.14.5), shape by shape: g is the lane divided by four, t the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.support.some_cases import some
from tests.support.warp_kernel import (
    BITS,
    kernel,
    packed,
    random_codes,
    run,
    unpacked,
    values_of,
)

pytestmark = pytest.mark.sampled(2)

Place = Callable[[int, int, int], tuple[int, int]]  # (g, t, i) -> (row, col)


def _rows(upper: bool, g: int) -> int:
    return g + 8 if upper else g


# (m, n, k, bits of an element of A) -> where element i of A and of B lies.
FRAGMENTS: dict[tuple[int, int, int, int], tuple[Place, Place]] = {
    (8, 8, 4, 64): (lambda g, t, i: (g, t), lambda g, t, i: (t, g)),
    (8, 8, 16, 8): (lambda g, t, i: (g, 4 * t + i), lambda g, t, i: (4 * t + i, g)),
    (8, 8, 32, 4): (lambda g, t, i: (g, 8 * t + i), lambda g, t, i: (8 * t + i, g)),
    (8, 8, 128, 1): (lambda g, t, i: (g, 32 * t + i), lambda g, t, i: (32 * t + i, g)),
    (16, 8, 4, 64): (lambda g, t, i: (_rows(i == 1, g), t), lambda g, t, i: (t, g)),
    (16, 8, 8, 64): (
        lambda g, t, i: (_rows(i % 2 == 1, g), i // 2 * 4 + t), lambda g, t, i: (i * 4 + t, g)),
    (16, 8, 16, 64): (
        lambda g, t, i: (_rows(i % 2 == 1, g), i // 2 * 4 + t), lambda g, t, i: (i * 4 + t, g)),
    (16, 8, 4, 32): (lambda g, t, i: (_rows(i == 1, g), t), lambda g, t, i: (t, g)),
    (16, 8, 8, 32): (
        lambda g, t, i: (_rows(i in (1, 3), g), t if i < 2 else t + 4),
        lambda g, t, i: (t if i == 0 else t + 4, g)),
    (16, 8, 8, 16): (
        lambda g, t, i: (_rows(i >= 2, g), 2 * t + (i & 1)),
        lambda g, t, i: (2 * t + i, g)),
    (16, 8, 16, 16): (
        lambda g, t, i: (_rows(i in (2, 3, 6, 7), g), 2 * t + (i & 1) + (8 if i >= 4 else 0)),
        lambda g, t, i: (2 * t + (i & 1) + (8 if i >= 2 else 0), g)),
    (16, 8, 16, 8): (
        lambda g, t, i: (_rows(i >= 4, g), 4 * t + (i & 3)), lambda g, t, i: (4 * t + i, g)),
    (16, 8, 32, 8): (
        lambda g, t, i: (_rows(4 <= i < 8 or i >= 12, g), 4 * t + (i & 3) + (16 if i >= 8 else 0)),
        lambda g, t, i: (4 * t + (i & 3) + (16 if i >= 4 else 0), g)),
    (16, 8, 32, 4): (
        lambda g, t, i: (_rows(i >= 8, g), 8 * t + (i & 7)), lambda g, t, i: (8 * t + i, g)),
    (16, 8, 64, 4): (
        lambda g, t, i: (_rows(8 <= i < 16 or i >= 24, g),
                         8 * t + (i & 7) + (32 if i >= 16 else 0)),
        lambda g, t, i: (8 * t + (i & 7) + (32 if i >= 8 else 0), g)),
    (16, 8, 128, 1): (
        lambda g, t, i: (_rows(i >= 32, g), 32 * t + (i & 31)), lambda g, t, i: (32 * t + i, g)),
    (16, 8, 256, 1): (
        lambda g, t, i: (_rows(32 <= i < 64 or i >= 96, g),
                         32 * t + (i & 31) + (128 if i >= 64 else 0)),
        lambda g, t, i: (32 * t + (i & 31) + (128 if i >= 32 else 0), g)),
}  # fmt: skip


def of_c(g: int, t: int, i: int) -> tuple[int, int]:
    return _rows(i >= 2, g), 2 * t + (i & 1)


def registers(
    matrix: np.ndarray[Any, Any], place: Place, count: int, bits: int
) -> np.ndarray[Any, Any]:
    """The bytes of each lane's `count` elements of a matrix of codes."""
    lanes = np.zeros((32, count), np.uint64)
    for lane in range(32):
        for i in range(count):
            lanes[lane, i] = matrix[place(lane // 4, lane % 4, i)]
    return packed(lanes, bits)


def matrix_of(
    data: np.ndarray[Any, Any], place: Place, shape: tuple[int, int], bits: int
) -> np.ndarray[Any, Any]:
    """A matrix of codes from each lane's bytes."""
    lanes = unpacked(data, bits)
    found = np.zeros(shape, np.uint64)
    for lane in range(32):
        for i in range(lanes.shape[1]):
            found[place(lane // 4, lane % 4, i)] = lanes[lane, i]
    return found


def _letters(size: int, bits: int) -> str:
    return "l" * (size // 8) if bits == 64 else "r" * (size // 4)


def _group(first: int, count: int) -> str:
    return "{" + ", ".join(f"${first + i}" for i in range(count)) + "}"


def run_mma(
    name: str, given: list[np.ndarray[Any, Any]], letters: list[str], size_d: int, rest: str = "",
    strategy: str = "threads",
) -> np.ndarray[Any, Any]:  # fmt: skip
    """The bytes of D of each lane; `given` are those of A, B and C, then of what `rest` names."""
    outputs = letters[3]
    inputs = "".join(letters[:3]) + "r" * (len(given) - 3)
    at = [len(outputs)]
    for part in letters[:3]:
        at.append(at[-1] + len(part))
    groups = [_group(start, len(part)) for start, part in zip(at, letters[:3], strict=False)]
    tail = rest
    for i in range(len(given) - 3):
        tail = tail.replace(f"#{i}", f"${at[3] + i}")
    asm = f"{name} {_group(0, len(outputs))}, {', '.join(groups)}{tail};"
    words = np.ascontiguousarray(np.concatenate(given, axis=1))
    out = np.zeros((32, size_d), np.uint8)
    run(kernel(asm, outputs, inputs), words, out, strategy=strategy)
    return out


CASES: list[tuple[str, str, str, str, str]] = [
    ("m8n8k4", "f64", "f64", "f64", ""), ("m16n8k4", "f64", "f64", "f64", ""),
    ("m16n8k8", "f64", "f64", "f64", ""), ("m16n8k16", "f64", "f64", "f64", ""),
    ("m16n8k8", "f16", "f16", "f16", ""), ("m16n8k8", "f16", "f16", "f32", ""),
    ("m16n8k16", "f16", "f16", "f16", ""), ("m16n8k16", "f16", "f16", "f32", ""),
    ("m16n8k8", "bf16", "bf16", "f32", ""), ("m16n8k16", "bf16", "bf16", "f32", ""),
    ("m16n8k4", "tf32", "tf32", "f32", ""), ("m16n8k8", "tf32", "tf32", "f32", ""),
    *((f"m{m}n8k{k}", a, b, "s32", more) for m, k in ((8, 16), (16, 16), (16, 32))
      for a in ("s8", "u8") for b in ("s8", "u8") for more in ("", ".satfinite")),
    *((f"m{m}n8k{k}", a, b, "s32", more) for m, k in ((8, 32), (16, 32), (16, 64))
      for a in ("s4", "u4") for b in ("s4", "u4") for more in ("", ".satfinite")),
    *((f"m{m}n8k{k}", "b1", "b1", "s32", more) for m, k in ((8, 128), (16, 128), (16, 256))
      for more in (".xor.popc", ".and.popc")),
    *((f"m16n8k{k}", a, b, d, "") for k in (16, 32) for a in ("e4m3", "e5m2")
      for b in ("e4m3", "e5m2") for d in ("f16", "f32")),
    *(("m16n8k32", a, b, d, ".kind::f8f6f4") for a in ("e4m3", "e3m2", "e2m3", "e2m1")
      for b in ("e5m2", "e3m2", "e2m3", "e2m1") for d in ("f32",)),
]  # fmt: skip
_SHORT = {
    ("m8n8k4", "f64"), ("m16n8k16", "f64"), ("m16n8k16", "f16"), ("m16n8k8", "bf16"),
    ("m16n8k8", "tf32"), ("m8n8k16", "u8"), ("m16n8k32", "s8"), ("m16n8k64", "s4"),
    ("m16n8k256", "b1"), ("m16n8k32", "e5m2"), ("m16n8k32", "e2m1"),
}  # fmt: skip


def _short(cases: list[Any], key: Callable[[Any], Any], chosen: set[Any]) -> list[Any]:
    """The cases, of which the first with each chosen key is short."""
    left = set(chosen)
    found = []
    for case in cases:
        is_short = key(case) in left
        left.discard(key(case))
        found.append(pytest.param(*case, marks=() if is_short else pytest.mark.long))
    return found


def product(a: Any, b: Any, c: Any, more: str) -> np.ndarray[Any, Any]:
    """D, in doubles."""
    if "xor" in more:
        return (a[:, :, None] != b[None]).sum(1) + c
    return a @ b + c


def check(found: Any, codes: Any, expected: Any, kind: str, scale: Any) -> None:
    """D as its type has it: integers exactly, floats to the last place of what was added."""
    if kind == "s32":
        np.testing.assert_array_equal(
            codes.astype(np.uint32), expected.astype(np.int64) & 0xFFFFFFFF
        )
        return
    digits = {"f16": 2.0**-10, "f32": 2.0**-23, "f64": 2.0**-48}[kind]
    np.testing.assert_array_less(np.abs(found - expected), digits * (scale + 1e-30))


@pytest.mark.parametrize(
    ("shape", "first", "second", "kind", "more"),
    _short(CASES, lambda case: (case[0], case[1]), _SHORT),
)
def test_dense(shape: str, first: str, second: str, kind: str, more: str):
    m, n, k = (int(part) for part in shape[1:].replace("n", " ").replace("k", " ").split())
    rng = np.random.default_rng(len(shape) + k)
    in_bytes = "f8f6f4" in more
    width = 8 if in_bytes else BITS[first]
    a, b, c = (random_codes(rng, *of) for of in (((m, k), first), ((k, n), second), ((m, n), kind)))
    if ".satfinite" in more:
        c = np.full((m, n), 0x7FFFFFF0, np.uint64)
    places = FRAGMENTS[m, n, k, width]
    counts = (m * k // 32, k * n // 32, m * n // 32)
    stored = [_in_byte(x, of) if in_bytes else x for x, of in ((a, first), (b, second))]
    given = [
        registers(stored[0], places[0], counts[0], width),
        registers(stored[1], places[1], counts[1], width),
        registers(c, of_c, counts[2], BITS[kind]),
    ]
    letters = [_letters(g.shape[1], width) for g in given]
    letters.append(letters[2])
    before, after = (more, "") if more in (".satfinite", ".kind::f8f6f4") else ("", more)
    name = f"mma.sync.aligned.{shape}.row.col{before}.{kind}.{first}.{second}.{kind}{after}"
    out = run_mma(name, given, letters, given[2].shape[1])
    codes = matrix_of(out, of_c, (m, n), BITS[kind])
    va, vb, vc = values_of(a, first), values_of(b, second), values_of(c, kind)
    expected = product(va, vb, vc, more)
    if ".satfinite" in more:
        expected = np.clip(expected, -(2.0**31), 2.0**31 - 1)
    check(values_of(codes, kind), codes, expected, kind, np.abs(va) @ np.abs(vb) + np.abs(vc))


def _in_byte(codes: np.ndarray[Any, Any], kind: str) -> np.ndarray[Any, Any]:
    """Elements of 4 bits stand in the middle of a byte, those of 6 at its end (.kind::f8f6f4)."""
    return codes << np.uint64(2) if kind == "e2m1" else codes


# -- mma.m8n8k4: four products, of the lanes 4 q to 4 q + 3 and those 16 on


@pytest.mark.parametrize(
    ("layouts", "d", "c"),
    some(
        ["row.col", "row.row", "col.col", "col.row"],
        [("f16", "f16"), ("f32", "f32"), ("f32", "f16")],
        of=3,
    ),
)
def test_quad_pairs(layouts: str, d: str, c: str):
    rng = np.random.default_rng(3)
    a, b = (random_codes(rng, s, "f16") for s in ((4, 8, 4), (4, 4, 8)))
    addend = random_codes(rng, (4, 8, 8), c)
    of_a, of_b = layouts.split(".")

    def row_major_a(lane: int, i: int) -> tuple[int, int]:
        upper = 4 if lane >= 16 else 0
        return (lane % 4 + upper, i) if of_a == "row" else (i + upper, lane % 4)

    def any_b(lane: int, i: int) -> tuple[int, int]:
        upper = 4 if lane >= 16 else 0
        return (lane % 4, i + upper) if of_b == "row" else (i, lane % 4 + upper)

    def any_c(kind: str) -> Callable[[int, int], tuple[int, int]]:
        def half(lane: int, i: int) -> tuple[int, int]:
            return lane % 4 + (4 if lane >= 16 else 0), i

        def single(lane: int, i: int) -> tuple[int, int]:
            row = (lane & 1) + (i & 2) + (4 if lane >= 16 else 0)
            return row, (i & 4) + (lane & 2) + (i & 1)

        return half if kind == "f16" else single

    def spread(x: Any, place: Any, count: int, bits: int) -> Any:
        lanes = np.zeros((32, count), np.uint64)
        for lane in range(32):
            for i in range(count):
                lanes[lane, i] = x[lane % 16 // 4][place(lane, i)]
        return packed(lanes, bits)

    given = [spread(a, row_major_a, 4, 16), spread(b, any_b, 4, 16),
             spread(addend, any_c(c), 8, BITS[c])]  # fmt: skip
    letters = [_letters(g.shape[1], 16) for g in given]
    size = 8 * BITS[d] // 8
    letters.append("r" * (size // 4))
    name = f"mma.sync.aligned.m8n8k4.{layouts}.{d}.f16.f16.{c}"
    lanes = unpacked(run_mma(name, given, letters, size), BITS[d])
    codes = np.zeros((4, 8, 8), np.uint64)
    for lane in range(32):
        for i in range(8):
            codes[lane % 16 // 4][any_c(d)(lane, i)] = lanes[lane, i]
    va, vb, vc = values_of(a, "f16"), values_of(b, "f16"), values_of(addend, c)
    check(values_of(codes, d), codes, va @ vb + vc, d, np.abs(va) @ np.abs(vb) + np.abs(vc))


# -- sparse A: of a group of elements half are there, and metadata say which

#: (shape, types, kind of D, selectors)
SPARSE = [
    ("m16n8k16", "f16", "f16", "f16", 4), ("m16n8k16", "f16", "f16", "f32", 4),
    ("m16n8k32", "f16", "f16", "f32", 2), ("m16n8k16", "bf16", "bf16", "f32", 4),
    ("m16n8k32", "bf16", "bf16", "f32", 2), ("m16n8k8", "tf32", "tf32", "f32", 4),
    ("m16n8k16", "tf32", "tf32", "f32", 2), ("m16n8k32", "s8", "u8", "s32", 2),
    ("m16n8k64", "u8", "s8", "s32", 1), ("m16n8k64", "s4", "u4", "s32", 2),
    ("m16n8k128", "u4", "s4", "s32", 1), ("m16n8k64", "e4m3", "e5m2", "f32", 1),
]  # fmt: skip


def sparse_b(k: int, bits: int) -> Place:
    """B has k rows: registers go down (PTX ISA, fragments of sparse mma)."""
    width = 32 // bits
    return lambda g, t, i: (t * width + i % width + i // width * 4 * width, g)


def sparse_pattern(rng: Any, rows: int, k: int, kind: str) -> tuple[Any, Any]:
    """Which columns of each row are there, and the four bits of each group."""
    size = {"tf32": 2, "s4": 8, "u4": 8}.get(kind, 4)
    columns = np.zeros((rows, k // 2), np.int64)
    bits = np.zeros((rows, k // size), np.uint64)
    for row in range(rows):
        for group in range(k // size):
            if kind == "tf32":
                chosen = int(rng.integers(0, 2))
                columns[row, group] = group * 2 + chosen
                bits[row, group] = 0b1110 if chosen else 0b0100
                continue
            low, high = sorted(rng.choice(4, 2, replace=False))
            bits[row, group] = low | high << 2
            if size == 4:
                columns[row, 2 * group : 2 * group + 2] = [4 * group + low, 4 * group + high]
            else:
                start = 8 * group
                columns[row, 4 * group : 4 * group + 4] = [
                    start + 2 * low, start + 2 * low + 1, start + 2 * high, start + 2 * high + 1
                ]  # fmt: skip
    return columns, bits


def metadata_words(bits: Any, kind: str, selectors: int, selector: int) -> Any:
    """Of 16 and 32 bits a lane's word has row g in its lower half and row g + 8 in its upper one;
    of fewer, lanes take turns: 32 bits of row g, of row g + 8, then further columns."""
    words = np.full((32, 1), 0xDEADBEEF, np.uint32)
    lanes = 4 // selectors
    for g in range(8):
        for part in range(lanes):
            if kind in ("f16", "bf16", "tf32"):
                rows, groups = (g, g + 8), slice(4 * part, 4 * part + 4)
                fields = [bits[row, groups] for row in rows]
                shifts = [4 * i for i in range(4)]
                value = sum(
                    int(f) << (s + 16 * h) for h, fs in enumerate(fields)
                    for f, s in zip(fs, shifts, strict=True)
                )  # fmt: skip
            else:
                row, groups = g + 8 * (part % 2), slice(part // 2 * 8, part // 2 * 8 + 8)
                value = sum(int(f) << (4 * i) for i, f in enumerate(bits[row, groups]))
            words[g * 4 + selector * lanes + part, 0] = value
    return words.view(np.uint8)


@pytest.mark.parametrize("ordered", ["", "::ordered_metadata"])
@pytest.mark.parametrize(
    ("shape", "first", "second", "kind", "selectors"),
    _short(SPARSE, lambda c: (c[0], c[1]), {("m16n8k32", "f16"), ("m16n8k8", "tf32"),
                                           ("m16n8k64", "u8"), ("m16n8k128", "u4")}),
)  # fmt: skip
def test_sparse(shape: str, first: str, second: str, kind: str, selectors: int, ordered: str):
    k = int(shape.split("k")[1])
    rng = np.random.default_rng(k)
    width = BITS[first]
    stored = random_codes(rng, (16, k // 2), first)
    b, c = random_codes(rng, (k, 8), second), random_codes(rng, (16, 8), kind)
    columns, bits = sparse_pattern(rng, 16, k, first)
    dense = np.zeros((16, k))
    np.put_along_axis(dense, columns, values_of(stored, first), 1)
    of_a = _stored_rows(k // 2, width)
    for selector in range(selectors):
        given = [
            registers(stored, of_a, 16 * k // 64, width),
            registers(b, sparse_b(k, width), k * 8 // 32, width),
            registers(c, of_c, 4, BITS[kind]),
            metadata_words(bits, first, selectors, selector),
        ]
        letters = [_letters(g.shape[1], width) for g in given[:3]]
        letters.append(letters[2])
        variant = ".kind::f8f6f4" if first == "e4m3" else ""
        name = (
            f"mma.sp{ordered}.sync.aligned.{shape}.row.col{variant}.{kind}.{first}.{second}.{kind}"
        )
        out = run_mma(name, given, letters, given[2].shape[1], f", #0, {selector}")
        codes = matrix_of(out, of_c, (16, 8), BITS[kind])
        vb, vc = values_of(b, second), values_of(c, kind)
        scale = np.abs(dense) @ np.abs(vb) + np.abs(vc)
        check(values_of(codes, kind), codes, dense @ vb + vc, kind, scale)


def _stored_rows(columns: int, bits: int) -> Place:
    """Where what is there of A lies: as dense A of so many columns."""
    width = 32 // bits

    def place(g: int, t: int, i: int) -> tuple[int, int]:
        register, at = divmod(i, width)
        return g + 8 * (register % 2), t * width + at + register // 2 * 4 * width

    assert columns >= 4 * width
    return place


# -- scaled blocks


@pytest.mark.parametrize(
    ("kind", "shape", "types", "vec", "stype"),
    [
        ("mxf8f6f4", "m16n8k32", ("e4m3", "e2m1"), "1X", "ue8m0"),
        ("mxf4", "m16n8k64", ("e2m1", "e2m1"), "2X", "ue8m0"),
        ("mxf4nvf4", "m16n8k64", ("e2m1", "e2m1"), "2X", "ue8m0"),
        ("mxf4nvf4", "m16n8k64", ("e2m1", "e2m1"), "4X", "ue4m3"),
    ],
)
def test_scaled_blocks(kind: str, shape: str, types: Any, vec: str, stype: str):
    k, blocks = int(shape.split("k")[1]), int(vec[0])
    rng = np.random.default_rng(k)
    width = 8 if k == 32 else 4
    a, b = random_codes(rng, (16, k), types[0]), random_codes(rng, (k, 8), types[1])
    c = random_codes(rng, (16, 8), "f32")
    low, high = (120, 134) if stype == "ue8m0" else (40, 72)
    scales = [rng.integers(low, high, (rows, blocks)) for rows in (16, 8)]
    thread_a, thread_b, byte = 1, 2, 0 if blocks == 4 else 2
    words = np.zeros((2, 32, 4), np.uint8)
    for row in range(16):
        words[0, row % 8 * 4 + thread_a * 2 + row // 8, byte : byte + blocks] = scales[0][row]
    for col in range(8):
        words[1, col * 4 + thread_b, byte : byte + blocks] = scales[1][col]
    places = FRAGMENTS[16, 8, k, width]
    stored = [_in_byte(x, t) if k == 32 else x for x, t in ((a, types[0]), (b, types[1]))]
    given = [registers(stored[0], places[0], 16 * k // 32, width),
             registers(stored[1], places[1], 8 * k // 32, width), registers(c, of_c, 4, 32),
             words[0], words[1]]  # fmt: skip
    letters = [_letters(g.shape[1], width) for g in given[:3]]
    letters.append(letters[2])
    name = (f"mma.sync.aligned.{shape}.row.col.kind::{kind}.block_scale.scale_vec::{vec}"
            f".f32.{types[0]}.{types[1]}.f32.{stype}")  # fmt: skip
    rest = f", #0, {{{byte}, {thread_a}}}, #1, {{{byte}, {thread_b}}}"
    out = run_mma(name, given, letters, 16, rest)
    codes = matrix_of(out, of_c, (16, 8), 32)
    factors = [2.0 ** (s - 127.0) if stype == "ue8m0" else values_of(s, "e4m3") for s in scales]
    va = values_of(a, types[0]) * np.repeat(factors[0], k // blocks, 1)
    vb = values_of(b, types[1]) * np.repeat(factors[1], k // blocks, 1).T
    vc = values_of(c, "f32")
    scale = np.abs(va) @ np.abs(vb) + np.abs(vc)
    check(values_of(codes, "f32"), codes, va @ vb + vc, "f32", scale)


@pytest.mark.parametrize("strategy", ["warps", "threads"])
def test_every_strategy(strategy: str):
    """Lanes of a vector bring registers as threads by themselves do."""
    rng = np.random.default_rng(0)
    a, b, c = (
        random_codes(rng, *of) for of in (((16, 16), "f16"), ((16, 8), "f16"), ((16, 8), "f32"))
    )
    places = FRAGMENTS[16, 8, 16, 16]
    given = [registers(a, places[0], 8, 16), registers(b, places[1], 4, 16),
             registers(c, of_c, 4, 32)]  # fmt: skip
    name = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    out = run_mma(name, given, ["rrrr", "rr", "rrrr", "rrrr"], 16, strategy=strategy)
    codes = matrix_of(out, of_c, (16, 8), 32)
    expected = values_of(a, "f16") @ values_of(b, "f16") + values_of(c, "f32")
    np.testing.assert_allclose(values_of(codes, "f32"), expected, rtol=1e-5, atol=1e-5)
