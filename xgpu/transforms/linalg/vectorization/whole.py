# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading all of a tensor or memref as a vector, and writing a vector to a part of one.

Either the transfer knows which dimensions stay in bounds, or it is masked by the sizes of what it
reads or writes. Source: MLIR 22.1 VectorUtils.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IndexType, VectorType, i1
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC, scalable_dims
from xgpu.dialects.vector.builders import poison
from xgpu.dialects.vector.ops import shape, vector_type
from xgpu.transforms.linalg.vectorization.masking import masked_by
from xgpu.transforms.vector.transfers import create_read, create_write


def read_whole(
    rw: Rewriter,
    source: SSAValue,
    kind: VectorType,
    padding: SSAValue | None = None,
    *,
    masks: bool = True,
) -> SSAValue:
    """`source` from its first element as a vector of the type `kind`.

    With `masks` elements outside of `source` are masked; else the transfer says where it may be
    out of bounds, and `padding` comes from there.
    """
    extents, rank = ops.shape_of(source) or (), len(shape(kind))
    flags = [True] * rank
    if not masks:
        flags = [a == b for a, b in zip(extents, shape(kind), strict=True)]
    zero = index_constant(rw, 0)
    if padding is None:
        padding = poison(rw, ops.scalar_type(source))
    identity = ops.select(rank, range(rank))
    value = create_read(rw, kind, source, [zero] * rank, padding, identity, flags)
    if not masks or extents == shape(kind):
        return value
    read = cast("Operation", value.owner)
    rw.before(read)
    mask = mask_of(rw, kind, sizes_of(rw, source))
    rw.after(read)
    return masked_by(rw, read, mask).results[0]


def write_whole(
    rw: Rewriter,
    value: SSAValue,
    dest: SSAValue,
    indices: Sequence[SSAValue] = (),
    *,
    masks: bool = True,
) -> Operation:
    """Writes a vector to `dest` at `indices`, by default at its first element."""
    kind = cast("VectorType", value.type)
    extents, rank = ops.shape_of(dest) or (), len(shape(kind))
    inner = extents[len(extents) - rank :]
    flags = [True] * rank
    if not masks:
        flags = [a != DYNAMIC and a >= b for a, b in zip(inner, shape(kind), strict=True)]
    if not indices:
        indices = [index_constant(rw, 0)] * len(extents)
    minor = ops.select(len(extents), range(len(extents) - rank, len(extents)))
    write = create_write(rw, value, dest, list(indices), minor, flags)
    if not masks or inner == shape(kind):
        return write
    rw.before(write)
    sizes = sizes_of(rw, dest)[len(extents) - rank :]
    if _covers(sizes, indices, extents, shape(kind)):
        rw.after(write)
        return write
    mask = mask_of(rw, kind, sizes)
    rw.after(write)
    return masked_by(rw, write, mask)


def sizes_of(rw: Rewriter, value: SSAValue) -> list[Mixed]:
    """The sizes of a tensor or memref."""
    return [size_at(rw, value, dim) for dim in range(ops.rank_of(value))]


def size_at(rw: Rewriter, value: SSAValue, dim: int) -> Mixed:
    size = (ops.shape_of(value) or ())[dim]
    if size != DYNAMIC:
        return size
    kind = "tensor" if value.type.name == "tensor" else "memref"
    return rw.value(f"{kind}.dim", [value, index_constant(rw, dim)], IndexType())


def mask_of(rw: Rewriter, kind: VectorType, sizes: Sequence[Mixed]) -> SSAValue:
    """The mask of a vector of which `sizes` count."""
    flags = vector_type(i1, shape(kind), scalable_dims(kind))
    bounds = [as_value(rw, size) for size in sizes]
    return rw.value("vector.create_mask", bounds, flags)


def _covers(
    sizes: Sequence[Mixed],
    indices: Sequence[SSAValue],
    extents: Sequence[int],
    vector: Sequence[int],
) -> bool:
    """Whether all of the vector is known to be inside."""
    places = [int_of(index) for index in indices]
    if DYNAMIC in extents or None in places:
        return False
    lead = len(extents) - len(vector)
    for dim, size in enumerate(sizes):
        place = places[lead + dim]
        if not isinstance(size, int) or place is None or vector[dim] > size:
            return False
        if extents[lead + dim] < min(size, vector[dim]) + place:
            return False
    return True
