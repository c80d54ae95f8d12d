# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wmma of every shape, type and layout against NumPy: loads of A, B and C, the product, the store.
Which lane has what between them is not specified (PTX ISA 9.7.14.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.some_cases import short, some
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

_SHAPES = ((16, 16, 16), (8, 32, 16), (32, 8, 16))
#: Shape, type of A, of B, of D, of C, what else.
CASES: list[tuple[tuple[int, int, int], str, str, str, str, str]] = [
    *((s, "f16", "f16", d, c, "") for s in _SHAPES for d in ("f16", "f32") for c in ("f16", "f32")),
    *((s, "bf16", "bf16", "f32", "f32", "") for s in _SHAPES),
    ((16, 16, 8), "tf32", "tf32", "f32", "f32", ""), ((8, 8, 4), "f64", "f64", "f64", "f64", ""),
    *((s, t, t, "s32", "s32", more) for s in _SHAPES for t in ("s8", "u8")
      for more in ("", ".satfinite")),
    *(((8, 8, 32), t, t, "s32", "s32", more) for t in ("s4", "u4") for more in ("", ".satfinite")),
    *(((8, 8, 128), "b1", "b1", "s32", "s32", more) for more in ("xor.popc.", "and.popc.")),
]  # fmt: skip
_IMAGE = 16384
#: Bytes of a matrix in workgroup memory.
_ROOM = 4096


def _registers(matrix: str, shape: tuple[int, int, int], kind: str) -> int:
    m, n, k = shape
    count = {"a": m * k, "b": k * n, "c": m * n}[matrix] // 32
    if kind == "f16" and matrix != "c":
        return 8
    return max(count * BITS[kind] // (64 if kind == "f64" else 32), 1)


def _image(codes: Any, column_major: bool, bits: int, line: int) -> Any:
    """A matrix in memory, `line` elements from one line to the next."""
    lines = codes.T if column_major else codes
    wide = np.zeros((lines.shape[0], line), np.uint64)
    wide[:, : lines.shape[1]] = lines
    return packed(wide, bits).ravel()


def _declared(prefix: str, count: int, ty: str) -> tuple[str, str]:
    names = [f"{prefix}{i}" for i in range(count)]
    return f".reg .{ty} {prefix}<{count}>;", "{" + ", ".join(names) + "}"


def run_wmma(
    shape: tuple[int, int, int], first: str, second: str, d: str, c: str, more: str,
    layouts: tuple[str, str, str], strategy: str = "threads",
) -> None:  # fmt: skip
    m, n, k = shape
    rng = np.random.default_rng(m + n)
    size = f"m{m}n{n}k{k}"
    given = {"a": ((m, k), first), "b": ((k, n), second), "c": ((m, n), c)}
    image, text, lists, codes = np.zeros(_IMAGE, np.uint8), "", {}, {}
    for at, (which, ((rows, columns), kind)) in enumerate(given.items()):
        layout = layouts[at]
        codes[which] = random_codes(rng, (rows, columns), kind)
        if more == ".satfinite" and which == "c":
            codes[which] = np.full((m, n), 0x7FFFFFF0, np.uint64)
        of_line = rows if layout == "col" else columns
        line = of_line + 128 // BITS[kind]  # 16 bytes more than a line has
        content = _image(codes[which], layout == "col", BITS[kind], line)
        assert len(content) <= _ROOM
        image[at * _ROOM : at * _ROOM + len(content)] = content
        register = "f64" if kind == "f64" else "b32"
        declared, lists[which] = _declared(which, _registers(which, shape, kind), register)
        text += (
            f"{declared} add.u32 p, $0, {at * _ROOM};"
            f"wmma.load.{which}.sync.aligned.{layout}.{size}.shared.{kind} {lists[which]}, [p], "
            f"{line};"
        )
    declared, result = _declared("d", _registers("c", shape, d), "f64" if d == "f64" else "b32")
    types = f"{d}.{c}" if first == "f16" else f"{d}.{first}.{second}.{c}"
    bits, after = (more, "") if "popc" in more else ("", more)
    asm = (
        f"{{ .reg .b32 p; {text} {declared}"
        f"wmma.mma.{bits}sync.aligned.{layouts[0]}.{layouts[1]}.{size}.{types}{after} {result}, "
        f"{lists['a']}, {lists['b']}, {lists['c']};"
        f"wmma.store.d.sync.aligned.{layouts[2]}.{size}.global.{d} [$1], {result}, "
        f"{m if layouts[2] == 'col' else n}; }}"
    )
    address = "  %sa = ptrtoint ptr addrspace(3) @s to i32\n"
    out = np.zeros(
        (n, m * BITS[d] // 8) if layouts[2] == "col" else (m, n * BITS[d] // 8), np.uint8
    )
    source = kernel(asm, "", "", _IMAGE, address, "r=i32 %sa;l=ptr %out")
    run(source, image, out, 32, image, strategy)
    found = unpacked(out, BITS[d])
    found = values_of(found.T if layouts[2] == "col" else found, d)
    va, vb, vc = (values_of(codes[w], kind) for w, (_, kind) in given.items())
    if "xor" in more:
        expected = (va[:, :, None] != vb[None]).sum(1) + vc
    else:
        expected = va @ vb + vc
    if d == "s32":
        if more == ".satfinite":
            expected = np.clip(expected, -(2.0**31), 2.0**31 - 1)
        np.testing.assert_array_equal(found, expected)
        return
    digits = {"f16": 2.0**-10, "f32": 2.0**-23, "f64": 2.0**-48}[d]
    scale = np.abs(va) @ np.abs(vb) + np.abs(vc) + 1e-30
    np.testing.assert_array_less(np.abs(found - expected), digits * scale)


@pytest.mark.parametrize(
    ("shape", "first", "second", "d", "c", "more"),
    short(CASES, *CASES[::3], *CASES[16::15], CASES[34]),  # each type, shape and suffix
)
def test_types(shape: Any, first: str, second: str, d: str, c: str, more: str):
    run_wmma(shape, first, second, d, c, more, ("row", "col", "row"))


@pytest.mark.parametrize(
    ("shape", "kind", "d", "layouts"),
    some(
        [(_SHAPES[0], "f16", "f32"), (_SHAPES[1], "u8", "s32"), ((16, 16, 8), "tf32", "f32"),
         ((8, 8, 4), "f64", "f64")],
        ["row row col", "col col row", "col row col"],
    ),
)  # fmt: skip
def test_layouts(shape: Any, kind: str, d: str, layouts: str):
    a, b, of_d = layouts.split()
    run_wmma(shape, kind, kind, d, d, "", (a, b, of_d))


def test_warps_as_vectors():
    run_wmma((8, 8, 32), "s4", "s4", "s32", "s32", "", ("row", "col", "row"), "warps")
    run_wmma((16, 16, 16), "f16", "f16", "f32", "f32", "", ("row", "col", "row"), "warps")
