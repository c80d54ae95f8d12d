# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the tensor dialect: sizes of what comes from buffers, casts in a
row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, OpResult

from xgpu.ir.constants import int_of
from xgpu.ir.op_info import traits_of

if TYPE_CHECKING:
    from xgpu.rewriting.greedy import GreedyRewriter, Pattern

_DESTINATION = "DestinationStyleOpInterface"
#: Their destination is followed by indices or sizes.
_DESTINATION_SECOND = frozenset(
    {"linalg.pack", "linalg.unpack", "tensor.insert", "tensor.insert_slice"}
)


def dim_of_buffer(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of what was made of a buffer is the buffer's."""
    source = op.operands[0].owner
    if not isinstance(source, Operation) or source.name != "bufferization.to_tensor":
        return False
    operands = [source.operands[0], op.operands[1]]
    rw.replace_with(op, "memref.dim", operands, [op.results[0].type])
    return True


def dim_of_allocated(op: Operation, rw: GreedyRewriter) -> bool:
    """The size that a tensor was allocated with."""
    source, index = op.operands[0].owner, int_of(op.operands[1])
    kind = op.operands[0].type
    if not isinstance(source, Operation) or source.name != "bufferization.alloc_tensor":
        return False
    if index is None or not isinstance(kind, TensorType):
        return False
    shape = kind.get_shape()
    if not 0 <= index < len(shape) or shape[index] != DYNAMIC_INDEX:
        return False
    if any(value.type == kind for value in source.operands):
        return False
    rw.replace(op, [source.operands[sum(size == DYNAMIC_INDEX for size in shape[:index])]])
    return True


def dim_of_destination(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of what an operation writes to, which is that of its result."""
    value = op.operands[0]
    if not isinstance(value, OpResult) or _DESTINATION not in traits_of(value.op.name):
        return False
    maker = value.op
    outputs = [operand for operand in maker.operands if operand.type == value.type]
    if len(maker.results) > 1:
        # Outputs come last, in the order of the results.
        outputs = list(maker.operands[len(maker.operands) - len(maker.results) :])
    elif maker.name in _DESTINATION_SECOND:
        outputs = [maker.operands[1]]
    if not outputs or not isinstance(outputs[-1].type, TensorType):
        return False
    tied = outputs[value.index] if len(maker.results) > 1 else outputs[-1]
    rw.replace_with(op, op.name, [tied, op.operands[1]], [op.results[0].type])
    return True


def cast_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """A cast of a cast is one, if the first one does not forget what the second needs not know."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != "tensor.cast":
        return False
    first, middle, last = inner.operands[0].type, op.operands[0].type, op.results[0].type
    kinds = [k for k in (first, middle, last) if isinstance(k, TensorType)]
    if len(kinds) == 3:
        shapes = [list(kind.get_shape()) for kind in kinds]
        # What all three say together must be what the ends say.
        if _joined(_joined(shapes[0], shapes[1]), shapes[2]) != _joined(shapes[0], shapes[2]):
            return False
    rw.replace_with(op, op.name, [inner.operands[0]], [last])
    return True


def _joined(left: list[int], right: list[int]) -> list[int]:
    return [b if a == DYNAMIC_INDEX else a for a, b in zip(left, right, strict=True)]


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.cast": (cast_of_cast,),
    "tensor.dim": (dim_of_buffer, dim_of_allocated, dim_of_destination),
}
