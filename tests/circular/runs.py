# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a generated program under the sanitizer.

python -m tests.circular.runs            every combination
python -m tests.circular.runs bulk-      those whose names begin so
python -m tests.circular.runs --part 3/40 a part of them: the third, and each that comes 40 later
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import xgpu
from tests.circular.loops import Case, cases, text_of
from xgpu.core.ir.errors import DeviceError, DiagnosticError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax.table_context import context
from xgpu.driver import compiler

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.builtin import ModuleOp


def buffered(text: str) -> ModuleOp:
    """The program with its marked loops buffered."""
    module = compiler.parse(text, "case.mlir")
    parse_pipeline("builtin.module(circular-buffer)").run(module, context())
    return module


def check(case: Case, mutate: Callable[[ModuleOp], None] | None = None) -> str | None:
    """What is wrong with a case, or None. `mutate` breaks the buffered program first."""
    try:
        module = buffered(text_of(case))
    except DiagnosticError as problem:
        return f"refused: {problem.message}"
    if mutate is not None:
        mutate(module)
    wanted, found = _barriers(module)
    if wanted != found:
        return f"{wanted} barriers are made, {found} invalidated"
    try:
        findings = xgpu.sanitize(module)
    except (DeviceError, DiagnosticError) as problem:
        return f"{type(problem).__name__}: {problem}"
    if findings:
        return findings.text()
    if findings.value != 0:
        return f"{findings.value} numbers differ"
    return None


def _barriers(module: ModuleOp) -> tuple[int, int]:
    """How many barriers the buffered loop makes, and how many it invalidates."""
    made = sum(
        op.results[0].type.num_barriers  # pyright: ignore
        for op in module.walk()
        if op.name == "nvgpu.mbarrier.create" and op.results[0].type.num_barriers > 1  # pyright: ignore
    )
    gone = sum(op.name == "nvvm.mbarrier.inval" for op in module.walk())
    return int(made), gone


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.circular.runs")
    parser.add_argument("prefix", nargs="?", default="")
    parser.add_argument("--part", default="1/1", metavar="I/N")
    given = parser.parse_args(arguments)
    part, parts = map(int, given.part.split("/"))
    chosen = [case for case in cases() if case.name.startswith(given.prefix)]
    wrong = loops = 0
    for case in chosen[part - 1 :: parts]:
        problem = check(case)
        loops += len(case.counts)
        if problem is not None:
            wrong += 1
            print(f"{case.name}: {problem}", flush=True)
    print(f"{loops} loops, {wrong} programs are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
