# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hilbert's curve through all tiles of a rectangle of any size.

Part of the curve goes through a box of `width` by `height` tiles, from one corner along the side
`width` to the next corner. It is cut, and the part that has the wanted tile is cut again, until it
is a row:

    a wide box (2 width > 3 height) into two, both along the same side;
    others into three: up the first half's side, along the upper half, down the second half's side.

Halves have an even length where there is one, so that each part ends beside where the next begins
(that fails only where a side is even and the other odd, by a diagonal step). A box's sides are a
number of tiles and a direction along m and n each; directions are -1, 0 or 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import IndexType, i32
from xdsl.ir import SSAValue

from xgpu.kernels.circular import numbers
from xgpu.transforms.scf.builders import while_loop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number

_INDEX = IndexType()


class _Box(NamedTuple):
    """Tile `rest` of the curve in a box that begins at (m, n), with its two sides."""

    rest: Number
    m: Number
    n: Number
    width: Number
    height: Number
    #: The directions of the sides `width` and `height`, along m and along n.
    across_m: Number
    across_n: Number
    up_m: Number
    up_n: Number


def place_on_curve(
    rw: Rewriter, tile: Number, rows: Number, columns: Number
) -> tuple[SSAValue, SSAValue]:
    """Where tile number `tile` of a grid of `rows` by `columns` is, along m and n."""
    is_tall = numbers.compare(rw, numbers.SLT, columns, rows)
    start = _Box(
        tile, 0, 0,
        numbers.largest(rw, rows, columns), numbers.smallest(rw, rows, columns),
        *(_select(rw, is_tall, *ends) for ends in ((1, 0), (0, 1), (0, 1), (1, 0))),
    )  # fmt: skip
    loop = while_loop(
        rw,
        _narrow(rw, start),
        lambda state: _is_plane(rw, _wide(rw, state)),
        lambda state: _narrow(rw, _cut(rw, _wide(rw, state))),
    )
    row = _wide(rw, loop.results)
    is_flat = numbers.compare(rw, numbers.EQ, row.height, 1)
    along_m = _select(rw, is_flat, row.across_m, row.up_m)
    along_n = _select(rw, is_flat, row.across_n, row.up_n)
    m = numbers.add(rw, row.m, numbers.mul(rw, along_m, row.rest))
    n = numbers.add(rw, row.n, numbers.mul(rw, along_n, row.rest))
    return numbers.value(rw, m), numbers.value(rw, n)


def _narrow(rw: Rewriter, box: Sequence[Number]) -> list[SSAValue]:
    """What goes around the loop, in 32 bits: warps that only copy have few registers, and a launch
    has no more blocks along a side than these say."""
    return [rw.value("arith.index_cast", [numbers.value(rw, one)], i32) for one in box]


def _wide(rw: Rewriter, state: Sequence[SSAValue]) -> _Box:
    return _Box(*(rw.value("arith.index_cast", [one], _INDEX) for one in state))


def _is_plane(rw: Rewriter, box: _Box) -> SSAValue:
    """Whether both sides are longer than one tile."""
    shorter = numbers.smallest(rw, box.width, box.height)
    return numbers.compare(rw, numbers.SLT, 1, shorter)


def _cut(rw: Rewriter, box: _Box) -> Sequence[Number]:
    """The part of a box's curve that has the wanted tile."""
    is_wide = numbers.compare(
        rw, numbers.SLT, numbers.mul(rw, box.height, 3), numbers.mul(rw, box.width, 2)
    )
    two, three = _two_parts(rw, box), _three_parts(rw, box)
    return [_select(rw, is_wide, left, right) for left, right in zip(two, three, strict=True)]


def _two_parts(rw: Rewriter, box: _Box) -> _Box:
    half = _even_half(rw, box.width)
    tiles = numbers.mul(rw, half, box.height)
    first = box._replace(width=half)
    second = _moved(rw, box, half, 0)._replace(
        rest=numbers.sub(rw, box.rest, tiles), width=numbers.sub(rw, box.width, half)
    )
    return _either(rw, numbers.compare(rw, numbers.SLT, box.rest, tiles), first, second)


def _three_parts(rw: Rewriter, box: _Box) -> _Box:
    half, middle = _even_half(rw, box.height), numbers.div(rw, box.width, 2)
    above = numbers.sub(rw, box.height, half)
    up_tiles = numbers.mul(rw, half, middle)
    across_tiles = numbers.mul(rw, box.width, above)
    later = numbers.sub(rw, box.rest, up_tiles)
    up = box._replace(
        width=half, height=middle,
        across_m=box.up_m, across_n=box.up_n, up_m=box.across_m, up_n=box.across_n,
    )  # fmt: skip
    across = _moved(rw, box, 0, half)._replace(rest=later, height=above)
    corner = _moved(rw, box, numbers.sub(rw, box.width, 1), numbers.sub(rw, half, 1))
    down = _Box(
        numbers.sub(rw, later, across_tiles), corner.m, corner.n,
        half, numbers.sub(rw, box.width, middle),
        *(numbers.sub(rw, 0, way) for way in (box.up_m, box.up_n, box.across_m, box.across_n)),
    )  # fmt: skip
    behind = _either(rw, numbers.compare(rw, numbers.SLT, later, across_tiles), across, down)
    return _either(rw, numbers.compare(rw, numbers.SLT, box.rest, up_tiles), up, behind)


def _even_half(rw: Rewriter, side: Number) -> Number:
    """Half of a side, rounded to the next even number where the side is longer than two."""
    half = numbers.div(rw, side, 2)
    is_long = numbers.compare(rw, numbers.SLT, 2, side)
    more = rw.value("arith.select", [
        is_long, numbers.value(rw, numbers.rem(rw, half, 2)), numbers.value(rw, 0)
    ], _INDEX)  # fmt: skip
    return numbers.add(rw, half, more)


def _moved(rw: Rewriter, box: _Box, across: Number, up: Number) -> _Box:
    """`box` as many tiles further along its sides."""

    def along(begin: Number, first: Number, second: Number) -> Number:
        begin = numbers.add(rw, begin, numbers.mul(rw, first, across)) if across else begin
        return numbers.add(rw, begin, numbers.mul(rw, second, up)) if up else begin

    return box._replace(
        m=along(box.m, box.across_m, box.up_m), n=along(box.n, box.across_n, box.up_n)
    )


def _either(rw: Rewriter, condition: SSAValue, left: _Box, right: _Box) -> _Box:
    return _Box(*(_select(rw, condition, a, b) for a, b in zip(left, right, strict=True)))


def _select(rw: Rewriter, condition: SSAValue, left: Number, right: Number) -> Number:
    if left is right:
        return left
    operands = [condition, numbers.value(rw, left), numbers.value(rw, right)]
    return rw.value("arith.select", operands, _INDEX)
