# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Policies, orders and plans of the exploration of orders."""

from __future__ import annotations

import itertools

import pytest

from xgpu.host_device.device import exploration
from xgpu.host_device.device.exploration import (
    MILLION,
    Exploration,
    Plan,
    Policy,
    reordered,
    simulate,
)
from xgpu.host_device.device.operations import Event, Operation, Stream


class Host:
    """A host that gives operations on named buffers to streams; `ran` is what it saw."""

    def __init__(self, seed):
        self.order = Exploration(Policy(seed))
        self.streams = {}
        self.ran = []

    def run(self, name, stream, writes="", reads=""):
        where = self.streams.setdefault(stream, Stream(stream))
        operation = Operation(name, stream, lambda: self.ran.append(name))
        operation.number = len(self.order.script)
        operation.after = where.frontier
        operation.touches = tuple(
            (ord(buffer), ord(buffer) + 1, written)
            for text, written in ((writes, True), (reads, False)) for buffer in text
        )  # fmt: skip
        where.frontier = (operation,)
        self.order.submit(operation, where)

    def edge(self, source, target):
        event = Event()
        self.streams[source].record(event)
        self.streams.setdefault(target, Stream(target)).wait_for(event)

    def wait(self, stream):
        self.order.wait(self.streams[stream].frontier)
        self.ran.append("host")


def fork_and_join(host):
    """a; then b and c in two streams, both writing what a has written; d after both."""
    host.run("a", 1, "x")
    host.edge(1, 2)
    host.run("b", 1, "y", "x")
    host.run("c", 2, "x", "x")
    host.edge(2, 1)
    host.run("d", 1, "z", "xy")
    host.wait(1)
    host.run("e", 2, "q")
    host.order.wait_all()


def trace(seed, program=fork_and_join):
    host = Host(seed)
    program(host)
    return host


SEEDS = [*range(200), *(reordered(k, a, b) for k in range(4) for a in range(5) for b in range(5))]


def test_every_order_is_legal_and_every_operation_runs():
    for seed in SEEDS:
        ran = trace(seed).ran
        assert sorted(ran) == ["a", "b", "c", "d", "e", "host"]
        assert ran.index("a") < min(ran.index("b"), ran.index("c"))
        assert max(ran.index("b"), ran.index("c")) < ran.index("d") < ran.index("host")
        assert ran.index("e") > ran.index("host")


def test_a_seed_replays():
    for seed in SEEDS:
        assert trace(seed).ran == trace(seed).ran


def test_the_first_seeds_are_the_extremes():
    def program(host):
        host.run("a", 1)
        host.run("b", 2)
        host.run("c", 3)
        host.wait(2)
        host.order.wait_all()

    assert trace(exploration.NATURAL, program).ran == ["a", "b", "c", "host"]
    assert trace(exploration.LAZY, program).ran == ["b", "host", "a", "c"]
    assert trace(exploration.LATEST_FIRST, program).ran == ["c", "b", "host", "a"]
    assert trace(exploration.LAZY_LATEST_FIRST, program).ran == ["b", "host", "c", "a"]


def test_bent_seeds_bend_the_operations_that_they_name():
    def program(host):
        for i, name in enumerate("abcd"):
            host.run(name, i)
        host.order.wait_all()

    assert trace(reordered(exploration.AFTER, 0, 2), program).ran == list("bcad")
    assert trace(reordered(exploration.HURRY, 0, 2), program).ran == list("cbda")
    assert trace(reordered(exploration.HOLD, 1, 0), program).ran == list("acdb")
    assert trace(reordered(exploration.HOLD_BOTH, 0, 1), program).ran == list("cdab")


def test_seeds_are_told_apart():
    found = [reordered(k, a, b) for k in range(4) for a in range(30) for b in range(30)]
    assert len(set(found)) == len(found)
    assert min(found) >= MILLION


@pytest.mark.parametrize("seed", SEEDS[::7])
def test_orders_are_foretold(seed):
    script = trace(exploration.NATURAL).order.script
    assert simulate(script, seed) == trace(seed).order.order


def test_pairs_that_nothing_orders():
    plan = Plan(trace(exploration.NATURAL).order)
    assert plan.unordered == [(1, 2)]
    assert plan.conflicts == [(1, 2)]
    seeds = list(plan.seeds(50))
    assert {tuple(trace(s).ran) for s in seeds} | {tuple(trace(0).ran)} == {
        ("a", "b", "c", "d", "host", "e"), ("a", "c", "b", "d", "host", "e"),
    }  # fmt: skip
    assert len(seeds) == 50  # they differ in what the host has done before


def test_what_shows_nothing_new_is_not_run():
    """Three operations that the host waits for, each before or in its wait: 2 * 2 * 2 orders."""

    def chain(host):
        for name in "abc":
            host.run(name, 1, "x")
            host.wait(1)

    seeds = list(Plan(trace(0, chain).order).seeds(50))
    assert len({tuple(trace(s, chain).order.order) for s in seeds}) == len(seeds) == 7


def test_few_seeds_reverse_all_pairs():
    """Eight operations in four streams: 28 - 4 pairs, reversed each way in a handful of runs."""

    def program(host):
        for i in range(8):
            host.run(str(i), i % 4, "x")
        host.order.wait_all()

    plan = Plan(trace(0, program).order)
    assert len(plan.conflicts) == 24
    seen = set()
    for seed in itertools.islice(plan.seeds(50), 6):
        ran = trace(seed, program).ran
        seen |= {(a, b) for a, b in plan.conflicts if ran.index(str(a)) > ran.index(str(b))}
    assert seen == set(plan.conflicts)


def test_all_orders_of_small_conflicts_are_seen():
    """Three operations that all conflict: six orders, found within ten runs."""

    def program(host):
        for i in range(3):
            host.run(str(i), i, "x")
        host.order.wait_all()

    plan = Plan(trace(0, program).order)
    orders = {tuple(trace(s, program).ran) for s in plan.seeds(10)}
    assert len(orders | {tuple(trace(0, program).ran)}) == 6


def test_queues_are_bounded():
    host = Host(exploration.LAZY)
    for i in range(10_000):
        host.run("a", i % 3)
    assert len(host.order._missing) <= 4096
    host.order.wait_all()
    assert len(host.ran) == 10_000
    assert not host.order._missing
