# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Policies of the exploration of orders. A seed is all there is to know of a policy.

Seeds below a million are whole policies:

  0  as soon as possible, in the program's order: what a reader of the program expects
  1  as late as possible: only what the host waits for, when it waits
  2  at each wait everything, the latest first
  3  as late as possible, the latest first
  others: random priorities, random delays, random walks

Larger ones bend two operations, known by their numbers in the program's order: seed = a million *
(1 + kind + 4 * pair(a, b)) + variant, where pair is Cantor's pairing function. Kinds:

  0  `a` is held back until `b` has run; all else as soon as possible
  1  `b` runs as soon as it has come, with what it needs; all else as late as possible
  2  `a` is held back as long as possible; all else as soon as possible
  3  `a` and `b` are both held back as long as possible
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from random import Random
from typing import Protocol, TypeVar

NATURAL, LAZY, LATEST_FIRST, LAZY_LATEST_FIRST = range(4)
MILLION = 1_000_000
AFTER, HURRY, HOLD, HOLD_BOTH = range(4)


class Numbered(Protocol):
    """What is picked from."""

    number: int


T = TypeVar("T", bound=Numbered)


def bent(kind: int, a: int, b: int, variant: int = 0) -> int:
    """The seed of the policy that bends `a` and `b`."""
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
            self._choose_bent(*divmod(seed // MILLION - 1, 4), seed % MILLION)

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

    def _choose_bent(self, pair: int, kind: int, variant: int) -> None:
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
        """What is to run though nobody waits for it."""
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
