# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which seeds to try: those whose orders show something that no order before has shown.

From what the host did in one run follows which operations no stream, event or wait orders, and
from what they touch, which of these pairs may conflict. Any seed's order can be foretold from
that without running the program, so a few runs go a long way: each is the seed, out of many,
that reverses most conflicting pairs that have not been seen reversed; then, whose conflicting
pairs come in an order that is new as a whole (runs in which they all come in the same order do
the same); then, that runs operations at other times of the host than before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from xgpu.host_device.device import policies
from xgpu.host_device.device.exploration import Exploration, Step
from xgpu.host_device.device.operations import Operation
from xgpu.host_device.device.policies import MILLION, Policy, bent

# Programs with more operations than this are explored at random: pairs would be too many.
MOST_OPERATIONS = 400
_MOST_PAIRS = 3000
_POOL = 40  # orders that are foretold for each one that is run
_TRIES = 200  # seeds without anything new, after which there probably is none


class Foretold:
    """What a seed's order shows: the conflicting `pairs` that it reverses, the `times` of
    operations (with the steps that the host had made before), and the whole `order`.
    """

    __slots__ = ("order", "pairs", "seed", "times")

    def __init__(self, seed: int, plan: Plan) -> None:
        self.seed = seed
        order = simulate(plan.script, seed)
        at = {number: i for i, (number, _) in enumerate(order)}
        self.pairs = frozenset(
            i for i, (a, b) in enumerate(plan.conflicts) if at.get(a, -1) > at.get(b, -1)
        )
        self.times = frozenset(order)
        self.order = tuple(order)


class Plan:
    """Seeds for a program, from one run of it."""

    def __init__(self, run: Exploration, base: int = 0) -> None:
        self.script = run.script
        self.base = base
        self._exact = run.keep_script and len(run.operations) <= MOST_OPERATIONS
        self.unordered: list[tuple[int, int]] = []
        self.conflicts: list[tuple[int, int]] = []
        if self._exact:
            self._find_pairs(run.operations)

    def _find_pairs(self, operations: Sequence[Operation]) -> None:
        before: dict[int, int] = {}  # operation -> bits of those that are done when it starts
        host = 0
        for what, number, others in self.script:
            bits = host
            for other in others if what != "all" else ():
                bits |= before[other] | 1 << other
            if what == "run":
                before[number] = bits
            elif what == "wait":
                host = bits
            else:
                host = sum(1 << known for known in before)
        touches = {o.number: o.touches for o in operations}
        for i, b in enumerate(operations):
            done = before[b.number]
            for a in operations[:i]:
                if not done >> a.number & 1:
                    self.unordered.append((a.number, b.number))
                    if _conflict(touches[a.number], touches[b.number]):
                        self.conflicts.append((a.number, b.number))
        del self.conflicts[_MOST_PAIRS:]

    def candidates(self) -> Iterator[int]:
        """Seeds worth a look, the most telling first, without end."""
        yield policies.LAZY
        yield policies.LATEST_FIRST
        yield policies.LAZY_LATEST_FIRST
        if self._exact:
            yield from self._bent()
        shift = 0
        while True:
            yield 4 + (self.base + shift) % (MILLION - 4)
            shift += 1

    def _bent(self) -> Iterator[int]:
        random = Random(self.base)
        pairs = list(self.conflicts)
        random.shuffle(pairs)
        for a, b in pairs:
            yield bent(policies.AFTER, a, b, self.base)
            yield bent(policies.HURRY, a, b, self.base)
        in_conflict = {n for pair in pairs for n in pair}
        rest = [what[1] for what in self.script if what[0] == "run"]
        random.shuffle(rest)
        for number in sorted(rest, key=lambda n: n not in in_conflict):
            yield bent(policies.HOLD, number, 0, self.base)
        for a, b in pairs:
            yield bent(policies.HOLD_BOTH, a, b, self.base)

    def seeds(self, count: int) -> Iterator[int]:
        """At most `count` seeds, each chosen for what those before it have not shown; fewer where
        no other order seems to be legal.
        """
        if not self._exact:
            source = self.candidates()
            for _ in range(count):
                yield next(source)
            return
        source = self.candidates()
        pool: list[Foretold] = []
        seen_pairs: set[int] = set()
        start = Foretold(policies.NATURAL, self)
        seen_orders, seen_times, seen = {start.pairs}, set(start.times), {start.order}
        used = {policies.NATURAL}
        for _ in range(count):
            pool = [f for f in pool if f.order not in seen]
            tries = 0
            while len(pool) < min(_POOL, 8 * count) and tries < _TRIES:
                seed = next(source)
                tries += 1
                if seed not in used:
                    used.add(seed)
                    foretold = Foretold(seed, self)
                    if foretold.order not in seen:
                        pool.append(foretold)
            if not pool:
                return
            best = max(
                pool,
                key=lambda f: (
                    len(f.pairs - seen_pairs), f.pairs not in seen_orders,
                    len(f.times - seen_times),
                ),
            )  # fmt: skip
            seen_pairs |= best.pairs
            seen_orders.add(best.pairs)
            seen_times |= best.times
            seen.add(best.order)
            yield best.seed


def simulate(script: Sequence[Step], seed: int) -> list[tuple[int, int]]:
    """The order that a seed gives a program which does what `script` says: operations with the
    number of steps that the host has made before.
    """
    run = Exploration(Policy(seed))
    run.keep_script = False
    made: dict[int, Operation] = {}
    for what, number, others in script:
        known = tuple(made[o] for o in others) if what != "all" else ()
        if what == "run":
            operation = made[number] = Operation("", 0, _nothing)
            operation.number = number
            operation.after = known
            run.submit(operation, None)
        elif what == "wait":
            run.wait(known)
        else:
            run.wait_all()
    return run.order


def _nothing() -> None:
    """What an operation does while an order is foretold."""


def _conflict(
    first: Sequence[tuple[int, int, bool]], second: Sequence[tuple[int, int, bool]]
) -> bool:
    return any(
        (a_writes or b_writes) and a_begin < b_end and b_begin < a_end
        for a_begin, a_end, a_writes in first
        for b_begin, b_end, b_writes in second
    )
