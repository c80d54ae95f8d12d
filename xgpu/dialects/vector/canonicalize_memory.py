# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of gathers, scatters and transfers.

Source: MLIR 22.1 VectorOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType
from xdsl.ir import SSAValue

from xgpu.core.ir.constants import constant_of
from xgpu.core.ir.elements import values_of
from xgpu.core.ir.splats import Repeated
from xgpu.dialects.vector.fold_transfer import are_disjoint, is_same_place
from xgpu.dialects.vector.shapes import defining, is_scalable, shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


def _counts_from_zero(indices: SSAValue) -> bool:
    """Whether a vector of one dimension is 0, 1, 2, ..."""
    sizes = shape(indices.type)
    if len(sizes) != 1 or is_scalable(indices.type):
        return False
    if defining(indices, "vector.step") is not None:
        return True
    constant = constant_of(indices)
    if not isinstance(constant, DenseIntOrFPElementsAttr):
        return False
    if isinstance(constant.data.data, Repeated):
        return False  # too many equal ones to be held one by one
    return list(values_of(constant)) == list(range(sizes[0]))


def gather_of_rows(op: vector.GatherOp, rw: GreedyRewriter) -> bool:
    """gather of neighbours -> maskedload"""
    if not isinstance(op.base.type, MemRefType) or not _counts_from_zero(op.indices):
        return False
    operands = (op.base, *op.offsets, op.mask, op.pass_thru)
    rw.replace(op, [rw.value("vector.maskedload", operands, op.results[0].type)])
    return True


def scatter_of_rows(op: vector.ScatterOp, rw: GreedyRewriter) -> bool:
    """scatter to neighbours -> maskedstore"""
    if not isinstance(op.base.type, MemRefType) or not _counts_from_zero(op.indices):
        return False
    rw.create("vector.maskedstore", (op.base, *op.offsets, op.mask, op.operands[-1]))
    rw.erase(op)
    return True


def write_twice(op: vector.TransferWriteOp, rw: GreedyRewriter) -> bool:
    """A write to a tensor that another writes over: the earlier one goes"""
    if not op.results:
        return False
    changed = op
    before = defining(op.base, op.name)
    while before is not None:
        if is_same_place(op, before) and op.mask is before.mask:
            rw.set_operand(changed, 1, before.base)
            return True
        if not are_disjoint(before, op) or not before.results[0].has_one_use():
            return False
        changed, before = before, defining(before.base, op.name)
    return False


MEMORY_PATTERNS = {
    "vector.gather": (gather_of_rows,),
    "vector.scatter": (scatter_of_rows,),
    "vector.transfer_write": (write_twice,),
}
