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

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.host import operations
from xgpu.backend.host.vectors.emission import Affine, Builder, Emitted, Uniform
from xgpu.backend.host.vectors.graph import END, Edge, Graph, Level
from xgpu.backend.host.vectors.records import Mask, Passed, Record, like, raw_of, rebuilt
from xgpu.backend.host.vectors.shapes import VARYING, Shape
from xgpu.backend.host.vectors.uniformity import Uniformity
from xgpu.ir.branches import successor_operands

#: So many operations without effects are done rather than passed over.
_CHEAP = 6
#: A side of so many operations may be there twice.
_MOST_TWICE = 128
_HARMLESS = operations.TERMINATORS | operations.HINTS | {"llvm.addrspacecast"}


class Walk:
    """Emits the blocks of a region; operations by `emit`, values by `get` and `bind`."""

    def __init__(
        self,
        uniformity: Uniformity,
        builder: Builder,
        get: Callable[[SSAValue], Emitted],
        bind: Callable[[SSAValue, Emitted], None],
        emit: Callable[[Operation, int, Mask], None],
    ) -> None:
        self.u = uniformity
        self.graph: Graph = uniformity.graph
        self.b = builder
        self.get = get
        self.bind = bind
        self.emit = emit
        self._incoming: dict[int, list[Record]] = {}
        self._ends: list[Record] = []
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
            outcomes.append((self.b.block, records))
        self._join_sides(outcomes, join, stop, mask)

    def _join_sides(
        self,
        outcomes: list[tuple[Block, list[Record]]],
        join: Block,
        stop: int,
        mask: Mask,
    ) -> None:
        """Joins two sides of which one was taken; what they left goes on to `stop` or END."""
        if stop != END:
            self._merge_values(outcomes, join, stop, mask)
            return
        # Records of one side say "no lane" where the other was taken.
        merged: list[Record] = []
        passed: list[list[SSAValue]] = [[], []]
        for side, (_, records) in enumerate(outcomes):
            for record in records:
                merged.append(self._exported(record, passed, side, mask))
        self._close(outcomes, passed, join, merged)
        self._ends += merged

    def _merge_values(
        self,
        outcomes: list[tuple[Block, list[Record]]],
        join: Block,
        stop: int,
        mask: Mask,
    ) -> None:
        first, second = outcomes[0][1][0], outcomes[1][1][0]
        shapes = self._argument_shapes(stop)
        passed: list[list[SSAValue]] = [[], []]
        for side, record in enumerate((first, second)):
            self.b.block = outcomes[side][0]
            for value, shape in zip(record.values, shapes, strict=True):
                passed[side].append(self.raw(value, shape))
        values: list[Emitted] = []
        for index, shape in enumerate(shapes):
            argument = join.insert_arg(passed[0][index].type, index)
            values.append(rebuilt(argument, shape))
        for side, (block, _) in enumerate(outcomes):
            self.b.block = block
            self.b.branch(join, passed[side])
        self.b.enter(join)
        self._incoming.setdefault(stop, []).append(Record(first.edge, mask, values, {}))

    def _exported(
        self, record: Record, passed: list[list[SSAValue]], side: int, mask: Mask
    ) -> Record:
        """A record that a block argument per value stands for, filled in by `_close`."""
        out = Record(record.edge, None, [], {})
        slots: list[SSAValue] = passed[side]
        other = passed[1 - side]
        lanes = record.mask if record.mask is not None else self.b.all_lanes()
        slots.append(lanes)
        other.append(self.b.all_lanes(False))
        out.mask = lanes
        for value in record.values:
            slots.append(raw_of(value))
            other.append(self.b.poison(raw_of(value).type))
            out.values.append(value)
        for key, value in record.live.items():
            slots.append(raw_of(value))
            other.append(self.b.poison(raw_of(value).type))
            out.live[key] = value
        return out

    def _close(
        self,
        outcomes: Sequence[tuple[Block, Sequence[Record]]],
        passed: list[list[SSAValue]],
        join: Block,
        merged: list[Record],
    ) -> None:
        """Ends both sides, and puts the arguments of `join` into the records."""
        arguments = [join.insert_arg(v.type, i) for i, v in enumerate(passed[0])]
        for side, (block, _) in enumerate(outcomes):
            self.b.block = block
            self.b.branch(join, passed[side])
        self.b.enter(join)
        at = iter(arguments)
        for record in merged:
            record.mask = next(at)
            record.values = [like(v, next(at)) for v in record.values]
            record.live = {k: like(v, next(at)) for k, v in record.live.items()}

    def _collect(self, stop: int, act: Callable[[], None]) -> list[Record]:
        """The records that `act` leaves for `stop`, or at the level's end."""
        if stop == END:
            before, self._ends = self._ends, []
            act()
            found, self._ends = self._ends, before
            return found
        before_stop = self._incoming.pop(stop, [])
        act()
        found = self._incoming.pop(stop, [])
        if before_stop:
            self._incoming[stop] = before_stop
        return found

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
        outcomes.append((self.b.block, [self._combined(records, stop, None)]))
        self.b.enter(partly)
        records = self._collect(stop, lambda: self._passed_over(mask, stop, lambda: act(mask)))
        outcomes.append((self.b.block, [self._combined(records, stop, mask)]))
        self._join_sides(outcomes, join, stop, mask)

    def _pays_twice(self, level: Level, nodes: list[int]) -> bool:
        """Whether a side is short, and uses memory: masked accesses cost more than others."""
        size = 0
        uses_memory = False
        for number in level.blocks_of(nodes):
            for op in self.graph.blocks[number].ops:
                if op.name in ("llvm.load", "llvm.store"):
                    if operations.is_ordered(op):
                        return False
                    uses_memory = True
                elif not (operations.is_pure(op) or op.name in _HARMLESS):
                    return False
                size += 1
        return uses_memory and size <= _MOST_TWICE

    def _passed_over(self, mask: SSAValue, stop: int, act: Callable[[], None]) -> None:
        """Does `act` where a lane of `mask` is set."""
        inside, join = self.b.new_block(), self.b.new_block()
        some = self.b.any(mask)
        origin = self.b.block
        self.b.enter(inside)
        records = self._collect(stop, act)
        if stop != END:
            records = [self._combined(records, stop, mask)]
        self._skip_join(origin, some, inside, join, records, stop, mask)

    def _skip_join(
        self,
        origin: Block,
        some: SSAValue,
        inside: Block,
        join: Block,
        records: list[Record],
        stop: int,
        mask: SSAValue,
    ) -> None:
        """Ends a guarded side, and passes it over from `origin` where no lane takes it."""
        passed = Passed(self.b)
        for record in records:
            passed.add(record, with_mask=stop == END)
        passed.join(self.b.block, origin, some, inside, join)
        for record in records:
            passed.take(record, with_mask=stop == END)
            if stop != END:
                record.mask = mask
        self._put_back(stop, records)

    def _put_back(self, stop: int, records: list[Record]) -> None:
        if stop == END:
            self._ends += records
        else:
            self._incoming.setdefault(stop, []).extend(records)

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

    # -- arrivals

    def _argument_shapes(self, block: int) -> list[Shape]:
        return [self.u.of(a) for a in self.graph.blocks[block].args]

    def _arrive(self, node: int, mask: Mask) -> None:
        """Binds the arguments of a node that all lanes of `mask` reach."""
        records = self._incoming.pop(node)
        record = self._combined(records, node, mask)
        for argument, value in zip(self.graph.blocks[node].args, record.values, strict=True):
            self.bind(argument, value)

    def _combined(self, records: list[Record], node: int, mask: Mask) -> Record:
        """One record for several to the same node, with values of the shapes of its arguments."""
        shapes = self._argument_shapes(node)
        values = [
            self.blend([(r.mask, r.values[i]) for r in records], shape)
            for i, shape in enumerate(shapes)
        ]
        live: dict[SSAValue, Emitted] = {}
        return Record(records[0].edge, mask, values, live)

    def blend(self, choices: list[tuple[Mask, Emitted]], shape: Shape) -> Emitted:
        """The value that each lane brings, the last choice where no mask says otherwise."""
        raw = [(mask, self.raw(value, shape)) for mask, value in choices]
        result = raw[-1][1]
        for mask, value in reversed(raw[:-1]):
            if value is result:
                continue
            if mask is None:
                result = value
            elif shape.level == VARYING:
                result = self.b.select(mask, value, result)
            else:
                result = self.b.select(self.b.any(mask), value, result)
        return rebuilt(result, shape)

    def raw(self, value: Emitted, shape: Shape) -> SSAValue:
        """The one SSA value that stands for `value` where its shape is `shape`."""
        if shape.level == VARYING:
            return self.b.as_lanes(value)
        if isinstance(value, Affine):
            return value.base
        assert isinstance(value, Uniform), "a value is wider than its shape"
        return value.value

    def _scalar(self, value: SSAValue) -> SSAValue:
        emitted = self.get(value)
        assert isinstance(emitted, Uniform), "a condition is wider than its shape"
        return emitted.value

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
