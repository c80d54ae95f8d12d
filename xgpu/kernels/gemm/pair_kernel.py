# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by pairs of blocks for sm_100a (`cta_group::2`): 256 rows, half of B in each block.

The blocks of a pair lie below one another. Each copies its own 128 rows of A and half of the
columns of B, and has the sums of its rows in its own tensor memory; the first block's thread asks
for products of both. In the loop as it is:

    one thread asks for this block's boxes; all wait until they are there
    one thread of the second block: arrives at the first block's %both
    one thread of the first block: waits for %both; asks; commits to %over of both blocks
    all wait for %over

So all that reads a block's tiles is over for its threads when its own %over says so, and a stage
is given back by the block alone. Where warps of their own copy, `circular-buffer` leaves the loop
to these two threads, with a %both for each stage, and commits give stages back in both blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, i1, i16, i32, i64

from xgpu.core import ods
from xgpu.dialects.arith.builders import attribute_constant, constant
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.mbarriers import meet
from xgpu.kernels.gemm.tensor_kernel import TensorKernel
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    from xgpu.kernels.circular.numbers import Number

_SHARED, _CLUSTER = 3, 7
BLOCKS = 2


class PairKernel(TensorKernel):
    """Copies by one thread of each block, products asked for by one thread of the first."""

    group = "cta_2"
    blocks = BLOCKS
    both: SSAValue
    rank: SSAValue
    #: Whether a thread says that its block's tiles are there, and whether it asks for products.
    tells: SSAValue
    leads: SSAValue

    # --- in the launch -------------------------------------------------------------------------
    def set_up_barriers(self) -> None:
        super().set_up_barriers()
        self.both = self.barrier()

    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        rw = self.rw
        self.rank = rw.value(
            "gpu.cluster_block_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", "y")}
        )
        super().begin(thread, memories)
        is_second, is_leader = (
            numbers.compare(rw, way, self.rank, 0) for way in (numbers.NE, numbers.EQ)
        )
        self.tells = rw.value("arith.andi", [self.asks, is_second], i1)
        self.leads = rw.value("arith.andi", [self.asks, is_leader], i1)
        meet(rw)  # nobody arrives at a barrier of the other block before it is initialized

    def end(self) -> None:
        meet(self.rw)  # the other block's products have read this one's tiles
        super().end()

    def carried(self) -> list[SSAValue]:
        return [*super().carried(), numbers.flag(self.rw, False)]

    def load(self, at: dict[int, Number]) -> None:
        """This block's rows of A, and its half of the columns of B."""
        rw, product = self.rw, self.product
        half = numbers.mul(rw, self.rank, self.tiles.n // BLOCKS)
        self.ask({**at, product.n: numbers.add(rw, at[product.n], half)})

    def products(self, sums: Sequence[SSAValue], k: SSAValue, state: Sequence[SSAValue]) -> None:
        if_else(self.rw, self.tells, (), self._arrive)

        def ask() -> Sequence[SSAValue]:
            self.wait(self.both, state[2])
            return self.ask_for_products(sums, k)

        if_else(self.rw, self.leads, (), ask)

    def _arrive(self) -> Sequence[SSAValue]:
        rw = self.rw
        number = rw.value("nvgpu.mbarrier.get", [self.both, numbers.value(rw, 0)], i64)
        own = rw.value("llvm.inttoptr", [number], LLVMPointerType(_SHARED))
        first = constant(rw, 0, i32)
        there = rw.value("nvvm.mapa", [own, first], LLVMPointerType(_CLUSTER))
        scope: dict[str, Attribute] = {"scope": ods.enum("nvvm.mem_scope", "cluster")}
        rw.create("nvvm.mbarrier.arrive", [there], (), scope)
        return []

    def committed(self, pointer: SSAValue) -> list[SSAValue]:
        ranks = IntegerAttr((1 << BLOCKS) - 1, i16)
        return [pointer, attribute_constant(self.rw, ranks, i16)]
