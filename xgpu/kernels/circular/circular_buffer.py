# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""circular-buffer: copies of marked loops run ahead, into several buffers used in turn.

    scf.for %i = ... {                          scf.for %j = 0 to min(P, N) { copy %j }
      copy(%i) to %tile                         scf.for %n = 0 to N - P {
      gpu.barrier                                 copy(%n + P) to %tiles[(%n + P) mod S]
      compute on %tile               ==>          wait for copy(%n)
      gpu.barrier                                 compute on %tiles[%n mod S]
    } {xgpu.circular_buffer}                    }
                                                scf.for %n = N - P to N { wait; compute }

with S stages and a prefetch distance of P. docs/concepts/circular-buffering.md tells the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from xgpu.analysis.loop_schedule import LoopSchedule
from xgpu.core import ods
from xgpu.core.ir.calls import mark_own
from xgpu.core.ir.construction import replace_all_uses
from xgpu.core.ir.errors import error
from xgpu.core.passes import remarks
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.gpu.ops import parent_of
from xgpu.kernels.circular import numbers, specialized
from xgpu.kernels.circular.bulk import Barriers, check_alike, make_visible, meet, sharing
from xgpu.kernels.circular.emitter import Emitter
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.pipelined import Pipeline, RegisterBuffers, drain, register_loads
from xgpu.kernels.circular.plan import (
    ATTRIBUTE,
    BULK,
    MODES,
    Group,
    Options,
    Plan,
    check_chip,
    options_of,
    place_of_stages,
    stages_of,
)
from xgpu.kernels.circular.specialized import can_specialize
from xgpu.kernels.circular.storage import multi_buffer
from xgpu.kernels.circular.surroundings import Surroundings, Widening, count_on, elected_thread
from xgpu.transforms.scf.builders import if_else

# --- build ---------------------------------------------------------------------------------------
# The whole of a buffered loop: memory, barriers, loops, and the end of the barriers.


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


class CircularBuffer(Pass):
    """Buffers each loop that carries `xgpu.circular_buffer`."""

    name = "circular-buffer"
    summary = "Run the copies of marked loops ahead, into several buffers used in turn"
    options = (
        Option("stages", int, 2, "How many buffers there are in place of one.", least=1),
        Option(
            "prefetch",
            int,
            -1,
            "How many iterations ahead is copied; a negative number counts from the stages.",
        ),
        Option("mode", str, "auto", "Who copies, and how a stage becomes free.", MODES),
        Option("producer-warps", int, 1, "Warps that only copy (warp-specialized).", least=1),
        Option(
            "registers",
            list,
            (),
            "Registers of a thread that copies, and of one that computes (warp-specialized).",
            element=int,
        ),
    )
    stages: int
    prefetch: int
    mode: str
    producer_warps: int
    registers: list[int]

    def run(self, op: Operation, ctx: Context) -> None:
        given = Options(
            self.stages, self.prefetch, self.mode, self.producer_warps, tuple(self.registers)
        )
        for loop in marked_loops(op):
            buffer_loop(Rewriter(loop), loop, given)


def marked_loops(op: Operation) -> list[Operation]:
    """The loops that carry the mark, none of which may be in another one."""
    found = [inner for inner in op.walk() if ATTRIBUTE in inner.attributes]
    loops = [inner for inner in found if inner.name == "scf.for"]
    for loop in loops:
        outer = next((o for o in loops if o is not loop and o.is_ancestor(loop)), None)
        if outer is not None:
            raise error(
                loop,
                "a buffered loop in a buffered loop: the inner one's copies would have to run "
                "ahead of the outer one's too",
                [(outer.location, "the outer loop is here")],
            )
    for inner in found:
        if inner.name != "scf.for" and not any(loop.is_ancestor(inner) for loop in loops):
            raise error(
                inner, f"expected '{ATTRIBUTE}' on an scf.for, or on a copy in a marked one"
            )
    return loops


def buffer_loop(rw: Rewriter, loop: Operation, given: Options) -> Operation:
    """Buffers one loop; gives the main loop."""
    mark_own(loop)
    location = loop.location
    if copies_to_registers(loop):
        remarks.passed(location, "CircularBuffer", CircularBuffer.name, "loads of registers")
        return buffer_registers(rw, loop, given)
    plan = plan_of(loop, given)
    built = build(rw, plan)
    remarks.passed(
        location, "CircularBuffer", CircularBuffer.name, "copies run ahead of the loop",
        Mode=plan.mode, Stages=plan.options.stages,
    )  # fmt: skip
    return built


def copies_to_registers(loop: Operation) -> bool:
    """Whether a loop brings nothing to workgroup memory, but from there to registers."""
    return bool(register_loads(loop)) and not LoopSchedule(loop).loads


def buffer_registers(rw: Rewriter, loop: Operation, given: Options) -> Operation:
    """Loads a loop's values from workgroup memory ahead; gives the main loop."""
    options = options_of(loop, given)
    if options.mode not in ("auto", "pipelined"):
        raise error(
            loop,
            f"mode '{options.mode}' is for copies to workgroup memory; this loop loads from there",
        )
    buffers = RegisterBuffers(loop, options)
    loop.attributes.pop(ATTRIBUTE, None)
    return buffers.build(rw)


def plan_of(loop: Operation, given: Options) -> Plan:
    """What is to be made of a loop. Raises `DiagnosticError`, and changes nothing but the mark."""
    plan = Plan(loop, given, can_specialize)
    check_chip(plan)
    plan.ranks = sharing(plan)
    plan.memory = place_of_stages(plan)
    for op in loop.walk():
        op.attributes.pop(ATTRIBUTE, None)
    return plan
