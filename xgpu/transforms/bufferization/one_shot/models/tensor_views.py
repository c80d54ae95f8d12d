# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bufferization of operations of the tensor dialect that become views: casts, slices, shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.memref.layout import (
    Known,
    has_identity_layout,
    static,
    strided_type,
    strides_and_offset,
    times,
)
from xgpu.dialects.memref.verify_views import collapsed_type, expanded_type, infer_subview
from xgpu.dialects.reshapes import Groups, groups_of, kept_dimensions
from xgpu.transforms.bufferization.one_shot.buffers import Buffers, State, ranked_buffer_type
from xgpu.transforms.bufferization.one_shot.model import Model
from xgpu.transforms.bufferization.one_shot.options import (
    Buffer,
    dynamic_buffer,
    identity_buffer,
    ranked_type,
    tensor_type,
)
from xgpu.transforms.bufferization.one_shot.values import Alias, Operand
from xgpu.transforms.tensor.slices import Slice

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


MODELS: dict[str, Model] = {
    "tensor.cast": Cast(),
    "tensor.collapse_shape": CollapseShape(),
    "tensor.expand_shape": ExpandShape(),
    "tensor.extract_slice": ExtractSlice(),
    "tensor.insert_slice": InsertSlice(),
    "tensor.parallel_insert_slice": ParallelInsertSlice(),
}
