# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs under the sanitizer in several orders.

The sanitizer finds what nothing orders in any order. But a program may do other things in another
order: who comes first to an atomic operation, whether a phase is over when a thread asks. So it
runs in its natural order and then in others, of the host's operations (`schedules`) and of the
threads and copies in kernels (`native.sources.orders`). A seed stands for both: from bit 20 on it
is the host's, below the kernels'.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from xgpu.driver.schedules import Explorer, ready
from xgpu.host_device.compiler.structs import (
    ORDER_ARGUMENT,
    ORDER_FIRST,
    ORDER_LAST,
    ORDER_LATE,
    ORDER_NATURAL,
    ORDER_RANDOM,
    ORDER_REVERSED,
    ORDER_TURNS,
)
from xgpu.host_device.device.exploration import Plan

if TYPE_CHECKING:
    from xgpu.driver.schedules import Outcome
    from xgpu.host_device.sanitizer.reports.findings import Finding
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer

_HOST_BIT = 20
_Key = tuple[str, frozenset[str]]  # the kind of a finding, and its locations
_MOST_RANDOM = 1 << (_HOST_BIT - ORDER_ARGUMENT)


class Ordered:
    """What all runs gave: the outcome in the natural order, the findings of all of them, how many
    other orders were run, and of the first whose outcome differs the seed and the difference."""

    def __init__(self, natural: Outcome) -> None:
        self.natural = natural
        self.findings: list[Finding] = []
        self.runs = 0
        self.seed: int | None = None
        self.difference: str | None = None


def kernel_orders(warps: int, groups: int) -> Iterator[int]:
    """Orders of kernels whose largest block has so many warps, and grid so many clusters; the ones
    that show most come first: a slow first warp, late copies, everything reversed."""
    if warps == 0:
        return
    several = warps > 1
    if several:
        yield ORDER_LAST
    if groups > 1:
        yield ORDER_NATURAL | ORDER_TURNS
    yield ORDER_NATURAL | ORDER_LATE
    yield ORDER_REVERSED
    if several:
        yield ORDER_LAST | ORDER_LATE
        yield ORDER_FIRST | ORDER_LATE
    yield ORDER_REVERSED | ORDER_LATE
    for warp in range(1, warps):
        yield ORDER_LAST | warp << ORDER_ARGUMENT
        yield ORDER_FIRST | warp << ORDER_ARGUMENT
    for number in range(_MOST_RANDOM):
        turns = ORDER_TURNS if groups > 1 and number % 4 > 1 else 0
        late = ORDER_LATE if number % 2 else 0
        yield ORDER_RANDOM | number << ORDER_ARGUMENT | late | turns


def seeds_of(sanitizer: Sanitizer, host: Plan, count: int) -> Iterator[int]:
    """The seeds of at most `count` orders: other orders of the host's operations and of kernels,
    together; fewer where there are no more."""
    hosts = list(islice(host.seeds(count), count))
    kernels = list(islice(kernel_orders(sanitizer.most_warps, sanitizer.most_groups), count))
    for i in range(max(len(hosts), len(kernels))):
        host_seed = hosts[i] if i < len(hosts) else 0
        yield host_seed << _HOST_BIT | (kernels[i] if i < len(kernels) else 0)


def run_in_orders(
    explorer: Explorer, sanitizer: Sanitizer, entry: str, schedules: int, seed: int
) -> Ordered:
    """Run `entry` in its natural order and in at most `schedules` others, of which the first is
    that of `seed`. Each finding has the seed of the first order that showed it."""
    with ready():
        natural, order = explorer.run_ordered(entry, (), 0)
        found = Ordered(natural)
        known: dict[_Key, Finding] = {}
        _add(known, sanitizer.findings(), 0)
        seeds = seeds_of(sanitizer, Plan(order, seed >> _HOST_BIT), schedules)
        if seed:
            seeds = chain((seed,), (s for s in seeds if s != seed))
        for other_seed in islice(seeds, schedules):
            sanitizer.restart(other_seed & ((1 << _HOST_BIT) - 1))
            found.runs += 1
            other, _ = explorer.run_ordered(entry, (), other_seed >> _HOST_BIT)
            _add(known, sanitizer.findings(), other_seed)
            difference = natural.difference(other)
            if difference is not None and found.seed is None:
                found.seed, found.difference = other_seed, difference
        found.findings = sorted(known.values(), key=lambda f: (f.file, f.line, f.column, f.kind))
    return found


def _add(known: dict[_Key, Finding], findings: list[Finding], seed: int) -> None:
    """Each pair of locations once: the finding of the first order that showed it."""
    for finding in findings:
        key = finding.kind, frozenset(side.location for side in finding.sides)
        if key not in known:
            finding.seed = seed
            known[key] = finding
