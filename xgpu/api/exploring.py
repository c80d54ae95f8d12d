# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu.explore`: a program under other legal orders, spread over the workers of an executor.

Each worker compiles the program once and finds out by itself what the natural order gives, so that
nothing but seeds and words travels. What is found does not depend on how many workers there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import lru_cache
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING

from xgpu.api import progress
from xgpu.api.build import source_text
from xgpu.api.variants import check_executor
from xgpu.core.ir.errors import UsageError, public
from xgpu.driver.options import source_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.driver.schedules import Explorer


_CHUNK = 8  # seeds that a worker gets at once


class Explored:
    """What `explore` found: how many other orders ran (`runs`), and of the first that gives
    something else the `seed`, with the `difference` in words; both None if there is none. `natural`
    is the value that the natural order gives, `error` what went wrong in it."""

    __slots__ = ("difference", "error", "natural", "runs", "seed")

    def __init__(self, natural: object, error: str | None) -> None:
        self.natural = natural
        self.error = error
        self.runs = 0
        self.seed: int | None = None
        self.difference: str | None = None

    def __repr__(self) -> str:
        if self.seed is None:
            return f"{self.runs} other orders: the same outcome"
        return f"order {self.seed} of {self.runs} gives something else: {self.difference}"


@public
def explore(
    source: str | PathLike[str] | ModuleOp, entry: str = "main",
    arguments: Sequence[object] = (), *, device: str = "auto", schedules: int = 50,
    seed: int = 0, orders: str = "streams", executor: Executor | None = None,
) -> Explored:  # fmt: skip
    """Run `entry` on the host device in the natural order and in up to `schedules` others that
    streams, events and waits of the host allow, until one gives something else.

    `arguments` are NumPy arrays, copied for each run, and numbers; `orders="tokens"` lets nothing
    order but tokens. `device` may be "host", the only one that takes orders. With an `executor` (of
    `concurrent.futures`, Dask's `Client.get_executor()`, mpi4py's `MPIPoolExecutor`) orders run
    there; arguments must be picklable then. Raises `UsageError` for arguments that the function
    does not take, `DiagnosticError` for the program.
    """
    from xgpu.host_device.device.exploration import NATURAL, Plan

    check_executor(executor)
    if device not in ("auto", "host"):
        raise UsageError(f"device is {device!r}, expected 'host': a GPU orders as it likes")
    for name, number in (("schedules", schedules), ("seed", seed)):
        if not hasattr(number, "__index__") or number < 0:
            raise UsageError(f"{name} is {number!r}, expected an integer of at least 0")
    text = source_text(_read(source))
    explorer = _explorer(text, orders)
    from xgpu.driver.schedules import ready

    with ready():
        natural, order = explorer.run_ordered(entry, arguments, NATURAL)
    found = Explored(natural.value, natural.error)
    seeds = list(islice(Plan(order, seed).seeds(schedules), schedules))
    chunks = [seeds[i : i + _CHUNK] for i in range(0, len(seeds), _CHUNK)]
    work = [(text, orders, entry, tuple(arguments), chunk) for chunk in chunks]
    with progress.bar(len(chunks), "explore") as step:
        for outcomes in map(_run, work) if executor is None else executor.map(_run, work):
            step()
            for other, difference in outcomes:
                found.runs += 1
                if difference is not None:
                    found.seed, found.difference = other, difference
                    return found
    return found


def _read(source: str | PathLike[str] | ModuleOp) -> str | ModuleOp:
    return source_of(source, "-")[0]


@lru_cache(maxsize=4)
def _explorer(text: str, orders: str) -> Explorer:
    from xgpu.driver.schedules import Explorer

    return Explorer(text, orders=orders)


def _run(work: tuple[str, str, str, tuple[object, ...], list[int]]) -> list[tuple[int, str | None]]:
    """What differs in each of some orders, up to the first that does."""
    text, orders, entry, arguments, seeds = work
    explorer = _explorer(text, orders)
    natural = explorer.run(entry, arguments)
    outcomes: list[tuple[int, str | None]] = []
    for seed in seeds:
        difference = natural.difference(explorer.run(entry, arguments, seed))
        outcomes.append((seed, difference))
        if difference is not None:
            break
    return outcomes
