# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of memref.collapse_shape and memref.expand_shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from xgpu.core.ir.constants import int_of
from xgpu.dialects.memref.casts import forgets, uncast
from xgpu.dialects.memref.verify_reshape import collapsed_type, expanded_type
from xgpu.dialects.reassociation import groups_of, reassociation
from xgpu.dialects.reshapes import (
    collapse_of_collapse,
    collapse_of_expand,
    create_expand,
    expand_of_collapse,
    expand_of_expand,
    output_shape,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import memref


def collapse_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(cast %m) -> cast(collapse %m) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None or not forgets(source.type, op.operands[0].type):
        return False
    groups = groups_of(op)
    kind = collapsed_type(cast("MemRefType", source.type), groups)
    if kind is None:
        return False
    if kind == op.results[0].type:
        rw.set_operand(op, 0, source)
        return True
    collapsed = rw.value(op.name, (source,), kind, {"reassociation": reassociation(groups)})
    rw.replace_with(op, "memref.cast", (collapsed,), (op.results[0].type,))
    return True


def expand_of_cast(op: memref.ExpandShapeOp, rw: GreedyRewriter) -> bool:
    """expand(cast %m) -> cast(expand %m) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None or not forgets(source.type, op.operands[0].type):
        return False
    groups, shape = groups_of(op), output_shape(op)
    for place, size in enumerate(shape):
        known = None if isinstance(size, int) else int_of(size)
        shape[place] = size if known is None else known
    before = cast("MemRefType", source.type)
    sizes = [size if isinstance(size, int) else DYNAMIC_INDEX for size in shape]
    for size, group in zip(before.get_shape(), groups, strict=False):
        # A static dimension must not expand to a dynamic one, nor the other way round.
        if (size == DYNAMIC_INDEX) != any(sizes[dim] == DYNAMIC_INDEX for dim in group):
            return False
    kind = expanded_type(before, sizes, groups)
    if kind is None:
        return False
    expanded = create_expand(rw, op, kind, source, groups, shape)
    rw.replace_with(op, "memref.cast", (expanded,), (op.results[0].type,))
    return True


RESHAPE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "memref.collapse_shape": (collapse_of_collapse, collapse_of_expand, collapse_of_cast),
    "memref.expand_shape": (expand_of_expand, expand_of_collapse, expand_of_cast),
}
