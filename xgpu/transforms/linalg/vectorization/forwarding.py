# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transfers through buffers that are only copied to or from go to what is copied.

    memref.copy %source, %part          // a subview of %buffer, which may be filled before
    %v = vector.transfer_read %buffer[..], %pad
    =>
    %v = vector.transfer_read %source[..], %pad

Also memref.copy as a read and a write of the whole. Source: MLIR 22.1 Vectorization.cpp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.vector.builders import poison
from xgpu.dialects.vector.ops import defining
from xgpu.transforms.linalg.vectorization.conditions import can_be_element
from xgpu.transforms.vector.transfers import (
    READ,
    WRITE,
    Transfer,
    broadcast,
    create_read,
    create_write,
    extract,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def _used_between(first: Operation, second: Operation, values: Iterable[SSAValue]) -> bool:
    """Whether another operation may use one of `values` between the two."""
    if first.parent is not second.parent or not _is_before(first, second):
        return True
    for value in values:
        for use in value.uses:
            user = use.operation
            if user is first or user is second:
                continue
            outside = _is_before(user, first) or _is_before(second, user)
            if user.parent is not first.parent or not outside:
                return True
    return False


def _is_before(first: Operation, second: Operation) -> bool:
    if first.parent is not second.parent:
        return False
    following = first.next_op
    while following is not None:
        if following is second:
            return True
        following = following.next_op
    return False


def _only_subview(buffer: SSAValue) -> Operation | None:
    views = [u.operation for u in buffer.uses if u.operation.name == "memref.subview"]
    return views[0] if len(views) == 1 else None


def _users(value: SSAValue, name: str, operand: int) -> Sequence[Operation]:
    return [
        use.operation for use in value.uses if use.operation.name == name and use.index == operand
    ]


def read_of_copied(op: Operation, rw: GreedyRewriter) -> bool:
    """A read of a buffer that something was copied to."""
    transfer = Transfer(op)
    buffer = transfer.base
    if transfer.mask is not None or defining(buffer, "memref.view", "memref.alloc") is None:
        return False
    view = _only_subview(buffer)
    if view is None:
        return False
    part = view.results[0]
    copies = _users(part, "memref.copy", 1)
    copy = next((c for c in copies if not _used_between(c, op, (buffer, part))), None)
    if copy is None:
        return False
    fills = _users(buffer, "linalg.fill", 1)
    fill = next((f for f in fills if not _used_between(f, copy, (buffer, part))), None)
    assert transfer.padding is not None
    if fill is not None and transfer.padding is not fill.operands[0]:
        return False
    value = create_read(
        rw,
        transfer.vector_type,
        copy.operands[0],
        transfer.indices,
        transfer.padding,
        transfer.map,
        [False] * transfer.rank,
    )
    if fill is not None:
        rw.erase(fill)
    rw.erase(copy)
    rw.replace(op, [value])
    return True


def write_to_copied(op: Operation, rw: GreedyRewriter) -> bool:
    """A write to a buffer that is copied to another one."""
    transfer = Transfer(op)
    buffer = transfer.base
    if transfer.mask is not None or defining(buffer, "memref.view", "memref.alloc") is None:
        return False
    view = _only_subview(buffer)
    if view is None:
        return False
    part = view.results[0]
    copies = _users(part, "memref.copy", 0)
    copy = next((c for c in copies if not _used_between(op, c, (buffer, part))), None)
    if copy is None:
        return False
    flags = [False] * transfer.rank
    dest = copy.operands[1]
    create_write(rw, transfer.vector, dest, transfer.indices, transfer.map, flags)
    rw.erase(copy)
    rw.erase(op)
    return True


def copy_to_transfers(op: Operation, rw: GreedyRewriter) -> bool:
    """memref.copy -> transfer_read, transfer_write"""
    source, dest = op.operands
    extents, to = ops.shape_of(source), ops.shape_of(dest)
    if extents is None or to is None or DYNAMIC in (*extents, *to):
        return False
    element, element_to = ops.scalar_type(source), ops.scalar_type(dest)
    if not can_be_element(element) or not can_be_element(element_to):
        return False
    rank = len(extents)
    identity = ops.select(rank, range(rank))
    indices, flags = [index_constant(rw, 0)] * rank, [False] * rank
    padding = poison(rw, element)
    value = create_read(rw, VectorType(element, extents), source, indices, padding, identity, flags)
    if rank == 0:
        value = broadcast(rw, extract(rw, value), VectorType(element_to, to))
    create_write(rw, value, dest, indices, identity, flags)
    rw.erase(op)
    return True


COPIES: dict[str, tuple[Pattern, ...]] = {"memref.copy": (copy_to_transfers,)}
FORWARDING: dict[str, tuple[Pattern, ...]] = {READ: (read_of_copied,), WRITE: (write_to_copied,)}
