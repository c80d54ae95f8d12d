# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow that differs among lanes, as masks: one walk over a region's levels.

A walk follows a level from node to node. Where a branch is uniform and its two sides are apart, it
stays a branch. Where lanes part, both sides are done one after the other, each under the mask of
the lanes that take it, and passed over if there is none; block arguments where they meet again are
selects. Sides that are not apart (shared tails) are done node by node in topological order, each
under the mask of its edges. A loop that lanes leave at different times runs while any lane is in
it; what leaves it is kept, lane by lane, as it was when the lane left.

A side that does little more than read and write memory is there twice where scalars tell whether
all lanes take it (`x < n` in the middle of an array): once for all, without a mask.

Every edge that is taken leaves a `Record`: for which lanes, with which operands. Records of a node
meet in `_arrive`; those that leave the level (to the loop's header, or out of the loop) are handed
to the caller.

Invariant: whoever emits operations does so where at least one lane of the mask is set. So a load
from a uniform address is a plain load. `_guarded` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.dominance import Edge
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.vectors.emission import Builder, Emitted
from xgpu.host_device.compiler.vectors.graph import END, Level
from xgpu.host_device.compiler.vectors.reconvergence import Meetings
from xgpu.host_device.compiler.vectors.records import Mask, Record
from xgpu.host_device.compiler.vectors.uniformity import Uniformity
from xgpu.host_device.sanitizer.instrument.bounds import is_bounds_check
from xgpu.host_device.sanitizer.instrument.screening_marks import is_check

#: So many operations without effects are done rather than passed over.
_CHEAP = 6
#: A side of so many operations may be there twice.
_MOST_TWICE = 128
_HARMLESS = operations.TERMINATORS | operations.HINTS | {"llvm.addrspacecast"}


class Walk(Meetings):
    """Emits the blocks of a region; operations by `emit`, values by `get` and `bind`."""

    def __init__(
        self,
        uniformity: Uniformity,
        builder: Builder,
        get: Callable[[SSAValue], Emitted],
        bind: Callable[[SSAValue, Emitted], None],
        emit: Callable[[Operation, int, Mask], None],
    ) -> None:
        super().__init__(uniformity, builder, get, bind)
        self.emit = emit
        self._leaving: tuple[Edge, Block] | None = None
        self._left: Record | None = None
        self._live_out: dict[int, list[SSAValue]] = {}
        self._wanted: list[SSAValue] = []

    # -- levels

    def region(self, level: Level, stop: int, mask: Mask) -> None:
        """Emits a region from its entry up to, and with, the block `stop`, where all lanes end."""
        if level.entry != stop:
            self._chain(level, level.entry, stop, mask)
            self._arrive(stop, mask)
        self._operations(stop, mask)

    def _chain(self, level: Level, node: int, stop: int, mask: Mask) -> None:
        """Emits nodes from `node` until `stop`, which is not emitted; END stops at the level's."""
        while node != stop:
            if level.inner.get(node) is not None:
                following = self._loop_node(level, node, mask)
            else:
                self._operations(node, mask)
                following = self._branch(level, node, mask)
            if following in (END, stop):
                return
            self._arrive(following, mask)
            node = following

    def _operations(self, block: int, mask: Mask) -> None:
        for op in self.graph.blocks[block].ops:
            if op.name not in operations.TERMINATORS:
                self.emit(op, block, mask)

    def _deliver(self, level: Level, edge: Edge, mask: Mask) -> int:
        """Records that the lanes of `mask` take an edge; the node that it leads to."""
        live = self._live(edge) if level.to(edge) == END else {}
        record = Record(edge, mask, self._operands(edge), live)
        return self._hand_over(level, record)

    def _hand_over(self, level: Level, record: Record) -> int:
        target = level.to(record.edge)
        if target == END:
            self._ends.append(record)
        else:
            self._incoming.setdefault(target, []).append(record)
        return target

    def _operands(self, edge: Edge) -> list[Emitted]:
        last = cast("Operation", self.graph.blocks[edge[0]].last_op)
        return [self.get(v) for v in successor_operands(last, edge[1]) or ()]

    def _live(self, edge: Edge) -> dict[SSAValue, Emitted]:
        """What the loop around must keep of the values that it leaves behind."""
        if not self._wanted:
            return {}
        found: dict[SSAValue, Emitted] = {}
        for value in self._wanted:
            home = self.u.home(value)
            if home is not None and self.graph.dominates(home, edge[0]):
                found[value] = self.get(value)
        return found

    # -- branches

    def _branch(self, level: Level, node: int, mask: Mask) -> int:
        """Emits what a block's branch leads to, up to where its ways meet; that node."""
        out = level.out[node]
        if len(out) == 1:
            return self._deliver(level, out[0], mask)
        if not out:
            return END
        leaving = self._leaving
        if leaving is not None and leaving[0] in out:
            return self._leave(level, node, mask)
        condition = self.graph.blocks[node].last_op.operands[0]  # type: ignore[union-attr]
        stop = level.after[node]
        sides = [level.between([level.to(e)], stop) for e in out]
        if not self._are_apart(level, node, sides):
            self._by_edges(level, node, condition, mask)
        elif self.u.at(condition, node).is_uniform:
            self._uniform_sides(level, out, condition, stop, mask)
        else:
            self._divergent_sides(level, out, condition, sides, stop, mask)
        return stop

    def _leave(self, level: Level, node: int, mask: Mask) -> int:
        """The branch by which all lanes leave a uniform loop."""
        assert self._leaving is not None
        (edge, after), self._leaving = self._leaving, None
        self._left = Record(edge, mask, self._operands(edge), {})
        condition = self._scalar(self.graph.blocks[node].last_op.operands[0])  # type: ignore[union-attr]
        stay = self.b.new_block()
        then, otherwise = (after, stay) if edge[1] == 0 else (stay, after)
        self.b.cond_branch(condition, then, otherwise)
        self.b.enter(stay)
        return self._deliver(level, (node, 1 - edge[1]), mask)

    def _are_apart(self, level: Level, node: int, sides: list[list[int]]) -> bool:
        """Whether the sides share no node, and are entered from `node` alone."""
        first, second = set(sides[0]), set(sides[1])
        if first & second:
            return False
        for side in (first, second):
            for inner in side:
                for b, _ in self.graph.edges_in[inner]:
                    source = level.node_of(b)
                    if source not in side and source != node and source != inner:
                        return False
        return True

    def _side(self, level: Level, edge: Edge, stop: int, mask: Mask) -> None:
        target = self._deliver(level, edge, mask)
        if target not in (stop, END):
            self._arrive(target, mask)
            self._chain(level, target, stop, mask)

    def _uniform_sides(
        self, level: Level, out: list[Edge], condition: SSAValue, stop: int, mask: Mask
    ) -> None:
        blocks = [self.b.new_block(), self.b.new_block()]
        join = self.b.new_block()
        self.b.cond_branch(self._scalar(condition), blocks[0], blocks[1])
        outcomes: list[tuple[Block, list[Record]]] = []
        for block, edge in zip(blocks, out, strict=True):
            self.b.enter(block)
            records = self._collect(stop, lambda edge=edge: self._side(level, edge, stop, mask))
            if stop != END:
                records = [self._combined(records, stop, mask)]
            outcomes.append((self.b.current, records))
        self._join_sides(outcomes, join, stop, mask)

    def _divergent_sides(
        self,
        level: Level,
        out: list[Edge],
        condition: SSAValue,
        sides: list[list[int]],
        stop: int,
        mask: Mask,
    ) -> None:
        lanes = self.b.as_lanes(self.get(condition))
        taken = (self.b.both(mask, lanes), self.b.both(mask, self.b.negated(lanes)))
        for edge, side, own in zip(out, sides, taken, strict=True):
            if not side:
                self._deliver(level, edge, own)
                continue
            self._guarded(
                level,
                side,
                own,
                stop,
                lambda mask, edge=edge: self._side(level, edge, stop, mask),
                mask is None,
            )

    def _guarded(
        self,
        level: Level,
        nodes: list[int],
        mask: SSAValue,
        stop: int,
        act: Callable[[Mask], None],
        may_be_all: bool,
    ) -> None:
        """Does `act`, which emits `nodes` under the mask it is given, where a lane of `mask` is
        set, which may be all."""
        if not self._needs_guard(level, nodes):
            with self.b.speculation():
                records = self._collect(stop, lambda: act(mask))
            if stop != END and records:
                records = [self._combined(records, stop, mask)]
            self._put_back(stop, records)
            return
        if may_be_all and stop != END and self._pays_twice(level, nodes):
            self._twice(mask, stop, act)
        else:
            self._passed_over(mask, stop, lambda: act(mask))

    def _twice(self, mask: SSAValue, stop: int, act: Callable[[Mask], None]) -> None:
        """Does `act` for all lanes, or else for those of `mask`, if scalars tell which."""
        test = self.b.tests.get(mask, (None, None))[1]
        if test is None:
            self._passed_over(mask, stop, lambda: act(mask))
            return
        whole, partly, join = (self.b.new_block() for _ in range(3))
        self.b.cond_branch(test(), partly, whole)
        outcomes: list[tuple[Block, list[Record]]] = []
        self.b.enter(whole)
        records = self._collect(stop, lambda: act(None))
        outcomes.append((self.b.current, [self._combined(records, stop, None)]))
        self.b.enter(partly)
        records = self._collect(stop, lambda: self._passed_over(mask, stop, lambda: act(mask)))
        outcomes.append((self.b.current, [self._combined(records, stop, mask)]))
        self._join_sides(outcomes, join, stop, mask)

    def _pays_twice(self, level: Level, nodes: list[int]) -> bool:
        """Whether a side is short, and uses memory: masked accesses cost more than others, and so
        do their checks."""
        size = 0
        uses_memory = False
        for number in level.blocks_of(nodes):
            for op in self.graph.blocks[number].ops:
                if op.name in ("llvm.load", "llvm.store"):
                    if operations.is_ordered(op):
                        return False
                    uses_memory = True
                elif is_check(op) or is_bounds_check(op):
                    continue
                elif not (operations.is_pure(op) or op.name in _HARMLESS):
                    return False
                size += 1
        return uses_memory and size <= _MOST_TWICE

    def _passed_over(self, mask: SSAValue, stop: int, act: Callable[[], None]) -> None:
        """Does `act` where a lane of `mask` is set."""
        inside, join = self.b.new_block(), self.b.new_block()
        some = self.b.any(mask)
        origin = self.b.current
        self.b.enter(inside)
        records = self._collect(stop, act)
        if stop != END:
            records = [self._combined(records, stop, mask)]
        self._skip_join(origin, some, inside, join, records, stop, mask)

    def _needs_guard(self, level: Level, nodes: list[int]) -> bool:
        count = 0
        for node in nodes:
            if node in level.inner:
                return True
            for op in self.graph.blocks[node].ops:
                if op.name in operations.TERMINATORS:
                    if len(op.successors) > 1:
                        return True
                    continue
                if not operations.is_pure(op) or op.name in operations.DIVISIONS:
                    return True
                count += 1
        return count > _CHEAP

    def _escaping(self, blocks: set[int]) -> list[SSAValue]:
        """Values of these blocks that others use."""
        found: list[SSAValue] = []
        for b in sorted(blocks):
            block = self.graph.blocks[b]
            for value in (*block.args, *(r for op in block.ops for r in op.results)):
                if any(self._home_of(u.operation) not in blocks for u in value.uses):
                    found.append(value)
        return found

    def _home_of(self, op: Operation) -> int | None:
        return None if op.parent is None else self.graph.number.get(op.parent)

    # -- sides that share nodes: see `shared_sides`

    def _by_edges(self, level: Level, node: int, condition: SSAValue, mask: Mask) -> None:
        """Emits all between `node` and where its ways meet, one node after the other."""
        raise NotImplementedError

    # -- loops: see `loops`

    def _loop_node(self, level: Level, node: int, mask: Mask) -> int:
        """Emits a loop, and what its ways out lead to; where they meet."""
        raise NotImplementedError

    def _loop(self, level: Level, node: int, mask: Mask) -> None:
        """Emits a loop and hands the records of its exits to the level."""
        raise NotImplementedError
