# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-tile-matmul: each matrix product on memrefs becomes a kernel for tensor cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Operation

from xgpu.passes.base import Option, Pass
from xgpu.rewriting.rewriter import Rewriter
from xgpu.transforms.circular.options import MODES

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.transforms.gemm.epilogue import Epilogue
    from xgpu.transforms.gemm.kernel import Kernel
    from xgpu.transforms.gemm.product import Product
    from xgpu.transforms.gemm.tiles import Tiles


class GpuTileMatmul(Pass):
    """Makes `gpu.launch` of products, with a loop over tiles that `circular-buffer` can take."""

    name = "gpu-tile-matmul"
    summary = "Turn matrix products on memrefs into kernels that multiply tiles by mma.sync"
    options = (
        Option(
            "instruction",
            str,
            "mma.sync",
            "mma.sync: warps, from sm_80 on. wgmma: warpgroups and TMA, for sm_90a.",
            ("mma.sync", "wgmma"),
        ),
        Option("tile", list, (), "Rows, columns and depth of a block's tile.", element=int),
        Option("warps", list, (), "How many warps share a tile along m and along n.", element=int),
        Option("tf32", bool, False, "Multiply f32 with the leading 10 bits of its fraction."),
        Option("stages", int, 0, "How many tiles are in flight; 0 for as many as fit, up to 4."),
        Option("prefetch", int, -1, "How far copies run ahead; negative: counted from the stages."),
        Option("mode", str, "auto", "Who copies, as circular-buffer has it.", MODES),
    )
    instruction: str
    tile: list[int]
    warps: list[int]
    tf32: bool
    stages: int
    prefetch: int
    mode: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.gemm.epilogue import Epilogue
        from xgpu.transforms.gemm.product import product_of

        for inner in list(op.walk()):
            if inner.parent is None or (product := product_of(inner)) is None:
                continue  # not there any more, or no product
            epilogue = Epilogue(product)
            rw = Rewriter(epilogue.place, location=inner.location)
            self._kernel(rw, product, epilogue).build()
            epilogue.erase(rw)
            rw.erase(inner)

    def _kernel(self, rw: Rewriter, product: Product, epilogue: Epilogue) -> Kernel:
        from xgpu.transforms.gemm.tiles import tiles_of, warpgroup_tiles_of

        if self.instruction == "wgmma":
            from xgpu.transforms.gemm.warpgroup_kernel import WarpgroupKernel

            tiles = warpgroup_tiles_of(product, self.tile)
            return WarpgroupKernel(rw, product, tiles, epilogue, self._mark(tiles))
        from xgpu.transforms.gemm.warp_kernel import WarpKernel

        tiles = tiles_of(product, self.tile, self.warps, tf32=self.tf32)
        return WarpKernel(rw, product, tiles, epilogue, self._mark(tiles))

    def _mark(self, tiles: Tiles) -> DictionaryAttr:
        """What the loop says to `circular-buffer`."""
        from xgpu.transforms.gemm.tiles import stages_that_fit

        return DictionaryAttr(
            {
                "stages": IntegerAttr(self.stages or stages_that_fit(tiles), i64),
                "prefetch": IntegerAttr(self.prefetch, i64),
                "mode": StringAttr(self.mode),
            }
        )
