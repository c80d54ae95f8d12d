# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the linalg dialect: structured operations take memrefs of any shape and layout; what is
moved from one place to the same is what it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, TensorType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr

from xgpu.core.ir.constants import splat_value
from xgpu.dialects.interfaces import Constants, Folded, Folder
from xgpu.dialects.linalg.ops import MATMULS, OPS, indexing_maps, is_structured, shape_of
from xgpu.dialects.memref_layout import fold_all_casts
from xgpu.dialects.tensor.fold import splat_as

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation


def _index(op: Operation, constants: Constants) -> Folded:
    """The number of an iteration is zero where there is one."""
    loops = op.parent_op()
    if loops is None or not is_structured(loops):
        return None
    dim = cast("IntegerAttr[IntegerType]", op.properties["dim"]).value.data
    return [IntegerAttr.from_index_int_value(0)] if _extent(loops, dim) == 1 else None


def _extent(loops: Operation, dim: int) -> int | None:
    """How many iterations there are along a dimension, as the first operand that has it says."""
    for value, each in zip(loops.operands, indexing_maps(loops), strict=True):
        for expr, size in zip(each.results, shape_of(value) or (), strict=False):
            if isinstance(expr, AffineDimExpr) and expr.position == dim:
                return size
    return None


def _transpose(op: Operation, constants: Constants) -> Folded:
    """A transposition that moves nothing is its operand."""
    order = list(cast("DenseArrayBase[IntegerType]", op.properties["permutation"]).get_values())
    if not op.results or order != sorted(order) or op.operands[0].type != op.results[0].type:
        return None
    return [op.operands[0]]


def _repacked(op: OdsOperation, constants: Constants) -> Folded:
    """What has the same element everywhere has it in any order."""
    source, kind = constants[0], op.results[0].type
    if splat_value(source) is None or not isinstance(kind, TensorType):
        return None
    padding = len(op.operand_group(2)) if op.name == "linalg.pack" else 0
    if padding and splat_value(constants[2]) != splat_value(source):
        return None
    return splat_as(source, kind)


FOLD: dict[str, Folder] = {
    **dict.fromkeys(
        (*MATMULS, *OPS, "linalg.contract", "linalg.elementwise", "linalg.generic"), fold_all_casts
    ),
    "linalg.index": _index,
    "linalg.pack": _repacked,
    "linalg.transpose": _transpose,
    "linalg.unpack": _repacked,
}
