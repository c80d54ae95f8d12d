# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ladder of matrix products on an NVIDIA GPU, against NumPy; rungs that its chip has."""

from __future__ import annotations

import pathlib
import sys

import pytest

from tests.support.some_cases import short

BENCHMARKS = pathlib.Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import gemm_gpu  # noqa: E402  # pyright: ignore[reportMissingImports]

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize(
    "rung",
    short(gemm_gpu.RUNGS, *(rung for rung in gemm_gpu.RUNGS if rung.name == "plain")),
    ids=lambda rung: f"{rung.chip} {rung.name}",
)
def test_a_rung(rung: gemm_gpu.Rung, attribute) -> None:
    if not gemm_gpu._fits(rung.chip, attribute("COMPUTE_CAPABILITY_MAJOR")):
        pytest.skip(f"needs {rung.chip}")
    for size in (512, 1024):
        gemm_gpu.measure(rung, size, 1, "cuda")
