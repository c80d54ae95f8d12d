# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-scf, full-unroll: transfers of n-D vectors become many of smaller vectors.

What is read is inserted into the result, what is written extracted, without buffers; a vector that
is only inserted into another one, or extracted from one, is left out.
Source: MLIR 22.1 VectorToSCF.cpp.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xgpu.conversion.vector.scf_bounds import Options, in_bounds_check, moved_indices
from xgpu.core.ir.fields import next_use
from xgpu.dialects.arith.builders import index_constant
from xgpu.transforms.vector.transfers import (
    READ,
    WRITE,
    Transfer,
    broadcast,
    create_read,
    create_write,
    extract,
    insert,
    mixed_position,
    without_leading_dims,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.vector import ExtractOp, InsertOp


def patterns(options: Options) -> dict[str, tuple[Pattern, ...]]:
    """The patterns of each transfer operation."""

    def unroll(op: Operation, rw: GreedyRewriter) -> bool:
        transfer = Transfer(op)
        if (
            transfer.rank <= options.target_rank
            or (transfer.on_tensor and not options.lower_tensors)
            or not transfer.same_elements
            or transfer.leading_scalable
        ):
            return False
        (_unroll_read if transfer.is_read else _unroll_write)(transfer, rw)
        return True

    return {READ: (unroll,), WRITE: (unroll,)}


def _mask(rw: GreedyRewriter, transfer: Transfer, step: int) -> SSAValue | None:
    """The mask of the smaller transfer; one of a 1-D mask was checked already."""
    if transfer.mask is None:
        return None
    if transfer.is_broadcast(0):
        return transfer.mask
    return extract(rw, transfer.mask, step) if transfer.mask_rank > 1 else None


def _rest(transfer: Transfer) -> AffineMap:
    return AffineMap(transfer.map.num_dims, 0, transfer.map.results[1:])


def _only_insert(op: Operation) -> Operation | None:
    """The `vector.insert` that alone uses the result of `op`."""
    use = op.results[0].first_use
    if use is None or next_use(use) is not None:
        return None
    return use.operation if use.operation.name == "vector.insert" else None


def _unroll_read(read: Transfer, rw: GreedyRewriter) -> None:
    op, padding = read.op, read.padding
    assert padding is not None
    target = _only_insert(op)
    if target is not None:
        position = mixed_position(cast("InsertOp", target))
        vector = target.operands[1]
    else:
        position = []
        vector = broadcast(rw, padding, read.vector_type)
    kind = without_leading_dims(read.vector_type)
    for step in range(read.shape[0]):
        iv = index_constant(rw, step)

        def inside(step: int, iv: SSAValue, vector: SSAValue) -> SSAValue:
            indices = moved_indices(rw, read, iv)
            mask = _mask(rw, read, step)
            part = create_read(
                rw, kind, read.base, indices, padding, _rest(read), read.in_bounds[1:], mask
            )
            # Only scalars and vectors of a positive rank can be inserted.
            if not kind.get_shape():
                part = extract(rw, part)
            return insert(rw, part, vector, *position, step)

        result = in_bounds_check(
            rw,
            read,
            iv,
            vector.type,
            partial(inside, step, iv, vector),
            lambda vector=vector: vector,
        )
        assert result is not None
        vector = result
    if target is not None:
        rw.replace(target, [vector])
        rw.erase(op)
    else:
        rw.replace(op, [vector])


def _unroll_write(write: Transfer, rw: GreedyRewriter) -> None:
    source, position = write.vector, []
    owner = source.owner
    if isinstance(owner, Operation) and owner.name == "vector.extract":
        source, position = owner.operands[0], mixed_position(cast("ExtractOp", owner))
    kind = without_leading_dims(write.vector_type)
    base = write.base
    for step in range(write.shape[0]):
        iv = index_constant(rw, step)

        def inside(step: int, iv: SSAValue, base: SSAValue) -> SSAValue | None:
            indices = moved_indices(rw, write, iv)
            part = extract(rw, source, *position, step)
            if write.rank == 1:
                part = broadcast(rw, part, kind)
            mask = _mask(rw, write, step)
            new = create_write(rw, part, base, indices, _rest(write), write.in_bounds[1:], mask)
            return new.results[0] if new.results else None

        result = in_bounds_check(
            rw,
            write,
            iv,
            base.type if write.on_tensor else None,
            partial(inside, step, iv, base),
            lambda base=base: base if write.on_tensor else None,
        )
        base = result if result is not None else base
    rw.replace(write.op, [base] if write.on_tensor else [])
