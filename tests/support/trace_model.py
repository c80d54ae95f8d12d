# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Happens-before of PTX's memory model over one execution of a kernel.

`memory_model` enumerates the executions of a litmus test. A kernel has too many, so `Memory`
follows one of them, access by access in the order in which they are executed: each read reads the
last write. What is ordered is causality order as `memory_model` has it: program order, barriers,
the order of fence.sc operations, and a release pattern whose write an acquire pattern observes.
Observation passes through morally strong reads and through the two halves of an atomic operation.

A race is two conflicting accesses that are neither morally strong nor ordered. Where both orders of
the two give the same values, the race is counted in `equal`; else it raises `Found`, or is counted
in `races`. An access out of bounds, a read of what is not initialized and a wrong use of a barrier
raise `Found`.

An asynchronous copy (`cp.async`) is done at once, by an agent of its thread whose clock is the
number of the copy's group. A thread knows of its agent what it has waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Clock = np.ndarray[Any, np.dtype[np.int64]]


class Found(Exception):
    """A mistake: its kind ("race", "memory", "init", "sync") and what it is."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class Cell:
    """An element of an array. `writes` has its writes by agent, scope, value and number. `reads`
    has the last read of each agent, scope and value, and each read that belongs to a write. One
    entry is not enough: a thread that observes a write need not observe the ones before it. `last`
    is the agent and the scope of the last write, `messages` what it carries: the knowledge that a
    thread released, by thread and scope. `chain` has the numbers of the writes that a strong read
    of the cell observes. From `many` accesses on, those that no later access can race with are
    left out."""

    __slots__ = ("chain", "last", "many", "messages", "place", "reads", "value", "writes")

    def __init__(self, place: str, value: int | None) -> None:
        self.place = place
        self.value = value
        self.writes: dict[tuple[int, str, int, int], tuple[int, int | None]] = {}
        self.reads: dict[tuple[int, str, int, int], int] = {}
        self.last: tuple[int, str] = (-1, "")
        self.messages: dict[tuple[int, str], Knowledge] = {}
        self.chain: frozenset[int] = frozenset()
        self.many = 32


@dataclass(frozen=True)
class Knowledge:
    """What is ordered before: the clock of each agent, and of single cells the numbers of the
    writes that were observed. Not changed once made."""

    clock: Clock
    observed: dict[Cell, frozenset[int]]

    def joined(self, others: Iterable[Knowledge]) -> Knowledge:
        """With what others know."""
        every = [self, *others]
        clock = np.maximum.reduce([one.clock for one in every])
        observed: dict[Cell, frozenset[int]] = {}
        for one in every:
            for cell, seen in one.observed.items():
                known = observed.get(cell)
                observed[cell] = seen if known is None or known is seen else known | seen
        return Knowledge(clock, observed)


@dataclass(frozen=True)
class Pointer:
    """An element of an array, which need not exist."""

    cells: Sequence[Cell]
    name: str
    offset: int = 0

    def at(self, index: int) -> Pointer:
        """The element `index` further on."""
        return Pointer(self.cells, self.name, self.offset + int(index))


@dataclass
class _Mbarrier:
    """An mbarrier: arrivals that a phase expects and still lacks, the phases that are over, what
    arrivals of this phase and of the last one knew."""

    expected: int
    pending: int
    phase: int = 0
    arrived: list[Knowledge] = field(default_factory=list)
    over: Knowledge | None = None


def array(name: str, values: Iterable[int | None]) -> Pointer:
    """An array; None for elements that are not initialized."""
    return Pointer([Cell(f"{name}[{i}]", v) for i, v in enumerate(values)], name)


class Memory:
    """One execution of `blocks` blocks of `threads` threads, which are numbered through. It ends
    with the first race of different values, or goes on if not `stops`."""

    def __init__(self, blocks: int, threads: int, stops: bool = True) -> None:
        self.stops = stops
        self.races = 0
        self.threads = threads
        self.count = blocks * threads
        first = Knowledge(np.zeros(2 * self.count, np.int64), {})
        self.know = [first] * self.count
        self.own = [1] * self.count
        self.equal = 0
        self._number = 0
        self.changes = 0
        self.accesses = 0
        # By thread: what its last fence of a scope released, and messages that no fence has
        # acquired yet; by cell too for what a release or an acquire at that cell concerns.
        self._released: list[dict[tuple[Cell | None, str], Knowledge]] = [
            {} for _ in range(self.count)
        ]
        self._pending: list[dict[Cell, dict[tuple[int, str], Knowledge]]] = [
            {} for _ in range(self.count)
        ]
        self._fences: dict[tuple[int, str], Knowledge] = {}
        self._groups = [0] * self.count
        self._mbarriers: dict[Cell, _Mbarrier] = {}

    def block(self, thread: int) -> int:
        """The block of a thread."""
        return thread // self.threads

    # Order.

    def _meet(self, a: int, scope_a: str, b: int, scope_b: str) -> bool:
        """Whether operations of these threads and scopes ("" for weak) are morally strong."""
        if a == b:
            return a < self.count
        if not scope_a or not scope_b or max(a, b) >= self.count:
            return False
        return scope_a == scope_b == "gpu" or self.block(a) == self.block(b)

    def _snapshot(self, thread: int) -> Knowledge:
        """What a thread knows, with what it has done so far, which ends here."""
        known = self.know[thread]
        clock = known.clock.copy()
        clock[thread] = self.own[thread]
        self.own[thread] += 1
        return Knowledge(clock, known.observed)

    def _acquire(self, thread: int, scope: str, cells: Iterable[Cell]) -> None:
        """Take over what arrived at these cells and was released in a scope that meets this one."""
        found = [
            known
            for cell in cells
            for (other, released), known in self._pending[thread].get(cell, {}).items()
            if self._meet(other, released, thread, scope)
        ]
        if found:
            self.know[thread] = self.know[thread].joined(found)

    def fence(self, thread: int, scope: str, sc: bool = True, _: None = None) -> None:
        """fence.sc or fence.acq_rel."""
        self._acquire(thread, scope, list(self._pending[thread]))
        block = self.block(thread)
        if sc:
            # Fences of the grid meet one another, and all fences of a block do.
            meet = [(block, "cta"), (-1, "gpu") if scope == "gpu" else (block, "gpu")]
            before = [self._fences[key] for key in meet if key in self._fences]
            if before:
                self.know[thread] = self.know[thread].joined(before)
        now = self._snapshot(thread)
        self._released[thread][None, scope] = now
        if sc:
            for key in [(block, scope), *([(-1, "gpu")] if scope == "gpu" else [])]:
                old = self._fences.get(key)
                self._fences[key] = now if old is None else now.joined([old])

    def arrive(self, thread: int) -> Knowledge:
        """What a thread hands to a barrier."""
        return self._snapshot(thread)

    def barrier(self, arrived: Sequence[Knowledge], waiting: Iterable[int]) -> None:
        """A barrier that is over: who waits knows what was known on arrival."""
        everyone = arrived[0].joined(arrived[1:])
        for thread in waiting:
            self.know[thread] = everyone

    # Accesses.

    def cell(self, pointer: Pointer, thread: int, what: str) -> Cell:
        """The element that a pointer points to."""
        self.accesses += 1
        if not 0 <= pointer.offset < len(pointer.cells):
            raise Found("memory", f"thread {thread} {what}s {pointer.name}[{pointer.offset}]")
        return pointer.cells[pointer.offset]

    def _read(self, cell: Cell, thread: int, agent: int, scope: str, number: int = 0) -> int:
        """The read of an agent, which knows what `thread` knows. `number` is that of the write that
        belongs to it: what orders the write of an atomic operation orders its read."""
        if cell.value is None:
            raise Found("init", f"thread {thread} reads {cell.place}")
        ordered = set[int]()
        beside: list[tuple[int, int | None, int]] = []
        for (other, other_scope, value, write), (epoch, old) in cell.writes.items():
            if self._ordered(thread, agent, other, epoch, scope, other_scope, cell, write):
                ordered.add(value)
            else:
                beside.append((value, old, other))
        for value, old, other in beside:
            # Another write may have given the same value in an order that is kept.
            same = value == cell.value and (old == value or value in ordered)
            self._race(not same, cell, thread, "reads", other, "wrote")
        cell.reads[agent, scope, cell.value, number] = self._epoch(agent)
        return cell.value

    def _write(self, cell: Cell, value: int, thread: int, agent: int, scope: str) -> None:
        for (other, other_scope, before, number), (epoch, _) in cell.writes.items():
            if not self._ordered(thread, agent, other, epoch, scope, other_scope, cell, number):
                self._race(before != value, cell, thread, "writes", other, "wrote")
        for (other, other_scope, before, number), epoch in cell.reads.items():
            if not self._ordered(thread, agent, other, epoch, scope, other_scope, cell, number):
                self._race(before != value, cell, thread, "writes", other, "read")
        if len(cell.writes) + len(cell.reads) >= cell.many:
            self._forget(cell)
        self.changes += cell.value != value
        self._number += 1
        cell.writes[agent, scope, value, self._number] = (self._epoch(agent), cell.value)
        cell.value = value
        cell.last = (agent, scope)

    def _forget(self, cell: Cell) -> None:
        """Leave out the accesses that are ordered before all that follows, in each thread."""
        clocks = np.stack([one.clock for one in self.know])
        # A thread's own accesses are ordered before its next one.
        np.fill_diagonal(clocks, np.iinfo(np.int64).max)
        known = clocks.min(axis=0)
        cell.writes = {k: v for k, v in cell.writes.items() if known[k[0]] < v[0]}
        cell.reads = {k: v for k, v in cell.reads.items() if known[k[0]] < v}
        cell.many = max(cell.many, 2 * (len(cell.writes) + len(cell.reads)))

    def _epoch(self, agent: int) -> int:
        return self.own[agent] if agent < self.count else self._groups[agent - self.count] + 1

    def _ordered(
        self, thread: int, agent: int, other: int, epoch: int, scope: str, other_scope: str,
        cell: Cell | None = None, number: int = 0,
    ) -> bool:  # fmt: skip
        """Whether an access is ordered before another one, or morally strong with it. Of a write
        `cell` and its number are given: it may have been observed."""
        if other == thread or self._meet(other, other_scope, agent, scope):
            return True
        known = self.know[thread]
        if known.clock[other] >= epoch:
            return True
        return cell is not None and number in known.observed.get(cell, ())

    def _race(
        self, differs: bool, cell: Cell, thread: int, does: str, other: int, did: str
    ) -> None:
        if differs:
            self.races += 1
            if not self.stops:
                return
            raise Found("race", f"thread {thread} {does} {cell.place}, thread {other} {did} it")
        self.equal += not differs

    def load(self, thread: int, pointer: Pointer) -> int:
        """A plain load."""
        return self._read(self.cell(pointer, thread, "read"), thread, thread, "")

    def store(self, thread: int, pointer: Pointer, value: int) -> int:
        """A plain store."""
        cell = self.cell(pointer, thread, "write")
        value = _wrapped(value)
        self._write(cell, value, thread, thread, "")
        # Its own thread's reads of it are morally strong.
        cell.messages, cell.chain = {}, frozenset((self._number,))
        return value

    def strong(
        self, thread: int, pointer: Pointer, order: str, scope: str,
        change: Callable[[int], int | None] | None = None, value: int | None = None,
        used: bool = True,
    ) -> int:  # fmt: skip
        """A strong load; with `value` a strong store; with `change` an atomic operation, whose new
        value is what it makes of the old one, None for no write. `order` is relaxed, acquire,
        release or acq_rel. One whose result is not used acquires nothing. The old value."""
        cell = self.cell(pointer, thread, "write" if value is not None else "read")
        old = 0
        observed: dict[tuple[int, str], Knowledge] = {}
        chain = frozenset[int]()
        if value is None:
            before = cell.value
            writes = change is not None and before is not None and change(before) is not None
            if self._meet(*cell.last, thread, scope):
                observed, chain = cell.messages, cell.chain
                if used and observed:
                    self._pending[thread].setdefault(cell, {}).update(observed)
            if used and order in ("acquire", "acq_rel"):
                # The read itself is behind what it acquires.
                self._acquire(thread, scope, [cell])
            # What it observes is before all that follows it, such as the write that belongs to it.
            if writes:
                self._observe(thread, cell, chain)
            old = self._read(cell, thread, thread, scope, self._number + 1 if writes else 0)
            if not writes:
                self._observe(thread, cell, chain)
        new = change(old) if change is not None else value
        if new is not None:
            self._publish(cell, _wrapped(new), thread, order, scope, observed, chain)
        return old

    def _observe(self, thread: int, cell: Cell, chain: frozenset[int]) -> None:
        if chain:
            seen = Knowledge(self.know[thread].clock, {cell: chain})
            self.know[thread] = self.know[thread].joined([seen])

    def _publish(
        self, cell: Cell, value: int, thread: int, order: str, scope: str,
        observed: dict[tuple[int, str], Knowledge], chain: frozenset[int],
    ) -> None:  # fmt: skip
        """A strong write, with what it hands on and what its thread has released."""
        self._write(cell, value, thread, thread, scope)
        released = self._released[thread]
        kept = {number for _, _, _, number in cell.writes}
        chain = (chain & kept) | {self._number}
        if order in ("release", "acq_rel"):
            released[cell, scope] = self._snapshot(thread)
        messages = dict(observed)
        for (at, released_scope), known in released.items():
            if at is None or at is cell:
                old = messages.get((thread, released_scope))
                messages[thread, released_scope] = known if old is None else old.joined([known])
        cell.messages, cell.chain = messages, chain

    # Asynchronous copies.

    def copy(self, thread: int, to: Pointer, source: Pointer) -> None:
        """A cp.async of an element."""
        agent = self.count + thread
        value = self._read(self.cell(source, thread, "read"), thread, agent, "")
        cell = self.cell(to, thread, "write")
        self._write(cell, value, thread, agent, "")
        cell.messages, cell.chain = {}, frozenset()

    def commit(self, thread: int) -> None:
        """The copies so far are a group."""
        self._groups[thread] += 1

    def wait(self, thread: int, pending: int) -> None:
        """All groups but the last `pending` are over."""
        known = self.know[thread]
        clock = known.clock.copy()
        agent = self.count + thread
        clock[agent] = max(int(clock[agent]), self._groups[thread] - pending)
        self.know[thread] = Knowledge(clock, known.observed)

    # Mbarriers.

    def mbarrier_init(self, thread: int, pointer: Pointer, count: int, _: None = None) -> None:
        """Initialize an mbarrier, as a plain write."""
        self.store(thread, pointer, count)
        self._mbarriers[self.cell(pointer, thread, "write")] = _Mbarrier(count, count)

    def _mbarrier(self, thread: int, pointer: Pointer) -> _Mbarrier:
        """The mbarrier there, whose initialization has to be known."""
        self.load(thread, pointer)
        return self._mbarriers[self.cell(pointer, thread, "read")]

    def mbarrier_arrive(self, thread: int, pointer: Pointer, _: None = None) -> None:
        """An arrival, which releases."""
        barrier = self._mbarrier(thread, pointer)
        barrier.arrived.append(self._snapshot(thread))
        barrier.pending -= 1
        if not barrier.pending:
            barrier.over = barrier.arrived[0].joined(barrier.arrived[1:])
            barrier.arrived, barrier.pending = [], barrier.expected
            barrier.phase += 1
        self.changes += 1

    def mbarrier_test(self, thread: int, pointer: Pointer, parity: int) -> bool:
        """Whether the phase of this parity is over; what came before it is known then."""
        barrier = self._mbarrier(thread, pointer)
        if barrier.phase & 1 == parity & 1:
            return False
        if barrier.over is not None:
            self.know[thread] = self.know[thread].joined([barrier.over])
        return True


def _wrapped(value: int) -> int:
    """As an `int` of 32 bits."""
    return (int(value) + (1 << 31)) % (1 << 32) - (1 << 31)
