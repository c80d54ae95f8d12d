# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Any legal order: operations are queued, and a policy picks which one runs when.

Everything happens in one thread, so a policy replays exactly. After each step of the host (an
operation submitted, a wait ended) the policy may run operations that are ready; where the host
waits, it must, until what the host waits for is done. What is not waited for runs when the
program ends.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from random import Random
from typing import Protocol, TypeVar

from xgpu.host_device.device.operations import Operation, Order, Stream
from xgpu.host_device.device.watchdog import foreign_threads

# -- Policies of the exploration of orders. A seed is all there is to know of a policy.
#
# Seeds below a million are whole policies:
#
# 0  as soon as possible, in the program's order: what a reader of the program expects
# 1  as late as possible: only what the host waits for, when it waits
# 2  at each wait everything, the latest first
# 3  as late as possible, the latest first
# others: random priorities, random delays, random walks
#
# Larger ones change the order of two operations, known by their numbers in the program's order:
# seed = a million * (1 + kind + 4 * pair(a, b)) + variant, where pair is Cantor's pairing function.
# Kinds:
#
# 0  `a` is held back until `b` has run; all else as soon as possible
# 1  `b` runs as soon as it has come, with what it needs; all else as late as possible
# 2  `a` is held back as long as possible; all else as soon as possible
# 3  `a` and `b` are both held back as long as possible


NATURAL, LAZY, LATEST_FIRST, LAZY_LATEST_FIRST = range(4)
MILLION = 1_000_000
AFTER, HURRY, HOLD, HOLD_BOTH = range(4)


class Numbered(Protocol):
    """What is picked from."""

    number: int


T = TypeVar("T", bound=Numbered)


def reordered(kind: int, a: int, b: int, variant: int = 0) -> int:
    """The seed of the policy that changes the order of `a` and `b`."""
    pair = (a + b) * (a + b + 1) // 2 + b
    return MILLION * (1 + kind + 4 * pair) + variant % MILLION


def _unpair(pair: int) -> tuple[int, int]:
    diagonal = (isqrt(8 * pair + 1) - 1) // 2
    b = pair - diagonal * (diagonal + 1) // 2
    return diagonal - b, b


class Policy:
    """Decides by priority (the least first) and by who is held back."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        #: Whether anything that is ready may run while the host waits, or what it waits for only.
        self.wide = False
        self._random = Random(seed)
        self._eager = 1.0  # the share of operations that run as soon as they can
        self._walk = False
        self._latest_first = False
        self._priorities = False
        self._priority: dict[int, float] = {}
        self._held: set[int] = set()
        self._hurried = self._until = -1
        if seed < MILLION:
            self._choose_whole(seed)
        else:
            self._choose_reordered(*divmod(seed // MILLION - 1, 4), seed % MILLION)

    def _choose_whole(self, seed: int) -> None:
        random = self._random
        if seed in (LAZY, LAZY_LATEST_FIRST, LATEST_FIRST):
            self._eager = 0.0
            self._latest_first = seed != LAZY
            self.wide = seed == LATEST_FIRST
        elif seed != NATURAL:
            self._priorities = True
            self.wide = random.random() < 0.5
            style = seed % 3
            self._eager = 0.0 if style == 0 else random.choice((0.2, 0.5, 0.8))
            self._walk = style == 2

    def _choose_reordered(self, pair: int, kind: int, variant: int) -> None:
        a, b = _unpair(pair)
        self._latest_first = variant % 2 == 1
        if kind == HURRY:
            self._eager = 0.0
            self._hurried = b
            self._priority[a] = float("inf")
            return
        self._held = {a, b} if kind == HOLD_BOTH else {a}
        if kind == AFTER:
            self._until = b

    def arrive(self, number: int) -> bool:
        """An operation has come; whether it is to run at once, with all that it needs."""
        if self._priorities:
            self._priority[number] = self._random.random()
        if self._eager < 1.0 and not self._walk and self._random.random() >= self._eager:
            self._held.add(number)
        return number == self._hurried

    def ran(self, number: int) -> None:
        """An operation has run."""
        if number == self._until:
            self._held.clear()
        self._held.discard(number)
        self._priority.pop(number, None)

    def choose(self, ready: Sequence[T]) -> T | None:
        """What is to run though it is not waited for."""
        if self._walk and self._random.random() >= self._eager:
            return None
        free = [o for o in ready if o.number not in self._held]
        return self.pick(free) if free else None

    def pick(self, ready: Sequence[T]) -> T:
        """What is to run first."""
        if len(ready) == 1:
            return ready[0]
        return min(ready, key=self._rank)

    def _rank(self, operation: Numbered) -> tuple[float, int]:
        number = operation.number
        at = -number if self._latest_first else number
        if not self._priorities and number in self._held and self._eager:
            return float("inf"), at
        return self._priority.get(number, 0.0), at


# So many operations wait at most: then some run, as a full queue would make them.
CAPACITY = 4096

#: What the host did: ("run", number of an operation, numbers that it comes after), ("wait", 0,
#: numbers that the host waited for), or ("all", 0, whatever): it waited for everything.
Step = tuple[str, int, tuple[int, ...]]


class Exploration(Order):
    """Runs operations in the order that `policy` likes. `order` lists the numbers of those that
    ran, each with the number of steps that the host had made; `script` is what the host did.
    """

    parallel = False

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.order: list[tuple[int, int]] = []
        self.script: list[Step] = []
        self.operations: list[Operation] = []
        self.keep_script = True
        self._ready: list[Operation] = []
        self._missing: dict[Operation, int] = {}
        self._followers: dict[Operation, list[Operation]] = {}
        self._lock = threading.RLock()
        self._steps = 0

    # -- what the device asks for

    def submit(self, operation: Operation, stream: Stream | None) -> None:
        with self._lock:
            if self.keep_script:
                self._note("run", operation.number, operation.after)
                self.operations.append(operation)
            self._steps += 1
            before = [o for o in operation.after if not o.done]
            self._missing[operation] = len(before)
            for other in before:
                self._followers.setdefault(other, []).append(operation)
            if not before:
                self._ready.append(operation)
            if self.policy.arrive(operation.number):
                self._force((operation,))
            self._idle()
            while len(self._missing) > CAPACITY:
                self._run(self.policy.pick(self._ready))

    def give_up(self, operation: Operation, stream: Stream | None) -> None:
        operation.action = None
        with self._lock:
            if not operation.done and operation not in self._missing:
                self.submit(operation, stream)

    def wait(self, operations: Iterable[Operation]) -> None:
        with self._lock:
            self._wait("wait", tuple(operations))

    def wait_all(self) -> None:
        with self._lock:
            self._wait("all", tuple(self._missing))

    def _wait(self, what: str, operations: tuple[Operation, ...]) -> None:
        if self.keep_script:
            self._note(what, 0, operations)
        self._steps += 1  # the host may have done something since its last step
        self._force(operations)
        self._steps += 1
        self._idle()

    def _note(self, what: str, number: int, operations: tuple[Operation, ...]) -> None:
        self.script.append((what, number, tuple(o.number for o in operations)))
        if len(self.script) > CAPACITY:
            self.keep_script = False
            self.operations.clear()

    def is_quiet(self, thread: int) -> bool:
        return not foreign_threads()  # one thread does everything

    # -- running

    def _idle(self) -> None:
        """The host has made a step: what the policy wants to run now."""
        while self._ready:
            chosen = self.policy.choose(self._ready)
            if chosen is None:
                return
            self._run(chosen)

    def _force(self, wanted: tuple[Operation, ...]) -> None:
        """Run until `wanted` are done: what they need, and what the policy wants besides."""
        needed = {o for o in wanted if not o.done}
        work = list(needed)
        while work:
            for other in work.pop().after:
                if not other.done and other not in needed:
                    needed.add(other)
                    work.append(other)
        while needed:
            ready = self._ready if self.policy.wide else [o for o in self._ready if o in needed]
            chosen = self.policy.pick(ready)
            self._run(chosen)
            needed.discard(chosen)

    def _run(self, operation: Operation) -> None:
        self._ready.remove(operation)
        self.order.append((operation.number, self._steps))
        try:
            operation.run()
        finally:
            self.policy.ran(operation.number)
            del self._missing[operation]
            for follower in self._followers.pop(operation, ()):
                self._missing[follower] -= 1
                if not self._missing[follower]:
                    self._ready.append(follower)


# -- Which seeds to try: those whose orders show something that no order before has shown.
#
# From what the host did in one run follows which operations no stream, event or wait orders, and
# from what they touch, which of these pairs may conflict. Any seed's order can be foretold from
# that without running the program, so a few runs go a long way: each is the seed, out of many,
# that reverses most conflicting pairs that have not been seen reversed; then, whose conflicting
# pairs come in an order that is new as a whole (runs in which they all come in the same order do
# the same); then, that runs operations at other times of the host than before.


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
        yield LAZY
        yield LATEST_FIRST
        yield LAZY_LATEST_FIRST
        if self._exact:
            yield from self._reordered()
        shift = 0
        while True:
            yield 4 + (self.base + shift) % (MILLION - 4)
            shift += 1

    def _reordered(self) -> Iterator[int]:
        random = Random(self.base)
        pairs = list(self.conflicts)
        random.shuffle(pairs)
        for a, b in pairs:
            yield reordered(AFTER, a, b, self.base)
            yield reordered(HURRY, a, b, self.base)
        in_conflict = {n for pair in pairs for n in pair}
        rest = [what[1] for what in self.script if what[0] == "run"]
        random.shuffle(rest)
        for number in sorted(rest, key=lambda n: n not in in_conflict):
            yield reordered(HOLD, number, 0, self.base)
        for a, b in pairs:
            yield reordered(HOLD_BOTH, a, b, self.base)

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
        start = Foretold(NATURAL, self)
        seen_orders, seen_times, seen = {start.pairs}, set(start.times), {start.order}
        used = {NATURAL}
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
