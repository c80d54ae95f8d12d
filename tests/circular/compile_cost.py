# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much more a buffered loop costs to compile: processor time of pairs, to PTX.

    python -m tests.circular.compile_cost

A loop of 160 iterations over tiles, buffered four deep in each mode, beside the same loop plain.
"""

from __future__ import annotations

import sys
import time

from tests.support.processor_time import least_ratio
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context
from xgpu.driver import compiler

_ITERATIONS, _STAGES = 160, 4
_WGMMA = "instruction=wgmma tile=64,64,64"
#: Chip and options of the plain loop, and of the same loop buffered.
WAYS = (
    ("sm_80", "tile=64,64,64", ""),
    ("sm_90a", _WGMMA, "mode=pipelined"),
    ("sm_90a", _WGMMA, "mode=pipelined-mbarrier"),
    ("sm_90a", _WGMMA, "mode=warp-specialized"),
    ("sm_100a", "instruction=tcgen05 tile=128,64,64", "mode=warp-specialized"),
)


def text() -> str:
    depth = _ITERATIONS * 64
    a, b, c = f"memref<128x{depth}xf16>", f"memref<{depth}x64xf16>", "memref<128x64xf32>"
    return f"""
    func.func @product(%a: {a}, %b: {b}, %c: {c}) {{
      linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c})
      return
    }}"""


def seconds(chip: str, options: str) -> float:
    """Processor time of one compilation to PTX."""
    begin = time.process_time()
    module = compiler.parse(text(), "product.mlir")
    passes = (
        f"gpu-tile-matmul{{{options}}},circular-buffer,"
        f"gpu-lower-to-nvvm-pipeline{{cubin-chip={chip} cubin-format=isa}}"
    )
    parse_pipeline(f"builtin.module({passes})").run(module, context())
    return time.process_time() - begin


def ratio(chip: str, options: str, mode: str, pairs: int, bound: float = 0) -> float:
    """The least time of the buffered loop over the least of the plain one, of `pairs` of runs after
    one of each, or fewer where the ratio is below `bound`."""
    plain, buffered = f"{options} stages=1", f"{options} stages={_STAGES} {mode}"
    for each in (plain, buffered):
        seconds(chip, each)
    return least_ratio(lambda: seconds(chip, buffered), lambda: seconds(chip, plain), bound, pairs)


def main() -> int:
    found = [ratio(*way, pairs=3) for way in WAYS]
    for (chip, options, mode), value in zip(WAYS, found, strict=True):
        print(f"{chip:8} {options} {mode}: {value:.2f}")
    return int(max(found) >= 2)


if __name__ == "__main__":
    sys.exit(main())
