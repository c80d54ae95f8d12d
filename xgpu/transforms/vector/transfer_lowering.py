# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transfers: permutation maps become minor identities, and transfers of up to one dimension loads
and stores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir.constants import make
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import masking_op, start
from xgpu.dialects.vector.ops import vector_type
from xgpu.dialects.vector.syntax import is_minor_identity, minor_identity
from xgpu.transforms.vector.transfers import (
    READ,
    WRITE,
    Transfer,
    broadcast,
    create_read,
    create_write,
    is_minor_identity_with_broadcasts,
    last_dim_is_unit_stride,
    permuted_minor_identity,
    transpose,
    with_unit_dims,
    without_leading_dims,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector


# --- transfer maps -------------------------------------------------------------------------------
# Transfers with permutation maps become transfers with minor identities.
#
# A permuted read is transposed after it, a permuted write before it; leading broadcasts of a read
# become a `vector.broadcast`. Source: MLIR 22.1 LowerVectorTransfer.cpp (the patterns of
# `populateVectorTransferPermutationMapLoweringPatterns`).


def _is_masked(op: Operation) -> bool:
    """Whether `op` stands in a `vector.mask`, which these patterns do not look into."""
    parent = op.parent_op()
    return parent is not None and parent.name == "vector.mask"


def read_permutation(op: Operation, rw: GreedyRewriter) -> bool:
    """A permuted read is a read in the order of memory and a transpose."""
    read = Transfer(op)
    if not read.map.results or _is_masked(op):
        return False
    permutation = permuted_minor_identity(read.map)
    if permutation is None or permutation == list(range(len(permutation))):
        return False
    assert read.padding is not None
    count = len(permutation)
    exprs: list[AffineExpr] = list(read.map.results)
    shape, flags, in_bounds = [0] * count, [False] * count, [False] * count
    source_flags = scalable_dims(read.vector_type)
    for old, new in enumerate(permutation):
        exprs[new] = read.map.results[old]
        shape[new] = read.shape[old]
        flags[new] = source_flags[old]
        in_bounds[new] = read.in_bounds[old]
    result = create_read(
        rw,
        vector_type(read.vector_type.element_type, shape, flags),
        read.base,
        read.indices,
        read.padding,
        AffineMap(read.map.num_dims, 0, tuple(exprs)),
        in_bounds,
        read.mask,
    )
    rw.replace(op, [transpose(rw, result, permutation)])
    return True


def write_permutation(op: Operation, rw: GreedyRewriter) -> bool:
    """A permuted write is a transpose and a write in the order of memory."""
    write = Transfer(op)
    if not write.map.results or is_minor_identity(write.map) or _is_masked(op):
        return False
    permutation = permuted_minor_identity(write.map)
    if permutation is None or any(
        not isinstance(expr, AffineDimExpr) for expr in write.map.results
    ):
        return False
    positions = [write.memory_dim(dim) or 0 for dim in range(len(permutation))]
    order = sorted(range(len(positions)), key=positions.__getitem__)
    in_bounds = [False] * len(permutation)
    for old, new in enumerate(permutation):
        in_bounds[new] = write.in_bounds[old]
    vector = transpose(rw, write.vector, order)
    identity = minor_identity(write.map.num_dims, len(write.map.results))
    new_op = create_write(rw, vector, write.base, write.indices, identity, in_bounds, write.mask)
    rw.replace(op, new_op.results)
    return True


def write_non_permutation(op: Operation, rw: GreedyRewriter) -> bool:
    """A write that leaves out inner dimensions gets them, with size 1."""
    write = Transfer(op)
    if not write.map.results or _is_masked(op):
        return False
    if permuted_minor_identity(write.map) is not None:
        return False
    found = {e.position for e in write.map.results if isinstance(e, AffineDimExpr)}
    missing = [d for d in range(min(found), write.map.num_dims) if d not in found]
    count = len(missing)
    vector = broadcast(rw, write.vector, with_unit_dims(write.vector_type, count))
    mask: SSAValue | None = None
    if write.mask is not None:
        extended = broadcast(
            rw, write.mask, with_unit_dims(cast("VectorType", write.mask.type), count)
        )
        inner = range(count, count + write.mask_rank)
        mask = transpose(rw, extended, [*inner, *range(count)])
    exprs = (*(AffineDimExpr(d) for d in missing), *write.map.results)
    new_op = create_write(
        rw,
        vector,
        write.base,
        write.indices,
        AffineMap(write.map.num_dims, 0, exprs),
        [True] * count + write.in_bounds,
        mask,
    )
    rw.replace(op, new_op.results)
    return True


def reduce_rank(op: Operation, rw: GreedyRewriter) -> bool:
    """Leading broadcasts of a read become a `vector.broadcast` of a smaller read."""
    read = Transfer(op)
    if not read.map.results or _is_masked(op):
        return False
    leading = 0
    for expr in read.map.results:
        if not isinstance(expr, AffineConstantExpr) or expr.value != 0:
            break
        leading += 1
    if leading == 0:
        return False
    rest = AffineMap(read.map.num_dims, 0, read.map.results[leading:])
    # A permutation comes first: the other pattern.
    if not is_minor_identity_with_broadcasts(rest):
        return False
    assert read.padding is not None
    result = create_read(
        rw,
        without_leading_dims(read.vector_type, leading),
        read.base,
        read.indices,
        read.padding,
        rest,
        read.in_bounds[leading:],
        read.mask,
    )
    rw.replace(op, [broadcast(rw, result, read.vector_type)])
    return True


PERMUTATIONS = {
    READ: (read_permutation, reduce_rank),
    WRITE: (write_permutation, write_non_permutation),
}


# --- transfer rules ------------------------------------------------------------------------------
# Transfers of up to one dimension as vector.load, store, maskedload and maskedstore.
#
# Memory must be a memref whose last stride is one, and the transfer must stay inside of it (see
# `masks.mask_transfer`).


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


TRANSFER_PATTERNS = {
    "vector.transfer_read": (lower_read,),
    "vector.transfer_write": (lower_write,),
}


# --- masked transfers ----------------------------------------------------------------------------
# vector.mask around a transfer or gather becomes the mask that the operation itself takes.
#
# Source: MLIR 22.1 LowerVectorMask.cpp.


def lower_mask(op: vector.MaskOp, rw: GreedyRewriter) -> bool:
    """mask %m { transfer_read %t } -> transfer_read %t, %m"""
    block = op.regions[0].block
    inner = block.first_op
    if inner is None or inner is block.last_op:
        return False
    mask = op.mask
    passthru = op.passthru
    if inner.name == "vector.gather":
        kind = cast("VectorType", inner.results[0].type)
        if passthru is None:
            zero = make(kind, 0)
            assert zero is not None
            passthru = attribute_constant(rw, zero, kind)
        operands = list(inner.operands)
        operands[-2:] = [mask, passthru]
        rw.replace_with(op, inner.name, operands, [kind], dict(inner.properties))
        return True
    if inner.name not in (READ, WRITE) or (inner.name == READ and passthru is not None):
        return False
    transfer = Transfer(inner)
    if inner.name == READ:
        assert transfer.padding is not None
        new = create_read(
            rw,
            inner.results[0].type,
            transfer.base,
            transfer.indices,
            transfer.padding,
            transfer.map,
            transfer.in_bounds,
            mask,
        )
        rw.replace(op, [new])
    else:
        written = create_write(
            rw,
            transfer.vector,
            transfer.base,
            transfer.indices,
            transfer.map,
            transfer.in_bounds,
            mask,
        )
        rw.replace(op, written.results)
    return True


MASKED: dict[str, tuple[Pattern, ...]] = {"vector.mask": (lower_mask,)}
