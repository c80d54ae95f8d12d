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

from xgpu.driver.schedules import Explorer, Outcome, ready
from xgpu.host_device.device.exploration import Plan
from xgpu.host_device.sanitizer.reports.findings import Finding, in_order
from xgpu.host_device.sanitizer.reports.watch import (
    KERNEL_BITS,
    FindingKey,
    finding_key,
    kernel_orders,
)

if TYPE_CHECKING:
    from xgpu.host_device.sanitizer.reports.monitor import Sanitizer


class Ordered:
    """What all runs gave: the outcome in the natural order, the findings of all of them, how many
    other orders were run, and of the first whose outcome differs the seed and the difference."""

    def __init__(self, natural: Outcome) -> None:
        self.natural = natural
        self.findings: list[Finding] = []
        self.runs = 0
        self.seed: int | None = None
        self.difference: str | None = None


def seeds_of(sanitizer: Sanitizer, host: Plan, count: int) -> Iterator[int]:
    """The seeds of at most `count` orders: other orders of the host's operations and of kernels,
    together; fewer where there are no more."""
    hosts = list(islice(host.seeds(count), count))
    kernels = list(islice(kernel_orders(sanitizer.most_warps, sanitizer.most_groups), count))
    for i in range(max(len(hosts), len(kernels))):
        host_seed = hosts[i] if i < len(hosts) else 0
        yield host_seed << KERNEL_BITS | (kernels[i] if i < len(kernels) else 0)


def run_in_orders(
    explorer: Explorer, sanitizer: Sanitizer, entry: str, schedules: int, seed: int
) -> Ordered:
    """Run `entry` in its natural order and in at most `schedules` others, of which the first is
    that of `seed`. Each finding has the seed of the first order that showed it."""
    with ready():
        natural, order = explorer.run_ordered(entry, (), 0)
        found = Ordered(natural)
        known: dict[FindingKey, Finding] = {}
        _add(known, sanitizer.findings(), 0)
        seeds = seeds_of(sanitizer, Plan(order, seed >> KERNEL_BITS), schedules)
        if seed:
            seeds = chain((seed,), (s for s in seeds if s != seed))
        for other_seed in islice(seeds, schedules):
            sanitizer.restart(other_seed & ((1 << KERNEL_BITS) - 1))
            found.runs += 1
            other, _ = explorer.run_ordered(entry, (), other_seed >> KERNEL_BITS)
            _add(known, sanitizer.findings(), other_seed)
            difference = natural.difference(other)
            if difference is not None and found.seed is None:
                found.seed, found.difference = other_seed, difference
        found.findings = in_order(known.values())
    return found


def _add(known: dict[FindingKey, Finding], findings: list[Finding], seed: int) -> None:
    """Each pair of locations once: the finding of the first order that showed it."""
    for finding in findings:
        key = finding_key(finding)
        if key not in known:
            finding.seed = seed
            known[key] = finding
