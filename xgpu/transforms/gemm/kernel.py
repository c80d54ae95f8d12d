# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel of a product: a plain loop over tiles along k.

    gpu.launch blocks(n, m, batch) threads(warps * 32) workgroup(tile of A, tile of B) {
      %sums = scf.for %k = 0 to K step BK iter_args(sums of this thread) {
        copy the tiles at %k; wait; gpu.barrier
        multiply what this warp has of them
        gpu.barrier
      } {xgpu.circular_buffer}
      C += %sums
    }

Every thread does the same, tiles are copied and multiplied in turn: `circular-buffer` makes of it
what runs ahead. Elements beyond the operands are copied as zeros, so any sizes will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from xgpu.transforms.circular import numbers
from xgpu.transforms.circular.options import ATTRIBUTE
from xgpu.transforms.gemm.copies import TileCopy
from xgpu.transforms.gemm.fragments import Fragments
from xgpu.transforms.gemm.tiles import Tiles
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xgpu.rewriting.rewriter import Rewriter
    from xgpu.transforms.circular.numbers import Number
    from xgpu.transforms.gemm.epilogue import Epilogue
    from xgpu.transforms.gemm.product import Operand, Product

_INDEX = IndexType()


class Kernel:
    """Builds the launch of one product where the rewriter stands."""

    def __init__(
        self, rw: Rewriter, product: Product, tiles: Tiles, epilogue: Epilogue, mark: Attribute
    ) -> None:
        self.rw = rw
        self.product = product
        self.tiles = tiles
        self.epilogue = epilogue
        #: What the loop carries for `circular-buffer`.
        self.mark = mark
        #: How often each loop runs, outside of the launch.
        self.sizes: dict[int, Number] = {}

    def build(self) -> None:
        rw, product, tiles = self.rw, self.product, self.tiles
        for loop in (*product.batch, product.m, product.n, product.k):
            self.sizes[loop] = self._size(loop)
        copies = [self._copy(product.a, product.m, tiles.m), self._copy(product.b, product.n, tiles.n)]
        batches: Number = 1
        for loop in product.batch:
            batches = numbers.mul(rw, batches, self.sizes[loop])
        grid = [self._blocks(product.n, tiles.n), self._blocks(product.m, tiles.m), batches]
        operands = [numbers.value(rw, size) for size in (*grid, tiles.threads, 1, 1)]
        body = Block(arg_types=[_INDEX] * 12 + [copy.tile for copy in copies])
        saved = rw.anchor, rw.block
        rw.at_end(body)
        for copy, tile in zip(copies, body.args[12:], strict=True):
            copy.memory = tile
        self._body(copies, body.args)
        rw.create("gpu.terminator")
        rw.anchor, rw.block = saved
        rw.create(
            "gpu.launch",
            ([], *operands, *([None] * 4)),
            attributes={"workgroup_attributions": IntegerAttr(2, i64)},
            regions=[Region(body)],
        )

    def _size(self, loop: int) -> Number:
        known = self.product.static_size(loop)
        if known is not None:
            return known
        operand = next(o for o in (self.product.a, self.product.b) if loop in o.loops)
        at = numbers.value(self.rw, operand.loops.index(loop))
        return self.rw.value("memref.dim", [operand.value, at], _INDEX)

    def _blocks(self, loop: int, tile: int) -> Number:
        return numbers.div(self.rw, numbers.add(self.rw, self.sizes[loop], tile - 1), tile)

    def _copy(self, operand: Operand, loop: int, extent: int) -> TileCopy:
        """The copy of an operand's tile, whose rows are what memory holds together."""
        k = self.product.k
        extents = {loop: extent, k: self.tiles.k}
        order = tuple(found for found in operand.loops if found in extents)
        rows, columns = order
        return TileCopy(operand, order, (extents[rows], extents[columns]), self.tiles.threads)

    # --- in the launch -------------------------------------------------------------------------
    def _body(self, copies: Sequence[TileCopy], args: Sequence[SSAValue]) -> None:
        rw, product, tiles = self.rw, self.product, self.tiles
        thread = args[3]
        origin: dict[int, Number] = {
            product.n: numbers.mul(rw, args[0], tiles.n),
            product.m: numbers.mul(rw, args[1], tiles.m),
            **self._batch(args[2]),
        }
        for copy in copies:
            copy.begin(rw, thread)
        fragments = Fragments(rw, product, tiles, self.epilogue, thread)
        low, high, step = (
            numbers.value(rw, size) for size in (0, self.sizes[product.k], tiles.k)
        )

        def iteration(k: SSAValue, sums: list[SSAValue]) -> Sequence[SSAValue]:
            at = {**origin, product.k: k}
            tokens = [token for copy in copies for token in copy.copy(rw, at, self.sizes)]
            if tokens:
                group = rw.value("nvgpu.device_async_create_group", tokens, tokens[0].type)
                rw.create("nvgpu.device_async_wait", [group])
            rw.create("gpu.barrier")
            sums = fragments.multiply(copies[0], copies[1], sums)
            rw.create("gpu.barrier")
            return sums

        loop = for_loop(rw, low, high, step, fragments.zeros(), iteration)
        loop.attributes[ATTRIBUTE] = self.mark
        fragments.add_to(list(loop.results), origin, self.sizes)

    def _batch(self, linear: SSAValue) -> dict[int, Number]:
        """The index of each batch loop from the block's z."""
        found: dict[int, Number] = {}
        rest: Number = linear
        for loop in reversed(self.product.batch[1:]):
            size = numbers.value(self.rw, self.sizes[loop])
            found[loop] = self.rw.value("arith.remui", [numbers.value(self.rw, rest), size], _INDEX)
            rest = self.rw.value("arith.divui", [numbers.value(self.rw, rest), size], _INDEX)
        if self.product.batch:
            found[self.product.batch[0]] = rest
        return found



