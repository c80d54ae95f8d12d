# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many programs in one process, in random order, with other memory taken and given back between
them: what one leaves behind says nothing of another."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_planted import CASES
from test_reused_memory import TEXT

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import long_each
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

_PROGRAMS = 20


class _Room:
    """Arrays of all sizes that come and go."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._arrays: list[np.ndarray] = []

    def change(self) -> None:
        rng = self._rng
        for _ in range(rng.randrange(8)):
            count = rng.choice([16, 100, 1000, 1 << 12, 1 << 15, 1 << 18])
            self._arrays.append(np.full(count, 7, np.int32))
        rng.shuffle(self._arrays)
        del self._arrays[rng.randrange(20) :]

    def pair(self) -> tuple[np.ndarray, np.ndarray]:
        """Parts of arrays that are there."""
        self._arrays += [np.full(100, 7, np.int32) for _ in range(2)]
        first, second = self._rng.sample(self._arrays, 2)
        at = self._rng.randrange(len(first) // 2 + 1) if len(first) > 64 else 0
        return first[at:], second


def _problem(seed: int, programs: int = _PROGRAMS) -> str | None:
    rng = random.Random(seed)
    room, data = _Room(rng), host_object(TEXT)
    for number in range(programs):
        room.change()
        case = rng.choice(CASES)
        problem = case.problem()
        if problem is not None:
            return f"seed {seed}, program {number}: {case.name}: {problem}"
        room.change()
        found = _found_in_arrays(data, room, rng.choice(["auto", "threads"]))
        if found:
            return f"seed {seed}, arrays behind program {number} ({case.name}): {found}"
    return None


def _found_in_arrays(data: bytes, room: _Room, form: str) -> list[str]:
    """What is found in a kernel on arrays that have contents: nothing should be."""
    sanitizer = Sanitizer()
    launcher = Launcher(data, form, sanitizer=sanitizer)
    source, target = (array for array in room.pair())
    if len(source) <= 20 or len(target) <= 20 or np.shares_memory(source, target):
        launcher.close()
        return []
    for array in (source, target):
        launcher.device.mgpuMemHostRegister(array.ctypes.data, array.nbytes)
    launcher.launch("copy", 1, 1, source, target)
    launcher.close()
    return [f.message for f in sanitizer.findings()]


@pytest.mark.long
def test_some_programs() -> None:
    assert _problem(0, 4) is None


@pytest.mark.parametrize("seed", long_each(range(1, 16), 5))
def test_many_programs(seed: int) -> None:
    problem = _problem(seed)
    assert problem is None, problem
