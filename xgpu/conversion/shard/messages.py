# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`shard.send`, `recv`, `shift` and `scatter` as messages between ranks of the world.

A process of a group is found by its rank in the world. So no communicator is made: who sends and
who receives may stand in branches that other processes do not take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    StridedLayoutAttr,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.shard.collectives import (
    allocated,
    as_result,
    as_tensor,
    buffer_type,
    check_buffers,
    comm_world,
    copied,
    split_dimension,
    static_grid,
    to_buffer,
)
from xgpu.conversion.shard.halos import linear_rank
from xgpu.core import ods
from xgpu.core.rewriting.driver import Conversion, Rule
from xgpu.core.support.mpi_abi import ANY_SOURCE
from xgpu.dialects.arith.builders import binary, cmpi, constant, index_constant
from xgpu.dialects.arith.builders import cast as cast_value
from xgpu.dialects.memref.verify_views import infer_subview
from xgpu.dialects.mpi.ops import query
from xgpu.dialects.shard.sharding import INDEX, Grid, axes_of, mixed_as_values
from xgpu.dialects.syntax_helpers import i64_array
from xgpu.transforms.scf.builders import for_loop, if_else

Values = Sequence["SSAValue"]
#: Numbers that messages of each operation have, and no others.
_SENT_TAG, _SHIFTED_TAG, _SCATTERED_TAG = 92, 93, 94


def _own_indices(op: Operation, rw: Conversion, grid: Grid) -> list[SSAValue]:
    properties = {"grid": op.properties["grid"]}
    types = [INDEX] * grid.rank
    return list(rw.create("shard.process_multi_index", (), types, properties).results)


def _rank(rw: Conversion, grid: Grid, indices: Values) -> SSAValue:
    """The rank in the world of the process with these indices."""
    sizes = [index_constant(rw, size) for size in grid.shape]
    return cast_value(rw, "index_cast", linear_rank(rw, indices, sizes), i32)


def _named_rank(op: Operation, operands: Values, rw: Conversion, name: str) -> SSAValue:
    """The rank of the process that an attribute names in this process's group."""
    grid = static_grid(op)
    indices = _own_indices(op, rw, grid)
    named = mixed_as_values(rw, axes_of(op, name), operands[1:], INDEX)
    for axis, index in zip(axes_of(op), named, strict=True):
        indices[axis] = index
    return _rank(rw, grid, indices)


def _any_source(op: Operation) -> int:
    named = query(op, "MPI:Implementation")
    name = named.data if isinstance(named, StringAttr) else ""
    return ANY_SOURCE.get(name, ANY_SOURCE["MPICH"])


def lower_send(op: Operation, operands: Values, rw: Conversion) -> Values:
    """send  =>  mpi.send; the result is what is sent"""
    check_buffers(op, buffer_type(op.results[0].type))
    target = _named_rank(op, operands, rw, "destination")
    buffer = to_buffer(rw, operands[0])
    rw.create("mpi.send", [buffer, constant(rw, _SENT_TAG, i32), target, comm_world(rw)])
    return [operands[0]]


def lower_recv(op: Operation, operands: Values, rw: Conversion) -> Values:
    """recv  =>  mpi.recv into a buffer of its own"""
    check_buffers(op, buffer_type(op.results[0].type))
    if "source" in op.properties:
        source = _named_rank(op, operands, rw, "source")
    else:
        source = constant(rw, _any_source(op), i32)
    buffer = allocated(rw, buffer_type(op.results[0].type))
    rw.create("mpi.recv", [buffer, constant(rw, _SENT_TAG, i32), source, comm_world(rw)])
    return [as_result(op, rw, buffer)]


# -- shift


def lower_shift(op: Operation, operands: Values, rw: Conversion) -> Values:
    """shift  =>  mpi.isend to the process `offset` further on, mpi.recv from the one as far back

    Without rotation a process without source gets its own tensor: it may get any.
    """
    grid = static_grid(op)
    check_buffers(op, buffer_type(op.results[0].type))
    axis = cast("IntegerAttr", op.properties["shift_axis"]).value.data
    offset = cast("IntegerAttr", op.properties["offset"]).value.data
    size = grid.shape[axis]
    rotates = "rotate" in op.properties
    offset = offset % size if rotates else offset
    if offset == 0 or abs(offset) >= size:
        return [operands[0]]
    shift = _Shift(op, rw, grid, axis)
    sent = to_buffer(rw, operands[0])
    received = copied(rw, sent, sent.type)
    if rotates:
        target, source = shift.rotated(offset), shift.rotated(size - offset)
        shift.exchange(sent, received, target, source)
        return [as_result(op, rw, received)]
    (target, has_target), (source, has_source) = shift.bounded(offset), shift.bounded(-offset)

    def both() -> Values:
        shift.exchange(sent, received, target, source)
        return ()

    def first() -> Values:
        if_else(rw, has_source, (), both, lambda: shift.send(sent, target))
        return ()

    def last() -> Values:
        if_else(rw, has_source, (), lambda: shift.receive(received, source))
        return ()

    if_else(rw, has_target, (), first, last)
    return [as_result(op, rw, received)]


class _Shift:
    """The messages of one shift."""

    def __init__(self, op: Operation, rw: Conversion, grid: Grid, axis: int) -> None:
        self.rw = rw
        self.grid = grid
        self.axis = axis
        self.indices = _own_indices(op, rw, grid)
        self.size = index_constant(rw, grid.shape[axis])
        self.tag = constant(rw, _SHIFTED_TAG, i32)
        self.comm = comm_world(rw)

    def _at(self, index: SSAValue) -> SSAValue:
        indices = list(self.indices)
        indices[self.axis] = index
        return _rank(self.rw, self.grid, indices)

    def _moved(self, offset: int) -> SSAValue:
        own = self.indices[self.axis]
        return binary(self.rw, "addi", own, index_constant(self.rw, offset))

    def rotated(self, offset: int) -> SSAValue:
        """The rank `offset` (not below 0) further on, from the last one back to the first."""
        return self._at(binary(self.rw, "remsi", self._moved(offset), self.size))

    def bounded(self, offset: int) -> tuple[SSAValue, SSAValue]:
        """The rank `offset` further on, and whether there is one."""
        rw = self.rw
        moved = self._moved(offset)
        is_there = (
            cmpi(rw, "slt", moved, self.size)
            if offset > 0
            else cmpi(rw, "sge", moved, index_constant(rw, 0))
        )
        return self._at(moved), is_there

    def send(self, buffer: SSAValue, target: SSAValue) -> Values:
        self.rw.create("mpi.send", [buffer, self.tag, target, self.comm])
        return ()

    def receive(self, buffer: SSAValue, source: SSAValue) -> Values:
        self.rw.create("mpi.recv", [buffer, self.tag, source, self.comm])
        return ()

    def exchange(
        self, sent: SSAValue, received: SSAValue, target: SSAValue, source: SSAValue
    ) -> None:
        """Sends and receives at once: no process waits for the next one's receive."""
        rw = self.rw
        kind = ods.attr_class("mpi.request")()
        request = rw.value("mpi.isend", [sent, self.tag, target, self.comm], kind)
        self.receive(received, source)
        rw.create("mpi.wait", [request])


# -- scatter


def lower_scatter(op: Operation, operands: Values, rw: Conversion) -> Values:
    """scatter  =>  mpi.send of each part from the root, mpi.recv by the others"""
    grid = static_grid(op)
    axes = axes_of(op)
    check_buffers(op, buffer_type(operands[0].type), buffer_type(op.results[0].type))
    indices = _own_indices(op, rw, grid)
    root = list(indices)
    named = mixed_as_values(rw, axes_of(op, "root"), operands[1:], INDEX)
    for axis, index in zip(axes, named, strict=True):
        root[axis] = index
    count = grid.group_size(axes)
    dimension = cast("IntegerAttr", op.properties["scatter_axis"]).value.data
    parts = to_buffer(rw, split_dimension(rw, as_tensor(rw, operands[0]), dimension, count))
    received = allocated(rw, buffer_type(op.results[0].type))
    own, source = _rank(rw, grid, indices), _rank(rw, grid, root)
    tag, comm = constant(rw, _SCATTERED_TAG, i32), comm_world(rw)

    def send_one(number: SSAValue, _: Values) -> Values:
        target = _rank(rw, grid, _member(rw, grid, axes, indices, number))
        part = _part(rw, parts, number)
        is_own = cmpi(rw, "eq", target, own)
        if_else(rw, is_own, (), lambda: _copy(rw, part, received), lambda: _send(part, target))
        return ()

    def _send(part: SSAValue, target: SSAValue) -> Values:
        rw.create("mpi.send", [part, tag, target, comm])
        return ()

    def send_all() -> Values:
        zero, one = index_constant(rw, 0), index_constant(rw, 1)
        for_loop(rw, zero, index_constant(rw, count), one, (), send_one)
        return ()

    def receive() -> Values:
        rw.create("mpi.recv", [received, tag, source, comm])
        return ()

    if_else(rw, cmpi(rw, "eq", own, source), (), send_all, receive)
    return [as_result(op, rw, received)]


def _copy(rw: Conversion, source: SSAValue, target: SSAValue) -> Values:
    rw.create("memref.copy", [source, target])
    return ()


def _member(
    rw: Conversion, grid: Grid, axes: Sequence[int], indices: Values, number: SSAValue
) -> list[SSAValue]:
    """The indices in the grid of a process, by its number in a group."""
    found = list(indices)
    rest = number
    for axis in reversed(axes):
        size = index_constant(rw, grid.shape[axis])
        found[axis] = binary(rw, "remsi", rest, size)
        rest = binary(rw, "divsi", rest, size)
    return found


def _part(rw: Conversion, parts: SSAValue, number: SSAValue) -> SSAValue:
    """One entry of the first dimension, without that dimension."""
    kind = cast("MemRefType[Attribute]", parts.type)
    shape = list(kind.get_shape())
    rank = len(shape)
    offsets: list[int | None] = [None, *([0] * (rank - 1))]
    sizes = [1, *shape[1:]]
    slice_type = infer_subview(kind, offsets, sizes, [1] * rank)
    assert slice_type is not None  # the parts are contiguous
    one = MemRefType(slice_type.element_type, shape[1:], _without_first(slice_type))
    properties = {
        "static_offsets": i64_array([DYNAMIC_INDEX, *([0] * (rank - 1))]),
        "static_sizes": i64_array(sizes),
        "static_strides": i64_array([1] * rank),
    }
    return rw.value("memref.subview", [[parts], [number], [], []], one, properties)


def _without_first(kind: MemRefType[Attribute]) -> StridedLayoutAttr:
    """The layout of a memref without its first dimension."""
    layout = cast("StridedLayoutAttr", kind.layout)
    return StridedLayoutAttr(layout.strides.data[1:], layout.offset)


RULES: dict[str, Rule] = {
    "shard.recv": lower_recv,
    "shard.scatter": lower_scatter,
    "shard.send": lower_send,
    "shard.shift": lower_shift,
}
