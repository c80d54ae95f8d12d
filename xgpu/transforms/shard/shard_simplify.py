# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`shard-simplify`: fewer collectives, and the sizes of grids that are known.

Two reductions over processes whose results are combined become one of what is combined. An
all_reduce of which each process takes its slice is a reduce_scatter. What is gathered and sliced
again was there before.

Source: MLIR 22.1 Simplifications.cpp, EndomorphismSimplification.h; for the slices MLIR 23
Simplify.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.construction import defining
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects import shard
from xgpu.dialects.arith.builders import element_of, index_constant
from xgpu.dialects.shard.sharding import INDEX, axes_attribute, axes_of, find_grid
from xgpu.transforms.shard.partitioning import REDUCTIONS

if TYPE_CHECKING:
    from xdsl.context import Context


# -- shard.grid_shape


def fold_grid_shape(op: Operation, rw: GreedyRewriter) -> bool:
    """The sizes that the grid declares are constants; the others are asked for."""
    reference = cast("SymbolRefAttr", op.properties["grid"])
    grid = find_grid(op, reference)
    if grid is None:
        return False
    axes = grid.all_axes(axes_of(op, "axes"))
    unknown = [axis for axis in axes if grid.shape[axis] == DYNAMIC_INDEX]
    if len(unknown) == len(axes):
        return False
    values: dict[int, SSAValue] = {
        axis: index_constant(rw, grid.shape[axis]) for axis in axes if axis not in unknown
    }
    if unknown:
        properties = {"grid": reference, "axes": axes_attribute(unknown)}
        made = rw.create("shard.grid_shape", (), [INDEX] * len(unknown), properties)
        values.update(zip(unknown, made.results, strict=True))
    rw.replace(op, [values[axis] for axis in axes])
    return True


# -- arith.addf (all_reduce %a), (all_reduce %b)


def _reduction_of(op: Operation) -> str:
    found = op.properties.get("reduction")
    return "sum" if found is None else cast("shard.PartialAttr", found).data


def _reduces(value: SSAValue, kind: str) -> Operation | None:
    """The all_reduce of a kind, for one user alone, that a value is the result of, or None."""
    op: Operation | None = defining(value, "shard.all_reduce")
    if op is None or _reduction_of(op) != kind or len(list(value.uses)) != 1:
        return None
    same = element_of(op.operands[0].type) == element_of(value.type)
    return op if same else None


def _joins(kind: str) -> Pattern:
    def join(op: Operation, rw: GreedyRewriter) -> bool:
        """addf (all_reduce %a), (all_reduce %b)  =>  all_reduce (addf %a, %b)"""
        reductions = [found for value in op.operands if (found := _reduces(value, kind))]
        if len(reductions) != len(op.operands):
            return False
        first = reductions[0]
        settings = (first.properties, first.attributes)
        if any((other.properties, other.attributes) != settings for other in reductions[1:]):
            return False
        operands = [found.operands[0] for found in reductions]
        kinds = [value.type for value in operands]
        made = rw.value(op.name, operands, kinds[0], op.properties, op.attributes)
        result = [op.results[0].type]
        rw.replace_with(op, first.name, [made], result, *settings)
        return True

    return join


# -- all_slice and all_gather


def _same_group(op: Operation, other: Operation) -> bool:
    return op.properties["grid"] == other.properties["grid"] and axes_of(op) == axes_of(other)


def scatter(op: Operation, rw: GreedyRewriter) -> bool:
    """all_slice (all_reduce %a) along the same axes  =>  reduce_scatter %a"""
    reduction: Operation | None = defining(op.operands[0], "shard.all_reduce")
    if reduction is None or len(list(op.operands[0].uses)) != 1:
        return False
    if not _same_group(reduction, op) or reduction.operands[0].type.name != "tensor":
        return False
    properties = {**op.properties, "scatter_axis": op.properties["slice_axis"]}
    del properties["slice_axis"]
    if "reduction" in reduction.properties:
        properties["reduction"] = reduction.properties["reduction"]
    kinds = [op.results[0].type]
    rw.replace_with(op, "shard.reduce_scatter", [reduction.operands[0]], kinds, properties)
    return True


_AXIS = {"shard.all_gather": "gather_axis", "shard.all_slice": "slice_axis"}


def cancel(op: Operation, rw: GreedyRewriter) -> bool:
    """all_slice (all_gather %a)  =>  %a, and the other way round, along the same axes"""
    inner: Operation | None = defining(op.operands[0], *(_AXIS.keys() - {op.name}))
    if inner is None or not _same_group(op, inner):
        return False
    if op.properties[_AXIS[op.name]] != inner.properties[_AXIS[inner.name]]:
        return False
    if inner.operands[0].type != op.results[0].type:
        return False
    rw.replace(op, [inner.operands[0]])
    return True


FOLD_GRIDS: dict[str, tuple[Pattern, ...]] = {"shard.grid_shape": (fold_grid_shape,)}
#: What MLIR 22 has. Bitwise operations are not among them, as in MLIR.
SIMPLIFICATIONS: dict[str, tuple[Pattern, ...]] = {
    **FOLD_GRIDS,
    **{name: (_joins(kind),) for kind in ("sum", "min", "max") for name in REDUCTIONS[kind]},
}
PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **SIMPLIFICATIONS,
    "shard.all_gather": (cancel,),
    "shard.all_slice": (scatter, cancel),
}


class ShardSimplify(Pass):
    """Fewer collectives."""

    name = "shard-simplify"
    summary = "Simplify Shard operations"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, PATTERNS)
