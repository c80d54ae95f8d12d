# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is to be made of a loop: groups of copies with their depths, and the mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.analysis.loop_schedule import LoopSchedule
from xgpu.analysis.memory import PRODUCTS, Slice, describe
from xgpu.core.ir.errors import error
from xgpu.kernels.circular.issuers import issuer_of
from xgpu.kernels.circular.options import Options, options_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Operation

    from xgpu.analysis.loop_schedule import Load
    from xgpu.analysis.memory import Root
    from xgpu.dialects import nvgpu
    from xgpu.kernels.circular.dynamic_memory import DynamicMemory

BULK, ASYNC, THREAD = "bulk", "cp.async", "thread"
_BY_DESCRIPTOR = frozenset(PRODUCTS.values())


class Group:
    """Copies of one kind that run the same distance ahead into equally many buffers.

    They are asked for together; bulk copies of a group arrive at the same barrier.
    """

    __slots__ = ("ahead", "along", "loads", "means", "stages")

    def __init__(self, means: str, stages: int, ahead: int, loads: list[Load]) -> None:
        self.means = means
        self.stages = stages
        self.ahead = ahead
        self.loads = loads
        self.refresh()

    def refresh(self) -> None:
        """Finds what goes along with the copies, for the body as it is now."""
        body = self.loads[0].op.parent
        assert body is not None
        self.along = Slice(body, [load.op for load in self.loads])

    def buffers(self) -> list[Root]:
        return list(dict.fromkeys(buffer for load in self.loads for buffer in load.buffers))


class Plan:
    """A loop, what its iterations do, and how they shall overlap."""

    def __init__(
        self, loop: Operation, given: Options, can_specialize: Callable[[Plan], bool]
    ) -> None:
        """`can_specialize` says whether the loop's kernel can have warps that only copy."""
        self.loop = loop
        self._can_specialize = can_specialize
        #: Where stages shall lie if not where the buffers are.
        self.memory: DynamicMemory | None = None
        self.options = options_of(loop, given)
        self.schedule = LoopSchedule(loop)
        self.schedule.check()
        self.groups = groups_of(self.schedule, self.options)
        self.mode = self._choose_mode()
        #: The blocks of a cluster that share copies, by rank.
        self.ranks: tuple[int, ...] = ()
        self.fences = self.schedule.fences
        #: One thread that asks for all products, where warps of their own copy.
        self.issuer = issuer_of(self.schedule) if self.mode == "warp-specialized" else None
        for group in self.groups:
            if group.ahead > 0 or self.mode == "warp-specialized":
                for load in group.loads:
                    self.schedule.check_ahead(load)
        self._check_fences()

    # --- modes ---------------------------------------------------------------------------------
    def _choose_mode(self) -> str:
        mode = self.options.mode
        if mode == "auto":
            return self._best_mode()
        if mode != "pipelined":
            other = next((g for g in self.groups if g.means != BULK), None)
            if other is not None:
                raise error(
                    other.loads[0].op,
                    f"mode '{mode}' is for loops all of whose copies are nvgpu.tma.async.load, "
                    "which an mbarrier counts; this copy is made by the threads themselves",
                    [(self.loop.location, "the loop is here")],
                )
        return mode

    def _best_mode(self) -> str:
        """Warps of their own, where tensor cores read what the copy engine brings and the kernel
        can have them: then nothing that copies waits for what multiplies. Elsewhere a stage is
        given back by an mbarrier, so that warps do not meet. Threads that read tiles themselves
        meet at one barrier, which is less than an arrival of each; and with a prefetch distance
        of one's own choice, or a single stage, there is nothing to choose."""
        options = self.options
        is_free = options.ahead() == options.stages - 1 and options.stages > 1
        is_shared = any(
            op.name == "nvgpu.tma.async.load"
            and cast("nvgpu.TmaAsyncLoadOp", op).multicast_mask is not None
            for op in self.loop.walk()
        )
        if not self.is_bulk_only() or not is_free or not self._feeds_products():
            return "pipelined-mbarrier" if is_shared else "pipelined"
        return "warp-specialized" if self._can_specialize(self) else "pipelined-mbarrier"

    def _feeds_products(self) -> bool:
        """Whether tensor cores read the tiles by descriptor."""
        filled = {root for group in self.groups for root in group.buffers()}
        return any(
            access.means in _BY_DESCRIPTOR and access.root in filled
            for op in self.schedule.computes
            for access in self.schedule.accesses_of(op)
        )

    def of_kind(self, means: str) -> list[Group]:
        return [group for group in self.groups if group.means == means]

    def is_bulk_only(self) -> bool:
        return all(group.means == BULK for group in self.groups)

    def is_late(self) -> bool:
        """Whether copies are asked for behind the barrier that says that the tile is there.

        All threads have then left the iteration before, so that one barrier serves both. That
        is too late for a copy of the same iteration, and bulk copies need no barrier to be seen.
        """
        return not self.is_bulk_only() and all(group.ahead > 0 for group in self.groups)

    def needs_barrier_behind(self) -> bool:
        """Whether a barrier has to follow what computes, so that its buffers can be filled again.

        Copies that come before the barrier of iteration n run beside computing n - 1.
        """
        if self.is_bulk_only():
            return True
        return not self.is_late() and any(g.ahead == g.stages - 1 for g in self.groups)

    def in_flight(self) -> int:
        """How many iterations' asynchronous reads of a buffer may be unfinished where an
        iteration has computed."""
        if self.mode != "pipelined":
            return 0
        room = min(group.stages - group.ahead for group in self.groups) - 1
        exact = self.is_bulk_only() or self.is_late() or self.needs_barrier_behind()
        return max(0, room if exact else room - 1)

    # --- refusals ------------------------------------------------------------------------------
    def _check_fences(self) -> None:
        """What threads write is seen by tensor cores' descriptors only behind a proxy fence."""
        written = {b for g in self.groups if g.means != BULK for b in g.buffers()}
        schedule = self.schedule
        for op in schedule.computes:
            for access in schedule.accesses_of(op):
                if access.means not in _BY_DESCRIPTOR or access.root not in written:
                    continue
                load = next(x for x in schedule.loads if access.root in x.buffers)
                if not _fence_between(load.op, op):
                    raise error(
                        access.op,
                        f"reads {describe(access.root)} through a descriptor, and no "
                        "nvvm.fence.proxy stands between what threads wrote there and this",
                        [(load.op.location, "written here")],
                    )


def _fence_between(first: Operation, last: Operation) -> bool:
    current = first.next_op
    while current is not None and current is not last:
        if any(inner.name == "nvvm.fence.proxy" for inner in current.walk()):
            return True
        current = current.next_op
    return any(inner.name == "nvvm.fence.proxy" for inner in first.walk())


def groups_of(schedule: LoopSchedule, options: Options) -> list[Group]:
    found: dict[tuple[str, int, int], list[Load]] = {}
    depth: dict[Root, tuple[int, Load]] = {}
    for load in schedule.loads:
        own = options_of(load.op, options)
        if own.mode != options.mode or own.registers != options.registers:
            raise error(load.op, "a copy has stages and a prefetch distance; its loop has the mode")
        found.setdefault((load.means, own.stages, own.ahead()), []).append(load)
        for buffer in load.buffers:
            stages, first = depth.setdefault(buffer, (own.stages, load))
            if stages != own.stages:
                raise error(
                    load.op,
                    f"fills {describe(buffer)} as {own.stages} stages, but another copy does "
                    f"as {stages}",
                    [(first.op.location, "the other copy is here")],
                )
    return [Group(*key, loads) for key, loads in found.items()]
