# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the names of matrix operations say: PTX's opcodes and NVVM's intrinsics.

mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32      PTX: types of D, A, B, C
mma.m16n8k32.row.col.satfinite.s8.u8                           NVVM: as many as are needed
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# As `native/sources/elements.py`: number and bits of an element in a register.
TYPES = {
    "f16": (0, 16), "bf16": (1, 16), "f32": (2, 32), "f64": (3, 64), "s8": (4, 8), "u8": (5, 8),
    "s32": (6, 32), "tf32": (7, 32), "e4m3": (8, 8), "e5m2": (9, 8), "e2m3": (10, 8),
    "e3m2": (11, 8), "e2m1": (12, 4), "s4": (13, 4), "u4": (14, 4), "b1": (15, 1),
    "ue8m0": (16, 8), "ue4m3": (17, 8), "e2m1 in a byte": (18, 8),
}  # fmt: skip
#: As `native/sources/fragments.py`.
LAYOUT_WMMA, LAYOUT_SYNC, LAYOUT_QUADS = range(3)

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_SCALES = {"1X": 1, "2X": 2, "4X": 4, "1x": 1, "2x": 2, "4x": 4}
_SCALE_TYPES = ("ue8m0", "ue4m3")


def shape_of(name: str) -> tuple[int, int, int]:
    """m, n and k."""
    match = _SHAPE.search(name)
    if match is None:
        raise ValueError(name)
    return int(match[1]), int(match[2]), int(match[3])


def type_number(name: str) -> int:
    return TYPES[name][0]


def type_bits(name: str) -> int:
    return TYPES[name][1]


class Product:
    """A product of a warp: sizes, types of A, B, C and D, and what else its name says."""

    def __init__(self, name: str) -> None:
        words = re.split(r"\.|::", name)
        self.shape = shape_of(name)
        self.is_wmma = words[0] == "wmma"
        self.is_sparse = "sp" in words
        self.differs = "xor" in words
        self.saturates = "satfinite" in words
        #: Scales of a row of A: 0, or how many.
        self.scales = _scales(words)
        self.scale_type = next((w for w in reversed(words) if w in _SCALE_TYPES), "ue8m0")
        self.layouts = [w for w in words if w in ("row", "col")][:2]
        given = [w for w in words if w in TYPES and w not in _SCALE_TYPES]
        is_ptx = words[:2] == ["ptx", "mma"]
        self.types = _types(given, is_ptx)
        if "f8f6f4" in words or "mxf8f6f4" in words:
            self.types = [f"{t} in a byte" if t == "e2m1" else t for t in self.types]

    @property
    def layout(self) -> int:
        if self.is_wmma:
            return LAYOUT_WMMA
        return LAYOUT_QUADS if self.shape == (8, 8, 4) and self.types[0] == "f16" else LAYOUT_SYNC

    @property
    def bytes(self) -> list[int]:
        """Of the registers of A, B, C and D that a lane has."""
        m, n, k = self.shape
        elements = [m * (k // 2 if self.is_sparse else k), k * n, m * n, m * n]
        lanes = 8 if self.layout == LAYOUT_QUADS else 32
        found = [
            count * type_bits(ty) // 8 // lanes
            for count, ty in zip(elements, self.types, strict=True)
        ]
        if self.is_wmma and self.types[0] == "f16":
            found[:2] = [32, 32]  # eight registers, whatever the shape
        return found


def _scales(words: Sequence[str]) -> int:
    """`block_scale.scale_vec::2X`, or as NVVM says it, `block.scale..scale.2x`. What says no number
    has what its kind has."""
    if "block_scale" not in words and not ("block" in words and "scale" in words):
        return 0
    for word in words:
        if word in _SCALES:
            return _SCALES[word]
    return 2 if "mxf4" in words else 1


def _types(given: list[str], is_ptx: bool) -> list[str]:
    """Types of A, B, C and D."""
    if is_ptx or len(given) == 4:
        d, a, b, c = given
        return [a, b, c, d]
    first = given[0]
    if first in ("bf16", "tf32"):
        return [first, first, "f32", "f32"]
    if first == "f64":
        return ["f64"] * 4
    if first in ("s8", "u8", "s4", "u4", "b1"):
        return [first, given[-1], "s32", "s32"]
    if len(given) == 2:  # of f16: D and C
        return ["f16", "f16", given[1], given[0]]
    return ["f16", "f16", first, first]
