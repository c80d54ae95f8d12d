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

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.core.ir.errors import error
from xgpu.core.ir.generated_kernels import mark_own
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.kernels.circular.options import ATTRIBUTE, MODES, Options, options_of

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.kernels.circular.plan import Plan


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
    from xgpu.kernels.circular.build import build

    mark_own(loop)
    if copies_to_registers(loop):
        return buffer_registers(rw, loop, given)
    return build(rw, plan_of(loop, given))


def copies_to_registers(loop: Operation) -> bool:
    """Whether a loop brings nothing to workgroup memory, but from there to registers."""
    from xgpu.analysis.loop_schedule import LoopSchedule
    from xgpu.kernels.circular.registers import register_loads

    return bool(register_loads(loop)) and not LoopSchedule(loop).loads


def buffer_registers(rw: Rewriter, loop: Operation, given: Options) -> Operation:
    """Loads a loop's values from workgroup memory ahead; gives the main loop."""
    from xgpu.kernels.circular.registers import RegisterBuffers

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
    from xgpu.kernels.circular.chips import check_chip
    from xgpu.kernels.circular.clusters import sharing
    from xgpu.kernels.circular.memory import place_of_stages
    from xgpu.kernels.circular.plan import Plan
    from xgpu.kernels.circular.specialized import can_specialize

    plan = Plan(loop, given, can_specialize)
    check_chip(plan)
    plan.ranks = sharing(plan)
    plan.memory = place_of_stages(plan)
    for op in loop.walk():
        op.attributes.pop(ATTRIBUTE, None)
    return plan
