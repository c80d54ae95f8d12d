# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches whose sides share nodes: node after node in topological order, each under the mask of
the lanes whose edges led there, and passed over where that is empty."""

from __future__ import annotations

from xdsl.ir import SSAValue

from xgpu.host_device.compiler.vectors.graph import END, Level
from xgpu.host_device.compiler.vectors.masks import Walk
from xgpu.host_device.compiler.vectors.records import Mask, Passed


class SharedSides(Walk):
    """Emits what lies between such a branch and where all its ways meet."""

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
        origin = self.b.current
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
        passed = Passed(self.b)
        for _, record in found:
            passed.add(record, with_mask=True)
        for _, emitted in kept:
            passed.add_value(emitted)
        passed.join(self.b.current, origin, some, inside, join)
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
