# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index arithmetic: affine.apply that is composed, folded, and valid where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.dialects.affine.maps import Mixed, substitute
from xgpu.dialects.affine.simplify import fully_canonical
from xgpu.dialects.arith.builders import index_constant

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter


def as_value(rw: Rewriter, item: Mixed) -> SSAValue:
    """`item`, as a constant where it is an integer."""
    return index_constant(rw, item) if isinstance(item, int) else item


def apply(rw: Rewriter, expr: AffineExpr, operands: Sequence[Mixed]) -> Mixed:
    """`expr`, whose symbols are `operands`, composed and simplified: an integer, a value that is
    there, or an affine.apply."""
    values = [operand for operand in operands if isinstance(operand, SSAValue)]
    symbols: list[AffineExpr] = []
    for operand in operands:
        if isinstance(operand, int):
            symbols.append(AffineConstantExpr(operand))
        else:
            symbols.append(AffineDimExpr(sum(isinstance(s, AffineDimExpr) for s in symbols)))
    return apply_map(rw, AffineMap(len(values), 0, (substitute(expr, (), symbols),)), values)


def apply_map(rw: Rewriter, start: AffineMap, values: list[SSAValue]) -> Mixed:
    """The result of a map of one, composed and simplified: an integer, a value that is there, or
    an affine.apply."""
    final, values = fully_canonical(start, values)
    result = final.results[0]
    if isinstance(result, AffineConstantExpr):
        return result.value
    if isinstance(result, AffineDimExpr):
        return values[result.position]
    if isinstance(result, AffineSymExpr):
        return values[final.num_dims + result.position]
    return rw.value("affine.apply", values, IndexType(), {"map": AffineMapAttr(final)})


def folded_apply(rw: Rewriter, expr: AffineExpr, operands: Sequence[Mixed]) -> Mixed:
    """As `apply`, with operands that are symbols before they are composed.

    That gives operands another order. Compare MLIR's makeComposedFoldedAffineApply.
    """
    values = [operand for operand in operands if isinstance(operand, SSAValue)]
    places = iter(range(len(values)))
    symbols: list[AffineExpr] = [
        AffineConstantExpr(operand) if isinstance(operand, int) else AffineSymExpr(next(places))
        for operand in operands
    ]
    return apply_map(rw, AffineMap(0, len(values), (substitute(expr, (), symbols),)), values)


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
