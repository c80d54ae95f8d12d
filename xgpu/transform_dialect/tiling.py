# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tile of a structured operation: slices of its operands, and the operation on them.

Source: MLIR 22.1 Linalg/Utils (computeSliceParameters), TilingInterfaceImpl.cpp. Index arithmetic
that nothing uses is not built.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed, substitute
from xgpu.dialects.affine.simplify import canonicalize, simplify
from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.cloning import clone_structured

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.rewriter import Rewriter

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
    rw: Rewriter, name: str, exprs: Sequence[AffineExpr], operands: Sequence[Mixed]
) -> int | SSAValue:
    """affine.min or affine.max of `exprs`, whose symbols are `operands`; an integer if known."""
    values = [v for v in operands if isinstance(v, SSAValue)]
    symbols: list[AffineExpr] = []
    for operand in operands:
        if isinstance(operand, int):
            symbols.append(AffineConstantExpr(operand))
        else:
            symbols.append(AffineDimExpr(sum(isinstance(s, AffineDimExpr) for s in symbols)))
    results = tuple(substitute(expr, (), symbols) for expr in exprs)
    map_ = AffineMap(len(values), 0, results)
    map_, values = canonicalize(simplify(map_), values)
    numbers = [r.value for r in map_.results if isinstance(r, AffineConstantExpr)]
    if len(numbers) == len(map_.results):
        return min(numbers) if name == "affine.min" else max(numbers)
    return rw.value(name, values, _INDEX, {"map": AffineMapAttr(map_)})


def tile_size(rw: Rewriter, offset: Mixed, tile: Mixed, end: Mixed) -> Mixed:
    """How much of a tile at `offset` is inside: all of it where the sizes show it."""
    if tile == 1 or (isinstance(tile, int) and isinstance(end, int) and end % tile == 0):
        return tile
    left = AffineSymExpr(1) - AffineSymExpr(0)
    return extreme(rw, "affine.min", [left, AffineSymExpr(2)], [offset, end, tile])


def split(items: Sequence[Mixed]) -> tuple[list[SSAValue], DenseArrayBase]:
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
            values, static = split(items)
            groups.append(values)
            properties[f"static_{name}"] = static
        return groups, properties

    def extract(self, rw: Rewriter, value: SSAValue) -> SSAValue:
        """The tile of `value`: a view of memory, or a part of a tensor."""
        groups, properties = self._parts()
        if value.type.name == "tensor":
            ty = cast("TensorType", value.type)
            shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in self.sizes]
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


class Tile:
    """The operation on one tile, and where its results belong."""

    __slots__ = ("op", "slices")

    def __init__(self, op: Operation, slices: list[Slice | None]) -> None:
        self.op = op
        #: Of each output; None for a scalar.
        self.slices = slices


def build_tile(
    rw: Rewriter,
    op: Operation,
    outputs: Sequence[SSAValue],
    offsets: Sequence[Mixed],
    sizes: Sequence[Mixed],
) -> Tile:
    """The structured operation `op`, with `outputs` in place of its own, on one tile."""
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
    _shift_indices(rw, new, offsets)
    return Tile(new, slices[count:])


def _shift_indices(rw: Rewriter, op: Operation, offsets: Sequence[Mixed]) -> None:
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
