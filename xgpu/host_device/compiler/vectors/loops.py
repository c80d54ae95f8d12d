# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops: one that all lanes leave at once, and one that runs while any lane is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from xgpu.core.ir.dominance import Edge, Loop
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.compiler.types import I1, plain, vector_of
from xgpu.host_device.compiler.vectors.emission import Builder
from xgpu.host_device.compiler.vectors.graph import END, Level
from xgpu.host_device.compiler.vectors.records import Mask, Record, rebuilt
from xgpu.host_device.compiler.vectors.shapes import VARYING, WARP, Shape
from xgpu.host_device.compiler.vectors.shared_sides import SharedSides

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


class RegionWalk(SharedSides):
    """Emits the blocks of a region, loops included."""

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

    def __init__(self, walk: RegionWalk, loop: Loop) -> None:
        self.walk = walk
        self.loop = loop
        u, b = walk.u, walk.b
        self.places: list[tuple[Edge | None, SSAValue | None, Shape, Attribute]] = []
        self.masks = len(loop.exits) > 1
        for edge in loop.exits:
            target = walk.graph.target(edge)
            if self.masks:
                self.places.append((edge, None, Shape(VARYING), vector_of(I1, b.width)))
            last = cast("Operation", walk.graph.blocks[edge[0]].last_op)
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
                    old = b.union(old, mask)
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


def _type(value: SSAValue, shape: Shape, b: Builder) -> Attribute:
    return vector_of(value.type, b.width) if shape.level == VARYING else plain(value.type)
