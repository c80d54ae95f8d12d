# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A unit: what one thread of the host executes, as the lowering of tokens sees it.

Its script has all points in an order in which each comes after those that it needs, with the
blocks that they are in. `units.py` writes it, from the view of the function that it is in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.conversion.async_tokens.points import HostWait, Join, Merge, Outside, Point


@dataclass(frozen=True, slots=True)
class Enter:
    """A block begins."""

    block: Block


@dataclass(frozen=True, slots=True)
class Leave:
    """A block is over."""

    block: Block


@dataclass(frozen=True, slots=True)
class Push:
    """The regions of an operation begin."""

    op: Operation


@dataclass(frozen=True, slots=True)
class Pop:
    """The regions of an operation are over."""

    op: Operation


@dataclass(frozen=True, slots=True)
class At:
    """A point."""

    point: Point


@dataclass(frozen=True, slots=True)
class Edge:
    """Control goes on from here, to where merges take their tokens (`Unit.edges`)."""

    op: Operation


Step = Enter | Leave | Push | Pop | At | Edge


class Unit:
    """A region that one thread of the host executes, with its points in order."""

    __slots__ = (
        "dominator", "edges", "forks", "needs", "number", "of", "on_stream", "order", "points",
        "region", "script", "through",
    )  # fmt: skip

    def __init__(self, region: Region) -> None:
        self.region = region
        self.points: list[Point] = []
        #: The position of each point among them.
        self.number: dict[Point, int] = {}
        self.script: list[Step] = []
        #: Token -> point
        self.of: dict[SSAValue, Point] = {}
        #: The points whose tokens a point needs, and those that the host orders before it.
        self.needs: dict[Point, list[Point]] = {}
        self.order: dict[Point, list[Point]] = {}
        #: The points that get a place on a stream.
        self.on_stream: set[Point] = set()
        #: The points that stand for what they need: joins, and what the host does at once.
        self.through: set[Point] = set()
        #: Of joins: how many points need it.
        self.forks: dict[Point, int] = {}
        #: Block -> the block whose end every way to it has passed, in the same region
        self.dominator: dict[Block, Block] = {}
        #: Operation -> (merge, successor if there are several, value) for those it leads to
        self.edges: dict[Operation, list[tuple[Merge, int | None, SSAValue]]] = {}

    def add(self, point: Point, needs: Iterable[Point]) -> None:
        """A point behind all that there are."""
        self.number[point] = len(self.points)
        self.points.append(point)
        self.needs[point] = list(dict.fromkeys(needs))
        self.order[point] = []
        if isinstance(point, Join | Outside):
            self.through.add(point)

    def count_forks(self) -> None:
        """Counts what needs each join."""
        self.forks = {}
        for point in self.points:
            if isinstance(point, HostWait):
                continue
            for need in self.needs[point]:
                if need in self.through:
                    self.forks[need] = self.forks.get(need, 0) + 1

    def sources(self, points: Iterable[Point], placed: Iterable[Point] = ()) -> list[Point]:
        """The points that `points` stand for: joins are seen through, but for those that have a
        place of their own by now (`placed`). In order, the last first."""
        through, found = self.through, dict[Point, None]()
        seen: set[Point] = set()
        stack = list(points)
        while stack:
            point = stack.pop()
            if point in seen:
                continue
            seen.add(point)
            if point in through and point not in placed:
                stack.extend(self.needs[point])
            else:
                found[point] = None
        number = self.number
        return sorted(found, key=lambda p: -number[p])
