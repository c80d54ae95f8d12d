#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All benchmarks by one command, and their ratios over time.

Each benchmark is run as a process of its own, one after the other, and writes its figures to
`benchmarks/results/`. Of these the ratios (to mlir-opt, to a peer, to the same program in another
strategy) go into `benchmarks/results/history.jsonl`, one line a run of a benchmark, with the commit
and the machine: ratios of pairs carry over from one machine to another, times do not. `--show`
prints the first, the best and the last value of each, and what has become more than a tenth worse
than the median of the five runs before.

usage: history.py [--only NAME]... [--show]
"""

from __future__ import annotations

import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
from collections.abc import Iterator

from compile import machine

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
HISTORY = RESULTS / "history.jsonl"
#: Those that write their figures as JSON, in the order to run them.
BENCHMARKS = (
    "compile", "async", "host_device", "launch", "sanitizer", "tensors", "against_peers",
    "kernels",
)  # fmt: skip
#: So much worse than the runs before is said.
WORSE = 1.1
#: How many runs before the last one it is compared with.
BEFORE = 5

Run = dict[str, object]


def ratios(figures: object, name: str = "") -> Iterator[tuple[str, float]]:
    """The ratios in what a benchmark wrote, each with the names on the way to it."""
    if isinstance(figures, dict):
        label = " ".join(
            str(figures[k]) for k in ("program", "kernel", "operations") if k in figures
        )
        for key, value in figures.items():
            if key == "ratio" and isinstance(value, int | float):
                yield f"{name} {label}".strip(), float(value)
            elif isinstance(value, dict | list):
                yield from ratios(value, name if key == "results" else f"{name} {key}".strip())
    elif isinstance(figures, list):
        for item in figures:
            yield from ratios(item, name)


def commit() -> str:
    """The commit of this checkout, marked if files differ from it."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "no checkout"


def measure(name: str) -> Run:
    """Runs one benchmark. Raises SystemExit with what it said if it fails."""
    output = RESULTS / f"{name}.json"
    script = ROOT / "benchmarks" / f"{name}.py"
    done = subprocess.run([sys.executable, str(script), "--output", str(output)], check=False)
    if done.returncode:
        raise SystemExit(f"history: {script.name} ended with {done.returncode}")
    return {
        "benchmark": name,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit(),
        "machine": machine(),
        "ratios": dict(ratios(json.loads(output.read_text()))),
    }


def kept() -> list[Run]:
    return (
        [json.loads(line) for line in HISTORY.read_text().splitlines()] if HISTORY.exists() else []
    )


def series(runs: list[Run]) -> dict[tuple[str, str], list[float]]:
    """By benchmark and what it measures the ratios, oldest first."""
    found: dict[tuple[str, str], list[float]] = {}
    for run in runs:
        values = run["ratios"]
        assert isinstance(values, dict)
        for what, value in values.items():
            found.setdefault((str(run["benchmark"]), what), []).append(value)
    return found


def is_worse(values: list[float]) -> bool:
    """Whether the last one is more than a tenth above what the runs before it gave."""
    before = values[-1 - BEFORE : -1]
    return bool(before) and values[-1] > WORSE * statistics.median(before)


def show(runs: list[Run]) -> None:
    print(f"{'benchmark':12}{'what':48}{'runs':>5}{'first':>9}{'best':>9}{'last':>9}")
    for (name, what), values in series(runs).items():
        note = "  worse" if is_worse(values) else ""
        row = "".join(f"{v:>9.2f}" for v in (values[0], min(values), values[-1]))
        print(f"{name:12}{what[:47]:48}{len(values):>5}{row}{note}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", choices=BENCHMARKS)
    parser.add_argument("--show", action="store_true", help="measure nothing")
    given = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    if not given.show:
        for name in given.only or BENCHMARKS:
            run = measure(name)
            with HISTORY.open("a") as file:
                file.write(json.dumps(run) + "\n")
    show(kept())


if __name__ == "__main__":
    main()
