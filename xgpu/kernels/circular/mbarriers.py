# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers in shared memory that say whether a stage is full, or empty.

A stage's barriers pass through a phase each time that the stage is used, so what a thread waits
for follows from the number of the use alone: use k of a loop with S stages is the phase k / S of
barrier k % S. k counts on through all serial loops around the buffered one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i16, i32, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core import ods
from xgpu.dialects.arith.builders import attribute_constant, constant
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.kernels.circular import numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number

#: How long a thread waits before it asks again.
_TICKS = 10_000_000
#: Address spaces of a block's shared memory, and of that of all blocks of a cluster.
_SHARED, _CLUSTER = 3, 7


class Barriers:
    """The barriers of one kind of all stages of a group: `arrivals` threads complete a phase."""

    __slots__ = ("arrivals", "group", "ranks", "stages")

    def __init__(
        self,
        rw: Rewriter,
        stages: int,
        arrivals: Number,
        name: str,
        ranks: Sequence[int] = (),
    ) -> None:
        self.stages = stages
        #: The blocks of a cluster whose barriers threads arrive at; none: at their own block's.
        self.ranks = ranks
        self.arrivals = arrivals
        space = ods.enum("gpu.address_space", "workgroup")
        ty = ods.attr_class("nvgpu.mbarrier.group")(space, stages)
        self.group: SSAValue = rw.value("nvgpu.mbarrier.create", (), ty)
        self.group.name_hint = name

    def initialize(self, rw: Rewriter, elected: SSAValue) -> None:
        count = numbers.value(rw, self.arrivals)
        for stage in range(self.stages):
            at = numbers.value(rw, stage)
            rw.create("nvgpu.mbarrier.init", [self.group, count, at, elected])

    def invalidate(self, rw: Rewriter) -> None:
        """For one thread, when no other will use them again."""
        pointer = LLVMPointerType(_SHARED)
        for stage in range(self.stages):
            at = numbers.value(rw, stage)
            address = rw.value("nvgpu.mbarrier.get", [self.group, at], i64)
            barrier = rw.value("llvm.inttoptr", [address], pointer)
            rw.create("nvvm.mbarrier.inval", [barrier])

    # --- a use of a stage ----------------------------------------------------------------------
    def wait(self, rw: Rewriter, use: Number, *, before: bool = False) -> None:
        """Waits for the phase of a use, or with `before` for the phase before that one, which for
        a stage's first use is over from the beginning."""
        turn = numbers.div(rw, use, self.stages)
        parity = numbers.rem(rw, turn, 2)
        odd = (
            numbers.flag(rw, (parity == 1) != before)
            if isinstance(parity, int)
            else numbers.compare(rw, numbers.EQ if before else numbers.NE, parity, 0)
        )
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        ticks = numbers.value(rw, _TICKS)
        rw.create("nvgpu.mbarrier.try_wait.parity", [self.group, odd, ticks, slot])

    def address(self, rw: Rewriter, use: Number) -> SSAValue:
        """Where the barrier of a use is, as a number."""
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        return rw.value("nvgpu.mbarrier.get", [self.group, slot], i64)

    def expect(self, rw: Rewriter, use: Number, count: Number) -> None:
        """Arrives, and says how many bytes are still to come."""
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        rw.create("nvgpu.mbarrier.arrive.expect_tx", [self.group, numbers.value(rw, count), slot])

    def arrive(self, rw: Rewriter, use: Number) -> None:
        slot = numbers.value(rw, numbers.rem(rw, use, self.stages))
        if not self.ranks:
            token = ods.attr_class("nvgpu.mbarrier.token")()
            rw.value("nvgpu.mbarrier.arrive", [self.group, slot], token)
            return
        address = rw.value("nvgpu.mbarrier.get", [self.group, slot], i64)
        barrier = rw.value("llvm.inttoptr", [address], LLVMPointerType(_SHARED))
        scope = {"scope": ods.enum("nvvm.mem_scope", "cluster")}
        for rank in self.ranks:
            block = constant(rw, rank, i32)
            there = rw.value("nvvm.mapa", [barrier, block], LLVMPointerType(_CLUSTER))
            rw.create("nvvm.mbarrier.arrive", [there], (), scope)

    def commit(self, rw: Rewriter, use: Number, commit: Operation) -> None:
        """Products that the thread asked for so far arrive when they are over, as `commit` does
        elsewhere; with `ranks` at the barriers of all these blocks."""
        operands = [rw.value("llvm.inttoptr", [self.address(rw, use)], LLVMPointerType(_SHARED))]
        if self.ranks:
            mask = IntegerAttr(sum(1 << rank for rank in self.ranks), i16)
            operands.append(attribute_constant(rw, mask, i16))
        rw.create("nvvm.tcgen05.commit", operands, (), commit.properties)


def make_visible(rw: Rewriter, *, in_cluster: bool) -> None:
    """Initialized barriers are seen by the copy engine and by all threads of the block, or of the
    blocks of its cluster."""
    rw.create("nvvm.fence.mbarrier.init")
    if in_cluster:
        meet(rw)
    else:
        rw.create("gpu.barrier")


def meet(rw: Rewriter) -> None:
    """All threads of the cluster's blocks wait for one another."""
    aligned = {"aligned": UnitAttr()}
    rw.create("nvvm.cluster.arrive", (), (), aligned)
    rw.create("nvvm.cluster.wait", (), (), aligned)
