# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensor.extract in the body of a structured operation: all iterations at once.

Three forms, from what the indices depend on: one element that all iterations read, a row of
elements side by side, or a gather.

Source: MLIR 22.1 Vectorization.cpp (getTensorExtractMemoryAccessPattern).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, TensorType, VectorType, i1
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir.elements import dense_of
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.builders import poison, zero_attribute
from xgpu.dialects.vector.ops import shape, vector_type
from xgpu.transforms.linalg.vectorization import maps
from xgpu.transforms.linalg.vectorization.masking import masked_by
from xgpu.transforms.linalg.vectorization.values import Values, broadcast_to
from xgpu.transforms.vector import transfers

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, IntegerType

_INDEX = IndexType()
_ONE, _ROW, _GATHER = "one", "row", "gather"


class _Indices:
    """What an index of the body depends on."""

    def __init__(self, body: Values) -> None:
        self.op, self.block = body.op, body.block
        self.sizes = maps.loop_sizes(body.op)
        #: Whether the index that was looked at counts along the last loop that is not of one step.
        self.counts = False

    def _in_block(self, value: SSAValue) -> Operation | None:
        """The operation of the body that `value` comes from; None: it comes from outside."""
        op = value.owner if isinstance(value.owner, Operation) else None
        while op is not None and op.parent is not self.block:
            op = op.parent_op()
        return op

    def is_invariant(self, value: SSAValue) -> bool:
        """Whether all iterations have the same value."""
        if isinstance(value, BlockArgument):
            return value.owner is not self.block
        op = self._in_block(value)
        if op is None or op.name == "arith.constant":
            return True
        if op.name == "linalg.index":
            return self.sizes[_dim(op)] == 1
        return all(self.is_invariant(operand) for operand in op.operands)

    def is_contiguous(self, value: SSAValue) -> bool:
        """Whether the value is a sum in which the last loop's number may occur."""
        if isinstance(value, BlockArgument):
            return value.owner is not self.block
        op = self._in_block(value)
        if op is None:
            return False
        if op.name == "linalg.index":
            self.counts = _dim(op) == self._last_loop()
            return True
        if op.name not in ("arith.addi", "arith.constant"):
            return False
        # All operands are looked at: each may be the one that counts.
        found = [self.is_contiguous(operand) for operand in op.operands]
        return any(found)

    def _last_loop(self) -> int:
        long = [d for d, size in enumerate(self.sizes) if size != 1]
        return long[-1] if long else 0


def _dim(op: Operation) -> int:
    return cast("IntegerAttr[IntegerType]", op.properties["dim"]).value.data


def _pattern(body: Values, op: Operation, kind: VectorType) -> str:
    extents = ops.shape_of(op.operands[0]) or ()
    if not extents or not shape(kind):
        return _ONE
    if sum(extent > 1 for extent in shape(kind)) != 1:
        return _GATHER
    indices = _Indices(body)
    *leading, last = op.operands[1:]
    for extent, index in zip(extents, leading, strict=False):
        if extent != 1 and not indices.is_invariant(index):
            return _GATHER
    if indices.is_invariant(last):
        return _ONE
    row = indices.is_contiguous(last) and indices.counts and shape(kind)[-1] != 1
    return _ROW if row else _GATHER


def vectorize_extract(body: Values, op: Operation) -> Operation:
    """The operation that reads an element for each iteration."""
    space, rw = body.space, body.rw
    source = op.operands[0]
    element = cast("TensorType", source.type).element_type
    kind = space.vector(element)
    # What only a gather uses stands first for all, as in MLIR.
    flags = space.vector(i1)
    mask = attribute_constant(rw, dense_of(flags, [1]), flags)
    passed = attribute_constant(rw, zero_attribute(kind), kind)
    zero = index_constant(rw, 0)
    pattern = _pattern(body, op, kind)
    if pattern == _GATHER:
        offset = _offset(body, op)
        bases = [zero] * (len(op.operands) - 1)
        return rw.create("vector.gather", [source, *bases, offset, mask, passed], [kind])
    indices = [_scalar_index(body, index, kind) for index in op.operands[1:]]
    rank, extents = len(shape(kind)), len(indices)
    padding = poison(rw, element)
    results: list[AffineExpr]
    if pattern == _ONE:
        results = [AffineConstantExpr(0)] * rank
    else:
        results = [AffineConstantExpr(0)] * (rank - extents)
        results += [AffineDimExpr(d) for d in range(max(extents - rank, 0), extents)]
    permutation = AffineMap(extents, 0, tuple(results))
    value = transfers.create_read(rw, kind, source, indices, padding, permutation, [True] * rank)
    read = cast("Operation", value.owner)
    if pattern == _ROW or rank == 0:
        return read
    sizes = {"mask_dim_sizes": i64_array([1])}
    rw.before(read)
    one = rw.value("vector.constant_mask", (), VectorType(i1, [1]), sizes)
    rw.after(read)
    return masked_by(rw, read, one)


def _scalar_index(body: Values, index: SSAValue, kind: VectorType) -> SSAValue:
    """The index of the first iteration."""
    value = body.lookup(index)
    if value.type == _INDEX:
        return value
    row = vector_type(_INDEX, shape(kind)[-1:], scalable_dims(kind)[-1:])
    return transfers.extract(body.rw, body.rw.value("vector.shape_cast", [value], row), 0)


def _offset(body: Values, op: Operation) -> SSAValue:
    """How far from the first element each iteration reads, the last dimension fastest."""
    space, rw = body.space, body.rw
    kind = space.vector(_INDEX)
    offset: SSAValue | None = None
    for dim, index in enumerate(op.operands[1:]):
        if offset is None:
            offset = broadcast_to(space, body.lookup(index), kind)
            continue
        number = index_constant(rw, dim)
        size = rw.value("tensor.dim", [op.operands[0], number], _INDEX)
        offset = rw.value("arith.muli", [offset, broadcast_to(space, size, kind)], kind)
        own = broadcast_to(space, body.lookup(index), kind)
        offset = rw.value("arith.addi", [own, offset], kind)
    assert offset is not None
    return offset
