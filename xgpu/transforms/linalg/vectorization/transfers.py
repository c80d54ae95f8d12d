# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transfers go to what is padded, or copied to or from, instead of to the padded tensor or the
copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.vector.builders import poison
from xgpu.transforms.fold_tensor_subset_ops import Slice
from xgpu.transforms.linalg.vectorization.packing import constant_padding, outside
from xgpu.transforms.linalg.vectorization.vectorize import can_be_element
from xgpu.transforms.memref.result_sizes import mixed
from xgpu.transforms.vector.transfers import (
    READ,
    WRITE,
    Transfer,
    bools,
    broadcast,
    create_read,
    create_write,
    extract,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# --- pad users -----------------------------------------------------------------------------------
# tensor.pad goes where vectors are read from what is padded, or written to it: a transfer pads by
# itself what is out of bounds.
#
#     %p = tensor.pad %a low[0] high[%h] { yield %c } : tensor<?xf32> to tensor<8xf32>
#     %v = vector.transfer_read %p[%0], %x {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
#     =>
#     %v = vector.transfer_read %a[%0], %c : tensor<?xf32>, vector<8xf32>
#
# Source: MLIR 22.1 Vectorization.cpp (populatePadOpVectorizationPatterns).


def _users_of_kind(op: Operation, name: str) -> list[Operation]:
    found = {use.operation: None for use in op.results[0].uses}
    return [user for user in found if user.name == name]


def _is_zero(item: Mixed) -> bool:
    return (item if isinstance(item, int) else int_of(item)) == 0


def _padding(op: Operation) -> SSAValue | None:
    """What is padded with, if nothing is padded in front."""
    if not all(_is_zero(item) for item in mixed(op, "low", 1)):
        return None
    return constant_padding(op)


def read_of_padded(op: Operation, rw: GreedyRewriter) -> bool:
    value = _padding(op)
    if value is None:
        return False
    changed = False
    for user in _users_of_kind(op, READ):
        transfer = Transfer(user)
        if transfer.has_out_of_bounds_dim() or transfer.mask is not None:
            continue
        rw.before(op)
        user.properties["in_bounds"] = bools([False] * transfer.rank)
        operands = list(user.operands)
        operands[0] = op.operands[0]
        operands[1 + len(transfer.indices)] = outside(rw, op, value)
        rw.set_operands(user, operands)
        changed = True
    return changed


def write_to_padded(op: Operation, rw: GreedyRewriter) -> bool:
    """A write to what is padded, of which only the part that was not padded is used."""
    if _padding(op) is None:
        return False
    changed = False
    for user in _users_of_kind(op, WRITE):
        changed = _write_unpadded(op, user, rw) or changed
    return changed


def _write_unpadded(op: Operation, write: Operation, rw: GreedyRewriter) -> bool:
    transfer = Transfer(write)
    if transfer.rank == 0 or transfer.base is not op.results[0]:
        return False
    uses = list(write.results[0].uses)
    trim = uses[0].operation if len(uses) == 1 else None
    if trim is None or trim.name != "tensor.extract_slice":
        return False
    part = Slice(trim)
    source = op.operands[0]
    if not all(_is_zero(o) for o in part.offsets) or not _same_size(source, trim):
        return False
    rw.before(write)
    flags = [False] * transfer.rank
    new = create_write(
        rw, transfer.vector, source, transfer.indices, transfer.map, flags, transfer.mask
    )
    rw.replace(trim, list(new.results))
    rw.erase(write)
    return True


def _same_size(before: SSAValue, trim: Operation) -> bool:
    """Whether what is padded has the size of what is cut out again."""
    cast = defining(before, "tensor.cast")
    if cast is not None and _same_size(cast.operands[0], trim):
        return True
    extents = ops.shape_of(before)
    if extents is None or extents != ops.shape_of(trim.results[0]):
        return False
    if DYNAMIC not in extents:
        return True
    slice_ = defining(before, "tensor.extract_slice")
    if slice_ is None:
        return False
    first, second = Slice(slice_).sizes, Slice(trim).sizes
    return all(
        extents[d] != DYNAMIC or _is_same(a, b)
        for d, (a, b) in enumerate(zip(first, second, strict=True))
    )


def _is_same(left: Mixed, right: Mixed) -> bool:
    known = [item if isinstance(item, int) else int_of(item) for item in (left, right)]
    if left is right or (known[0] is not None and known[0] == known[1]):
        return True
    if isinstance(left, int) or isinstance(right, int):
        return False
    mins = [defining(item, "affine.min") for item in (left, right)]
    if mins[0] is None or mins[1] is None:
        return False
    return mins[0].properties == mins[1].properties and mins[0].operands == mins[1].operands


def insert_of_padded(op: Operation, rw: GreedyRewriter) -> bool:
    value = _padding(op)
    extents = ops.shape_of(op.results[0])
    if value is None or extents is None or DYNAMIC in extents:
        return False
    changed = False
    for user in _users_of_kind(op, "tensor.insert_slice"):
        part = Slice(user)
        lead = len(part.sizes) - len(extents)
        if not part.has_unit_strides or user.operands[1] is op.results[0]:
            continue
        sizes = [size if isinstance(size, int) else int_of(size) for size in part.sizes]
        if sizes != [1] * lead + list(extents):
            continue
        rw.before(user)
        _insert_vector(op, user, part, outside(rw, op, value), rw)
        changed = True
    return changed


def _insert_vector(
    op: Operation, insertion: Operation, part: Slice, value: SSAValue, rw: GreedyRewriter
) -> None:
    kind = VectorType(ops.scalar_type(op.results[0]), ops.shape_of(op.results[0]) or ())
    rank, outer = len(kind.get_shape()), len(part.sizes)
    indices = [index_constant(rw, 0)] * rank
    identity = ops.select(rank, range(rank))
    read = create_read(rw, kind, op.operands[0], indices, value, identity, [False] * rank)
    places = [index_constant(rw, o) if isinstance(o, int) else o for o in part.offsets]
    minor = ops.select(outer, range(outer - rank, outer))
    write = create_write(rw, read, insertion.operands[1], places, minor, [True] * rank)
    rw.replace(insertion, list(write.results))


PAD_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.pad": (read_of_padded, write_to_padded, insert_of_padded)
}


# --- forwarding ----------------------------------------------------------------------------------
# Transfers through buffers that are only copied to or from go to what is copied.
#
#     memref.copy %source, %part          // a subview of %buffer, which may be filled before
#     %v = vector.transfer_read %buffer[..], %pad
#     =>
#     %v = vector.transfer_read %source[..], %pad
#
# Also memref.copy as a read and a write of the whole. Source: MLIR 22.1 Vectorization.cpp.


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


def _copied_part(transfer: Transfer) -> SSAValue | None:
    """The one view into a buffer of its own that is transferred from or to without a mask."""
    made = defining(transfer.base, "memref.view", "memref.alloc")
    view = None if transfer.mask is not None or made is None else _only_subview(transfer.base)
    return None if view is None else view.results[0]


def read_of_copied(op: Operation, rw: GreedyRewriter) -> bool:
    """A read of a buffer that something was copied to."""
    transfer = Transfer(op)
    buffer, part = transfer.base, _copied_part(transfer)
    if part is None:
        return False
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
    buffer, part = transfer.base, _copied_part(transfer)
    if part is None:
        return False
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
