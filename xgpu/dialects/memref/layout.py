# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strides and offsets of memref types.

A dynamic stride or offset is None. `strides_and_offset` gives None for a layout that is no strides
and offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
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
    AffineMap,
    AffineSymExpr,
)

from xgpu.core.ir.affine import add, mul

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr, IntAttr
    from xdsl.ir import Attribute


Known = int | None


def identity_strides(shape: Sequence[int]) -> list[Known]:
    """The strides of a row-major buffer; None where a dynamic size makes them dynamic."""
    strides: list[Known] = []
    stride: Known = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = None if stride is None or size == DYNAMIC_INDEX else stride * size
    return strides[::-1]


def has_identity_layout(kind: MemRefType) -> bool:
    """Whether a memref's layout is the identity."""
    layout = kind.layout
    if isinstance(layout, NoneAttr):
        return True
    if isinstance(layout, AffineMapAttr):
        affine_map = layout.data
        return affine_map.num_symbols == 0 and affine_map == AffineMap.identity(affine_map.num_dims)
    if not isinstance(layout, StridedLayoutAttr):
        return False
    # The map of a strided layout is the identity for one dimension at most.
    strides, offset = [_known(stride) for stride in layout.strides.data], _known(layout.offset)
    return offset == 0 and strides in ([], [1])


def strides_and_offset(kind: MemRefType) -> tuple[list[Known], Known] | None:
    """The strides and offset of a memref type, or None."""
    layout = cast("AffineMapAttr | NoneAttr | StridedLayoutAttr", kind.layout)
    shape = kind.get_shape()
    if isinstance(layout, NoneAttr):
        return identity_strides(shape), 0
    if isinstance(layout, StridedLayoutAttr):
        return [_known(stride) for stride in layout.strides.data], _known(layout.offset)
    return _of_map(layout.data, shape)


def known_description(kind: MemRefType, found: tuple[list[Known], Known]) -> list[Known]:
    """Offset, sizes and strides in one list, as extract_strided_metadata has them.

    `found` is what `strides_and_offset` gives for `kind`.
    """
    return [found[1], *(static(size) for size in kind.get_shape()), *found[0]]


def _known(entry: IntAttr | NoneAttr) -> Known:
    """An entry of a strided layout: its number, None where it is `?`."""
    if isinstance(entry, NoneAttr):
        return None
    return None if entry.data == DYNAMIC_INDEX else entry.data


def _of_map(affine_map: AffineMap, shape: Sequence[int]) -> tuple[list[Known], Known] | None:
    rank = len(shape)
    if affine_map == AffineMap.identity(rank):
        return identity_strides(shape), 0
    if len(affine_map.results) != 1:
        return None
    strides: list[Known] = [0] * rank
    offset: list[Known] = [0]
    if not _collect(affine_map.results[0], 1, strides, offset):
        return None
    # MLIR takes a stride of 0 for a dimension that the map does not mention.
    return strides, offset[0]


def _collect(expr: AffineExpr, factor: Known, strides: list[Known], offset: list[Known]) -> bool:
    """Adds `factor * expr` to the strides and the offset; False if it is no sum of products."""
    if isinstance(expr, AffineDimExpr):
        strides[expr.position] = _plus(strides[expr.position], factor)
        return True
    if isinstance(expr, AffineConstantExpr):
        offset[0] = _plus(offset[0], None if factor is None else factor * expr.value)
        return True
    if not isinstance(expr, AffineBinaryOpExpr):
        offset[0] = None  # a symbol
        return True
    if expr.kind is AffineBinaryOpKind.Add:
        return _collect(expr.lhs, factor, strides, offset) and _collect(
            expr.rhs, factor, strides, offset
        )
    if expr.kind is not AffineBinaryOpKind.Mul:
        if _mentions_dims(expr):
            return False
        offset[0] = None
        return True
    for side, other in ((expr.lhs, expr.rhs), (expr.rhs, expr.lhs)):
        if not _mentions_dims(other):
            scale = other.value if isinstance(other, AffineConstantExpr) else None
            product = None if scale is None or factor is None else factor * scale
            return _collect(side, product, strides, offset)
    return False


def _plus(left: Known, right: Known) -> Known:
    return None if left is None or right is None else left + right


def _mentions_dims(expr: AffineExpr) -> bool:
    if isinstance(expr, AffineBinaryOpExpr):
        return _mentions_dims(expr.lhs) or _mentions_dims(expr.rhs)
    return isinstance(expr, AffineDimExpr)


def strided_type(
    like: MemRefType, shape: Sequence[int], strides: Sequence[Known], offset: Known
) -> MemRefType:
    """A memref with the element type and memory space of `like` and a strided layout."""
    layout = StridedLayoutAttr(list(strides), offset)
    return MemRefType(like.element_type, list(shape), layout, like.memory_space)


def times(left: Known, right: Known) -> Known:
    """A product; dynamic if a factor is."""
    return None if left is None or right is None else left * right


def static(value: int) -> Known:
    """An entry of a static index list or shape: None where it is dynamic."""
    return None if value == DYNAMIC_INDEX else value


def layout_map(memref: Attribute) -> AffineMap:
    """Where the element of an index is: a map of the index, dynamic parts of a strided layout as
    symbols, the offset first."""
    kind = cast("MemRefType", memref)
    layout = cast("AffineMapAttr | NoneAttr | StridedLayoutAttr", kind.layout)
    rank = len(kind.get_shape())
    if isinstance(layout, NoneAttr):
        return AffineMap.identity(rank)
    if not isinstance(layout, StridedLayoutAttr):
        return layout.data
    symbols = 0

    def part(known: Known) -> AffineExpr:
        nonlocal symbols
        if known is not None:
            return AffineConstantExpr(known)
        symbols += 1
        return AffineSymExpr(symbols - 1)

    expr = part(_known(layout.offset))
    for i, stride in enumerate(layout.strides.data):
        expr = add(expr, mul(AffineDimExpr(i), part(_known(stride))))
    return AffineMap(rank, symbols, (expr,))
