# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of the arith, linalg and vector dialects."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import attribute_of
from xgpu.core.ir.symbols import SymbolTable
from xgpu.dialects.linalg import ops
from xgpu.dialects.linalg.ops import OPS
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State, buffer_type
from xgpu.transforms.bufferization.one_shot.model import Destination, Model
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    dynamic_buffer,
    identity_buffer,
    is_buffer,
    is_tensor,
    ranked_type,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand, Source
from xgpu.transforms.vector.transfers import Transfer

# --- arith ---------------------------------------------------------------------------------------
# Bufferization of the arith dialect: constants, selections, casts between index and integer.


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


# --- linalg --------------------------------------------------------------------------------------
# Bufferization of structured operations: the same operation on buffers.


def on_buffers(op: Operation, buffers: Buffers, inits: Sequence[int]) -> None:
    """Replaces an operation whose results are written over `inits` by itself on buffers."""
    if not any(is_tensor(value.type) for value in op.operands):
        return
    if any(is_buffer(value.type) for value in op.operands):
        raise error(op, "op does not have pure tensor semantics")
    operands = buffers.of_all(op.operands)
    regions = [Region() for _ in op.regions]
    for old, new in zip(op.regions, regions, strict=True):
        old.move_blocks(new)
    created = buffers.create(op.name, operands, (), op.properties, op.attributes, regions)
    buffers.replace_by(op, [created.operands[index] for index in inits])


class Structured(Destination):
    """A structured operation reads what its body uses."""

    __slots__ = ()

    def inits(self, op: Operation) -> Sequence[int]:
        count = len(op.operands)
        return range(count - len(ops.outputs(op)), count)

    def reads(self, use: Operand, state: State) -> bool:
        block = use.op.regions[0].first_block
        return block is not None and block.args[use.at].first_use is not None

    def is_elementwise(self, op: Operation, uses: Sequence[Operand], state: State) -> bool:
        if any(kind != ops.PARALLEL for kind in ops.iterator_types(op)):
            return False
        maps = ops.indexing_maps(op)
        return all(
            maps[use.at] == ops.select(maps[use.at].num_dims, range(maps[0].num_dims))
            for use in uses
            if ops.shape_of(use.value) is not None
        )

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        on_buffers(op, buffers, self.inits(op))


class Softmax(Structured):
    """Reads its input only."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return use.at == 0

    def is_elementwise(self, op: Operation, uses: Sequence[Operand], state: State) -> bool:
        return False


_STRUCTURED = Structured()
_OTHERS = (
    "broadcast",
    "contract",
    "elementwise",
    "generic",
    "map",
    "reduce",
    "transpose",
)


# --- vector --------------------------------------------------------------------------------------
# Bufferization of what moves vectors from and to tensors.


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
    "arith.constant": Constant(),
    "arith.index_cast": IndexCast(),
    "arith.select": Select(),
    **dict.fromkeys([*OPS, *ops.MATMULS, *(f"linalg.{n}" for n in _OTHERS)], _STRUCTURED),
    "linalg.softmax": Softmax(),
    "vector.gather": Read(),
    "vector.mask": Mask(),
    "vector.scatter": Scatter(),
    "vector.transfer_read": Read(),
    "vector.transfer_write": Write(),
    "vector.yield": MaskYield(),
}
