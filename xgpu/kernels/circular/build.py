# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole of a buffered loop: memory, barriers, loops, and the end of the barriers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType

from xgpu.core import ods
from xgpu.core.ir.construction import replace_all_uses
from xgpu.dialects.gpu.ops import parent_of
from xgpu.kernels.circular import numbers, specialized
from xgpu.kernels.circular.block_size import elected_thread
from xgpu.kernels.circular.clusters import check_alike
from xgpu.kernels.circular.drains import drain
from xgpu.kernels.circular.emitter import Emitter
from xgpu.kernels.circular.mbarriers import Barriers, make_visible, meet
from xgpu.kernels.circular.memory import stages_of
from xgpu.kernels.circular.pipelined import Pipeline
from xgpu.kernels.circular.plan import BULK
from xgpu.kernels.circular.storage import multi_buffer
from xgpu.kernels.circular.surroundings import Surroundings, count_on
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.block_size import Widening
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.circular.plan import Group, Plan

_DIMENSIONS = ("x", "y", "z")


class Full:
    """The barriers of a buffered loop, and the thread that looks after them."""

    __slots__ = ("asks", "elected", "empty", "full", "ready")

    def __init__(self) -> None:
        self.full: dict[Group, Barriers] = {}
        self.empty: dict[Group, Barriers] = {}
        #: Where another block says that its tiles are there (`issuers.Handshake`).
        self.ready: Barriers | None = None
        self.elected: SSAValue | None = None
        #: Whether a thread asks for copies, where the same threads compute.
        self.asks: SSAValue | None = None

    def all(self) -> list[Barriers]:
        ready = [] if self.ready is None else [self.ready]
        return [*self.full.values(), *self.empty.values(), *ready]


def build(rw: Rewriter, plan: Plan) -> Operation:
    """Builds everything in place of the loop; gives the main loop."""
    loop, schedule = plan.loop, plan.schedule
    around = Surroundings(loop)
    if plan.ranks:
        check_alike(plan, around)
    widening = specialized.check(plan, around) if plan.mode == "warp-specialized" else None
    inside = [a for op in schedule.body.ops for a in schedule.accesses_of(op)]
    buffers = {
        root: multi_buffer(rw, loop, root, stages, plan.memory, bulk=bulk)
        for root, (stages, bulk) in stages_of(plan).items()
    }
    meets = [
        schedule.had_barrier and around.conflicts(inside, before=before) for before in (True, False)
    ]
    rw.before(loop)
    rw.location = loop.location
    count = numbers.iterations(rw, *loop.operands[:3])
    base = count_on(rw, around, count, loop) if plan.of_kind(BULK) else 0
    emitter = Emitter(rw, plan, buffers, count, base)
    if widening is not None:
        main, results = _specialize(emitter, widening, around, meets)
    else:
        main, results = _pipeline(emitter, around, meets)
    for at, value in zip(emitter.computing.arguments, results, strict=True):
        replace_all_uses(loop.results[at], value)
    old = schedule.mbarriers
    if plan.issuer is not None and plan.issuer.handshake is not None:
        old = [*old, plan.issuer.handshake.barrier]
    rw.erase(loop)
    _erase_old(rw, old)
    return main


def _pipeline(
    emitter: Emitter, around: Surroundings, meets: list[bool]
) -> tuple[Operation, Sequence[SSAValue]]:
    """The same threads copy and compute: the main loop, and what the loop gave."""
    rw, plan = emitter.rw, emitter.plan
    barriers = Full()
    if plan.of_kind(BULK):
        rw.before(around.top)
        threads = thread_count(rw) if plan.mode != "pipelined" else 1
        barriers = _set_up(rw, plan, threads)
        kernel = parent_of(plan.loop, "gpu.launch", "gpu.func")
        asks = elected_thread(rw, kernel)
        barriers.asks = barriers.elected if asks is None else asks
        rw.after(around.top)
        _tear_down(rw, plan, barriers)
    rw.before(plan.loop)
    rw.location = plan.loop.location
    if meets[0]:
        rw.create("gpu.barrier")
    pipeline = Pipeline(emitter, barriers.full, barriers.empty, barriers.asks)
    results = pipeline.build()
    is_pipelined = plan.mode == "pipelined"
    has_met = is_pipelined and plan.needs_barrier_behind()
    # Without barriers of their own stages begin at 0 again, not where the last loop has left off.
    begins_again = around.is_nested and not plan.is_bulk_only()
    # What still reads a stage is over before the loop's memory is another's, or the block ends.
    if plan.in_flight() and drain(rw, plan, 0) and begins_again:
        has_met = False
    if not has_met and (meets[1] or (around.is_nested and is_pipelined)):
        rw.create("gpu.barrier")
    assert pipeline.main is not None
    return pipeline.main, results


def _specialize(
    emitter: Emitter, widening: Widening, around: Surroundings, meets: list[bool]
) -> tuple[Operation, Sequence[SSAValue]]:
    """Some warps copy, the others compute: the consumers' loop, and what the loop gave."""
    rw, plan = emitter.rw, emitter.plan
    body = widening.kernel.regions[0].block
    rw.at_start(body)
    rw.location = plan.loop.location
    barriers = _set_up(rw, plan, 1 if plan.issuer is not None else widening.threads)
    behind = body.first_op if rw.anchor is None else rw.anchor.prev_op
    assert behind is not None
    widening.apply()
    roles = specialized.Roles(rw, plan, widening, around, barriers.ready)
    results = roles.split(
        emitter, barriers.full, barriers.empty, behind, before=meets[0], after=meets[1]
    )
    rw.anchor, rw.block = body.last_op, body
    _tear_down(rw, plan, barriers)
    assert roles.main is not None
    return roles.main, results


def first_thread(rw: Rewriter) -> SSAValue:
    """Whether this is the first thread of its block."""
    found: SSAValue | None = None
    for dimension in _DIMENSIONS:
        at = rw.value(
            "gpu.thread_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", dimension)}
        )
        is_first = numbers.compare(rw, numbers.EQ, at, 0)
        found = (
            is_first if found is None else rw.value("arith.andi", [found, is_first], is_first.type)
        )
    assert found is not None
    return found


def thread_count(rw: Rewriter) -> SSAValue:
    """How many threads a block has."""
    found: Number = 1
    for dimension in _DIMENSIONS:
        size = rw.value(
            "gpu.block_dim", (), IndexType(), {"dimension": ods.enum("gpu.dim", dimension)}
        )
        found = numbers.mul(rw, found, size)
    return numbers.value(rw, found)


def _set_up(rw: Rewriter, plan: Plan, threads: Number) -> Full:
    """The pre-prologue: barriers that all threads and the copy engine see."""
    found = Full()
    elected = found.elected = first_thread(rw)
    elected.name_hint = "elected"
    handshake = None if plan.issuer is None else plan.issuer.handshake
    for group in plan.of_kind(BULK):
        found.full[group] = Barriers(rw, group.stages, 1, "full")
        if plan.mode != "pipelined":
            blocks = 1 if handshake is not None else max(1, len(plan.ranks))
            arrivals = numbers.mul(rw, threads, blocks)
            found.empty[group] = Barriers(rw, group.stages, arrivals, "empty", plan.ranks)
    if handshake is not None:
        # Who says it has waited for a stage that is given back when the one before was read.
        found.ready = Barriers(rw, min(group.stages for group in plan.groups), 1, "ready")
    for barriers in found.all():
        barriers.initialize(rw, elected)
    make_visible(rw, in_cluster=bool(plan.ranks))
    return found


def _tear_down(rw: Rewriter, plan: Plan, barriers: Full) -> None:
    """The post-epilogue: no barrier is left, once all threads have left them."""
    if plan.ranks:
        meet(rw)
    elif not (plan.mode == "pipelined" and plan.needs_barrier_behind()):
        rw.create("gpu.barrier")
    assert barriers.elected is not None

    def invalidate() -> list[SSAValue]:
        for group in barriers.all():
            group.invalidate(rw)
        return []

    if_else(rw, barriers.elected, [], invalidate)


def _erase_old(rw: Rewriter, groups: list[SSAValue]) -> None:
    """Barriers that only the loop as it was has used."""
    for group in groups:
        users = [use.operation for use in group.uses]
        if all(user.name == "nvgpu.mbarrier.init" for user in users):
            for user in users:
                rw.erase(user)
            owner = group.owner
            if getattr(owner, "name", "") == "nvgpu.mbarrier.create":
                rw.erase(owner)  # pyright: ignore[reportArgumentType]
