# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-tile-matmul: each matrix product on memrefs becomes a kernel for tensor cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation

from xgpu.passes.base import Option, Pass
from xgpu.rewriting.rewriter import Rewriter
from xgpu.transforms.circular.options import MODES

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
        Option("stages", int, 0, "How many tiles are in flight; 0 for as many as fit, up to 4."),
        Option("prefetch", int, -1, "How far copies run ahead; negative: counted from the stages."),
        Option("mode", str, "auto", "Who copies, as circular-buffer has it.", MODES),
    )
    tile: list[int]
    warps: list[int]
    tf32: bool
    stages: int
    prefetch: int
    mode: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.gemm.epilogue import Epilogue
        from xgpu.transforms.gemm.kernel import Kernel
        from xgpu.transforms.gemm.product import product_of
        from xgpu.transforms.gemm.tiles import stages_that_fit, tiles_of

        for inner in list(op.walk()):
            if inner.parent is None or (product := product_of(inner)) is None:
                continue  # not there any more, or no product
            tiles = tiles_of(product, self.tile, self.warps, tf32=self.tf32)
            stages = self.stages or stages_that_fit(product, tiles)
            mark: dict[str, Attribute] = {
                "stages": IntegerAttr(stages, i64),
                "prefetch": IntegerAttr(self.prefetch, i64),
                "mode": StringAttr(self.mode),
            }
            epilogue = Epilogue(product)
            rw = Rewriter(inner)
            Kernel(rw, product, tiles, epilogue, DictionaryAttr(mark)).build()
            epilogue.erase(rw)
            rw.erase(inner)
