# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many bytes the collectives of a partitioned program move.

Counted is what processes receive from others, all processes of the grid together. The algorithms
are those of ranks that share memory; on a network the best that is known moves as much:

* all_reduce: each process of a group of g reduces its part of n bytes and reads the results of the
  others, 2 (g - 1) n for the group.
* all_gather: g (g - 1) times what one process gives; reduce_scatter: what one gets.
* all_to_all, broadcast: (g - 1) n. scatter: (g - 1) times what one gets.
* update_halo: a block for each pair of neighbors and side; blocks of a dimension include the halos
  of later ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.errors import op_error
from xgpu.dialects.llvm.types import DataLayout
from xgpu.dialects.shard.sharding import Grid, axes_of, grid_of, split_axes_of

_LAYOUT = DataLayout()


def bytes_moved(root: Operation) -> Counter[str]:
    """The bytes that processes receive from others when each operation in `root` runs once, by the
    name of the collective. Raises where a shape or a grid is not known."""
    found: Counter[str] = Counter()
    for op in root.walk():
        if op.name in _MOVED:
            found[op.name] += _bytes_of(op)
    return found


def collectives_in(root: Operation) -> int:
    """How many operations in `root` move bytes."""
    return sum(op.name in _MOVED for op in root.walk())


def _bytes_of(op: Operation) -> int:
    """The bytes that one collective moves."""
    grid = grid_of(op)
    values = (*op.operands[:1], *op.results)
    if not grid.is_static or any(DYNAMIC_INDEX in _shape(value) for value in values):
        raise op_error(op, "moves a number of bytes that is not known")
    return _MOVED[op.name](op, grid)


def _shape(value: SSAValue) -> Sequence[int]:
    return cast("TensorType[Attribute]", value.type).get_shape()


def _element_bytes(value: SSAValue) -> int:
    return _LAYOUT.size(cast("TensorType[Attribute]", value.type).element_type)


def _size(value: SSAValue) -> int:
    return prod(_shape(value)) * _element_bytes(value)


def _group(op: Operation, grid: Grid) -> tuple[int, int]:
    """How many processes a group has, and how many groups there are."""
    count = grid.group_size(_axes(op, grid))
    return count, prod(grid.shape) // count


def _axes(op: Operation, grid: Grid) -> Sequence[int]:
    """All axes where none are named, but for collectives with a root: those name their group."""
    return axes_of(op) if "root" in op.properties else grid.all_axes(axes_of(op))


def _all_reduce(op: Operation, grid: Grid) -> int:
    count, groups = _group(op, grid)
    return groups * 2 * (count - 1) * _size(op.results[0])


def _all_gather(op: Operation, grid: Grid) -> int:
    count, groups = _group(op, grid)
    return groups * count * (count - 1) * _size(op.operands[0])


def _reduce_scatter(op: Operation, grid: Grid) -> int:
    count, groups = _group(op, grid)
    return groups * count * (count - 1) * _size(op.results[0])


def _from_root(op: Operation, grid: Grid) -> int:
    count, groups = _group(op, grid)
    return groups * (count - 1) * _size(op.results[0])


def _all_to_all(op: Operation, grid: Grid) -> int:
    count, groups = _group(op, grid)
    return groups * (count - 1) * _size(op.operands[0])


def _shift(op: Operation, grid: Grid) -> int:
    size = grid.shape[cast("IntegerAttr", op.properties["shift_axis"]).value.data]
    offset = cast("IntegerAttr", op.properties["offset"]).value.data
    if "rotate" in op.properties:
        messages = size if offset % size else 0
    else:
        messages = max(0, size - abs(offset)) if offset else 0
    return prod(grid.shape) // size * messages * _size(op.operands[0])


def _update_halo(op: Operation, grid: Grid) -> int:
    sizes = axes_of(op, "static_halo_sizes")
    if DYNAMIC_INDEX in sizes:
        raise op_error(op, "moves a number of bytes that is not known")
    split = split_axes_of(op.properties["split_axes"])
    numbers = iter(sizes)
    shape = list(_shape(op.operands[0]))
    halos = [(next(numbers), next(numbers)) if axes else (0, 0) for axes in split]
    block = [
        extent - sum(halos[at]) if at < len(halos) else extent for at, extent in enumerate(shape)
    ]
    total = 0
    for at in reversed(range(len(split))):
        if not split[at]:
            continue
        others = prod(block[:at]) * prod(block[at + 1 :])
        count = grid.shape[split[at][0]]
        pairs = prod(grid.shape) // count * (count - 1)
        total += pairs * others * sum(halos[at])
        block[at] = shape[at]
    return total * _element_bytes(op.operands[0])


_MOVED: dict[str, Callable[[Operation, Grid], int]] = {
    "shard.all_gather": _all_gather,
    "shard.all_reduce": _all_reduce,
    "shard.all_to_all": _all_to_all,
    "shard.broadcast": _from_root,
    "shard.gather": _all_gather,
    "shard.reduce": _all_reduce,
    "shard.reduce_scatter": _reduce_scatter,
    "shard.scatter": _from_root,
    "shard.shift": _shift,
    "shard.update_halo": _update_halo,
}
