# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which lanes took an edge, with which operands; how values leave a side that may be skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, SSAValue

from xgpu.core.ir.dominance import Edge
from xgpu.host_device.compiler.vectors.emission import (
    Affine,
    Builder,
    Emitted,
    Lanes,
    Members,
    Uniform,
)
from xgpu.host_device.compiler.vectors.shapes import AFFINE, VARYING, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator


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
