# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors of an operation's iterations: their shape and masks, the values of its body, and reading
and writing whole operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IndexType, VectorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core import ods
from xgpu.core.ir.constants import constant_of, int_of, splat_value
from xgpu.core.ir.elements import dense_of
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC, scalable_dims
from xgpu.dialects.vector.builders import poison
from xgpu.dialects.vector.ops import is_broadcastable, shape, vector_type
from xgpu.transforms.linalg.vectorization import maps
from xgpu.transforms.linalg.vectorization.maps import body_of
from xgpu.transforms.vector import transfers
from xgpu.transforms.vector.transfers import READ, WRITE, Transfer, bools, create_read, create_write

# --- masking -------------------------------------------------------------------------------------
# Which elements of the vectors count: the shape of the vectors that an operation's iterations
# become, and masks where it is not exactly the operation's own.
#
#     %m = vector.create_mask %rows, %columns : vector<8x16xi1>
#     %v = vector.mask %m { vector.transfer_read %a[..], .. } : vector<8x16xi1> -> vector<8x16xf32>


_INDEX = IndexType()


def masked_by(rw: Rewriter, op: Operation, mask: SSAValue | None) -> Operation:
    """`op`, which nothing uses yet, in a vector.mask; itself if there is no mask."""
    if mask is None:
        return op
    rw.after(op)
    op.detach()
    end = ods.create("vector.yield", op.results, location=rw.location)
    types = [result.type for result in op.results]
    return rw.create("vector.mask", [mask], types, regions=[Region(Block([op, end]))])


def inside(op: Operation) -> Operation:
    """The operation that a vector.mask masks; `op` if it is another one."""
    if op.name != "vector.mask":
        return op
    first = op.regions[0].blocks[0].first_op
    assert first is not None
    return first


class Space:
    """The vectors that stand for the iterations of a structured operation, and their masks."""

    def __init__(
        self, rw: Rewriter, op: Operation, shape: Sequence[int], scalable: Sequence[bool]
    ) -> None:
        self.rw, self.op = rw, op
        self.static = maps.loop_sizes(op)
        self.shape = list(shape) or self.static
        self.scalable = list(scalable) if shape else [False] * len(self.static)
        #: That sizes which are not known are those of the vectors.
        self.sizes_match = False
        self._sizes: list[SSAValue] = []
        self._masks: dict[AffineMap, SSAValue | None] = {}

    def prepare(self) -> bool:
        """Finds the size of each loop; False if the vectors' shape or a size is not known."""
        if DYNAMIC in self.shape:
            return False
        indexing = ops.indexing_maps(self.op)
        for dim, size in enumerate(self.static):
            if size != DYNAMIC:
                self._sizes.append(index_constant(self.rw, size))
                continue
            place = _place_of(indexing, dim)
            if place is None:
                return False
            self._sizes.append(self._measure(*place))
        return True

    def _measure(self, operand: int, dim: int) -> SSAValue:
        on_tensors = all(v.type.name != "memref" for v in self.op.operands)
        name = "tensor.dim" if on_tensors else "memref.dim"
        number = index_constant(self.rw, dim)
        return self.rw.value(name, [self.op.operands[operand], number], _INDEX)

    def vector(self, element: Attribute, map_: AffineMap | None = None) -> VectorType:
        """A vector of the iterations, or of those dimensions that `map_` picks."""
        if map_ is None:
            return vector_type(element, self.shape, self.scalable)
        shape, flags = maps.pick(map_, self.shape, 0), maps.pick(map_, self.scalable, False)
        return vector_type(element, shape, flags)

    def mask(self, op: Operation, indexing: AffineMap | None = None) -> Operation:
        """`op`, masked if it can be and must be; its vectors are picked by `indexing`."""
        mask = self._mask_for(op, None if indexing is None else maps.without_zeros(indexing))
        if mask is not None:
            return masked_by(self.rw, op, mask)
        if self.sizes_match and op.name in (READ, WRITE):
            _assume_in_bounds(op)
        return op

    def _mask_for(self, op: Operation, map_: AffineMap | None) -> SSAValue | None:
        if "MaskableOpInterface" not in traits_of(op.name):
            return None
        loops = len(self.static)
        key = ops.select(loops, range(loops)) if map_ is None else map_
        if key not in self._masks:
            # The mask stands before the operation, which has been built already.
            self.rw.before(op)
            self._masks[key] = self._new_mask(key)
            self.rw.after(op)
        return self._masks[key]

    def _new_mask(self, map_: AffineMap) -> SSAValue | None:
        kind = self.vector(i1, map_)
        sizes, shape = maps.pick(map_, self.static, 0), list(kind.get_shape())
        if sizes == shape:
            return None
        pairs = zip(sizes, shape, strict=True)
        if self.sizes_match and all(size in (DYNAMIC, extent) for size, extent in pairs):
            return None
        bounds = [self._sizes[d] for d in maps.dim_positions(map_)]
        return self.rw.value("vector.create_mask", bounds, kind)


def _place_of(indexing: Sequence[AffineMap], dim: int) -> tuple[int, int] | None:
    """An operand and its dimension that loop `dim` runs along."""
    for operand, map_ in enumerate(indexing):
        if maps.is_projected_permutation(map_) and AffineDimExpr(dim) in map_.results:
            return operand, map_.results.index(AffineDimExpr(dim))
    return None


def _assume_in_bounds(op: Operation) -> None:
    """Marks the dimensions along which memory has a dynamic size as in bounds."""
    transfer = Transfer(op)
    shape = ops.shape_of(transfer.base) or ()
    flags = list(transfer.in_bounds)
    for dim in range(transfer.rank):
        along = transfer.memory_dim(dim)
        if along is not None and shape[along] == DYNAMIC:
            flags[dim] = True
    op.properties["in_bounds"] = bools(flags)


def all_in_bounds(op: Operation) -> None:
    """What is masked stays in bounds."""
    if op.name == "vector.mask":
        transfer = Transfer(inside(op))
        transfer.op.properties["in_bounds"] = bools([True] * transfer.rank)


# --- values --------------------------------------------------------------------------------------
# Values of a structured operation's body, and the vectors that stand for them.


def broadcast_to(space: Space, value: SSAValue, kind: VectorType) -> SSAValue:
    """`value` repeated to a vector of the type `kind`, if it can be and is not one already."""
    if value.type == kind or not shape(kind) or not is_broadcastable(value.type, kind):
        return value
    known = splat_value(constant_of(value))
    if known is not None:
        return attribute_constant(space.rw, dense_of(kind, [known]), kind)
    return transfers.broadcast(space.rw, value, kind)


def element_of(ty: Attribute) -> Attribute:
    return ty.element_type if isinstance(ty, VectorType) else ty


class Values:
    """What has become of the values of the body."""

    def __init__(self, space: Space) -> None:
        self.space, self.rw, self.op = space, space.rw, space.op
        self.block = body_of(space.op)
        self.values: dict[SSAValue, SSAValue] = {}

    def lookup(self, value: SSAValue) -> SSAValue:
        """What stands for `value`: itself if it comes from outside of the body."""
        return self.values.get(value, value)


# --- whole ---------------------------------------------------------------------------------------
# Reading all of a tensor or memref as a vector, and writing a vector to a part of one.
#
# Either the transfer knows which dimensions stay in bounds, or it is masked by the sizes of what it
# reads or writes. Source: MLIR 22.1 VectorUtils.cpp.


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
