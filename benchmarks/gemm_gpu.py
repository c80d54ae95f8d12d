#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TFLOP/s of the matrix products of docs/concepts/gemm.md on an NVIDIA GPU, beside the model.

    python benchmarks/gemm_gpu.py [--size 8192] [--rounds 20] [--only WORD] [--output x.json]

Rungs that the GPU's chip has; factors of f16 with random elements, sums in f32, results in f16. A
round is one call, with its tensor maps and its wait; the median counts. A result is right if a
sample of its rows is near NumPy's. `model` is what `xgpu/kernels/gemm/product.py` says.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import sys
import time
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

import numpy as np
from compile import machine

import xgpu
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context
from xgpu.driver import compiler
from xgpu.kernels.gemm.product import CHIPS, Choice, Shape, estimate

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.api.devices.cuda import CudaBackend

_TALL = "instruction=wgmma tile=128,256,64 stages=4"
_BLACKWELL = "instruction=tcgen05 tile=128,256,64 stages=4"
#: Rows whose products are compared with NumPy's.
_SAMPLE = 16


class Rung(NamedTuple):
    """A name, the chip it is for, the pipeline's options, and what the model is asked."""

    name: str
    chip: str
    options: str
    choice: Choice

    @property
    def instruction(self) -> str:
        return {"sm_80": "mma.sync", "sm_90a": "wgmma", "sm_100a": "tcgen05"}[self.chip]


RUNGS = (
    Rung("plain", "sm_80", "tile=128,128,32 stages=1", Choice(128, 128, 32, 1, 1, False)),
    Rung("multistage", "sm_80", "tile=128,128,32 stages=3", Choice(128, 128, 32, 3, 1, False)),
    Rung("plain", "sm_90a", "instruction=wgmma tile=128,128,64 stages=1",
         Choice(128, 128, 64, 1, 1, False)),
    Rung("buffered", "sm_90a", "instruction=wgmma tile=128,128,64 stages=4 mode=pipelined",
         Choice(128, 128, 64, 4, 1, False)),
    Rung("own warps", "sm_90a", "instruction=wgmma tile=128,128,64 stages=4",
         Choice(128, 128, 64, 4, 1, True)),
    Rung("two consumers", "sm_90a", _TALL, Choice(128, 256, 64, 4, 1, True)),
    Rung("persistent", "sm_90a", f"{_TALL} blocks=132 order=hilbert",
         Choice(128, 256, 64, 4, 1, True)),
    Rung("multicast", "sm_90a", f"{_TALL} cluster=2,1", Choice(128, 256, 64, 4, 2, True)),
    Rung("tcgen05", "sm_100a", _BLACKWELL, Choice(128, 256, 64, 4, 1, True)),
    Rung("persistent", "sm_100a", f"{_BLACKWELL} blocks=148 order=hilbert",
         Choice(128, 256, 64, 4, 1, True)),
    Rung("multicast", "sm_100a", f"{_BLACKWELL} cluster=2,1", Choice(128, 256, 64, 4, 2, True)),
)  # fmt: skip


def product(rung: Rung, size: int) -> ModuleOp:
    """A function `product(a, b, c)` that makes c += a b of square matrices by a rung."""
    factor = f"memref<{size}x{size}xf16>"
    text = f"""
    func.func @product(%a: {factor}, %b: {factor}, %c: {factor}) {{
      linalg.matmul ins(%a, %b : {factor}, {factor}) outs(%c : {factor})
      return
    }}"""
    module = compiler.parse(text, "product.mlir")
    passes = f"gpu-tile-matmul{{{rung.options}}},circular-buffer"
    parse_pipeline(f"builtin.module({passes})").run(module, context())
    return module


def model(rung: Rung, size: int) -> float:
    """The part of the tensor cores' time that the model says."""
    chip = CHIPS[rung.instruction]
    return estimate(chip, Shape(size, size, size, 1), rung.choice, 2).efficiency


class Figures(TypedDict):
    """What a rung takes; `model` is the part of the tensor cores' time that the model says."""

    kernel: str
    seconds: float
    tflops: float
    model: float


def measure(rung: Rung, size: int, rounds: int, device: str) -> Figures:
    """Runs one rung. Raises `ValueError` where its result is wrong."""
    random = np.random.default_rng(7)
    a, b = (random.standard_normal((size, size)).astype(np.float16) / 16 for _ in range(2))
    run = xgpu.load(product(rung, size), device, chip=rung.chip).functions["product"]
    left, right = xgpu.asarray(a, device=device), xgpu.asarray(b, device=device)
    out = xgpu.zeros((size, size), "float16", device)
    run(left, right, out)
    rows = random.integers(0, size, _SAMPLE)
    wanted = a[rows].astype(np.float32) @ b.astype(np.float32)
    if not np.allclose(out.numpy()[rows], wanted, rtol=1e-2, atol=1e-2):
        raise ValueError(f"{rung.chip} {rung.name}: the result is wrong")
    taken: list[float] = []
    for _ in range(rounds):
        begin = time.perf_counter()
        run(left, right, out)
        taken.append(time.perf_counter() - begin)
    seconds = statistics.median(taken)
    return {
        "kernel": f"{rung.chip} {rung.name}",
        "seconds": seconds,
        "tflops": 2 * size**3 / seconds / 1e12,
        "model": round(model(rung, size), 3),
    }


def _fits(chip: str, major: int) -> bool:
    """Whether a GPU of compute capability `major` runs code for `chip`: sm_80's runs on all later
    ones, code with the letter a on its own only."""
    number = int(chip.removeprefix("sm_").rstrip("a")) // 10
    return number == major if chip.endswith("a") else number <= major


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--output", type=pathlib.Path)
    given = parser.parse_args(arguments)
    from xgpu.api.devices.registry import backend
    from xgpu.core.ir.errors import DeviceError

    try:
        device = cast("CudaBackend", backend("cuda")).device
    except DeviceError as problem:
        print(f"there is no GPU to measure on: {problem}")
        return 1
    major = device.attribute("COMPUTE_CAPABILITY_MAJOR")
    rungs = [
        rung
        for rung in RUNGS
        if _fits(rung.chip, major) and given.only in f"{rung.chip} {rung.name}"
    ]
    found = [measure(rung, given.size, given.rounds, "cuda") for rung in rungs]
    print(f"{'kernel':24}{'ms':>9}{'TFLOP/s':>9}{'model':>7}")
    for row in found:
        print(
            f"{row['kernel']:24}{row['seconds'] * 1e3:9.3f}{row['tflops']:9.1f}{row['model']:7.2f}"
        )
    if given.output:
        given.output.write_text(json.dumps({"machine": machine(), "results": found}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
