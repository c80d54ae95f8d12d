# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of what moves vectors from and to tensors."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType
from xdsl.ir import Operation, OpResult, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State
from xgpu.transforms.bufferization.one_shot.model import Destination, Model
from xgpu.transforms.bufferization.one_shot.options import is_tensor, ranked_type
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand, Source
from xgpu.transforms.vector.transfers import Transfer


class Read(Model):
    """The same operation on the buffer."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        operands = buffers.of_all(op.operands)
        types = [result.type for result in op.results]
        new = buffers.create(op.name, operands, types, op.properties, op.attributes)
        buffers.replace_by(op, new.results)


class Write(Destination):
    """The same operation on the buffer."""

    __slots__ = ()

    def inits(self, op: Operation) -> Sequence[int]:
        return (1,)

    def reads(self, use: Operand, state: State) -> bool:
        return not _covers(use.op)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        operands = buffers.of_all(op.operands)
        buffers.create(op.name, operands, (), op.properties, op.attributes)
        buffers.replace_by(op, [operands[1]])


class Scatter(Destination):
    """The same operation on the buffer, of which it leaves most elements what they are."""

    __slots__ = ()

    def inits(self, op: Operation) -> Sequence[int]:
        return (0,)

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        operands = buffers.of_all(op.operands)
        buffers.create(op.name, operands, (), op.properties, op.attributes)
        buffers.replace_by(op, [operands[0]])


def _covers(op: Operation) -> bool:
    """Whether a vector overwrites all of the tensor."""
    transfer = Transfer(op)
    shape = ranked_type(op.operands[1]).get_shape()
    vector = op.operands[0].type
    parent = op.parent_op()
    if DYNAMIC_INDEX in shape or not isinstance(vector, VectorType):
        return False
    if transfer.mask is not None or (parent is not None and parent.name == "vector.mask"):
        return False
    if any(int_of(index) != 0 for index in transfer.indices):
        return False
    sizes = vector.get_shape()
    return len(sizes) == len(shape) and all(a >= b for a, b in zip(sizes, shape, strict=True))


class Mask(Model):
    """The same around the operation on the buffer, which the result is."""

    __slots__ = ()

    def _end(self, op: Operation) -> Operation:
        end = op.regions[0].block.last_op
        assert end is not None
        return end

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        if not isinstance(value, OpResult):
            return ()
        return (Source(Operand(self._end(value.op), value.index), True),)

    def resolve(self, op: Operation, buffers: Buffers, state: State) -> None:
        """A mask holds one operation, so copies for that one stand before the mask."""
        buffers.copy_operands(op, state)
        block, last = op.parent, self._end(op).prev_op
        assert block is not None
        for inner in list(op.regions[0].block.ops):
            if inner is last:
                return
            inner.detach()
            block.insert_op_before(inner, op)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        end = self._end(op)
        tensors = {at: _outside(v) for at, v in enumerate(end.operands) if is_tensor(v.type)}
        results = {at: buffers.of(value) for at, value in tensors.items()}
        kept = [value for at, value in enumerate(end.operands) if at not in results]
        end.operands = kept
        region = Region()
        op.regions[0].move_blocks(region)
        types = [value.type for value in kept]
        new = buffers.create(op.name, op.operands, types, op.properties, op.attributes, [region])
        others = iter(new.results)
        buffers.replace_by(op, [results.get(at) or next(others) for at in range(len(op.results))])


def _outside(value: SSAValue) -> SSAValue:
    """What the masked operation, that `value` is the result of, writes over."""
    assert isinstance(value.owner, Operation)
    return value.owner.operands[1] if value.owner.name == "vector.transfer_write" else value


class MaskYield(Model):
    """Bufferized with the mask."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def must_be_in_place(self, use: Operand, state: State) -> bool:
        return True

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        parent = use.op.parent_op()
        assert parent is not None
        return (Alias(parent.results[use.at], True),)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        """Nothing to do."""


MODELS: dict[str, Model] = {
    "vector.gather": Read(),
    "vector.mask": Mask(),
    "vector.scatter": Scatter(),
    "vector.transfer_read": Read(),
    "vector.transfer_write": Write(),
    "vector.yield": MaskYield(),
}
