#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long one process takes from text to PTX, after imports, and where the time goes.

Prints JSON: for each kernel the milliseconds of processor time of the first compilation (which
loads what the kernel's dialects and passes need) and of later ones (median, least), and a table of
where the time of later ones goes: reading, each pass, and the steps of code generation.
With `--growth`, what an operation costs in kernels of several sizes. `compile.py` and
`against_peers.py` run this.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import programs

PIPELINE = "builtin.module(gpu-lower-to-nvvm-pipeline{cubin-chip=sm_80 cubin-format=isa})"
KERNELS = {
    "vector add": programs.VECTOR_ADD,
    "tiled matmul": programs.TILED_MATMUL,
    "gelu": programs.GELU,
}
RUNS = 15


def compile_once(text: str, timing: Any = None) -> Any:
    """The module of `text` with its kernels as PTX."""
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context, parse_module
    from xgpu.core.syntax.verify import verify_module

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


#: The steps of code generation: a function, and what its time counts as. Inner ones come later.
STEPS = (
    ("xgpu.backend.llvm_ir", "translate", "LLVM IR as text"),
    ("xgpu.backend.nvptx.compiler", "compile_to_ptx", "LLVM: code generation"),
    ("xgpu.backend.nvptx.compiler", "optimize", "LLVM: optimization"),
    ("xgpu.backend.nvptx.compiler", "prepare", "LLVM: reading the text"),
    ("xgpu.backend.nvptx.compiler", "link", "linking libdevice"),
)


@contextmanager
def counted_steps(total: dict[str, float]) -> Iterator[None]:
    """Within it, the time of each step, without that of the steps in it, is added to `total`."""
    from importlib import import_module

    inner = [0.0]  # what nested steps took, for each one that is open

    def counted(function: Callable[..., Any], name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            inner.append(0.0)
            start = time.process_time()
            try:
                return function(*arguments, **keywords)
            finally:
                took = time.process_time() - start
                total[name] = total.get(name, 0.0) + took - inner.pop()
                inner[-1] += took

        return call

    kept = [(import_module(m), f, getattr(import_module(m), f), name) for m, f, name in STEPS]
    try:
        for module, function, original, name in kept:
            setattr(module, function, counted(original, name))
        yield
    finally:
        for module, function, original, _ in kept:
            setattr(module, function, original)


def where(text: str) -> dict[str, float]:
    """Milliseconds of each step, the largest first; the mean of several compilations."""
    from xgpu.tools.instruments import Timing

    timing = Timing()
    total: dict[str, float] = {}
    with counted_steps(total):
        for _ in range(RUNS):
            compile_once(text, timing)
    generation = sum(total.values())
    for _, name, cpu, _ in timing.rows:
        if not str(name).startswith("'"):  # a pipeline: its passes are listed themselves
            total[str(name)] = total.get(str(name), 0.0) + float(cpu)  # type: ignore
    total["GpuModuleToBinaryPass"] -= generation
    ordered = sorted(total.items(), key=lambda item: -item[1])
    found = {name: round(seconds * 1e3 / RUNS, 2) for name, seconds in ordered}
    small = sum(ms for ms in found.values() if ms < 0.1)
    return {**{name: ms for name, ms in found.items() if ms >= 0.1}, "the rest": round(small, 2)}


def growth() -> dict[str, dict[str, float]]:
    """For kernels in a straight line, the microseconds that an operation costs: xgpu's own, and
    LLVM's, whose instruction selection takes longer than linear for a long block."""
    import gc

    found: dict[str, dict[str, float]] = {}
    for count in (1_000, 3_000, 10_000):
        text = programs.kernel(count)
        gc.collect()
        gc.disable()  # as the tools do
        steps: dict[str, float] = {}
        start = time.process_time()
        with counted_steps(steps):
            compile_once(text)
        total = time.process_time() - start
        gc.enable()
        llvm = sum(seconds for name, seconds in steps.items() if name.startswith("LLVM: "))
        found[f"{count} operations"] = {
            "xgpu_us": round((total - llvm) / count * 1e6, 1),
            "llvm_us": round(llvm / count * 1e6, 1),
        }
    return found


def main() -> None:
    if "--growth" in sys.argv:
        compile_once(programs.kernel(200))
        json.dump(growth(), sys.stdout)
        return
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
