# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much work an operation costs, counted in calls and not in time, so that a machine's load does
not matter: each step stays within what it takes now, and costs the same in a text twice as long.

`benchmarks/compile.py` measures time. A bound that is exceeded for a good reason is raised here.
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

from xgpu.passes.pipeline_text import parse_pipeline
from xgpu.syntax import context, parse_module, print_module
from xgpu.syntax.verify import verify_module

sys.path.append(str(pathlib.Path(__file__).parents[3] / "benchmarks"))
import programs

TO_LLVM = (
    "builtin.module(convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
    "canonicalize,cse,reconcile-unrealized-casts)"
)
CLEAN_UP = "builtin.module(canonicalize,cse)"
#: Without code generation, which is LLVM's.
NVVM = "builtin.module(gpu.module(convert-gpu-to-nvvm,canonicalize,cse,reconcile-unrealized-casts))"


def calls(work: Callable[[], object]) -> int:
    """How many functions `work` calls, in Python and in C."""
    count = 0

    def counted(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    previous = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(previous)
    return count


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


STEPS: dict[str, tuple[Callable[[str], int], Callable[[int], str], float]] = {
    "read": (read, programs.integers, 25),
    "verify": (verify, programs.integers, 42),
    "print": (print_, programs.integers, 63),
    "clean up": (pipeline(CLEAN_UP), programs.integers, 132),
    "host function to llvm": (pipeline(TO_LLVM), programs.host_function, 570),
    "kernel to nvvm": (pipeline(NVVM), programs.kernel, 530),
}


@pytest.mark.parametrize("step", list(STEPS))
def test_work_of_an_operation(step: str) -> None:
    measure, program, bound = STEPS[step]
    measure(program(500))  # loads what the step needs, and writes readers for what is frequent
    small, middle, large = (measure(program(count)) for count in (500, 1000, 2000))
    each = (large - middle) / 1000
    assert each <= bound
    assert each <= 1.02 * (middle - small) / 500
