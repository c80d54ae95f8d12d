# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs, from MLIR text to checked results on the host device."""

from __future__ import annotations

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
KERNEL = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%out: memref<4xi32>) kernel {
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      memref.store %v, %out[%t] : memref<4xi32>
      gpu.return
    }
  }
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %threads = arith.constant THREADS : index
    %c3 = arith.constant 3 : index
    %out = gpu.alloc host_shared () : memref<4xi32>
    gpu.launch_func @kernels::@KERNEL blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : memref<4xi32>)
    %v = memref.load %out[%c3] : memref<4xi32>
    return %v : i32
  }
}
"""


@pytest.mark.parametrize("name", ["two_matmuls", "two_matmuls_launch"])
def test_two_matmuls_overlap_and_leak_nothing(name):
    import xgpu

    text = (EXAMPLES / f"{name}.mlir").read_text()
    overlaps = 0
    # A kernel takes milliseconds: on a busy machine a stream's thread may start when the other's
    # work is over, so that one run in several has to show both matmuls in flight together.
    for _ in range(20):
        printed: list[str] = []
        result = xgpu.run(text, device="host", trace=True, output=printed.append)
        checksum, error = "".join(printed).split()
        assert float(checksum) == pytest.approx(-16.6337, abs=1e-3)
        assert float(error) <= 1e-4
        assert result.session.leaks() == {}
        kernels = [e for e in result.session.events if e["cat"] == "kernel"]
        first, second, third = sorted(kernels, key=lambda e: e["ts"])
        assert third["ts"] >= max(k["ts"] + k["dur"] for k in (first, second))
        overlaps += second["ts"] < first["ts"] + first["dur"]
        if overlaps:
            break
    assert overlaps


def test_pipelines_overlap_and_every_order_gives_the_same():
    from xgpu.driver.schedules import Explorer

    text = (EXAMPLES / "pipelines.mlir").read_text()
    found = Explorer(text).explore(schedules=20)
    assert found.natural.output == "2385411\n" * 3
    assert found.natural.alive == {}
    assert found.seed is None
    counts = found.natural.session.counts
    assert (counts["streams"].created, counts["events"].created) == (3, 2)


def test_value_of_the_entry():
    import xgpu

    text = KERNEL.replace("THREADS", "4").replace("@KERNEL", "@k")
    assert xgpu.run(text, device="host").value == 3


def test_impossible_launch_names_its_place():
    import xgpu
    from xgpu.core.ir.errors import DeviceError

    text = KERNEL.replace("THREADS", "2048").replace("@KERNEL", "@k")
    with pytest.raises(DeviceError) as caught:
        xgpu.run(text, device="host", filename="big.mlir")
    assert str(caught.value).startswith("big.mlir:16:5: error: kernel 'k': invalid configuration")
    assert "2048 threads, the limit is 1024" in str(caught.value)


def test_ptx_where_there_is_no_gpu_names_the_remedy():
    import xgpu
    from xgpu.core.ir.errors import DiagnosticError

    text = KERNEL.replace("THREADS", "4").replace("@KERNEL", "@k")
    compiled = xgpu.compile(text, chip="sm_80", format="isa")
    assert b".visible .entry k" in compiled.kernels["kernels"]
    with pytest.raises(DiagnosticError, match=r"is PTX.*no GPU.*cubin-format=host"):
        xgpu.run(compiled.module, device="host")
