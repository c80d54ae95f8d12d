# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the sanitizer costs: kernels of `host_kernels` and `host_kernels_watched` without it and
with it, in turns.

    python benchmarks/sanitizer.py [--repeat 5] [--kinds race] [case ...]

prints for each kernel the median processor time of a launch in milliseconds: plain, in the fastest
strategy, on threads by themselves, and under the sanitizer; then the medians of the ratios of
neighbouring runs. One core does the work in all of them. A launch is timed behind another one of
the same kind, so that none finds the processor's caches as a launch of another kind leaves them.

At the end stands a vector addition of 32,768 numbers beside JAX Mosaic's interpreter
(`mosaic_interpreter`), with its search for races and ours; `--jax PYTHON` names a Python that has
JAX, if this one has not.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from host_case import Case
from host_kernels import CASES
from host_kernels_watched import WATCHED

from tests.support.kernel_launch import Launcher, host_object
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer


class Run:
    """A case on a host device of its own."""

    def __init__(self, case: Case, strategy: str, sanitizer: Sanitizer | None = None) -> None:
        self.case = case
        self.buffers = case.arguments()
        self.launcher = Launcher(host_object(case.mlir, 3), strategy, cores=1, sanitizer=sanitizer)
        for value in self.buffers:
            if isinstance(value, np.ndarray):
                self.launcher.device.mgpuMemHostRegister(value.ctypes.data, value.nbytes)
        values = [v if isinstance(v, np.ndarray) else _index(v) for v in self.buffers]
        self.launch = self.launcher.prepared("k", case.grid, case.block, *values)

    def time(self) -> float:
        """Milliseconds of processor time of the second of two launches."""
        took = 0.0
        for _ in range(2):
            if self.case.again is not None:
                self.case.again(self.buffers)
            begin = time.process_time()
            self.launch()
            took = (time.process_time() - begin) * 1e3
        return took


def _index(value: Any) -> Any:
    import ctypes

    return ctypes.c_int64(value)


def measure(case: Case, kinds: tuple[str, ...], repeat: int) -> tuple[str, dict[str, object]]:
    """A row of the table, and its figures."""
    sanitizer = Sanitizer(kinds)
    watched = Run(case, "auto", sanitizer)
    fast, threads = Run(case, "auto"), Run(case, "threads")
    runs = (fast, threads, watched)
    for run in runs:
        run.time()
    rows = [[run.time() for run in runs] for _ in range(repeat)]
    middle = [statistics.median(row[i] for row in rows) for i in range(3)]
    ratios = [statistics.median(row[2] / row[i] for row in rows) for i in range(2)]
    found = len(sanitizer.findings())
    note = f"  {found} findings" if found else ""
    note += "  " + ", ".join(dict.fromkeys(sanitizer.screens))
    row = (
        f"{case.name:16}{middle[0]:10.2f}{middle[1]:10.2f}{middle[2]:10.2f}"
        f"{ratios[0]:10.1f}{ratios[1]:10.1f}{note}"
    )
    name = ",".join(kinds)
    figures: dict[str, object] = {
        "plain_ms": middle[0], "threads_ms": middle[1], "watched_ms": middle[2],
        name: {"ratio": ratios[0]}, f"{name} to threads": {"ratio": ratios[1]},
    }  # fmt: skip
    return row, figures


_COUNT, _PER_BLOCK = 32768, 256


def beside_mosaic(python: str, repeat: int) -> dict[str, object]:
    """A row for the kernel that both can run, and its figures, or why there are none."""
    script = Path(__file__).with_name("mosaic_interpreter.py")
    command = [python, str(script), str(_COUNT), str(_PER_BLOCK), str(repeat)]
    environment = os.environ | {"JAX_PLATFORMS": "cpu"}
    theirs: dict[str, Any]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        lines = ran.stdout.splitlines()
        theirs = json.loads(lines[-1]) if lines else {"skipped": ran.stderr[-200:]}
    except OSError as problem:
        theirs = {"skipped": f"{python}: {problem.strerror}"}
    if "skipped" in theirs:
        print(f"beside JAX Mosaic's interpreter: skipped, {theirs['skipped']}")
        return theirs
    whole = next(make() for make in CASES if make().name == "vector add")
    a, b, c, _ = whole.arguments()
    given = [v[:_COUNT] for v in (a, b, c)]
    part = Case(
        "part", whole.mlir, whole.opencl, (_COUNT // _PER_BLOCK,), (_PER_BLOCK,),
        lambda: [*given, np.int64(_COUNT)], whole.check,
    )  # fmt: skip
    _, ours = measure(part, ("race",), repeat)
    mine, plain = float(str(ours["watched_ms"])), float(str(ours["plain_ms"]))
    print(
        f"vector addition of {_COUNT} numbers, races: xgpu {mine:.3f} ms (plain {plain:.3f}), "
        f"JAX Mosaic's interpreter {theirs['race']:.1f} ms (plain {theirs['plain']:.1f})"
    )
    return {**theirs, "xgpu": mine, "ratio": theirs["race"] / mine}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--kinds", default="race")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--output", type=pathlib.Path, help="a file for the figures, as JSON")
    parser.add_argument("--jax", default=sys.executable, help="a Python that has JAX")
    given = parser.parse_args()
    results: dict[str, dict[str, object]] = {}
    print(f"{'':16}{'plain':>10}{'threads':>10}{given.kinds[:9]:>10}{'/plain':>10}{'/threads':>10}")
    for make in (*CASES, *WATCHED):
        case = make()
        if not given.cases or case.name in given.cases:
            row, figures = measure(case, tuple(given.kinds.split(",")), given.repeat)
            results[case.name] = figures
            print(row, flush=True)
    if not given.cases or "mosaic" in given.cases:
        results["beside Mosaic"] = beside_mosaic(given.jax, given.repeat)
    if given.output is not None:
        given.output.write_text(json.dumps({"results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
