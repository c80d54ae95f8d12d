# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by warps, from sm_80 on: a plain loop over tiles along k.

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

from xgpu.kernels.circular import numbers
from xgpu.kernels.gemm.copies import TileCopy
from xgpu.kernels.gemm.fragments import Fragments
from xgpu.kernels.gemm.kernel import Kernel, mark_loop
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType
    from xdsl.ir import Attribute, SSAValue

    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.gemm.product import Operand


class WarpKernel(Kernel):
    """Copies by all threads, products by `nvgpu.mma.sync`."""

    copies: list[TileCopy]
    thread: SSAValue

    def prepare(self) -> list[MemRefType[Attribute]]:
        product, tiles = self.product, self.tiles
        self.copies = [
            self._copy(product.a, product.m, tiles.m),
            self._copy(product.b, product.n, tiles.n),
        ]
        return [copy.tile for copy in self.copies]

    def _copy(self, operand: Operand, loop: int, extent: int) -> TileCopy:
        """The copy of an operand's tile, whose rows are what memory holds together."""
        extents = {loop: extent, self.product.k: self.tiles.k}
        rows, columns = (found for found in operand.loops if found in extents)
        sizes = (extents[rows], extents[columns])
        return TileCopy(operand, (rows, columns), sizes, self.tiles.threads)

    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        self.thread = thread
        for copy, memory in zip(self.copies, memories, strict=True):
            copy.begin(memory, thread)

    def tile(self, origin: dict[int, Number], carried: list[SSAValue]) -> Sequence[SSAValue]:
        rw, k = self.rw, self.product.k
        fragments = Fragments(rw, self.product, self.tiles, self.epilogue, self.thread)
        low, high, step = (numbers.value(rw, size) for size in (0, self.sizes[k], self.tiles.k))

        def iteration(at: SSAValue, sums: list[SSAValue]) -> Sequence[SSAValue]:
            place = {**origin, k: at}
            tokens = [token for copy in self.copies for token in copy.copy(rw, place, self.sizes)]
            if tokens:
                group = rw.value("nvgpu.device_async_create_group", tokens, tokens[0].type)
                rw.create("nvgpu.device_async_wait", [group])
            rw.create("gpu.barrier")
            left, right = self.copies
            sums = fragments.multiply(left, right, sums)
            rw.create("gpu.barrier")
            return sums

        loop = for_loop(rw, low, high, step, fragments.zeros(), iteration)
        mark_loop(loop, self.mark)
        fragments.add_to(list(loop.results), origin, self.sizes)
        return carried
