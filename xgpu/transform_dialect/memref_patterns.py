# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.apply_patterns.memref.alloc_to_alloca: allocations that are freed in their block."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ComplexType, VectorType

from xgpu.dialects.affine.index_math import bit_width, product

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, MemRefType
    from xdsl.ir import Attribute, Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import memref
    from xgpu.transform_dialect.patterns import Table


def _bytes(ty: Attribute) -> int:
    if isinstance(ty, VectorType):
        return product(ty.get_shape()) * _bytes(ty.element_type)
    if isinstance(ty, ComplexType):
        return 2 * _bytes(ty.element_type)
    return -(-bit_width(ty) // 8)


def _fits(ty: Attribute, limit: int | None) -> bool:
    if limit is None:
        return True
    memref = cast("MemRefType", ty)
    shape = memref.get_shape()
    return all(n >= 0 for n in shape) and product(shape) * _bytes(memref.element_type) <= limit


def _dealloc(alloc: Operation) -> Operation | None:
    following = alloc.next_op
    while following is not None:
        if following.name == "memref.dealloc" and following.operands[0] is alloc.results[0]:
            return following
        following = following.next_op
    return None


def alloc_to_alloca(op: Operation) -> Table:
    """The pattern for allocations of up to `size_limit` bytes."""
    attr = cast("IntegerAttr | None", op.properties.get("size_limit"))
    limit = None if attr is None else attr.value.data

    def rewrite(alloc: memref.AllocOp, rw: GreedyRewriter) -> bool:
        if not _fits(alloc.results[0].type, limit):
            return False
        dealloc = _dealloc(alloc)
        if dealloc is None:
            return False
        rw.before(alloc)
        rw.location = alloc.location
        new = rw.create(
            "memref.alloca",
            [list(alloc.operand_group(0)), list(alloc.operand_group(1))],
            [alloc.results[0].type],
            {
                k: v
                for k, v in cast("Operation", alloc).properties.items()
                if k != "operandSegmentSizes"
            },
        )
        rw.erase(dealloc)
        rw.replace(alloc, new.results)
        return True

    return {"memref.alloc": (rewrite,)}
