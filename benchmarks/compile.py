#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long xgpu takes, as ratios to mlir-opt 22 on the same files.

Whole processes, taken in turns so that the machine's moods hit both; the median counts. Measures:

* parse and print of a file of 20 lines,
* all of `gpu-lower-to-nvvm-pipeline` to PTX for examples/two_matmuls.mlir,
* parse, print and canonicalize of 100, 1,000 and 10,000 operations: the cost of an operation
  should be the same.

usage: compile.py [--runs N] [--only SUBSTRING] [--output FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PIPELINE = "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa"
#: mlir-opt's default of +ptx60 stops it for newer chips.
MLIR_PIPELINE = PIPELINE + " cubin-features=+ptx80"

#: The first has every kind of operation that the others have: what it costs is the start.
COUNTS = (100, 1_000, 10_000)

SMALL = """\
func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = arith.mulf %a, %0 : f32
    %2 = memref.load %y[%i] : memref<?xf32>
    %3 = arith.addf %1, %2 : f32
    memref.store %3, %y[%i] : memref<?xf32>
  }
  return
}

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %two = arith.constant 2.0 : f32
  call @saxpy(%two, %x, %y) : (f32, memref<?xf32>, memref<?xf32>) -> ()
  return
}
"""


def straight_line(operations: int) -> str:
    """A module of about so many operations, in functions of 100."""
    lines: list[str] = []
    for f in range(operations // 100):
        lines.append(f"func.func @f{f}(%a: i32, %b: i32, %m: memref<64xi32>, %i: index) -> i32 {{")
        left, right = "%a", "%b"
        for k in range(49):
            name = ("arith.addi", "arith.muli", "arith.xori")[k % 3]
            lines.append(f"  %v{k} = {name} {left}, {right} : i32")
            lines.append(f"  memref.store %v{k}, %m[%i] : memref<64xi32>")
            left, right = right, f"%v{k}"
        lines.append(f"  return {right} : i32")
        lines.append("}")
    return "\n".join(lines) + "\n"


def xgpu_opt() -> list[str]:
    """The installed tool, or this checkout's."""
    return [sys.executable, "-m", "xgpu.tools.xgpu_opt"]


def mlir_opt() -> str | None:
    """mlir-opt 22, or None."""
    for place in (os.environ.get("LLVM_BIN", ""), "/usr/lib/llvm-22/bin"):
        tool = pathlib.Path(place) / "mlir-opt"
        if tool.is_file():
            return str(tool)
    return shutil.which("mlir-opt-22")


def seconds(command: list[str]) -> float:
    """Wall time of a process; it must succeed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, env=environment)
    took = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')[-2000:]}")
    return took


def paired(ours: list[str], theirs: list[str] | None, runs: int) -> dict[str, float | None]:
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
    return {
        "processor": name,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="")
    default = ROOT / "benchmarks" / "results" / "compile.json"
    parser.add_argument("--output", type=pathlib.Path, default=default)
    arguments = parser.parse_args()
    reference = mlir_opt()
    results: dict[str, dict[str, float | None]] = {}

    def measure(name: str, file: pathlib.Path, ours: list[str], theirs: list[str]) -> None:
        if arguments.only not in name:
            return
        results[name] = paired(
            [*xgpu_opt(), str(file), *ours],
            [reference, str(file), *theirs] if reference else None,
            arguments.runs,
        )
        r = results[name]
        print(f"{name:36} {r['xgpu_s']:8} s   mlir-opt {r['mlir_opt_s']} s   x {r['ratio']}")

    with tempfile.TemporaryDirectory() as folder:
        small = pathlib.Path(folder) / "small.mlir"
        small.write_text(SMALL)
        measure("parse and print, 20 lines", small, [], [])
        example = ROOT / "examples" / "two_matmuls.mlir"
        measure("two_matmuls to PTX", example, [PIPELINE], [MLIR_PIPELINE])
        for count in COUNTS:
            file = pathlib.Path(folder) / f"{count}.mlir"
            file.write_text(straight_line(count))
            measure(f"parse and print, {count} operations", file, [], [])
            measure(f"canonicalize and cse, {count} operations", file,
                    ["--canonicalize", "--cse"], ["--canonicalize", "--cse"])  # fmt: skip
    for what in ("parse and print", "canonicalize and cse"):
        runs = [results.get(f"{what}, {count} operations") for count in COUNTS]
        if None in runs:
            continue
        base, low, high = (float(r["xgpu_best_s"] or 0) for r in runs if r)
        each_low = (low - base) / (COUNTS[1] - COUNTS[0]) * 1e6
        each_high = (high - low) / (COUNTS[2] - COUNTS[1]) * 1e6
        results[f"{what}, an operation"] = {
            "us_up_to_1000": round(each_low, 1),
            "us_up_to_10000": round(each_high, 1),
        }
        print(f"{what}: {each_low:.0f} us an operation up to 1,000, {each_high:.0f} us after")
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    record = {"machine": machine(), "runs": arguments.runs, "results": results}
    arguments.output.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
