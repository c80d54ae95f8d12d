# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the memref dialect; those of views: `canonicalize_views.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType
from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.dialects.memref.canonicalize_scope import hoist_allocations, inline_scope
from xgpu.dialects.memref.canonicalize_views import VIEW_PATTERNS
from xgpu.dialects.memref.casts import uncast

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import memref


def with_shape(kind: MemRefType, shape: list[int]) -> MemRefType:
    """The memref type with another shape."""
    return MemRefType(kind.element_type, shape, kind.layout, kind.memory_space)


def constant_sizes(op: memref.AllocOp | memref.AllocaOp, rw: GreedyRewriter) -> bool:
    """alloc(%c8) : memref<?xf32> -> cast(alloc() : memref<8xf32>)"""
    kind: MemRefType = op.results[0].type
    sizes = list(op.dynamic_sizes)
    shape: list[int] = []
    kept: list[SSAValue] = []
    for size in kind.get_shape():
        if size != DYNAMIC_INDEX:
            shape.append(size)
            continue
        value = sizes.pop(0)
        known = int_of(value)
        if known is not None and known >= 0:
            shape.append(known)
        else:
            shape.append(DYNAMIC_INDEX)
            kept.append(value)
    if shape == list(kind.get_shape()):
        return False
    new_kind = with_shape(kind, shape)
    properties = dict(cast("Operation", op).properties)
    del properties["operandSegmentSizes"]
    symbols = list(op.symbol_operands)
    new = rw.create(op.name, (kept, symbols), (new_kind,), properties, dict(op.attributes))
    rw.replace(op, [rw.value("memref.cast", (new.results[0],), kind)])
    return True


def view_constants(op: memref.ViewOp, rw: GreedyRewriter) -> bool:
    """view(%m)[%o][%c8] : memref<?xf32> -> cast(view(%m)[%o][] : memref<8xf32>)"""
    kind: MemRefType = op.results[0].type
    source, shift, *sizes = op.operands
    values = iter(sizes)
    shape: list[int] = []
    kept: list[SSAValue] = []
    for size in kind.get_shape():
        value = next(values) if size == DYNAMIC_INDEX else None
        known = size if value is None else int_of(value)
        if known is None or known < 0:
            assert value is not None
            kept.append(value)
        shape.append(DYNAMIC_INDEX if known is None or known < 0 else known)
    if shape == list(kind.get_shape()):
        return False
    new = rw.value("memref.view", (source, shift, *kept), with_shape(kind, shape))
    rw.replace(op, [rw.value("memref.cast", (new,), kind)])
    return True


def view_of_cast(op: Operation, rw: GreedyRewriter) -> bool:
    """view(cast %m) -> view %m"""
    source = uncast(op.operands[0])
    if source is None:
        return False
    rw.set_operand(op, 0, source)
    return True


def dead_allocation(op: Operation, rw: GreedyRewriter) -> bool:
    """An allocation that is only written to and freed goes, with what writes and frees it"""
    users = {use.operation for use in op.results[0].uses}
    for user in users:
        if user.name == "memref.store" and user.operands[0] is not op.results[0]:
            continue
        if user.name != "memref.dealloc":
            return False
    for user in users:
        rw.erase(user)
    rw.erase(op)
    return True


def self_copy(op: Operation, rw: GreedyRewriter) -> bool:
    """copy(%a, %a) -> nothing"""
    if op.operands[0] is not op.operands[1]:
        return False
    rw.erase(op)
    return True


def empty_copy(op: Operation, rw: GreedyRewriter) -> bool:
    """A copy of no elements -> nothing"""
    for value in op.operands:
        if isinstance(value.type, MemRefType) and 0 in value.type.get_shape():
            rw.erase(op)
            return True
    return False


def dim_of_reshape(op: Operation, rw: GreedyRewriter) -> bool:
    """dim(reshape %m(%shape), %i) -> load %shape[%i], right after the reshape"""
    reshape = op.operands[0].owner
    if not isinstance(reshape, Operation) or reshape.name != "memref.reshape":
        return False
    index = op.operands[1]
    if not _is_known_at(index, reshape, op):
        return False
    shape = reshape.operands[1]
    rw.after(reshape)
    loaded = rw.value(
        "memref.load",
        (shape, index),
        cast("MemRefType", shape.type).element_type,
        {"nontemporal": _false()},
    )
    if loaded.type != op.results[0].type:
        loaded = rw.value("arith.index_cast", (loaded,), op.results[0].type)
    rw.replace(op, [loaded])
    return True


def _is_known_at(index: SSAValue, reshape: Operation, dim: Operation) -> bool:
    """Whether an operand of `dim` can be one of an operation right behind `reshape`, too. Constants
    move there."""
    home = index.owner
    if isinstance(home, Operation) and home.parent is reshape.parent:
        if home.is_before_in_block(reshape):
            return True
        if int_of(index) is None:
            return False
        home.detach()
        assert reshape.parent is not None
        reshape.parent.insert_op_before(home, reshape)
        return True
    block = home if isinstance(home, Block) else home.parent
    # What `dim` can use in another block comes before all of its own.
    if block is reshape.parent or dim.parent is reshape.parent:
        return True
    region = block.parent if block is not None else None
    return (
        region is not None
        and reshape.parent is not None
        and (region is not reshape.parent.parent and region.is_ancestor(reshape))
    )


def _tensor(value: SSAValue) -> SSAValue | None:
    """The tensor that `value` is the buffer of."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "bufferization.to_buffer":
        return None
    return owner.operands[0]


def dim_of_tensor(op: Operation, rw: GreedyRewriter) -> bool:
    """The size of a tensor's buffer is the tensor's."""
    tensor = _tensor(op.operands[0])
    if tensor is None:
        return False
    rw.replace_with(op, "tensor.dim", [tensor, op.operands[1]], [op.results[0].type])
    return True


def load_of_tensor(op: Operation, rw: GreedyRewriter) -> bool:
    """A load from a tensor's buffer reads the tensor."""
    tensor = _tensor(op.operands[0])
    if tensor is None:
        return False
    operands = [tensor, *op.operands[1:]]
    rw.replace_with(op, "tensor.extract", operands, [op.results[0].type])
    return True


def _false() -> IntegerAttr:
    return IntegerAttr.from_bool(False)


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **VIEW_PATTERNS,
    "memref.alloc": (constant_sizes, dead_allocation),
    "memref.alloca": (constant_sizes, dead_allocation),
    "memref.alloca_scope": (inline_scope, hoist_allocations),
    "memref.copy": (empty_copy, self_copy),
    "memref.dim": (dim_of_reshape, dim_of_tensor),
    "memref.load": (load_of_tensor,),
    "memref.realloc": (dead_allocation,),
    "memref.view": (view_constants, view_of_cast),
}
