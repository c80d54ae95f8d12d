# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strides and offset of memref types."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IntAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

#: xDSL's mark of a dynamic size: the least 64-bit integer, as MLIR's.
DYNAMIC_SIZE = -(2**63)


def strided_form(ty: MemRefType) -> tuple[list[int | None], int | None] | None:
    """The strides and the offset of `ty`, None for a dynamic one.

    None if the layout is not strided.
    """
    layout = ty.layout
    if isinstance(layout, NoneAttr):
        return contiguous_strides(ty.get_shape()), 0
    if isinstance(layout, StridedLayoutAttr):
        strides = [s.data if isinstance(s, IntAttr) else None for s in layout.strides.data]
        return strides, layout.offset.data if isinstance(layout.offset, IntAttr) else None
    if isinstance(layout, AffineMapAttr):
        return _strides_of_map(ty, layout)
    return None


def contiguous_strides(shape: Sequence[int]) -> list[int | None]:
    """Row-major strides; a stride is dynamic (None) if a size right of it is."""
    strides: list[int | None] = []
    running: int | None = 1
    for size in reversed(shape):
        strides.append(running)
        running = None if running is None or size == DYNAMIC_SIZE else running * size
    strides.reverse()
    return strides


def _strides_of_map(
    ty: MemRefType, layout: AffineMapAttr
) -> tuple[list[int | None], int | None] | None:
    the_map = layout.data
    rank = ty.get_num_dims()
    if len(the_map.results) != 1:
        identity = the_map.num_dims == rank and all(
            isinstance(e, AffineDimExpr) and e.position == i for i, e in enumerate(the_map.results)
        )
        return (contiguous_strides(ty.get_shape()), 0) if identity else None
    if rank == 1 and isinstance(the_map.results[0], AffineDimExpr):
        return [1], 0
    terms = _linear(the_map.results[0], rank)
    if terms is None:
        return None
    return terms[:rank], terms[rank]


def _linear(expr: AffineExpr, rank: int) -> list[int | None] | None:
    """Coefficients of the dimensions, then the constant; None inside for one with symbols."""
    if isinstance(expr, AffineConstantExpr):
        return [*([0] * rank), expr.value]
    if isinstance(expr, AffineDimExpr):
        return [*(int(i == expr.position) for i in range(rank)), 0]
    if not isinstance(expr, AffineBinaryOpExpr):  # a symbol
        return [0] * rank + [None]
    left, right = _linear(expr.lhs, rank), _linear(expr.rhs, rank)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return [_plus(a, b) for a, b in zip(left, right, strict=True)]
    if expr.kind is AffineBinaryOpKind.Mul:
        if any(c != 0 for c in left[:rank]):
            if any(c != 0 for c in right[:rank]):
                return None
            left, right = right, left
        factor = left[rank]
        return [_times(factor, c) for c in right]
    # floordiv, ceildiv and mod: only of symbols and constants, whose value is not known here.
    if any(c != 0 for c in left[:rank]) or any(c != 0 for c in right[:rank]):
        return None
    return [0] * rank + [None]


def _times(a: int | None, b: int | None) -> int | None:
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def is_contiguous(ty: MemRefType) -> bool:
    """Whether the elements lie one after the other, as far as the type tells (MLIR's
    `memref::isStaticShapeAndContiguousRowMajor` without the static shape)."""
    form = strided_form(ty)
    if form is None:
        return False
    strides, _ = form
    return strides == contiguous_strides(ty.get_shape())
