# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-tile-matmul: each matrix product on memrefs becomes a kernel for tensor cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.passes.base import Option, Pass
from xgpu.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from xdsl.context import Context


class GpuTileMatmul(Pass):
    """Makes `gpu.launch` of products, with a loop over tiles that `circular-buffer` can take."""

    name = "gpu-tile-matmul"
    summary = "Turn matrix products on memrefs into kernels that multiply tiles by mma.sync"
    options = (
        Option("tile", list, (), "Rows, columns and depth of a block's tile.", element=int),
        Option("warps", list, (), "How many warps share a tile along m and along n.", element=int),
        Option("tf32", bool, False, "Multiply f32 with the leading 10 bits of its fraction."),
    )
    tile: list[int]
    warps: list[int]
    tf32: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.gemm.kernel import Kernel
        from xgpu.transforms.gemm.product import product_of
        from xgpu.transforms.gemm.tiles import tiles_of

        for inner in list(op.walk()):
            product = product_of(inner)
            if product is not None:
                rw = Rewriter(inner)
                Kernel(rw, product, tiles_of(product, self.tile, self.warps, tf32=self.tf32)).build()
                rw.erase(inner)
