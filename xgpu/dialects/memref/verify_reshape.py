# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of reshape, expand_shape and collapse_shape."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error
from xgpu.dialects.memref.layout import (
    Known,
    has_identity_layout,
    static,
    strided_type,
    strides_and_offset,
    times,
)
from xgpu.dialects.reassociation import Groups, groups_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import Operation

    from xgpu.dialects import memref


def verify_reshape(op: memref.ReshapeOp) -> None:
    """`memref.reshape`"""
    source, result = op.source.type, op.result.type
    if source.element_type != result.element_type:
        raise op_error(
            op, "element types of source and destination memref types should be the same"
        )
    if isinstance(source, MemRefType) and not has_identity_layout(source):
        raise op_error(op, "source memref type should have identity affine map")
    length = op.shape.type.get_shape()[0]
    if not isinstance(result, MemRefType):
        return
    if not has_identity_layout(result):
        raise op_error(op, "result memref type should have identity affine map")
    if length == DYNAMIC_INDEX:
        raise op_error(
            op,
            "cannot use shape operand with dynamic length to reshape to statically-ranked memref "
            "type",
        )
    if length != len(result.get_shape()):
        raise op_error(op, "length of shape operand differs from the result's memref rank")


def _verify_groups(
    op: memref.CollapseShapeOp | memref.ExpandShapeOp,
    collapsed: MemRefType,
    expanded: MemRefType,
    *,
    expands: bool,
) -> list[list[int]]:
    ranks = (len(collapsed.get_shape()), len(expanded.get_shape()))
    if ranks[0] > ranks[1]:
        source, result = ranks if expands else ranks[::-1]
        words = ("an expansion", ">") if expands else ("a collapse", "<")
        raise op_error(
            op,
            f"has source rank {source} and result rank {result}. This is not {words[0]} "
            f"({source} {words[1]} {result}).",
        )
    groups = groups_of(op)
    if len(groups) != ranks[0]:
        raise op_error(
            op,
            f"invalid number of reassociation groups: found {len(groups)}, expected {ranks[0]}",
        )
    next_dim = 0
    for group in groups:
        for index in group:
            if index != next_dim:
                if index >= ranks[1] or index < 0:
                    raise op_error(op, f"reassociation index {index} is out of bounds")
                raise op_error(op, "reassociation indices must be contiguous")
            if index >= ranks[1]:
                raise op_error(op, f"reassociation index {index} is out of bounds")
            next_dim += 1
    if groups and next_dim != ranks[1]:
        raise op_error(
            op,
            f"expected rank of the expanded type({ranks[1]}) to be the number of reassociated "
            "indices",
        )
    _verify_sizes(op, collapsed.get_shape(), expanded.get_shape(), groups)
    return groups


def _verify_sizes(
    op: Operation, collapsed: Sequence[int], expanded: Sequence[int], groups: list[list[int]]
) -> None:
    for place, group in enumerate(groups):
        sizes = [expanded[index] for index in group]
        dynamic = any(size == DYNAMIC_INDEX for size in sizes)
        if dynamic != (collapsed[place] == DYNAMIC_INDEX):
            raise op_error(
                op,
                f"collapsed dim ({place}) must be dynamic if and only if reassociation group is "
                "dynamic",
            )
        if dynamic:
            continue
        product = 1
        for size in sizes:
            product *= size
        if product != collapsed[place]:
            raise op_error(
                op,
                f"collapsed dim size ({collapsed[place]}) must equal reassociation group size "
                f"({product})",
            )
    if not groups and any(size != 1 for size in expanded):
        raise op_error(op, "rank 0 memrefs can only be extended/collapsed with/from ones")


def verify_expand(op: memref.ExpandShapeOp) -> None:
    """`memref.expand_shape`"""
    source, result = op.src.type, op.result.type
    groups = _verify_groups(op, source, result, expands=True)
    expected = expanded_type(source, result.get_shape(), groups)
    if expected is None:
        raise op_error(op, "invalid source layout map")
    _verify_layout(op, expected, result, "expanded")
    shape = list(op.properties["static_output_shape"].get_values())
    rank = len(result.get_shape())
    if len(shape) != rank:
        raise op_error(
            op,
            "expected number of static shape bounds to be equal to the output rank "
            f"({rank}) but found {len(shape)} inputs instead",
        )
    dynamic = sum(1 for size in shape if size == DYNAMIC_INDEX)
    if len(op.operands) - 1 != dynamic:
        raise op_error(
            op,
            "mismatch in dynamic dims in output_shape and static_output_shape: "
            f"static_output_shape has {dynamic} dynamic dims while output_shape has "
            f"{len(op.operands) - 1} values",
        )
    for place, (size, given) in enumerate(zip(shape, result.get_shape(), strict=True)):
        if size != DYNAMIC_INDEX and size != given:
            raise op_error(op, f"invalid output shape provided at pos {place}")


def expanded_type(source: MemRefType, shape: Sequence[int], groups: Groups) -> MemRefType | None:
    """The type after expanding to `shape`, or None if the source is not strided."""
    if has_identity_layout(source):
        return MemRefType(source.element_type, list(shape), NoneAttr(), source.memory_space)
    found = strides_and_offset(source)
    if found is None:
        return None
    strides: list[Known] = []
    for stride, group in zip(found[0], groups, strict=True):
        inner: list[Known] = []
        current: Known = stride
        for index in reversed(group):
            inner.append(current)
            current = times(current, static(shape[index]))
        strides += inner[::-1]
    strides += [1] * (len(shape) - len(strides))
    return strided_type(source, shape, strides, found[1])


def _verify_layout(op: Operation, expected: MemRefType, result: MemRefType, word: str) -> None:
    same = expected == result or (
        expected.element_type == result.element_type
        and expected.memory_space == result.memory_space
        and expected.get_shape() == result.get_shape()
        and expected.layout.name == result.layout.name
        and strides_and_offset(expected) == strides_and_offset(result)
    )
    if not same:
        raise op_error(
            op,
            f"expected {word} type to be '{shown(expected)}' but found '{shown(result)}'",
        )


def verify_collapse(op: memref.CollapseShapeOp) -> None:
    """`memref.collapse_shape`"""
    source, result = op.src.type, op.result.type
    groups = _verify_groups(op, result, source, expands=False)
    expected = collapsed_type(source, groups)
    if expected is None:
        raise op_error(op, "invalid source layout map or collapsing non-contiguous dims")
    _verify_layout(op, expected, result, "collapsed")


def collapsed_type(source: MemRefType, groups: Groups) -> MemRefType | None:
    """The type after collapsing, or None if what is collapsed is not contiguous."""
    shape: list[int] = []
    for group in groups:
        sizes = [source.get_shape()[dim] for dim in group]
        shape.append(DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else prod(sizes))
    if has_identity_layout(source):
        return MemRefType(source.element_type, shape, NoneAttr(), source.memory_space)
    layout = collapsed_layout(source, groups)
    return None if layout is None else strided_type(source, shape, *layout)


def collapsed_layout(
    source: MemRefType, groups: list[list[int]]
) -> tuple[list[Known], Known] | None:
    """The strides and offset after collapsing, or None if what is collapsed is not contiguous."""
    found = strides_and_offset(source)
    if found is None:
        return None
    strides, offset = found
    shape = source.get_shape()
    result: list[Known] = []
    for group in groups:
        kept = list(group)
        # The stride of a group is that of its last dimension that is not 1.
        while len(kept) > 1 and shape[kept[-1]] == 1:
            kept.pop()
        # A dynamic size may turn out to be 1, and another stride to count.
        certain = shape[kept[-1]] != DYNAMIC_INDEX or len(kept) == 1
        result.append(strides[kept[-1]] if certain else None)
    for group, last in zip(groups, result, strict=True):
        stride: Known = last
        for index in reversed(group[1:]):
            stride = times(stride, static(shape[index]))
            outer = strides[index - 1]
            if shape[index - 1] == 1:
                continue
            if stride is not None and outer is not None and stride != outer:
                return None
    return result, offset


RESHAPE_VERIFY: dict[str, Callable[..., None]] = {
    "memref.reshape": verify_reshape,
    "memref.expand_shape": verify_expand,
    "memref.collapse_shape": verify_collapse,
}
