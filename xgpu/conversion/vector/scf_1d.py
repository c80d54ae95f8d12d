# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-scf: transfers of 1-D vectors whose elements are not adjacent in memory.

A loop loads or stores one element after the other. Source: MLIR 22.1 VectorToSCF.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from xgpu.conversion.vector.scf_bounds import in_bounds_check, moved_indices
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.syntax import is_minor_identity
from xgpu.transforms.scf.builders import for_loop
from xgpu.transforms.vector.transfers import (
    READ,
    WRITE,
    Transfer,
    broadcast,
    extract,
    insert,
    last_dim_is_unit_stride,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, TensorType

    from xgpu.core.rewriting.greedy import GreedyRewriter


def vscale_multiple(rw: GreedyRewriter, count: SSAValue) -> SSAValue:
    """`count` times the runtime's multiple of scalable dimensions."""
    vscale = rw.value("vector.vscale", (), IndexType())
    return rw.value("arith.muli", [count, vscale], IndexType())


def _lower(op: Operation, rw: GreedyRewriter) -> bool:
    transfer = Transfer(op)
    base = cast("MemRefType | TensorType", transfer.base.type)
    if transfer.rank != 1 or not transfer.map.results or base.name != "memref":
        return False
    if is_minor_identity(transfer.map) and last_dim_is_unit_stride(base):
        return False  # the conversion to llvm takes it
    lower = index_constant(rw, 0)
    upper = index_constant(rw, transfer.shape[0])
    if scalable_dims(transfer.vector_type)[0]:
        upper = vscale_multiple(rw, upper)
    step = index_constant(rw, 1)
    inits: list[SSAValue] = []
    if transfer.padding is not None:
        inits.append(broadcast(rw, transfer.padding, transfer.vector_type))

    def body(iv: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
        indices = moved_indices(rw, transfer, iv)
        vector = carried[0] if carried else None

        def inside() -> SSAValue | None:
            if vector is None:
                value = extract(rw, transfer.vector, iv)
                rw.create("memref.store", [value, transfer.base, *indices])
                return None
            value = rw.value("memref.load", [transfer.base, *indices], base.element_type)
            return insert(rw, value, vector, iv)

        result_type = vector.type if vector is not None else None
        result = in_bounds_check(rw, transfer, iv, result_type, inside, lambda: vector)
        return [result] if result is not None else []

    loop = for_loop(rw, lower, upper, step, inits, body)
    rw.replace(op, loop.results)
    return True


PATTERNS = {READ: (_lower,), WRITE: (_lower,)}
