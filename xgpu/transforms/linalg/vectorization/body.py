# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The body of a structured operation on vectors: every value of an iteration becomes a vector of
all iterations.

    linalg.generic ins(%a) outs(%b) { %0 = arith.addf %in, %out ; yield %0 }
    =>
    %va = vector.transfer_read %a[..]
    %vb = vector.transfer_read %b[..]
    %v = arith.addf %va, %vb : vector<..>
    vector.transfer_write %v, %b[..]

Inputs are read as vectors of the whole iteration space, repeated along loops that they do not
depend on; outputs only along their own. Where the two meet, the operation is a reduction.
Source: MLIR 22.1 Vectorization.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IndexType, VectorType, i64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xgpu.core import ods
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import poison
from xgpu.dialects.vector.ops import shape, vector_type
from xgpu.transforms.linalg.fuse_elementwise_ops import compose
from xgpu.transforms.linalg.vectorization import maps, reductions
from xgpu.transforms.linalg.vectorization.masking import Space, all_in_bounds
from xgpu.transforms.linalg.vectorization.tensor_extract import vectorize_extract
from xgpu.transforms.linalg.vectorization.values import Values, broadcast_to, element_of
from xgpu.transforms.vector import transfers
from xgpu.transforms.vector.unroll import is_elementwise

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, IntegerType

_INDEX = IndexType()


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
            for output, value in enumerate(op.operands):
                self._write(self.lookup(value), output)
            return True
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
                found = reductions.match(self.op, operand.index - self.inputs)
                if found is not None:
                    pairs.append((found[0], operand))
        if not pairs:
            return None
        source, acc = self.lookup(pairs[0][0]), self.lookup(pairs[0][1])
        if not isinstance(source.type, VectorType):
            return None
        if isinstance(acc.type, VectorType) and shape(source.type) == shape(acc.type):
            return None
        kind = reductions.kind_of(op)
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
