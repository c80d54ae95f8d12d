# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow that differs among lanes, as masks: one walk over a region's levels.

A walk follows a level from node to node. Where a branch is uniform and its two sides are apart, it
stays a branch. Where lanes part, both sides are done one after the other, each under the mask of
the lanes that take it, and passed over if there is none; block arguments where they meet again are
selects. Sides that are not apart (shared tails) are done node by node in topological order, each
under the mask of its edges. A loop that lanes leave at different times runs while any lane is in
it; what leaves it is kept, lane by lane, as it was when the lane left.

Every edge that is taken leaves a `Record`: for which lanes, with which operands. Records of a node
meet in `_arrive`; those that leave the level (to the loop's header, or out of the loop) are handed
to the caller.

Invariant: whoever emits operations does so where at least one lane of the mask is set. So a load
from a uniform address is a plain load. `_guarded` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Block, SSAValue

from xgpu.backend.host import operations
from xgpu.backend.host.emission import Affine, Builder, Emitted, Lanes, Uniform
from xgpu.backend.host.graph import END, Edge, Graph, Level, Loop
from xgpu.backend.host.shapes import AFFINE, VARYING, WARP, Shape
from xgpu.backend.host.types import I1, vector_of
from xgpu.backend.host.uniformity import Uniformity
from xgpu.ir.branches import successor_operands

Mask = SSAValue | None

#: So many operations without effects are done rather than passed over.
_CHEAP = 6


class Record:
    """An edge that lanes took: which, with which operands; `live` has what a loop's end needs."""

    __slots__ = ("edge", "live", "mask", "values")

    def __init__(
        self, edge: Edge, mask: Mask, values: list[Emitted], live: dict[SSAValue, Emitted]
    ) -> None:
        self.edge = edge
        self.mask = mask
        self.values = values
        self.live = live


class Walk:
    """Emits the blocks of a region; operations by `emit`, values by `get` and `bind`."""

    def __init__(
        self,
        uniformity: Uniformity,
        builder: Builder,
        get: Callable[[SSAValue], Emitted],
        bind: Callable[[SSAValue, Emitted], None],
        emit: Callable[[Any, int, Mask], None],
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
            if following == END or following == stop:
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
        last: Any = self.graph.blocks[edge[0]].last_op
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
        targets = (after, stay) if edge[1] == 0 else (stay, after)
        self.b.cond_branch(condition, *targets)
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
        self.b.cond_branch(self._scalar(condition), *blocks)
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
            slots.append(_raw_of(value))
            other.append(self.b.poison(_raw_of(value).type))
            out.values.append(value)
        for key, value in record.live.items():
            slots.append(_raw_of(value))
            other.append(self.b.poison(_raw_of(value).type))
            out.live[key] = value
        return out

    def _close(
        self,
        outcomes: Sequence[tuple[Block, Any]],
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
            record.values = [_like(v, next(at)) for v in record.values]
            record.live = {k: _like(v, next(at)) for k, v in record.live.items()}

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
                lambda edge=edge, own=own: self._side(level, edge, stop, own),
            )

    def _guarded(
        self, level: Level, nodes: list[int], mask: SSAValue, stop: int, act: Callable[[], None]
    ) -> None:
        """Does `act`, which emits `nodes`, where a lane of `mask` is set."""
        if not self._needs_guard(level, nodes):
            records = self._collect(stop, act)
            if stop != END and records:
                records = [self._combined(records, stop, mask)]
            self._put_back(stop, records)
            return
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
        passed = _Passed(self.b)
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

    # -- sides that share nodes

    def _by_edges(self, level: Level, node: int, condition: SSAValue, mask: Mask) -> None:
        """Emits all between `node` and where its ways meet, one node after the other."""
        lanes = self.b.as_lanes(self.get(condition))
        taken = (self.b.both(mask, lanes), self.b.both(mask, self.b.negated(lanes)))
        out = level.out[node]
        for edge, own in zip(out, taken, strict=True):
            self._deliver(level, edge, own)
        stop = level.after[node]
        self._nodes(level, level.between([level.to(e) for e in out], stop), stop)

    def _nodes(self, level: Level, nodes: list[int], stop: int) -> None:
        for node in nodes:
            mask = self._arrive_by_masks(node)
            self._single(level, node, mask)

    def _single(self, level: Level, node: int, mask: SSAValue) -> None:
        """One node under its own mask, passed over if that is empty."""
        blocks = level.blocks_of([node])
        inside, join = self.b.new_block(), self.b.new_block()
        some = self.b.any(mask)
        origin = self.b.block
        self.b.enter(inside)
        before_ends, self._ends = self._ends, []
        before, self._incoming = self._incoming, {}
        if node in level.inner:
            self._loop(level, node, mask)
        else:
            self._operations(node, mask)
            self._edges_of(level, node, mask)
        found = [(level.to(r.edge), r) for rs in self._incoming.values() for r in rs]
        found += [(END, r) for r in self._ends]
        self._incoming, self._ends = before, before_ends
        escaping = self._escaping(blocks)
        kept = [(v, self.get(v)) for v in escaping]
        passed = _Passed(self.b)
        for _, record in found:
            passed.add(record, with_mask=True)
        for _, emitted in kept:
            passed.add_value(emitted)
        passed.join(self.b.block, origin, some, inside, join)
        for target, record in found:
            passed.take(record, with_mask=True)
            if target == END:
                self._ends.append(record)
            else:
                self._incoming.setdefault(target, []).append(record)
        for value, emitted in kept:
            self.bind(value, passed.take_value(emitted))

    def _edges_of(self, level: Level, node: int, mask: SSAValue) -> None:
        out = level.out[node]
        if len(out) < 2:
            for edge in out:
                self._deliver(level, edge, mask)
            return
        condition = self.graph.blocks[node].last_op.operands[0]  # type: ignore[union-attr]
        lanes = self.b.as_lanes(self.get(condition))
        self._deliver(level, out[0], self.b.both(mask, lanes))
        self._deliver(level, out[1], self.b.both(mask, self.b.negated(lanes)))

    def _escaping(self, blocks: set[int]) -> list[SSAValue]:
        """Values of these blocks that others use."""
        found: list[SSAValue] = []
        for b in sorted(blocks):
            block = self.graph.blocks[b]
            for value in (*block.args, *(r for op in block.ops for r in op.results)):
                if any(self.graph.number.get(u.operation.parent) not in blocks for u in value.uses):
                    found.append(value)
        return found

    # -- arrivals

    def _argument_shapes(self, block: int) -> list[Shape]:
        return [self.u.of(a) for a in self.graph.blocks[block].args]

    def _arrive(self, node: int, mask: Mask) -> None:
        """Binds the arguments of a node that all lanes of `mask` reach."""
        records = self._incoming.pop(node)
        record = self._combined(records, node, mask)
        for argument, value in zip(self.graph.blocks[node].args, record.values, strict=True):
            self.bind(argument, value)

    def _arrive_by_masks(self, node: int) -> SSAValue:
        records = self._incoming.pop(node)
        mask: Mask = records[0].mask
        for record in records[1:]:
            mask = self.b.either(mask, record.mask)
        whole = mask if mask is not None else self.b.all_lanes()
        record = self._combined(records, node, whole)
        for argument, value in zip(self.graph.blocks[node].args, record.values, strict=True):
            self.bind(argument, value)
        return whole

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

    # -- loops

    def _loop_node(self, level: Level, node: int, mask: Mask) -> int:
        """Emits a loop, and what its ways out lead to; where they meet."""
        loop = level.inner[node]
        out = level.out[node]
        self._loop(level, node, mask)
        if len(out) == 1:
            return level.to(out[0])
        stop = level.after[node]
        self._nodes(level, level.between([level.to(e) for e in loop.exits], stop), stop)
        return stop

    def _loop(self, level: Level, node: int, mask: Mask) -> None:
        """Emits a loop and hands the records of its exits to the level."""
        loop = level.inner[node]
        body = self.u.level_of(loop)
        saved = (self._incoming, self._ends, self._leaving, self._left, self._wanted)
        self._incoming, self._ends, self._leaving, self._left = {}, [], None, None
        if self._is_uniform(loop):
            self._wanted = []
            records = self._uniform_loop(loop, body, mask)
        else:
            self._wanted = self._leaving_values(loop)
            records = self._divergent_loop(loop, body, mask)
        self._incoming, self._ends, self._leaving, self._left, self._wanted = saved
        for record in records:
            # What an outer loop wants to keep is known only now.
            record.live = self._live(record.edge) if level.to(record.edge) == END else {}
            self._hand_over(level, record)

    def _is_uniform(self, loop: Loop) -> bool:
        """Whether all lanes leave by one branch, in the same iteration."""
        if len(loop.exits) != 1 or self.u.loop_level[loop.header] > WARP:
            return False
        block = loop.exits[0][0]
        if not self.u.at(self.graph.blocks[block].last_op.operands[0], block).is_uniform:  # type: ignore[union-attr]
            return False
        return self.graph.loop_of[block] is loop and all(
            self.graph.dominates(block, latch) for latch in loop.latches
        )

    def _uniform_loop(self, loop: Loop, body: Level, mask: Mask) -> list[Record]:
        header = self.graph.blocks[loop.header]
        shapes = self._argument_shapes(loop.header)
        initial = [self.raw(self.get(a), s) for a, s in zip(header.args, shapes, strict=True)]
        head, after = self.b.new_block([v.type for v in initial]), self.b.new_block()
        self.b.branch(head, initial)
        self.b.enter(head)
        for argument, new, shape in zip(header.args, head.args, shapes, strict=True):
            self.bind(argument, rebuilt(new, shape))
        self._leaving = (loop.exits[0], after)
        self._chain(body, loop.header, END, mask)
        left = self._left
        assert left is not None
        back = self._combined(self._ends, loop.header, mask)
        self.b.branch(head, [self.raw(v, s) for v, s in zip(back.values, shapes, strict=True)])
        self.b.enter(after)
        return [left]

    def _leaving_values(self, loop: Loop) -> list[SSAValue]:
        found = self._live_out.get(loop.header)
        if found is None:
            found = self._live_out[loop.header] = self._escaping(loop.blocks)
        return found

    def _divergent_loop(self, loop: Loop, body: Level, mask: Mask) -> list[Record]:
        """Runs while any lane is in the loop. Carries, besides the header's arguments, which lanes
        are in it, and for each way out which lanes took it and what they brought along."""
        header = self.graph.blocks[loop.header]
        shapes = self._argument_shapes(loop.header)
        initial = [self.raw(self.get(a), s) for a, s in zip(header.args, shapes, strict=True)]
        lanes = mask if mask is not None else self.b.all_lanes()
        kept = _Kept(self, loop)
        start = [lanes, *initial, *kept.initial()]
        head, after = self.b.new_block([v.type for v in start]), self.b.new_block()
        self.b.branch(head, start)
        self.b.enter(head)
        inside = head.args[0]
        for i, (argument, shape) in enumerate(zip(header.args, shapes, strict=True)):
            self.bind(argument, rebuilt(head.args[1 + i], shape))
        kept.begin(list(head.args[1 + len(shapes) :]))
        self._chain(body, loop.header, END, inside)
        back = [r for r in self._ends if self.graph.target(r.edge) == loop.header]
        kept.update([r for r in self._ends if self.graph.target(r.edge) != loop.header])
        stay = back[0].mask
        for record in back[1:]:
            stay = self.b.either(stay, record.mask)
        again = stay if stay is not None else self.b.all_lanes()
        values = self._combined(back, loop.header, again).values
        following = [again, *(self.raw(v, s) for v, s in zip(values, shapes, strict=True))]
        following += kept.values
        done = self.b.negated(self.b.any(again))
        self.b.cond_branch(done, after, head, (), following)
        self.b.enter(after)
        return kept.records(mask)


class _Kept:
    """What lanes that have left a loop took with them."""

    def __init__(self, walk: Walk, loop: Loop) -> None:
        self.walk = walk
        self.loop = loop
        u, b = walk.u, walk.b
        self.places: list[tuple[Edge | None, SSAValue | None, Shape, Any]] = []
        self.masks = len(loop.exits) > 1
        for edge in loop.exits:
            target = walk.graph.target(edge)
            if self.masks:
                self.places.append((edge, None, Shape(VARYING), vector_of(I1, b.width)))
            last: Any = walk.graph.blocks[edge[0]].last_op
            for value in successor_operands(last, edge[1]) or ():
                shape = u.at(value, target)
                self.places.append((edge, value, shape, _type(value, shape, b)))
        outside = walk.graph.target(loop.exits[0]) if loop.exits else 0
        for value in walk._wanted:
            shape = u.at(value, outside)
            self.places.append((None, value, shape, _type(value, shape, b)))
        self.values: list[SSAValue] = []

    def initial(self) -> list[SSAValue]:
        b = self.walk.b
        return [
            b.all_lanes(False) if value is None else b.poison(ty) for _, value, _, ty in self.places
        ]

    def begin(self, arguments: list[SSAValue]) -> None:
        self.values = arguments

    def update(self, records: list[Record]) -> None:
        """Takes what lanes bring that leave in this iteration."""
        walk, b = self.walk, self.walk.b
        taken: dict[Edge, int] = {}
        for at, (edge, value, shape, _) in enumerate(self.places):
            old = self.values[at]
            for record in records:
                if edge is not None and record.edge != edge:
                    continue
                mask = record.mask if record.mask is not None else b.all_lanes()
                if value is None:
                    old = b.either(old, mask)  # type: ignore[assignment]
                    continue
                if edge is None:
                    emitted = record.live.get(value)
                else:
                    # The n-th value of this edge.
                    emitted = record.values[taken.get(edge, 0)]
                if emitted is None:
                    continue
                new = walk.raw(emitted, shape)
                condition = mask if shape.level == VARYING else b.any(mask)
                old = b.select(condition, new, old)
            if edge is not None and value is not None:
                taken[edge] = taken.get(edge, 0) + 1
            self.values[at] = old

    def records(self, mask: Mask) -> list[Record]:
        """The records of the loop's exits, after its end."""
        walk = self.walk
        found = {edge: Record(edge, mask, [], {}) for edge in self.loop.exits}
        for value, (edge, name, shape, _) in zip(self.values, self.places, strict=True):
            if edge is None:
                assert name is not None
                walk.bind(name, rebuilt(value, shape))
            elif name is None:
                found[edge].mask = value
            else:
                found[edge].values.append(rebuilt(value, shape))
        return list(found.values())


class _Passed:
    """Values that leave a side: arguments of the block where it ends or was passed over."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.inside: list[SSAValue] = []
        self.outside: list[SSAValue] = []
        self.arguments: Any = iter(())

    def add(self, record: Record, *, with_mask: bool) -> None:
        if with_mask:
            self.inside.append(record.mask if record.mask is not None else self.b.all_lanes())
            self.outside.append(self.b.all_lanes(False))
        for value in (*record.values, *record.live.values()):
            self.add_value(value)

    def add_value(self, value: Emitted) -> None:
        raw = _raw_of(value)
        self.inside.append(raw)
        self.outside.append(self.b.poison(raw.type))

    def join(self, end: Block, origin: Block, some: SSAValue, inside: Block, join: Block) -> None:
        self.b.block = end
        self.b.branch(join, self.inside)
        self.b.block = origin
        self.b.cond_branch(some, inside, join, (), self.outside)
        self.arguments = iter([join.insert_arg(v.type, i) for i, v in enumerate(self.inside)])
        self.b.enter(join)

    def take(self, record: Record, *, with_mask: bool) -> None:
        if with_mask:
            record.mask = next(self.arguments)
        record.values = [self.take_value(v) for v in record.values]
        record.live = {k: self.take_value(v) for k, v in record.live.items()}

    def take_value(self, value: Emitted) -> Emitted:
        return _like(value, next(self.arguments))


def _type(value: SSAValue, shape: Shape, b: Builder) -> Any:
    from xgpu.backend.host.types import plain

    return vector_of(value.type, b.width) if shape.level == VARYING else plain(value.type)


def rebuilt(raw: SSAValue, shape: Shape) -> Emitted:
    """The value for which `raw` stands."""
    if shape.level == VARYING:
        return Lanes(raw)
    if shape.level == AFFINE:
        assert shape.offsets is not None
        return Affine(raw, shape.offsets)
    return Uniform(raw)


def _raw_of(value: Emitted) -> SSAValue:
    assert not isinstance(value, tuple)
    return value.base if isinstance(value, Affine) else value.value  # type: ignore[union-attr]


def _like(value: Emitted, raw: SSAValue) -> Emitted:
    """`raw` as a value of the kind of `value`."""
    if isinstance(value, Affine):
        return Affine(raw, value.offsets)
    return Lanes(raw) if isinstance(value, Lanes) else Uniform(raw)
