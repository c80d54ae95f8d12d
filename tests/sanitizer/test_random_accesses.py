# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verdicts of random kernels are the same whether launches that are known before they run are
watched or not (`instrument.whole_launch`): wherever their arrays lie, and beside another kernel."""

from __future__ import annotations

import ctypes
import random
from typing import Any

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.random_accesses import SHAPES, WORDS, random_kernel, random_numbers
from tests.support.some_cases import each
from xgpu.host_device.device import launch
from xgpu.host_device.device.exploration import NATURAL, Exploration, Policy
from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

_KINDS = (("race",), ("memory", "init"), ("race", "memory", "init"), ("race", "memory", "init"))
_PAGE = 4096


def _arrays(rng: random.Random) -> tuple[list[Any], list[Any]]:
    """Three arrays, which may be parts of one; and what they are parts of, each in pages of its
    own."""
    room = np.zeros(8 * _PAGE, np.int8)
    start = -room.ctypes.data % _PAGE + _PAGE
    first, second, third = (
        room[at : at + 4 * size].view(np.int32)
        for at, size in (
            (start, 2 * WORDS + 64),
            (start + _PAGE, WORDS),
            (start + 2 * _PAGE, WORDS),
        )
    )
    first[:] = range(first.size)
    at = rng.choice((0, WORDS, WORDS, WORDS + 3))
    b = second if rng.random() < 0.5 else first[at : at + WORDS]
    h = first[WORDS // 2 : WORDS // 2 + WORDS] if rng.random() < 0.3 else third
    return [first[:WORDS], b, h.view(np.int16)], [first, second, third]


def _run(data: bytes, seed: int) -> tuple[list[Any], list[list[int]], list[str]]:
    """The findings, what is in memory then, and the fates of launches."""
    rng = random.Random(f"launches {seed}")
    sanitizer = Sanitizer(rng.choice(_KINDS))
    launcher = Launcher(data, sanitizer=sanitizer, order=Exploration(Policy(NATURAL)))
    device = launcher.device
    arrays, memory = _arrays(rng)
    try:
        for part in memory:
            device.mgpuMemHostRegister(part.ctypes.data, part.nbytes)
        grid, block, numbers = SHAPES[0][0], SHAPES[0][1], []
        for _ in range(2):
            grid, block = rng.choice(SHAPES)
            numbers = [ctypes.c_int64(n) for n in random_numbers(rng)]
            for _ in range(2):
                launcher.launch("k", grid, block, *arrays, *numbers)
        to, at = rng.choice(arrays[:2]), ctypes.c_int64(rng.randrange(WORDS - 8))
        both = [("k", grid, block, *arrays, *numbers), ("other", 1, 8, to, at)]
        launcher.beside(both if rng.random() < 0.8 else both[::-1])
        for part in memory:
            device.mgpuMemHostUnregister(part.ctypes.data)
    finally:
        launcher.close()
    # Which of the accesses of a thread the other side names, is not said.
    found = sorted((f.kind, f.count, f.line) for f in sanitizer.findings())
    return found, [part.tolist() for part in memory], list(sanitizer.screens)


@pytest.mark.parametrize("seed", each(range(400), step=400))
def test_verdicts_of_random_kernels(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = host_object(random_kernel(random.Random(seed)))
    monkeypatch.setattr(launch, "WORTH_KNOWING", -1)
    found, memory, _ = _run(data, seed)
    monkeypatch.setattr(launch, "WORTH_KNOWING", 1 << 62)
    wanted, expected, screens = _run(data, seed)
    assert "known" not in screens
    assert found == wanted
    if not wanted:
        assert memory == expected
