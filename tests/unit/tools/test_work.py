# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much work an operation costs, counted in calls and not in time, so that a machine's load does
not matter: each step stays within what it takes now, and costs the same in a text twice as long.

`benchmarks/compile.py` measures time. A bound that is exceeded for a good reason is raised here.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys

import pytest

from tests.support import processes

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "tests" / "support" / "work.py"
#: Calls for each operation.
BOUNDS = {
    "read": 41.0,
    "verify": 15.0,
    "print": 61.0,
    "clean up": 90.0,
    "read aggregates": 135.0,
    "verify aggregates": 43.0,
    "print aggregates": 80.0,
    "clean up aggregates": 182.0,
    "host function to llvm": 520.0,
    "kernel to nvvm": 490.0,
}


@pytest.fixture(scope="module")
def work() -> dict[str, list[int]]:
    """Calls of each step for 500, 1000 and 2000 operations, counted by a process that does nothing
    else, with one order of sets."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(PROGRAM)]
    done = processes.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_each_step_has_a_bound(work: dict[str, list[int]]) -> None:
    assert work.keys() == BOUNDS.keys()


@pytest.mark.parametrize("step", BOUNDS)
def test_work_of_an_operation(step: str, work: dict[str, list[int]]) -> None:
    small, middle, large = work[step]
    each = (large - middle) / 1000
    assert each <= BOUNDS[step]
    assert each <= 1.02 * (middle - small) / 500
