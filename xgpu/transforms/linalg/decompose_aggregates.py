# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`linalg-decompose-aggregates`: linalg.softmax, linalg.pack, linalg.unpack and tensor.pad in
terms of simpler operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, nan
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xgpu.core.ir import constants
from xgpu.core.ir.blocks import block_for
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant, cmpi
from xgpu.dialects.linalg import ops
from xgpu.dialects.linalg.bodies import build_region
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.transforms.linalg.generalize_named_ops import description
from xgpu.transforms.linalg.vectorization.packing import constant_padding, group, numbers, outside
from xgpu.transforms.linalg.vectorization.vectors import size_at, sizes_of
from xgpu.transforms.memref.result_sizes import mixed
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir.affine import AffineMap

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# --- decompose pad -------------------------------------------------------------------------------
# tensor.pad as what is around, and an insertion of the source.
#
#     %p = tensor.pad %a low[1] high[2] { yield %c } : tensor<5xf32> to tensor<8xf32>
#     =>
#     %e = tensor.empty() : tensor<8xf32>
#     %f = linalg.fill ins(%c) outs(%e)
#     %p = tensor.insert_slice %a into %f[1] [5] [1]
#
# What depends on the place is computed by tensor.generate. Source: MLIR 22.1
# ConvertToDestinationStyle.cpp, Transforms.cpp (DecomposePadOpPattern).


def create_fill(rw: Rewriter, value: SSAValue, dest: SSAValue) -> Operation:
    """linalg.fill of the tensor or memref `dest` with `value`."""
    region = build_region("linalg.fill", [value, dest], {}, 1, rw.location)
    types = [dest.type] if isinstance(dest.type, TensorType) else []
    return rw.create("linalg.fill", [[value], [dest]], types, regions=[region])


def decompose_pad(op: Operation, rw: GreedyRewriter) -> bool:
    kind = cast("TensorType[Attribute]", op.results[0].type)
    source = op.operands[0]
    low, high = mixed(op, "low", 1), mixed(op, "high", 1 + _dynamic_lows(op))
    dynamic: list[SSAValue] = []
    for dim, size in enumerate(kind.get_shape()):
        if size == DYNAMIC:
            inner = as_value(rw, size_at(rw, source, dim))
            dynamic.append(_sum(rw, _sum(rw, inner, low[dim]), high[dim]))
    around = _around(op, rw, kind, dynamic)
    sizes = sizes_of(rw, source)
    groups: list[list[SSAValue]] = [[source], [around]]
    properties: dict[str, Attribute] = {}
    ones: list[Mixed] = [1] * len(sizes)
    for name, items in (("offsets", low), ("sizes", sizes), ("strides", ones)):
        groups.append([item for item in items if isinstance(item, SSAValue)])
        numbers = [item if isinstance(item, int) else DYNAMIC for item in items]
        properties[f"static_{name}"] = DenseArrayBase.from_list(i64, numbers)
    rw.replace_with(op, "tensor.insert_slice", groups, [kind], properties)
    return True


def _dynamic_lows(op: Operation) -> int:
    lows = cast("DenseArrayBase[IntegerType]", op.properties["static_low"]).get_values()
    return sum(number == DYNAMIC for number in lows)


def _sum(rw: Rewriter, left: SSAValue, right: Mixed) -> SSAValue:
    if right == 0:
        return left
    return rw.value("arith.addi", [left, as_value(rw, right)], left.type)


def _around(
    op: Operation, rw: Rewriter, kind: TensorType[Attribute], dynamic: list[SSAValue]
) -> SSAValue:
    """A tensor of the padded size that is padding everywhere."""
    value = constant_padding(op)
    empty = rw.value("tensor.empty", dynamic, kind)
    if value is not None:
        return create_fill(rw, outside(rw, op, value), empty).results[0]
    region = Region()
    op.regions[0].move_blocks(region)
    return rw.create("tensor.generate", dynamic, [kind], regions=[region]).results[0]


PAD_PATTERNS: dict[str, tuple[Pattern, ...]] = {"tensor.pad": (decompose_pad,)}


# --- decompose softmax ---------------------------------------------------------------------------
# linalg.softmax as its four steps.
#
#     %max = linalg.generic (maximum along the dimension) ins(%x) outs(fill NaN)
#     %numerator = linalg.generic { exp(x - max) } ins(%x, %max) outs(%out)
#     %sum = linalg.generic (sum along the dimension) ins(%numerator) outs(fill 0)
#     %result = linalg.generic { numerator / sum } ins(%numerator, %sum) outs(%out)
#
# Source: MLIR 22.1 LinalgOps.cpp (SoftmaxOp::decomposeOperation).


Body = Callable[["Rewriter", Sequence[SSAValue]], SSAValue]


def generic(
    rw: Rewriter,
    inputs: Sequence[SSAValue],
    output: SSAValue,
    maps: Sequence[AffineMap],
    iterators: Sequence[str],
    body: Body,
) -> Operation:
    """A linalg.generic of one output, whose body gets the arguments and gives what it yields."""
    operands = [*inputs, output]
    block = block_for(operands, [ops.scalar_type(value) for value in operands])
    types = [output.type] if isinstance(output.type, TensorType) else []
    made = rw.create(
        "linalg.generic",
        [list(inputs), [output]],
        types,
        description(maps, iterators),
        regions=[Region(block)],
    )
    with rw.inside(block):
        rw.create("linalg.yield", [body(rw, list(block.args))])
    return made


def decompose_softmax(rw: Rewriter, op: Operation) -> list[SSAValue] | None:
    """Builds the steps before `op`; None if it works on memrefs."""
    source, output = group(op, 0)[0], group(op, 1)[0]
    kind = source.type
    if not isinstance(kind, TensorType) or not isinstance(kind.element_type, AnyFloat):
        return None
    rw.before(op)
    rw.location = op.location
    element: AnyFloat = kind.element_type
    rank = len(kind.get_shape())
    dimension = cast("IntegerAttr[IntegerType]", op.properties["dimension"]).value.data
    identity = ops.select(rank, range(rank))
    rows = ops.select(rank, [d for d in range(rank) if d != dimension])
    parallel = [ops.PARALLEL] * rank
    reducing = list(parallel)
    reducing[dimension] = ops.REDUCTION
    sizes = [size for d, size in enumerate(sizes_of(rw, source)) if d != dimension]
    static = [size for d, size in enumerate(kind.get_shape()) if d != dimension]
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    row = rw.value("tensor.empty", dynamic, TensorType(element, static))

    def reduce(value: SSAValue, start: float, name: str) -> SSAValue:
        attr = constants.make(element, start)
        assert attr is not None
        init = create_fill(rw, attribute_constant(rw, attr, element), row).results[0]
        return generic(
            rw,
            [value],
            init,
            [identity, rows],
            reducing,
            lambda rw, args: rw.value(name, list(args), element),
        ).results[0]

    def elementwise(inputs: Sequence[SSAValue], body: Body) -> SSAValue:
        maps = [identity, rows, identity]
        return generic(rw, inputs, output, maps, parallel, body).results[0]

    # The neutral element of maxnumf is a NaN, MLIR takes the negative one.
    largest = reduce(source, copysign(nan, -1), "arith.maxnumf")
    numerator = elementwise([source, largest], _exponential)
    total = reduce(numerator, 0.0, "arith.addf")
    return [elementwise([numerator, total], _quotient)]


def _exponential(rw: Rewriter, args: Sequence[SSAValue]) -> SSAValue:
    difference = rw.value("arith.subf", [args[0], args[1]], args[0].type)
    return rw.value("math.exp", [difference], args[0].type)


def _quotient(rw: Rewriter, args: Sequence[SSAValue]) -> SSAValue:
    return rw.value("arith.divf", [args[0], args[1]], args[0].type)


# --- decompose packs -----------------------------------------------------------------------------
# linalg.pack and linalg.unpack as linalg.generic: each element of the result finds its own place
# in the source.
#
#     linalg.unpack %p inner_dims_pos = [0] inner_tiles = [4] into %out
#         : tensor<?x4xf32> -> tensor<?xf32>
#     =>
#     linalg.generic outs(%out) {
#       %i = linalg.index 0
#       %v = tensor.extract %p[%i / 4, %i mod 4]
#       linalg.yield %v
#     }
#
# One kernel then moves the elements, whatever the order of tiles. (MLIR decomposes them into pads,
# reshapes and transpositions instead.)


_INDEX = IndexType()


class _Tiles:
    """The tiles of a pack or unpack: for each plain dimension its place in the packed shape."""

    def __init__(self, op: Operation, rank: int) -> None:
        self.positions = numbers(op, "inner_dims_pos")
        self.order = numbers(op, "outer_dims_perm") or list(range(rank))
        dynamic = iter(group(op, 3 if op.name == "linalg.pack" else 2))
        self.sizes: list[Mixed] = [
            next(dynamic) if size == DYNAMIC else size for size in numbers(op, "static_inner_tiles")
        ]
        self.rank = rank

    def outer(self, dim: int) -> int:
        """The packed dimension that counts tiles along `dim`."""
        return self.order.index(dim)

    def inner(self, dim: int) -> tuple[int, Mixed] | None:
        """The packed dimension within a tile along `dim`, and the tile's size."""
        if dim not in self.positions:
            return None
        at = self.positions.index(dim)
        return self.rank + at, self.sizes[at]


def _index(rw: Rewriter, dim: int) -> SSAValue:
    return rw.value("linalg.index", (), _INDEX, {"dim": IntegerAttr(dim, i64)})


def _read(rw: Rewriter, source: SSAValue, place: Sequence[SSAValue]) -> SSAValue:
    return rw.value("tensor.extract", [source, *place], ops.scalar_type(source))


def decompose_pack(rw: Rewriter, op: Operation) -> list[SSAValue]:
    source, dest = group(op, 0)[0], group(op, 1)[0]
    rw.before(op)
    rw.location = op.location
    tiles = _Tiles(op, ops.rank_of(source))
    padding = group(op, 2)
    sizes = sizes_of(rw, source) if padding else []

    def body(rw: Rewriter, _: Sequence[SSAValue]) -> SSAValue:
        place: list[SSAValue] = []
        inside: SSAValue | None = None
        for dim in range(tiles.rank):
            index = _index(rw, tiles.outer(dim))
            inner = tiles.inner(dim)
            if inner is not None:
                first = rw.value("arith.muli", [index, as_value(rw, inner[1])], _INDEX)
                index = rw.value("arith.addi", [first, _index(rw, inner[0])], _INDEX)
            place.append(index)
            if inner is not None and padding:
                inside = _both(rw, inside, _less(rw, index, sizes[dim]))
        if inside is None:
            return _read(rw, source, place)
        element = ops.scalar_type(source)
        return if_else(
            rw, inside, [element], lambda: [_read(rw, source, place)], lambda: [padding[0]]
        ).results[0]

    return _move(rw, dest, body)


def _less(rw: Rewriter, index: SSAValue, size: Mixed) -> SSAValue:
    return cmpi(rw, "ult", index, as_value(rw, size))


def _both(rw: Rewriter, left: SSAValue | None, right: SSAValue) -> SSAValue:
    return right if left is None else rw.value("arith.andi", [left, right], right.type)


def decompose_unpack(rw: Rewriter, op: Operation) -> list[SSAValue]:
    source, dest = group(op, 0)[0], group(op, 1)[0]
    rw.before(op)
    rw.location = op.location
    tiles = _Tiles(op, ops.rank_of(dest))

    def body(rw: Rewriter, _: Sequence[SSAValue]) -> SSAValue:
        place: dict[int, SSAValue] = {}
        for dim in range(tiles.rank):
            index = _index(rw, dim)
            inner = tiles.inner(dim)
            if inner is not None:
                size = as_value(rw, inner[1])
                place[inner[0]] = rw.value("arith.remui", [index, size], _INDEX)
                index = rw.value("arith.divui", [index, size], _INDEX)
            place[tiles.outer(dim)] = index
        return _read(rw, source, [place[d] for d in sorted(place)])

    return _move(rw, dest, body)


def _move(rw: Rewriter, dest: SSAValue, body: Body) -> list[SSAValue]:
    rank = ops.rank_of(dest)
    identity = ops.select(rank, range(rank))
    iterators = [ops.PARALLEL] * rank
    return list(generic(rw, [], dest, [identity], iterators, body).results)


# --- decompose aggregates ------------------------------------------------------------------------
# `linalg-decompose-aggregates`: linalg.softmax, linalg.pack and linalg.unpack in terms of
# linalg.generic and linalg.fill, of which kernels can be made.
#
# linalg.softmax becomes what MLIR's `transform.structured.decompose_interface` makes of it.


class LinalgDecomposeAggregatesPass(Pass):
    """Operations that stand for several become these."""

    name = "linalg-decompose-aggregates"
    summary = "Softmax, pack and unpack become linalg.generic"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in list(op.walk()):
            rw = Rewriter(inner)
            match inner.name:
                case "linalg.softmax":
                    values = decompose_softmax(rw, inner)
                    if values is None:
                        raise error(inner, "linalg.softmax of buffers is not decomposed")
                case "linalg.pack":
                    values = decompose_pack(rw, inner)
                case "linalg.unpack":
                    values = decompose_unpack(rw, inner)
                case _:
                    continue
            rw.replace(inner, values)
