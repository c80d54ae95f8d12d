# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.*: reductions in parts, and sizes of tiles that leave no remainder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core.ir.affine import add, floordiv, mod, mul
from xgpu.core.ir.blocks import block_for
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.op_info import attribute_of
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.affine.simplify import fully_canonical
from xgpu.dialects.arith.builders import attribute_constant, cmpi
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.dialects.transform.ops import kind_of
from xgpu.transform_dialect import tiles
from xgpu.transform_dialect.interpreter import each, flag, integer
from xgpu.transform_dialect.state import TrackingRewriter, definite, silenceable, silenceable_at
from xgpu.transform_dialect.tile_ops import (
    close_loops,
    open_forall,
    open_loops,
    replace_target,
    thread_tiles,
)
from xgpu.transforms.linalg.decompose_aggregates import create_fill
from xgpu.transforms.linalg.generalize_named_ops import clone_structured, description
from xgpu.transforms.linalg.split_reduction import (
    SplitOptions,
    combiner,
    neutral,
    split_reduction,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, IntegerType
    from xdsl.ir import Attribute

    from xgpu.transform_dialect.state import State


_INDEX = IndexType()
_S = tuple(AffineSymExpr(i) for i in range(4))


# --- split reductions ----------------------------------------------------------------------------
def split_reduction_target(op: Operation, target: Operation, state: State) -> list[Operation]:
    if flag(op, "use_scaling_algorithm"):
        raise definite(op, "the scaling algorithm of split_reduction is not supported by xgpu")
    options = SplitOptions(
        integer(op, "split_factor", 1),
        integer(op, "insert_split_dimension", 0),
        flag(op, "inner_parallel"),
        flag(op, "use_alloc"),
    )
    made = None
    if ops.is_structured(target):
        made = split_reduction(TrackingRewriter(state, target), target, options)
    if made is None:
        raise definite(op, "failed to apply", [(target.location, "attempted to apply to")])
    return list(made)


# --- partial reductions --------------------------------------------------------------------------
# transform.structured.tile_reduction_using_for and tile_reduction_using_forall.
#
#     %r = reduction of %a : tensor<4x64xf32> into %b : tensor<4xf32>          tile_sizes = [0, 16]
#     =>
#     %parts = scf.for %i = 0 to 64 step 16, %p = (neutral elements : tensor<4x16xf32>)
#       { %p[a, b] combined with %a[a, %i + b] }
#     %r = linalg.reduce %parts into %b over the last dimension
#
# A loop keeps a part for each element of a tile, a forall one for each of its iterations. Source:
# MLIR 22.1 TileUsingInterface.cpp, Linalg's TilingInterfaceImpl.cpp (LinalgOpPartialReduction..).


class _Partial(NamedTuple):
    """What an output becomes: the tensor of parts, and where the iterations write to it."""

    combining: Operation
    fill: Operation
    map: AffineMap


class _PartialReduction:
    """A structured operation on tensors, some of whose reductions are computed in parts."""

    def __init__(
        self, op: Operation, target: Operation, state: State, tiles: Sequence[int]
    ) -> None:
        self.op, self.target, self.state = op, target, state
        self.location = target.location
        if not ops.is_structured(target) or ops.is_on_buffers(target):
            raise silenceable_at(
                target.location, "Operation should implement PartialReductionOpInterface"
            )
        kinds = ops.iterator_types(target)
        self.kinds, self.count = kinds, len(kinds)
        self.tiles = [*tiles[: self.count], *[0] * (self.count - len(tiles))]
        given = cast("ArrayAttr[IntegerAttr] | None", attribute_of(op, "reduction_dims"))
        named = [] if given is None else [item.value.data for item in given.data]
        named = named or [at for at, kind in enumerate(kinds) if kind == ops.REDUCTION]
        self.walked = [at for at in range(self.count) if self.tiles[at]]
        #: The reductions that are computed in parts.
        self.parts = [at for at in named if at in self.walked]
        if min(self.tiles, default=0) < 0:
            self._fail("a size is negative")
        for at in self.walked:
            if kinds[at] != ops.REDUCTION:
                self._fail(
                    "tiling parallel dimensions is not supported with partial reduction tiling "
                    "strategies"
                )
            if at not in self.parts:
                self._fail(f"tiling of the whole reduction {at} is not supported by xgpu")
        if not self.parts:
            self._fail("no reduction has a tile")
        self.rw = TrackingRewriter(state, target)
        self.inputs, self.outputs = list(ops.inputs(target)), list(ops.outputs(target))
        self.maps = ops.indexing_maps(target)
        self.ends = list(loop_sizes(target, self.rw) or ())

    def _fail(self, reason: str) -> None:
        raise silenceable(
            self.op, "failed to tile using partial reduction", [(self.target.location, reason)]
        )

    def start(self, sizes: Sequence[Mixed]) -> list[_Partial]:
        """Tensors of neutral elements with the sizes of the parts."""
        found: list[_Partial] = []
        block = self.target.regions[0].block
        known: list[tuple[Operation, Attribute]] = []
        for at in range(len(self.outputs)):
            combining = combiner(block, block.args[len(self.inputs) + at], at)
            start = None if combining is None else neutral(combining)
            if combining is None or start is None:
                self._fail("Failed to get an identity value for the reduction operation.")
            else:
                known.append((combining, start))
        for at, (combining, start) in enumerate(known):
            map_ = self.maps[len(self.inputs) + at]
            extra = [AffineDimExpr(dim) for dim in self.parts]
            map_ = AffineMap(map_.num_dims, 0, (*map_.results, *extra))
            if not all(isinstance(e, AffineDimExpr) for e in map_.results):
                self._fail("an output has an index that is no loop")
            shape = [sizes[cast("AffineDimExpr", e).position] for e in map_.results]
            dynamic, static = tiles.split_mixed(shape)
            known_sizes = cast("DenseArrayBase[IntegerType]", static)
            element = cast("TensorType", self.outputs[at].type).element_type
            kind = TensorType(element, list(known_sizes.get_values()))
            empty = self.rw.value("tensor.empty", dynamic, kind)
            fill = create_fill(self.rw, attribute_constant(self.rw, start, element), empty)
            found.append(_Partial(combining, fill, map_))
        return found

    def merge(self, partials: Sequence[_Partial], parts: Sequence[SSAValue]) -> list[Operation]:
        """Combines the parts; the results take the place of the target's."""
        rw = self.rw
        rw.before(self.target)
        made: list[Operation] = []
        for partial, value, output in zip(partials, parts, self.outputs, strict=True):
            element = cast("TensorType", output.type).element_type
            body = block_for([value, output], [element] * 2)
            with rw.inside(body):
                combining = clone_operation(partial.combining)
                rw.insert(combining)
                combining.operands = list(body.args)
                rw.create("linalg.yield", [combining.results[0]])
            rank = len(partial.map.results)
            dims = DenseArrayBase.from_list(i64, range(rank - len(self.parts), rank))
            made.append(
                rw.create(
                    "linalg.reduce",
                    [value, output],
                    [output.type],
                    {"dimensions": dims},
                    regions=[Region(body)],
                )
            )
        replace_target(self.state, self.target, [reduced.results[0] for reduced in made])
        return made

    def results(
        self,
        partials: Sequence[_Partial],
        split: Operation,
        merged: Sequence[Operation],
        loop: Operation,
    ) -> list[Operation]:
        """What the results of the transform operation stand for, as many as there are."""
        found = [*(partial.fill for partial in partials), split, *merged, loop]
        if len(found) != (count := len(self.op.results)):
            raise definite(
                self.op,
                f"application of {self.op.name} expected to produce {count} results (actually "
                f"produced {len(found)}).",
                [(self.location, "when applied to this op")],
            )
        return found

    def sliced_inputs(self, offsets: Sequence[Mixed], sizes: Sequence[Mixed]) -> list[SSAValue]:
        """The tiles of the inputs."""
        return [
            tiles.slice_of(self.rw, map_, offsets, sizes).extract(self.rw, value)
            if map_.results and ops.shape_of(value) is not None
            else value
            for value, map_ in zip(self.inputs, self.maps, strict=False)
        ]


def tile_reduction_using_for(op: Operation, target: Operation, state: State) -> list[Operation]:
    given = cast("ArrayAttr[IntegerAttr] | None", attribute_of(op, "tile_sizes"))
    sizes = [] if given is None else [item.value.data for item in given.data]
    work = _PartialReduction(op, target, state, sizes)
    rw, count = work.rw, work.count
    whole: list[Mixed] = [tile or end for tile, end in zip(work.tiles, work.ends, strict=True)]
    partials = work.start(whole)
    values: list[SSAValue] = [partial.fill.results[0] for partial in partials]
    nest = open_loops(rw, work.walked, work.ends, work.tiles, values)
    offsets: list[Mixed] = [nest.variables.get(at, 0) for at in range(count)]
    tile = list(work.ends)
    for at in work.walked:
        tile[at] = tiles.tile_size(rw, offsets[at], work.tiles[at], work.ends[at])
    inputs = work.sliced_inputs(offsets, tile)
    starts: list[Mixed] = [0] * count
    slices = [tiles.slice_of(rw, partial.map, starts, tile) for partial in partials]
    outputs = [part.extract(rw, value) for part, value in zip(slices, nest.values, strict=True)]
    kinds = [ops.PARALLEL if at in work.parts else kind for at, kind in enumerate(work.kinds)]
    maps = [*work.maps[: len(inputs)], *(partial.map for partial in partials)]
    types = [value.type for value in outputs]
    copy = clone_operation(target)
    region = Region()
    copy.regions[0].move_blocks(region)
    copy.drop_all_references()
    split = rw.create(
        "linalg.generic", [inputs, outputs], types, description(maps, kinds), regions=[region]
    )
    tiles.shift_indices(rw, split, offsets)
    yielded = [
        part.insert(rw, result, value, parallel=False).results[0]
        for part, result, value in zip(slices, split.results, nest.values, strict=True)
    ]
    merged = work.merge(partials, close_loops(rw, nest, yielded))
    return work.results(partials, split, merged, nest.loops[0])


def tile_reduction_using_forall(op: Operation, target: Operation, state: State) -> list[Operation]:
    by_threads = bool(threads := _integers(op, "num_threads"))
    work = _PartialReduction(op, target, state, threads or _integers(op, "tile_sizes"))
    rw, count = work.rw, work.count
    trips = dict[int, Mixed]()
    for at in work.walked:
        trips[at] = (
            work.tiles[at] if by_threads else tiles.ceil_div(rw, work.ends[at], work.tiles[at])
        )
    partials = work.start([trips.get(at, end) for at, end in enumerate(work.ends)])
    ends = [trips[at] if by_threads else work.ends[at] for at in work.walked]
    steps: list[Mixed] = [1 if by_threads else work.tiles[at] for at in work.walked]
    fills: list[SSAValue] = [partial.fill.results[0] for partial in partials]
    forall = open_forall(rw, ends, steps, fills, op.properties.get("mapping"))
    arguments = forall.regions[0].block.args
    variables = dict(zip(work.walked, arguments, strict=False))
    shared = arguments[len(work.walked) :]
    offsets: list[Mixed] = [0] * count
    tile = list(work.ends)
    places: list[Mixed] = [0] * count
    if by_threads:
        thread_tiles(rw, variables, work.tiles, offsets, tile)
    else:
        for at, variable in variables.items():
            offsets[at] = variable
            tile[at] = tiles.tile_size(rw, variable, work.tiles[at], work.ends[at])
    for at, variable in variables.items():
        number = _S[0] if by_threads else floordiv(_S[0], AffineConstantExpr(work.tiles[at]))
        places[at] = index_math.folded_apply(rw, number, [variable])
    inputs = work.sliced_inputs(offsets, tile)
    ones: list[Mixed] = [1 if at in work.parts else size for at, size in enumerate(tile)]
    slices = [tiles.slice_of(rw, partial.map, places, ones) for partial in partials]
    outputs = [
        part.extract(rw, value, dropped=len(work.parts))
        for part, value in zip(slices, shared, strict=True)
    ]
    split = clone_structured(rw, target, inputs, outputs, [value.type for value in outputs])
    tiles.shift_indices(rw, split, offsets)
    inner = tiles.open_parallel(rw)
    with rw.inside(inner):
        for part, result, value in zip(slices, split.results, shared, strict=True):
            part.insert(rw, result, value, parallel=True)
    merged = work.merge(partials, forall.results)
    return work.results(partials, split, merged, forall)


def _integers(op: Operation, name: str) -> list[int]:
    attr = cast("DenseArrayBase[IntegerType] | None", attribute_of(op, name))
    return [] if attr is None else list(attr.get_values())


# --- sizes of tiles ------------------------------------------------------------------------------
# transform.structured.multitile_sizes: two sizes of tiles, one `divisor` larger than the other and
# both multiples of it, that together cover a loop; the larger ones begin at the split point.
#
# Source: MLIR 22.1 Linalg/Transforms/Tiling.cpp (computeMultiTileSizes).


def multitile_sizes(op: Operation, target: Operation, state: State) -> list[Attribute | Operation]:
    dimension, size = integer(op, "dimension", 0), integer(op, "target_size", 1)
    divisor = integer(op, "divisor", 1)
    if not ops.is_structured(target) or min(size, divisor) <= 0:
        raise definite(op, "failed to apply", [(target.location, "attempted to apply to")])
    is_parameter = kind_of(op.results[0].type) == "param"
    if is_parameter and any(DYNAMIC in (ops.shape_of(v) or ()) for v in target.operands):
        raise silenceable(
            op,
            "cannot compute parametric tile sizes for dynamically shaped payload op",
            [(target.location, "payload op")],
        )
    rw = TrackingRewriter(state, target)
    if not 0 <= dimension < len(ops.iterator_types(target)):
        text = "failed to compute multi-size tiling sizes"
        raise silenceable(op, text if is_parameter else "could not generate tile size computation")
    end = list(loop_sizes(target, rw) or ())[dimension]
    if is_parameter:
        assert isinstance(end, int)
        found = static_sizes(end, size, divisor)
        if found is None:
            raise silenceable(op, "failed to compute multi-size tiling sizes")
        return [IntegerAttr(number, i64) for number in found]
    return list(_dynamic_sizes(rw, index_math.as_value(rw, end), size, divisor))


def static_sizes(end: int, size: int, divisor: int) -> tuple[int, int, int] | None:
    """The smaller size, the larger one and where its tiles begin; None if they leave a rest."""
    units = end // divisor
    trips = -(-units // -(-size // divisor))
    if not trips:
        return None
    low = units // trips * divisor
    high_trips = units % trips
    split = low * (trips - high_trips)
    return (low, low + divisor, split) if split + (low + divisor) * high_trips == end else None


def _dynamic_sizes(
    rw: TrackingRewriter, end: SSAValue, size: int, divisor: int
) -> tuple[Operation, Operation, Operation]:
    """The same, computed while the program runs, which stops where they leave a rest."""
    s0, s1, s2, s3 = _S
    step = AffineConstantExpr(divisor)
    most = -(-size // divisor)

    def computed(expr: AffineExpr, *operands: SSAValue) -> SSAValue:
        return _apply(rw, expr, operands)

    units = computed(floordiv(s0, step), end)
    rounded = floordiv(add(s0, AffineConstantExpr(most - 1)), AffineConstantExpr(most))
    trips = computed(rounded, units)
    low = computed(mul(floordiv(s0, s1), step), units, trips)
    high_trips = computed(mod(s0, s1), units, trips)
    low_trips = computed(s0 - s1, trips, high_trips)
    high = computed(add(s0, step), low)
    covered = computed(add(mul(s0, s1), mul(s2, s3)), low, low_trips, high, high_trips)
    same = cmpi(rw, "eq", covered, end)
    message = StringAttr("could not compute dynamic multi-size tile shapes")
    rw.create("cf.assert", [same], (), {"msg": message})
    split = computed(mul(s0, s1), low, low_trips)
    found = low.owner, high.owner, split.owner
    return cast("tuple[Operation, Operation, Operation]", found)


def _apply(rw: TrackingRewriter, expr: AffineExpr, operands: Sequence[SSAValue]) -> SSAValue:
    """An affine.apply, of a constant too: handles stand for operations."""
    final, values = fully_canonical(AffineMap(0, len(operands), (expr,)), operands)
    return rw.value("affine.apply", values, _INDEX, {"map": AffineMapAttr(final)})


OPS = {
    "transform.structured.multitile_sizes": each(multitile_sizes),
    "transform.structured.split_reduction": each(split_reduction_target),
    "transform.structured.tile_reduction_using_for": each(tile_reduction_using_for),
    "transform.structured.tile_reduction_using_forall": each(tile_reduction_using_forall),
}
