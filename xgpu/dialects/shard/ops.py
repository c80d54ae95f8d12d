# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the shard dialect: names, the array of axes, verifiers.

Source: MLIR 22.1 ShardOps.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i16,
)
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.integers import integers_of
from xgpu.dialects import shard
from xgpu.dialects.shard.sharding import Axes, Grid, axes_of, grid_of, split_axes_of
from xgpu.dialects.syntax_helpers import print_list

if TYPE_CHECKING:
    from xdsl.parser import AttrParser

    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects.interfaces import Verifier


# -- Names that MLIR suggests for results.

Names = Callable[["Operation"], "list[str | None]"]


def _first_result(name: str) -> Names:
    return lambda op: [name, *[None] * (len(op.results) - 1)] if op.results else []


def _neighbors(op: Operation) -> list[str | None]:
    return ["down_linear_idx", "up_linear_idx"]


_COLLECTIVES = (
    *("all_gather", "all_reduce", "all_slice", "all_to_all", "broadcast", "gather", "recv"),
    *("reduce", "reduce_scatter", "scatter", "send", "shift"),
)
NAMES: dict[str, Names] = {
    **{f"shard.{name}": _first_result(name) for name in _COLLECTIVES},
    "shard.grid_shape": _first_result("grid_shape"),
    "shard.neighbors_linear_indices": _neighbors,
    "shard.process_linear_index": _first_result("proc_linear_idx"),
    "shard.process_multi_index": _first_result("proc_linear_idx"),
    "shard.shard": _first_result("sharding_annotated"),
    "shard.shard_shape": _first_result("shard_shape"),
    "shard.sharding": _first_result("sharding"),
}


# -- `#shard.axisarray`: `[[0, 1], [], [2]]`


def _read_axes(parser: AttrParser) -> tuple[Attribute, ...]:
    """At least one list: what is not split at all is `[[]]`."""
    if parser.parse_optional_punctuation("]") is not None:
        parser.raise_error("expected '['")
    found = [_read_list(parser)]
    while parser.parse_optional_punctuation(",") is not None:
        found.append(_read_list(parser))
    return tuple(found)


def _read_list(parser: AttrParser) -> Attribute:
    start = parser.pos
    given = parser.parse_attribute()
    if isinstance(given, DenseArrayBase):
        return cast("Attribute", given)
    entries = cast("ArrayAttr[Attribute]", given).data if isinstance(given, ArrayAttr) else None
    if entries is None or not all(isinstance(entry, IntegerAttr) for entry in entries):
        parser.raise_error("expected integer value", start)
    numbers = [cast("IntegerAttr", entry).value.data for entry in entries]
    if not all(-(1 << 15) <= number < 1 << 15 for number in numbers):
        parser.raise_error("integer value too large", start)
    return DenseArrayBase.from_list(i16, numbers)


def _write_axes(printer: Printer, lists: object) -> None:
    print_list(printer, cast("Sequence[Attribute]", lists), _list_writer(printer))


def _list_writer(printer: Printer) -> Callable[[Attribute], None]:
    return lambda axes: printer.print_string(str(list(integers_of(axes))))


PARAMETERS = {("ArrayRef<GridAxesAttr>", "axes"): (_read_axes, _write_axes)}


# -- Verifiers: grids, and axes of a grid.


def _verify_grid(op: Operation) -> None:
    shape = integers_of(op.properties["shape"])
    if not shape:
        raise op_error(op, "rank of grid is expected to be a positive integer")
    if any(size < 0 and size != DYNAMIC_INDEX for size in shape):
        raise op_error(op, "dimension size of a grid is expected to be non-negative or dynamic")


def _check_axes(op: Operation, axes: Axes, grid: Grid) -> None:
    if len(set(axes)) != len(axes):
        raise error(op, "Grid axes contains duplicate elements.")
    for axis in axes:
        if not 0 <= axis < grid.rank:
            raise error(
                op,
                f"0-based grid axis index {axis} is out of bounds. The referenced grid "
                f'"{grid.name}" is of rank {grid.rank}.',
            )


def _verify_index(op: Operation) -> None:
    """As many results as axes are named, or as the grid has."""
    grid = grid_of(op)
    axes = axes_of(op, "axes")
    _check_axes(op, axes, grid)
    expected = len(grid.all_axes(axes))
    if len(op.results) != expected:
        given = len(op.results)
        raise error(op, f"Unexpected number of results {given}. Expected {expected}.")


def _verify_uses_grid(op: Operation) -> None:
    grid_of(op)


def _collective(op: Operation) -> tuple[Grid, Axes]:
    grid = grid_of(op)
    axes = axes_of(op)
    _check_axes(op, axes, grid)
    return grid, axes


def _verify_collective(op: Operation) -> None:
    _collective(op)


# -- Verifiers: shardings.


def _verify_sharding(op: shard.ShardingOp) -> None:
    split_axes = split_axes_of(op.properties["split_axes"])
    seen: set[int] = set()
    for axis in (axis for axes in split_axes for axis in axes):
        if axis < 0:
            raise error(op, "grid axis is expected to be non-negative")
        if axis in seen:
            raise error(op, "grid axis duplicated")
        seen.add(axis)
    halos, offsets = axes_of(op, "static_halo_sizes"), axes_of(op, "static_sharded_dims_offsets")
    if halos and offsets:
        raise op_error(op, "halo sizes and shard offsets are mutually exclusive")
    if halos and len(halos) != 2 * sum(map(bool, split_axes)):
        raise error(op, "halo sizes must be specified for all split axes.")
    grid = grid_of(op)
    if offsets:
        _verify_offsets(op, offsets, split_axes, grid)


def _verify_offsets(op: Operation, offsets: Axes, split_axes: Sequence[Axes], grid: Grid) -> None:
    if not grid.is_static:
        raise error(op, "sharded dims offsets are not allowed for device grids with dynamic shape.")
    start = 0
    for axes in filter(None, split_axes):
        end = start + sum(grid.shape[axis] for axis in axes) + 1
        before = 0
        for at in range(start, end):
            if at >= len(offsets):
                raise error(op, "sharded dims offsets has wrong size.")
            if offsets[at] == DYNAMIC_INDEX:
                continue
            if offsets[at] < before:
                raise error(op, "sharded dims offsets must be non-decreasing.")
            before = offsets[at]
        start = end


# -- Verifiers: shapes of what collectives take and give.


def _shapes(op: Operation) -> tuple[Sequence[int], Sequence[int]]:
    given, result = op.operands[0].type, op.results[0].type
    return cast("TensorType", given).get_shape(), cast("TensorType", result).get_shape()


def _number(op: Operation, name: str) -> int:
    return cast("IntegerAttr", op.properties[name]).value.data


def _times(left: int, right: int) -> int:
    return DYNAMIC_INDEX if DYNAMIC_INDEX in (left, right) else left * right


def _over(left: int, right: int) -> int:
    return DYNAMIC_INDEX if DYNAMIC_INDEX in (left, right) else left // right


def _check_extent(op: Operation, axis: int, expected: int) -> None:
    given = _shapes(op)[1][axis]
    if given not in (DYNAMIC_INDEX, expected):
        wanted = "dynamic" if expected == DYNAMIC_INDEX else str(expected)
        raise error(
            op,
            f"Dimension size mismatch for result axis {axis}. Expected {wanted}, but got {given}.",
        )


def _check_gather(op: Operation, grid: Grid, axes: Axes) -> None:
    shape, result = _shapes(op)
    gathered = _number(op, "gather_axis")
    if not 0 <= gathered < len(result):
        raise error(op, f"Gather axis {gathered} is out of bounds [0, {len(result)}).")
    count = grid.group_size(axes)
    for axis, extent in enumerate(shape):
        _check_extent(op, axis, _times(count, extent) if axis == gathered else extent)


def _check_scatter(op: Operation, grid: Grid, axes: Axes, name: str) -> None:
    """Each process has an equal part of an axis."""
    shape, _ = _shapes(op)
    split = _number(op, name)
    for axis, extent in enumerate(shape):
        if axis != split:
            _check_extent(op, axis, extent)
    count = grid.group_size(axes)
    if DYNAMIC_INDEX not in (shape[split], count) and shape[split] % count:
        raise error(
            op,
            f"Operand dimension size {shape[split]} is not divisible by collective device group "
            f"size {count} for tensor axis {split}.",
        )
    _check_extent(op, split, _over(shape[split], count))


def _verify_all_gather(op: Operation) -> None:
    _check_gather(op, *_collective(op))


def _verify_all_slice(op: Operation) -> None:
    _check_scatter(op, *_collective(op), "slice_axis")


def _verify_reduce_scatter(op: Operation) -> None:
    _check_scatter(op, *_collective(op), "scatter_axis")


def _verify_all_to_all(op: Operation) -> None:
    grid, axes = _collective(op)
    shape, _ = _shapes(op)
    split, joined = _number(op, "split_axis"), _number(op, "concat_axis")
    for axis, extent in enumerate(shape):
        if split == joined or axis not in (split, joined):
            _check_extent(op, axis, extent)
    if split == joined:
        return
    count = grid.group_size(axes)
    part = _over(shape[split], count)
    if part != DYNAMIC_INDEX and shape[split] % count:
        part = DYNAMIC_INDEX
    _check_extent(op, joined, _times(shape[joined], count))
    _check_extent(op, split, part)


# -- Verifiers: collectives with a process of their own.


def _check_process(op: Operation, name: str, grid: Grid, axes: Axes) -> None:
    """The index of a process in its group."""
    index = axes_of(op, name)
    if len(index) != len(axes):
        raise error(
            op,
            f'In-group device "{name}" has unexpected multi-index size {len(index)}. '
            f"Expected {len(axes)}.",
        )
    for at, (given, axis) in enumerate(zip(index, axes, strict=True)):
        size = grid.shape[axis]
        if DYNAMIC_INDEX not in (given, size) and size <= given:
            raise error(
                op,
                f'Out of bounds coordinate {at} for in-group device "{name}". Got {given}, but '
                f"expected value in the range [0, {size - 1}].",
            )


def _of_process(name: str) -> Verifier:
    def verify(op: Operation) -> None:
        _check_process(op, name, *_collective(op))

    return verify


def _verify_gather(op: Operation) -> None:
    grid, axes = _collective(op)
    _check_process(op, "root", grid, axes)
    _check_gather(op, grid, axes)


def _verify_scatter(op: Operation) -> None:
    grid, axes = _collective(op)
    _check_process(op, "root", grid, axes)
    _check_scatter(op, grid, axes, "scatter_axis")


def _verify_recv(op: Operation) -> None:
    grid, axes = _collective(op)
    if "source" in op.properties:
        _check_process(op, "source", grid, axes)


def _verify_shift(op: Operation) -> None:
    _, axes = _collective(op)
    axis = _number(op, "shift_axis")
    if axis not in axes:
        raise error(op, f"Invalid shift axis {axis}. It must be one of the grouping grid axes.")


VERIFY: dict[str, Verifier] = {
    "shard.all_gather": _verify_all_gather,
    "shard.all_reduce": _verify_collective,
    "shard.all_slice": _verify_all_slice,
    "shard.all_to_all": _verify_all_to_all,
    "shard.broadcast": _of_process("root"),
    "shard.gather": _verify_gather,
    "shard.grid": _verify_grid,
    "shard.grid_shape": _verify_index,
    "shard.neighbors_linear_indices": _verify_uses_grid,
    "shard.process_linear_index": _verify_uses_grid,
    "shard.process_multi_index": _verify_index,
    "shard.recv": _verify_recv,
    "shard.reduce": _of_process("root"),
    "shard.reduce_scatter": _verify_reduce_scatter,
    "shard.scatter": _verify_scatter,
    "shard.send": _of_process("destination"),
    "shard.sharding": _verify_sharding,
    "shard.shift": _verify_shift,
    "shard.update_halo": _verify_uses_grid,
}
