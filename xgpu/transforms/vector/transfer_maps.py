# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transfers with permutation maps become transfers with minor identities.

A permuted read is transposed after it, a permuted write before it; leading broadcasts of a read
become a `vector.broadcast`. Source: MLIR 22.1 LowerVectorTransfer.cpp (the patterns of
`populateVectorTransferPermutationMapLoweringPatterns`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.dialects.syntax_helpers import scalable_dims
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
    permuted_minor_identity,
    transpose,
    with_unit_dims,
    without_leading_dims,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import VectorType

    from xgpu.core.rewriting.greedy import GreedyRewriter


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


PATTERNS = {
    READ: (read_permutation, reduce_rank),
    WRITE: (write_permutation, write_non_permutation),
}
