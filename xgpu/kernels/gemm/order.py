# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tile of the result a block has, and in which order blocks that stay take them.

"rows" goes along n first, as blocks are numbered. "swizzled" goes down eight tiles along m before
it goes on along n: what runs at the same time is then nearly a square, which reads fewer tiles of
A and B in all, and finds them in the second-level cache. "hilbert" follows a curve on which tiles
with near numbers are near in both directions (`hilbert.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import IndexType

from xgpu.kernels.circular import numbers

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number

ORDERS = ("rows", "swizzled", "hilbert")
#: Tiles along m that are done before the next ones along n.
_HEIGHT = 8
_INDEX = IndexType()


class Grid(NamedTuple):
    """How many tiles there are along each loop."""

    m: Number
    n: Number
    batches: Number

    def total(self, rw: Rewriter) -> Number:
        return numbers.mul(rw, numbers.mul(rw, self.m, self.n), self.batches)

    def place(self, rw: Rewriter, tile: SSAValue, order: str) -> tuple[Number, Number, Number]:
        """The place of tile number `tile` along m and n, and its batch."""
        matrix = numbers.mul(rw, self.m, self.n)
        batch = _div(rw, tile, matrix) if self.batches != 1 else 0
        rest = _rem(rw, tile, matrix) if self.batches != 1 else tile
        if order == "rows":
            return _div(rw, rest, self.n), _rem(rw, rest, self.n), batch
        if order == "hilbert":
            from xgpu.kernels.gemm.hilbert import place_on_curve

            m, n = place_on_curve(rw, rest, self.m, self.n)
            return m, n, batch
        band = numbers.mul(rw, self.n, _HEIGHT)
        first = numbers.mul(rw, _div(rw, rest, band), _HEIGHT)
        height = numbers.smallest(rw, numbers.sub(rw, self.m, first), _HEIGHT)
        within = _rem(rw, rest, band)
        return numbers.add(rw, first, _rem(rw, within, height)), _div(rw, within, height), batch


def _div(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(right, int):
        return numbers.div(rw, left, right)
    return rw.value("arith.divui", [numbers.value(rw, left), right], _INDEX)


def _rem(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(right, int):
        return numbers.rem(rw, left, right)
    return rw.value("arith.remui", [numbers.value(rw, left), right], _INDEX)
