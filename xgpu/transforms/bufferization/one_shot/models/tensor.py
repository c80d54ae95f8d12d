# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of the tensor dialect: elements, sizes, and tensors that are made."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType, NoneAttr
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.errors import error
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import apply, as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State, ranked_buffer_type
from xgpu.transforms.bufferization.one_shot.model import Destination, Model
from xgpu.transforms.bufferization.one_shot.models import tensor_views
from xgpu.transforms.bufferization.one_shot.models.tensor_views import create_subview, insert_slice
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    identity_buffer,
    ranked_type,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Operand
from xgpu.transforms.memref.result_sizes import size_of
from xgpu.transforms.memref.view_metadata import mixed, segments

_INDEX = IndexType()


class Dim(Model):
    """The size of the buffer."""

    __slots__ = ()

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        operands = (buffers.of(op.operands[0]), *op.operands[1:])
        name = op.name.replace("tensor.", "memref.")
        buffers.replace_by(op, [buffers.value(name, operands, _INDEX)])


class Empty(Model):
    """A new buffer without contents."""

    __slots__ = ()

    def defines_contents(self, result: OpResult, state: State) -> bool:
        return False

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        if op.results[0].first_use is None:
            buffers.erase(op)
            return
        buffers.replace(op, [buffers.allocate_tensor(op.results[0], copy=False)])


class Extract(Model):
    """A load."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        operands = (buffers.of(op.operands[0]), *op.operands[1:])
        buffers.replace_by(op, [buffers.value("memref.load", operands, op.results[0].type)])


class Insert(Destination):
    """A store."""

    __slots__ = ()

    def inits(self, op: Operation) -> Sequence[int]:
        return (1,)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        buffer = buffers.of(op.operands[1])
        buffers.create("memref.store", (op.operands[0], buffer, *op.operands[2:]))
        buffers.replace_by(op, [buffer])


class _New(Model):
    """A new buffer that the operation fills."""

    __slots__ = ()

    def allocates(self, op: Operation) -> bool:
        return True

    def check_space(self, op: Operation, buffers: Buffers) -> None:
        if buffers.options.space_of(tensor_type(op.results[0])) != NoneAttr():
            raise error(op, "memory space not implemented yet")

    def new_buffer(self, op: Operation, buffers: Buffers) -> SSAValue:
        """A buffer for the result."""
        self.check_space(op, buffers)
        alloc = buffers.allocate_tensor(op.results[0], copy=False)
        return buffers.value("bufferization.to_buffer", (alloc,), buffers.type_of(alloc))


class FromElements(_New):
    """Stores of the elements."""

    __slots__ = ()

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        buffer = self.new_buffer(op, buffers)
        shape = ranked_type(op.results[0]).get_shape()
        numbers = [index_constant(buffers, i) for i in range(max(shape, default=0))]
        for at, element in enumerate(op.operands):
            indices: list[SSAValue] = []
            for size in reversed(shape):
                at, index = divmod(at, size)
                indices.append(numbers[index])
            buffers.create("memref.store", (element, buffer, *reversed(indices)))
        buffers.replace_by(op, [buffer])


def _map(
    buffers: Buffers, target: SSAValue, body: Region | None, value: SSAValue | None = None
) -> SSAValue:
    """A linalg.map that computes each element of `target` by `body` from its indices, or is
    `value` everywhere."""
    kind = ranked_type(target)
    block = Block(arg_types=[kind.element_type])
    made = buffers.create("linalg.map", [target], [kind], regions=[Region(block)])
    with buffers.inside(block):
        if body is not None:
            indices = [
                buffers.value("linalg.index", (), _INDEX, {"dim": IntegerAttr(dim, 64)})
                for dim in range(len(kind.get_shape()))
            ]
            value = _move_body(body.block, block, indices)
        assert value is not None
        buffers.at_end(block)
        buffers.create("linalg.yield", [value])
    return made.results[0]


def _move_body(source: Block, target: Block, arguments: Sequence[SSAValue]) -> SSAValue:
    """Moves a body without its `tensor.yield`; gives what that yields."""
    for argument, value in zip(source.args, arguments, strict=True):
        argument.replace_all_uses_with(value)
    for op in list(source.ops):
        op.detach()
        if op.name == "tensor.yield":
            value = op.operands[0]
            op.erase()
            return value
        target.add_op(op)
    raise ValueError("a body without a yield")


class Generate(_New):
    """A map that computes each element from its indices."""

    __slots__ = ()

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        self.check_space(op, buffers)
        target = buffers.allocate_tensor(op.results[0], copy=False)
        buffers.replace(op, [_map(buffers, target, op.regions[0])])


class Splat(_New):
    """A map that is one value everywhere."""

    __slots__ = ()

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        self.check_space(op, buffers)
        target = buffers.allocate_tensor(op.results[0], copy=False)
        buffers.replace(op, [_map(buffers, target, None, op.operands[0])])


class Pad(_New):
    """A new buffer that is filled, with the source inserted."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value.owner, Operation)
        space = buffers.type_of(value.owner.operands[0], stack).memory_space
        return identity_buffer(tensor_type(value), space)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source, kind = op.operands[0], ranked_type(op.results[0])
        low = mixed(op, "low", 1)
        high = mixed(op, "high", 1 + segments(op)[1])
        total = ap.affine.add(ap.affine.add(ap.symbol(0), ap.symbol(1)), ap.symbol(2))
        sizes: list[SSAValue] = []
        for dim, size in enumerate(kind.get_shape()):
            if size == DYNAMIC_INDEX:
                parts: list[Mixed] = [size_of(buffers, source, dim), low[dim], high[dim]]
                sizes.append(as_value(buffers, apply(buffers, total, parts)))
        space = buffers.type_of(op.results[0]).memory_space
        properties = None if isinstance(space, NoneAttr) else {"memory_space": space}
        target = buffers.value("bufferization.alloc_tensor", (sizes, [], []), kind, properties)
        filled = _map(buffers, target, op.regions[0])
        extents: list[Mixed] = [size_of(buffers, source, d) for d in range(len(low))]
        ones: list[Mixed] = [1] * len(low)
        buffers.replace(op, [insert_slice(buffers, source, filled, (low, extents, ones))])


class Concat(_New):
    """A new buffer, with the operands copied one behind another."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        self.check_space(op, buffers)
        kind = ranked_type(op.results[0])
        alloc = buffers.allocate_tensor(op.results[0], copy=False)
        target = buffers.value(
            "bufferization.to_buffer", (alloc,), identity_buffer(kind, NoneAttr())
        )
        dim = op.properties["dim"]
        assert isinstance(dim, IntegerAttr)
        along: int = dim.value.data
        sizes: list[Mixed] = [size_of(buffers, target, i) for i in range(len(kind.get_shape()))]
        dynamic = kind.get_shape()[along] == DYNAMIC_INDEX
        offset: Mixed = index_constant(buffers, 0) if dynamic else 0
        for operand in op.operands:
            source = buffers.of(operand)
            size: Mixed = ranked_buffer_type(source).get_shape()[along]
            if dynamic:
                size = buffers.value("memref.dim", (source, index_constant(buffers, along)), _INDEX)
            sizes[along] = size
            offsets: list[Mixed] = [offset if i == along else 0 for i in range(len(sizes))]
            shape = ranked_type(operand).get_shape()
            ones: list[Mixed] = [1] * len(sizes)
            buffers.copy(
                source, create_subview(buffers, target, (offsets, list(sizes), ones), shape)
            )
            if isinstance(offset, int) and isinstance(size, int):
                offset += size
            else:
                offset = buffers.value("arith.addi", (offset, size), _INDEX)
        buffers.replace_by(op, [target])


class Reshape(Model):
    """A view of a packed buffer; another one is copied."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return use.at == 1

    def aliases(self, use: Operand, state: State) -> Sequence[tensor_views.Alias]:
        return (tensor_views.Alias(use.op.results[0], True),) if use.at == 0 else ()

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value.owner, Operation)
        space = buffers.type_of(value.owner.operands[0], stack).memory_space
        return identity_buffer(tensor_type(value), space)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source, shape = buffers.of(op.operands[0]), buffers.of(op.operands[1])
        kind = buffers.type_of(op.results[0])
        if isinstance(source.type, MemRefType) and not tensor_views.is_packed(source.type):
            source = tensor_views.packed_copy(buffers, op.operands[0], source.type.memory_space)
        buffers.replace_by(op, [buffers.value("memref.reshape", (source, shape), kind)])


MODELS: dict[str, Model] = {
    **tensor_views.MODELS,
    "tensor.concat": Concat(),
    "tensor.dim": Dim(),
    "tensor.empty": Empty(),
    "tensor.extract": Extract(),
    "tensor.from_elements": FromElements(),
    "tensor.generate": Generate(),
    "tensor.insert": Insert(),
    "tensor.pad": Pad(),
    "tensor.rank": Dim(),
    "tensor.reshape": Reshape(),
    "tensor.splat": Splat(),
}
