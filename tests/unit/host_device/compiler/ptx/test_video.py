# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Video instructions of PTX against integers of Python, as the PTX ISA defines them."""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np
import pytest

from tests.support.warp_kernel import kernel, run
from xgpu.host_device.compiler.code import Unsupported

COMPARISONS = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
               "gt": operator.gt, "ge": operator.ge}  # fmt: skip
PARTS = {"b0": (0, 8), "b1": (8, 8), "b2": (16, 8), "b3": (24, 8), "h0": (0, 16), "h1": (16, 16),
         "": (0, 32)}  # fmt: skip
SCALAR = (
    "vadd.u32.u32.u32 $0, $1, $2;",
    "vadd.s32.u32.s32.sat $0, $1.b0, $2.h1;",
    "vadd.s32.s32.s32.sat $0, $1, $2;",
    "vadd.u32.s32.s32.sat.max $0, $1.h1, $2, $3;",
    "vsub.s32.s32.u32.sat $0, $1.h1, $2.h1;",
    "vsub.u32.u32.u32 $0.b2, $1.b1, $2.b3, $3;",
    "vsub.s32.s32.s32.sat $0.h1, $1, $2, $3;",
    "vabsdiff.s32.s32.s32.sat $0.h0, $1.b0, $2.b2, $3;",
    "vabsdiff.u32.u32.u32.add $0, $1, $2, $3;",
    "vmin.s32.s32.s32.sat.add $0, $1, $2, $3;",
    "vmin.s32.u32.s32.min $0, $1.h0, $2.b3, $3;",
    "vmax.u32.u32.u32.sat $0.b3, $1, $2, $3;",
    "vshl.u32.u32.u32.clamp $0, $1, $2;",
    "vshl.s32.s32.u32.sat.clamp $0, $1.h0, $2.b0;",
    "vshl.u32.u32.u32.wrap.add $0, $1.b0, $2.b0, $3;",
    "vshr.u32.u32.u32.wrap $0, $1, $2.h1;",
    "vshr.s32.s32.u32.clamp.min $0, $1, $2.b1, $3;",
    "vset.u32.u32.ne $0, $1, $2.h1;",
    "vset.s32.u32.lt.add $0, $1, $2, $3;",
    "vset.s32.s32.ge $0.h1, $1.h0, $2.h1, $3;",
    "vmad.u32.u32.u32 $0, $1.b0, $2.b0, $3;",
    "vmad.s32.s32.u32.sat $0, $1, $2.b0, $3;",
    "vmad.u32.u32.u32.shr15 $0, $1.h0, $2.h0, $3;",
    "vmad.s32.s32.s32.sat.shr7 $0, $1.h0, -$2.h0, $3;",
    "vmad.u32.u32.u32.sat $0, $1, $2, -$3;",
    "vmad.s32.u32.s32.po.shr7 $0, $1, $2, $3;",
)
LANES = (
    "vadd2.u32.u32.u32 $0, $1, $2, $3;",
    "vadd4.s32.s32.s32.sat $0, $1, $2, $3;",
    "vsub4.u32.u32.u32.sat $0.b310, $1, $2, $3;",
    "vsub2.s32.u32.s32.add $0, $1.h03, $2.h21, $3;",
    "vavrg2.s32.s32.s32 $0.h1, $1, $2, $3;",
    "vavrg4.u32.u32.u32 $0, $1.b7531, $2.b6420, $3;",
    "vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;",
    "vabsdiff2.s32.s32.s32.sat $0, $1, $2, $3;",
    "vmin4.s32.s32.u32 $0, $1, $2, $3;",
    "vmin2.u32.u32.u32 $0, $1, $2, $3;",
    "vmax4.u32.s32.u32.add $0, $1, $2, $3;",
    "vmax2.u32.s32.s32.sat $0.h0, $1, $2.h00, $3;",
    "vset4.u32.s32.lt $0, $1, $2, $3;",
    "vset2.u32.u32.ne.add $0.h1, $1, $2, $3;",
)


def _signed(value: int, width: int, is_signed: bool) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if is_signed and value >> width - 1 else value


def _nearest(value: int, width: int, is_signed: bool) -> int:
    least = -(1 << width - 1) if is_signed else 0
    return max(least, min(value, (1 << width - int(is_signed)) - 1))


def _basic(name: str, x: int, y: int) -> int:
    found = {"add": x + y, "sub": x - y, "absdiff": abs(x - y), "min": min(x, y), "max": max(x, y)}
    return found[name] if name != "avrg" else (x + y + (x + y >= 0)) >> 1


def _read(text: str) -> tuple[list[str], list[str]]:
    """The words of the opcode, and what stands with each operand: `b0`, `-`."""
    opcode, _, rest = text.rstrip(";").partition(" ")
    operands = [re.sub(r"\$\d\.?", "", operand.strip()) for operand in rest.split(",")]
    return opcode[1:].split("."), operands


def _scalar(text: str, given: list[int]) -> int:
    words, parts = _read(text)
    name = words[0]
    signs = [word == "s32" for word in words[1:] if word in ("s32", "u32")]
    signed, first, other = [False, *signs] if name == "set" else signs
    x, y = (
        _signed(value >> PARTS[part.strip("-")][0], PARTS[part.strip("-")][1], is_signed)
        for value, part, is_signed in zip(given, parts[1:], (first, other), strict=False)
    )
    at, width = PARTS[parts[0]]
    if name == "mad":
        signed = first or other or "-" in "".join(parts)
        found = -x * y if "-" in parts[1] + parts[2] else x * y
        addend = _signed(given[2], 32, signed)
        found += -addend if parts[3] == "-" else addend
        found += "po" in words
        found >>= 7 if "shr7" in words else 15 if "shr15" in words else 0
    elif name == "set":
        found = int(next(COMPARISONS[word] for word in words if word in COMPARISONS)(x, y))
    elif name in ("shl", "shr"):
        y = y & 31 if "wrap" in words else min(y, 32)
        found = x << y if name == "shl" else x >> y
    else:
        found = _basic(name, x, y)
    if "sat" in words:
        found = _nearest(found, width, signed)
    second = words[-1]
    if second in ("add", "min", "max") and len(words) > 1:
        found = _basic(second, found, _signed(given[2], 32, signed))
    if parts[0]:
        mask = (1 << width) - 1
        return (given[2] & ~(mask << at)) | (found & mask) << at
    return found & 0xFFFFFFFF


def _lanes(text: str, given: list[int]) -> int:
    words, parts = _read(text)
    name, count = words[0][:-1], int(words[0][-1])
    width = 32 // count
    signs = [word == "s32" for word in words[1:] if word in ("s32", "u32")]
    signed, first, other = [False, *signs] if name == "set" else signs
    digits = "3210" if count == 4 else "10"
    mask, left, right = (
        [int(d) for d in reversed(part.strip("bh") or default)]
        for part, default in zip(parts, (digits, digits, "7654" if count == 4 else "32"),
                                 strict=False)
    )  # fmt: skip
    whole = given[0] | given[1] << 32
    total = given[2]
    for lane in mask:
        x = _signed(whole >> width * left[lane], width, first)
        y = _signed(whole >> width * right[lane], width, other)
        if name == "set":
            found = int(next(COMPARISONS[word] for word in words if word in COMPARISONS)(x, y))
        else:
            found = _basic(name, x, y)
        if "sat" in words:
            found = _nearest(found, width, signed)
        if "add" in words[1:]:
            total += found
            continue
        ones = ((1 << width) - 1) << width * lane
        total = (total & ~ones) | (found << width * lane) & ones
    return total & 0xFFFFFFFF


def _given() -> Any:
    words = np.random.default_rng(5).integers(0, 1 << 32, (32, 3), dtype=np.uint32)
    words[:6] = [[0, 0, 0], [0xFFFFFFFF] * 3, [0x7FFFFFFF, 1, 0x80000000],
                 [0x80000000, 0x80000000, 0x7FFFFFFF], [0x80808080, 0x7F7F7F7F, 0x01FF8000],
                 [0x12345678, 31, 5]]  # fmt: skip
    words[12:22, 1] &= 0x3F  # amounts
    return words


@pytest.mark.parametrize(("texts", "meaning"), [(SCALAR, _scalar), (LANES, _lanes)])
def test_results(texts: tuple[str, ...], meaning: Any) -> None:
    """All in one kernel; the second group with a vector for a warp."""
    count = len(texts)

    def moved(text: str, at: int) -> str:
        places = {"$0": f"${at}", **{f"${n}": f"${count + n - 1}" for n in (1, 2, 3)}}
        return re.sub(r"\$\d", lambda found: places[found[0]], text)

    given = _given()
    out = np.zeros((32, count), np.uint32)
    asm = " ".join(moved(text, at) for at, text in enumerate(texts))
    strategy = "threads" if meaning is _scalar else "block-loops"
    run(kernel(asm, "r" * count, "rrr"), given, out, strategy=strategy)
    for at, text in enumerate(texts):
        expected = [meaning(text, [int(v) for v in row]) for row in given]
        assert out[:, at].tolist() == expected, text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("vadd.u32.u32.u64 $0, $1, $2;", "its types"),
        ("vadd.u32.u32.u32.min $0.b0, $1, $2, $3;", "'.min' with a part of the result"),
        ("vadd.u32.u32.u32 $0, $1.h2, $2;", "a part of a register"),
        ("vadd2.u32.u32.u32 $0, $1.b10, $2, $3;", "a part of a register"),
        ("vadd4.u32.u32.u32.sat.add $0, $1, $2, $3;", "'.sat' with '.add'"),
        ("vmad.u32.u32.u32.po $0, $1, -$2, $3;", "the signs of its operands"),
        ("add.u32 $0, $1.b0, $2;", "inline assembly cannot be read at"),
    ],
)
def test_refusals(text: str, what: str) -> None:
    with pytest.raises(Unsupported) as raised:
        run(kernel(text, "r", "rrr"), np.zeros((32, 3), np.uint32), np.zeros(32, np.uint32))
    assert what in str(raised.value)
