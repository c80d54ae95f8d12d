# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of tensor.reshape, expand_shape and collapse_shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import tensor


def verify_reshape(op: tensor.ReshapeOp) -> None:
    """`tensor.reshape`"""
    source, result = op.source.type, op.result.type
    if source.element_type != result.element_type:
        raise op_error(
            op, "element types of source and destination tensor types should be the same"
        )
    if not isinstance(result, TensorType):
        return
    (length,) = op.shape.type.get_shape()
    target = result.get_shape()
    given = source.get_shape() if isinstance(source, TensorType) else target
    if DYNAMIC_INDEX not in (*given, *target) and prod(given) != prod(target):
        raise op_error(op, "source and destination tensor should have the same number of elements")
    if length == DYNAMIC_INDEX:
        raise op_error(
            op,
            "cannot use shape operand with dynamic length to reshape to statically-ranked tensor "
            "type",
        )
    if length != len(target):
        raise op_error(op, "length of shape operand differs from the result's tensor rank")


def verify_expand(op: tensor.ExpandShapeOp) -> None:
    """`tensor.expand_shape`"""
    collapsed, expanded = op.src.type, op.result.type
    shape = list(op.properties["static_output_shape"].get_values())
    if isinstance(expanded, TensorType) and len(shape) != len(expanded.get_shape()):
        raise op_error(
            op,
            "expected number of static shape dims to be equal to the output rank "
            f"({len(expanded.get_shape())}) but found {len(shape)} inputs instead",
        )
    dynamic, given = shape.count(DYNAMIC_INDEX), len(op.operands) - 1
    if dynamic != given:
        raise op_error(
            op,
            "mismatch in dynamic dims in output_shape and static_output_shape: "
            f"static_output_shape has {dynamic} dynamic dims while output_shape has {given} values",
        )
    _verify_groups(op, collapsed, expanded)


def verify_collapse(op: tensor.CollapseShapeOp) -> None:
    """`tensor.collapse_shape`"""
    _verify_groups(op, op.results[0].type, op.operands[0].type)


def _verify_groups(
    op: tensor.CollapseShapeOp | tensor.ExpandShapeOp, collapsed: Attribute, expanded: Attribute
) -> None:
    if (
        not isinstance(collapsed, TensorType)
        or not isinstance(expanded, TensorType)
        or len(collapsed.get_shape()) > len(expanded.get_shape())
    ):
        raise op_error(
            op,
            f"expected the expanded type, '{shown(expanded)}' to have a higher (or same) rank "
            f"than the collapsed type, '{shown(collapsed)}'.",
        )
    sizes = list(expanded.get_shape())
    groups = [[index.value.data for index in group.data] for group in op.reassociation.data]
    rank = len(collapsed.get_shape())
    if rank != len(groups):
        raise op_error(
            op,
            f"expected collapsed rank ({rank}) to equal the number of reassociation maps "
            f"({len(groups)}).",
        )
    if not groups:
        return  # MLIR looks no further at what has no dimensions
    _verify_indices(op, groups, len(sizes))
    _verify_sizes(op, list(collapsed.get_shape()), sizes, groups)
    wanted = TensorType(expanded.element_type, collapsed.get_shape(), expanded.encoding)
    if collapsed != wanted:
        raise op_error(
            op,
            f"expected collapsed type to be '{shown(wanted)}', but got '{shown(collapsed)}'",
        )


def _verify_indices(op: Operation, groups: Sequence[Sequence[int]], rank: int) -> None:
    # MLIR makes maps of the groups, of as many dimensions as the largest index says.
    maps_rank = max((index for group in groups for index in group), default=-1) + 1
    at = 0
    for number, group in enumerate(groups):
        if maps_rank != rank:
            raise op_error(
                op,
                f"expected reassociation map #{number} to have size equal to the expanded rank "
                f"({rank}), but it is  {maps_rank}.",
            )
        for index in group:
            if index != at:
                raise op_error(
                    op, f"expected reassociation map #{number} to be valid and contiguous."
                )
            at += 1
    if at != rank:
        raise op_error(op, "expected the reassociation maps to hold all expanded dimensions")


def _verify_sizes(
    op: Operation,
    collapsed: Sequence[int],
    expanded: Sequence[int],
    groups: Sequence[Sequence[int]],
) -> None:
    for place, group in enumerate(groups):
        sizes = [expanded[index] for index in group]
        if DYNAMIC_INDEX in sizes:
            if collapsed[place] != DYNAMIC_INDEX:
                raise op_error(
                    op,
                    f"expected dimension {place} of collapsed type to be dynamic since one or more "
                    "of the corresponding dimensions in the expanded type is dynamic",
                )
        elif collapsed[place] != prod(sizes):
            raise op_error(
                op,
                f"expected dimension {place} of collapsed type to be static value of {prod(sizes)}",
            )
