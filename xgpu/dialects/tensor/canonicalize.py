# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the tensor dialect: casts and sizes. Those of slices, paddings,
reshapes and elements are in modules of their own.

Source: MLIR 22.1 TensorOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, TensorType

from xgpu.core.ir.constants import int_of
from xgpu.dialects.tensor.canonicalize_elements import ELEMENT_PATTERNS
from xgpu.dialects.tensor.canonicalize_pads import PAD_PATTERNS
from xgpu.dialects.tensor.canonicalize_reshapes import RESHAPE_PATTERNS, dim_of_reshape
from xgpu.dialects.tensor.canonicalize_sizes import SIZE_PATTERNS, cast_of_empty, dim_of_empty
from xgpu.dialects.tensor.canonicalize_slices import SLICE_PATTERNS, cast_of_extract
from xgpu.dialects.tensor.casts import made_by
from xgpu.dialects.tensor.destinations import destination_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def dim_of_buffer(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of what was made of a buffer is the buffer's."""
    source = made_by(op.operands[0], "bufferization.to_tensor")
    if source is None:
        return False
    operands = [source.operands[0], op.operands[1]]
    rw.replace_with(op, "memref.dim", operands, [op.results[0].type])
    return True


def dim_of_allocated(op: Operation, rw: GreedyRewriter) -> bool:
    """The size that a tensor was allocated with."""
    source, index = made_by(op.operands[0], "bufferization.alloc_tensor"), int_of(op.operands[1])
    kind = op.operands[0].type
    if source is None or index is None or not isinstance(kind, TensorType):
        return False
    shape = kind.get_shape()
    if not 0 <= index < len(shape) or shape[index] != DYNAMIC_INDEX:
        return False
    if any(value.type == kind for value in source.operands):
        return False
    rw.replace(op, [source.operands[sum(size == DYNAMIC_INDEX for size in shape[:index])]])
    return True


def dim_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of a cast is that of what is cast."""
    inner = made_by(op.operands[0], "tensor.cast")
    if inner is None:
        return False
    operands = [inner.operands[0], op.operands[1]]
    rw.replace_with(op, op.name, operands, [op.results[0].type])
    return True


def dim_of_destination(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of what is written over something is the size of that."""
    source = destination_of(op.operands[0])
    if source is None:
        return False
    rw.set_operand(op, 0, source)
    return True


#: The sizes and the encoding of a tensor type; no sizes for an unranked one.
_Shape = tuple[list[int] | None, "Attribute"]


def cast_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """A cast of a cast is one, if the first one does not forget what the second needs not know."""
    inner = made_by(op.operands[0], "tensor.cast")
    if inner is None:
        return False
    kinds = (inner.operands[0].type, op.operands[0].type, op.results[0].type)
    first, middle, last = map(_shape, kinds)
    # What all three say together must be what the ends say.
    known = _joined(_joined(first, middle), last)
    if known is None or known != _joined(first, last):
        return False
    rw.replace_with(op, op.name, [inner.operands[0]], [kinds[2]])
    return True


def _shape(kind: Attribute) -> _Shape:
    return (
        (list(kind.get_shape()), kind.encoding)
        if isinstance(kind, TensorType)
        else (None, NoneAttr())
    )


def _joined(left: _Shape | None, right: _Shape | None) -> _Shape | None:
    """What two types know together; None if they contradict each other."""
    if left is None or right is None:
        return None
    if left[0] is None:
        return right
    if right[0] is None:
        return left
    if len(left[0]) != len(right[0]):
        return None
    sizes: list[int] = []
    for mine, theirs in zip(left[0], right[0], strict=True):
        if DYNAMIC_INDEX not in (mine, theirs) and mine != theirs:
            return None
        sizes.append(theirs if mine == DYNAMIC_INDEX else mine)
    return sizes, NoneAttr()


def bitcast_of_bitcast(op: Operation, rw: GreedyRewriter) -> bool:
    """bitcast(bitcast %t) -> bitcast %t"""
    inner = made_by(op.operands[0], op.name)
    if inner is None:
        return False
    rw.replace_with(op, op.name, [inner.operands[0]], [op.results[0].type])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **ELEMENT_PATTERNS,
    **PAD_PATTERNS,
    **RESHAPE_PATTERNS,
    **SIZE_PATTERNS,
    **SLICE_PATTERNS,
    "tensor.bitcast": (bitcast_of_bitcast,),
    "tensor.cast": (cast_of_cast, cast_of_extract, cast_of_empty),
    "tensor.dim": (
        dim_of_allocated,
        dim_of_buffer,
        dim_of_cast,
        dim_of_destination,
        dim_of_reshape,
        dim_of_empty,
    ),
}
