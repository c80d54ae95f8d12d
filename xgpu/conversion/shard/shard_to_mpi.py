# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-shard-to-mpi`: indices of processes, shapes of shards and collectives as calls of MPI.

A process of a grid is a rank of the world: its index in the order of rows. A sharding that crosses
a function becomes three tensors: the axes of each dimension, the halos, the offsets.

Source: MLIR 22.1 ShardToMPI.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    TensorType,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.shard import collectives, halos, messages
from xgpu.core import ods
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import dense, pack
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Replacements, Rule, convert
from xgpu.core.rewriting.greedy import apply_patterns
from xgpu.core.rewriting.type_converter import TypeConverter
from xgpu.dialects.arith.builders import (
    attribute_constant,
    binary,
    cmpi,
    constant,
    index_constant,
    select,
)
from xgpu.dialects.arith.builders import (
    cast as cast_value,
)
from xgpu.dialects.shard.sharding import (
    INDEX,
    Sharding,
    axes_of,
    grid_at,
    mixed_as_values,
)
from xgpu.dialects.syntax_helpers import i64_array
from xgpu.transforms.linalg.decompose_aggregates import create_fill
from xgpu.transforms.shard.shard_simplify import FOLD_GRIDS

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import func, shard

Values = Sequence["SSAValue"]
_OPEN = [DYNAMIC_INDEX, DYNAMIC_INDEX]
_TYPES = (TensorType(i16, _OPEN), TensorType(i64, _OPEN), TensorType(i64, _OPEN))


# -- Indices of processes.


def lower_linear_index(op: Operation, operands: Values, rw: Conversion) -> Values:
    """process_linear_index  =>  the rank in the world"""
    types = [ods.attr_class("mpi.retval")(), i32]
    rank = rw.create("mpi.comm_rank", [collectives.comm_world(rw)], types).results[1]
    return [cast_value(rw, "index_cast", rank, INDEX)]


def lower_multi_index(op: Operation, operands: Values, rw: Conversion) -> Values:
    """process_multi_index  =>  remainders and quotients of the linear index"""
    grid = collectives.static_grid(op)
    sizes = [index_constant(rw, size) for size in grid.shape]
    rest = rw.value("shard.process_linear_index", (), INDEX, {"grid": op.properties["grid"]})
    indices: list[SSAValue] = []
    for at in reversed(range(grid.rank)):
        indices.insert(0, binary(rw, "remsi", rest, sizes[at]))
        if at:
            rest = binary(rw, "divsi", rest, sizes[at])
    return [indices[axis] for axis in grid.all_axes(axes_of(op, "axes"))]


# -- Shapes of shards.


def lower_shard_shape(op: shard.ShardShapeOp, operands: Values, rw: Conversion) -> Values:
    """shard_shape  =>  the difference of offsets, or a quotient of which the last shards have one
    more"""
    if defining(op.sharding, "shard.sharding") is None:
        raise error(op, "Expected ShardingOp as defining op for sharding")
    sharding = Sharding.of(op.sharding)
    grid = grid_at(op, sharding.grid)
    if not grid.is_static:
        raise NoMatch("a grid of unknown shape")
    shape = mixed_as_values(rw, axes_of(op, "dims"), op.dims_dynamic, INDEX)
    device = mixed_as_values(rw, axes_of(op, "device"), op.device_dynamic, INDEX)
    offsets = _offsets(rw, sharding)
    results: list[SSAValue] = []
    start = 0
    for at, extent in enumerate(shape):
        axes = sharding.split_axes[at] if at < len(sharding.split_axes) else ()
        if not axes:
            results.append(extent)
            continue
        count = grid.group_size(axes)
        index = device[axes[0]]
        for axis in axes[1:]:
            scaled = binary(rw, "muli", index, index_constant(rw, grid.shape[axis]))
            index = binary(rw, "addi", scaled, device[axis])
        if offsets is None:
            results.append(_even_extent(rw, extent, count, index))
        elif len(axes) > 1:
            raise error(op, "Only single axis sharding is supported for each dimension.")
        else:
            results.append(_difference(rw, offsets, start, index))
        start += count + 1
    return results


def _offsets(rw: Conversion, sharding: Sharding) -> SSAValue | None:
    """All offsets, in a tensor."""
    if not sharding.offsets:
        return None
    values = (
        mixed_as_values(rw, sharding.offsets, (), INDEX) if not sharding.dynamic_offsets else []
    )
    if sharding.dynamic_offsets:
        numbers = [cast_value(rw, "index_cast", v, INDEX) for v in sharding.dynamic_offsets]
        values = mixed_as_values(rw, sharding.offsets, numbers, INDEX)
    return rw.value("tensor.from_elements", values, TensorType(INDEX, [len(values)]))


def _difference(rw: Conversion, offsets: SSAValue, start: int, index: SSAValue) -> SSAValue:
    first = binary(rw, "addi", index_constant(rw, start), index)
    begin = rw.value("tensor.extract", [offsets, first], INDEX)
    following = binary(rw, "addi", first, index_constant(rw, 1))
    end = rw.value("tensor.extract", [offsets, following], INDEX)
    return binary(rw, "subi", end, begin)


def _even_extent(rw: Conversion, extent: SSAValue, count: int, index: SSAValue) -> SSAValue:
    shards = index_constant(rw, count)
    size = binary(rw, "divsi", extent, shards)
    larger = binary(rw, "subi", shards, binary(rw, "remsi", extent, shards))
    is_larger = cmpi(rw, "sge", index, larger)
    more = select(rw, is_larger, index_constant(rw, 1), index_constant(rw, 0))
    return binary(rw, "addi", size, more)


# -- Shardings as values.


def lower_get_sharding(op: Operation, operands: Values, rw: Conversion) -> Replacements:
    annotated: shard.ShardOp | None = defining(op.operands[0], "shard.shard")
    if annotated is None or defining(annotated.sharding, "shard.sharding") is None:
        raise NoMatch("a tensor without a known sharding")
    return [rw.converted(annotated.sharding)]


def lower_shard(op: Operation, operands: Values, rw: Conversion) -> Replacements:
    """What only get_sharding asks is asked no more."""
    users = {use.operation.name for use in op.results[0].uses}
    if not users <= {"shard.get_sharding"}:
        raise NoMatch("a sharding that was not partitioned")
    return [operands[0]]


def lower_sharding(op: Operation, operands: Values, rw: Conversion) -> Replacements:
    """A sharding as tensors: axes (-1 for none), halos, offsets (the smallest i64 for none)"""
    sharding = Sharding.of(op.results[0])
    split = [axes for axes in sharding.split_axes if axes]
    axes = _axes_tensor(rw, sharding)
    if sharding.halo_sizes:
        values = mixed_as_values(rw, sharding.halo_sizes, sharding.dynamic_halo_sizes)
        kind = TensorType(i64, [len(split), 2])
        halo_sizes = rw.value("tensor.from_elements", values, kind)
    else:
        halo_sizes = _no_numbers(rw)
    offsets = _offsets_tensor(op, rw, sharding) if sharding.offsets else _no_numbers(rw)
    found = zip((axes, halo_sizes, offsets), _TYPES, strict=True)
    return [tuple(rw.value("tensor.cast", [value], kind) for value, kind in found)]


def _no_numbers(rw: Conversion) -> SSAValue:
    return rw.value("tensor.empty", (), TensorType(i64, [0, 0]))


def _filled(rw: Conversion, shape: Sequence[int], element: Attribute, number: int) -> SSAValue:
    empty = rw.value("tensor.empty", (), TensorType(element, list(shape)))
    return create_fill(rw, constant(rw, number, element), empty).results[0]


def _insert_row(rw: Conversion, row: SSAValue, into: SSAValue, at: int, length: int) -> SSAValue:
    properties = {
        "static_offsets": i64_array([at, 0]),
        "static_sizes": i64_array([1, length]),
        "static_strides": i64_array([1, 1]),
    }
    return rw.value("tensor.insert_slice", [[row], [into], [], [], []], into.type, properties)


def _axes_tensor(rw: Conversion, sharding: Sharding) -> SSAValue:
    longest = max(map(len, sharding.split_axes), default=0)
    table = _filled(rw, [len(sharding.split_axes), longest], i16, -1)
    for at, axes in enumerate(sharding.split_axes):
        kind = TensorType(i16, [len(axes)])
        row = attribute_constant(rw, dense(kind, pack(axes, i16) if axes else b""), kind)
        table = _insert_row(rw, row, table, at, len(axes))
    return table


def _offsets_tensor(op: Operation, rw: Conversion, sharding: Sharding) -> SSAValue:
    grid = grid_at(op, sharding.grid)
    counts = [grid.group_size(axes) + 1 for axes in sharding.split_axes if axes]
    table = _filled(rw, [len(counts), max(counts)], i64, DYNAMIC_INDEX)
    values = mixed_as_values(rw, sharding.offsets, sharding.dynamic_offsets)
    start = 0
    for at, count in enumerate(counts):
        row = values[start : start + count]
        made = rw.value("tensor.from_elements", row, TensorType(i64, [count]))
        table = _insert_row(rw, made, table, at, count)
        start += count
    return table


# -- Functions that take and return shardings.


def _convert_type(kind: Attribute) -> Attribute | tuple[Attribute, ...]:
    return _TYPES if kind.name == "shard.sharding" else kind


def _flattened(rw: Conversion, types: Sequence[Attribute]) -> list[Attribute]:
    found: list[Attribute] = []
    for kind in types:
        new = rw.convert_type(kind)
        found.extend(new if isinstance(new, tuple) else (new,))
    return found


def _flat_values(values: Sequence[SSAValue | tuple[SSAValue, ...]]) -> list[SSAValue]:
    found: list[SSAValue] = []
    for value in values:
        found.extend(value if isinstance(value, tuple) else (value,))
    return found


def convert_function(op: func.FuncOp, operands: Values, rw: Conversion) -> None:
    kind = op.properties["function_type"]
    inputs, outputs = _flattened(rw, kind.inputs.data), _flattened(rw, kind.outputs.data)
    op.properties["function_type"] = FunctionType.from_lists(inputs, outputs)
    rw.convert_region_types(op.regions[0])


def convert_return(op: Operation, operands: Values, rw: Conversion) -> Replacements | None:
    rw.create(op.name, _flat_values(operands))
    return []


def convert_call(op: Operation, operands: Values, rw: Conversion) -> Replacements:
    types = [rw.convert_type(result.type) for result in op.results]
    flat = _flattened(rw, [result.type for result in op.results])
    results = iter(rw.create(op.name, _flat_values(operands), flat, op.properties).results)
    return [
        tuple(next(results) for _ in kind) if isinstance(kind, tuple) else next(results)
        for kind in types
    ]


RULES: dict[str, Rule] = {
    **collectives.RULES,
    **halos.RULES,
    **messages.RULES,
    "func.call": convert_call,
    "func.func": convert_function,
    "func.return": convert_return,
    "shard.get_sharding": lower_get_sharding,
    "shard.process_linear_index": lower_linear_index,
    "shard.process_multi_index": lower_multi_index,
    "shard.shard": lower_shard,
    "shard.shard_shape": lower_shard_shape,
    "shard.sharding": lower_sharding,
}
_STAYS = frozenset(("shard.grid", "shard.grid_shape"))


def _uses_shardings(op: Operation) -> bool:
    """Whether a function, call or return has shardings among what crosses it."""
    if op.name == "func.func":
        kind = cast("FunctionType", op.properties["function_type"])
        types = (*kind.inputs.data, *kind.outputs.data)
    else:
        types = tuple(value.type for value in (*op.operands, *op.results))
    return any(kind.name == "shard.sharding" for kind in types)


def _is_legal(op: Operation) -> bool:
    return op.name.startswith("func.") and not _uses_shardings(op)


def _is_illegal(op: Operation) -> bool:
    return op.name.startswith("shard.") and op.name not in _STAYS


class ConvertShardToMPIPass(Pass):
    """Calls of MPI for what processes do together."""

    name = "convert-shard-to-mpi"
    summary = "Convert Shard dialect to MPI dialect."

    def run(self, op: Operation, ctx: Context) -> None:
        types = TypeConverter(_convert_type)
        convert(op, RULES, types, legal=_is_legal, illegal=_is_illegal)
        apply_patterns(op, FOLD_GRIDS)
