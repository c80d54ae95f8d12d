# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of shard that need no communication: indices, and slices of what a process has.

They are patterns, and pieces of conversions.

Source: MLIR 22.1 Transforms.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, StringAttr, SymbolRefAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.arith.builders import binary, cmpi, index_constant
from xgpu.dialects.shard.sharding import INDEX, Grid, axes_of, grid_of
from xgpu.dialects.syntax_helpers import i64_array
from xgpu.transforms.shard.partitioning import indices_along, linear_index

_UNEVEN = (
    "Slicing a tensor with axis size that is not exactly divisible by the grid process group "
    "size is not supported."
)


def multi_index(op: Operation, rw: Rewriter) -> list[SSAValue]:
    """shard.process_multi_index  =>  affine.delinearize_index of shard.process_linear_index"""
    grid = grid_of(op)
    reference = op.properties["grid"]
    index = rw.value("shard.process_linear_index", (), INDEX, {"grid": reference})
    types = [INDEX] * grid.rank
    sizes = rw.create("shard.grid_shape", (), types, {"grid": reference}).results
    basis = {"static_basis": i64_array([DYNAMIC_INDEX] * grid.rank)}
    operands = [index, *sizes]
    indices = rw.create("affine.delinearize_index", operands, types, basis).results
    return [indices[axis] for axis in grid.all_axes(axes_of(op, "axes"))]


def group_size(rw: Rewriter, grid: Grid, reference: SymbolRefAttr, axes: Sequence[int]) -> SSAValue:
    """The number of processes along some axes, all where none are named."""
    sizes = indices_along(rw, "shard.grid_shape", reference, grid.all_axes(axes))
    total = index_constant(rw, 1)
    for size in sizes:
        total = binary(rw, "muli", total, size)
    return total


def all_slice(op: Operation, tensor: SSAValue, rw: Rewriter) -> SSAValue:
    """shard.all_slice  =>  tensor.extract_slice at the process's place in its group"""
    grid, reference = grid_of(op), cast("SymbolRefAttr", op.properties["grid"])
    axes = grid.all_axes(axes_of(op))
    sliced = cast("IntegerAttr", op.properties["slice_axis"]).value.data
    zero = index_constant(rw, 0)
    indices = indices_along(rw, "shard.process_multi_index", reference, axes)
    sizes = indices_along(rw, "shard.grid_shape", reference, axes)
    count = group_size(rw, grid, reference, axes)
    extent = _dim(rw, tensor, sliced)
    is_even = cmpi(rw, "eq", binary(rw, "remui", extent, count), zero)
    rw.create("cf.assert", [is_even], (), {"msg": StringAttr(_UNEVEN)})
    part = binary(rw, "divui", extent, count)
    place = as_value(rw, linear_index(rw, indices, sizes))
    rank = len(cast("TensorType[Attribute]", tensor.type).get_shape())
    extents = [part if at == sliced else _dim(rw, tensor, at) for at in range(rank)]
    offset = binary(rw, "muli", place, part)
    made = _extract(rw, tensor, sliced, offset, extents)
    return rw.value("tensor.cast", [made], op.results[0].type)


def _dim(rw: Rewriter, tensor: SSAValue, at: int) -> SSAValue:
    return rw.value("tensor.dim", [tensor, index_constant(rw, at)], INDEX)


def _extract(
    rw: Rewriter, tensor: SSAValue, sliced: int, offset: SSAValue, extents: Sequence[SSAValue]
) -> SSAValue:
    rank = len(extents)
    properties = {
        "static_offsets": i64_array([DYNAMIC_INDEX if at == sliced else 0 for at in range(rank)]),
        "static_sizes": i64_array([DYNAMIC_INDEX] * rank),
        "static_strides": i64_array([1] * rank),
    }
    element = cast("TensorType[Attribute]", tensor.type).element_type
    kind = TensorType(element, [DYNAMIC_INDEX] * rank)
    operands = [[tensor], [offset], list(extents), []]
    return rw.value("tensor.extract_slice", operands, kind, properties)


def lower_multi_index(op: Operation, rw: GreedyRewriter) -> bool:
    rw.replace(op, multi_index(op, rw))
    return True


def lower_all_slice(op: Operation, rw: GreedyRewriter) -> bool:
    rw.replace(op, [all_slice(op, op.operands[0], rw)])
    return True


MULTI_INDEX: dict[str, tuple[Pattern, ...]] = {"shard.process_multi_index": (lower_multi_index,)}
ALL_SLICE: dict[str, tuple[Pattern, ...]] = {"shard.all_slice": (lower_all_slice,)}
