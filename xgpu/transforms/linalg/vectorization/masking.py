# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which elements of the vectors count: the shape of the vectors that an operation's iterations
become, and masks where it is not exactly the operation's own.

    %m = vector.create_mask %rows, %columns : vector<8x16xi1>
    %v = vector.mask %m { vector.transfer_read %a[..], .. } : vector<8x16xi1> -> vector<8x16xf32>
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, VectorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core import ods
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.vector.ops import vector_type
from xgpu.transforms.linalg.vectorization import maps
from xgpu.transforms.vector.transfers import READ, WRITE, Transfer, bools

_INDEX = IndexType()


def masked_by(rw: Rewriter, op: Operation, mask: SSAValue | None) -> Operation:
    """`op`, which nobody uses yet, in a vector.mask; itself if there is no mask."""
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
