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

from tests.support import processes
from tests.support.work import COUNTS

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


def test_work_of_an_operation() -> None:
    """Calls of each step for programs of several lengths, counted by a process that does nothing
    else, with one order of sets."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
    done = processes.run(
        [sys.executable, str(PROGRAM)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    work: dict[str, list[int]] = json.loads(done.stdout)
    assert work.keys() == BOUNDS.keys()
    few, some, many = COUNTS
    dear: dict[str, tuple[float, float]] = {}
    for step, (small, middle, large) in work.items():
        before, each = (middle - small) / (some - few), (large - middle) / (many - some)
        if each > min(BOUNDS[step], 1.02 * before):
            dear[step] = (before, each)
    assert not dear
