# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by warpgroups, for sm_90a: tiles by TMA, products by wgmma.

    gpu.launch blocks(n, m, 1) threads(128 * warpgroups) workgroup(tile of A, tile of B) {
      %sums = scf.for %k = 0 to K step 64 iter_args(%acc, %phase) {
        one thread: expect the bytes, ask for the boxes; all: wait for the phase
        %acc = wgmma of this warpgroup's rows of A and all of B; wait until it has read them
        gpu.barrier
      } {xgpu.circular_buffer}
      C += %sums
    }

What a box has beyond its operand are zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i1, i16, i64
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.kernels.circular import numbers
from xgpu.kernels.gemm.bulk_tile import BulkTile
from xgpu.kernels.gemm.kernel import Kernel, mark_loop
from xgpu.kernels.gemm.tiles import GROUP_ROWS, GROUP_WARPS, accumulator
from xgpu.kernels.gemm.warpgroup_results import WarpgroupResults
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xgpu.kernels.circular.numbers import Number

#: Try again after so many ticks: MLIR's own examples wait as long.
_TICKS = 10_000_000
#: What wgmma reads by a swizzle of 128 bytes lies at a multiple of this.
_ALIGNMENT = 1024
#: How wgmma calls the types that it multiplies.
_WGMMA_TYPES = {
    "f16": "f16", "bf16": "bf16", "f32": "tf32", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "i8": "s8",
}  # fmt: skip


class WarpgroupKernel(Kernel):
    """Copies by one thread's TMA, products by warpgroups."""

    #: What multiplies, in messages, and who stores what it gives.
    instruction = "wgmma"
    results_class: type[WarpgroupResults] = WarpgroupResults
    #: Blocks that multiply together, each of which has a part of B.
    blocks = 1
    operands: list[BulkTile]
    results: WarpgroupResults
    memories: Sequence[SSAValue]
    barriers: SSAValue
    is_first: SSAValue

    def prepare(self) -> list[MemRefType[Attribute]]:
        product, tiles = self.product, self.tiles
        along_m, along_n = self.sharers()
        # Blocks beside one another along n have the same rows of A.
        self.operands = [
            BulkTile(product.op, operand, loop, product.k, extent, tiles.element_bytes, sharers,
                     self.instruction)
            for operand, loop, extent, sharers in (
                (product.a, product.m, tiles.m, along_n),
                (product.b, product.n, tiles.n // self.blocks, along_m),
            )
        ]  # fmt: skip
        for operand in self.operands:
            operand.prepare(self.rw)
        self.groups = tiles.warps_m // GROUP_WARPS
        self.results = self.results_class(self)
        self.alignment = _ALIGNMENT
        return [*(operand.memory_type for operand in self.operands), *self.results.prepare()]

    # --- in the launch -------------------------------------------------------------------------
    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        rw = self.rw
        self.memories = memories[:2]
        self.results.begin(thread, memories[2:])
        self.is_first = numbers.compare(rw, numbers.EQ, thread, 0)
        self.set_up_barriers()
        rw.create("nvvm.fence.mbarrier.init")
        rw.create("gpu.barrier")

    def set_up_barriers(self) -> None:
        self.barriers = self.barrier()

    def barrier(self) -> SSAValue:
        """A barrier for one arrival."""
        rw, space = self.rw, ods.enum("gpu.address_space", "workgroup")
        found = rw.value(
            "nvgpu.mbarrier.create", (), ods.attr_class("nvgpu.mbarrier.group")(space, 1)
        )
        zero, one = numbers.value(rw, 0), numbers.value(rw, 1)
        rw.create("nvgpu.mbarrier.init", [found, one, zero, self.is_first])
        return found

    def carried(self) -> list[SSAValue]:
        """The barrier's phase."""
        return [numbers.flag(self.rw, False)]

    def tile(self, origin: dict[int, Number], carried: list[SSAValue]) -> Sequence[SSAValue]:
        rw, product, tiles = self.rw, self.product, self.tiles
        part = LLVMStructType([accumulator(product)] * (tiles.n // 2))
        halves = tiles.m // GROUP_ROWS // self.groups
        sums = [rw.value("llvm.mlir.zero", (), part) for _ in range(halves)]
        low, high, step = (numbers.value(rw, size) for size in (0, self.sizes[product.k], tiles.k))

        def iteration(k: SSAValue, state: list[SSAValue]) -> Sequence[SSAValue]:
            phase = state[-1]
            self.load({**origin, product.k: k})
            self.wait(self.barriers, phase)
            sums = self._multiply(state[:-1])
            rw.create("gpu.barrier")
            flipped = rw.value("arith.xori", [phase, numbers.flag(rw, True)], i1)
            return [*sums, flipped]

        loop = for_loop(rw, low, high, step, [*sums, *carried], iteration)
        mark_loop(loop, self.mark)
        self.results.store(loop.results[:-1], origin)
        return [loop.results[-1]]

    def end(self) -> None:
        self.results.end()

    def wait(self, barrier: SSAValue, phase: SSAValue) -> None:
        rw = self.rw
        ticks, zero = numbers.value(rw, _TICKS), numbers.value(rw, 0)
        rw.create("nvgpu.mbarrier.try_wait.parity", [barrier, phase, ticks, zero])

    def sharers(self) -> tuple[int, int]:
        """Blocks along m and n that copy tiles for one another."""
        return self.schedule.cluster if self.blocks == 1 else (1, 1)

    def load(self, at: dict[int, Number]) -> None:
        """One thread asks for the boxes of both tiles."""
        self.ask(at)

    def ask(self, at: dict[int, Number]) -> None:
        """One thread asks for the boxes of both tiles."""
        rw = self.rw
        zero = numbers.value(rw, 0)
        along_m, along_n = self.sharers()
        rank: Number = 0
        if along_m * along_n > 1:
            dimension = ods.enum("gpu.dim", "y" if along_m > 1 else "x")
            rank = rw.value("gpu.cluster_block_id", (), IndexType(), {"dimension": dimension})
        size = numbers.value(rw, sum(operand.bytes for operand in self.operands))
        rw.create("nvgpu.mbarrier.arrive.expect_tx", [self.barriers, size, zero, self.is_first])
        for operand, memory in zip(self.operands, self.memories, strict=True):
            mask: SSAValue | None = None
            if operand.sharers > 1:
                ranks = IntegerAttr((1 << operand.sharers) - 1, i16)
                mask = attribute_constant(rw, ranks, i16)
            for target, coordinates in operand.requests(
                rw, memory, at, rank if operand.sharers > 1 else 0
            ):
                rw.create(
                    "nvgpu.tma.async.load",
                    ([target], [self.barriers], [operand.map], coordinates, [zero], mask,
                     self.is_first),
                )  # fmt: skip

    def _multiply(self, sums: Sequence[SSAValue]) -> list[SSAValue]:
        """Adds the tiles' product to the sums of this warpgroup's rows."""
        rw, tiles = self.rw, self.tiles
        left, right = self.operands
        rows = len(sums) * GROUP_ROWS
        begin = numbers.mul(rw, self.results.group, rows)
        columns = right.descriptor(rw, self.memories[1], 0, tiles.n)
        first = left.descriptor(rw, self.memories[0], begin, GROUP_ROWS)
        rw.create("nvvm.wgmma.fence.aligned")
        found: list[SSAValue] = []
        for half, total in enumerate(sums):
            for k in range(0, tiles.k, tiles.step):
                factors = [left.moved(rw, first, k, half * GROUP_ROWS), right.moved(rw, columns, k)]
                total = rw.value(
                    "nvvm.wgmma.mma_async", [total, *factors], total.type, self._instruction()
                )
            found.append(total)
        rw.create("nvvm.wgmma.commit.group.sync.aligned")
        rw.create("nvvm.wgmma.wait.group.sync.aligned", (), (), {"group": IntegerAttr(0, i64)})
        return found

    def _instruction(self) -> dict[str, Attribute]:
        """What one wgmma multiplies. `row` and `col` are how the matrices lie that it multiplies:
        A by rows and B by columns where their rows in memory run along k."""
        tiles = self.tiles
        left, right = self.operands
        one = ods.enum("nvvm.wgmma_scale_in", "one")

        def kind(operand: BulkTile) -> Attribute:
            return ods.enum("nvvm.wgmma_type", _WGMMA_TYPES[str(operand.operand.element)])

        def layout(name: str) -> Attribute:
            return ods.enum("nvvm.mma_layout", name)

        return {
            "shape": ods.attr_class("nvvm.shape")(GROUP_ROWS, tiles.n, tiles.step),
            "typeA": kind(left),
            "typeB": kind(right),
            "typeD": ods.enum("nvvm.wgmma_type", "s32" if self.product.is_integer else "f32"),
            "scaleD": ods.enum("nvvm.wgmma_scale_out", "one"),
            "scaleA": one,
            "scaleB": one,
            "layoutA": layout("row" if left.is_k_major else "col"),
            "layoutB": layout("col" if right.is_k_major else "row"),
        }
