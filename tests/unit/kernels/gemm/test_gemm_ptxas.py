# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's assembler takes each rung of the ladder: nothing spilled, no wgmma put in a queue."""

from __future__ import annotations

import pathlib

import pytest

from xgpu.backend.nvptx.cubin import find_tool
from xgpu.backend.nvptx.resources import Assembled, assembled
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context
from xgpu.driver import compiler

ROOT = pathlib.Path(__file__).parents[4]
LAYER = (ROOT / "examples" / "gemm" / "layer.mlir").read_text()
TF32 = """
func.func @layer(%a: tensor<512x256xf32>, %b: tensor<384x256xf32>) -> tensor<512x384xf32> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<512x384xf32>
  %c = linalg.fill ins(%zero : f32) outs(%none : tensor<512x384xf32>) -> tensor<512x384xf32>
  %0 = linalg.matmul indexing_maps = [
        affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
        affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<512x256xf32>, tensor<384x256xf32>)
      outs(%c : tensor<512x384xf32>) -> tensor<512x384xf32>
  return %0 : tensor<512x384xf32>
}"""
TALL = "instruction=wgmma tile=128,256,64 stages=4"
RUNGS = [
    ("sm_80", "stages=1"),
    ("sm_80", "stages=3"),
    ("sm_90a", "instruction=wgmma stages=1"),
    ("sm_90a", "instruction=wgmma stages=3 mode=pipelined"),
    ("sm_90a", "instruction=wgmma stages=3 mode=pipelined-mbarrier"),
    ("sm_90a", "instruction=wgmma stages=3 mode=warp-specialized"),
    ("sm_90a", TALL),
    ("sm_90a", f"{TALL} mode=pipelined"),
    ("sm_90a", f"{TALL} store=threads"),
    ("sm_90a", f"{TALL} blocks=132 order=swizzled"),
    ("sm_90a", f"{TALL} cluster=2,1"),
    ("sm_90a", f"{TALL} blocks=132 order=hilbert"),
    ("sm_100a", "instruction=tcgen05 stages=1"),
    ("sm_100a", "instruction=tcgen05 stages=4 mode=pipelined-mbarrier"),
    ("sm_100a", "instruction=tcgen05 tile=128,256,64 stages=4"),
    ("sm_100a", "instruction=tcgen05 tile=256,256,64 stages=3"),
    ("sm_100a", "instruction=tcgen05 tile=128,256,64 stages=4 blocks=148 order=hilbert"),
    ("sm_100a", "instruction=tcgen05 tile=128,256,64 stages=4 cluster=2,1"),
    ("sm_100a", "instruction=tcgen05 tile=128,128,64 stages=4 pairs=1"),
]
pytestmark = pytest.mark.skipif(
    find_tool("ptxas") is None, reason="needs ptxas, of a toolkit or of the wheel nvidia-cuda-nvcc"
)


def machine_code(text: str, options: str, chip: str) -> Assembled:
    module = compiler.parse(text, "layer.mlir")
    passes = (
        f"gpu-gemm-pipeline{{{options}}},"
        f"gpu-lower-to-nvvm-pipeline{{cubin-chip={chip} cubin-format=isa}}"
    )
    parse_pipeline(f"builtin.module({passes})").run(module, context())
    (binary,) = (op for op in module.walk() if op.name == "gpu.binary")
    (made,) = binary.properties["objects"].data  # pyright: ignore
    ptx = made.object.data  # pyright: ignore
    return assembled(ptx.decode() if isinstance(ptx, bytes) else ptx, chip)  # pyright: ignore


def _check(text: str, options: str, chip: str) -> None:
    found = machine_code(text, options, chip)
    assert found.warnings == []
    (kernel,) = found.kernels.values()
    assert (kernel.spilled, kernel.loaded) == (0, 0)
    assert 0 < kernel.registers < 255


@pytest.mark.long
@pytest.mark.parametrize(("chip", "options"), RUNGS)
def test_no_spill_and_no_warning(chip: str, options: str) -> None:
    _check(LAYER, options, chip)


@pytest.mark.long
def test_tf32() -> None:
    _check(TF32, "instruction=wgmma tf32=1 stages=3", "sm_90a")


@pytest.mark.long
def test_f8() -> None:
    text = TF32.replace("512x256xf32", "512x256xf8E4M3FN").replace("384x256xf32", "384x256xf8E5M2")
    _check(text, "instruction=wgmma stages=3", "sm_90a")


@pytest.mark.long
def test_what_ptxas_says_of_spills_is_read() -> None:
    """One warpgroup has no registers for the sums of 128 rows by 256 columns."""
    found = machine_code(LAYER, f"{TALL} warps=4,1 mode=pipelined stages=2", "sm_90a")
    assert next(iter(found.kernels.values())).spilled > 0
    assert "serialized due to insufficient register resources" in "".join(found.warnings)
