# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tile of an operation: MLIR's TilingInterface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.analysis.bounds import ValueBounds
from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.op_info import attribute_of
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed, substitute
from xgpu.dialects.affine.simplify import canonicalize, fully_canonical, simplify
from xgpu.dialects.arith.builders import binary, cmpi
from xgpu.dialects.linalg import ops
from xgpu.dialects.reshapes import mixed
from xgpu.transforms.linalg.generalize_named_ops import clone_structured
from xgpu.transforms.memref.result_sizes import size_of, size_of_result
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import tensor


# --- tiling --------------------------------------------------------------------------------------
# A tile of a structured operation: slices of its operands, and the operation on them.
#
# Source: MLIR 22.1 Linalg/Utils (computeSliceParameters), TilingInterfaceImpl.cpp. Index arithmetic
# that nothing uses is not built.


_INDEX = IndexType()


def times(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """left * right, where neither need be a constant."""
    return AffineBinaryOpExpr(AffineBinaryOpKind.Mul, left, right)


def ceil_div(rw: Rewriter, size: Mixed, by: Mixed) -> Mixed:
    if isinstance(size, int) and isinstance(by, int):
        return -(-size // by)
    expr = AffineBinaryOpExpr(AffineBinaryOpKind.CeilDiv, AffineSymExpr(0), AffineSymExpr(1))
    return index_math.apply(rw, expr, [size, by])


def extreme(
    rw: Rewriter,
    name: str,
    exprs: Sequence[AffineExpr],
    operands: Sequence[Mixed],
    *,
    composed: bool = True,
) -> int | SSAValue:
    """affine.min or affine.max of `exprs`, whose symbols are `operands`; an integer if known.
    Composed, with what computes the operands taken in."""
    values = [v for v in operands if isinstance(v, SSAValue)]
    places = iter(range(len(values)))
    symbols: list[AffineExpr] = [
        AffineConstantExpr(item) if isinstance(item, int) else AffineDimExpr(next(places))
        for item in operands
    ]
    # Each expression by itself, as MLIR composes them: that gives the order of operands.
    dims: list[SSAValue] = []
    others: list[SSAValue] = []
    results: list[AffineExpr] = []
    for expr in exprs:
        start = AffineMap(len(values), 0, (substitute(expr, (), symbols),))
        one, used = fully_canonical(start, values) if composed else (start, values)
        count = one.num_dims
        shifted = [AffineDimExpr(len(dims) + place) for place in range(count)]
        moved = [AffineSymExpr(len(others) + place) for place in range(one.num_symbols)]
        results.append(substitute(one.results[0], shifted, moved))
        dims.extend(used[:count])
        others.extend(used[count:])
    joined = AffineMap(len(dims), len(others), tuple(results))
    map_, values = canonicalize(simplify(joined), [*dims, *others])
    numbers = [r.value for r in map_.results if isinstance(r, AffineConstantExpr)]
    if len(numbers) == len(map_.results):
        return min(numbers) if name == "affine.min" else max(numbers)
    return rw.value(name, values, _INDEX, {"map": AffineMapAttr(map_)})


def tile_size(
    rw: Rewriter, offset: Mixed, tile: Mixed, end: Mixed, *, composed: bool = True
) -> Mixed:
    """How much of a tile at `offset` is inside: all of it where the sizes show it."""
    if tile == 1 or (isinstance(tile, int) and isinstance(end, int) and end % tile == 0):
        return tile
    left = AffineSymExpr(1) - AffineSymExpr(0)
    return extreme(
        rw, "affine.min", [left, AffineSymExpr(2)], [offset, end, tile], composed=composed
    )


def split_mixed(items: Sequence[Mixed]) -> tuple[list[SSAValue], DenseArrayBase]:
    """The dynamic ones, and the static attribute."""
    static = [item if isinstance(item, int) else DYNAMIC_INDEX for item in items]
    return [v for v in items if not isinstance(v, int)], DenseArrayBase.from_list(i64, static)


class Slice:
    """Where a tile of an operand lies."""

    __slots__ = ("offsets", "sizes")

    def __init__(self, offsets: list[Mixed], sizes: list[Mixed]) -> None:
        self.offsets = offsets
        self.sizes = sizes

    def _parts(self) -> tuple[list[list[SSAValue]], dict[str, Attribute]]:
        groups: list[list[SSAValue]] = []
        properties: dict[str, Attribute] = {}
        ones: list[Mixed] = [1] * len(self.sizes)
        parts = {"offsets": self.offsets, "sizes": self.sizes, "strides": ones}
        for name, items in parts.items():
            values, static = split_mixed(items)
            groups.append(values)
            properties[f"static_{name}"] = static
        return groups, properties

    def extract(self, rw: Rewriter, value: SSAValue, dropped: int = 0) -> SSAValue:
        """The tile of `value`: a view of memory, or a part of a tensor, without the last `dropped`
        dimensions."""
        groups, properties = self._parts()
        if value.type.name == "tensor":
            ty = cast("TensorType", value.type)
            kept = self.sizes[: len(self.sizes) - dropped]
            shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in kept]
            result = TensorType(ty.element_type, shape, ty.encoding)
            return rw.value("tensor.extract_slice", [[value], *groups], result, properties)
        from xgpu.dialects.memref.verify_views import infer_subview

        ones = [1] * len(self.sizes)
        offsets, sizes = (
            [i if isinstance(i, int) else None for i in p] for p in (self.offsets, self.sizes)
        )
        view = infer_subview(value.type, offsets, sizes, ones)
        assert view is not None
        return rw.value("memref.subview", [[value], *groups], view, properties)

    def insert(self, rw: Rewriter, value: SSAValue, dest: SSAValue, *, parallel: bool) -> Operation:
        groups, properties = self._parts()
        if parallel:
            name, types = "tensor.parallel_insert_slice", ()
        else:
            name, types = "tensor.insert_slice", (dest.type,)
        return rw.create(name, [[value], [dest], *groups], types, properties)


def slice_of(
    rw: Rewriter, map_: AffineMap, offsets: Sequence[Mixed], sizes: Sequence[Mixed]
) -> Slice:
    """What a tile of the iterations sees of an operand with the indexing map `map_`."""
    found: tuple[list[Mixed], list[Mixed]] = ([], [])
    last = [AffineSymExpr(i) - 1 for i in range(map_.num_dims)]
    symbols = [AffineSymExpr(i) for i in range(map_.num_dims)]
    for result in map_.results:
        if isinstance(result, AffineDimExpr):
            found[0].append(offsets[result.position])
            found[1].append(sizes[result.position])
        else:
            start = substitute(result, symbols, ())
            found[0].append(index_math.apply(rw, start, offsets))
            found[1].append(index_math.apply(rw, substitute(result, last, ()) + 1, sizes))
    return Slice(*found)


def open_parallel(rw: Rewriter) -> Block:
    """The block of a new `scf.forall.in_parallel`."""
    inner = Block()
    rw.create("scf.forall.in_parallel", regions=[Region(inner)])
    return inner


class Tile:
    """The operation on one tile, and where its results belong."""

    __slots__ = ("op", "slices", "values")

    def __init__(
        self,
        op: Operation,
        slices: Sequence[Slice | None],
        values: Sequence[SSAValue] | None = None,
    ) -> None:
        self.op = op
        #: Of each output; None for a scalar.
        self.slices = slices
        #: What belongs there.
        self.values = op.results if values is None else values


def build_tile(
    rw: Rewriter,
    op: Operation,
    outputs: Sequence[SSAValue],
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
) -> Tile:
    """The operation `op`, with `outputs` in place of its own, on one tile."""
    model = _MODELS.get(op.name)
    if model is not None:
        return model.tile(rw, op, outputs, offsets, sizes)
    maps = ops.indexing_maps(op)
    inputs = list(ops.inputs(op))
    slices: list[Slice | None] = []
    for value, map_ in zip([*inputs, *outputs], maps, strict=True):
        sliced = ops.shape_of(value) is not None and len(map_.results) > 0
        slices.append(slice_of(rw, map_, offsets, sizes) if sliced else None)
    values = [
        value if part is None else part.extract(rw, value)
        for value, part in zip([*inputs, *outputs], slices, strict=True)
    ]
    count = len(inputs)
    types = [v.type for v in values[count:] if v.type.name == "tensor"]
    new = clone_structured(rw, op, values[:count], values[count:], types)
    shift_indices(rw, new, offsets)
    return Tile(new, slices[count:])


def shift_indices(rw: Rewriter, op: Operation, offsets: Sequence[Mixed]) -> None:
    """linalg.index in a tile counts from the beginning of the whole."""
    place = rw.anchor, rw.block
    for inner in list(op.walk()):
        if inner.name != "linalg.index":
            continue
        dim = cast("IntegerAttr", inner.properties["dim"])
        offset = offsets[dim.value.data]
        if offset == 0:
            continue
        uses = list(inner.results[0].uses)
        rw.after(inner)
        expr = AffineSymExpr(0) + AffineSymExpr(1)
        shifted = index_math.apply(rw, expr, [inner.results[0], offset])
        assert isinstance(shifted, SSAValue)
        for use in uses:
            use.operation.operands[use.index] = shifted
    rw.anchor, rw.block = place


# --- operations that are not structured ----------------------------------------------------------
# tensor.pad, linalg.softmax, linalg.pack and linalg.unpack.
#
# Source: MLIR 22.1 TensorTilingInterfaceImpl.cpp (bubbleUpPadSlice), LinalgOps.cpp (SoftmaxOp),
# TilingInterfaceImpl.cpp (PackOpTiling, UnPackOpTiling).


class _Model(NamedTuple):
    """How an operation is tiled: the kinds of its loops and their lengths, and a tile."""

    iterators: Callable[[Operation], list[str]]
    domain: Callable[[Rewriter, Operation], list[Mixed]]
    tile: Callable[
        [Rewriter, Operation, Sequence[SSAValue], Sequence[Mixed], Sequence[Mixed]], Tile
    ]


def iterators(op: Operation) -> list[str] | None:
    """The kinds of the loops that tiles are of; None for what cannot be tiled."""
    model = _MODELS.get(op.name)
    if model is not None:
        return model.iterators(op) if _is_tilable(op) else None
    return ops.iterator_types(op) if ops.is_structured(op) else None


def _is_tilable(op: Operation) -> bool:
    if op.name == "tensor.pad":
        return _padding(op) is not None
    return op.name not in ("linalg.pack", "linalg.unpack") or not ops.is_on_buffers(op)


def domain(rw: Rewriter, op: Operation) -> list[Mixed]:
    """The lengths of the loops."""
    model = _MODELS.get(op.name)
    found = loop_sizes(op, rw) if model is None else model.domain(rw, op)
    assert found is not None
    return list(found)


def destinations(rw: Rewriter, op: Operation) -> list[SSAValue]:
    """What the tiles are written to: the outputs, or an empty tensor where there is none."""
    if op.name != "tensor.pad":
        return [op.operands[1]] if op.name in _MODELS else list(ops.outputs(op))
    kind = cast("TensorType", op.results[0].type)
    sizes = _result_sizes(rw, op)
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    return [rw.value("tensor.empty", dynamic, kind)]


def _result_sizes(rw: Rewriter, op: Operation) -> list[Mixed]:
    kind = cast("TensorType", op.results[0].type)
    sizes = [size_of_result(op.results[0], dim, rw) for dim in range(len(kind.get_shape()))]
    return [size for size in sizes if size is not None]


def _parallel(op: Operation) -> list[str]:
    return [ops.PARALLEL] * len(cast("TensorType", op.results[0].type).get_shape())


def _bound(rw: Rewriter, name: str, left: Mixed, right: Mixed) -> Mixed:
    """affine.min or affine.max of two sizes, with what they are computed by taken in."""
    return extreme(rw, name, [AffineSymExpr(0), AffineSymExpr(1)], [left, right])


def _padding(op: Operation) -> SSAValue | None:
    """What a tensor.pad fills with, if that is one value from outside or a constant."""
    block = op.regions[0].block
    last = block.last_op
    assert last is not None
    value = last.operands[0]
    owner = value.owner
    if isinstance(owner, Block):
        return None if owner is block else value
    return None if owner.parent is block and owner.name != "arith.constant" else value


def _minus(rw: Rewriter, left: Mixed, right: Mixed) -> Mixed:
    return index_math.apply(rw, AffineSymExpr(0) - AffineSymExpr(1), [left, right])


def _pad_tile(
    rw: Rewriter,
    op: Operation,
    outputs: Sequence[SSAValue],
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
) -> Tile:
    """A padding of the part of the source that the tile sees; a tile that sees nothing of it is
    all padding."""
    pad = cast("tensor.PadOp", op)
    source = op.operands[0]
    lows, highs = mixed(pad, "low"), mixed(pad, "high")
    starts: list[Mixed] = []
    lengths: list[Mixed] = []
    new_lows: list[Mixed] = []
    new_highs: list[Mixed] = []
    nothing = False
    is_empty: SSAValue | None = None
    for dim, (low, high) in enumerate(zip(lows, highs, strict=True)):
        offset, length = offsets[dim], sizes[dim]
        if low == 0 and high == 0:
            starts.append(offset)
            lengths.append(length)
            new_lows.append(0)
            new_highs.append(0)
            continue
        size = size_of(rw, source, dim)
        has_low = low != 0
        new_low = _bound(rw, "affine.max", 0, _minus(rw, low, offset)) if has_low else 0
        start = offset
        if has_low:
            start = _bound(rw, "affine.max", _minus(rw, offset, low), 0)
        start = _bound(rw, "affine.min", start, size)
        seen = _bound(rw, "affine.min", _minus(rw, size, start), _minus(rw, length, new_low))
        if has_low:
            seen = _bound(rw, "affine.max", seen, 0)
        if seen == 0:
            nothing = True
        elif not nothing:
            check = cmpi(rw, "eq", index_math.as_value(rw, seen), index_math.as_value(rw, 0))
            is_empty = check if is_empty is None else binary(rw, "ori", check, is_empty)
        rest = _minus(rw, _minus(rw, length, seen), new_low) if high != 0 else 0
        starts.append(start)
        lengths.append(seen)
        new_lows.append(new_low)
        new_highs.append(rest)
    where = [Slice(list(offsets), list(sizes))]
    kind = cast("TensorType", op.results[0].type)
    shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
    result = TensorType(kind.element_type, shape)

    def cast_to_result(value: SSAValue) -> SSAValue:
        return value if value.type == result else rw.value("tensor.cast", [value], result)

    def padding_only() -> Operation:
        body = block_with([_INDEX] * len(shape), op.location)
        value = _padding(op)
        assert value is not None
        with rw.inside(body):
            owner = value.owner
            if isinstance(owner, Operation) and owner.parent is op.regions[0].block:
                value = rw.insert(clone_operation(owner)).results[0]
            rw.create("tensor.yield", [value])
        dynamic = [size for size in sizes if isinstance(size, SSAValue)]
        return rw.create("tensor.generate", dynamic, [result], regions=[Region(body)])

    def padded_part() -> Operation:
        part = Slice(starts, lengths).extract(rw, source)
        groups = [[part], *(split_mixed(items)[0] for items in (new_lows, new_highs))]
        inner = [
            low + n + high
            if isinstance(low, int) and isinstance(n, int) and isinstance(high, int)
            else DYNAMIC_INDEX
            for low, n, high in zip(new_lows, lengths, new_highs, strict=True)
        ]
        properties = {
            "static_low": split_mixed(new_lows)[1],
            "static_high": split_mixed(new_highs)[1],
        }
        nofold = attribute_of(op, "nofold")
        if nofold is not None:
            properties["nofold"] = nofold
        return rw.create(
            "tensor.pad",
            groups,
            [TensorType(kind.element_type, inner)],
            properties,
            regions=[clone_operation(op).detach_region(0)],
        )

    if nothing:
        made = padding_only()
        return Tile(made, where, [cast_to_result(made.results[0])])
    if is_empty is None:
        made = padded_part()
        return Tile(made, where, [cast_to_result(made.results[0])])
    tiled: list[Operation] = []

    def filled() -> list[SSAValue]:
        return [cast_to_result(padding_only().results[0])]

    def seen_part() -> list[SSAValue]:
        tiled.append(padded_part())
        return [cast_to_result(tiled[0].results[0])]

    chosen = if_else(rw, is_empty, [result], filled, seen_part)
    return Tile(tiled[0], where, chosen.results)


def _softmax_iterators(op: Operation) -> list[str]:
    rank = len(cast("TensorType", op.operands[0].type).get_shape())
    along = cast("IntegerAttr", op.properties["dimension"]).value.data
    return ["reduction" if dim == along else ops.PARALLEL for dim in range(rank)]


def _source_sizes(rw: Rewriter, op: Operation) -> list[Mixed]:
    rank = len(cast("TensorType", op.operands[0].type).get_shape())
    return [size_of(rw, op.operands[0], dim) for dim in range(rank)]


def _softmax_tile(
    rw: Rewriter,
    op: Operation,
    outputs: Sequence[SSAValue],
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
) -> Tile:
    where = Slice(list(offsets), list(sizes))
    values = [where.extract(rw, value) for value in (op.operands[0], outputs[0])]
    types = [values[1].type] if values[1].type.name == "tensor" else []
    made = rw.create(op.name, values, types, dict(op.properties), dict(op.attributes))
    return Tile(made, [where])


# --- linalg.pack ---------------------------------------------------------------------------------
def _numbers(op: Operation, name: str) -> list[int]:
    attr = cast("DenseArrayBase[IntegerType] | None", op.properties.get(name))
    return [int(number) for number in attr.get_values()] if attr is not None else []


def _pack_iterators(op: Operation) -> list[str]:
    return [ops.PARALLEL] * len(cast("TensorType", op.operands[0].type).get_shape())


def _pack_domain(rw: Rewriter, op: Operation) -> list[Mixed]:
    rank = len(cast("TensorType", op.operands[0].type).get_shape())
    return [size_of(rw, op.operands[1], dim) for dim in range(rank)]


def _pack_tile(
    rw: Rewriter,
    op: Operation,
    outputs: Sequence[SSAValue],
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
) -> Tile:
    """A pack of the part of the source that the outer dimensions of the tile are made of."""
    source = op.operands[0]
    groups = [list(cast("OdsOperation", op).operand_group(index)) for index in range(4)]
    rank = len(offsets)
    order = _numbers(op, "outer_dims_perm") or list(range(rank))
    inner = dict(zip(_numbers(op, "inner_dims_pos"), _inner_tiles(op, groups[3]), strict=True))
    source_sizes = [size_of(rw, source, dim) for dim in range(rank)]
    starts: list[Mixed] = [offsets[order.index(dim)] for dim in range(rank)]
    lengths: list[Mixed] = [sizes[order.index(dim)] for dim in range(rank)]
    product = times(AffineSymExpr(0), AffineSymExpr(1))
    for dim in range(rank):
        tile = inner.get(dim)
        if tile is not None:
            starts[dim] = index_math.apply(rw, product, [starts[dim], tile])
            lengths[dim] = index_math.apply(rw, product, [lengths[dim], tile])
        if groups[2]:
            left = _minus(rw, source_sizes[dim], starts[dim])
            lengths[dim] = _bound(rw, "affine.min", lengths[dim], left)
    part = Slice(starts, lengths).extract(rw, source)
    whole = cast("TensorType", outputs[0].type).get_shape()
    tiles: list[Mixed] = [size_of(rw, outputs[0], dim) for dim in range(rank, len(whole))]
    where = Slice([*offsets, *[0] * len(tiles)], [*sizes, *tiles])
    dest = where.extract(rw, outputs[0])
    made = rw.create(
        op.name,
        [[part], [dest], groups[2], groups[3]],
        [dest.type],
        {key: value for key, value in op.properties.items() if key != "operandSegmentSizes"},
        dict(op.attributes),
    )
    return Tile(made, [where])


def _inner_tiles(op: Operation, dynamic: Sequence[SSAValue]) -> list[Mixed]:
    values = iter(dynamic)
    static = _numbers(op, "static_inner_tiles")
    return [next(values) if number == DYNAMIC_INDEX else number for number in static]


# --- linalg.unpack -------------------------------------------------------------------------------
class _UnpackedDim(NamedTuple):
    """What a tile along one dimension sees of the source, and where it lies in what that gives."""

    start: Mixed
    extent: Mixed
    offset: Mixed
    length: Mixed
    is_aligned: bool


def _unpacked_dim(rw: Rewriter, offset: Mixed, size: Mixed, inner: Mixed | None) -> _UnpackedDim:
    """`inner` is the length of the inner tiles of the dimension, None if it has none."""
    if inner is None:
        return _UnpackedDim(offset, size, 0, size, True)
    bounds = ValueBounds()
    most = size if isinstance(size, int) else bounds.upper(bounds.value(size))
    left, right = AffineSymExpr(0), AffineSymExpr(1)
    start = index_math.apply(rw, _binary(AffineBinaryOpKind.FloorDiv, left, right), [offset, inner])
    if most is not None and isinstance(inner, int) and most % inner == 0:
        whole = _binary(AffineBinaryOpKind.CeilDiv, left, right)
        count: Mixed = 1 if most == inner else index_math.apply(rw, whole, [size, inner])
        return _UnpackedDim(start, count, 0, size, True)
    rest = _binary(AffineBinaryOpKind.Mod, left, right)
    inside = index_math.apply(rw, rest, [offset, inner])
    after = _binary(AffineBinaryOpKind.FloorDiv, left + right - 1, AffineSymExpr(2))
    before = _binary(AffineBinaryOpKind.FloorDiv, left, AffineSymExpr(2))
    count = index_math.apply(rw, after - before + 1, [offset, size, inner])
    length: Mixed
    if isinstance(count, int) and isinstance(inner, int):
        length = count * inner
    else:
        length = binary(rw, "muli", index_math.as_value(rw, count), index_math.as_value(rw, inner))
    return _UnpackedDim(start, count, inside, length, False)


def _binary(kind: AffineBinaryOpKind, left: AffineExpr, right: AffineExpr) -> AffineExpr:
    return AffineBinaryOpExpr(kind, left, right)


def _unpack_domain(rw: Rewriter, op: Operation) -> list[Mixed]:
    rank = len(cast("TensorType", op.results[0].type).get_shape())
    return [size_of(rw, op.operands[1], dim) for dim in range(rank)]


def _unpack_tile(
    rw: Rewriter,
    op: Operation,
    outputs: Sequence[SSAValue],
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
) -> Tile:
    """An unpack of the inner tiles that the tile lies in. Where its ends are inside of such, it is
    cut out of what they give."""
    dynamic = list(cast("OdsOperation", op).operand_group(2))
    tiles = _inner_tiles(op, dynamic)
    inner = dict(zip(_numbers(op, "inner_dims_pos"), tiles, strict=True))
    rank = len(offsets)
    dims = [_unpacked_dim(rw, offsets[dim], sizes[dim], inner.get(dim)) for dim in range(rank)]
    order = _numbers(op, "outer_dims_perm") or list(range(rank))
    starts = [dims[dim].start for dim in order]
    counts = [dims[dim].extent for dim in order]
    zeros: list[Mixed] = [0] * len(tiles)
    part = Slice([*starts, *zeros], [*counts, *tiles]).extract(rw, op.operands[0])
    where = Slice(list(offsets), list(sizes))
    is_aligned = all(dim.is_aligned for dim in dims)
    if is_aligned:
        dest = where.extract(rw, outputs[0])
    else:
        lengths = [dim.length for dim in dims]
        values = [length for length in lengths if isinstance(length, SSAValue)]
        element = cast("TensorType", outputs[0].type).element_type
        shape = [n if isinstance(n, int) else DYNAMIC_INDEX for n in lengths]
        dest = rw.value("tensor.empty", values, TensorType(element, shape))
    made = rw.create(
        op.name,
        [part, dest, *dynamic],
        [dest.type],
        dict(op.properties),
        dict(op.attributes),
    )
    if is_aligned:
        return Tile(made, [where])
    cut = Slice([dim.offset for dim in dims], list(sizes))
    return Tile(made, [where], [cut.extract(rw, made.results[0])])


_MODELS: dict[str, _Model] = {
    "linalg.unpack": _Model(_parallel, _unpack_domain, _unpack_tile),
    "linalg.pack": _Model(_pack_iterators, _pack_domain, _pack_tile),
    "linalg.softmax": _Model(_softmax_iterators, _source_sizes, _softmax_tile),
    "tensor.pad": _Model(_parallel, _result_sizes, _pad_tile),
}
