# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the calls of Python and C functions that each step of the compiler makes, and prints them
as JSON: for each step the numbers for programs of `COUNTS` operations.

A program of its own, since what a process has done before changes the numbers: caches are filled,
readers for frequent operations are there, other patterns are loaded.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable

from tests.support.processor_time import calls
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.core.syntax.verify import verify_module

sys.path.append(str(pathlib.Path(__file__).parents[2] / "benchmarks"))
import programs

COUNTS = (50, 100, 200)
TO_LLVM = (
    "builtin.module(convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
    "canonicalize,cse,reconcile-unrealized-casts)"
)
CLEAN_UP = "builtin.module(canonicalize,cse)"
#: Without code generation, which is LLVM's.
NVVM = "builtin.module(gpu.module(convert-gpu-to-nvvm,canonicalize,cse,reconcile-unrealized-casts))"


def aggregates(count: int) -> str:
    """A function of `count` operations on pointers and structures, as lowered kernels have them."""
    container = "!llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>"
    lines = []
    for i in range(count // 4):
        lines += (
            f"  %c{i} = llvm.mlir.constant({i % 11} : i32) : i32",
            f"  %g{i} = llvm.getelementptr inbounds %p[%c{i}, {i % 5}] : (!llvm.ptr, i32) -> "
            "!llvm.ptr, !llvm.array<8 x i64>",
            f"  %e{i} = llvm.extractvalue %s[3, {i % 2}] : {container}",
            f"  llvm.store %e{i}, %g{i} {{alignment = {8 << i % 3} : i64}} : i64, !llvm.ptr",
        )
    arguments = f"%p: !llvm.ptr, %q: !llvm.ptr<3>, %s: {container}"
    return "\n".join([f"llvm.func @f({arguments}) {{", *lines, "  llvm.return", "}", ""])


def read(text: str) -> int:
    return calls(lambda: parse_module(text))


def verify(text: str) -> int:
    module = parse_module(text)
    return calls(lambda: verify_module(module))


def print_(text: str) -> int:
    module = parse_module(text)
    return calls(lambda: print_module(module))


def pipeline(passes: str) -> Callable[[str], int]:
    def run(text: str) -> int:
        module = parse_module(text)
        manager = parse_pipeline(passes)
        return calls(lambda: manager.run(module, context(), []))

    return run


STEPS: dict[str, tuple[Callable[[str], int], Callable[[int], str]]] = {
    "read": (read, programs.integers),
    "read aggregates": (read, aggregates),
    "verify aggregates": (verify, aggregates),
    "print aggregates": (print_, aggregates),
    "clean up aggregates": (pipeline(CLEAN_UP), aggregates),
    "verify": (verify, programs.integers),
    "print": (print_, programs.integers),
    "clean up": (pipeline(CLEAN_UP), programs.integers),
    "host function to llvm": (pipeline(TO_LLVM), programs.host_function),
    "kernel to nvvm": (pipeline(NVVM), programs.kernel),
}


def measured(step: str) -> list[int]:
    measure, program = STEPS[step]
    # Loads what the step needs, and writes readers for what is frequent.
    measure(program(COUNTS[0]))
    return [measure(program(count)) for count in COUNTS]


if __name__ == "__main__":
    print(json.dumps({step: measured(step) for step in STEPS}))
