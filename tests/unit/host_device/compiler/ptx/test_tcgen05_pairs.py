# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05 of two blocks (cta_group::2) against NumPy.

Where elements lie is written down from the PTX ISA (9.7.16.10): with M = 256 each block has 128
rows, with M = 128 it has 64, the right half of the columns in lanes 64 to 127. Of B each block has
half of the columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.some_cases import some
from tests.support.warp_kernel import BITS, kernel, packed, random_codes, run, values_of
from tests.unit.host_device.compiler.ptx.test_tcgen05 import (
    SIZE,
    STATE,
    UNIT,
    described,
    instruction_word,
    registers_from,
    tensor_descriptor,
)
from tests.unit.host_device.compiler.ptx.test_wgmma import image_of

pytestmark = pytest.mark.sampled(2)

BEGIN = """{ .reg .b32 ta, w, tid, td, rank; .reg .pred one, first, done, keep, asks;
mov.u32 tid, %tid.x; setp.lt.u32 first, tid, 32; setp.eq.u32 one, tid, 0;
mov.u32 rank, %cluster_ctarank; setp.eq.and.u32 asks, rank, 0, one;
@first tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [@S], 512;
@first tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
@one mbarrier.init.shared::cta.b64 [@S + 8], 1;
bar.sync 0; ld.shared.b32 ta, [@S];
shr.u32 w, tid, 5; shl.b32 w, w, 21; add.u32 w, w, ta;
"""
MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
COMMIT = (
    "@asks tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64"
    " [@S + 8], mask;\n"
    "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [@S + 8], 0; @!done bra AGAIN;"
)
END = MEET + "@first tcgen05.dealloc.cta_group::2.sync.aligned.b32 ta, 512; }"


def _places(m: int, n: int) -> tuple[Any, Any, Any]:
    """Block, lane and column of each element of D."""
    rows, columns = np.mgrid[:m, :n]
    if m == 256:
        return rows // 128, rows % 128, columns
    return rows // 64, rows % 64 + columns // (n // 2) * 64, columns % (n // 2)


@pytest.mark.parametrize(
    ("kind", "d", "first", "second", "m", "in_tensor"),
    some(
        [("f16", "f32", "f16", "bf16"), ("tf32", "f32", "tf32", "tf32"), ("i8", "s32", "u8", "s8"),
         ("f8f6f4", "f16", "e4m3", "e5m2")],
        [128, 256], [False, True],
    ),
)  # fmt: skip
def test_products(kind: str, d: str, first: str, second: str, m: int, in_tensor: bool):
    n = 32
    rng = np.random.default_rng(m)
    depth = {"f16": 16, "tf32": 8}.get(kind, 32)
    a, b = random_codes(rng, (m, depth), first), random_codes(rng, (n, depth), second)
    c = random_codes(rng, (m, n), d)
    image, descriptors = np.zeros((2, SIZE), np.uint8), []
    for start, codes, of in ((0, a, first), (32768, b, second)):
        half, leading, stride = len(codes) // 2, 0, 0
        for block in range(2):
            part = codes[block * half : block * half + half]
            content, leading, stride = image_of(part, BITS[of], 128, False)
            image[block, start : start + len(content)] = content
        descriptors.append(tensor_descriptor(start, leading, stride, 128))
    width = n if m == 256 else n // 2
    places = _places(m, n)
    cells = np.zeros((2, 128, width), np.uint32)
    cells[places] = c
    a_columns = depth * BITS[first] // 32
    held = np.zeros((2, 128, a_columns * 4), np.uint8)
    rows = np.arange(m)
    held[rows // (m // 2), rows % (m // 2)] = packed(a, BITS[first])
    if m == 128:  # a block's 64 rows lie in lanes 0 to 63, and once more for columns further on
        held[:, 64:] = held[:, :64]
    words = np.concatenate([cells.view(np.uint8), held], 2)
    count = width + a_columns
    at = width + count
    operand = "[td]" if in_tensor else f"${at + 1}"
    asm = (
        BEGIN + ".reg .b16 mask; mov.b16 mask, 3; add.u32 td, w, 256;"
        f"tcgen05.st.sync.aligned.32x32b.x{width}.b32 [w], {registers_from(width, width)};"
        f"tcgen05.st.sync.aligned.32x32b.x{a_columns}.b32 [td], "
        f"{registers_from(2 * width, a_columns)}; add.u32 td, ta, 256;"
        f"tcgen05.wait::st.sync.aligned; {MEET} setp.eq.b32 keep, 0, 0;"
        f"@asks tcgen05.mma.cta_group::2.kind::{kind} [ta], {operand}, ${at + 2}, "
        f"{instruction_word(d, first, second, m, n)}, keep;" + COMMIT
        + f"tcgen05.ld.sync.aligned.32x32b.x{width}.b32 {registers_from(0, width)}, [w];" + END
    ).replace("@S", f"${at}")  # fmt: skip
    text = STATE + UNIT + described("da", descriptors[0]) + described("db", descriptors[1])
    source = kernel(asm, "r" * width, "r" * count, SIZE, text, "r=i32 %sa;l=i64 %da;l=i64 %db")
    out = np.zeros((2, 128, width), np.uint32)
    run(source, np.ascontiguousarray(words), out, 128, image, blocks=2)
    va, vb, vc = values_of(a, first), values_of(b, second).T, values_of(c, d)
    expected, found = va @ vb + vc, values_of(out[places], d)
    if d == "s32":
        np.testing.assert_array_equal(found, expected)
        return
    scale = np.abs(va) @ np.abs(vb) + np.abs(vc) + 1e-30
    digits = 2.0**-10 if d == "f16" else 2.0**-23
    np.testing.assert_array_less(np.abs(found - expected), digits * scale)


def test_copies_go_to_both_blocks():
    """tcgen05.cp of two blocks: each copies from its own memory to its own lanes."""
    data = np.random.default_rng(5).integers(0, 256, (2, 128, 32), dtype=np.uint8)
    image, leading, stride = np.zeros((2, SIZE), np.uint8), 0, 0
    for block in range(2):
        content, leading, stride = image_of(data[block].astype(np.uint64), 8, 16, False)
        image[block, : len(content)] = content
    asm = (
        BEGIN + f".reg .b16 mask; mov.b16 mask, 3; {MEET}"
        "@asks tcgen05.cp.cta_group::2.128x256b [ta], $9;" + COMMIT
        + f"tcgen05.ld.sync.aligned.32x32b.x8.b32 {registers_from(0, 8)}, [w];" + END
    ).replace("@S", "$8")  # fmt: skip
    text = STATE + UNIT + described("d", tensor_descriptor(0, leading, stride, 16))
    out = np.zeros((2, 128, 32), np.uint8)
    source = kernel(asm, "r" * 8, "", SIZE, text, "r=i32 %sa;l=i64 %d")
    run(source, image, out, 128, image, blocks=2)
    np.testing.assert_array_equal(out, data)
