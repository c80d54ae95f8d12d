# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linalg.pack and linalg.unpack as linalg.generic: each element of the result finds its own place
in the source.

    linalg.unpack %p inner_dims_pos = [0] inner_tiles = [4] into %out
        : tensor<?x4xf32> -> tensor<?xf32>
    =>
    linalg.generic outs(%out) {
      %i = linalg.index 0
      %v = tensor.extract %p[%i / 4, %i mod 4]
      linalg.yield %v
    }

One kernel then moves the elements, whatever the order of tiles. (MLIR decomposes them into pads,
reshapes and transpositions instead.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, SSAValue

from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.transforms.linalg.decompose_softmax import Body, generic
from xgpu.transforms.linalg.vectorization.packing import group, numbers
from xgpu.transforms.linalg.vectorization.whole import sizes_of
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter

_INDEX = IndexType()
_ULT = 6  # arith.cmpi's predicate


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
    predicate = {"predicate": IntegerAttr(_ULT, i64)}
    return rw.value("arith.cmpi", [index, as_value(rw, size)], IntegerType(1), predicate)


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
