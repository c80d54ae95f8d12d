# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resharding: collectives by which a tensor with one sharding gets another.

Where one step does, it is MLIR's: the last axis of a dimension moves to another (all_to_all), is
added (all_slice), or goes (all_gather); or only halos change. Anything else takes several steps:
halos go, axes that are in the way are gathered, missing ones are sliced, halos come.

Source: MLIR 22.1 Partition.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, SymbolRefAttr, TensorType
from xdsl.ir import Attribute, Block, SSAValue

from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.errors import error
from xgpu.dialects import shard
from xgpu.dialects.shard.sharding import (
    INDEX,
    Axes,
    Grid,
    Sharding,
    axes_attribute,
    gathered_extent,
    shard_extent,
    shard_type,
    split_axes_attribute,
    with_shape,
    without_trailing,
)
from xgpu.dialects.syntax_helpers import i64_array

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter

Split = tuple[Axes, ...]


def reshard(
    rw: Rewriter, grid: Grid, source: shard.ShardOp, target: shard.ShardOp, part: SSAValue
) -> SSAValue:
    """The shard that `target` wants, of the shard that `source` has. Reports to `target` what
    cannot be."""
    resharding = _Resharding(rw, grid, target)
    try:
        return resharding.run(part, Sharding.of(source.sharding), Sharding.of(target.sharding))
    except ValueError as problem:
        raise error(target, f"cannot be resharded: {problem}") from None


class _Resharding:
    """The steps of one resharding. `whole` is the type of the tensor before it was split."""

    def __init__(self, rw: Rewriter, grid: Grid, target: shard.ShardOp) -> None:
        self.rw = rw
        self.grid = grid
        self.reference = SymbolRefAttr(grid.name)
        self.whole = target.src.type

    def run(self, part: SSAValue, source: Sharding, target: Sharding) -> SSAValue:
        if source == target or (source.is_replication and target.is_replication):
            return part
        if source.offsets or target.offsets:
            raise ValueError("shards of different sizes can only stay as they are")
        if source.equal_split_axes(target):
            with self.rw.located(location_of(part)):
                return self._change_halos(part, source, target)
        plain = replace(source, halo_sizes=(), dynamic_halo_sizes=())
        if source.halo_sizes:
            part = self._change_halos(part, source, plain)
        wanted = replace(target, halo_sizes=(), dynamic_halo_sizes=())
        with self.rw.insertion_guard():
            part = self._change_axes(part, plain, wanted)
        return self._change_halos(part, wanted, target) if target.halo_sizes else part

    # --- axes --------------------------------------------------------------------------------
    def _change_axes(self, part: SSAValue, source: Sharding, target: Sharding) -> SSAValue:
        rank = len(self.whole.get_shape())
        before, after = _padded(source.split_axes, rank), _padded(target.split_axes, rank)
        moved = _moved(before, after)
        if moved is not None:
            return self._move(part, target, *moved)
        now = list(before)
        for at, wanted in enumerate(after):
            while now[at] != wanted[: len(now[at])]:
                axis, now[at] = now[at][-1], now[at][:-1]
                part = self._gather(part, replace(source, split_axes=tuple(now)), at, axis)
        for at, wanted in enumerate(after):
            for axis in wanted[len(now[at]) :]:
                part = self._slice(part, at, axis)
        return part

    def _move(
        self, part: SSAValue, target: Sharding, dimension: int, to: int, axis: int
    ) -> SSAValue:
        """The last axis of one dimension splits another instead."""
        count = self.grid.shape[axis]
        shape = list(_shape(part))
        shape[dimension] = gathered_extent(shape[dimension], count)
        shape[to] = shard_extent(shape[to], count)
        numbers = {"split_axis": to, "concat_axis": dimension}
        self._after(part)
        return self._cast(self._collective("all_to_all", part, axis, shape, numbers), target)

    def _gather(self, part: SSAValue, target: Sharding, dimension: int, axis: int) -> SSAValue:
        """The last axis of a dimension goes."""
        shape = list(_shape(part))
        shape[dimension] = gathered_extent(shape[dimension], self.grid.shape[axis])
        self._after(part)
        made = self._collective("all_gather", part, axis, shape, {"gather_axis": dimension})
        return self._cast(made, target)

    def _slice(self, part: SSAValue, dimension: int, axis: int) -> SSAValue:
        """An axis splits a dimension further."""
        shape = list(_shape(part))
        shape[dimension] = shard_extent(shape[dimension], self.grid.shape[axis])
        return self._collective("all_slice", part, axis, shape, {"slice_axis": dimension})

    def _after(self, part: SSAValue) -> None:
        """Builds right after a value: it may be used there already."""
        owner = part.owner
        if isinstance(owner, Block):
            self.rw.at_start(owner)
        else:
            self.rw.after(owner)

    def _collective(
        self, name: str, part: SSAValue, axis: int, shape: Sequence[int], numbers: dict[str, int]
    ) -> SSAValue:
        properties: dict[str, Attribute] = {
            "grid": self.reference,
            "grid_axes": axes_attribute([axis]),
            **{key: IntegerAttr(number, INDEX) for key, number in numbers.items()},
        }
        return self.rw.value(f"shard.{name}", [part], with_shape(part.type, shape), properties)

    def _cast(self, made: SSAValue, sharding: Sharding) -> SSAValue:
        return self.rw.value("tensor.cast", [made], shard_type(self.whole, self.grid, sharding))

    # --- halos -------------------------------------------------------------------------------
    def _change_halos(self, part: SSAValue, source: Sharding, target: Sharding) -> SSAValue:
        """The core of a shard, in a tensor with room for halos that neighbors fill."""
        shape = _shape(part)
        before, after = _halos(source, len(shape)), _halos(target, len(shape))
        if DYNAMIC_INDEX in shape or source.dynamic_halo_sizes or target.dynamic_halo_sizes:
            raise ValueError("halos of shards whose sizes are not known")
        core = [extent - sum(halo) for extent, halo in zip(shape, before, strict=True)]
        start = [low for low, _ in before]
        if not target.halo_sizes:
            return self._slice_of(part, start, core)
        outer = [extent + sum(halo) for extent, halo in zip(core, after, strict=True)]
        kind = with_shape(part.type, outer)
        empty = self.rw.value("tensor.empty", (), kind)
        inner = self._slice_of(part, start, core)
        place = _place([low for low, _ in after], core)
        operands = [[inner], [empty], [], [], []]
        filled = self.rw.value("tensor.insert_slice", operands, kind, place)
        properties = {
            "grid": self.reference,
            "split_axes": split_axes_attribute(source.split_axes),
            "static_halo_sizes": i64_array(target.halo_sizes),
        }
        return self.rw.value("shard.update_halo", [filled], kind, properties)

    def _slice_of(self, part: SSAValue, offsets: Sequence[int], sizes: Sequence[int]) -> SSAValue:
        kind = with_shape(part.type, sizes)
        operands = [[part], [], [], []]
        return self.rw.value("tensor.extract_slice", operands, kind, _place(offsets, sizes))


def _shape(value: SSAValue) -> Sequence[int]:
    return cast("TensorType[Attribute]", value.type).get_shape()


def _padded(split: Split, rank: int) -> Split:
    """The axes of all dimensions."""
    return (*split, *[()] * (rank - len(split)))


def _moved(before: Split, after: Split) -> tuple[int, int, int] | None:
    """The dimension whose last axis moves, where it moves to, and the axis, if that is all that
    changes."""
    for at, axes in enumerate(before):
        for to in range(len(after)):
            if at == to or not axes:
                continue
            now = list(before)
            now[at], now[to] = axes[:-1], (*now[to], axes[-1])
            if without_trailing(now) == without_trailing(after):
                return at, to, axes[-1]
    return None


def _halos(sharding: Sharding, rank: int) -> list[tuple[int, int]]:
    """The halos of each dimension below and above."""
    sizes = iter(sharding.halo_sizes or [0] * (2 * rank))
    return [
        (next(sizes), next(sizes)) if axes else (0, 0)
        for axes in _padded(sharding.split_axes, rank)
    ]


def _place(offsets: Sequence[int], sizes: Sequence[int]) -> dict[str, Attribute]:
    return {
        "static_offsets": i64_array(offsets),
        "static_sizes": i64_array(sizes),
        "static_strides": i64_array([1] * len(sizes)),
    }
