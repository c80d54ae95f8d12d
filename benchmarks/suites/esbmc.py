# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ESBMC's CUDA tests under the sanitizer.

    python benchmarks/suites/esbmc.py ESBMC [-O 1]

`ESBMC` is a checkout of esbmc/esbmc, whose regression/cuda holds whole programs for a model
checker, many of them from GPUVerify's tests. It launches kernels by functions of its own
(`ESBMC_verify_kernel`), which are launches here. A test that is to fail counts as found if the
sanitizer reports it or an assertion of the program or of a kernel fails in this run; of one that is
to pass a failing assertion is false as well. The model checker tries all inputs and orders, here
each test runs once.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import programs
import table

FOLDERS = ("benchmarks", "Supported_long_time")
_LAUNCH = re.compile(r"\bESBMC_verify_kernel\w*")
#: What ESBMC's own headers include or declare.
_HEADER = """\
#pragma once
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>
#define GPU_threads 2
"""


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    parser = table.options(__doc__ or "")
    parser.add_argument("-O", dest="optimize", type=int, default=1, choices=(0, 1, 2))
    args = parser.parse_args()
    folder = args.folder / "regression" / "cuda"
    sources = sorted(source for name in FOLDERS for source in (folder / name).glob("*/main.cu"))
    if not sources:
        sys.exit(f"no programs in {folder}")
    chosen = [
        table.Program(source.parent.name, expectation(source), partial(run, source, args))
        for source in sources
    ]
    return table.main(chosen, args)


def expectation(source: Path) -> str:
    """What the verifier is to say, and what it looks for."""
    words = (source.parent / "test.desc").read_text(errors="replace")
    if "VERIFICATION SUCCESSFUL" in words:
        return "passes"
    return "fails, with races looked for" if "--data-races-check" in words else "fails"


def run(source: Path, args: argparse.Namespace) -> Iterator[table.Outcome]:
    """The program, watched once."""
    text = source.read_text(errors="replace")
    launches = sorted(set(_LAUNCH.findall(text)))
    header = _HEADER + "".join(
        f"#define {name}(kernel, grid, block, ...) "
        f"(kernel<<<grid, block>>>(__VA_ARGS__), (void)cudaDeviceSynchronize())\n"
        for name in launches
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "launches.h").write_text(header)
        (place / "sm_atomic_functions.h").touch()
        outcome, done = programs.watched(
            [source],
            options=[f"-O{args.optimize}", f"-I{place}", "-include", str(place / "launches.h")],
            pairs=args.pairs,
        )
    asserts = "Assertion" in done.stderr or "device-side assert" in done.stderr
    if asserts:
        outcome.reason = table.RAN  # also where there is no report: that end says enough
    outcome.expected = "" if expectation(source) == "passes" else "any"
    if asserts:
        outcome.found = {**outcome.found, "assertion": 1}
    if outcome.expected and outcome.found:
        outcome.found = {**outcome.found, "any": 1}
    yield outcome


if __name__ == "__main__":
    sys.exit(main())
