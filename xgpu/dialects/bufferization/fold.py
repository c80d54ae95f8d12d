# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the bufferization dialect, and patterns of tensors and buffers of one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.dialects.memref_layout import fold_all_casts, strides_and_offset

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.interfaces import Constants, Folded, Folder


# -- Tensors and buffers of one another: a round trip is nothing, a cast, or a copy.
#
#     %t = bufferization.to_tensor %m : memref<?xf32, strided<[1], offset: 3>> to tensor<?xf32>
#     %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[1], offset: ?>>
#     =>
#     %b = memref.cast %m
#
# Source: MLIR 22.1 BufferizationOps.cpp.


_INDEX = IndexType()


# --- folds ---------------------------------------------------------------------------------------
def fold_to_tensor(op: Operation, _: Constants) -> Folded:
    """A tensor whose buffer was just asked for, with nothing in between that could write it."""
    inner = defining(op.operands[0], "bufferization.to_buffer")
    if inner is None or inner.next_op is not op:
        return None
    return [inner.operands[0]]


def fold_to_buffer(op: Operation, _: Constants) -> Folded:
    """The buffer that a tensor was made of, if it has this type."""
    inner = defining(op.operands[0], "bufferization.to_tensor")
    if inner is None or inner.operands[0].type != op.results[0].type:
        return None
    return [inner.operands[0]]


# --- to_buffer -------------------------------------------------------------------------------
def buffer_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """to_buffer of a tensor.cast -> memref.cast of to_buffer"""
    inner = defining(op.operands[0], "tensor.cast")
    old = op.results[0].type
    if inner is None or not isinstance(old, MemRefType | UnrankedMemRefType):
        return False
    source = inner.operands[0].type
    if not isinstance(source, TensorType):
        return False
    if isinstance(old, MemRefType):
        kind = MemRefType(source.element_type, source.get_shape(), old.layout, old.memory_space)
    else:
        kind = MemRefType(source.element_type, source.get_shape(), memory_space=old.memory_space)
    properties = dict(op.properties)
    buffer = rw.value(op.name, [inner.operands[0]], kind, properties)
    rw.replace_with(op, "memref.cast", [buffer], [old])
    return True


def buffer_of_tensor(op: Operation, rw: GreedyRewriter) -> bool:
    """to_buffer of to_tensor -> the buffer as the type that is wanted: a cast, or a copy where it
    may lie differently"""
    inner = defining(op.operands[0], "bufferization.to_tensor")
    if inner is None:
        return False
    buffer, kind = inner.operands[0], op.results[0].type
    rw.location = location_of(buffer)
    if isinstance(kind, UnrankedMemRefType):
        rw.replace_with(op, "memref.cast", [buffer], [kind])
        return True
    if not isinstance(kind, MemRefType) or not isinstance(buffer.type, MemRefType):
        return False
    if _always_casts(buffer.type, kind):
        rw.replace_with(op, "memref.cast", [buffer], [kind])
        return True
    sizes = [
        rw.value("memref.dim", [buffer, _constant(rw, dim)], _INDEX)
        for dim, size in enumerate(kind.get_shape())
        if size == DYNAMIC_INDEX
    ]
    new = rw.value("memref.alloc", [sizes, []], kind)
    rw.create("memref.copy", [buffer, new])
    rw.replace(op, [new])
    return True


def _constant(rw: GreedyRewriter, value: int) -> SSAValue:
    return rw.value("arith.constant", (), _INDEX, {"value": IntegerAttr(value, _INDEX)})


def _always_casts(source: MemRefType[Attribute], target: MemRefType[Attribute]) -> bool:
    """Whether memref.cast is right for every buffer of the type `source`."""
    if source.memory_space != target.memory_space:
        return False
    pairs = zip(source.get_shape(), target.get_shape(), strict=True)
    if any(DYNAMIC_INDEX not in (a, b) and a != b for a, b in pairs):
        return False
    before, after = strides_and_offset(source), strides_and_offset(target)
    if before is None or after is None:
        return False
    known = zip([*before[0], before[1]], [*after[0], after[1]], strict=True)
    return all(b is None or a == b for a, b in known)


# --- alloc_tensor ----------------------------------------------------------------------------
def constant_sizes(op: Operation, rw: GreedyRewriter) -> bool:
    """Sizes that are constants become part of the type."""
    kind = op.results[0].type
    if not isinstance(kind, TensorType) or len(_copied(op)) or not op.operands:
        return False
    shape = list(kind.get_shape())
    places = [dim for dim, size in enumerate(shape) if size == DYNAMIC_INDEX]
    kept: list[SSAValue] = []
    for dim, value in zip(places, op.operands, strict=False):
        number = int_of(value)
        if number is None or number < 0:
            kept.append(value)
        else:
            shape[dim] = number
    if len(kept) == len(places):
        return False
    hint = list(op.operands[len(places) :])
    new = rw.create(
        op.name,
        [kept, [], hint],
        [TensorType(kind.element_type, shape, kind.encoding)],
        {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"},
    )
    rw.replace_with(op, "tensor.cast", [new.results[0]], [kind])
    return True


def _copied(op: Operation) -> Sequence[SSAValue]:
    return cast("OdsOperation", op).operand_group(1)


BUFFER_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "bufferization.alloc_tensor": (constant_sizes,),
    "bufferization.to_buffer": (buffer_of_cast, buffer_of_tensor),
}
BUFFER_FOLD = {
    "bufferization.to_buffer": fold_to_buffer,
    "bufferization.to_tensor": fold_to_tensor,
}


FOLD: dict[str, Folder] = {
    "bufferization.clone": fold_all_casts,
    **BUFFER_FOLD,
}
