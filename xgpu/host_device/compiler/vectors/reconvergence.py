# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where ways of lanes meet: records of a node become one, and two sides of a branch go on as one
way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Block, SSAValue

from xgpu.core.ir.dominance import ControlFlowGraph, Edge
from xgpu.host_device.compiler.emission import (
    Affine,
    Builder,
    Emitted,
    Lanes,
    Members,
    Uniform,
)
from xgpu.host_device.compiler.vectors.shapes import AFFINE, VARYING, Shape
from xgpu.host_device.compiler.vectors.uniformity import END, Uniformity

if TYPE_CHECKING:
    from collections.abc import Iterator


# -- Which lanes took an edge, with which operands; how values leave a side that may be skipped.


#: Lanes that run: a vector of i1, or None for all.
Mask = SSAValue | None


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


class Passed:
    """Values that leave a side: arguments of the block where it ends or was passed over."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.inside: list[SSAValue] = []
        self.outside: list[SSAValue] = []
        self.arguments: Iterator[SSAValue] = iter(())

    def add(self, record: Record, *, with_mask: bool) -> None:
        if with_mask:
            self.inside.append(record.mask if record.mask is not None else self.b.all_lanes())
            self.outside.append(self.b.all_lanes(False))
        for value in (*record.values, *record.live.values()):
            self.add_value(value)

    def add_value(self, value: Emitted) -> None:
        raw = raw_of(value)
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
        return like(value, next(self.arguments))


def rebuilt(raw: SSAValue, shape: Shape) -> Emitted:
    """The value for which `raw` stands."""
    if shape.level == VARYING:
        return Lanes(raw)
    if shape.level == AFFINE:
        assert shape.offsets is not None
        return Affine(raw, shape.offsets)
    return Uniform(raw)


def raw_of(value: Emitted) -> SSAValue:
    assert not isinstance(value, Members), "a struct does not leave the block that makes it"
    return value.base if isinstance(value, Affine) else value.value


def like(value: Emitted, raw: SSAValue) -> Emitted:
    """`raw` as a value of the kind of `value`."""
    if isinstance(value, Affine):
        return Affine(raw, value.offsets)
    return Lanes(raw) if isinstance(value, Lanes) else Uniform(raw)


class Reconvergence:
    """The records that a walk has left for nodes ahead, and for the level's end."""

    def __init__(
        self,
        uniformity: Uniformity,
        builder: Builder,
        get: Callable[[SSAValue], Emitted],
        bind: Callable[[SSAValue, Emitted], None],
    ) -> None:
        self.u = uniformity
        self.graph: ControlFlowGraph = uniformity.graph
        self.b = builder
        self.get = get
        self.bind = bind
        self._incoming: dict[int, list[Record]] = {}
        self._ends: list[Record] = []

    # -- records

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

    def _put_back(self, stop: int, records: list[Record]) -> None:
        if stop == END:
            self._ends += records
        else:
            self._incoming.setdefault(stop, []).extend(records)

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

    # -- two sides

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
        passed.join(self.b.current, origin, some, inside, join)
        for record in records:
            passed.take(record, with_mask=stop == END)
            if stop != END:
                record.mask = mask
        self._put_back(stop, records)
