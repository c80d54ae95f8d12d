# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much more a buffered loop costs to compile: processor time of this process, and calls.

    python -m tests.circular.compile_cost

A loop of 160 iterations over tiles, buffered four deep in each mode, beside the same loop plain.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.support import processor_time
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


def compiled(chip: str, options: str) -> None:
    """To PTX."""
    module = compiler.parse(text(), "product.mlir")
    passes = (
        f"gpu-tile-matmul{{{options}}},circular-buffer,"
        f"gpu-lower-to-nvvm-pipeline{{cubin-chip={chip} cubin-format=isa}}"
    )
    parse_pipeline(f"builtin.module({passes})").run(module, context())


def ratio(chip: str, options: str, mode: str, cost: Callable[[Callable[[], None]], float]) -> float:
    """The cost of the buffered loop over that of the plain one, after one compilation of each."""

    def cost_of(options: str) -> float:
        compiled(chip, options)
        return cost(lambda: compiled(chip, options))

    plain = cost_of(f"{options} stages=1")
    return cost_of(f"{options} stages={_STAGES} {mode}") / plain


def least_seconds(work: Callable[[], None]) -> float:
    return min(processor_time.seconds(work) for _ in range(5))


def main() -> None:
    for chip, options, mode in WAYS:
        time = ratio(chip, options, mode, least_seconds)
        calls = ratio(chip, options, mode, processor_time.calls)
        print(f"{chip:8} {options} {mode}: {time:.2f} times the time, {calls:.2f} times the calls")


if __name__ == "__main__":
    main()
