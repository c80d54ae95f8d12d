# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensor.pad goes where vectors are read from what is padded, or written to it: a transfer pads by
itself what is out of bounds.

    %p = tensor.pad %a low[0] high[%h] { yield %c } : tensor<?xf32> to tensor<8xf32>
    %v = vector.transfer_read %p[%0], %x {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
    =>
    %v = vector.transfer_read %a[%0], %c : tensor<?xf32>, vector<8xf32>

Source: MLIR 22.1 Vectorization.cpp (populatePadOpVectorizationPatterns).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.vector.ops import defining
from xgpu.transforms.linalg.vectorization.packing import constant_padding, outside
from xgpu.transforms.memref.view_metadata import mixed
from xgpu.transforms.tensor.slices import Slice
from xgpu.transforms.vector.transfers import READ, WRITE, Transfer, bools, create_read, create_write

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def _users(op: Operation, name: str) -> list[Operation]:
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
    for user in _users(op, READ):
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
    for user in _users(op, WRITE):
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
    for user in _users(op, "tensor.insert_slice"):
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


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.pad": (read_of_padded, write_to_padded, insert_of_padded)
}
