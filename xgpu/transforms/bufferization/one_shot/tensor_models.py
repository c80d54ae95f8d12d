# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of the tensor and bufferization dialects: elements, sizes, views, new tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import apply, as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.memref.verify_views import collapsed_type, expanded_type, infer_subview
from xgpu.dialects.memref_layout import (
    Known,
    has_identity_layout,
    static,
    strided_type,
    strides_and_offset,
    times,
)
from xgpu.dialects.reshapes import Groups, groups_of, kept_dimensions
from xgpu.transforms.bufferization.one_shot.buffers import (
    Buffers,
    State,
    buffer_type,
    ranked_buffer_type,
)
from xgpu.transforms.bufferization.one_shot.model import Destination, Model
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    dynamic_buffer,
    identity_buffer,
    is_tensor,
    ranked_type,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand
from xgpu.transforms.fold_tensor_subset_ops import Slice
from xgpu.transforms.memref.result_sizes import mixed, segments, size_of

if TYPE_CHECKING:
    from xgpu.dialects import bufferization


# --- tensor views --------------------------------------------------------------------------------
# Bufferization of operations of the tensor dialect that become views: casts, slices, shapes.


#: Offsets, sizes and strides.
Place = tuple[list[Mixed], list[Mixed], list[Mixed]]


def is_packed(kind: MemRefType[Attribute]) -> bool:
    return has_identity_layout(kind)


def packed_copy(buffers: Buffers, tensor: SSAValue, space: Attribute) -> SSAValue:
    """A packed buffer with the contents of a tensor."""
    copy = buffers.allocate_tensor(tensor)
    kind = identity_buffer(ranked_type(tensor), space)
    return buffers.value("bufferization.to_buffer", (copy,), kind)


def _defining(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner


# --- slices ------------------------------------------------------------------------------------
def _number(item: Mixed) -> int | None:
    return item if isinstance(item, int) else None


def subview_type(source: Buffer, place: Place, shape: Sequence[int]) -> MemRefType[Attribute]:
    """The type of the part of `source` at `place`, of which `shape` leaves out some 1s."""
    offsets, sizes, strides = ([_number(item) for item in part] for part in place)
    full = infer_subview(source, offsets, sizes, strides)
    assert full is not None
    if len(shape) == len(full.get_shape()):
        return full
    kept = kept_dimensions(place[1], shape)
    found = strides_and_offset(full)
    assert found is not None
    return strided_type(full, list(shape), [found[0][dim] for dim in kept], found[1])


def _parts(place: Place) -> tuple[list[list[SSAValue]], dict[str, Attribute]]:
    """Operand groups, and the properties with the numbers."""
    groups: list[list[SSAValue]] = []
    properties: dict[str, Attribute] = {}
    for name, items in zip(("offsets", "sizes", "strides"), place, strict=True):
        groups.append([item for item in items if not isinstance(item, int)])
        numbers = [item if isinstance(item, int) else DYNAMIC_INDEX for item in items]
        properties[f"static_{name}"] = DenseArrayBase.from_list(i64, numbers)
    return groups, properties


def create_subview(
    buffers: Buffers, source: SSAValue, place: Place, shape: Sequence[int]
) -> SSAValue:
    """The part of a buffer at `place`, as a buffer of `shape`."""
    kind = subview_type(ranked_buffer_type(source), place, shape)
    groups, properties = _parts(place)
    return buffers.value("memref.subview", [[source], *groups], kind, properties)


def insert_slice(buffers: Buffers, source: SSAValue, target: SSAValue, place: Place) -> SSAValue:
    groups, properties = _parts(place)
    return buffers.value("tensor.insert_slice", [source, target, *groups], target.type, properties)


def _place(op: Operation) -> Place:
    part = Slice(op)
    return part.offsets, part.sizes, part.strides


class ExtractSlice(Model):
    """A subview."""

    __slots__ = ()

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], False),)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = _defining(value)
        source = buffers.type_of(op.operands[0], stack)
        return subview_type(source, _place(op), ranked_type(value).get_shape())

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source = buffers.of(op.operands[0])
        shape = ranked_type(op.results[0]).get_shape()
        buffers.replace_by(op, [create_subview(buffers, source, _place(op), shape)])


class InsertSlice(Model):
    """A copy to a subview, which folds where the source is that subview."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return use.at == 0 or not _covers(use.op)

    def writes(self, use: Operand, state: State) -> bool:
        return use.at == 1

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], True),) if use.at == 1 else ()

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        target = buffers.of(op.operands[1])
        shape = ranked_type(op.operands[0]).get_shape()
        part = create_subview(buffers, target, _place(op), shape)
        buffers.copy(buffers.of(op.operands[0]), part)
        buffers.replace_by(op, [target])


def _covers(op: Operation) -> bool:
    """Whether an insertion overwrites all of the destination."""
    offsets, sizes, strides = _place(op)
    shape = ranked_type(op.operands[1]).get_shape()

    def known(item: Mixed) -> int | None:
        return item if isinstance(item, int) else int_of(item)

    return (
        all(known(offset) == 0 for offset in offsets)
        and all(known(size) == n for size, n in zip(sizes, shape, strict=True))
        and all(known(stride) == 1 for stride in strides)
    )


class ParallelInsertSlice(Model):
    """The same in a parallel loop: the copy stands before the loop's terminator."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return use.at == 0

    def writes(self, use: Operand, state: State) -> bool:
        return use.at == 1

    def resolve(self, op: Operation, buffers: Buffers, state: State) -> None:
        """The destination is the loop's own."""

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        end = op.parent_op()
        assert end is not None
        buffers.before(end)
        target = buffers.of(op.operands[1])
        source = buffers.of(op.operands[0])
        shape = ranked_type(op.operands[0]).get_shape()
        buffers.copy(source, create_subview(buffers, target, _place(op), shape))
        buffers.erase(op)


# --- shapes ------------------------------------------------------------------------------------
class Cast(Model):
    """The same cast of the buffer."""

    __slots__ = ()

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], True),)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        operand, kind = _defining(value).operands[0], tensor_type(value)
        source = buffers.type_of(operand, stack)
        if isinstance(operand.type, UnrankedTensorType) or isinstance(kind, UnrankedTensorType):
            return dynamic_buffer(kind, source.memory_space)
        assert isinstance(source, MemRefType)
        return MemRefType(kind.element_type, kind.shape, source.layout, source.memory_space)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source = buffers.of(op.operands[0])
        buffers.replace_by(op, [buffers.cast(source, buffers.type_of(op.results[0]))])


class ExpandShape(Model):
    """A view with more dimensions, which there always is."""

    __slots__ = ()

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], True),) if use.at == 0 else ()

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = _defining(value)
        return self._type(op, buffers.type_of(op.operands[0], stack))

    def _type(self, op: Operation, source: Buffer) -> Buffer:
        shape = ranked_type(op.results[0]).get_shape()
        kind = expanded_type(cast("MemRefType", source), shape, groups_of(op))
        if kind is None:
            raise error(op, "failed to bufferize op")
        return kind

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source = buffers.of(op.operands[0])
        kind = self._type(op, ranked_buffer_type(source))
        made = buffers.value("memref.expand_shape", (source, *op.operands[1:]), kind, op.properties)
        buffers.replace_by(op, [made])


class CollapseShape(Model):
    """A view with fewer dimensions, or a copy where those that become one are not contiguous."""

    __slots__ = ()

    def reads(self, use: Operand, state: State) -> bool:
        return True

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], False),)

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        op = _defining(value)
        source = buffers.type_of(op.operands[0], stack)
        if isinstance(source, UnrankedMemRefType) or not _is_collapsible(source, groups_of(op)):
            return identity_buffer(ranked_type(value), source.memory_space)
        kind = collapsed_type(source, groups_of(op))
        assert kind is not None
        return kind

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source, groups = buffers.of(op.operands[0]), groups_of(op)
        given = ranked_buffer_type(source)
        if not _is_collapsible(given, groups):
            source = packed_copy(buffers, op.operands[0], given.memory_space)
        kind = collapsed_type(ranked_buffer_type(source), groups)
        assert kind is not None
        made = buffers.value("memref.collapse_shape", (source,), kind, op.properties)
        buffers.replace_by(op, [made])


def _is_collapsible(kind: MemRefType[Attribute], groups: Groups) -> bool:
    """Whether the dimensions of each group are known to be contiguous."""
    if has_identity_layout(kind):
        return True
    found = strides_and_offset(kind)
    if found is None:
        return False
    strides, shape = found[0], kind.get_shape()
    for group in groups:
        kept = list(group)
        while len(kept) > 1 and shape[kept[-1]] == 1:
            kept.pop()
        certain = shape[kept[-1]] != DYNAMIC_INDEX or len(kept) == 1
        stride: Known = strides[kept[-1]] if certain else None
        for dim in reversed(group[1:]):
            stride = times(stride, static(shape[dim]))
            if shape[dim - 1] != 1 and (stride is None or stride != strides[dim - 1]):
                return False
    return True


# --- tensor --------------------------------------------------------------------------------------
# Bufferization of the tensor dialect: elements, sizes, and tensors that are made.


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
    block = block_with([kind.element_type], buffers.location)
    made = buffers.create("linalg.map", [target], [kind], regions=[Region(block)])
    with buffers.inside(block):
        if body is not None:
            indices = [
                buffers.value("linalg.index", (), _INDEX, {"dim": IntegerAttr(dim, 64)})
                for dim in range(len(kind.get_shape()))
            ]
            end = body.block.last_op
            assert end is not None
            location = end.location
            value = _move_body(body.block, block, indices)
        else:
            location = buffers.location
        assert value is not None
        buffers.at_end(block)
        with buffers.located(location):
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

    def aliases(self, use: Operand, state: State) -> Sequence[Alias]:
        return (Alias(use.op.results[0], True),) if use.at == 0 else ()

    def buffer_type(self, value: SSAValue, buffers: Buffers, stack: list[SSAValue]) -> Buffer:
        assert isinstance(value.owner, Operation)
        space = buffers.type_of(value.owner.operands[0], stack).memory_space
        return identity_buffer(tensor_type(value), space)

    def bufferize(self, op: Operation, buffers: Buffers) -> None:
        source, shape = buffers.of(op.operands[0]), buffers.of(op.operands[1])
        kind = buffers.type_of(op.results[0])
        if isinstance(source.type, MemRefType) and not is_packed(source.type):
            source = packed_copy(buffers, op.operands[0], source.type.memory_space)
        buffers.replace_by(op, [buffers.value("memref.reshape", (source, shape), kind)])


# --- bufferization -------------------------------------------------------------------------------
# Bufferization of the bufferization dialect itself.


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
    """A buffer that an operation gets which is not analyzed."""

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
        """Goes when nothing wants the tensor any more."""


MODELS: dict[str, Model] = {
    "tensor.cast": Cast(),
    "tensor.collapse_shape": CollapseShape(),
    "tensor.expand_shape": ExpandShape(),
    "tensor.extract_slice": ExtractSlice(),
    "tensor.insert_slice": InsertSlice(),
    "tensor.parallel_insert_slice": ParallelInsertSlice(),
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
    "bufferization.alloc_tensor": AllocTensor(),
    "bufferization.dealloc_tensor": DeallocTensor(),
    "bufferization.materialize_in_destination": MaterializeInDestination(),
    "bufferization.to_buffer": ToBuffer(),
    "bufferization.to_tensor": ToTensor(),
}
