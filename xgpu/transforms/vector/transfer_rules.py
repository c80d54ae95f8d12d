# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transfers of up to one dimension as vector.load, store, maskedload and maskedstore.

Memory must be a memref whose last stride is one, and the transfer must stay inside of it (see
`masks.mask_transfer`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir.affine import AffineConstantExpr

from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import masking_op, start
from xgpu.dialects.vector.ops import vector_type
from xgpu.transforms.vector.transfers import (
    Transfer,
    broadcast,
    is_minor_identity_with_broadcasts,
    last_dim_is_unit_stride,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def _is_simple(op: Operation, transfer: Transfer, max_rank: int | None) -> bool:
    base = transfer.base.type
    if max_rank is not None and transfer.rank > max_rank:
        return False
    if masking_op(op) is not None or not isinstance(base, MemRefType):
        return False
    if not is_minor_identity_with_broadcasts(transfer.map):
        return False
    return last_dim_is_unit_stride(base) and not transfer.has_out_of_bounds_dim()


def _elements_fit(transfer: Transfer, vector: VectorType) -> bool:
    base = cast("MemRefType", transfer.base.type)
    if isinstance(base.element_type, VectorType):
        return base.element_type == vector
    return base.element_type == vector.element_type


def lower_read(op: Operation, rw: GreedyRewriter, max_rank: int = 1) -> bool:
    transfer = Transfer(op)
    if not _is_simple(op, transfer, max_rank):
        return False
    ty: VectorType = transfer.vector_type
    repeated = [isinstance(e, AffineConstantExpr) for e in transfer.map.results]
    # Elements that are vectors themselves add dimensions that the map does not have.
    repeated.extend([False] * (transfer.rank - len(repeated)))
    shape = [1 if r else n for r, n in zip(repeated, ty.get_shape(), strict=True)]
    flags = [f and not r for f, r in zip(scalable_dims(ty), repeated, strict=True)]
    loaded = vector_type(ty.element_type, shape, flags)
    if not _elements_fit(transfer, loaded):
        return False
    if transfer.mask is not None and transfer.rank != 1:
        return False
    start(op, rw)
    if transfer.mask is not None:
        assert transfer.padding is not None
        fill = broadcast(rw, transfer.padding, loaded)
        operands = (transfer.base, *transfer.indices, transfer.mask, fill)
        value = rw.value("vector.maskedload", operands, loaded)
    else:
        value = rw.value("vector.load", (transfer.base, *transfer.indices), loaded)
    rw.replace(op, [broadcast(rw, value, ty) if any(repeated) else value])
    return True


def lower_write(op: Operation, rw: GreedyRewriter, max_rank: int = 1) -> bool:
    transfer = Transfer(op)
    if not _is_simple(op, transfer, max_rank) or not _elements_fit(transfer, transfer.vector_type):
        return False
    if any(isinstance(e, AffineConstantExpr) for e in transfer.map.results):
        return False
    if transfer.mask is not None and transfer.rank != 1:
        return False
    start(op, rw)
    if transfer.mask is not None:
        operands = (transfer.base, *transfer.indices, transfer.mask, transfer.vector)
        rw.create("vector.maskedstore", operands)
    else:
        rw.create("vector.store", (transfer.vector, transfer.base, *transfer.indices))
    rw.erase(op)
    return True


def patterns(max_rank: int) -> dict[str, tuple[Pattern, ...]]:
    """The patterns for transfers of up to `max_rank` dimensions."""

    def read(op: Operation, rw: GreedyRewriter) -> bool:
        return lower_read(op, rw, max_rank)

    def write(op: Operation, rw: GreedyRewriter) -> bool:
        return lower_write(op, rw, max_rank)

    return {"vector.transfer_read": (read,), "vector.transfer_write": (write,)}


PATTERNS = {
    "vector.transfer_read": (lower_read,),
    "vector.transfer_write": (lower_write,),
}
