# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/gemm_gpu.py, as far as it goes without a GPU: on the host device, at a small size."""

from __future__ import annotations

import pathlib
import sys

import pytest

from tests.support.some_cases import long_first

BENCHMARKS = pathlib.Path(__file__).parents[3] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import gemm_gpu  # noqa: E402  # pyright: ignore[reportMissingImports]


@pytest.mark.parametrize("name", long_first(["sm_90a own warps", "sm_80 multistage"]))
def test_a_rung_is_right_and_timed(name: str) -> None:
    rung = next(r for r in gemm_gpu.RUNGS if f"{r.chip} {r.name}" == name)
    found = gemm_gpu.measure(rung, 128, 2, "host")
    assert found["kernel"] == name
    assert found["tflops"] == pytest.approx(2 * 128**3 / found["seconds"] / 1e12)


@pytest.mark.long
def test_a_wrong_result_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    small = gemm_gpu.Rung("small", "sm_80", "tile=16,16,16 warps=1,1", gemm_gpu.RUNGS[0].choice)
    monkeypatch.setattr(gemm_gpu.np, "allclose", lambda *_, **__: False)
    with pytest.raises(ValueError, match="sm_80 small: the result is wrong"):
        gemm_gpu.measure(small, 16, 1, "host")


def test_the_model_orders_rungs_of_a_chip() -> None:
    figures = {f"{r.chip} {r.name}": gemm_gpu.model(r, 8192) for r in gemm_gpu.RUNGS}
    assert figures["sm_90a plain"] < figures["sm_90a own warps"] < figures["sm_90a two consumers"]
    assert all(0 < value <= 1 for value in figures.values())


def test_without_a_gpu_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from xgpu.api.devices import registry
    from xgpu.core.ir.errors import DeviceError

    def none(name: str) -> object:
        raise DeviceError("no NVIDIA GPU can be used here")

    monkeypatch.setattr(registry, "backend", none)
    assert gemm_gpu.main([]) == 1
    assert "there is no GPU to measure on: no NVIDIA GPU" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("chip", "major", "fits"),
    [
        ("sm_80", 9, True),
        ("sm_90a", 9, True),
        ("sm_90a", 10, False),
        ("sm_100a", 10, True),
        ("sm_80", 7, False),
    ],
)
def test_code_with_a_letter_is_of_its_own_chip(chip: str, major: int, fits: bool) -> None:
    assert gemm_gpu._fits(chip, major) is fits
