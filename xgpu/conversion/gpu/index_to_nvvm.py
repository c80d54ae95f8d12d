# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu ids and sizes as special registers.

    %0 = gpu.thread_id x   =>   %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
                                %1 = llvm.sext %0 : i32 to i64

The range comes from `upper_bound`, or from the sizes that the function knows.
Source: MLIR 22.1 IndexIntrinsicsOpLowering.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.conversion.llvm_types import LLVMConversion
    from xgpu.dialects import gpu


WARP_SIZE = 32

#: Operation -> register, what of the function bounds it, whether it is a size.
_REGISTERS: dict[str, tuple[str, str | None, bool]] = {
    "gpu.thread_id": ("tid", "known_block_size", False),
    "gpu.block_dim": ("ntid", "known_block_size", True),
    "gpu.block_id": ("ctaid", "known_grid_size", False),
    "gpu.grid_dim": ("nctaid", "known_grid_size", True),
    "gpu.cluster_id": ("clusterid", None, False),
    "gpu.cluster_dim": ("nclusterid", None, True),
    "gpu.cluster_block_id": ("cluster.ctaid", "known_cluster_size", False),
    "gpu.cluster_dim_blocks": ("cluster.nctaid", "known_cluster_size", True),
}


def lower_index(op: Operation, operands: Sequence[SSAValue], rw: LLVMConversion) -> list[SSAValue]:
    """See the module's docstring."""
    register, bound, is_size = _REGISTERS[op.name]
    dimension = cast("gpu.DimAttr", op.properties["dimension"])
    bounds = None
    upper = cast("IntegerAttr | None", op.properties.get("upper_bound"))
    limit = upper.value.data if upper is not None else None
    if limit is None and bound is not None:
        limit = _known_size(op, bound, "xyz".index(dimension.data))
    if limit is not None:
        bounds = _range(1, limit + 1) if is_size else _range(0, limit)
    name = f"nvvm.read.ptx.sreg.{register}.{dimension.data}"
    return [_as_index(rw, _read(rw, name, bounds))]


def _known_size(op: Operation, name: str, dimension: int) -> int | None:
    """The size in `dimension` that the function around `op` was told."""
    function = op.parent_op()
    while function is not None and function.name not in ("gpu.func", "llvm.func", "func.func"):
        function = function.parent_op()
    if function is None:
        return None
    sizes = function.properties.get(name) or function.attributes.get(f"gpu.{name}")
    if not isinstance(sizes, DenseArrayBase):
        return None
    return int(sizes.get_values()[dimension])


def lower_lane_id(
    op: gpu.LaneIdOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    upper = op.properties.get("upper_bound")
    limit = WARP_SIZE if upper is None else upper.value.data
    return [_as_index(rw, _read(rw, "nvvm.read.ptx.sreg.laneid", _range(0, limit)))]


def _range(lower: int, upper: int) -> Attribute:
    return ods.attr_class("llvm.constant_range")(i32.width.data, lower, upper)  # pyright: ignore


def _read(rw: LLVMConversion, name: str, bounds: Attribute | None) -> SSAValue:
    return rw.value(name, (), i32, {} if bounds is None else {"range": bounds})


def _as_index(rw: LLVMConversion, value: SSAValue) -> SSAValue:
    index = rw.types.index
    if index.width.data > 32:
        return rw.value("llvm.sext", (value,), index)
    if index.width.data < 32:
        return rw.value("llvm.trunc", (value,), index)
    return value


RULES = {**dict.fromkeys(_REGISTERS, lower_index), "gpu.lane_id": lower_lane_id}
