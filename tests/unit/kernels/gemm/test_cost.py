# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model that chooses options of products, beside figures worked out by hand."""

from __future__ import annotations

import pytest

from tests.unit.kernels.gemm.test_gemm import Case, built
from xgpu.core.ir.constants import int_of
from xgpu.kernels.gemm.product import CHIPS, Choice, Shape, best, estimate, stage_bytes

CHIP = CHIPS["wgmma"]
LARGE = Shape(8192, 8192, 8192, 1)
TILES = [(64, 64), (128, 128), (128, 256)]
CANDIDATES = [Choice(m, n, 64, 4, sharers, apart=True) for m, n in TILES for sharers in (1, 2)]


def test_a_step_by_hand() -> None:
    """128 x 128 x 64 is 1,048,576 multiply-adds, 512 cycles of 2,048; its factors are read in 384
    cycles, for 16,384 bytes of A and 16,384 of B twice; 32,768 bytes come in 682.7 cycles of 48,
    which is what a step takes. One block has one step, 2,048 cycles for its result and 1,000 until
    its first tile is there; one stage hides nothing of the latency."""
    choice = Choice(128, 128, 64, 1, 1, apart=False)
    found = estimate(CHIP, Shape(128, 128, 64, 1), choice, 2)
    assert found.cycles == pytest.approx(1000 + 32768 / 48 + 1000 + 2048)
    assert found.bound == "latency"


def test_stages_hide_latency() -> None:
    one, three = (
        estimate(CHIP, LARGE, Choice(128, 128, 64, stages, 1, apart=True), 2) for stages in (1, 3)
    )
    assert (one.bound, three.bound) == ("latency", "copies")
    assert one.cycles > 2 * three.cycles


def test_sharing_and_wider_tiles_ease_what_copies_bound() -> None:
    alone, shared, wide = (
        estimate(CHIP, LARGE, choice, 2)
        for choice in (
            Choice(128, 128, 64, 4, 1, apart=True),
            Choice(128, 128, 64, 4, 2, apart=True),
            Choice(128, 256, 64, 4, 1, apart=True),
        )
    )
    assert alone.bound == "copies"
    assert shared.bound == wide.bound == "product"
    assert wide.efficiency > alone.efficiency


def test_large_products_get_large_tiles_and_small_ones_small() -> None:
    assert best(CHIP, LARGE, 2, CANDIDATES, 1)[:2] == (128, 256)
    assert best(CHIP, Shape(512, 384, 256, 1), 2, CANDIDATES, 1)[:2] == (64, 64)


def test_stages_fit_and_are_no_more_than_steps() -> None:
    chosen = best(CHIP, LARGE, 2, CANDIDATES, 3)
    results = 3 * (chosen.m // 64) * 8192
    assert chosen.stages * stage_bytes(chosen, 2) + results <= CHIP.shared_limit
    short = best(CHIP, Shape(8192, 8192, 100, 1), 2, CANDIDATES, 1)
    assert short.stages == 2


def test_pairs_divide_the_tiles() -> None:
    """Three tiles along m are no pairs."""
    assert best(CHIP, Shape(192, 64, 8192, 1), 2, CANDIDATES, 1).sharers == 1


@pytest.mark.parametrize(
    ("m", "n", "options", "tile"),
    [
        (8192, 8192, "instruction=wgmma", (128, 256)),
        (64, 64, "instruction=wgmma", (64, 64)),
        (24, 16, "", (16, 16)),
    ],
)
def test_the_pass_takes_what_the_model_says(
    m: int, n: int, options: str, tile: tuple[int, int]
) -> None:
    module = built(Case(m, n, 64, options).text(), options)
    launch = next(op for op in module.walk() if op.name == "gpu.launch")
    grid = [int_of(launch.operands[i]) for i in range(2)]
    assert grid == [-(-n // tile[1]), -(-m // tile[0])]
