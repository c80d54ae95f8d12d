#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long one process takes from text to PTX, after imports, and where the time goes.

Prints JSON: for each kernel the milliseconds of processor time of the first compilation (which
loads what the kernel's dialects and passes need) and of later ones (median, least), and a table of
the time of each pass in later ones. `compile.py` runs this.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any

import programs

PIPELINE = "builtin.module(gpu-lower-to-nvvm-pipeline{cubin-chip=sm_80 cubin-format=isa})"
KERNELS = {"vector add": programs.VECTOR_ADD, "tiled matmul": programs.TILED_MATMUL}
RUNS = 15


def compile_once(text: str, timing: Any = None) -> Any:
    """The module of `text` with its kernels as PTX."""
    from xgpu.text import context, parse_module
    from xgpu.text.verify import verify_module
    from xgpu.transforms.pipeline_text import parse_pipeline

    if timing is not None:
        timing.begin("read and verify")
    module = parse_module(text, "kernel.mlir")
    verify_module(module)
    if timing is not None:
        timing.end()
    manager = parse_pipeline(PIPELINE)
    manager.run(module, context(), [] if timing is None else [timing])
    return module


def milliseconds(text: str) -> float:
    """Processor time of one compilation."""
    start = time.process_time()
    compile_once(text)
    return (time.process_time() - start) * 1e3


def where(text: str) -> dict[str, float]:
    """Milliseconds of each step, the largest first; the mean of several compilations."""
    from xgpu.tools.instruments import Timing

    timing = Timing()
    for _ in range(RUNS):
        compile_once(text, timing)
    total: dict[str, float] = {}
    for _, name, cpu, _ in timing.rows:
        if not str(name).startswith("'"):  # a pipeline: its passes are listed themselves
            total[str(name)] = total.get(str(name), 0.0) + float(cpu) * 1e3 / RUNS  # type: ignore
    ordered = sorted(total.items(), key=lambda item: -item[1])
    return {name: round(ms, 2) for name, ms in ordered if ms >= 0.1}


def main() -> None:
    results: dict[str, Any] = {}
    for name, text in KERNELS.items():
        first = milliseconds(text)
        later = [milliseconds(text) for _ in range(RUNS)]
        results[name] = {
            "first_ms": round(first, 1),
            "median_ms": round(statistics.median(later), 1),
            "best_ms": round(min(later), 1),
            "where_ms": where(text),
        }
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
