# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of what moves vectors from and to tensors."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType
from xdsl.ir import Operation

from xgpu.ir.constants import int_of
from xgpu.transforms.bufferization.one_shot.buffers import Buffers
from xgpu.transforms.bufferization.one_shot.model import Destination, Model, Operand
from xgpu.transforms.bufferization.one_shot.options import ranked_type
from xgpu.transforms.bufferization.one_shot.state import State
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


MODELS: dict[str, Model] = {
    "vector.gather": Read(),
    "vector.transfer_read": Read(),
    "vector.transfer_write": Write(),
}

