# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grids, shardings, and the shapes of shards.

A sharding says for each dimension of a tensor along which axes of a grid it is split. Trailing
dimensions may be left out: they are not split.

Source: MLIR 22.1 ShardOps.cpp, ShardOps.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import defining
from xgpu.core.ir.errors import error
from xgpu.core.ir.integers import dense_array, integers_of
from xgpu.core.ir.symbols import lookup, nearest_table
from xgpu.dialects import shard
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.syntax_helpers import i64_array

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Builder

Axes = tuple[int, ...]
INDEX = IndexType()


# -- Grids.


@dataclass(frozen=True)
class Grid:
    """A grid of processes: its name and its shape, whose sizes may be `DYNAMIC_INDEX`."""

    name: str
    shape: tuple[int, ...]

    @staticmethod
    def of(op: Operation) -> Grid:
        """The grid that a `shard.grid` declares."""
        name = cast("StringAttr", op.properties["sym_name"]).data
        return Grid(name, integers_of(op.properties["shape"]))

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        return DYNAMIC_INDEX not in self.shape

    def group_size(self, axes: Sequence[int]) -> int:
        """The number of processes along these axes; `DYNAMIC_INDEX` where a size is unknown."""
        sizes = [self.shape[axis] for axis in axes]
        return DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else prod(sizes)

    def all_axes(self, axes: Sequence[int]) -> Axes:
        """The axes that an operation names: all where it names none."""
        return tuple(axes) or tuple(range(self.rank))


def find_grid(op: Operation, reference: SymbolRefAttr) -> Grid | None:
    """The grid that a reference in `op` names in the nearest symbol table, or None."""
    table = nearest_table(op)
    found = None if table is None else lookup(table, reference.root_reference.data)
    return Grid.of(found) if found is not None and found.name == "shard.grid" else None


def grid_of(op: Operation) -> Grid:
    """The grid that an operation with an attribute `grid` uses. Raises where there is none."""
    return grid_at(op, cast("SymbolRefAttr", op.properties["grid"]))


def grid_at(op: Operation, reference: SymbolRefAttr) -> Grid:
    """The grid that a reference in `op` names. Raises where there is none."""
    grid = find_grid(op, reference)
    if grid is None:
        name = reference.root_reference.data
        raise error(op, f'Undefined required grid symbol "{name}".')
    return grid


def axes_of(op: Operation, name: str = "grid_axes") -> Axes:
    """The axes in an attribute of an operation; none where it has none."""
    given = op.properties.get(name)
    return () if given is None else integers_of(given)


def axes_attribute(axes: Sequence[int]) -> DenseArrayBase[IntegerType]:
    return dense_array(16, tuple(axes))


def split_axes_of(attribute: Attribute) -> tuple[Axes, ...]:
    """The axes of each dimension in a `#shard.axisarray`."""
    lists = cast("shard.AxisarrayAttr", attribute).axes
    return tuple(integers_of(axes) for axes in lists)


def split_axes_attribute(split_axes: Sequence[Sequence[int]]) -> Attribute:
    """A `#shard.axisarray`, which has one list at least."""
    return ods.attr_class("shard.axisarray")(tuple(map(axes_attribute, split_axes or ((),))))


# -- Shardings.


@dataclass(frozen=True, eq=False)
class Sharding:
    """How a tensor is split over a grid. Two are equal where trailing dimensions that one of them
    leaves out are not split in the other."""

    grid: SymbolRefAttr
    split_axes: tuple[Axes, ...] = ()
    #: For each split dimension the halo below and above; `DYNAMIC_INDEX` for a value.
    halo_sizes: tuple[int, ...] = ()
    #: For each split dimension the offsets of all its shards, and the end of the last.
    offsets: tuple[int, ...] = ()
    dynamic_halo_sizes: tuple[SSAValue, ...] = field(default=())
    dynamic_offsets: tuple[SSAValue, ...] = field(default=())

    @staticmethod
    def of(value: SSAValue) -> Sharding:
        """What the `shard.sharding` that defines a value says."""
        found = defining(value, "shard.sharding")
        if found is None:
            raise ValueError("a sharding that no shard.sharding defines")
        op = cast("shard.ShardingOp", found)
        grid = op.properties["grid"]
        split_axes = split_axes_of(op.properties["split_axes"])
        if not split_axes:
            return Sharding(grid)
        return Sharding(
            grid,
            split_axes,
            axes_of(op, "static_halo_sizes"),
            axes_of(op, "static_sharded_dims_offsets"),
            tuple(op.dynamic_halo_sizes),
            tuple(op.dynamic_sharded_dims_offsets),
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sharding)
            and self.equal_split_axes(other)
            and self.equal_halos(other)
            and (self.offsets, self.dynamic_offsets) == (other.offsets, other.dynamic_offsets)
        )

    def __hash__(self) -> int:
        return hash((self.grid, without_trailing(self.split_axes)))

    def equal_split_axes(self, other: Sharding) -> bool:
        return self.grid == other.grid and without_trailing(self.split_axes) == without_trailing(
            other.split_axes
        )

    def equal_halos(self, other: Sharding) -> bool:
        mine = (self.halo_sizes, self.dynamic_halo_sizes)
        return mine == (other.halo_sizes, other.dynamic_halo_sizes)

    @property
    def is_replication(self) -> bool:
        """Whether each process has the whole tensor."""
        return not any(self.split_axes)

    @property
    def is_plain(self) -> bool:
        """Whether it has neither halos nor offsets."""
        return not self.halo_sizes and not self.offsets


def without_trailing(split_axes: Sequence[Sequence[int]]) -> tuple[Axes, ...]:
    """The axes of the dimensions up to the last that is split."""
    length = len(split_axes)
    while length and not split_axes[length - 1]:
        length -= 1
    return tuple(map(tuple, split_axes[:length]))


def build_sharding(rw: Builder, sharding: Sharding) -> SSAValue:
    """A `shard.sharding`."""
    properties: dict[str, Attribute] = {
        "grid": sharding.grid,
        "split_axes": split_axes_attribute(sharding.split_axes),
        "static_halo_sizes": i64_array(sharding.halo_sizes),
        "static_sharded_dims_offsets": i64_array(sharding.offsets),
    }
    operands = [sharding.dynamic_offsets, sharding.dynamic_halo_sizes]
    return rw.value("shard.sharding", operands, ods.attr_class("shard.sharding")(), properties)


def build_shard(
    rw: Builder, value: SSAValue, sharding: SSAValue, *, for_users: bool
) -> shard.ShardOp:
    """A `shard.shard` of a tensor."""
    properties = {"annotate_for_users": UnitAttr()} if for_users else {}
    made = rw.create("shard.shard", [value, sharding], [value.type], properties)
    return cast("shard.ShardOp", made)


def is_for_users(op: shard.ShardOp) -> bool:
    """Whether a `shard.shard` says how the users of its result need it."""
    return "annotate_for_users" in op.properties


# -- Shapes.


def shard_extent(extent: int, count: int) -> int:
    """The extent of one of `count` shards. Raises ValueError where they are not equal."""
    if DYNAMIC_INDEX in (extent, count):
        return DYNAMIC_INDEX
    if extent % count:
        raise ValueError(f"an extent of {extent} is not divisible by {count} shards")
    return extent // count


def gathered_extent(extent: int, count: int) -> int:
    """The extent of `count` shards together."""
    return DYNAMIC_INDEX if DYNAMIC_INDEX in (extent, count) else extent * count


def shard_shape(shape: Sequence[int], grid: Grid, sharding: Sharding) -> list[int]:
    """The shape of a shard of a tensor. An extent that is not the same on all processes is
    `DYNAMIC_INDEX`. Raises ValueError where a dimension cannot be split so."""
    found = list(shape)
    if not found:
        return found
    if sharding.offsets:
        _split_at_offsets(found, grid, sharding)
        return found
    for at, axes in enumerate(sharding.split_axes):
        found[at] = shard_extent(found[at], grid.group_size(axes))
    if sharding.halo_sizes:
        _add_halos(found, sharding)
    return found


def _split_at_offsets(shape: list[int], grid: Grid, sharding: Sharding) -> None:
    start = 0
    for at, axes in enumerate(sharding.split_axes):
        if not axes:
            continue
        # One after another: a dimension is split along one axis where it has offsets.
        count = sum(grid.shape[axis] for axis in axes) if grid.is_static else DYNAMIC_INDEX
        if count == DYNAMIC_INDEX:
            shape[at] = DYNAMIC_INDEX
            continue
        offsets = sharding.offsets[start : start + count + 1]
        lengths = {end - begin for begin, end in pairwise(offsets)}
        is_known = DYNAMIC_INDEX not in offsets and len(lengths) == 1
        shape[at] = lengths.pop() if is_known else DYNAMIC_INDEX
        start += count + 1


def _add_halos(shape: list[int], sharding: Sharding) -> None:
    dimension = 0
    for at, axes in enumerate(sharding.split_axes):
        if shape[at] == DYNAMIC_INDEX or not axes:
            continue
        halos = sharding.halo_sizes[2 * dimension : 2 * dimension + 2]
        if min(halos) < 0:
            shape[at] = DYNAMIC_INDEX
            continue
        shape[at] += sum(halos)
        dimension += 1


def shard_type(kind: Attribute, grid: Grid, sharding: Sharding) -> Attribute:
    """The type of a shard of a value: of a tensor of rank 0, and of a scalar, its own."""
    if not isinstance(kind, TensorType) or not kind.get_shape():
        return kind
    tensor = cast("TensorType[Attribute]", kind)
    return with_shape(tensor, shard_shape(tensor.get_shape(), grid, sharding))


def with_shape(kind: Attribute, shape: Sequence[int]) -> TensorType[Attribute]:
    """A tensor type like another, of a different shape."""
    tensor = cast("TensorType[Attribute]", kind)
    return TensorType(tensor.element_type, list(shape), tensor.encoding)


def is_sharded_type(kind: Attribute) -> bool:
    """Whether values of a type have shardings: ranked tensors that are not scalars."""
    return isinstance(kind, TensorType) and len(kind.get_shape()) > 0


def mixed_as_values(
    rw: Builder, constants: Sequence[int], values: Sequence[SSAValue], kind: Attribute = i64
) -> list[SSAValue]:
    """Constants and values mixed, all as values of a type."""
    rest = iter(values)

    def value(number: int) -> SSAValue:
        if number == DYNAMIC_INDEX:
            return next(rest)
        return attribute_constant(rw, IntegerAttr(number, cast("IntegerType", kind)), kind)

    return [value(number) for number in constants]
