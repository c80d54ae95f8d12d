# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of correct CUDA C++ kernels: a model's verdict and the sanitizer's.

    python benchmarks/suites/mutants.py benchmarks/suites/mutants [--list] [--every 10]

The kernels lie in the folder. One barrier, fence, wait, order, scope, bound, index or
initialization is changed at a time (`tests/support/kernel_mutants.py`). The model
(`tests/support/kernel_model.py`, `trace_model.py`) interprets a launch in up to 18 orders of
its threads, with happens-before as PTX's memory model has it; it shares no code with xgpu. The
sanitizer watches the launch in its natural order and in four others.

A mutant that has a mistake by the model is found or missed, one that has none is clean or false.
Rows of their own have mutants with a race of equal values alone, whose outcome no order changes,
and mutants without a mistake whose result is another one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import table

from tests.support.kernel_mutants import Kernel, judged, kernels, mutants, watched


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    args = table.options(__doc__ or "").parse_args()
    programs = list[table.Program]()
    for kernel in kernels(args.folder):
        programs.append(table.Program(kernel.name, "correct", partial(run, kernel, kernel)))
        programs += [
            table.Program(m.name, m.changed, partial(run, m, kernel)) for m in mutants(kernel)
        ]
    table.import_compiler()
    return table.main(programs, args)


def run(kernel: Kernel, original: Kernel) -> Iterator[table.Outcome]:
    """A kernel, which is the original or a mutant of it."""
    begin = time.perf_counter()
    model = judged(kernel)
    seconds = {"model": time.perf_counter() - begin}
    seen, other = watched(kernel)
    group, expected = kernel.changed or "correct", "mistake" if model.kind else ""
    reason = table.RAN
    if model.equal and not model.kind:
        group, expected = f"{group}: a race of equal values", None
    elif not model.kind and kernel is not original and model.out != judged(original).out:
        group = f"{group}: another result"
    if not model.kind and not seen.kind and seen.out != model.out:
        reason = "the model has another result"
    yield table.Outcome(
        group=group, expected=expected, found={"mistake": 1} if seen.kind else {}, reason=reason,
        seconds=seconds | other, detail=f"{model.text} | {seen.text[:300]}",
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
