# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of memref.collapse_shape and memref.expand_shape.

Two reshapes in a row become one where all three types are contiguous: with strides, the type in
between says how the outer one may group dimensions, and that would be lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.memref.casts import forgets, uncast
from xgpu.dialects.memref.layout import has_identity_layout
from xgpu.dialects.memref.verify_reshape import collapsed_type, expanded_type
from xgpu.dialects.reassociation import (
    Groups,
    collapsing_groups,
    compose,
    cover,
    groups_of,
    reassociation,
)
from xgpu.ir.constants import int_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType

    from xgpu.dialects import memref
    from xgpu.rewriting.greedy import GreedyRewriter, Pattern

COLLAPSE = "memref.collapse_shape"
EXPAND = "memref.expand_shape"
Mixed = list[int | SSAValue]


def _source(op: Operation, name: str) -> Operation | None:
    """The operation `name` that defines what `op` reshapes, if one does."""
    owner = op.operands[0].owner
    return owner if isinstance(owner, Operation) and owner.name == name else None


def _all_contiguous(inner: Operation, op: Operation) -> bool:
    """Whether the types before, between and after two reshapes have no layout."""
    kinds = (inner.operands[0].type, op.operands[0].type, op.results[0].type)
    return all(has_identity_layout(cast("MemRefType", kind)) for kind in kinds)


def _rank(value: SSAValue) -> int:
    kind = cast("MemRefType", value.type)
    return len(kind.get_shape())


def _to_collapse(rw: GreedyRewriter, op: Operation, source: SSAValue, groups: Groups) -> None:
    properties = {"reassociation": reassociation(groups)}
    rw.replace_with(op, COLLAPSE, (source,), (op.results[0].type,), properties)


def _to_expand(
    rw: GreedyRewriter, op: Operation, source: SSAValue, groups: Groups, shape: Mixed
) -> None:
    rw.replace(op, [_create_expand(rw, op.results[0].type, source, groups, shape)])


def _create_expand(
    rw: GreedyRewriter, kind: Attribute, source: SSAValue, groups: Groups, shape: Mixed
) -> SSAValue:
    values = [size for size in shape if not isinstance(size, int)]
    numbers = [size if isinstance(size, int) else DYNAMIC_INDEX for size in shape]
    properties = {
        "reassociation": reassociation(groups),
        "static_output_shape": DenseArrayBase.from_list(i64, numbers),
    }
    return rw.value(EXPAND, (source, *values), kind, properties)


def _output_shape(op: Operation) -> Mixed:
    expand = cast("memref.ExpandShapeOp", op)
    values = iter(expand.output_shape)
    numbers = expand.properties["static_output_shape"].get_values()
    return [next(values) if n == DYNAMIC_INDEX else n for n in numbers]


def collapse_of_collapse(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(collapse %m) -> collapse %m"""
    inner = _source(op, COLLAPSE)
    if inner is None or not _all_contiguous(inner, op):
        return False
    groups = compose(groups_of(inner), groups_of(op))
    if groups is None:
        return False
    _to_collapse(rw, op, inner.operands[0], groups)
    return True


def expand_of_expand(op: Operation, rw: GreedyRewriter) -> bool:
    """expand(expand %m) -> expand %m"""
    inner = _source(op, EXPAND)
    if inner is None or not _all_contiguous(inner, op):
        return False
    groups = compose(groups_of(inner), groups_of(op))
    if groups is None:
        return False
    _to_expand(rw, op, inner.operands[0], groups, _output_shape(op))
    return True


def collapse_of_expand(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(expand %m) -> collapse %m or expand %m, where one's groups cover the other's"""
    inner = _source(op, EXPAND)
    if inner is None or not _all_contiguous(inner, op):
        return False
    source, result = inner.operands[0], op.results[0]
    if source.type == result.type:
        return False
    collapses = _rank(source) > _rank(result)
    expanded, collapsed = groups_of(inner), groups_of(op)
    groups = cover(expanded, collapsed) if collapses else cover(collapsed, expanded)
    if groups is None:
        return False
    if collapses:
        _to_collapse(rw, op, source, groups)
    elif _rank(source) < _rank(result):
        shape = [_product(rw, sizes) for sizes in _grouped(_output_shape(inner), collapsed)]
        _to_expand(rw, op, source, groups, shape)
    else:
        rw.replace_with(op, "memref.cast", (source,), (result.type,))
    return True


def _grouped(shape: Mixed, groups: Groups) -> list[Mixed]:
    return [[shape[dim] for dim in group] for group in groups]


def _product(rw: GreedyRewriter, sizes: Mixed) -> int | SSAValue:
    """The product of sizes: a number where all of them are known."""
    index = IndexType()
    factor, values = 1, []
    for size in sizes:
        known = size if isinstance(size, int) else int_of(size)
        if known is None:
            values.append(size)
        else:
            factor *= known
    if not values:
        return factor
    product = values[0]
    for value in values[1:]:
        product = rw.value("arith.muli", (product, value), index)
    if factor == 1:
        return product
    constant = rw.value("arith.constant", (), index, {"value": IntegerAttr(factor, index)})
    return rw.value("arith.muli", (product, constant), index)


def expand_of_collapse(op: Operation, rw: GreedyRewriter) -> bool:
    """expand(collapse %m) -> collapse %m or expand %m, where one shape collapses to the other"""
    inner = _source(op, COLLAPSE)
    if inner is None or not _all_contiguous(inner, op):
        return False
    source, result = inner.operands[0], op.results[0]
    ranks = _rank(source), _rank(result)
    if ranks[0] == ranks[1]:
        return False
    before = cast("MemRefType", source.type)
    after = cast("MemRefType", result.type)
    larger = (groups_of(inner), list(before.get_shape()))
    smaller = (groups_of(op), list(after.get_shape()))
    if ranks[0] < ranks[1]:
        larger, smaller = smaller, larger
    groups = _between(*larger, *smaller)
    if groups is None:
        return False
    if ranks[0] > ranks[1]:
        _to_collapse(rw, op, source, groups)
    else:
        _to_expand(rw, op, source, groups, _output_shape(op))
    return True


def _between(
    groups: Groups, shape: list[int], small_groups: Groups, small_shape: list[int]
) -> Groups | None:
    """How `shape` collapses to `small_shape` if both collapse to the same, by their groups."""
    if not groups:
        return collapsing_groups(shape, small_shape)
    found: Groups = []
    for dims, small_dims in zip(groups, small_groups, strict=True):
        part, small = [shape[d] for d in dims], [small_shape[d] for d in small_dims]
        if part.count(DYNAMIC_INDEX) > 1 and small.count(DYNAMIC_INDEX) > 1:
            return None
        if len(part) == len(small):
            if part != small:
                return None
            found += [[dim] for dim in dims]
            continue
        inner = collapsing_groups(part, small)
        if inner is None:
            return None
        found += [[dims[0] + dim for dim in group] for group in inner]
    return found


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
    groups, shape = groups_of(op), _output_shape(op)
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
    if kind == op.results[0].type:
        rw.set_operand(op, 0, source)
        return True
    expanded = _create_expand(rw, kind, source, groups, shape)
    rw.replace_with(op, "memref.cast", (expanded,), (op.results[0].type,))
    return True


RESHAPE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    COLLAPSE: (collapse_of_collapse, collapse_of_expand, collapse_of_cast),
    EXPAND: (expand_of_expand, expand_of_collapse, expand_of_cast),
}
