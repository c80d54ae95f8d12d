# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-scf: where a transfer goes on in memory, and whether that is in bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IndexType, IntegerAttr, i1, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir import affine
from xgpu.dialects.affine.simplify import fully_canonical
from xgpu.dialects.arith.builders import index_constant
from xgpu.transforms.scf.builders import if_else
from xgpu.transforms.vector.transfers import Transfer, extract

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, TensorType

    from xgpu.core.rewriting.rewriter import Rewriter

_INDEX = IndexType()
_SUM = AffineMap(2, 0, (affine.add(AffineDimExpr(0), AffineDimExpr(1)),))
_SGT = 4

#: Builds one of two cases; gives its value, or None if the transfer has no result.
Case = Callable[[], SSAValue | None]


class Options:
    """The options of the pass."""

    __slots__ = ("lower_tensors", "target_rank")

    def __init__(self, target_rank: int, lower_tensors: bool) -> None:
        self.target_rank = target_rank
        self.lower_tensors = lower_tensors


def composed_apply(rw: Rewriter, affine_map: AffineMap, operands: Sequence[SSAValue]) -> SSAValue:
    """Creates an `affine.apply`, composed with those that define its operands."""
    final, values = fully_canonical(affine_map, list(operands))
    return rw.value("affine.apply", values, _INDEX, {"map": AffineMapAttr(final)})


def moved_indices(rw: Rewriter, transfer: Transfer, iv: SSAValue) -> list[SSAValue]:
    """The indices of `transfer` for step `iv` of its first vector dimension."""
    indices = list(transfer.indices)
    dim = transfer.memory_dim(0)
    if dim is not None:
        indices[dim] = composed_apply(rw, _SUM, [indices[dim], iv])
    return indices


def size_of(rw: Rewriter, base: SSAValue, dim: int) -> SSAValue:
    """The size of dimension `dim` of a memref or tensor."""
    kind = cast("MemRefType | TensorType", base.type)
    size = kind.get_shape()[dim]
    if size != DYNAMIC_INDEX:
        return index_constant(rw, size)
    name = "memref.dim" if kind.name == "memref" else "tensor.dim"
    return rw.value(name, [base, index_constant(rw, dim)], _INDEX)


def _condition(rw: Rewriter, transfer: Transfer, iv: SSAValue) -> SSAValue | None:
    """Whether step `iv` is in bounds and not masked; None if that is known."""
    condition: SSAValue | None = None
    dim = transfer.memory_dim(0)
    if dim is not None and not transfer.in_bounds[0]:
        size = size_of(rw, transfer.base, dim)
        index = composed_apply(rw, _SUM, [transfer.indices[dim], iv])
        predicate: dict[str, Attribute] = {"predicate": IntegerAttr(_SGT, i64)}
        condition = rw.value("arith.cmpi", [size, index], i1, predicate)
    # A mask of more dimensions goes along to the smaller transfer.
    if transfer.mask is not None and transfer.mask_rank == 1 and dim is not None:
        unmasked = extract(rw, transfer.mask, iv)
        condition = (
            unmasked if condition is None else rw.value("arith.andi", [condition, unmasked], i1)
        )
    return condition


def in_bounds_check(
    rw: Rewriter,
    transfer: Transfer,
    iv: SSAValue,
    result_type: Attribute | None,
    inside: Case,
    outside: Case,
) -> SSAValue | None:
    """Builds `inside`, or an `scf.if` of both cases where it is not known to be in bounds."""
    condition = _condition(rw, transfer, iv)
    if condition is None:
        return inside()

    def branch(case: Case) -> Callable[[], Sequence[SSAValue]]:
        def build() -> Sequence[SSAValue]:
            value = case()
            return () if result_type is None or value is None else (value,)

        return build

    types = () if result_type is None else (result_type,)
    op = if_else(rw, condition, types, branch(inside), branch(outside))
    return op.results[0] if result_type is not None else None
