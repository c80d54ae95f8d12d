# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fewest chains that cover the nodes of an acyclic graph: Dilworth's theorem by matching.

A chain is a sequence of nodes of which each reaches the next. Each node may have one next and be
next of one, so the most pairs (u, v), u reaching v, in which each u and each v occurs once leave
the fewest chains. Pairs are paths of a flow: it leaves u, follows edges through other nodes, and
ends in v. So the transitive closure is never built. A greedy flow comes first; what it lacks is
found by augmenting paths, several in each pass over the graph (Hopcroft and Karp's idea without
their levels), until a pass finds none, which proves that there are none.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def minimum_chains(
    successors: Sequence[Sequence[int]], covered: Sequence[bool], *, through: bool = True
) -> list[int]:
    """The chain of each covered node, -1 for others; as few chains as there can be.

    Nodes are numbered so that edges lead to greater numbers. Nodes that are not covered lend
    themselves as ways only. Without `through` covered nodes are no ways: a chain then follows
    edges, and as many nodes as can be have a neighbour before them in their chain.
    """
    flow = _Flow(successors, covered, through)
    flow.greedy()
    flow.maximize()
    return flow.chains()


class _Flow:
    __slots__ = (
        "_back",
        "_count",
        "_covered",
        "_flow",
        "_in",
        "_passed",
        "_predecessors",
        "_successors",
        "_through",
        "ended",
        "started",
    )  # fmt: skip

    def __init__(
        self, successors: Sequence[Sequence[int]], covered: Sequence[bool], through: bool
    ) -> None:
        count = self._count = len(successors)
        self._successors = successors
        self._covered = covered
        self._through = [through or not c for c in covered]
        self._predecessors: list[list[int]] = [[] for _ in range(count)]
        for u, targets in enumerate(successors):
            for v in targets:
                self._predecessors[v].append(u)
        #: Units on the edges u -> v, as a dict for each u; and where units into v come from.
        self._flow: list[dict[int, int]] = [{} for _ in range(count)]
        self._in: list[dict[int, int]] = [{} for _ in range(count)]
        self._passed = [0] * count
        #: Whether a unit starts in a node, and whether one ends there.
        self.started = [False] * count
        self.ended = [False] * count
        self._back = [0] * count

    def greedy(self) -> None:
        """Lets each node follow a free one that reaches it at once or through uncovered nodes."""
        for v in range(self._count):
            if self._covered[v]:
                self._take(v)

    def _take(self, v: int) -> None:
        # A node that is taken stays taken, so each list of predecessors is read once.
        path = [v]
        while path:
            at = path[-1]
            sources = self._predecessors[at]
            i = self._back[at]
            if i == len(sources):
                path.pop()
                if path:
                    self._back[path[-1]] += 1
                continue
            u = sources[i]
            if not self._covered[u]:
                path.append(u)
            elif self.started[u]:
                self._back[at] += 1
            else:
                self._back[at] += 1
                self.started[u] = self.ended[v] = True
                way = [u, *reversed(path)]
                for a, b in itertools.pairwise(way):
                    self._add(a, b)
                for w in way[1:-1]:
                    self._passed[w] += 1
                return

    def _add(self, u: int, v: int) -> None:
        self._flow[u][v] = self._flow[u].get(v, 0) + 1
        self._in[v][u] = self._in[v].get(u, 0) + 1

    def _remove(self, u: int, v: int) -> None:
        for units, key in ((self._flow[u], v), (self._in[v], u)):
            units[key] -= 1
            if not units[key]:
                del units[key]

    def maximize(self) -> None:
        """Augments until no node that starts nothing reaches one in which nothing ends."""
        found = True
        while found:
            found = False
            # Sides: v * 2 for what comes into v, v * 2 + 1 for what leaves it.
            seen = bytearray(2 * self._count)
            for u in range(self._count):
                if self._covered[u] and not self.started[u] and self._successors[u]:
                    found = self._augment(u, seen) or found

    def _augment(self, start: int, seen: bytearray) -> bool:
        seen[2 * start + 1] = 1
        path = [2 * start + 1]
        choices = [self._choices(2 * start + 1)]
        while path:
            for side in choices[-1]:
                if seen[side]:
                    continue
                seen[side] = 1
                path.append(side)
                v, leaving = divmod(side, 2)
                if not leaving and self._covered[v] and not self.ended[v]:
                    self._change(path)
                    self.started[start] = self.ended[v] = True
                    return True
                choices.append(iter(self._choices(side)))
                break
            else:
                path.pop()
                choices.pop()
        return False

    def _choices(self, side: int):
        v, leaving = divmod(side, 2)
        if leaving:
            for w in self._successors[v]:
                yield 2 * w
            if self._passed[v]:
                yield 2 * v
        else:
            if self._through[v]:
                yield 2 * v + 1
            for u in list(self._in[v]):
                yield 2 * u + 1

    def _change(self, path: list[int]) -> None:
        for a, b in itertools.pairwise(path):
            u, leaving = divmod(a, 2)
            v = b // 2
            if u == v:
                self._passed[v] += 1 if not leaving else -1
            elif leaving:
                self._add(u, v)
            else:
                self._remove(v, u)

    def chains(self) -> list[int]:
        """The chain of each covered node, numbered in the order of their first nodes."""
        chain = [-1] * self._count
        follows = [False] * self._count
        after: dict[int, int] = {}
        for u in range(self._count):
            if not self.started[u]:
                continue
            v = u
            while True:
                w = next(iter(self._flow[v]))
                self._remove(v, w)
                v = w
                if self.ended[v]:
                    self.ended[v] = False
                    break
                self._passed[v] -= 1
            after[u] = v
            follows[v] = True
        number = 0
        for u in range(self._count):
            if not self._covered[u] or follows[u]:
                continue
            v: int | None = u
            while v is not None:
                chain[v] = number
                v = after.get(v)
            number += 1
        return chain
