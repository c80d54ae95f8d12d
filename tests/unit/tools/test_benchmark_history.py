# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the history of benchmarks takes from their figures, and what it calls worse."""

from __future__ import annotations

import os
import pathlib
import sys

import pytest

from tests.support import processes

BENCHMARKS = pathlib.Path(__file__).parents[3] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import history  # noqa: E402  # pyright: ignore[reportMissingImports]


def test_ratios_of_all_forms_of_figures() -> None:
    by_name = {"machine": {"cores": 2}, "results": {"parse": {"xgpu_s": 2.0, "ratio": 4}}}
    assert dict(history.ratios(by_name)) == {"parse": 4.0}
    rows = [
        {"program": "chain", "operations": 10, "ratio": 1.0},
        {"program": "chain", "operations": 20, "ratio": 1.5},
    ]
    assert dict(history.ratios(rows)) == {"chain 10": 1.0, "chain 20": 1.5}
    nested = {"results": {"matmul": {"race": {"ratio": 9.0}, "init": {"ratio": 3.0}}}}
    assert dict(history.ratios(nested)) == {"matmul race": 9.0, "matmul init": 3.0}


@pytest.mark.parametrize(
    ("values", "worse"),
    [([1.0], False), ([1.0, 1.09], False), ([1.0, 1.2], True), ([9.0, 1, 1, 1, 1, 1, 1.2], True),
     ([1.2, 1.2, 1.2, 1.2, 1.2, 1.0, 1.2], False), ([2.0, 1.0], False)],
)  # fmt: skip
def test_worse_is_a_tenth_above_the_runs_before(values: list[float], worse: bool) -> None:
    assert history.is_worse(values) is worse


def test_series_keep_the_order_of_runs() -> None:
    runs: list[history.Run] = [
        {"benchmark": "compile", "ratios": {"parse": 4.0}},
        {"benchmark": "launch", "ratios": {"parse": 1.0}},
        {"benchmark": "compile", "ratios": {"parse": 3.0, "print": 2.0}},
    ]
    found = history.series(runs)
    assert found["compile", "parse"] == [4.0, 3.0]
    assert found["compile", "print"] == [2.0]
    assert found["launch", "parse"] == [1.0]


HELP = """
import runpy, sys
for path in sys.argv[1:]:
    sys.argv = [path, "--help"]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        print("code", end.code)
"""


def test_each_benchmark_writes_figures() -> None:
    """`history.py` runs each with `--output`."""
    paths = [str(BENCHMARKS / f"{name}.py") for name in history.BENCHMARKS]
    command = [sys.executable, "-c", HELP, *paths]
    done = processes.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(BENCHMARKS)}
    )
    assert done.returncode == 0, done.stderr
    helps = done.stdout.split("code 0\n")
    assert len(helps) == len(paths) + 1, done.stdout
    assert all("--output" in text for text in helps[:-1])
