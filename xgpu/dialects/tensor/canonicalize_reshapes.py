# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of tensor.collapse_shape and tensor.expand_shape."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType

from xgpu.dialects.reassociation import groups_of, reassociation
from xgpu.dialects.reshapes import (
    collapse_of_collapse,
    collapse_of_expand,
    create_expand,
    expand_of_collapse,
    expand_of_expand,
    output_shape,
)
from xgpu.dialects.slices import not_negative, settle, static_sizes
from xgpu.dialects.tensor.casts import cast_to, is_static, made_by, shape_of, uncast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.reassociation import Groups


def _collapsed(sizes: Sequence[int], groups: Groups) -> list[int]:
    """The sizes that `groups` of `sizes` collapse to."""
    parts = [[sizes[dim] for dim in group] for group in groups]
    return [DYNAMIC_INDEX if DYNAMIC_INDEX in part else prod(part) for part in parts]


def _bare(kind: Attribute, shape: Sequence[int]) -> TensorType[Attribute]:
    """A tensor type with elements like those of `kind`, without an encoding."""
    assert isinstance(kind, TensorType)
    return TensorType(kind.element_type, shape)


def reshape_of_splat(op: Operation, rw: GreedyRewriter) -> bool:
    """A splat of known shape, reshaped, is a splat"""
    made = made_by(op.operands[0], "tensor.splat")
    if made is None or not is_static(made.results[0].type):
        return False
    rw.replace_with(op, made.name, [made.operands[0]], [op.results[0].type])
    return True


def reshape_of_elements(op: Operation, rw: GreedyRewriter) -> bool:
    """Elements in a shape, reshaped, are the elements in another"""
    made = made_by(op.operands[0], "tensor.from_elements")
    if made is None or not is_static(op.results[0].type):
        return False
    rw.replace_with(op, made.name, list(made.operands), [op.results[0].type])
    return True


def collapse_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """collapse(cast %t) -> cast(collapse %t) where the cast forgets sizes"""
    source = uncast(op.operands[0])
    if source is None:
        return False
    groups = groups_of(op)
    kind = _bare(source.type, _collapsed(shape_of(source), groups))
    if kind == op.results[0].type:
        rw.set_operand(op, 0, source)
        return True
    new = rw.value(op.name, [source], kind, {"reassociation": reassociation(groups)})
    rw.replace_with(op, "tensor.cast", [new], [op.results[0].type])
    return True


def expand_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """expand(cast %t) to sizes that are constants -> cast(expand(cast %t)) to static ones

    Where the cast forgets a size: what `%t` does not know, no part of it may know either.
    """
    source = uncast(op.operands[0])
    if source is None:
        return False
    groups, before = groups_of(op), output_shape(op)
    shape = settle(before, not_negative)
    for group, size in zip(groups, shape_of(source), strict=True):
        if size == DYNAMIC_INDEX:
            for dim in group:
                shape[dim] = before[dim]
    if shape == before:
        return False
    sizes = static_sizes(shape)
    inner = cast_to(rw, op.operands[0], _bare(source.type, _collapsed(sizes, groups)))
    new = create_expand(rw, op, _bare(source.type, sizes), inner, groups, shape)
    rw.replace_with(op, "tensor.cast", [new], [op.results[0].type])
    return True


def dim_of_reshape(op: Operation, rw: GreedyRewriter) -> bool:
    """dim (reshape %t(%shape)), %i -> extract %shape[%i]"""
    reshape = made_by(op.operands[0], "tensor.reshape")
    if reshape is None:
        return False
    shape = reshape.operands[1]
    assert isinstance(shape.type, TensorType)
    rw.after(op)
    size = rw.value("tensor.extract", [shape, op.operands[1]], shape.type.element_type)
    if size.type != op.results[0].type:
        size = rw.value("arith.index_cast", [size], op.results[0].type)
    rw.replace(op, [size])
    return True


_OF_ALL: tuple[Pattern, ...] = (reshape_of_splat, reshape_of_elements)
RESHAPE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.collapse_shape": (
        collapse_of_collapse,
        collapse_of_expand,
        *_OF_ALL,
        collapse_of_cast,
    ),
    "tensor.expand_shape": (expand_of_expand, expand_of_collapse, expand_of_cast, *_OF_ALL),
}
