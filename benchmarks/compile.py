#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long xgpu takes: whole processes as ratios to mlir-opt 22 on the same files, and compiling
in one process.

Processes are taken in turns, so that the machine's moods hit both; processor time counts, and of
that the median. Measures, with what each should stay within:

* parse and print of a file of 20 lines (5 times mlir-opt's process),
* all of `gpu-lower-to-nvvm-pipeline` to PTX for examples/two_matmuls.mlir (6 times),
* parse, verify and print of 10,000 operations (8 times),
* lowering of 10,000 operations, of a host function and of a kernel (15 times),
* the same for 100 and 1,000 operations: the cost of an operation should be the same,
* in one process, after imports: kernels to PTX (30 and 60 ms), and where that time goes; and what
  an operation of a large kernel costs xgpu, and what it costs LLVM.

usage: compile.py [--runs N] [--only SUBSTRING] [--output FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import programs

ROOT = pathlib.Path(__file__).resolve().parent.parent
PIPELINE = "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa"
#: mlir-opt's default of +ptx60 stops it for newer chips.
MLIR_PIPELINE = PIPELINE + " cubin-features=+ptx80"
CLEAN_UP = ["--canonicalize", "--cse"]
TO_LLVM = [
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    *CLEAN_UP,
    "--reconcile-unrealized-casts",
]

#: The first has every kind of operation that the others have: what it costs is the start.
COUNTS = (100, 1_000, 10_000)

#: name, program of so many operations, options of xgpu-opt and mlir-opt, aim for the largest.
SERIES: tuple[tuple[str, Callable[[int], str], list[str], list[str], float | None], ...] = (
    ("parse and print", programs.integers, [], [], 8),
    ("canonicalize and cse", programs.integers, CLEAN_UP, CLEAN_UP, None),
    ("host function to llvm", programs.host_function, TO_LLVM, TO_LLVM, 15),
    ("kernel to PTX", programs.kernel, [PIPELINE], [MLIR_PIPELINE], 15),
)

#: Milliseconds for compiling in one process.
IN_PROCESS_AIMS = {"vector add": 30, "tiled matmul": 60}


def environment() -> dict[str, str]:
    """That of the processes: this checkout, with bytecode as an installed package has it."""
    found = {**os.environ, "PYTHONPATH": str(ROOT)}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


def mlir_opt() -> str | None:
    """mlir-opt 22, or None."""
    for place in (os.environ.get("LLVM_BIN", ""), "/usr/lib/llvm-22/bin"):
        tool = pathlib.Path(place) / "mlir-opt"
        if tool.is_file():
            return str(tool)
    return shutil.which("mlir-opt-22")


def seconds(command: list[str]) -> float:
    """Processor time of a process; it must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, env=environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def paired(ours: list[str], theirs: list[str] | None, runs: int) -> dict[str, Any]:
    """Median seconds of both, run in turns, and the ratio of the medians."""
    mine: list[float] = []
    other: list[float] = []
    seconds(ours)  # warms the disk's caches and writes ours
    for _ in range(runs):
        mine.append(seconds(ours))
        if theirs is not None:
            other.append(seconds(theirs))
    median = statistics.median(mine)
    reference = statistics.median(other) if other else None
    return {
        "xgpu_s": round(median, 4),
        "xgpu_best_s": round(min(mine), 4),
        "mlir_opt_s": round(reference, 4) if reference else None,
        "ratio": round(median / reference, 2) if reference else None,
    }


def machine() -> dict[str, object]:
    """What this was measured on."""
    name = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return {"processor": name, "cores": os.cpu_count(), "python": platform.python_version()}


def run_in_process(*options: str) -> dict[str, Any]:
    """What `in_process.py` measures."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "in_process.py"), *options],
        capture_output=True,
        env=environment(),
        check=True,
    )
    return json.loads(done.stdout)


class Report:
    """What was measured, printed as it comes."""

    def __init__(self, only: str, runs: int, folder: pathlib.Path) -> None:
        self.only = only
        self.runs = runs
        self.folder = folder
        self.reference = mlir_opt()
        self.results: dict[str, dict[str, Any]] = {}

    def processes(
        self, name: str, file: pathlib.Path, ours: list[str], theirs: list[str], aim: float | None
    ) -> None:
        """xgpu-opt beside mlir-opt on `file`."""
        if self.only not in name:
            return
        tool = [sys.executable, "-m", "xgpu.tools.xgpu_opt"]
        found = paired(
            [*tool, str(file), *ours],
            [self.reference, str(file), *theirs] if self.reference else None,
            self.runs,
        )
        if aim is not None:
            found["aim"] = aim
        self.results[name] = found
        within = f" (aim {aim})" if aim is not None else ""
        print(
            f"{name:42} {found['xgpu_s']:8.3f} s   mlir-opt {found['mlir_opt_s']} s   "
            f"x {found['ratio']}{within}",
            flush=True,
        )

    def series(
        self,
        what: str,
        program: Callable[[int], str],
        ours: list[str],
        theirs: list[str],
        aim: float | None,
    ) -> None:
        """The same for programs of several sizes, and what an operation costs."""
        names = [f"{what}, {count} operations" for count in COUNTS]
        for name, count in zip(names, COUNTS, strict=True):
            file = self.folder / "series.mlir"
            file.write_text(program(count))
            self.processes(name, file, ours, theirs, aim if count == COUNTS[-1] else None)
        if not all(name in self.results for name in names):
            return
        base, low, high = (self.results[name]["xgpu_best_s"] for name in names)
        each_low = (low - base) / (COUNTS[1] - COUNTS[0]) * 1e6
        each_high = (high - low) / (COUNTS[2] - COUNTS[1]) * 1e6
        self.results[f"{what}, an operation"] = {
            "us_up_to_1000": round(each_low, 1),
            "us_up_to_10000": round(each_high, 1),
        }
        print(f"{what}: {each_low:.0f} us an operation up to 1,000, {each_high:.0f} us after")

    def growth(self) -> None:
        """What an operation of a kernel costs, xgpu's part and LLVM's."""
        name = "kernel to PTX in one process, an operation"
        if self.only not in name:
            return
        found = self.results[name] = run_in_process("--growth")
        for size, row in found.items():
            print(
                f"kernel of {size}: {row['xgpu_us']} us in xgpu, {row['llvm_us']} us in LLVM each"
            )

    def in_process(self) -> None:
        """Kernels to PTX in one process, with a table of where the time goes."""
        name = "in one process"
        if self.only not in name:
            return
        found = self.results[name] = run_in_process()
        for kernel, row in found.items():
            aim = IN_PROCESS_AIMS.get(kernel)
            if aim is not None:
                row["aim_ms"] = aim
            print(
                f"{kernel} to PTX in one process: {row['median_ms']} ms (best {row['best_ms']}, "
                f"first {row['first_ms']}; aim {aim})"
            )
            for step, ms in row["where_ms"].items():
                print(f"    {ms:8.2f} ms  {step}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="")
    default = ROOT / "benchmarks" / "results" / "compile.json"
    parser.add_argument("--output", type=pathlib.Path, default=default)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = Report(arguments.only, arguments.runs, pathlib.Path(folder))
        small = pathlib.Path(folder) / "small.mlir"
        small.write_text(programs.SMALL)
        report.processes("parse and print, 20 lines", small, [], [], 5)
        example = ROOT / "examples" / "two_matmuls.mlir"
        report.processes("two_matmuls to PTX", example, [PIPELINE], [MLIR_PIPELINE], 6)
        for what, program, ours, theirs, aim in SERIES:
            report.series(what, program, ours, theirs, aim)
        report.growth()
        report.in_process()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    record = {"machine": machine(), "runs": arguments.runs, "results": report.results}
    arguments.output.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
