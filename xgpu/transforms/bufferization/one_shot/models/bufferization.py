# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of the bufferization dialect itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, OpResult, SSAValue

from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State, buffer_type
from xgpu.transforms.bufferization.one_shot.model import Model
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    identity_buffer,
    is_tensor,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand

if TYPE_CHECKING:
    from xgpu.dialects import bufferization


class AllocTensor(Model):
    """A new buffer, with the contents of another one or none."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def allocates(self, op: Operation) -> bool:
        return True

    def defines_contents(self, result: OpResult, state: State) -> bool:
        return cast("bufferization.AllocTensorOp", result.op).copy is not None

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = cast("bufferization.AllocTensorOp", value.owner)
        space = op.properties.get("memory_space")
        if space is None and op.copy is not None:
            space = buffers.type_of(op.copy, stack).memory_space
        kind = tensor_type(value)
        return identity_buffer(kind, buffers.space_of(kind, op) if space is None else space)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        alloc = cast("bufferization.AllocTensorOp", op)
        if op.results[0].first_use is None:
            buffers.erase(op)
            return
        source = None if alloc.copy is None else buffers.of(alloc.copy)
        kind = buffers.type_of(op.results[0])
        sizes = list(alloc.dynamic_sizes) if source is None else buffers.dynamic_sizes(source)
        buffer = buffers.allocate(kind, sizes)
        if source is not None:
            buffers.copy(source, buffer)
        buffers.replace_by(op, [buffer])


class DeallocTensor(Model):
    """Frees the buffer."""

    __slots__ = ()

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        buffers.create("memref.dealloc", (buffers.of(op.operands[0]),))
        buffers.erase(op)


class MaterializeInDestination(Model):
    """A copy to a buffer that the program names."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return use.at == 0

    def writes(self, use: Operand, state: State) -> bool:
        return use.at == 1

    def must_be_in_place(self, use: Operand, state: State) -> bool:
        return True

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], True),) if use.at == 1 else ()

    def is_elementwise(self, op: Operation, uses: Sequence[Operand], state: State) -> bool:
        return True

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        target = op.operands[1]
        buffer = buffers.of(target) if is_tensor(target.type) else target
        buffers.copy(buffers.of(op.operands[0]), buffer)
        buffers.replace_by(op, [buffer] if op.results else [])


class ToBuffer(Model):
    """A buffer that somebody gets who is not analyzed."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def writes(self, use: Operand, state: State) -> bool:
        return "read_only" not in use.op.properties

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        buffers.fold_pair(op)


class ToTensor(Model):
    """A buffer that the program brings along."""

    __slots__ = ()

    def is_writable(self, value: SSAValue, state: State) -> bool:
        assert isinstance(value.owner, Operation)
        return "writable" in value.owner.properties

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value.owner, Operation)
        return buffer_type(value.owner.operands[0])

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        """Goes when nobody wants the tensor any more."""


MODELS: dict[str, Model] = {
    "bufferization.alloc_tensor": AllocTensor(),
    "bufferization.dealloc_tensor": DeallocTensor(),
    "bufferization.materialize_in_destination": MaterializeInDestination(),
    "bufferization.to_buffer": ToBuffer(),
    "bufferization.to_tensor": ToTensor(),
}
