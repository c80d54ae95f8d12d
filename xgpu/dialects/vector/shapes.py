# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What folds and patterns ask of vectors: their shapes, where elements lie, how they came to be."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.syntax_helpers import scalable_dims

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, VectorType

    from xgpu.dialects import vector


#: A static position, offset or mask entry of which nothing is known: any element will do.
POISON_INDEX = -1


def defining(value: SSAValue, *names: str) -> Any:
    """The operation of one of `names` that defines `value`, or None."""
    owner = value.owner
    return owner if isinstance(owner, Operation) and owner.name in names else None


def is_vector(kind: Attribute) -> bool:
    return kind.name == "vector"


def shape(kind: Attribute) -> tuple[int, ...]:
    """The sizes of a vector type; none of a scalar's."""
    return cast("VectorType", kind).get_shape() if kind.name == "vector" else ()


def rank(value: SSAValue) -> int:
    return len(shape(value.type))


def count(kind: Attribute) -> int:
    """The number of elements, for a scalable vector of the least there are."""
    return prod(shape(kind))


def is_scalable(kind: Attribute) -> bool:
    return kind.name == "vector" and any(scalable_dims(cast("VectorType", kind)))


def place(position: Sequence[int], sizes: Sequence[int]) -> int:
    """How many elements come before those at `position`, whose trailing dimensions may be left
    out."""
    at = 0
    for i, size in enumerate(sizes):
        at = at * size + (position[i] if i < len(position) else 0)
    return at


def position_of(at: int, sizes: Sequence[int]) -> list[int]:
    """The position of element `at`."""
    found: list[int] = []
    for size in reversed(sizes):
        at, here = divmod(at, size)
        found.append(here)
    return found[::-1]


def integers(attr: ArrayAttr[IntegerAttr]) -> list[int]:
    """The numbers of an array of integer attributes."""
    return [item.value.data for item in attr.data]


def static_position(op: vector.ExtractOp | vector.InsertOp) -> list[int] | None:
    """Where an extract or insert reads or writes, if all of it is a number."""
    static = list(op.static_position.get_values())
    return None if DYNAMIC_INDEX in static else static


def mixed_position(op: vector.ExtractOp | vector.InsertOp) -> list[int | SSAValue]:
    """Where an extract or insert reads or writes, by numbers and values."""
    values = iter(op.dynamic_position)
    static = op.properties["static_position"].get_values()
    return [next(values) if n == DYNAMIC_INDEX else n for n in static]


def is_broadcastable(source: Attribute, result: VectorType) -> bool:
    """Whether `vector.broadcast` takes one type to the other."""
    if not is_vector(source):
        return source == result.element_type
    if cast("VectorType", source).element_type != result.element_type:
        return False
    sizes, targets = shape(source), shape(result)
    lead = len(targets) - len(sizes)
    if lead < 0:
        return False
    flags, target_flags = scalable_dims(source), scalable_dims(result)[lead:]
    dims = zip(sizes, flags, targets[lead:], target_flags, strict=True)
    for size, flag, target, target_flag in dims:
        if size not in (1, target) or (flag and size != target):
            return False
        if flag != target_flag and (flag or size != 1):
            return False
    return True


def broadcast_like(value: SSAValue) -> Operation | None:
    """The operation that makes `value` by repeating its operand as it is, or None: a broadcast, or
    a cast that adds leading dimensions."""
    op = cast("vector.BroadcastOp | None", defining(value, "vector.broadcast", "vector.shape_cast"))
    if op is None or op.name == "vector.broadcast":
        return op
    inner, outer = shape(op.operands[0].type), shape(value.type)
    lead = len(outer) - len(inner)
    return op if lead >= 0 and outer[lead:] == inner else None


def splat_source(value: SSAValue) -> SSAValue | None:
    """The scalar that a broadcast repeats, or None if `value` is no broadcast of a scalar."""
    broadcast = defining(value, "vector.broadcast")
    if broadcast is None or is_vector(broadcast.operands[0].type):
        return None
    return broadcast.operands[0]
