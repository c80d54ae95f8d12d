# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On which stream each point runs, and which points it waits for by an event."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Block, Operation

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
from xgpu.conversion.async_tokens.units import At, Edge, Enter, Leave, Pop, Push, Unit
from xgpu.core.ir.calls import is_return

# --- clock ---------------------------------------------------------------------------------------
# Vector clocks: up to which point of each stream something has been waited for.
#
# A clock is a dict over another clock. Many streams that wait for the same point share what that
# point knew, so that forks and joins of any width cost what they change.


_DEPTH = 8


class Clock:
    """Stream -> the number of the last point that is known to be over."""

    __slots__ = ("_base", "_depth", "_own", "_size")

    def __init__(self, own: dict[int, int] | None = None, base: Clock | None = None) -> None:
        self._own = {} if own is None else own
        self._base = base
        self._depth = 0 if base is None else base._depth + 1
        self._size = len(self._own) + (0 if base is None else base._size)

    def known(self, stream: int) -> int:
        """The last point of `stream` that is over; 0 for none."""
        best = 0
        at: Clock | None = self
        while at is not None:
            best = max(best, at._own.get(stream, 0))
            at = at._base
        return best

    def _layers(self) -> Iterable[Clock]:
        at: Clock | None = self
        while at is not None:
            yield at
            at = at._base

    def _flatten(self) -> None:
        """Makes this clock one dict. Who shares it sees the same."""
        own = dict(self._own)
        at = self._base
        while at is not None:
            for stream, number in at._own.items():
                if own.get(stream, 0) < number:
                    own[stream] = number
            at = at._base
        self._own, self._base, self._depth, self._size = own, None, 0, len(own)


def merge(clocks: Iterable[Clock], points: Mapping[int, int]) -> Clock:
    """The clock that knows all that `clocks` know, and `points`."""
    listed = list({id(c): c for c in clocks}.values())
    own = dict(points)
    if not listed:
        return Clock(own)
    base = max(listed, key=lambda c: c._size)
    if base._depth >= _DEPTH:
        base._flatten()
    seen = {id(layer) for layer in base._layers()}
    for clock in listed:
        for layer in clock._layers():
            if id(layer) in seen:
                continue
            seen.add(id(layer))
            for stream, number in layer._own.items():
                if own.get(stream, 0) < number:
                    own[stream] = number
    return Clock(own, base) if own else base


class Gathering:
    """A clock that learns of many points, one after the other."""

    __slots__ = ("_base", "_own", "_seen")

    def __init__(self, base: Clock) -> None:
        self._base = base
        self._own: dict[int, int] = {}
        self._seen = {id(layer) for layer in base._layers()}

    def known(self, stream: int) -> int:
        return max(self._own.get(stream, 0), self._base.known(stream))

    def add(self, stream: int, number: int, clock: Clock | None) -> None:
        """A point has been waited for, and with it what its clock knows."""
        own = self._own
        own[stream] = max(own.get(stream, 0), number)
        for layer in clock._layers() if clock is not None else ():
            if id(layer) not in self._seen:
                self._seen.add(id(layer))
                for other, last in layer._own.items():
                    if own.get(other, 0) < last:
                        own[other] = last

    def clock(self) -> Clock:
        if self._base._depth >= _DEPTH:
            self._base._flatten()
        return Clock(self._own, self._base) if self._own else self._base


EMPTY = Clock()


# --- chain cover ---------------------------------------------------------------------------------
# Fewest chains that cover the nodes of an acyclic graph: Dilworth's theorem by matching.
#
# A chain is a sequence of nodes of which each reaches the next. Each node may have one next and be
# next of one, so the most pairs (u, v), u reaching v, in which each u and each v occurs once leave
# the fewest chains. Pairs are paths of a flow: it leaves u, follows edges through other nodes, and
# ends in v. So the transitive closure is never built. A greedy flow comes first; what it lacks is
# found by augmenting paths, several in each pass over the graph (Hopcroft and Karp's idea without
# their levels), until a pass finds none, which proves that there are none.


def minimum_chains(
    successors: Sequence[Sequence[int]], covered: Sequence[bool], *, through: bool = True
) -> list[int]:
    """The chain of each covered node, -1 for others; as few chains as there can be.

    Nodes are numbered so that edges lead to greater numbers. Nodes that are not covered are
    ways only. Without `through` covered nodes are no ways: a chain then follows
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


# --- exclusive chains ----------------------------------------------------------------------------
# Chains that can share a stream because some of their points exclude each other.
#
# What is in different branches of an `scf.if` is never there together. So two chains are as good as
# one if each point of the one is ordered with, or excludes, each of the other.


#: Operations of whose regions at most one is executed.
_BRANCHES = frozenset(("affine.if", "scf.if", "scf.index_switch"))

#: Relations between more points than this are not built: they grow with the square.
_MOST = 4000


def share(
    blocks: Sequence[Block | None], successors: Sequence[Sequence[int]], chains: list[int]
) -> list[int]:
    """The chain of each point, where those that can be one are one.

    `blocks` has the block of each point that is to have a chain.
    """
    excluded = _excluded(blocks)
    if not excluded or len(blocks) > _MOST:
        return chains
    related = _ordered(successors)
    for index, others in excluded.items():
        related[index] |= others
    count = max(chains, default=-1) + 1
    members = [0] * count
    good = [-1] * count
    for index, chain in enumerate(chains):
        if chain >= 0:
            members[chain] |= 1 << index
            good[chain] &= related[index]
    into = list(range(count))
    for chain in range(count):
        for other in range(chain):
            if into[other] == other and not members[chain] & ~good[other]:
                into[chain] = other
                members[other] |= members[chain]
                good[other] &= good[chain]
                break
    kept = {chain: i for i, chain in enumerate(dict.fromkeys(into))}
    return [kept[into[chain]] if chain >= 0 else -1 for chain in chains]


def _ordered(successors: Sequence[Sequence[int]]) -> list[int]:
    """For each node the set (as bits) of those before and behind it, and itself."""
    before = [1 << i for i in range(len(successors))]
    for u, targets in enumerate(successors):
        for v in targets:
            before[v] |= before[u]
    after = [1 << i for i in range(len(successors))]
    for u in range(len(successors) - 1, -1, -1):
        for v in successors[u]:
            after[u] |= after[v]
    return [b | a for b, a in zip(before, after, strict=True)]


def _excluded(blocks: Sequence[Block | None]) -> dict[int, int]:
    """For points in branches the set (as bits) of those in the other branches."""
    inside: dict[Operation, dict[int, int]] = {}
    branches: dict[int, list[tuple[Operation, int]]] = {}
    for index, inner in enumerate(blocks):
        block = inner
        while block is not None:
            op, region = block.parent_op(), block.parent
            if op is None or region is None:
                break
            if op.name in _BRANCHES:
                number = next(i for i, r in enumerate(op.regions) if r is region)
                masks = inside.setdefault(op, {})
                masks[number] = masks.get(number, 0) | 1 << index
                branches.setdefault(index, []).append((op, number))
            block = op.parent
    excluded: dict[int, int] = {}
    for index, found in branches.items():
        for op, number in found:
            for other, mask in inside[op].items():
                if other != number:
                    excluded[index] = excluded.get(index, 0) | mask
    return excluded


# --- streams -------------------------------------------------------------------------------------
# On which stream each point runs, and which points it waits for by an event.
#
# Streams are the chains of a least cover of the order that tokens and host waits make. Of what a
# point needs, what its stream has behind it, or has waited for already, needs no event: a walk in
# the order of the program keeps for each stream a clock of what it knows. What is known at the end
# of a block holds in the blocks that it dominates: control that comes there has passed that block
# after all that it knew of (`Unit.script`).


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
        """The stream and number of a point; an event that was recorded elsewhere is a stream."""
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
