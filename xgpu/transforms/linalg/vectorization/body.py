# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The body of a structured operation on vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from xgpu.core import ods
from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.elements import dense_of
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.builders import poison, zero_attribute, zeros
from xgpu.dialects.vector.ops import shape, vector_type
from xgpu.transforms.linalg.fuse_elementwise_ops import compose
from xgpu.transforms.linalg.vectorization import maps
from xgpu.transforms.linalg.vectorization.vectors import (
    Space,
    Values,
    all_in_bounds,
    broadcast_to,
    element_of,
    masked_by,
    read_whole,
    write_whole,
)
from xgpu.transforms.vector import transfers
from xgpu.transforms.vector.unroll import is_elementwise

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, IntegerType


# --- tensor extract ------------------------------------------------------------------------------
# tensor.extract in the body of a structured operation: all iterations at once.
#
# Three forms, from what the indices depend on: one element that all iterations read, a row of
# elements side by side, or a gather.
#
# Source: MLIR 22.1 Vectorization.cpp (getTensorExtractMemoryAccessPattern).


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


# --- body ----------------------------------------------------------------------------------------
# The body of a structured operation on vectors: every value of an iteration becomes a vector of
# all iterations.
#
#     linalg.generic ins(%a) outs(%b) { %0 = arith.addf %in, %out ; yield %0 }
#     =>
#     %va = vector.transfer_read %a[..]
#     %vb = vector.transfer_read %b[..]
#     %v = arith.addf %va, %vb : vector<..>
#     vector.transfer_write %v, %b[..]
#
# Inputs are read as vectors of the whole iteration space, repeated along loops that they do not
# depend on; outputs only along their own. Where the two meet, the operation is a reduction.
# Source: MLIR 22.1 Vectorization.cpp.


class Body(Values):
    """The values of the body that have become vectors."""

    def __init__(self, space: Space) -> None:
        super().__init__(space)
        self.indexing = ops.indexing_maps(space.op)
        self.inputs = len(ops.inputs(space.op))
        #: What has been written to tensors.
        self.results: list[SSAValue] = []

    def run(self) -> bool:
        """Builds all of it; False if an operation of the body has no form on vectors."""
        zero = index_constant(self.rw, 0)
        for at, operand in enumerate(self.op.operands):
            self._read(at, operand, zero)
        return all(self._one(op) for op in self.block.ops)

    # --- operands ----------------------------------------------------------------------------
    def _read(self, at: int, operand: SSAValue, zero: SSAValue) -> None:
        argument, indexing = self.block.args[at], self.indexing[at]
        dims = ops.shape_of(operand)
        if dims is None:
            self.values[argument] = operand
            return
        element = ops.scalar_type(operand)
        if at < self.inputs:
            permutation = maps.inverse_and_broadcast(indexing)
            kind = self.space.vector(element)
        else:
            permutation = maps.inverse(maps.compress(indexing))
            kind = self.space.vector(element, compose(permutation, indexing))
        rank = len(shape(kind))
        padding = poison(self.rw, element)
        indices = [zero] * len(dims)
        value = transfers.create_read(
            self.rw, kind, operand, indices, padding, permutation, [False] * rank
        )
        read = self.space.mask(cast("Operation", value.owner), indexing)
        all_in_bounds(read)
        value = read.results[0]
        if rank == 0:
            value = transfers.extract(self.rw, value)
        self.values[argument] = value

    def _write(self, value: SSAValue, output: int) -> None:
        operand = ops.outputs(self.op)[output]
        indexing = self.indexing[self.inputs + output]
        element = ops.scalar_type(operand)
        kind = self.space.vector(element, maps.identity_of_used(indexing))
        zero = index_constant(self.rw, 0)
        indices = [zero] * ops.rank_of(operand)
        if shape(kind):
            permutation = maps.inverse(maps.compress(indexing))
            with self.rw.located(self.op.location):
                value = broadcast_to(self.space, value, kind)
            flags = [False] * len(shape(kind))
        else:
            if not isinstance(value.type, VectorType):
                value = transfers.broadcast(self.rw, value, kind)
            permutation, flags = AffineMap(len(indices), 0, ()), []
        write = transfers.create_write(self.rw, value, operand, indices, permutation, flags)
        write = self.space.mask(write, indexing)
        all_in_bounds(write)
        self.results.extend(write.results)

    # --- operations --------------------------------------------------------------------------
    def _one(self, op: Operation) -> bool:
        if op.name == "linalg.yield":
            for output, value in enumerate(map(self.lookup, op.operands)):
                with self.rw.located(location_of(value)):
                    self._write(value, output)
            return True
        with self.rw.located(op.location):
            new = self._vector_form(op)
            if new is None:
                return False
            new = self.space.mask(new)
        for old, result in zip(op.results, new.results, strict=True):
            self.values[old] = result
        return True

    def _vector_form(self, op: Operation) -> Operation | None:
        if op.name == "linalg.index":
            return self._index(op)
        if op.name == "tensor.extract":
            return vectorize_extract(self, op)
        if op.name in ("arith.constant", "func.constant"):
            return self.rw.insert(op.clone())
        if not is_elementwise(op):
            return None
        return self._reduction(op) or self._elementwise(op)

    def _index(self, op: Operation) -> Operation:
        """The numbers of the iterations along one loop."""
        dim = cast("IntegerAttr[IntegerType]", op.properties["dim"]).value.data
        space, rw = self.space, self.rw
        last = len(space.shape) - 1
        steps = vector_type(_INDEX, [space.shape[dim]], [space.scalable[dim]])
        step = rw.create("vector.step", (), (steps,))
        if dim == last:
            return step
        order = list(range(len(space.shape)))
        order[dim], order[last] = last, dim
        swapped = space.vector(_INDEX, ops.select(len(order), order))
        repeated = transfers.broadcast(rw, step.results[0], swapped)
        return cast("Operation", transfers.transpose(rw, repeated, order).owner)

    def _reduction(self, op: Operation) -> Operation | None:
        """A vector.multi_reduction, if `op` combines what has more dimensions with an output."""
        pairs: list[tuple[SSAValue, SSAValue]] = []
        for operand in op.operands:
            if not isinstance(operand, BlockArgument) or operand.owner is not self.block:
                continue
            if operand.index >= self.inputs:
                found = maps.match(self.op, operand.index - self.inputs)
                if found is not None:
                    pairs.append((found[0], operand))
        if not pairs:
            return None
        source, acc = self.lookup(pairs[0][0]), self.lookup(pairs[0][1])
        if not isinstance(source.type, VectorType):
            return None
        if isinstance(acc.type, VectorType) and shape(source.type) == shape(acc.type):
            return None
        kind = maps.kind_of(op)
        if kind is None:
            return None
        iterators = ops.iterator_types(self.op)
        reduced = [d for d, it in enumerate(iterators) if it == ops.REDUCTION]
        properties: dict[str, Attribute] = {
            "kind": ods.enum("vector.kind", kind),
            "reduction_dims": DenseArrayBase.from_list(i64, reduced),
        }
        operands = [source, acc]
        return self.rw.create("vector.multi_reduction", operands, [acc.type], properties)

    def _elementwise(self, op: Operation) -> Operation:
        """The same operation on vectors of the most dimensions that an operand has."""
        operands = [self.lookup(v) for v in op.operands]
        widest = _widest(operands)
        types = [result.type for result in op.results]
        if widest is not None:
            with self.rw.located(self.op.location):
                operands = [
                    broadcast_to(self.space, v, _like(widest, element_of(v.type))) for v in operands
                ]
            types = [_like(widest, ty) for ty in types]
        return self.rw.create(op.name, operands, types, dict(op.properties), dict(op.attributes))


def _like(kind: VectorType, element: Attribute) -> VectorType:
    return vector_type(element, shape(kind), scalable_dims(kind))


def _widest(values: Sequence[SSAValue]) -> VectorType | None:
    """The first of the vector types that have the most dimensions."""
    kinds = [v.type for v in values if isinstance(v.type, VectorType)]
    return max(kinds, key=lambda kind: len(shape(kind)), default=None)


# --- contraction ---------------------------------------------------------------------------------
# A named contraction as one vector.contract.
#
#     linalg.matmul ins(%a, %b) outs(%c)
#     =>
#     vector.contract {maps and iterators of the matmul, kind = add} %va, %vb, %vc
#
# Source: MLIR 22.1 Vectorization.cpp (vectorizeAsLinalgContraction).


def vectorize_contraction(space: Space) -> list[SSAValue] | None:
    """What has been written; None if a vector.contract cannot say what the operation does."""
    op, rw = space.op, space.rw
    kind = maps.kind_of(maps.combiner(op, 0))
    indexing = ops.indexing_maps(op)
    read = {d for map_ in indexing[:2] for d in maps.dim_positions(map_)}
    if kind is None or read != set(range(len(space.static))):
        return None
    vectors: list[SSAValue] = []
    for operand, map_ in zip(op.operands, indexing, strict=True):
        rank = len(map_.results)
        element = ops.scalar_type(operand)
        ty = space.vector(element, compose(ops.select(rank, range(rank)), map_))
        vectors.append(read_whole(rw, operand, ty, zeros(rw, element)))
    iterators = ops.iterator_types(op)
    properties: dict[str, Attribute] = {
        "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in indexing]),
        "iterator_types": ArrayAttr([ods.enum("vector.iterator_type", it) for it in iterators]),
        "kind": ods.enum("vector.kind", kind),
    }
    contract = rw.create("vector.contract", vectors, [vectors[2].type], properties)
    result = space.mask(contract).results[0]
    return list(write_whole(rw, result, ops.outputs(op)[0]).results)
