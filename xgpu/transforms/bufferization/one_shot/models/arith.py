# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of the arith dialect: constants, selections, casts between index and integer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.inherent import attribute_of
from xgpu.core.ir.symbols import SymbolTable
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State, buffer_type
from xgpu.transforms.bufferization.one_shot.model import Model
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    dynamic_buffer,
    identity_buffer,
    is_tensor,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand


class Constant(Model):
    """A global, which must not be written."""

    __slots__ = ()

    def is_writable(self, value: SSAValue, state: State) -> bool:
        return False

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        kind = op.results[0].type
        if not isinstance(kind, TensorType):
            return
        space = buffers.space_of(kind, op)
        found = _global(op, identity_buffer(kind, space), buffers.options.buffer_alignment)
        name = attribute_of(found, "sym_name")
        assert isinstance(name, StringAttr)
        buffer = buffers.value(
            "memref.get_global", (), found.properties["type"], {"name": SymbolRefAttr(name)}
        )
        buffers.replace_by(op, [buffer])


def _global(op: Operation, kind: Buffer, alignment: int) -> Operation:
    """The global with the constant's contents; a new one at the module's start if there is none."""
    module = op.parent_op()
    while module is not None and module.name != "builtin.module":
        module = module.parent_op()
    if module is None:
        raise op_error(op, "could not find parent module")
    contents = op.properties["value"]
    for other in module.regions[0].block.ops:
        if other.name == "memref.global" and other.properties.get("initial_value") == contents:
            given = other.properties.get("alignment")
            if (given.value.data if isinstance(given, IntegerAttr) else 0) == alignment:
                return other
    sizes = [str(size) for size in kind.get_shape()] if isinstance(kind, MemRefType) else []
    words = f"{'x'.join(sizes)}x{shown(kind.element_type)}"  # as MLIR: xf32 of a scalar
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(f"__constant_{words}"),
        "sym_visibility": StringAttr("private"),
        "type": kind,
        "initial_value": contents,
        "constant": UnitAttr(),
    }
    if alignment:
        properties["alignment"] = IntegerAttr(alignment, i64)
    new = ods.create("memref.global", (), (), properties, None, (), (), op.location)
    SymbolTable(module).insert(new, module.regions[0].block.first_op)
    return new


class IndexCast(Model):
    """The same cast of buffers, which has their layout."""

    __slots__ = ()

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], True),)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value.owner, Operation)
        source = buffers.type_of(value.owner.operands[0], stack)
        element = tensor_type(value).element_type
        if isinstance(source, UnrankedMemRefType):
            return UnrankedMemRefType(element, source.memory_space)
        return MemRefType(element, source.shape, source.layout, source.memory_space)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source = buffers.of(op.operands[0])
        kind = self.buffer_type(op.results[0], buffers, [])
        buffers.replace_by(op, [buffers.value(op.name, (source,), kind)])


class Select(Model):
    """A selection of buffers: one or the other."""

    __slots__ = ()

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], True, False),)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = value.owner
        assert isinstance(op, Operation)
        first = buffers.type_of(op.operands[1], stack)
        second = buffers.type_of(op.operands[2], stack)
        if first == second:
            return first
        if first.memory_space != second.memory_space:
            raise error(op, "inconsistent memory space on true/false operands")
        return dynamic_buffer(tensor_type(value), first.memory_space)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        if not is_tensor(op.results[0].type):
            return
        if shown(op.operands[0].type) != "i1":
            raise op_error(op, "only i1 condition values are supported")
        values = buffers.of_all(op.operands[1:])
        if values[0].type != values[1].type:
            kind = buffers.type_of(op.results[0])
            values = [buffers.cast(value, kind) for value in values]
        kind = buffer_type(values[0])
        buffers.replace_by(op, [buffers.value(op.name, (op.operands[0], *values), kind)])


MODELS: dict[str, Model] = {
    "arith.constant": Constant(),
    "arith.index_cast": IndexCast(),
    "arith.select": Select(),
}
