# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scf-parallel-loop-tiling`: the innermost scf.parallel in tiles.

A loop over the tiles gets the bounds that were there and steps of a tile; a loop in it goes through
a tile. The last tile of a dimension may be cut off: the inner loop then ends at a minimum that is
computed, or at the tile's full size and asks of each index whether it is in bounds. Source: MLIR
22.1 ParallelLoopTiling.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr, IndexType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import operations_of, replace_all_uses
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant, binary, cmpi, constant

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import scf

_NAME = "scf.parallel"
_INDEX = IndexType()
#: The size of a tile, or what is left of the loop.
_MIN = AffineMapAttr(AffineMap(3, 0, (AffineDimExpr(0), AffineDimExpr(1) - AffineDimExpr(2))))


def _loop(
    rw: Rewriter, lower: Sequence[SSAValue], upper: Sequence[SSAValue], step: Sequence[SSAValue]
) -> Block:
    """Creates a loop without results; its body, which ends in an scf.reduce."""
    block = Block(arg_types=[_INDEX] * len(lower))
    operands = [list(lower), list(upper), list(step), []]
    rw.create(_NAME, operands, regions=(Region(block),))
    rw.at_end(block)
    rw.anchor = rw.create("scf.reduce")
    return block


def _is_cut(lower: SSAValue, upper: SSAValue, step: SSAValue, tile: int) -> bool:
    """Whether there may be a tile that is not full."""
    first, last, width = int_of(lower), int_of(upper), int_of(step)
    if first is None or last is None or not width:
        return True
    return -(-(last - first) // width) % tile != 0


def tile(loop: scf.ParallelOp, sizes: Sequence[int], *, checked: bool) -> None:
    """Replaces a loop by one over tiles of so many iterations per dimension, 1 for those without a
    size. With `checked` the body is in an scf.if."""
    rw = Rewriter(loop)
    lower, upper, step = loop.operand_group(0), loop.operand_group(1), loop.operand_group(2)
    tiles = [*sizes, *([1] * len(lower))][: len(lower)]
    zero = constant(rw, 0, _INDEX)
    widths = [constant(rw, size, _INDEX) for size in tiles]
    outer_step = [binary(rw, "muli", s, w) for s, w in zip(step, widths, strict=True)]
    outer = _loop(rw, lower, upper, outer_step)
    cut = [_is_cut(*bounds) for bounds in zip(lower, upper, step, tiles, strict=True)]
    ends: list[SSAValue] = []
    for i, size in enumerate(outer_step):
        if cut[i] and not checked:
            operands = (size, upper[i], outer.args[i])
            ends.append(rw.value("affine.min", operands, _INDEX, {"map": _MIN}))
        else:
            ends.append(size)
    inner = _loop(rw, [zero] * len(lower), ends, step)
    indices = [
        binary(rw, "addi", here, start) for here, start in zip(inner.args, outer.args, strict=True)
    ]
    if checked and any(cut):
        _check(rw, indices, upper)
    _move_body(rw, loop, indices)
    Rewriter(loop).erase(loop)


def _check(rw: Rewriter, indices: Sequence[SSAValue], upper: Sequence[SSAValue]) -> None:
    """What is built from here on happens only if all indices are in bounds."""
    inside = attribute_constant(rw, BoolAttr.from_bool(True), i1)
    for index, end in zip(indices, upper, strict=True):
        inside = binary(rw, "andi", inside, cmpi(rw, "slt", index, end))
    block = Block()
    rw.create("scf.if", (inside,), regions=(Region(block), Region()))
    rw.at_end(block)
    rw.anchor = rw.create("scf.yield")


def _move_body(rw: Rewriter, loop: scf.ParallelOp, indices: Sequence[SSAValue]) -> None:
    body = loop.regions[0].blocks[0]
    for old, new in zip(body.args, indices, strict=True):
        replace_all_uses(old, new)
    for op in operations_of(body)[:-1]:
        op.detach()
        rw.insert(op)


def innermost(root: Operation) -> list[Operation]:
    """The scf.parallel that contain no other."""
    loops = [op for op in root.walk() if op.name == _NAME]
    enclosing: set[int] = set()
    for loop in loops:
        parent = loop.parent_op()
        while parent is not None and id(parent) not in enclosing:
            enclosing.add(id(parent))
            parent = parent.parent_op()
    return [loop for loop in loops if id(loop) not in enclosing]


class SCFParallelLoopTiling(Pass):
    """Tiles parallel loops that reduce nothing."""

    name = "scf-parallel-loop-tiling"
    summary = "Tile parallel loops"
    options = (
        Option(
            "parallel-loop-tile-sizes", list, (), "Factors to tile parallel loops by", element=int
        ),
        Option(
            "no-min-max-bounds",
            bool,
            False,
            "Perform tiling with fixed upper bound with inbound check inside the internal loops",
        ),
    )
    parallel_loop_tile_sizes: Sequence[int]
    no_min_max_bounds: bool

    def run(self, op: Operation, ctx: Context) -> None:
        for size in self.parallel_loop_tile_sizes:
            if size == 0:
                raise error(op, "tile size cannot be 0")
            if size < 0:
                raise error(op, f"tile size cannot be negative: {size}")
        for loop in innermost(op):
            if not loop.results:
                tile(
                    cast("scf.ParallelOp", loop),
                    self.parallel_loop_tile_sizes,
                    checked=self.no_min_max_bounds,
                )
