# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collectives of shard as those of mpi, on contiguous buffers.

MPI joins and splits along the first dimension. So a tensor is given a first dimension of one part
a process: a dimension is split in two, of which the first moves to the front, and back.

Source: MLIR 22.1 ShardToMPI.cpp; gathering and scattering as in MLIR 23.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    TensorType,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.dialects import shard
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.arith.builders import binary, index_constant
from xgpu.dialects.arith.builders import cast as cast_value
from xgpu.dialects.linalg.bodies import build_region, copying_region
from xgpu.dialects.memref_layout import is_contiguous
from xgpu.dialects.reshapes import reassociation
from xgpu.dialects.shard.sharding import INDEX, Grid, axes_of, grid_of, mixed_as_values
from xgpu.dialects.syntax_helpers import i64_array
from xgpu.transforms.shard.lowering import all_slice
from xgpu.transforms.shard.partitioning import linear_index

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Conversion, Rule

Values = Sequence["SSAValue"]

#: MPI's operation for each kind of reduction.
_REDUCTIONS = {
    "sum": "MPI_SUM",
    "product": "MPI_PROD",
    "min": "MPI_MIN",
    "max": "MPI_MAX",
    "bitwise_and": "MPI_BAND",
    "bitwise_or": "MPI_BOR",
    "bitwise_xor": "MPI_BXOR",
}
_NUMBERS = {
    name: number
    for number, name in enumerate(
        (
            *("MPI_OP_NULL", "MPI_MAX", "MPI_MIN", "MPI_SUM", "MPI_PROD", "MPI_LAND", "MPI_BAND"),
            *("MPI_LOR", "MPI_BOR", "MPI_LXOR", "MPI_BXOR"),
        )
    )
}


# -- Communicators.


def comm_world(rw: Conversion) -> SSAValue:
    return rw.value("mpi.comm_world", (), ods.attr_class("mpi.comm")())


def static_grid(op: Operation) -> Grid:
    """The grid of an operation, whose shape must be known."""
    grid = grid_of(op)
    if not grid.is_static:
        raise error(op, "Dynamic grid shape not supported.")
    return grid


def _communicator(op: Operation, rw: Conversion, grid: Grid, axes: Sequence[int]) -> SSAValue:
    """Of the processes along some axes, in the order of their indices along them."""
    if list(axes) == list(range(grid.rank)):
        return comm_world(rw)
    types = [INDEX] * grid.rank
    properties = {"grid": op.properties["grid"]}
    indices = rw.create("shard.process_multi_index", (), types, properties).results

    def place(along: Sequence[int]) -> SSAValue:
        sizes = [grid.shape[axis] for axis in along]
        index = linear_index(rw, [indices[axis] for axis in along], sizes)
        return cast_value(rw, "index_cast", as_value(rw, index), i32)

    others = [axis for axis in range(grid.rank) if axis not in axes]
    color, key = place(others), place(axes)
    world = comm_world(rw)
    return rw.value("mpi.comm_split", [world, color, key], world.type)


# -- Buffers and tensors.


def buffer_type(kind: Attribute) -> MemRefType[Attribute]:
    shaped = cast("TensorType[Attribute]", kind)
    return MemRefType(shaped.element_type, shaped.shape)


def to_buffer(rw: Conversion, value: SSAValue) -> SSAValue:
    """A value's elements in memory."""
    if isinstance(value.type, MemRefType):
        return value
    return rw.value("bufferization.to_buffer", [value], buffer_type(value.type))


def to_tensor(rw: Conversion, buffer: SSAValue, *, writable: bool = False) -> SSAValue:
    """The tensor that a buffer of its own holds."""
    shaped = cast("MemRefType[Attribute]", buffer.type)
    properties = {"restrict": UnitAttr(), **({"writable": UnitAttr()} if writable else {})}
    kind = TensorType(shaped.element_type, shaped.shape)
    return rw.value("bufferization.to_tensor", [buffer], kind, properties)


def as_tensor(rw: Conversion, value: SSAValue) -> SSAValue:
    return to_tensor(rw, value) if isinstance(value.type, MemRefType) else value


def as_result(op: Operation, rw: Conversion, buffer: SSAValue) -> SSAValue:
    return to_tensor(rw, buffer) if isinstance(op.results[0].type, TensorType) else buffer


def allocated(rw: Conversion, kind: Attribute) -> SSAValue:
    return rw.value("memref.alloc", [[], []], kind)


def copied(rw: Conversion, source: SSAValue, kind: Attribute) -> SSAValue:
    """A copy in memory of its own, whose elements may have another type."""
    buffer = allocated(rw, kind)
    region = build_region("linalg.copy", [source, buffer], {}, 1, rw.location)
    rw.create("linalg.copy", [[source], [buffer]], (), regions=[region])
    return buffer


def check_buffers(op: Operation, *kinds: Attribute) -> None:
    for kind in kinds:
        shaped = cast("MemRefType[Attribute]", kind)
        if not shaped.has_static_shape() or not is_contiguous(shaped):
            raise error(op, "Expected static shaped memref in contiguous row-major layout.")


def _shape(value: SSAValue) -> Sequence[int]:
    return cast("TensorType[Attribute]", value.type).get_shape()


def _flat(rw: Conversion, buffer: SSAValue) -> SSAValue:
    """A buffer in one dimension."""
    kind = cast("MemRefType[Attribute]", buffer.type)
    rank = len(kind.get_shape())
    if rank <= 1:
        return buffer
    count = 1
    for extent in kind.get_shape():
        count *= extent
    properties = {"reassociation": reassociation([list(range(rank))])}
    flat = MemRefType(kind.element_type, [count])
    return rw.value("memref.collapse_shape", [buffer], flat, properties)


# -- One part a process, in the first dimension.


def split_dimension(rw: Conversion, tensor: SSAValue, dimension: int, count: int) -> SSAValue:
    """`count` parts of a dimension in a new first one."""
    shape = list(_shape(tensor))
    split = [*shape[:dimension], count, shape[dimension] // count, *shape[dimension + 1 :]]
    groups = [
        [at + (at > dimension)] if at != dimension else [at, at + 1] for at in range(len(shape))
    ]
    properties = {
        "reassociation": reassociation(groups),
        "static_output_shape": i64_array(split),
    }
    kind = TensorType(cast("TensorType[Attribute]", tensor.type).element_type, split)
    expanded = rw.value("tensor.expand_shape", [tensor], kind, properties)
    order = [dimension, *(at for at in range(len(split)) if at != dimension)]
    return _transposed(rw, expanded, order)


def _joined(rw: Conversion, tensor: SSAValue, dimension: int) -> SSAValue:
    """The parts in the first dimension in another one: the other way round."""
    rank = len(_shape(tensor)) - 1
    order = [*range(1, dimension + 1), 0, *range(dimension + 1, rank + 1)]
    moved = _transposed(rw, tensor, order)
    groups = [[at + (at > dimension)] if at != dimension else [at, at + 1] for at in range(rank)]
    shape = list(_shape(moved))
    shape[dimension : dimension + 2] = [shape[dimension] * shape[dimension + 1]]
    kind = TensorType(cast("TensorType[Attribute]", moved.type).element_type, shape)
    properties = {"reassociation": reassociation(groups)}
    return rw.value("tensor.collapse_shape", [moved], kind, properties)


def _transposed(rw: Conversion, tensor: SSAValue, order: Sequence[int]) -> SSAValue:
    if list(order) == sorted(order):
        return tensor
    shape = [_shape(tensor)[at] for at in order]
    kind = TensorType(cast("TensorType[Attribute]", tensor.type).element_type, shape)
    empty = rw.value("tensor.empty", (), kind)
    region = copying_region([tensor, empty], rw.location)
    properties = {"permutation": i64_array(order)}
    return rw.create(
        "linalg.transpose", [tensor, empty], [kind], properties, regions=[region]
    ).results[0]


# -- Rules.


def _reduction(op: Operation) -> dict[str, Attribute]:
    found = op.properties.get("reduction")
    kind = "sum" if found is None else cast("shard.PartialAttr", found).data
    if kind not in _REDUCTIONS:
        raise error(op, f"MPI has no reduction '{kind}'")
    return {"op": IntegerAttr(_NUMBERS[_REDUCTIONS[kind]], i32)}


def _number(op: Operation, name: str) -> int:
    return cast("IntegerAttr", op.properties[name]).value.data


def lower_all_reduce(op: Operation, operands: Values, rw: Conversion) -> Values:
    """all_reduce  =>  mpi.allreduce in place, of a copy"""
    grid = static_grid(op)
    given = to_buffer(rw, operands[0])
    kind = buffer_type(op.results[0].type)
    check_buffers(op, given.type, kind)
    buffer = copied(rw, given, kind)
    comm = _communicator(op, rw, grid, grid.all_axes(axes_of(op)))
    flat = _flat(rw, buffer)
    rw.create("mpi.allreduce", [flat, flat, comm], (), _reduction(op))
    return [as_result(op, rw, buffer)]


def lower_all_gather(op: Operation, operands: Values, rw: Conversion) -> Values:
    """all_gather  =>  mpi.allgather; then the parts move to the dimension that is gathered"""
    grid = static_grid(op)
    axes = grid.all_axes(axes_of(op))
    given = to_buffer(rw, operands[0])
    check_buffers(op, given.type, buffer_type(op.results[0].type))
    comm = _communicator(op, rw, grid, axes)
    shape = [grid.group_size(axes), *_shape(given)]
    buffer = allocated(rw, MemRefType(_element(given), shape))
    rw.create("mpi.allgather", [given, buffer, comm])
    joined = _joined(rw, to_tensor(rw, buffer), _number(op, "gather_axis"))
    return [_cast(op, rw, joined)]


def _element(value: SSAValue) -> Attribute:
    return cast("TensorType[Attribute]", value.type).element_type


def _cast(op: Operation, rw: Conversion, tensor: SSAValue) -> SSAValue:
    """A tensor of the type that the operation gives."""
    kind = op.results[0].type
    return tensor if tensor.type == kind else rw.value("tensor.cast", [tensor], kind)


def lower_reduce_scatter(op: Operation, operands: Values, rw: Conversion) -> Values:
    """reduce_scatter  =>  mpi.reduce_scatter_block of the parts of the dimension"""
    grid = static_grid(op)
    axes = grid.all_axes(axes_of(op))
    kind = buffer_type(op.results[0].type)
    check_buffers(op, buffer_type(operands[0].type), kind)
    parts = split_dimension(
        rw, as_tensor(rw, operands[0]), _number(op, "scatter_axis"), grid.group_size(axes)
    )
    given = to_buffer(rw, parts)
    wanted = MemRefType(kind.element_type, _shape(given))
    given = copied(rw, given, wanted)
    comm = _communicator(op, rw, grid, axes)
    buffer = allocated(rw, kind)
    rw.create("mpi.reduce_scatter_block", [given, buffer, comm], (), _reduction(op))
    return [as_result(op, rw, buffer)]


def lower_all_to_all(op: Operation, operands: Values, rw: Conversion) -> Values:
    """all_to_all  =>  mpi.alltoall of the parts of one dimension, joined in another"""
    grid = static_grid(op)
    axes = grid.all_axes(axes_of(op))
    check_buffers(op, buffer_type(operands[0].type), buffer_type(op.results[0].type))
    parts = split_dimension(rw, operands[0], _number(op, "split_axis"), grid.group_size(axes))
    given = to_buffer(rw, parts)
    comm = _communicator(op, rw, grid, axes)
    buffer = allocated(rw, given.type)
    rw.create("mpi.alltoall", [given, buffer, comm])
    return [_cast(op, rw, _joined(rw, to_tensor(rw, buffer), _number(op, "concat_axis")))]


def _root(op: Operation, operands: Values, rw: Conversion, grid: Grid) -> SSAValue:
    """The index of the root among the processes along the axes."""
    indices = mixed_as_values(rw, axes_of(op, "root"), operands[1:], INDEX)
    total = index_constant(rw, 0)
    for index, axis in zip(indices, axes_of(op), strict=True):
        scaled = binary(rw, "muli", total, index_constant(rw, grid.shape[axis]))
        total = binary(rw, "addi", scaled, index)
    return cast_value(rw, "index_cast", total, i32)


def lower_broadcast(op: Operation, operands: Values, rw: Conversion) -> Values:
    """broadcast  =>  mpi.bcast of a copy"""
    return [as_result(op, rw, _broadcast(op, operands, rw))]


def _broadcast(op: Operation, operands: Values, rw: Conversion) -> SSAValue:
    grid = static_grid(op)
    given = to_buffer(rw, operands[0])
    check_buffers(op, given.type)
    root = _root(op, operands, rw, grid)
    buffer = copied(rw, given, given.type)
    comm = _communicator(op, rw, grid, axes_of(op))
    rw.create("mpi.bcast", [buffer, root, comm])
    return buffer


def lower_all_slice(op: Operation, operands: Values, rw: Conversion) -> Values:
    return [all_slice(op, operands[0], rw)]


RULES: dict[str, Rule] = {
    "shard.all_gather": lower_all_gather,
    "shard.all_reduce": lower_all_reduce,
    "shard.all_slice": lower_all_slice,
    "shard.all_to_all": lower_all_to_all,
    "shard.broadcast": lower_broadcast,
    # What others than the root get is undefined: they may get the same.
    "shard.gather": lower_all_gather,
    "shard.reduce": lower_all_reduce,
    "shard.reduce_scatter": lower_reduce_scatter,
}
