# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of tensor.empty, generate and concat, and of casts of empty tensors:
sizes that are known go into types."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType

from xgpu.core.ir.constants import int_of
from xgpu.dialects.slices import not_negative, settle, static_sizes
from xgpu.dialects.tensor.casts import cast_to, keeps_sizes, made_by, shape_of, with_shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.slices import Mixed


def _sizes(op: Operation) -> Mixed:
    """The sizes of the result of an operation whose operands are those that its type leaves
    open."""
    values = iter(op.operands)
    return [next(values) if size == DYNAMIC_INDEX else size for size in shape_of(op.results[0])]


def constant_sizes(op: Operation, rw: GreedyRewriter) -> bool:
    """empty(%c8) : tensor<?xf32> -> cast(empty() : tensor<8xf32>), and generate likewise"""
    before = _sizes(op)
    sizes = settle(before, not_negative)
    if sizes == before:
        return False
    values = [size for size in sizes if not isinstance(size, int)]
    kind = with_shape(op.results[0].type, static_sizes(sizes))
    regions = [op.detach_region(0) for _ in op.regions]
    new = rw.create(op.name, values, [kind], regions=regions)
    rw.replace_with(op, "tensor.cast", [new.results[0]], [op.results[0].type])
    return True


def cast_of_empty(op: Operation, rw: GreedyRewriter) -> bool:
    """cast(empty(...)) -> empty(...) of the sizes that the cast tells"""
    made = made_by(op.operands[0], "tensor.empty")
    kind = op.results[0].type
    if made is None or not keeps_sizes(made.results[0].type, kind):
        return False
    pairs = zip(_sizes(made), shape_of(op.results[0]), strict=True)
    values = [size for size, known in pairs if known == DYNAMIC_INDEX]
    rw.replace_with(op, made.name, values, [kind])
    return True


def dim_of_empty(op: Operation, rw: GreedyRewriter) -> bool:
    """The size that an empty tensor was given"""
    made, at = made_by(op.operands[0], "tensor.empty"), int_of(op.operands[1])
    if made is None or at is None:
        return False
    sizes = _sizes(made)
    if not 0 <= at < len(sizes) or isinstance(sizes[at], int):
        return False
    rw.replace(op, [cast("SSAValue", sizes[at])])
    return True


# --- concat ----------------------------------------------------------------------------------
def concat_of_one(op: Operation, rw: GreedyRewriter) -> bool:
    """concat of one tensor -> cast"""
    if len(op.operands) != 1:
        return False
    rw.replace_with(op, "tensor.cast", [op.operands[0]], [op.results[0].type])
    return True


def _along(op: Operation) -> int:
    return cast("IntegerAttr", op.properties["dim"]).value.data


def _inferred(op: Operation) -> list[int]:
    """The sizes of the result, as far as those of the operands say them."""
    shapes = [shape_of(value) for value in op.operands]
    columns = [list(column) for column in zip(*shapes, strict=True)]
    sizes = [
        next((size for size in column if size != DYNAMIC_INDEX), DYNAMIC_INDEX)
        for column in columns
    ]
    along = columns[_along(op)]
    sizes[_along(op)] = DYNAMIC_INDEX if DYNAMIC_INDEX in along else sum(along)
    return sizes


def concat_operand_types(op: Operation, rw: GreedyRewriter) -> bool:
    """The sizes that one operand knows across, all of them have"""
    element = cast("TensorType", op.results[0].type).element_type
    sizes = _inferred(op)
    changed = False
    for at, value in enumerate(op.operands):
        sizes[_along(op)] = shape_of(value)[_along(op)]
        kind = TensorType(element, sizes)
        if not keeps_sizes(kind, value.type):
            rw.set_operand(op, at, cast_to(rw, value, kind))
            changed = True
    return changed


def concat_result_type(op: Operation, rw: GreedyRewriter) -> bool:
    """concat whose operands know more than its result -> cast(concat)"""
    old = cast("TensorType", op.results[0].type)
    kind = TensorType(old.element_type, _inferred(op))
    if keeps_sizes(kind, old):
        return False
    new = rw.value(op.name, list(op.operands), kind, dict(op.properties))
    rw.replace_with(op, "tensor.cast", [new], [old])
    return True


SIZE_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.concat": (concat_of_one, concat_operand_types, concat_result_type),
    "tensor.empty": (constant_sizes,),
    "tensor.generate": (constant_sizes,),
}
