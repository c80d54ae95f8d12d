# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On which stream each point runs, and which points it waits for by an event.

Streams are the chains of a least cover of the order that tokens and host waits make. Of what a
point needs, what its stream has behind it, or has waited for already, needs no event: a walk in
the order of the program keeps for each stream a clock of what it knows. What is known at the end
of a block holds in the blocks that it dominates: whoever comes there has passed that block after
all that it knew of (`Unit.script`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Block, Operation

from xgpu.async_tokens.chain_cover import minimum_chains
from xgpu.async_tokens.clock import EMPTY, Clock, Gathering, merge
from xgpu.async_tokens.exclusive_chains import share
from xgpu.async_tokens.points import Point, Unit, is_inside, sources_of
from xgpu.ir.calls import is_return


class Streams:
    """The assignment of one unit: fills the fields of its points that say so, and `edge_waits`."""

    __slots__ = (
        "_blocks", "_clocks", "_ends", "_host", "_sequence", "_stack", "_tails", "count",
        "edge_waits", "unit",
    )  # fmt: skip

    def __init__(self, unit: Unit, *, few_events: bool = False, limit: int = 0) -> None:
        self.unit = unit
        #: Operation -> (phi, successor, points that the phi's stream waits for there)
        self.edge_waits: dict[Operation, list[tuple[Point, int | None, list[Point]]]] = {}
        self.count = self._assign(few_events, limit)
        self._clocks: dict[int, Clock] = {}
        self._host = EMPTY
        self._tails: dict[int, Point] = {}
        self._sequence = 0
        self._stack: list[tuple[dict[int, Clock], Clock]] = [({}, EMPTY)]
        self._ends: dict[Block, tuple[dict[int, Clock], Clock]] = {}
        self._blocks: list[Block] = []
        self._walk()

    # --- streams -----------------------------------------------------------------------------
    def _assign(self, few_events: bool, limit: int) -> int:
        points = self.unit.points
        successors: list[list[int]] = [[] for _ in points]
        for point in points:
            for before in dict.fromkeys((*point.needs, *point.order)):
                successors[before.index].append(point.index)
        covered = [point.is_covered for point in points]
        if few_events:
            successors = _reduced(successors)
        chains = minimum_chains(successors, covered, through=not few_events)
        chains = share(points, successors, chains)
        count = max(chains, default=-1) + 1
        if limit and count > limit:
            chains = _schedule(points, limit)
            count = limit
        for point, chain in zip(points, chains, strict=True):
            if chain >= 0:
                point.stream = chain
        return count

    # --- the walk ----------------------------------------------------------------------------
    def _walk(self) -> None:
        for what, item in self.unit.script:
            if what == "point":
                self._point(item)
            elif what == "edge":
                self._edge(item)
            elif what == "enter":
                self._blocks.append(item)
                parent = self.unit.dominator.get(item)
                clocks, host = self._stack[-1] if parent is None else self._ends[parent]
                self._clocks, self._host = dict(clocks), host
            elif what == "leave":
                self._blocks.pop()
                self._ends[item] = (self._clocks, self._host)
            elif what == "push":
                self._stack.append((self._clocks, self._host))
            else:
                self._clocks, self._host = self._stack.pop()

    def _point(self, point: Point) -> None:
        kind = point.kind
        if kind == "exit":
            assert point.phi is not None
            point.stream = point.phi.stream
        if kind in ("phi", "exit"):
            self._place(point)
        elif kind in ("work", "meet"):
            for need in point.needs:
                self._place_join(need, point)
            point.waits = self._needed(point.stream, sources_of(point.needs))
            self._place(point)
            if point.is_sync:
                self._host = merge([self._host, point.clock], {point.stream or 0: point.sequence})
        elif kind == "gather":
            self._gather(point)
        elif kind == "host":
            self._wait(point)
        elif kind == "event":
            point.waits = self._needed(None, sources_of(point.needs))

    def _place(self, point: Point) -> None:
        """Puts a point at the end of its stream."""
        assert point.stream is not None
        self._sequence += 1
        point.sequence = self._sequence
        point.clock = self._clocks.get(point.stream, EMPTY)
        self._tails[point.stream] = point

    def _place_join(self, join: Point, point: Point) -> None:
        """Gives a join for which several wait a place before the first of them, so that they wait
        for one event and not for one of each of its sources, if nothing else is ordered by it."""
        if join.kind != "join" or join.stream is not None or join.forks < 2:
            return
        sources = sources_of([join])
        stream = point.stream
        assert stream is not None
        if len(sources) < 2 or join.block is not point.block:
            return
        tail = self._tails.get(stream)
        if tail is not None and tail not in sources:
            known = max((p.clock.known(stream) for p in sources if p.clock is not None), default=0)
            if max(known, self._host.known(stream)) < tail.sequence:
                return
        join.waits = self._needed(stream, sources)
        join.stream = stream
        self._place(join)
        point.before.append(join)

    def _gather(self, point: Point) -> None:
        sources = sources_of(point.needs)
        if point.is_covered:
            point.waits = self._needed(point.stream, sources)
            self._place(point)
        elif sources and point.op is not None and is_return(point.op):
            sources[0].owned.append(point)
        elif sources:
            point.waits = sources
            self._use(sources[0])

    def _wait(self, point: Point) -> None:
        """The host waits: for a stream where nothing follows what it waits for, else an event."""
        for source in sources_of(point.needs):
            key, number = _key(source)
            if self._host.known(key) >= number:
                continue
            if source.stream is not None and self._tails[source.stream] is source:
                point.before.append(source)
            else:
                point.waits.append(source)
                self._use(source)
            self._host = merge(_clocks(self._host, source), {key: number})

    def _edge(self, op: Operation) -> None:
        for phi, successor, value in self.unit.edges.get(op, ()):
            waits = self._needed(phi.stream, sources_of([self.unit.of[value]]))
            if waits:
                self.edge_waits.setdefault(op, []).append((phi, successor, waits))

    def _needed(self, stream: int | None, sources: Sequence[Point]) -> list[Point]:
        """What `stream` must wait for, so that all of `sources` are over. None: any stream."""
        clock = EMPTY if stream is None else self._clocks.get(stream, EMPTY)
        if len(sources) == 1:
            (source,) = sources
            key, number = _key(source)
            if key == stream or max(clock.known(key), self._host.known(key)) >= number:
                return []
            self._use(source)
            if stream is not None:
                self._clocks[stream] = merge(_clocks(clock, source), {key: number})
            return [source]
        waits: list[Point] = []
        gathering = Gathering(clock)
        # What comes last may imply others, which come before it.
        for source in sources:
            key, number = _key(source)
            if key == stream or max(gathering.known(key), self._host.known(key)) >= number:
                continue
            waits.append(source)
            self._use(source)
            gathering.add(key, number, source.clock)
        if waits and stream is not None:
            self._clocks[stream] = gathering.clock()
        return waits

    def _use(self, source: Point) -> None:
        source.users += 1
        if source.is_local and not is_inside(self._blocks[-1], source.block):
            source.is_local = False


def _clocks(clock: Clock, source: Point) -> Iterable[Clock]:
    return [clock] if source.clock is None else [clock, source.clock]


def _key(point: Point) -> tuple[int, int]:
    """The stream and number of a point; an event that somebody else recorded is a stream."""
    if point.stream is None:
        return -1 - point.index, 1
    return point.stream, point.sequence


def _reduced(successors: list[list[int]]) -> list[list[int]]:
    """The edges that no other way implies: along others no event is saved."""
    predecessors: list[list[int]] = [[] for _ in successors]
    for u, targets in enumerate(successors):
        for v in targets:
            predecessors[v].append(u)
    # Sets of nodes as the bits of a number.
    before = [0] * len(successors)
    reduced: list[list[int]] = [[] for _ in successors]
    for v, sources in enumerate(predecessors):
        implied = 0
        for u in sources:
            implied |= before[u]
        before[v] = implied
        for u in sources:
            before[v] |= 1 << u
            if not implied >> u & 1:
                reduced[u].append(v)
    return reduced


def _schedule(points: Sequence[Point], limit: int) -> list[int]:
    """Streams for the points if there may be `limit` only: each where it can begin first, as if
    all took the same time, and rather behind something that it needs."""
    free = [0] * limit
    tails: list[Point | None] = [None] * limit
    over = [0] * len(points)
    streams = [-1] * len(points)
    for point in points:
        before = (*point.needs, *point.order)
        ready = max((over[p.index] for p in before), default=0)
        over[point.index] = ready
        if not point.is_covered:
            continue
        needed = set(sources_of(point.needs)) if point.needs else set()
        best = min(range(limit), key=lambda s: (max(free[s], ready), tails[s] not in needed, s))
        over[point.index] = max(free[best], ready) + (1 if point.kind == "work" else 0)
        free[best] = over[point.index]
        tails[best] = point
        streams[point.index] = best
    return streams
