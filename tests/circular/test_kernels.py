# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of examples/attention, plain and buffered in every mode that there is, against NumPy."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

import xgpu
from tests.support.some_cases import short
from xgpu.backend.nvptx.cubin import find_tool
from xgpu.backend.nvptx.resources import assembled
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context
from xgpu.driver import compiler

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "attention"
NAMES = ("attention", "layer_norm", "softmax", "stencil")
#: The loop as it stands, as it is marked, and in each other mode.
WAYS = (None, "", "pipelined", "pipelined-mbarrier", "warp-specialized")


def _module(name: str, way: str | None, more: str = "") -> ModuleOp:
    text = (FOLDER / f"{name}.mlir").read_text() + more
    if way:
        text = text.replace("{stages", f'{{mode = "{way}", stages')
    module = compiler.parse(text, f"{name}.mlir")
    if way is not None:
        parse_pipeline("builtin.module(circular-buffer)").run(module, context())
    return module


def _run(name: str, way: str | None, *arrays: np.ndarray) -> None:
    xgpu.load(_module(name, way), device="host", chip="sm_90a").functions[name](*arrays)


#: Gives attention numbers that differ from row to row, and calls it.
_MAIN = """
func.func private @filled(%rows: index) -> memref<?x64xf16> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %7 = arith.constant 7 : index
  %64 = arith.constant 64 : index
  %host = memref.alloc(%rows) : memref<?x64xf16>
  scf.for %i = %0 to %rows step %1 {
    scf.for %j = %0 to %64 step %1 {
      %sum = arith.addi %i, %j : index
      %rest = arith.remui %sum, %7 : index
      %whole = arith.index_cast %rest : index to i32
      %number = arith.sitofp %whole : i32 to f16
      memref.store %number, %host[%i, %j] : memref<?x64xf16>
    }
  }
  %own = gpu.alloc(%rows) : memref<?x64xf16>
  gpu.memcpy %own, %host : memref<?x64xf16>, memref<?x64xf16>
  return %own : memref<?x64xf16>
}
func.func @main() -> i64 {
  %none = arith.constant 0 : i64
  %queries = arith.constant 160 : index
  %keys = arith.constant 200 : index
  %any_q = func.call @filled(%queries) : (index) -> memref<?x64xf16>
  %any_k = func.call @filled(%keys) : (index) -> memref<?x64xf16>
  %q = memref.cast %any_q : memref<?x64xf16> to memref<160x64xf16>
  %k = memref.cast %any_k : memref<?x64xf16> to memref<200x64xf16>
  %out = gpu.alloc() : memref<160x64xf32>
  func.call @attention(%q, %k, %k, %out)
      : (memref<160x64xf16>, memref<200x64xf16>, memref<200x64xf16>, memref<160x64xf32>) -> ()
  return %none : i64
}
"""


def _softmax(x: np.ndarray) -> np.ndarray:
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("way", short(WAYS, ""))
def test_attention(way: str | None) -> None:
    random = np.random.default_rng(3)
    q, k, v = (random.normal(size=(rows, 64)).astype(np.float16) for rows in (160, 200, 200))
    out = np.zeros((160, 64), np.float32)
    _run("attention", way, q, k, v, out)
    wide = [array.astype(np.float64) for array in (q, k, v)]
    wanted = _softmax(wide[0] @ wide[1].T / 8) @ wide[2]
    # Weights are f16: eleven bits of each.
    np.testing.assert_allclose(out, wanted, atol=5e-4)


# Without --long the next test has the sanitizer look at it.
@pytest.mark.parametrize("way", short(WAYS))
def test_attention_is_clean(way: str | None) -> None:
    assert not xgpu.sanitize(_module("attention", way, _MAIN))


@pytest.mark.long
def test_attention_without_a_barrier() -> None:
    """Weights are behind a barrier when they are read."""
    before = "generate.descriptor %weights"
    text = (FOLDER / "attention.mlir").read_text()
    head, tail = text[: text.index(before)], text[text.index(before) :]
    begin, _, end = head.rpartition("gpu.barrier\n")
    module = compiler.parse(begin + end + tail + _MAIN, "attention.mlir")
    parse_pipeline("builtin.module(circular-buffer)").run(module, context())
    assert "error: race: " in str(xgpu.sanitize(module))


@pytest.mark.parametrize("way", short(WAYS))
def test_rows(way: str | None) -> None:
    x = np.random.default_rng(4).normal(2, 3, size=(70, 256)).astype(np.float32)
    out = np.zeros_like(x)
    _run("softmax", way, x, out)
    np.testing.assert_allclose(out, _softmax(x.astype(np.float64)), rtol=1e-5)
    _run("layer_norm", way, x, out)
    wide = x.astype(np.float64)
    off = wide - wide.mean(axis=1, keepdims=True)
    wanted = off / np.sqrt((off * off).mean(axis=1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(out, wanted, atol=1e-5)


@pytest.mark.parametrize("way", short(WAYS, None, ""))
def test_stencil(way: str | None) -> None:
    a = np.random.default_rng(5).normal(size=(20, 16, 64)).astype(np.float32)
    b = np.zeros_like(a)
    wanted = a.astype(np.float64)
    for _ in range(4):
        p = np.pad(wanted, 1)
        beside = (
            p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1] + p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1]
            + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
        )  # fmt: skip
        wanted = beside / 8 + wanted / 4
    _run("stencil", way, a, b)
    np.testing.assert_allclose(a, wanted, atol=1e-5)


def test_attention_gets_warps_that_only_copy() -> None:
    """Its tiles are read by tensor cores."""
    kernel = next(op for op in _module("attention", "").walk() if op.name == "gpu.launch")
    assert any(op.name == "nvvm.barrier" for op in kernel.walk())


@pytest.mark.skipif(
    find_tool("ptxas") is None, reason="needs ptxas, of a toolkit or of the wheel nvidia-cuda-nvcc"
)
@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_ptxas_spills_nothing(name: str) -> None:
    module = _module(name, "")
    passes = "gpu-lower-to-nvvm-pipeline{cubin-chip=sm_90a cubin-format=isa}"
    parse_pipeline(f"builtin.module({passes})").run(module, context())
    (binary,) = (op for op in module.walk() if op.name == "gpu.binary")
    ptx = binary.properties["objects"].data[0].object.data  # pyright: ignore
    found = assembled(ptx.decode() if isinstance(ptx, bytes) else ptx, "sm_90a")  # pyright: ignore
    assert found.warnings == []
    assert all((k.spilled, k.loaded) == (0, 0) for k in found.kernels.values())
