# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX's memory model, axiom by axiom, for litmus tests: which outcomes are possible, and which
executions have a data race.

An execution is a choice of a trace for each thread, of the write that each read reads from, of an
order of the fence.sc operations, and of an order of morally strong writes. The axioms are those of
the PTX ISA (coherence, fence-sc, atomicity, no thin air, causality), with proxies as in the mixed
proxy model. A *data race* is two conflicting accesses, neither morally strong nor ordered by
causality.

Everything is enumerated: small programs only. A relation of `n` events is a list of `n` integers,
whose bits are the events that the row's event is related to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

from tests.support.litmus import Event, Litmus, Trace, domain_of, traces

Relation = list[int]
Outcome = dict[object, int | None]


@dataclass
class Execution:
    """A consistent execution. `races` are pairs of accesses that nothing orders. `unsynchronized`
    has those as well that are ordered by observation alone: a thread has seen a write by a strong
    read of its own, and then reads or writes the same location weakly. `stuck` says whether a
    thread waits for ever at a barrier."""

    outcome: Outcome
    races: list[tuple[Event, Event]]
    unsynchronized: list[tuple[Event, Event]]
    stuck: bool = False


def executions(test: Litmus, jumps: int = 2) -> Iterator[Execution]:
    """All consistent executions of a test. Final values of memory are those of all writes that no
    other write comes behind: one execution each."""
    domain = domain_of(test, jumps)
    everyone = [list(traces(test, n, domain, jumps)) for n in range(len(test.threads))]
    for chosen in product(*everyone):
        for synchronized, cut in _barriers(test, chosen):
            if _readable(test, cut):
                stuck = any(a is not b for a, b in zip(cut, chosen, strict=True))
                for execution in _Candidate(test, cut, synchronized).executions():
                    execution.stuck = stuck
                    yield execution


def _readable(test: Litmus, chosen: Sequence[Trace]) -> bool:
    """Whether something writes each value that is read."""
    written = {(e.location, e.value) for t in chosen for e in t.events if e.kind == "W"}
    return all(
        (e.location, e.value) in written or e.value == test.initial.get(e.location, 0)
        for t in chosen
        for e in t.events
        if e.kind == "R"
    )


Place = tuple[int, int]


def _barriers(
    test: Litmus, chosen: Sequence[Trace]
) -> Iterator[tuple[list[frozenset[Place]], list[Trace]]]:
    """The ways in which barriers complete, as sets of arrivals (thread, number of its event), and
    the traces up to barriers that do not. Arrivals without a number of threads all meet."""
    arrivals: dict[tuple[int, int, int, int | None], list[Place]] = {}
    for number, trace in enumerate(chosen):
        thread = test.threads[number]
        for i, event in enumerate(trace.events):
            if event.barrier is not None:
                identifier, quorum, _ = event.barrier
                key = (thread.gpu, thread.cta, identifier, quorum)
                arrivals.setdefault(key, []).append((number, i))
    ways = [list(_groups(places, key[3])) for key, places in arrivals.items()]
    for way in product(*ways):
        groups = [group for groups in way for group in groups]
        passed = frozenset[Place]().union(*groups)
        cut = [_cut(trace, number, passed) for number, trace in enumerate(chosen)]
        yield groups, cut


def _groups(places: list[Place], quorum: int | None) -> Iterator[list[frozenset[Place]]]:
    """The arrivals as sets of as many as a barrier waits for; the rest waits for ever."""
    if quorum is None:
        yield [frozenset(places)]
    elif len(places) < quorum:
        yield []
    else:
        for group in combinations(places, quorum):
            rest = [place for place in places if place not in group]
            for groups in _groups(rest, quorum):
                yield [frozenset(group), *groups]


def _cut(trace: Trace, number: int, passed: frozenset[Place]) -> Trace:
    """The trace up to a barrier that never completes; its registers are unknown then."""
    for i, event in enumerate(trace.events):
        if event.barrier is not None and (number, i) not in passed and not event.barrier[2]:
            known = any(e.kind == "R" for e in trace.events[i:])
            return Trace(trace.events[:i], {} if known else trace.registers)
    return trace


class _Candidate:
    """Executions of one choice of traces. The first events are the initial writes."""

    def __init__(
        self, test: Litmus, chosen: Sequence[Trace], groups: Sequence[frozenset[Place]]
    ) -> None:
        self.test = test
        self.registers: Outcome = {
            (n, register): value
            for n, trace in enumerate(chosen)
            for register, value in trace.registers.items()
        }
        self.events = [
            Event("W", -1, name, name, order="initial", value=test.initial.get(name, 0))
            for name in test.locations()
        ]
        self.initial = len(self.events)
        place: dict[Place, int] = {}
        for n, trace in enumerate(chosen):
            for i, event in enumerate(trace.events):
                place[n, i] = len(self.events)
                self.events.append(event)
        self.size = len(self.events)
        self.number_in_thread = {index: i for (_, i), index in place.items()}
        self.start = {n: place.get((n, 0), 0) for n in range(len(chosen))}
        self.barrier = self._relation(
            (place[a], place[b])
            for group in groups
            for a in group
            for b in group
            if a != b and a in place and b in place and not _only_arrives(self.events[place[b]])
        )
        self._static()

    def _relation(self, pairs: Iterator[tuple[int, int]]) -> Relation:
        rows = [0] * self.size
        for a, b in pairs:
            rows[a] |= 1 << b
        return rows

    def _where(self, relation: Callable[[int, int], int]) -> Relation:
        """The pairs of events for which a predicate holds."""
        indices = range(self.size)
        return self._relation((a, b) for a in indices for b in indices if relation(a, b))

    def _static(self) -> None:
        """What the traces alone decide."""
        events = self.events
        self.same_thread = lambda a, b: events[a].thread == events[b].thread >= 0
        memory = [event.kind in "RW" for event in events]
        self.po = self._where(lambda a, b: a < b and self.same_thread(a, b))
        self.address = self._where(
            lambda a, b: memory[a] and memory[b] and events[a].address == events[b].address
        )
        self.location = self._where(
            lambda a, b: memory[a] and memory[b] and events[a].location == events[b].location
        )
        self.same_proxy = self._where(lambda a, b: events[a].proxy == events[b].proxy)
        self.strong = [self._is_strong(event) for event in events]
        self.morally_strong = self._where(self._morally_strong)
        self.rmw = self._where(
            lambda a, b: (
                events[a].kind == "R"
                and events[b].kind == "W"
                and self.same_thread(a, b)
                and events[a].rmw == events[b].rmw >= 0
            )
        )
        self.dependency = self._where(
            lambda a, b: (
                events[b].kind == "W"
                and self.same_thread(a, b)
                and self.number_in_thread[a] in events[b].reads
            )
        )
        fences = [e.kind == "F" and e.order in ("acq_rel", "sc") for e in events]
        strong_write = [s and e.kind == "W" for s, e in zip(self.strong, events, strict=True)]
        strong_read = [s and e.kind == "R" for s, e in zip(self.strong, events, strict=True)]
        po_same = _both(self.po, self.address)
        self.release_pattern = self._where(
            lambda a, b: (
                strong_write[b]
                and (
                    (events[a].order == "release" and (a == b or po_same[a] >> b & 1))
                    or (fences[a] and self.po[a] >> b & 1)
                )
            )
        )
        self.acquire_pattern = self._where(
            lambda a, b: (
                strong_read[a]
                and (
                    (events[b].order == "acquire" and (a == b or po_same[a] >> b & 1))
                    or (fences[b] and self.po[a] >> b & 1)
                )
            )
        )

    def _is_strong(self, event: Event) -> bool:
        if event.kind == "F":
            return event.order in ("acq_rel", "sc")
        return event.kind in "RW" and event.order in ("relaxed", "acquire", "release")

    def _in_scope(self, a: int, b: int) -> bool:
        """Whether the scope of `a` includes the thread of `b`."""
        one, two = (self.test.threads[self.events[i].thread] for i in (a, b))
        scope = self.events[a].scope
        if scope == "sys":
            return True
        return one.gpu == two.gpu and (scope == "gpu" or (scope == "cta" and one.cta == two.cta))

    def _same_cta(self, a: int, b: int) -> bool:
        if self.events[a].thread < 0 or self.events[b].thread < 0:
            return False
        one, two = (self.test.threads[self.events[i].thread] for i in (a, b))
        return (one.gpu, one.cta) == (two.gpu, two.cta)

    def _morally_strong(self, a: int, b: int) -> bool:
        one, two = self.events[a], self.events[b]
        if a == b or one.thread < 0 or two.thread < 0:
            return False
        strong = self.strong[a] and self.strong[b]
        if one.thread != two.thread and not (
            strong and self._in_scope(a, b) and self._in_scope(b, a)
        ):
            return False
        both_memory = one.kind in "RW" and two.kind in "RW"
        return one.proxy == two.proxy and (not both_memory or one.address == two.address)

    # The choices.

    def executions(self) -> Iterator[Execution]:
        """All that satisfy the axioms."""
        events = self.events
        reads = [i for i, event in enumerate(events) if event.kind == "R"]
        writes = [i for i, event in enumerate(events) if event.kind == "W"]
        sources = [
            [
                w
                for w in writes
                if events[w].location == events[r].location
                and events[w].value == events[r].value
                and not (self.same_thread(w, r) and w > r)
            ]
            for r in reads
        ]
        if not all(sources):
            return
        fences = [i for i, e in enumerate(events) if e.kind == "F" and e.order == "sc"]
        for choice in product(*sources):
            rf = self._relation((w, r) for w, r in zip(choice, reads, strict=True))
            if _cyclic(_union(rf, self.dependency)):
                continue
            for order in self._fence_orders(fences):
                yield from self._with_coherence(rf, order, writes)

    def _fence_orders(self, fences: Sequence[int]) -> Iterator[Relation]:
        """Orders of the fence.sc operations, of those that are morally strong together."""
        seen = set[tuple[int, ...]]()
        for order in permutations(fences):
            pairs = [(a, b) for a, b in combinations(order, 2) if self.morally_strong[a] >> b & 1]
            if any(self.po[b] >> a & 1 for a, b in pairs):
                continue
            relation = self._relation(iter(pairs))
            if tuple(relation) not in seen:
                seen.add(tuple(relation))
                yield relation

    def _with_coherence(
        self, rf: Relation, fences: Relation, writes: Sequence[int]
    ) -> Iterator[Execution]:
        """The executions with these reads and this order of fences."""
        observation, kept = self._cause(rf, fences)
        cause = _union(kept, _compose(observation, kept))
        if not _irreflexive(_compose(rf, cause)):
            return
        needed = [0] * self.size
        for a in writes:
            for b in writes:
                ordered = a < self.initial <= b or cause[a] >> b & 1
                if ordered and self.location[a] >> b & 1:
                    needed[a] |= 1 << b
        needed = _closure(needed)
        free = [
            (a, b)
            for a, b in combinations(writes, 2)
            if self.location[a] >> b & 1
            and self.morally_strong[a] >> b & 1
            and not (needed[a] >> b | needed[b] >> a) & 1
        ]
        back = _inverse(rf)
        for directions in product((False, True), repeat=len(free)):
            co = list(needed)
            for (a, b), turned in zip(free, directions, strict=True):
                co[b if turned else a] |= 1 << (a if turned else b)
            co = _closure(co)
            if not _irreflexive(co):
                continue
            fr = _compose(back, co)
            strong = self.morally_strong
            between = _compose(_both(strong, fr), _both(strong, co))
            if any(_both(between, self.rmw)) or not _irreflexive(_compose(fr, cause)):
                continue
            races, unsynchronized = self._races(cause), self._races(kept)
            for memory in self._final(co, writes):
                yield Execution({**self.registers, **memory}, races, unsynchronized)

    def _cause(self, rf: Relation, fences: Relation) -> tuple[Relation, Relation]:
        """Observation order, and the causality order without it, aware of proxies."""
        observation = _union(_both(self.morally_strong, rf), self.rmw)
        chain = _compose(self.release_pattern, _closure(observation))
        sync = _both(self.morally_strong, _compose(chain, self.acquire_pattern))
        joins = _union(sync, fences, self.barrier)
        base = _closure(_union(self.po, joins))
        # Two accesses of one thread that only program order relates, and paths over
        # synchronization: both are in the closure, since program order is transitive.
        # From a write to a read, over atomic operations between.
        reads = sum(
            1 << i for i, event in enumerate(self.events)
            if event.kind == "R" and not event.is_hidden
        )  # fmt: skip
        observed = [
            row & reads if event.kind == "W" else 0
            for event, row in zip(self.events, _closure(observation), strict=True)
        ]
        return observed, self._preserved(base)

    def _preserved(self, base: Relation) -> Relation:
        """The part of base causality order that proxies keep."""
        events, indices = self.events, range(self.size)
        memory = [event.kind in "RW" for event in events]
        generic = [event.proxy == "generic" for event in events]
        fenced = self._where(
            lambda f, m: (
                events[f].kind == "F"
                and memory[m]
                and events[f].proxy == events[m].proxy
                and self._same_cta(f, m)
            )
        )
        leave = _compose(_both(base, _inverse(fenced)), base)
        enter = _compose(base, _both(base, fenced))
        through = _compose(_both(base, _inverse(fenced)), base, _both(base, fenced))
        alias = [e.kind == "F" and e.proxy == "alias" for e in events]
        to_alias = [row & sum(1 << i for i in indices if alias[i]) for row in base]
        columns = sum(1 << i for i in indices if generic[i])
        only = [(1 << self.size) - 1 if generic[i] else 0 for i in indices]

        def ends(relation: Relation, first: bool, last: bool) -> Relation:
            rows = [row & columns for row in relation] if last else relation
            return _both(rows, only) if first else rows

        by_alias = _compose(to_alias, base)
        leave_alias = _compose(_both(base, _inverse(fenced)), to_alias, base)
        enter_alias = _compose(to_alias, base, _both(base, fenced))
        through_alias = _compose(
            _both(base, _inverse(fenced)), to_alias, base, _both(base, fenced)
        )  # fmt: skip
        same = self._where(lambda a, b: events[a].proxy == events[b].proxy and self._same_cta(a, b))
        by_address = _union(
            ends(base, True, True), _both(base, same), ends(leave, False, True),
            ends(enter, True, False), through,
        )  # fmt: skip
        by_location = _union(
            ends(by_alias, True, True), ends(leave_alias, False, True),
            ends(enter_alias, True, False), through_alias,
        )  # fmt: skip
        return _union(_both(by_address, self.address), _both(by_location, self.location))

    def _races(self, cause: Relation) -> list[tuple[Event, Event]]:
        """Conflicting accesses that are neither morally strong nor ordered. A read-modify-write is
        one operation (PTX ISA, operation types): what orders its write orders its read."""
        events = self.events
        partner = {a: b for a in range(self.size) for b in range(self.size) if self.rmw[a] >> b & 1}
        parts = [(a, partner.get(a, a)) for a in range(self.size)]
        return [
            (events[a], events[b])
            for a, b in combinations(range(self.initial, self.size), 2)
            if self.location[a] >> b & 1
            and "W" in (events[a].kind, events[b].kind)
            and not self.morally_strong[a] >> b & 1
            and not any((cause[i] >> j | cause[j] >> i) & 1 for i in parts[a] for j in parts[b])
        ]

    def _final(self, co: Relation, writes: Sequence[int]) -> Iterator[Outcome]:
        last: dict[str, list[int]] = {}
        for write in writes:
            if not co[write]:
                last.setdefault(self.events[write].location, []).append(self.events[write].value)
        for values in product(*(sorted(set(v)) for v in last.values())):
            yield dict(zip(last, values, strict=True))


def _only_arrives(event: Event) -> bool:
    return event.barrier is not None and event.barrier[2]


# Relations.


def _union(*relations: Relation) -> Relation:
    rows = list(relations[0])
    for relation in relations[1:]:
        rows = [a | b for a, b in zip(rows, relation, strict=True)]
    return rows


def _both(one: Relation, two: Relation) -> Relation:
    return [a & b for a, b in zip(one, two, strict=True)]


def _compose(first: Relation, *others: Relation) -> Relation:
    for other in others:
        rows = list[int]()
        for row in first:
            out = 0
            while row:
                low = row & -row
                out |= other[low.bit_length() - 1]
                row ^= low
            rows.append(out)
        first = rows
    return first


def _inverse(relation: Relation) -> Relation:
    rows = [0] * len(relation)
    for a, row in enumerate(relation):
        while row:
            low = row & -row
            rows[low.bit_length() - 1] |= 1 << a
            row ^= low
    return rows


def _closure(relation: Relation) -> Relation:
    rows = list(relation)
    for middle in range(len(rows)):
        bit, reached = 1 << middle, rows[middle]
        rows = [row | reached if row & bit else row for row in rows]
    return rows


def _irreflexive(relation: Relation) -> bool:
    return not any(row >> i & 1 for i, row in enumerate(relation))


def _cyclic(relation: Relation) -> bool:
    return not _irreflexive(_closure(relation))
