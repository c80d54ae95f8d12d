# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of transfers: what is known to be in bounds, casts of memory that say less, masks that are
set, and tensors that are read after they are written.

Source: MLIR 22.1 VectorOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, BoolAttr, DenseArrayBase, i32
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from xgpu.core.ir.constants import int_of, int_value
from xgpu.dialects.memref.casts import fold_casts
from xgpu.dialects.vector.fold_extract import Constants, Folded
from xgpu.dialects.vector.mask_folding import is_all
from xgpu.dialects.vector.shapes import defining, shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, TensorType, VectorType
    from xdsl.ir import Attribute, Operation
    from xdsl.ir.affine.affine_map import AffineMap

    from xgpu.dialects.vector import TransferReadOp, TransferWriteOp


READ, WRITE = "vector.transfer_read", "vector.transfer_write"


def _vector(op: Operation) -> Attribute:
    """The type of the vector that is read or written."""
    return op.results[0].type if op.name == READ else op.operands[0].type


def _map(op: TransferReadOp | TransferWriteOp) -> AffineMap:
    return op.properties["permutation_map"].data


def _is_minor_identity(op: TransferReadOp | TransferWriteOp) -> bool:
    """Whether a vector's dimensions are the last ones of the memory, in their order."""
    map = _map(op)
    lead = map.num_dims - len(map.results)
    return lead >= 0 and all(
        isinstance(expr, AffineDimExpr) and expr.position == lead + i
        for i, expr in enumerate(map.results)
    )


def _is_in_bounds(op: TransferReadOp | TransferWriteOp) -> bool:
    return all(bool(flag.value.data) for flag in op.properties["in_bounds"].data)


def is_same_place(
    one: TransferReadOp | TransferWriteOp, other: TransferReadOp | TransferWriteOp
) -> bool:
    """Whether two transfers go to the same elements of what they read or write, in one order."""
    return (
        tuple(one.indices) == tuple(other.indices)
        and _vector(one) == _vector(other)
        and _map(one) == _map(other)
    )


def are_disjoint(
    one: TransferReadOp | TransferWriteOp, other: TransferReadOp | TransferWriteOp
) -> bool:
    """Whether constants show that two transfers have no element in common."""
    if _vector(one) != _vector(other):
        return False
    if not _is_minor_identity(one) or not _is_minor_identity(other):
        return False
    sizes = shape(_vector(one))
    lead = len(one.indices) - len(sizes)
    for dim, (first, second) in enumerate(zip(one.indices, other.indices, strict=True)):
        a, b = int_of(first), int_of(second)
        if a is None or b is None:
            continue
        if abs(a - b) >= (1 if dim < lead else sizes[dim - lead]):
            return True
    return False


def _mark_in_bounds(
    op: TransferReadOp | TransferWriteOp, first: int, vector: Attribute, constants: Constants
) -> bool:
    """Sets `in_bounds` where constant indices and static sizes show it."""
    results = _map(op).results
    if not results:
        return False
    old = [bool(flag.value.data) for flag in op.in_bounds.data]
    memory = cast("MemRefType | TensorType", op.operands[first].type)
    shape, sizes = memory.get_shape(), cast("VectorType", vector).get_shape()
    new = list(old)
    plain: list[int] = []
    for dim, expr in enumerate(results):
        if not isinstance(expr, AffineDimExpr):
            continue
        plain.append(dim)
        at = expr.position
        start = int_value(constants[first + 1 + at])
        if not old[dim] and start is not None and shape[at] != DYNAMIC_INDEX:
            new[dim] = start >= 0 and start + sizes[dim] <= shape[at]
    # A broadcast reads what the other dimensions read.
    if all(new[dim] for dim in plain):
        new = [True] * len(new)
    if new == old:
        return False
    op.properties["in_bounds"] = ArrayAttr([BoolAttr.from_bool(flag) for flag in new])
    return True


def _without_mask(op: TransferReadOp | TransferWriteOp) -> bool:
    """Drops a mask that is set everywhere."""
    if op.mask is None or not is_all(op.mask):
        return False
    op.operands = op.operands[:-1]
    sizes = list(op.properties["operandSegmentSizes"].get_values())
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [*sizes[:-1], 0])
    return True


def _fold_common(
    op: TransferReadOp | TransferWriteOp, first: int, constants: Constants
) -> bool | None:
    """What reads and writes have in common."""
    if _mark_in_bounds(op, first, _vector(op), constants) or _without_mask(op):
        return True
    return fold_casts(op) or _fold_tensor_cast(op, first) or None


def _fold_tensor_cast(op: TransferReadOp | TransferWriteOp, first: int) -> bool:
    """Reads what was cast, if that says no less."""
    cast = defining(op.operands[first], "tensor.cast")
    if cast is None or op.name != READ:
        return False
    source, kind = cast.operands[0], cast.results[0].type
    if source.type.name != "tensor":
        return False
    sizes = zip(source.type.get_shape(), kind.get_shape(), strict=True)
    if any(known != said != DYNAMIC_INDEX for known, said in sizes):
        return False
    op.operands[first] = source
    return True


def fold_read(op: TransferReadOp, constants: Constants) -> Folded:
    """Folds a `vector.transfer_read`."""
    written = _written(op)
    return _fold_common(op, 0, constants) if written is None else [written]


def _written(op: TransferReadOp) -> SSAValue | None:
    """The vector that was written to a tensor where `op` reads."""
    write = None if op.mask is not None else defining(op.base, WRITE)
    while write is not None:
        if is_same_place(write, op) and write.mask is None and _is_in_bounds(write):
            return write.operands[0]
        if not are_disjoint(write, op):
            return None
        write = defining(write.base, WRITE)
    return None


def fold_write(op: TransferWriteOp, constants: Constants) -> Folded:
    """Folds a `vector.transfer_write`."""
    same = _unchanged(op) if op.results else None
    return _fold_common(op, 1, constants) if same is None else [same]


def _unchanged(op: TransferWriteOp) -> SSAValue | None:
    """The tensor that a write makes, if it is one that was read: all of it, or where it was."""
    read = defining(op.operands[0], READ)
    if read is None or read.mask is not None or op.mask is not None:
        return None
    if read.base is op.base and is_same_place(read, op):
        return op.base
    whole = (
        read.base.type == op.base.type
        and shape(_vector(op)) == cast("TensorType", op.base.type).get_shape()
        and shape(_vector(op)) != ()
        and all(_is_minor_identity(t) and _is_in_bounds(t) for t in (read, op))
        and all(int_of(index) == 0 for index in (*read.indices, *op.indices))
    )
    return read.base if whole else None
