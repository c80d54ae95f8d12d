# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each call of the driver fails in turn: in which ways, what that may lead to, and where in xgpu
another driver takes the place of the machine's.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Generator
from typing import Any

from cuda.bindings import driver as real

from tests.support.driver_bindings import DriverBindings
from xgpu.cuda_driver import Recorder
from xgpu.runtime.cuda.driver import Driver

#: How a call fails: with what, and whether all later ones do too.
MODES = {
    "once": (real.CUresult.CUDA_ERROR_INVALID_VALUE, False),
    "for ever": (real.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, True),
    "memory": (real.CUresult.CUDA_ERROR_OUT_OF_MEMORY, False),
}

# What releases something: if that fails, the thing stays.
_RELEASES = ("Destroy", "Free", "Unload", "Release", "Unregister", "Trim")

# Memory of the host, which the driver does not know, is what this code says here.
_ANSWERS = {("cuPointerGetAttribute", real.CUresult.CUDA_ERROR_INVALID_VALUE)}

#: What runs a program over a driver, and gives the errors that came of it.
Run = Callable[[DriverBindings], list[str]]


@contextlib.contextmanager
def installed(fake: DriverBindings) -> Generator[Driver]:
    """While every request for the driver gets `fake`; its contexts go back at the end."""
    from xgpu.api.devices import cuda as front
    from xgpu.runtime.cuda import device, driver

    made = Driver(fake)
    places: tuple[Any, ...] = (front, device, driver)
    originals = [place.load_driver for place in places]
    for place in places:
        place.load_driver = lambda: made
    try:
        yield made
    finally:
        for place, original in zip(places, originals, strict=True):
            place.load_driver = original
        made.drop_all()
        fake.close()


def calls_of(run: Run) -> int:
    """How many calls a program makes, all of which are as they should be."""
    fake = DriverBindings()
    problems = run(fake)
    assert problems == [], problems
    assert fake.violations == []
    left = fake.leftovers()
    assert left == {}, left
    return fake.recorder.count


def check_failures(what: str, run: Run, mode: str, calls: int, first: int, step: int) -> int:
    """Let every `step`th of a program's calls fail; how many runs that were."""
    numbers = range(first, calls + 1, step)
    gc.collect()
    # Each run collects: not what was there before. It stays so, since there is no way back to what
    # was frozen before alone (tests/conftest.py).
    gc.freeze()
    for number in numbers:
        _check_failure(what, run, mode, number)
    return len(numbers)


def _check_failure(what: str, run: Run, mode: str, number: int) -> None:
    """Let one call of a program fail."""
    code, sticky = MODES[mode]
    fake = DriverBindings(recorder=Recorder(number, code, is_sticky=sticky))
    problems = run(fake)
    injected = fake.recorder.injected
    if (injected, code) in _ANSWERS:
        return
    where = f"{what}: call {number}, {injected}"
    assert len(problems) <= 1, (where, problems)
    assert not any("internal error" in p or "Traceback" in p for p in problems), where
    assert fake.violations == [], (where, fake.violations)
    released = injected is not None and any(r in injected for r in _RELEASES)
    if not sticky and not released:
        left = fake.leftovers()
        assert left == {}, (where, left, problems)


def first_of(words: str, step: int) -> int:
    """Where the short form of a test begins: elsewhere for each, so that together they reach all
    kinds of calls."""
    return 1 + sum(map(ord, words)) % step
