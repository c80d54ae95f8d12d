# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds on the cost of work that hold on a machine which does other things too: processor time,
and calls of functions."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

from xgpu.host_device.device import watchdog

if TYPE_CHECKING:
    import pytest


def seconds(work: Callable[[], object]) -> float:
    """Processor time of `work` in this process, without collections of garbage: what one costs
    depends on everything else that is alive."""
    gc.collect()
    gc.disable()
    try:
        begin = time.process_time()
        work()
        return time.process_time() - begin
    finally:
        gc.enable()


def calls(work: Callable[[], object]) -> int:
    """How many functions `work` calls, in Python and in C: the same number in each run. No
    collection of garbage falls into it: when one comes depends on what was allocated before."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.collect()
    gc.disable()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def least(measure: Callable[[], float], bound: float, rounds: int = 20) -> float:
    """The least of up to `rounds` measurements, or the first one below `bound`: other processes
    only add to a time, since they take caches and the other half of a core."""
    return least_ratio(measure, lambda: 1.0, bound, rounds)


def least_ratio(
    measure: Callable[[], float], unit: Callable[[], float], bound: float, rounds: int = 20
) -> float:
    """The least of the times `measure` over the least of the times `unit`, which are measured in
    turns until the ratio is below `bound`, at most `rounds` times."""
    times: list[float] = []
    units: list[float] = []
    for _ in range(rounds):
        units.append(unit())
        times.append(measure())
        if min(times) < bound * min(units):
            break
    return min(times) / min(units)


def limit_progress(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """The watchdog ends a launch after so many seconds without progress, of this process's
    processor time: how much time passes meanwhile depends on what else the machine does."""
    patch.setenv(watchdog.VARIABLE, str(seconds))
    clock = SimpleNamespace(monotonic=time.process_time, sleep=time.sleep)
    patch.setattr(watchdog, "time", clock)
