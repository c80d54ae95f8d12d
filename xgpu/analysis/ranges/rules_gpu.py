# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of ids and sizes of the gpu dialect.

Sizes are at least 1; an id is less than its size. What is known of a size comes from the launch
around the operation, from the `known_*_size` of its function, and from `upper_bound`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from xgpu.analysis.ranges.bounds import Ranges, Rule
from xgpu.analysis.ranges.int_range import IntRange, from_unsigned
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.op_info import traits_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType
    from xdsl.ir import Attribute

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.dialects import gpu
    from xgpu.dialects.llvm.attributes import ConstantRangeAttr


Found = dict[SSAValue, IntRange]
Limit = Callable[..., int]

MAX_DIM = (1 << 32) - 1
MAX_CLUSTER_DIM = 16
MAX_SUBGROUP_SIZE = 128

#: Where the sizes stand in the operands of gpu.launch, behind the async dependencies.
_LAUNCH_OPERANDS = {"grid": 0, "block": 3, "cluster": 6}
_AXES = ("x", "y", "z")


def _index_range(low: int, high: int) -> IntRange:
    return from_unsigned(64, low, high)


def known_size(op: Operation, kind: str) -> int | None:
    """The size of `kind` ("grid", "block", "cluster") along the dimension of `op`, if fixed."""
    axis = _AXES.index(cast("gpu.DimAttr", op.properties["dimension"]).data)
    launch = _around(op, lambda o: o.name == "gpu.launch")
    if launch is not None:
        value = _launch_size(launch, kind, axis)
        constant = None if value is None else int_of(value)
        if constant is not None:
            return constant
    function = _around(op, lambda o: o.name == "gpu.func")
    if function is not None:
        found = _axis(function.properties.get(f"known_{kind}_size"), axis)
        if found is not None:
            return found
    function = _around(op, lambda o: "FunctionOpInterface" in traits_of(o.name))
    if function is None:
        return None
    return _axis(function.attributes.get(f"gpu.known_{kind}_size"), axis)


def _around(op: Operation, wanted: Callable[[Operation], bool]) -> Operation | None:
    parent = op.parent_op()
    while parent is not None and not wanted(parent):
        parent = parent.parent_op()
    return parent


def _launch_size(op: Operation, kind: str, axis: int) -> SSAValue | None:
    group = cast("OdsOperation", op).operand_group(1 + _LAUNCH_OPERANDS[kind] + axis)
    return group[0] if group else None


def _axis(found: Attribute | None, axis: int) -> int | None:
    sizes = cast("DenseArrayBase[IntegerType] | None", found)
    if sizes is None:
        return None
    values = list(sizes.get_values())
    return values[axis] if axis < len(values) else None


def _upper_bound(op: Operation) -> int | None:
    bound = cast("IntegerAttr | None", op.properties.get("upper_bound"))
    return None if bound is None else bound.value.data & ((1 << 64) - 1)


def _size(limit: int, kind: str | None = None) -> Rule:
    def rule(op: gpu.BlockDimOp, ranges: Ranges) -> Found:
        known = None if kind is None else known_size(op, kind)
        if known is not None:
            return {op.results[0]: _index_range(known, known)}
        bound = _upper_bound(op)
        return {op.results[0]: _index_range(1, limit if bound is None else bound)}

    return rule


def _id(limit: int, kind: str | None = None) -> Rule:
    def rule(op: gpu.LaneIdOp | gpu.ThreadIdOp, ranges: Ranges) -> Found:
        most = limit
        known = None if kind is None else known_size(op, kind)
        if known is not None:
            most = known
        bound = _upper_bound(op)
        return {op.results[0]: _index_range(0, (most if bound is None else bound) - 1)}

    return rule


def _global_id(op: Operation, ranges: Ranges) -> Found:
    bound = _upper_bound(op)
    if bound is None:
        sizes = [known_size(op, kind) for kind in ("block", "grid")]
        block, grid = (MAX_DIM if size is None else size for size in sizes)
        bound = block * grid
    return {op.results[0]: _index_range(0, bound - 1)}


def _launch(op: gpu.LaunchOp, ranges: Ranges) -> Found:
    """Ids and sizes are arguments of the region: ids of grid and block, then their sizes."""
    if any(r is None for r in ranges):
        return {}
    sizes = ranges[len(op.operand_group(0)) :][:6]
    arguments = op.regions[0].blocks[0].args
    found: Found = {}
    for position, size in enumerate(sizes):
        if size is None or size.width != 64:
            continue
        bounded = size.intersection(_index_range(1, MAX_DIM))
        found[arguments[6 + position]] = bounded
        found[arguments[position]] = _index_range(0, bounded.umax - 1)
    return found


def _broadcast(op: Operation, ranges: Ranges) -> Found:
    """One lane's value."""
    return {} if ranges[0] is None else {op.results[0]: ranges[0]}


def special_register(op: Operation, ranges: Ranges) -> Found:
    """A special register of NVIDIA's GPUs is in the range that the operation states, if it does.

    As in MLIR, the upper bound belongs to the range here, though the attribute excludes it.
    """
    stated = cast("ConstantRangeAttr | None", op.properties.get("range"))
    if stated is None:
        return {}
    width, lower, upper = stated.data
    return {op.results[0]: from_unsigned(width, lower, upper)}


GPU_RULES: dict[str, Rule] = {
    "gpu.block_dim": _size(MAX_DIM, "block"),
    "gpu.block_id": _id(MAX_DIM, "grid"),
    "gpu.cluster_block_id": _id(MAX_CLUSTER_DIM, "cluster"),
    "gpu.cluster_dim": _size(MAX_DIM),
    "gpu.cluster_dim_blocks": _size(MAX_CLUSTER_DIM, "cluster"),
    "gpu.cluster_id": _id(MAX_DIM),
    "gpu.global_id": _global_id,
    "gpu.grid_dim": _size(MAX_DIM, "grid"),
    "gpu.lane_id": _id(MAX_SUBGROUP_SIZE),
    "gpu.launch": _launch,
    "gpu.num_subgroups": _size(MAX_DIM),
    "gpu.subgroup_broadcast": _broadcast,
    "gpu.subgroup_id": _id(MAX_DIM),
    "gpu.subgroup_size": _size(MAX_SUBGROUP_SIZE),
    "gpu.thread_id": _id(MAX_DIM, "block"),
}
