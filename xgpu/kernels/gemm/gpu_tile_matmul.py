# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-tile-matmul: each matrix product on memrefs becomes a kernel for tensor cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.kernels.circular.plan import MODES
from xgpu.kernels.gemm.kernel import ORDERS, Epilogue, Kernel, Schedule

if TYPE_CHECKING:
    from xgpu.kernels.gemm.product import Product, Tiles

#: Blocks of a cluster that every chip with clusters can have.
_MOST_BLOCKS = 8
#: Bytes along k that one instruction multiplies.
_BYTES = 32


class GpuTileMatmul(Pass):
    """Makes `gpu.launch` of products, with a loop over tiles that `circular-buffer` can take."""

    name = "gpu-tile-matmul"
    summary = "Turn matrix products on memrefs into kernels for tensor cores"
    options = (
        Option(
            "instruction",
            str,
            "mma.sync",
            "mma.sync: warps, from sm_80 on. wgmma: warpgroups and TMA, for sm_90a. tcgen05: with "
            "sums in tensor memory, for sm_100a.",
            ("mma.sync", "wgmma", "tcgen05"),
        ),
        Option(
            "tile",
            list,
            (),
            "Rows, columns and depth of a block's tile (default: by a model of the chip).",
            element=int,
            least=1,
        ),
        Option(
            "warps",
            list,
            (),
            "How many warps share a tile along m and along n.",
            element=int,
            least=1,
            most=32,
        ),
        Option("tf32", bool, False, "Multiply f32 with the leading 10 bits of its fraction."),
        Option(
            "stages",
            int,
            0,
            "How many tiles are in flight; 0 for as many as fit, up to 4.",
            least=0,
            most=64,
        ),
        Option("prefetch", int, -1, "How far copies run ahead; negative: counted from the stages."),
        Option("mode", str, "auto", "Who copies, as circular-buffer has it.", MODES),
        Option(
            "registers",
            list,
            (),
            "Registers of a thread that copies, and of one that multiplies (warp-specialized).",
            element=int,
            least=1,
            most=255,
        ),
        Option(
            "blocks",
            int,
            0,
            "How many blocks take all tiles in turn; 0 for a block for each tile.",
            least=0,
        ),
        Option("order", str, "rows", "In which order tiles are taken.", ORDERS),
        Option(
            "cluster",
            list,
            (),
            "Blocks along m and n that share copies of the other factor, by TMA; one must be 1.",
            element=int,
            least=1,
        ),
        Option(
            "pairs",
            bool,
            False,
            "Two blocks below one another multiply together, each with half of B (tcgen05).",
        ),
        Option(
            "store",
            str,
            "auto",
            "Who stores results, but of mma.sync; auto: the copy engine where layouts allow it.",
            ("auto", "threads", "tma"),
        ),
    )
    instruction: str
    tile: list[int]
    warps: list[int]
    tf32: bool
    stages: int
    prefetch: int
    mode: str
    registers: list[int]
    blocks: int
    order: str
    cluster: list[int]
    pairs: bool
    store: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.kernels.gemm.product import product_of

        for inner in list(op.walk()):
            if inner.parent is None or (product := product_of(inner)) is None:
                continue  # not there any more, or no product
            epilogue = Epilogue(product)
            rw = Rewriter(epilogue.place, location=inner.location)
            self._kernel(rw, product, epilogue).build()
            epilogue.erase(rw)

    def _kernel(self, rw: Rewriter, product: Product, epilogue: Epilogue) -> Kernel:
        if self.blocks < 0:
            raise error(product.op, f"blocks has to be positive, or 0, got {self.blocks}")
        if self.instruction != "mma.sync":
            return self._warpgroup_kernel(rw, product, epilogue)
        from xgpu.kernels.gemm.product import choose_for_warps, instruction_step, tiles_of
        from xgpu.kernels.gemm.warp_kernel import WarpKernel

        if self.store == "tma":
            raise error(product.op, "results of mma.sync are stored by threads, not by TMA")
        tile, stages = self.tile, self.stages
        if not tile:
            step = instruction_step(product, tf32=self.tf32)
            chosen = choose_for_warps(product, _BYTES // step, step, stages)
            tile, stages = [chosen.m, chosen.n, chosen.k], chosen.stages
        tiles = tiles_of(product, tile, self.warps, tf32=self.tf32)
        mark = self._mark(tiles, stages, self.mode, self.registers, 1)
        schedule = Schedule(self.blocks, self.order, self.store, self._cluster(product))
        return WarpKernel(rw, product, tiles, epilogue, mark, schedule)

    def _warpgroup_kernel(self, rw: Rewriter, product: Product, epilogue: Epilogue) -> Kernel:
        from xgpu.kernels.gemm.product import (
            ROW_BYTES,
            choose_for_warpgroups,
            tensor_tiles_of,
            warpgroup_bytes,
            warpgroup_tiles_of,
        )
        from xgpu.kernels.gemm.tensor_kernel import BLOCKS, PairKernel, TensorKernel
        from xgpu.kernels.gemm.warpgroup_kernel import WarpgroupKernel

        of_tensor = self.instruction == "tcgen05"
        tile, stages, cluster = self.tile, self.stages, self._cluster(product)
        if not tile:
            size = warpgroup_bytes(product, tf32=self.tf32, instruction=self.instruction)
            is_free = not (self.cluster or self.blocks or self.mode == "pipelined")
            chosen = choose_for_warpgroups(
                self.instruction, product, size, ROW_BYTES // size, stages, len(epilogue.outputs()),
                may_share=is_free and self.order == "rows" and self.prefetch == -1,
            )  # fmt: skip
            tile, stages = [chosen.m, chosen.n, chosen.k], chosen.stages
            cluster = (chosen.sharers, 1) if chosen.sharers > 1 else cluster
        cut = tensor_tiles_of if of_tensor else warpgroup_tiles_of
        tiles = cut(product, tile, self.warps, tf32=self.tf32)
        mark = self._warpgroup_mark(tiles, stages)
        schedule = Schedule(self.blocks, self.order, self.store, cluster)
        kernel = TensorKernel if of_tensor else WarpgroupKernel
        if self.pairs:
            self._check_pairs(product, tiles)
            kernel, schedule = PairKernel, schedule._replace(cluster=(BLOCKS, 1))
        return kernel(rw, product, tiles, epilogue, mark, schedule)

    def _check_pairs(self, product: Product, tiles: Tiles) -> None:
        if self.instruction != "tcgen05" or self.cluster or self.blocks or self.order != "rows":
            raise error(
                product.op,
                "pairs of blocks multiply by tcgen05, are a cluster of their own, and have one "
                "tile each, in the order of rows",
            )
        if tiles.m != 128 or tiles.n % 128:
            raise error(
                product.op,
                f"a block of a pair has a tile of 128 rows and of a multiple of 128 columns, not "
                f"{tiles.m}x{tiles.n}",
            )

    def _cluster(self, product: Product) -> tuple[int, int]:
        along_m, along_n = self.cluster or (1, 1) if len(self.cluster) in (0, 2) else (0, 0)
        if min(along_m, along_n) != 1 or along_m * along_n > _MOST_BLOCKS:
            raise error(
                product.op,
                f"cluster has to be two numbers, one of which is 1 and the other at most "
                f"{_MOST_BLOCKS}, got {list(self.cluster)}",
            )
        if along_m * along_n > 1 and (
            self.instruction == "mma.sync" or self.blocks or self.order != "rows"
        ):
            raise error(
                product.op,
                "blocks of a cluster share copies of TMA (wgmma, tcgen05), and have one tile "
                "each, in the order of rows",
            )
        return along_m, along_n

    def _warpgroup_mark(self, tiles: Tiles, stages: int) -> DictionaryAttr:
        """Warps that copy are warps of their own, unless something else is asked for; with two
        warpgroups or more that multiply they are a warpgroup, and leave them their registers."""
        from xgpu.kernels.gemm.product import GROUP_WARPS, shared_registers, stages_that_fit

        stages, mode = stages or stages_that_fit(tiles), self.mode
        if mode == "auto" and stages > 1 and tiles.warps_m > GROUP_WARPS:
            mode = "warp-specialized"  # which alone can share out registers
        registers: Sequence[int] = self.registers
        if mode == "warp-specialized" and not registers and tiles.warps_m > GROUP_WARPS:
            registers = shared_registers(tiles)
        return self._mark(tiles, stages, mode, registers, GROUP_WARPS if registers else 1)

    def _mark(
        self, tiles: Tiles, stages: int, mode: str, registers: Sequence[int], producers: int
    ) -> DictionaryAttr:
        """What the loop says to `circular-buffer`."""
        from xgpu.kernels.gemm.product import stages_that_fit

        said: dict[str, Attribute] = {
            "stages": IntegerAttr(stages or stages_that_fit(tiles), i64),
            "prefetch": IntegerAttr(self.prefetch, i64),
            "mode": StringAttr(mode),
        }
        if registers:
            said["registers"] = ArrayAttr([IntegerAttr(number, i64) for number in registers])
            said["producer-warps"] = IntegerAttr(producers, i64)
        return DictionaryAttr(said)
