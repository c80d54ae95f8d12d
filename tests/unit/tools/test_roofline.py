# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The roofline's picture, and the runner's table of what kernels do."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from xgpu.runtime.work import KernelRate, Peaks
from xgpu.tools import roofline, xgpu_runner

_SVG = "{http://www.w3.org/2000/svg}"

PROGRAM = """
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @scale(%a: memref<?xf32>) kernel {
    %b = gpu.block_id x %d = gpu.block_dim x %t = gpu.thread_id x
    %base = arith.muli %b, %d : index
    %i = arith.addi %base, %t : index
    %v = memref.load %a[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%i] : memref<?xf32>
    gpu.return } }
  func.func @main() {
    %n = arith.constant 64 : index
    %one = arith.constant 1 : index
    %m = gpu.alloc(%n) : memref<?xf32>
    gpu.launch_func @m::@scale blocks in (%one, %one, %one) threads in (%n, %one, %one)
      args(%m : memref<?xf32>)
    gpu.dealloc %m : memref<?xf32>
    return } }
"""


def rate(name: str, floats: float, bytes: float) -> KernelRate:
    return KernelRate(name, "block-loops", 2, 1, 1.0, floats=floats, bytes=bytes)


def test_a_point_lies_at_its_intensity_and_speed() -> None:
    peaks = Peaks(1e10, 1e11, 5e10)
    kernels = [rate("low", 1e9, 1e10), rate("high", 1e10, 1e10), rate("integers", 0, 1e9)]
    picture = ElementTree.fromstring(roofline.svg(kernels, peaks, "a <title>"))
    circles = [
        (float(c.get("cx", 0)), float(c.get("cy", 0))) for c in picture.iter(f"{_SVG}circle")
    ]
    assert len(circles) == 2
    (x_low, y_low), (x_high, y_high) = circles
    # Ten times the speed and intensity: as far to the right and up as two lines of the grid.
    lines = [(float(e.get("x1", 0)), float(e.get("y1", 0))) for e in picture.iter(f"{_SVG}line")]
    columns = sorted({x for x, _ in lines})
    rows = sorted({y for _, y in lines})
    assert x_high - x_low == pytest.approx(columns[1] - columns[0], abs=0.2)
    assert y_low - y_high == pytest.approx(rows[-1] - rows[-2], abs=0.2)
    texts = [e.text for e in picture.iter(f"{_SVG}text")]
    assert {"a <title>", "low", "high", "integers", "f32 100 GFLOP/s", "10 GB/s"} <= set(texts)
    assert "100 %" in texts


def test_the_runner_says_what_kernels_do(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "xgpu.host_device.device.peaks.machine_peaks", lambda: Peaks(1e9, 2e9, 1e9)
    )
    path = tmp_path / "scale.mlir"
    path.write_text(PROGRAM)
    assert xgpu_runner.main([str(path), "--device=host", "--profile"]) == 0
    said = capfd.readouterr().err
    assert re.search(r"^scale +block-loops +~\S+ +~\S+ +\d+ % +100 % +\d+ %$", said, re.M)
    assert re.search(r"^this machine +1 +2 \(f64: 1\)$", said, re.M)


def test_what_excludes_a_profile(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scale.mlir"
    path.write_text(PROGRAM)
    for other in ("--sanitize", "--schedules=2"):
        assert xgpu_runner.main([str(path), "--profile", other]) != 0
        name = other.partition("=")[0]
        assert f"options '--profile' and '{name}' exclude" in capfd.readouterr().err
