# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads of tensors, of what was written to them in another order or fewer dimensions.

Source: MLIR 22.1 VectorOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, TensorType, VectorType, i64
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from xgpu.dialects.vector.shapes import defining

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector


def _dims(op: vector.TransferReadOp | vector.TransferWriteOp) -> list[int | None] | None:
    """For each dimension of the vector that of the tensor, None for a broadcast; None if the map
    says anything else."""
    found: list[int | None] = []
    for expr in op.permutation_map.data.results:
        if isinstance(expr, AffineDimExpr):
            found.append(expr.position)
        elif isinstance(expr, AffineConstantExpr) and expr.value == 0:
            found.append(None)
        else:
            return None
    return found


def _accessed(dims: list[int | None], kind: VectorType[Attribute]) -> dict[int, tuple[int, int]]:
    """How many elements along each dimension of the tensor, and if times vscale; without those of
    one."""
    sizes = zip(kind.get_shape(), kind.get_scalable_dims(), strict=True)
    found = {
        dim: (size, int(scalable))
        for dim, (size, scalable) in zip(dims, sizes, strict=True)
        if dim is not None
    }
    return {dim: size for dim, size in found.items() if size != (1, 0)}


def read_what_was_written(op: vector.TransferReadOp, rw: GreedyRewriter) -> bool:
    """read(write v to t) from the same place -> transpose(broadcast v)"""
    write = cast("vector.TransferWriteOp | None", defining(op.base, "vector.transfer_write"))
    if write is None or op.mask is not None or write.mask is not None:
        return False
    if tuple(op.indices) != tuple(write.indices):
        return False
    flags = [*op.in_bounds.data, *write.in_bounds.data]
    if not all(bool(flag.value.data) for flag in flags):
        return False
    kind, stored = op.vector.type, write.operands[0].type
    element = cast("TensorType[Attribute]", op.base.type).element_type
    if not isinstance(stored, VectorType) or kind.element_type != element:
        return False
    reads, writes = _dims(op), _dims(write)
    if reads is None or writes is None or None in writes:
        return False
    if _accessed(reads, kind) != _accessed(writes, stored):
        return False
    order = _order(reads, writes)
    if order is None:
        return False
    rw.replace(op, [_rearranged(rw, write.operands[0], kind, order)])
    return True


def _order(reads: list[int | None], writes: list[int | None]) -> list[int] | None:
    """Which dimension of a broadcast of what is written each dimension of what is read is; None
    if what is read lacks one that is written, be it of one element, as in MLIR."""
    if not set(writes) <= set(reads):
        return None
    lead = len(reads) - len(writes)
    places = {dim: lead + at for at, dim in enumerate(writes)}
    order = [places.get(dim) if dim is not None else None for dim in reads]
    free = iter(range(lead))
    return [next(free) if place is None else place for place in order]


def _rearranged(
    rw: GreedyRewriter, value: SSAValue, kind: VectorType[Attribute], order: list[int]
) -> SSAValue:
    """`value` as a vector of type `kind`, of which `order` says where its dimensions are."""
    sizes, scalable = [1] * len(order), [False] * len(order)
    before = list(zip(kind.get_shape(), kind.get_scalable_dims(), strict=True))
    for (size, flag), at in zip(before, order, strict=True):
        sizes[at], scalable[at] = size, bool(flag)
    flags = ArrayAttr([BoolAttr.from_bool(flag) for flag in scalable])
    wide = VectorType(kind.element_type, sizes, flags)
    spread = rw.value("vector.broadcast", (value,), wide)
    permutation = DenseArrayBase.from_list(i64, order)
    return rw.value("vector.transpose", (spread,), kind, {"permutation": permutation})


TRANSFER_PATTERNS: dict[str, tuple[Pattern, ...]] = {"vector.transfer_read": (read_what_was_written,)}
