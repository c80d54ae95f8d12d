# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.tile_using_for and tile_using_forall, and the tile of an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
    AffineSymExpr,
)

from xgpu.core import ods
from xgpu.core.ir.blocks import block_for
from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ir.op_info import attribute_of
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.transform.ops import kind_of
from xgpu.transform_dialect.interpreter import Results, each, integer
from xgpu.transform_dialect.state import TrackingRewriter, definite, handle_location, silenceable
from xgpu.transform_dialect.tiles import (
    Tile,
    build_tile,
    ceil_div,
    destinations,
    domain,
    extreme,
    iterators,
    open_parallel,
    split_mixed,
    tile_size,
    times,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.dialects import transform
    from xgpu.transform_dialect.state import State


# --- tile ops ------------------------------------------------------------------------------------
# transform.structured.tile_using_for and tile_using_forall.


_DYNAMIC = -(1 << 63)
_INDEX = IndexType()
#: The product of two operands.
_PRODUCT = times(AffineSymExpr(0), AffineSymExpr(1))


def mixed_sizes(
    op: Operation, state: State, static: str, handles: Sequence[SSAValue], count: int
) -> list[list[Mixed]]:
    """For each of `count` targets the sizes: static ones, parameters, or results of operations."""
    attr = attribute_of(op, static)
    numbers = list(attr.get_values()) if attr is not None else []
    dynamic = [_sizes_of(op, state, handle, count) for handle in handles]
    found: list[list[Mixed]] = []
    for target in range(count):
        values = iter(dynamic)
        found.append([next(values)[target] if n == _DYNAMIC else n for n in numbers])
    return found


def _sizes_of(op: Operation, state: State, handle: SSAValue, count: int) -> list[Mixed]:
    payload = state.payload(handle)
    if len(payload) != count:
        is_param = kind_of(handle.type) == "param"
        words = "parameter values" if is_param else "dynamic size-producing operations"
        raise silenceable(
            op,
            f"expected as many {words} ({len(payload)}) as target ops ({count})",
            [(handle_location(handle), f"for this {'parameter' if is_param else 'handle'}")],
        )
    return [_size(op, item) for item in payload]


def _size(op: Operation, item: object) -> Mixed:
    if isinstance(item, IntegerAttr):
        return item.value.data
    if isinstance(item, SSAValue):
        return item
    if not isinstance(item, Operation):
        raise definite(op, "expected the parameter to be associated with an integer attribute")
    if len(item.results) != 1 or item.results[0].type != _INDEX:
        raise silenceable(
            op,
            "expected sizes to be produced by ops with a single index-type result",
            [
                (item.location, "size producer op"),
                (handle_location(op.operands[0]), "for this handle"),
            ],
        )
    return item.results[0]


#: What xgpu tiles on tensors, and only if its padding is a value from outside.
_TILED_BY_MLIR = frozenset(("linalg.pack", "linalg.unpack", "tensor.pad"))


def untiled(target: Operation, message: str) -> str:
    """What to say of an operation that cannot be tiled: MLIR's `message`, or what xgpu lacks."""
    if target.name in _TILED_BY_MLIR or target.name.startswith("linalg.winograd_"):
        return f"tiling of '{target.name}' is not supported by xgpu"
    return message


def check_target(op: Operation, target: Operation, sizes: Sequence[Mixed]) -> None:
    kinds = iterators(target)
    if kinds is None:
        raise silenceable(
            op,
            untiled(target, "only ops implementing TilingInterface are supported"),
            [(target.location, "target op")],
        )
    loops = len(kinds)
    if len(sizes) > loops:
        raise silenceable(
            op,
            f"too many tiles provided, expected at most {loops} found {len(sizes)}",
        )


# --- tile_using_for ----------------------------------------------------------------------------
def tile_using_for(op: transform.StructuredTileUsingForOp, state: State) -> Results:
    targets = state.ops(op.operand_group(0)[0])
    sizes = mixed_sizes(op, state, "static_sizes", op.operand_group(1), len(targets))
    attr = attribute_of(op, "interchange")
    order = list(attr.get_values()) if attr is not None else []
    scalable: DenseArrayBase[IntegerType] | None = op.properties.get("scalable_sizes")
    if scalable is not None and any(scalable.get_values()):
        raise definite(op, "scalable tile sizes are not supported by xgpu")
    tiled: list[Operation] = []
    loops: list[list[Operation]] = [[] for _ in op.results[1:]]
    for target, tiles in zip(targets, sizes, strict=True):
        check_target(op, target, tiles)
        new, nest = tile_with_for(target, tiles, order, state)
        tiled.append(new)
        for found, loop in zip(loops, nest, strict=False):
            found.append(loop)
    return [tiled, *loops]


def tile_with_for(
    target: Operation, tiles: Sequence[Mixed], order: Sequence[int], state: State
) -> tuple[Operation, list[Operation]]:
    rw = TrackingRewriter(state, target)
    outputs = destinations(rw, target)
    ends = domain(rw, target)
    count = len(ends)
    padded: list[Mixed] = [*tiles, *[0] * (count - len(tiles))]
    order = [*order, *(i for i in range(count) if i not in order)]
    walked = [i for i in order if padded[i] != 0]
    if not walked:
        return target, []
    carried = [i for i, v in enumerate(outputs) if v.type.name == "tensor"]
    nest = open_loops(rw, walked, ends, padded, [outputs[i] for i in carried])
    ivs = nest.variables
    for i, value in zip(carried, nest.values, strict=True):
        outputs[i] = value
    offsets: list[Mixed] = [ivs.get(i, 0) for i in range(count)]
    sizes = [
        tile_size(rw, offsets[i], padded[i], ends[i]) if i in ivs else ends[i] for i in range(count)
    ]
    tile = build_tile(rw, target, outputs, offsets, sizes)
    yielded: list[SSAValue] = []
    for result, i in zip(tile.values, carried, strict=True):
        part = tile.slices[i]
        if part is None:
            yielded.append(result)
        else:
            yielded.append(part.insert(rw, result, outputs[i], parallel=False).results[0])
    replace_target(state, target, close_loops(rw, nest, yielded))
    return tile.op, nest.loops


class Nest(NamedTuple):
    """Loops in each other: their variables by the loop of the target, and what they carry."""

    loops: list[Operation]
    variables: dict[int, SSAValue]
    values: list[SSAValue]


def open_loops(
    rw: TrackingRewriter,
    walked: Sequence[int],
    ends: Sequence[Mixed],
    steps: Sequence[Mixed],
    values: list[SSAValue],
) -> Nest:
    """`scf.for` loops that carry `values` over tiles of the loops `walked`; the rewriter stands in
    the innermost one."""
    lower = [index_constant(rw, 0) for _ in walked]
    upper = [index_math.as_value(rw, ends[i]) for i in walked]
    by = [index_math.as_value(rw, steps[i]) for i in walked]
    types = [v.type for v in values]
    nest = Nest([], {}, list(values))
    for at, *bounds in zip(walked, lower, upper, by, strict=True):
        block = block_for(nest.values, types)
        block.insert_arg(_INDEX, 0, rw.location)
        operands = [*bounds, *nest.values]
        nest.loops.append(rw.create("scf.for", operands, types, regions=[Region(block)]))
        nest.variables[at] = block.args[0]
        nest.values[:] = block.args[1:]
        rw.at_end(block)
    return nest


def close_loops(
    rw: TrackingRewriter, nest: Nest, yielded: Sequence[SSAValue]
) -> Sequence[SSAValue]:
    """Ends the loops with what the next iteration gets; their results."""
    for loop in reversed(nest.loops):
        rw.at_end(loop.regions[0].block)
        rw.create("scf.yield", yielded)
        yielded = loop.results
    return yielded


def replace_target(state: State, target: Operation, values: Sequence[SSAValue]) -> None:
    """The loops take the place of the target; handles to it were consumed."""
    rw = TrackingRewriter(state, target)
    for result, value in zip(target.results, values, strict=True):
        state.value_replaced(result, value)
        result.replace_all_uses_with(value)
    rw.erase(target)


# --- tile_using_forall -------------------------------------------------------------------------
def tile_using_forall(op: transform.StructuredTileUsingForallOp, state: State) -> Results:
    targets = state.ops(op.operand_group(0)[0])
    count = len(targets)
    numbers = _packed(op, state, 1, 3, "static_num_threads", count)
    tiles = _packed(op, state, 2, 4, "static_tile_sizes", count)
    tiled: list[Operation] = []
    foralls: list[Operation] = []
    for index, target in enumerate(targets):
        by_threads = bool(numbers[index])
        sizes = numbers[index] if by_threads else tiles[index]
        if iterators(target) is None:
            raise silenceable(
                op,
                untiled(target, "only TilingInterface ops are supported"),
                [(target.location, "target op")],
            )
        check_target(op, target, sizes)
        _warn_of_races(target, sizes)
        new, forall = tile_with_forall(
            op, target, sizes, by_threads, state, op.properties.get("mapping")
        )
        tiled.append(new)
        foralls.append(forall)
    return [tiled, foralls]


def _packed(
    op: OdsOperation, state: State, group: int, packed: int, static: str, count: int
) -> list[list[Mixed]]:
    """Sizes one by one, or all of them as what one handle stands for."""
    handles = list(op.operand_group(packed))
    if handles:
        sizes = [_size(op, item) for item in state.payload(handles[0])]
        return [list(sizes) for _ in range(count)]
    for handle in op.operand_group(group):
        if kind_of(handle.type) == "param" and len(state.payload(handle)) != 1:
            raise silenceable(op, "requires exactly one parameter associated")
    one = mixed_sizes(op, state, static, op.operand_group(group), 1)[0]
    return [list(one) for _ in range(count)]


def _warn_of_races(target: Operation, sizes: Sequence[Mixed]) -> None:
    from xgpu.core.syntax.diagnostics import emit

    for axis, (kind, size) in enumerate(zip(iterators(target) or (), sizes, strict=False)):
        if kind != ops.PARALLEL and size not in (0, 1):
            text = f"tiling is not thread safe at axis #{axis}"
            emit(Diagnostic("warning", text, target.location))


def tile_with_forall(
    op: Operation,
    target: Operation,
    given: Sequence[Mixed],
    by_threads: bool,
    state: State,
    mapping: Attribute | None = None,
) -> tuple[Operation, Operation]:
    rw = TrackingRewriter(state, target)
    outputs = destinations(rw, target)
    ends = domain(rw, target)
    count = len(ends)
    given = [*given, *[0] * (count - len(given))]
    walked = [i for i in range(count) if given[i] != 0]
    trips = [given[i] if by_threads else ceil_div(rw, ends[i], given[i]) for i in walked]
    carried = [i for i, v in enumerate(outputs) if v.type.name == "tensor"]
    forall = open_forall(rw, trips, [1] * len(walked), [outputs[i] for i in carried], mapping)
    block = forall.regions[0].block
    offsets: list[Mixed] = [0] * count
    sizes: list[Mixed] = list(ends)
    steps = dict(zip(walked, block.args, strict=False))
    if by_threads:
        thread_tiles(rw, steps, given, offsets, sizes)
    else:
        for at, iv in steps.items():
            offsets[at] = index_math.apply(rw, _PRODUCT, [iv, given[at]])
    if not by_threads:
        for at in walked:
            # MLIR makes the offset of the variable when it has made this.
            sizes[at] = tile_size(rw, offsets[at], given[at], ends[at], composed=False)
    for position, i in enumerate(carried):
        outputs[i] = block.args[len(walked) + position]
    tile = _fill_forall(op, rw, target, outputs, carried, offsets, sizes)
    replace_target(state, target, forall.results)
    return tile.op, forall


def open_forall(
    rw: TrackingRewriter,
    ends: Sequence[Mixed],
    steps: Sequence[Mixed],
    outputs: Sequence[SSAValue],
    mapping: Attribute | None = None,
) -> Operation:
    """An `scf.forall` from 0 to `ends`, whose iterations share `outputs`; the rewriter stands in
    it."""
    types = [value.type for value in outputs]
    block = block_for(outputs, types)
    for at in range(len(ends)):
        block.insert_arg(_INDEX, at, rw.location)
    upper, static_upper = split_mixed(ends)
    step, static_step = split_mixed(steps)
    properties: dict[str, Attribute] = {
        "staticLowerBound": DenseArrayBase.from_list(i64, [0] * len(ends)),
        "staticUpperBound": static_upper,
        "staticStep": static_step,
    }
    if mapping is not None:
        properties["mapping"] = mapping
    operands = [[], upper, step, outputs]
    forall = rw.create("scf.forall", operands, types, properties, regions=[Region(block)])
    rw.at_end(block)
    return forall


def thread_tiles(
    rw: TrackingRewriter,
    threads: Mapping[int, SSAValue],
    counts: Sequence[Mixed],
    offsets: list[Mixed],
    sizes: list[Mixed],
) -> None:
    """The tile of a thread: `sizes` are those of the whole loops before, of the tile after."""
    ends = list(sizes)
    for at, iv in threads.items():
        sizes[at] = _thread_size(rw, iv, counts[at], ends[at])
    for at, iv in threads.items():
        tile = ceil_div(rw, ends[at], counts[at])
        offsets[at] = index_math.apply(rw, _PRODUCT, [iv, tile])


def tile_with_stepping_forall(
    op: Operation, target: Operation, given: Sequence[Mixed], state: State
) -> tuple[Operation, Operation]:
    """Tiles in an `scf.forall` that counts in steps of their sizes."""
    rw = TrackingRewriter(state, target)
    outputs = destinations(rw, target)
    ends = domain(rw, target)
    count = len(ends)
    given = [*given, *[0] * (count - len(given))]
    walked = [i for i in range(count) if given[i] != 0]
    carried = [i for i, v in enumerate(outputs) if v.type.name == "tensor"]
    tensors = [outputs[i] for i in carried]
    forall = open_forall(rw, [ends[i] for i in walked], [given[i] for i in walked], tensors)
    block = forall.regions[0].block
    offsets: list[Mixed] = [0] * count
    sizes: list[Mixed] = list(ends)
    for at, iv in zip(walked, block.args, strict=False):
        offsets[at] = iv
        sizes[at] = tile_size(rw, iv, given[at], ends[at])
    for position, i in enumerate(carried):
        outputs[i] = block.args[len(walked) + position]
    tile = _fill_forall(op, rw, target, outputs, carried, offsets, sizes)
    replace_target(state, target, forall.results)
    return tile.op, forall


def _fill_forall(
    op: Operation,
    rw: TrackingRewriter,
    target: Operation,
    outputs: Sequence[SSAValue],
    carried: Sequence[int],
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
) -> Tile:
    """The body of an `scf.forall`: the operation on a tile, which goes to where it belongs."""
    tile = build_tile(rw, target, outputs, offsets, sizes)
    rw.at_end(open_parallel(rw))
    for result, i in zip(tile.values, carried, strict=True):
        part = tile.slices[i]
        if part is None:
            raise definite(op, "tiling an operation with a scalar result is not supported by xgpu")
        part.insert(rw, result, outputs[i], parallel=True)
    return tile


def _thread_size(rw: TrackingRewriter, iv: SSAValue, threads: Mixed, end: Mixed) -> Mixed:
    """How much one of `threads` threads has to do; nothing if the others do it all."""
    tile = ceil_div(rw, end, threads)
    known = isinstance(tile, int) and isinstance(threads, int) and isinstance(end, int)
    if known and tile * threads == end:  # type: ignore[operator]
        return tile
    left = AffineSymExpr(2) - _PRODUCT
    size: Mixed = extreme(rw, "affine.min", [left, AffineSymExpr(1)], [iv, tile, end])
    if known and tile * (threads - 1) < end:  # type: ignore[operator]
        return size
    return extreme(rw, "affine.max", [AffineConstantExpr(0), AffineSymExpr(0)], [size])


# --- map_copy_to_threads -----------------------------------------------------------------------
# transform.structured.gpu.map_copy_to_threads: a copy or padding as one tile for each thread.
#
# Each thread takes as many contiguous elements as one access of memory can, and the threads of the
# block are spread over the dimensions. Source: MLIR 22.1 GPUHeuristics.cpp.


#: The most bits of one access.
_ACCESS_BITS = 128


def map_copy_to_threads(op: Operation, target: Operation, state: State) -> list[Operation]:
    note = [(target.location, "target op")]
    if target.name not in ("linalg.copy", "tensor.pad") or len(target.results) != 1:
        text = "only linalg.copy and tensor.pad target ops are supported"
        raise silenceable(op, text, note)
    kind = cast("TensorType", target.results[0].type)
    shape = list(kind.get_shape())
    if not kind.has_static_shape() or not 1 <= len(shape) <= 3:
        text = "only statically sized ops of rank <= 3 are supported"
        raise silenceable(op, text, note)
    width = index_math.bit_width(kind.element_type)
    alignment = integer(op, "desired_bit_alignment", width)
    if alignment % width:
        alignment = width
    threads = _threads_for_copy(shape, width, alignment, integer(op, "total_num_threads", 1))
    if threads is None:
        raise silenceable(
            op,
            "too few threads to map copy op to threads on the most minor dimension, given "
            "alignment and vector size constraints, try smaller tile size of mapping to more "
            "threads",
            note,
        )
    places = range(len(shape) - 1, -1, -1)
    mapping = ArrayAttr([ods.enum("gpu.thread", f"linear_dim_{place}") for place in places])
    tiled, forall = tile_with_forall(op, target, threads, True, state, mapping)
    return [forall, tiled]


def _threads_for_copy(shape: list[int], width: int, alignment: int, total: int) -> list[int] | None:
    """The threads along each dimension; None if the last one needs more than there are."""
    most = gcd(alignment // width, shape[-1], max(_ACCESS_BITS // width, 1))
    elements = most
    while True:
        found = _spread([*shape[:-1], shape[-1] // elements], total)
        if found is None:
            return None
        if index_math.product(found) == total:
            return found
        elements //= 2
        if not elements:
            # No choice uses all threads: the largest accesses, and some threads idle.
            return _spread([*shape[:-1], shape[-1] // most], total)


def _spread(sizes: list[int], total: int) -> list[int] | None:
    """The most threads that divide all sizes, with all of the last one."""
    if sizes[-1] > total:
        return None

    def best(sizes: list[int], limit: int) -> list[int]:
        if len(sizes) == 1:
            return sizes
        found: list[int] = []
        count = 0
        for factor in range(1, sizes[0] + 1):
            if sizes[0] % factor:
                continue
            inner = best(sizes[1:], limit // factor)
            local = factor * index_math.product(inner)
            if inner and count < local <= limit:
                found, count = [factor, *inner], local
        return found

    return best(sizes, total) or None


OPS = {
    "transform.structured.gpu.map_copy_to_threads": each(map_copy_to_threads),
    "transform.structured.tile_using_for": tile_using_for,
    "transform.structured.tile_using_forall": tile_using_forall,
}
