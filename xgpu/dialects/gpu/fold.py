# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the gpu dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation

from xgpu.dialects.memref.casts import fold_cast_operands

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr
    from xdsl.ir import SSAValue

    from xgpu.dialects.hook_types import Folded, Folder


def _make_uniform(op: Operation, constants: list[Attribute | None]) -> bool | None:
    """Directly in the body of a gpu.launch all threads take part."""
    parent = op.parent_op()
    if parent is None or parent.name != "gpu.launch" or op.properties.get("uniform") is not None:
        return None
    if op.parent is not parent.regions[0].first_block:
        return None
    op.properties["uniform"] = UnitAttr()
    return True


def _subgroup_reduce(op: Operation, constants: list[Attribute | None]) -> Folded:
    size = cast("IntegerAttr | None", op.properties.get("cluster_size"))
    if size is not None and size.value.data == 1:
        return [op.operands[0]]
    return _make_uniform(op, constants)


def _subgroup_broadcast(op: Operation, constants: list[Attribute | None]) -> list[SSAValue] | None:
    """What all lanes have already stays what it is."""
    owner = op.operands[0].owner
    is_broadcast = isinstance(owner, Operation) and owner.name == "gpu.subgroup_broadcast"
    return [op.operands[0]] if is_broadcast else None


FOLD: dict[str, Folder] = {
    "gpu.all_reduce": _make_uniform,
    "gpu.memcpy": fold_cast_operands("dst", "src"),
    "gpu.memset": fold_cast_operands("dst"),
    "gpu.subgroup_broadcast": _subgroup_broadcast,
    "gpu.subgroup_reduce": _subgroup_reduce,
}
