# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index arithmetic for transform operations: affine.apply that is valid where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.dialects.affine.scopes import affine_scope, is_valid_symbol
from xgpu.transforms.affine_apply import Mixed, folded_apply, substitute

if TYPE_CHECKING:
    from xgpu.transforms.rewriting import Rewriter


def constant(rw: Rewriter, value: int) -> SSAValue:
    """An index constant."""
    return rw.value("arith.constant", (), IndexType(), {"value": IntegerAttr.from_index_int_value(value)})


def as_value(rw: Rewriter, item: Mixed) -> SSAValue:
    """`item`, as a constant where it is an integer."""
    return constant(rw, item) if isinstance(item, int) else item


def apply(rw: Rewriter, expr: AffineExpr, operands: Sequence[Mixed]) -> Mixed:
    """`expr` of symbols, composed and folded; operands that cannot be symbols become dimensions."""
    result = folded_apply(rw, expr, operands)
    if isinstance(result, SSAValue) and not any(result is operand for operand in operands):
        _use_dimensions(result)
    return result


def _use_dimensions(value: SSAValue) -> None:
    op = value.owner
    if not isinstance(op, Operation) or op.name != "affine.apply":
        return
    map_attr = op.properties["map"]
    assert isinstance(map_attr, AffineMapAttr)
    old = map_attr.data
    if old.num_dims:
        return
    scope = affine_scope(op)
    is_dim = [not is_valid_symbol(v, scope) for v in op.operands]
    if not any(is_dim):
        return
    replacements: list[AffineExpr] = []
    dims = symbols = 0
    for dim in is_dim:
        if dim:
            replacements.append(AffineDimExpr(dims))
            dims += 1
        else:
            replacements.append(AffineSymExpr(symbols))
            symbols += 1
    expr = substitute(old.results[0], (), replacements)
    operands = list(op.operands)
    op.operands = [v for v, d in zip(operands, is_dim, strict=True) if d] + [
        v for v, d in zip(operands, is_dim, strict=True) if not d
    ]
    op.properties["map"] = AffineMapAttr(AffineMap(dims, symbols, (expr,)))


def strides(sizes: Sequence[int]) -> list[int]:
    """Row-major strides of `sizes`."""
    result = [1] * len(sizes)
    for index in range(len(sizes) - 2, -1, -1):
        result[index] = result[index + 1] * sizes[index + 1]
    return result


def product(sizes: Sequence[int]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def bit_width(ty: object) -> int:
    """The bits of an integer or floating point type."""
    width = getattr(ty, "bitwidth", None)
    return width if isinstance(width, int) else 64
