# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples on an NVIDIA GPU, against the host device."""

from __future__ import annotations

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
pytestmark = pytest.mark.gpu


def run(name: str, device: str) -> tuple[list[float], dict[str, int]]:
    import xgpu

    printed: list[str] = []
    text = (EXAMPLES / f"{name}.mlir").read_text()
    result = xgpu.run(text, device=device, output=printed.append)
    return [float(word) for word in "".join(printed).split()], result.session.leaks()


@pytest.mark.parametrize(
    "name", ["two_matmuls", "two_matmuls_launch", "vector_add", "reduce", "pipelines"]
)
def test_same_results_as_the_host_device(name: str) -> None:
    on_gpu, leaks = run(name, "cuda")
    on_host, _ = run(name, "host")
    assert leaks == {}
    assert on_gpu == pytest.approx(on_host, rel=1e-4, abs=1e-4)


def test_a_trace_has_the_times_of_the_gpu() -> None:
    """Through Python, with events around each operation; the result is the same."""
    import xgpu

    text = (EXAMPLES / "pipelines.mlir").read_text()
    printed: list[str] = []
    result = xgpu.run(text, device="cuda", output=printed.append, trace=True)
    assert "".join(printed) == "2385411\n" * 3
    bars = [e for e in result.session.events or [] if e["cat"] == "kernel"]
    assert [e["name"] for e in bars].count("power") == 4
    assert len({e["tid"] for e in bars}) == 3
    sums = [e for e in bars if e["name"] == "sum"]
    powers = [e for e in bars if e["name"] == "power"]
    assert max(e["ts"] for e in sums) >= max(e["ts"] + e["dur"] for e in powers)


def test_impossible_launch_is_refused() -> None:
    import xgpu
    from xgpu.core.ir.errors import DeviceError

    text = """
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k() kernel { gpu.return } }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2048 = arith.constant 2048 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c2048, %c1, %c1)
    return
  }
}"""
    with pytest.raises(DeviceError, match="2048 threads, the limit is 1024"):
        xgpu.run(text, device="cuda")
