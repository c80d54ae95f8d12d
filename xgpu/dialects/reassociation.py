# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which dimensions become one when a shape is collapsed: reassociation groups, and their search.

Groups are lists of dimensions of the larger shape, one list for each dimension of the smaller.
Source: MLIR 22.1 ReshapeOpsUtils.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntegerAttr, i64

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType, TensorType
    from xdsl.ir import Attribute, Operation, SSAValue


Groups = list[list[int]]
#: The first and the last of neighbouring dimensions.
Span = tuple[int, int]


def groups_of(op: Operation) -> Groups:
    """The groups of a reshape, its `reassociation`."""
    found = cast("ArrayAttr[ArrayAttr[IntegerAttr]]", op.properties["reassociation"])
    return [[i.value.data for i in group.data] for group in found.data]


def reassociation(groups: Groups) -> ArrayAttr:
    """The attribute that states `groups`."""
    return ArrayAttr([ArrayAttr([IntegerAttr(i, i64) for i in group]) for group in groups])


def fold_reshape(
    op: Operation, constants: list[Attribute | None]
) -> list[SSAValue | Attribute] | bool | None:
    """expand(collapse(x)) -> x and the other way round, where the types agree"""
    source = op.operands[0]
    if source.type == op.results[0].type:
        return [source]
    inner = source.owner
    dialect, _, name = op.name.partition(".")
    inverse = "expand_shape" if name == "collapse_shape" else "collapse_shape"
    if getattr(inner, "name", None) != f"{dialect}.{inverse}":
        return None
    before = cast("Operation", inner)
    first = before.operands[0]
    if first.type != op.results[0].type:
        return None
    shape = list(cast("MemRefType | TensorType", first.type).get_shape())
    if shape.count(DYNAMIC_INDEX) < 2:
        return [first]
    groups = groups_of(op)
    if groups != groups_of(before):
        return None
    # What expands and then collapses loses no sizes. The other way round, a group with two
    # dynamic sizes may get them in other parts.
    if inverse == "expand_shape" or all(
        [shape[d] for d in group].count(DYNAMIC_INDEX) < 2 for group in groups
    ):
        return [first]
    return None


def compose(first: Groups, second: Groups) -> Groups | None:
    """The groups of two reshapes in a row, both collapsing or both expanding; None if unclear."""
    if len(first) == len(second):
        return None
    more, fewer = (first, second) if len(first) > len(second) else (second, first)
    if fewer and sum(map(len, fewer)) != len(more):
        return None
    return [[i for dim in group for i in more[dim]] for group in fewer]


def cover(inner: Groups, outer: Groups) -> Groups | None:
    """For each of the groups `outer` those of `inner` that lie in it; None where one crosses."""
    covered: Groups = []
    at = 0
    for group in outer:
        found: list[int] = []
        while at < len(inner):
            end = inner[at][-1]
            if end > group[-1]:
                return None
            found.append(at)
            at += 1
            if end == group[-1]:
                break
        covered.append(found)
    return covered


def collapsing_groups(source: Sequence[int], target: Sequence[int]) -> Groups | None:
    """How `source` collapses into `target`; None if it does not, or not in one way only.

    Dimensions of size 1 may go to either neighbour: that is the only choice there may be.
    """
    if len(source) <= len(target):
        return None
    if not target:
        free = all(size in (1, DYNAMIC_INDEX) for size in source)
        return [list(range(len(source)))] if free else None
    forward = _spans(source, target)
    mirrored = _spans(source[::-1], target[::-1])
    if forward is None or mirrored is None:
        return None
    last = len(source) - 1
    backward = [(last - end, last - start) for start, end in reversed(mirrored)]
    for (start, end), (other_start, other_end) in zip(forward, backward, strict=True):
        mine, theirs = set(range(start, end + 1)), set(range(other_start, other_end + 1))
        if any(source[dim] != 1 for dim in mine ^ theirs):
            return None
    return [list(range(start, end + 1)) for start, end in forward]


def _spans(source: Sequence[int], target: Sequence[int]) -> list[Span] | None:
    """From left to right, for each of `target` the first dimensions that can become it.

    The last one takes all that are left.
    """
    spans: list[Span] = []
    at = 0
    for place, size in enumerate(target):
        search = _dynamic_span if size == DYNAMIC_INDEX else _static_span
        found = search(source, at, size, greedy=place == len(target) - 1)
        if found is None:
            return None
        if found[0] > at:
            # What was passed over can only be part of a dynamic dimension before it.
            if place == 0 or target[place - 1] != DYNAMIC_INDEX:
                return None
            spans[-1] = (spans[-1][0], found[0] - 1)
        spans.append(found)
        at = found[1] + 1
    return spans if spans[-1][1] == len(source) - 1 else None


def _dynamic_span(source: Sequence[int], at: int, size: int, *, greedy: bool) -> Span | None:
    """From `at` to the first dynamic dimension, or to the end."""
    for dim in range(at, len(source)):
        if source[dim] == DYNAMIC_INDEX:
            return at, len(source) - 1 if greedy else dim
    return None


def _static_span(source: Sequence[int], at: int, size: int, *, greedy: bool) -> Span | None:
    """The first static dimensions from `at` on whose product is `size`.

    With `greedy` also the dimensions of size 1 that follow.
    """
    start, product, found = at, 1, None
    for dim in range(at, len(source)):
        if found is not None and not greedy:
            break
        if source[dim] == DYNAMIC_INDEX:
            if found is not None:
                break
            start, product = dim + 1, 1
            continue
        product *= source[dim]
        if product > size and found is not None:
            break
        while product > size and start < dim:
            product //= source[start]
            start += 1
        if product == size:
            found = (start, dim)
    return found
