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

from xgpu.conversion.async_tokens.chain_cover import minimum_chains
from xgpu.conversion.async_tokens.clock import EMPTY, Clock, Gathering, merge
from xgpu.conversion.async_tokens.exclusive_chains import share
from xgpu.conversion.async_tokens.points import (
    Argument,
    CallToken,
    ForeignLaunch,
    Graph,
    HostWait,
    LoopExit,
    Merge,
    Passed,
    Point,
    Work,
    is_inside,
)
from xgpu.conversion.async_tokens.unit import At, Edge, Enter, Leave, Pop, Push, Unit
from xgpu.core.ir.calls import is_return


class Placement:
    """What the assignment finds of a point."""

    __slots__ = (
        "before", "clock", "is_local", "owned", "sequence", "stream", "users", "waits",
    )  # fmt: skip

    def __init__(self) -> None:
        #: The stream and the position on it; joins may have none.
        self.stream: int | None = None
        self.sequence = 0
        self.clock: Clock | None = None
        #: The points for whose events it waits.
        self.waits: list[Point] = []
        #: Joins that have their place on the stream right before the point; of a host wait the
        #: points for whose streams the host waits.
        self.before: list[Point] = []
        #: How many wait for the point's event, and whether all of them are in its block.
        self.users = 0
        self.is_local = True
        #: Returned tokens that record an event of their own right here.
        self.owned: list[Passed] = []


class Streams:
    """The assignment of one unit: `of` has for each point what it finds, and `edge_waits`."""

    __slots__ = (
        "_blocks", "_clocks", "_ends", "_host", "_placed", "_sequence", "_stack", "_tails", "count",
        "edge_waits", "of", "unit",
    )  # fmt: skip

    def __init__(self, unit: Unit, *, few_events: bool = False, limit: int = 0) -> None:
        self.unit = unit
        self.of = {point: Placement() for point in unit.points}
        #: Joins that have a place on a stream.
        self._placed: set[Point] = set()
        #: Operation -> (merge, successor, points that the merge's stream waits for there)
        self.edge_waits: dict[Operation, list[tuple[Merge, int | None, list[Point]]]] = {}
        self.count = self._assign(few_events, limit)
        self._clocks: dict[int, Clock] = {}
        self._host = EMPTY
        self._tails: dict[int, Point] = {}
        self._sequence = 0
        self._stack: list[tuple[dict[int, Clock], Clock]] = [({}, EMPTY)]
        self._ends: dict[Block, tuple[dict[int, Clock], Clock]] = {}
        self._blocks: list[Block] = []
        self._walk()

    def stream(self, point: Point) -> int:
        """The stream of a point that has one."""
        stream = self.of[point].stream
        assert stream is not None
        return stream

    def _sources(self, points: Iterable[Point]) -> list[Point]:
        return self.unit.sources(points, self._placed)

    # --- streams -----------------------------------------------------------------------------
    def _assign(self, few_events: bool, limit: int) -> int:
        unit = self.unit
        points, number = unit.points, unit.number
        successors: list[list[int]] = [[] for _ in points]
        for point in points:
            for before in dict.fromkeys((*unit.needs[point], *unit.order[point])):
                successors[number[before]].append(number[point])
        covered = [point in unit.on_stream for point in points]
        if few_events:
            successors = _reduced(successors)
        chains = minimum_chains(successors, covered, through=not few_events)
        blocks = [p.block if c else None for p, c in zip(points, covered, strict=True)]
        chains = share(blocks, successors, chains)
        count = max(chains, default=-1) + 1
        if limit and count > limit:
            chains = _schedule(unit, limit)
            count = limit
        for point, chain in zip(points, chains, strict=True):
            if chain >= 0:
                self.of[point].stream = chain
        return count

    # --- the walk ----------------------------------------------------------------------------
    def _walk(self) -> None:
        for step in self.unit.script:
            match step:
                case At():
                    self._point(step.point)
                case Edge():
                    self._edge(step.op)
                case Enter():
                    self._blocks.append(step.block)
                    parent = self.unit.dominator.get(step.block)
                    clocks, host = self._stack[-1] if parent is None else self._ends[parent]
                    self._clocks, self._host = dict(clocks), host
                case Leave():
                    self._blocks.pop()
                    self._ends[step.block] = (self._clocks, self._host)
                case Push():
                    self._stack.append((self._clocks, self._host))
                case Pop():
                    self._clocks, self._host = self._stack.pop()

    def _point(self, point: Point) -> None:
        if point in self.unit.through:
            return
        placement = self.of[point]
        match point:
            case LoopExit():
                placement.stream = self.of[point.merge].stream
                self._append(point)
            case Merge():
                self._append(point)
            case Passed():
                self._pass(point, placement)
            case HostWait():
                self._wait(point, placement)
            case Argument() | CallToken() | ForeignLaunch():
                sources = self._sources(self.unit.needs[point])
                placement.waits = self._needed(None, sources)
            case _:
                self._work(point, placement)

    def _work(self, point: Point, placement: Placement) -> None:
        needs = self.unit.needs[point]
        for need in needs:
            self._place_join(need, point)
        placement.waits = self._needed(placement.stream, self._sources(needs))
        self._append(point)
        if not point.is_async:
            assert placement.clock is not None
            done = {self.stream(point): placement.sequence}
            self._host = merge([self._host, placement.clock], done)

    def _append(self, point: Point) -> None:
        """Puts a point at the end of its stream."""
        placement, stream = self.of[point], self.stream(point)
        self._sequence += 1
        placement.sequence = self._sequence
        placement.clock = self._clocks.get(stream, EMPTY)
        self._tails[stream] = point

    def _place_join(self, join: Point, point: Point) -> None:
        """Gives a join for which several wait a place before the first of them, so that they wait
        for one event and not for one of each of its sources, if nothing else is ordered by it."""
        unit = self.unit
        if join not in unit.through or join in self._placed or unit.forks.get(join, 0) < 2:
            return
        sources = self._sources([join])
        stream = self.stream(point)
        if len(sources) < 2 or join.block is not point.block:
            return
        tail = self._tails.get(stream)
        if tail is not None and tail not in sources:
            clocks = [c for p in sources if (c := self.of[p].clock) is not None]
            known = max((clock.known(stream) for clock in clocks), default=0)
            if max(known, self._host.known(stream)) < self.of[tail].sequence:
                return
        placement = self.of[join]
        placement.waits = self._needed(stream, sources)
        placement.stream = stream
        self._placed.add(join)
        self._append(join)
        self.of[point].before.append(join)

    def _pass(self, point: Passed, placement: Placement) -> None:
        sources = self._sources(self.unit.needs[point])
        if point in self.unit.on_stream:
            placement.waits = self._needed(placement.stream, sources)
            self._append(point)
        elif sources and is_return(point.op):
            self.of[sources[0]].owned.append(point)
        elif sources:
            placement.waits = sources
            self._use(sources[0])

    def _wait(self, point: HostWait, placement: Placement) -> None:
        """The host waits: for a stream where nothing follows what it waits for, else an event."""
        for source in self._sources(self.unit.needs[point]):
            key, number = self._key(source)
            if self._host.known(key) >= number:
                continue
            stream = self.of[source].stream
            if stream is not None and self._tails[stream] is source:
                placement.before.append(source)
            else:
                placement.waits.append(source)
                self._use(source)
            self._host = merge(self._known(self._host, source), {key: number})

    def _edge(self, op: Operation) -> None:
        for point, successor, value in self.unit.edges.get(op, ()):
            stream = self.stream(point)
            known = self._clocks.get(stream, EMPTY)
            waits = self._needed(stream, self._sources([self.unit.of[value]]))
            if successor is not None:
                # What is waited for on one way out of a block is not on the others.
                self._clocks[stream] = known
            if waits:
                self.edge_waits.setdefault(op, []).append((point, successor, waits))

    def _needed(self, stream: int | None, sources: Sequence[Point]) -> list[Point]:
        """What `stream` must wait for, so that all of `sources` are over. None: any stream."""
        clock = EMPTY if stream is None else self._clocks.get(stream, EMPTY)
        if len(sources) == 1:
            (source,) = sources
            key, number = self._key(source)
            if key == stream or max(clock.known(key), self._host.known(key)) >= number:
                return []
            self._use(source)
            if stream is not None:
                self._clocks[stream] = merge(self._known(clock, source), {key: number})
            return [source]
        waits: list[Point] = []
        gathering = Gathering(clock)
        # What comes last may imply others, which come before it.
        for source in sources:
            key, number = self._key(source)
            if key == stream or max(gathering.known(key), self._host.known(key)) >= number:
                continue
            waits.append(source)
            self._use(source)
            gathering.add(key, number, self.of[source].clock)
        if waits and stream is not None:
            self._clocks[stream] = gathering.clock()
        return waits

    def _use(self, source: Point) -> None:
        placement = self.of[source]
        placement.users += 1
        if placement.is_local and not is_inside(self._blocks[-1], source.block):
            placement.is_local = False

    def _known(self, clock: Clock, source: Point) -> Iterable[Clock]:
        own = self.of[source].clock
        return [clock] if own is None else [clock, own]

    def _key(self, point: Point) -> tuple[int, int]:
        """The stream and number of a point; an event that somebody else recorded is a stream."""
        placement = self.of[point]
        if placement.stream is None:
            return -1 - self.unit.number[point], 1
        return placement.stream, placement.sequence


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


def _schedule(unit: Unit, limit: int) -> list[int]:
    """Streams for the points if there may be `limit` only: each where it can begin first, as if
    all took the same time, and rather behind something that it needs."""
    free = [0] * limit
    tails: list[Point | None] = [None] * limit
    over: dict[Point, int] = {}
    streams: list[int] = []
    for point in unit.points:
        before = (*unit.needs[point], *unit.order[point])
        ready = max((over[p] for p in before), default=0)
        over[point] = ready
        if point not in unit.on_stream:
            streams.append(-1)
            continue
        needed = set(unit.sources(unit.needs[point]))
        best = min(range(limit), key=lambda s: (max(free[s], ready), tails[s] not in needed, s))
        is_work = isinstance(point, Work | Graph)
        over[point] = max(free[best], ready) + (1 if is_work else 0)
        free[best] = over[point]
        tails[best] = point
        streams.append(best)
    return streams
