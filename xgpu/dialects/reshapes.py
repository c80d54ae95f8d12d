# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""collapse_shape and expand_shape of memrefs and tensors: two of them in a row are one, or none.

Of memrefs all three types have to be contiguous: with strides, the type in between says how the
outer one may group dimensions, and that would be lost. Source: MLIR 22.1 ReshapeOpsUtils.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.memref.layout import has_identity_layout
from xgpu.dialects.reassociation import (
    Groups,
    collapsing_groups,
    compose,
    cover,
    groups_of,
    reassociation,
)
from xgpu.dialects.slices import Mixed, parts

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType, TensorType

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import memref, tensor

COLLAPSE = "collapse_shape"
EXPAND = "expand_shape"


def _source(op: Operation, name: str) -> Operation | None:
    """The operation `name`, of the dialect of `op`, that defines what `op` reshapes, if one
    does."""
    owner = op.operands[0].owner
    wanted = sibling(op, name)
    return owner if isinstance(owner, Operation) and owner.name == wanted else None


def sibling(op: Operation, name: str) -> str:
    """The full name of the operation `name` in the dialect of `op`."""
    return f"{op.name.partition('.')[0]}.{name}"


def _all_contiguous(inner: Operation, op: Operation) -> bool:
    """Whether the types before, between and after two reshapes have no layout."""
    kinds = (inner.operands[0].type, op.operands[0].type, op.results[0].type)
    return all(not isinstance(kind, MemRefType) or has_identity_layout(kind) for kind in kinds)


def _shape(value: SSAValue) -> list[int]:
    return list(cast("MemRefType | TensorType", value.type).get_shape())


def _rank(value: SSAValue) -> int:
    return len(_shape(value))


def _to_collapse(rw: GreedyRewriter, op: Operation, source: SSAValue, groups: Groups) -> None:
    properties = {"reassociation": reassociation(groups)}
    rw.replace_with(op, sibling(op, COLLAPSE), (source,), (op.results[0].type,), properties)


def _to_expand(
    rw: GreedyRewriter, op: Operation, source: SSAValue, groups: Groups, shape: Mixed
) -> None:
    rw.replace(op, [create_expand(rw, op, op.results[0].type, source, groups, shape)])


def create_expand(
    rw: GreedyRewriter,
    like: Operation,
    kind: Attribute,
    source: SSAValue,
    groups: Groups,
    shape: Sequence[int | SSAValue],
) -> SSAValue:
    """Creates an expand_shape of the dialect of `like`."""
    values, numbers = parts(shape)
    properties = {"reassociation": reassociation(groups), "static_output_shape": numbers}
    return rw.value(sibling(like, EXPAND), (source, *values), kind, properties)


def output_shape(op: Operation) -> Mixed:
    """The sizes that an expand_shape says its result has."""
    expand = cast("memref.ExpandShapeOp | tensor.ExpandShapeOp", op)
    values = iter(expand.output_shape)
    static = cast("DenseArrayBase[IntegerType]", op.properties["static_output_shape"])
    return [next(values) if n == DYNAMIC_INDEX else n for n in static.get_values()]


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
    _to_expand(rw, op, inner.operands[0], groups, output_shape(op))
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
        shape = [_product(rw, sizes) for sizes in _grouped(output_shape(inner), collapsed)]
        _to_expand(rw, op, source, groups, shape)
    else:
        rw.replace_with(op, sibling(op, "cast"), (source,), (result.type,))
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
    constant = index_constant(rw, factor)
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
    larger = (groups_of(inner), _shape(source))
    smaller = (groups_of(op), _shape(result))
    if ranks[0] < ranks[1]:
        larger, smaller = smaller, larger
    groups = _between(*larger, *smaller)
    if groups is None:
        return False
    if ranks[0] > ranks[1]:
        _to_collapse(rw, op, source, groups)
    else:
        _to_expand(rw, op, source, groups, output_shape(op))
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
