# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of functions and calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    AffineMapAttr,
    BoolAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xgpu.core.ir.affine import is_identity
from xgpu.core.ir.calls import has_body
from xgpu.core.ir.errors import error, op_error
from xgpu.transforms.bufferization.one_shot.buffers import (
    LAYOUT,
    WRITABLE,
    Buffers,
    Facts,
    State,
    argument_attribute,
    callee,
    function_type,
    returns_of,
)
from xgpu.transforms.bufferization.one_shot.control_flow_models import (
    branch_sources,
    branch_type,
    bufferize_arguments,
)
from xgpu.transforms.bufferization.one_shot.model import Model, Unknown
from xgpu.transforms.bufferization.one_shot.options import Buffer, is_tensor
from xgpu.transforms.bufferization.one_shot.values import (
    Alias,
    Operand,
    Source,
    owner_of,
)

if TYPE_CHECKING:
    from xgpu.transforms.bufferization.one_shot.options import Tensor


# --- func ----------------------------------------------------------------------------------------
# Bufferization of functions and calls.


_UNKNOWN = Unknown()


def _as_tensor_type(kind: Attribute) -> Tensor:
    assert isinstance(kind, TensorType | UnrankedTensorType)
    return kind


def _argument_type(function: Operation, index: int, kind: Tensor, buffers: Buffers) -> Buffer:
    """The type of a function's argument; an attribute may state the layout."""
    buffers.space_of(kind, function)
    found = buffers.options.boundary_buffer(kind)
    layout = argument_attribute(function, index, LAYOUT)
    if not isinstance(layout, AffineMapAttr | StridedLayoutAttr):
        return found
    assert isinstance(found, MemRefType)
    if isinstance(layout, AffineMapAttr) and is_identity(layout.data):
        layout = NoneAttr()  # as the type is written in text
    return MemRefType(found.element_type, found.shape, layout, found.memory_space)


class Call(Model):
    """Does to its operands what the callee does to its arguments."""

    __slots__ = ()

    def _facts(self, op: Operation, state: State) -> Facts | None:
        return None if state.functions is None else state.functions.of(op)

    def reads(self, use: Operand, state: State) -> bool:
        facts = self._facts(use.op, state)
        return facts is None or use.at in facts.read

    def writes(self, use: Operand, state: State) -> bool:
        facts = self._facts(use.op, state)
        return facts is None or use.at in facts.written

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        facts = self._facts(use.op, state)
        if facts is None:
            return _UNKNOWN.aliases(use, state)
        results = facts.aliases.get(use.at, ())
        same = len(results) == 1 and facts.equivalent.get(results[0]) == use.at
        return [Alias(use.op.results[index], same, same) for index in results]

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value, OpResult)
        function = _called(value.op)
        kind = function_type(function).outputs.data[value.index]
        if isinstance(kind, MemRefType | UnrankedMemRefType):
            return kind
        buffers.space_of(_as_tensor_type(kind), function)
        return buffers.options.boundary_buffer(_as_tensor_type(kind))

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        function = _called(op)
        types = [buffers.type_of(r) if is_tensor(r.type) else r.type for r in op.results]
        operands: list[SSAValue] = []
        for index, value in enumerate(op.operands):
            if not is_tensor(value.type):
                operands.append(value)
                continue
            buffer = buffers.of(value)
            wanted = function_type(function).inputs.data[index]
            if is_tensor(wanted):
                wanted = _argument_type(function, index, _as_tensor_type(wanted), buffers)
            operands.append(_fitting(op, buffer, wanted, buffers))
        new = buffers.create(op.name, operands, types, op.properties, op.attributes)
        buffers.replace_by(op, new.results)


def _called(op: Operation) -> Operation:
    function = callee(op)
    if function is None:
        raise error(op, "expected CallOp to a FuncOp")
    return function


def _fitting(op: Operation, buffer: SSAValue, wanted: Attribute, buffers: Buffers) -> SSAValue:
    if buffer.type == wanted:
        return buffer
    new = buffers.cast_or_copy(buffer, wanted) if isinstance(wanted, MemRefType) else None
    if new is None:
        raise error(op, "failed to bufferize op")
    return new


class Return(Model):
    """Bufferized with the function."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        """Nothing to do."""


class Function(Model):
    """Buffers as arguments and results."""

    __slots__ = ()

    several_blocks = True

    def has_tensors(self, op: Operation) -> bool:
        kind = function_type(op)
        return any(map(is_tensor, [*kind.inputs.data, *kind.outputs.data])) or any(
            is_tensor(argument.type) for block in op.regions[0].blocks for argument in block.args
        )

    def sources(self, value: SSAValue, state: State) -> Sequence[Source]:
        return branch_sources(value)

    def is_writable(self, value: SSAValue, state: State) -> bool:
        assert isinstance(value, BlockArgument)
        op = owner_of(value)
        if value.block is not op.regions[0].first_block:
            return True
        stated = argument_attribute(op, value.index, WRITABLE)
        return not isinstance(stated, IntegerAttr) or stated != BoolAttr.from_bool(False)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value, BlockArgument)
        op = owner_of(value)
        if value.block is op.regions[0].first_block:
            return _argument_type(op, value.index, _as_tensor_type(value.type), buffers)
        return branch_type(value, buffers, stack)

    def verify(self, op: Operation, state: State) -> None:
        if has_body(op) and not returns_of(op):
            raise op_error(op, "op without unique func.return is not supported")

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        kind = function_type(op)
        inputs = [
            _argument_type(op, i, _as_tensor_type(k), buffers) if is_tensor(k) else k
            for i, k in enumerate(kind.inputs.data)
        ]
        outputs: list[Attribute] = []
        for output in kind.outputs.data:
            if is_tensor(output):
                buffers.space_of(_as_tensor_type(output), op)
                output = buffers.options.boundary_buffer(_as_tensor_type(output))
            outputs.append(output)
        if has_body(op):
            for block in op.regions[0].blocks:
                bufferize_arguments(block, buffers)
            for end in returns_of(op):
                self._bufferize_return(end, outputs, buffers)
        op.properties["function_type"] = FunctionType.from_lists(inputs, outputs)

    def _bufferize_return(
        self, op: Operation, types: Sequence[Attribute], buffers: Buffers
    ) -> None:
        buffers.before(op)
        for index, (value, kind) in enumerate(zip(list(op.operands), types, strict=True)):
            if is_tensor(value.type):
                op.operands[index] = buffers.value("bufferization.to_buffer", (value,), kind)


MODELS: dict[str, Model] = {
    "func.call": Call(),
    "func.func": Function(),
    "func.return": Return(),
}
