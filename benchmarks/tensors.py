#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product on tensors on the host device: the kernel of `gpu-kernels-from-linalg-pipeline`
beside one thread a block (`convert-linalg-to-parallel-loops`, `gpu-map-parallel-loops`).

    python benchmarks/tensors.py [--size 1024] [--rounds 5]

Processor time of whole calls, in turns, since machines drift: the median of the rounds' ratios
counts. Both results are compared with NumPy's.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import time
from typing import Any

PROGRAM = """
func.func @product(%a: tensor<{n}x{n}xf32>, %b: tensor<{n}x{n}xf32>, %out: memref<{n}x{n}xf32>) {{
  %zero = arith.constant 0.0 : f32
  %new = tensor.empty() : tensor<{n}x{n}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%new : tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>)
      outs(%init : tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  bufferization.materialize_in_destination %c in restrict writable %out
      : (tensor<{n}x{n}xf32>, memref<{n}x{n}xf32>) -> ()
  return
}}
"""
BUFFERS = (
    "eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map},canonicalize,cse"
)
WAYS = {
    "one thread a block": (
        f"builtin.module({BUFFERS},convert-linalg-to-parallel-loops,"
        "func.func(gpu-map-parallel-loops),convert-parallel-loops-to-gpu,canonicalize,cse)"
    ),
    "pipeline": "builtin.module(gpu-kernels-from-linalg-pipeline)",
}


def main() -> None:
    """The command line; prints JSON."""
    import numpy as np

    import xgpu

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path, help="a file for the figures, as JSON")
    given = parser.parse_args()
    n: int = given.size
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal((n, n), dtype=np.float32) for _ in range(2))
    wanted = a @ b
    functions: dict[str, Any] = {}
    errors: dict[str, float] = {}
    for way, passes in WAYS.items():
        module = xgpu.load(PROGRAM.format(n=n), passes=passes, device="host")
        functions[way] = module.functions["product"]
        out = np.zeros((n, n), np.float32)
        functions[way](a, b, out)
        errors[way] = float(np.abs(out - wanted).max())
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    out = np.zeros((n, n), np.float32)
    for _ in range(given.rounds):
        for way, function in functions.items():
            start = time.process_time()
            function(a, b, out)
            times[way].append(time.process_time() - start)
    slow, fast = times.values()
    ratios = [x / y for x, y in zip(slow, fast, strict=True)]
    text = json.dumps(
        {
            "size": n,
            "largest error": errors,
            "processor seconds, medians": {w: statistics.median(t) for w, t in times.items()},
            "ratios of the rounds": ratios,
            "median ratio": statistics.median(ratios),
            # As in other benchmarks: what less of is better.
            "results": {f"product of {n}": {"ratio": 1 / statistics.median(ratios)}},
        },
        indent=1,
    )
    print(text)
    if given.output is not None:
        given.output.write_text(text + "\n")


if __name__ == "__main__":
    main()
