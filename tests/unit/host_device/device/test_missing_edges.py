# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exploration finds missing edges: random programs with one wait taken away, against all
orders that are left.
"""

from __future__ import annotations

import random

import pytest

from tests.support.some_cases import each
from xgpu.host_device.device.exploration import NATURAL, Exploration, Plan, Policy
from xgpu.host_device.device.operations import Operation, Stream


class Step:
    """An operation: it writes to a buffer what follows from the buffers that it reads."""

    def __init__(self, number, stream, reads, writes):
        self.number = number
        self.stream = stream
        self.reads = reads
        self.writes = writes

    def conflicts(self, other):
        return (
            self.writes == other.writes
            or self.writes in other.reads
            or other.writes in self.reads
        )  # fmt: skip

    def result(self, memory):
        return hash((self.number, *(memory.get(b) for b in self.reads)))


class Program:
    """Steps, the edges between streams that order all conflicts, and waits of the host: after
    which step, for which one, whose buffer the host then reads.
    """

    def __init__(self, seed):
        r = random.Random(seed)
        count, buffers, streams = r.randrange(4, 10), r.randrange(2, 5), r.randrange(2, 5)
        self.steps = []
        for i in range(count):
            reads = sorted(r.sample(range(buffers), r.choice((0, 0, 1, 2))))
            self.steps.append(Step(i, r.randrange(streams), reads, r.randrange(buffers)))
        self.edges = set()
        before = [0] * count
        last = {}
        for b in self.steps:
            if b.stream in last:
                before[b.number] = before[last[b.stream]] | 1 << last[b.stream]
            for a in reversed(self.steps[: b.number]):
                if a.conflicts(b) and not before[b.number] >> a.number & 1:
                    self.edges.add((a.number, b.number))
                    before[b.number] |= before[a.number] | 1 << a.number
            last[b.stream] = b.number
        self.waits = {}
        for i in range(count):
            writers = {step.writes: step.number for step in self.steps[: i + 1]}
            if r.random() < 0.2:
                self.waits[i] = r.choice(sorted(writers.values()))


def run(program, edges, seed):
    """The outcome under a seed: what the host has read, and the memory at the end."""
    memory, read = {}, []
    order = Exploration(Policy(seed))
    streams, made = {}, []
    for step in program.steps:
        stream = streams.setdefault(step.stream, Stream(step.stream))
        stream.join(made[a] for a, b in sorted(edges) if b == step.number)

        def act(step=step):
            memory[step.writes] = step.result(memory)

        operation = Operation(str(step.number), step.stream, act)
        operation.number = step.number
        operation.after = stream.frontier
        # As for kernels: what is read and what is written is not known.
        operation.touches = tuple((b, b + 1, True) for b in {*step.reads, step.writes})
        stream.frontier = (operation,)
        made.append(operation)
        order.submit(operation, stream)
        if step.number in program.waits:
            awaited = program.waits[step.number]
            order.wait((made[awaited],))
            read.append(memory.get(program.steps[awaited].writes))
    order.wait_all()
    return (tuple(read), tuple(sorted(memory.items()))), order


def all_outcomes(program, edges):
    """The outcomes of all legal orders, the host's steps included."""
    steps = program.steps
    needs = [0] * len(steps)
    last = {}
    for step in steps:
        if step.stream in last:
            needs[step.number] |= 1 << last[step.stream]
        last[step.stream] = step.number
    for a, b in edges:
        needs[b] |= 1 << a
    host = []
    for step in steps:
        host.append(("run", step.number))
        if step.number in program.waits:
            host.append(("wait", program.waits[step.number]))
    outcomes, seen, work = set(), set(), [(0, 0, (), ())]
    while work:
        state = work.pop()
        if state in seen:
            continue
        seen.add(state)
        done, at, items, read = state
        memory = dict(items)
        if at == len(host) and done == (1 << len(steps)) - 1:
            outcomes.add((read, items))
        given = {number for what, number in host[:at] if what == "run"}
        for number in given:
            if not done >> number & 1 and not needs[number] & ~done:
                after = {**memory, steps[number].writes: steps[number].result(memory)}
                work.append((done | 1 << number, at, tuple(sorted(after.items())), read))
        if at < len(host):
            what, number = host[at]
            if what == "run":
                work.append((done, at + 1, items, read))
            elif done >> number & 1:
                value = memory.get(steps[number].writes)
                work.append((done, at + 1, items, (*read, value)))
    return outcomes


@pytest.mark.parametrize("seed", each(range(60), 2))
def test_every_missing_edge_that_matters_is_found(seed):
    program = Program(seed)
    natural, order = run(program, program.edges, NATURAL)
    for other in Plan(order).seeds(20):
        assert run(program, program.edges, other)[0] == natural
    for edge in sorted(program.edges):
        edges = program.edges - {edge}
        outcomes = all_outcomes(program, edges)
        natural, order = run(program, edges, NATURAL)
        assert natural in outcomes
        found = False
        for other in Plan(order).seeds(50):
            outcome = run(program, edges, other)[0]
            assert outcome in outcomes
            if outcome != natural:
                found = True
                break
        assert found == (len(outcomes) > 1)
