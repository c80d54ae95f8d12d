# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""print-buffer-schedule: what circular-buffer makes of marked loops, in words and as a picture.

For each loop: its buffers and their stages, who copies, what is waited for, and a table of which
stage has which iteration's tile in which step. Nothing is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.errors import Diagnostic, UsageError
from xgpu.core.ir.locations import source_location
from xgpu.core.passes.base import Option, Pass
from xgpu.core.syntax.diagnostics import emit
from xgpu.kernels.circular.circular_buffer import CircularBuffer, marked_loops
from xgpu.kernels.circular.options import Options

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.kernels.circular.schedule import BufferSchedule


class PrintBufferSchedule(Pass):
    """Says of each marked loop how its buffers are used."""

    name = "print-buffer-schedule"
    summary = "Print how circular-buffer would use the buffers of marked loops"
    options = (
        *CircularBuffer.options,
        Option("picture", str, "", "A file (.svg) for a picture of what is in flight when."),
    )
    stages: int
    prefetch: int
    mode: str
    producer_warps: int
    registers: list[int]
    picture: str

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.kernels.circular.clusters import sharing
        from xgpu.kernels.circular.memory import place_of_stages
        from xgpu.kernels.circular.plan import Plan
        from xgpu.kernels.circular.schedule import BufferSchedule
        from xgpu.kernels.circular.specialized import can_specialize

        if self.picture and not self.picture.endswith(".svg"):
            raise UsageError(f"option 'picture' is '{self.picture}', expected a file of type .svg")
        given = Options(
            self.stages, self.prefetch, self.mode, self.producer_warps, tuple(self.registers)
        )
        schedules: list[BufferSchedule] = []
        titles: list[str] = []
        for loop in marked_loops(op):
            plan = Plan(loop, given, can_specialize)
            plan.ranks = sharing(plan)
            plan.memory = place_of_stages(plan)
            schedule = BufferSchedule(plan)
            emit(Diagnostic("remark", schedule.text(), loop.location))
            schedules.append(schedule)
            location = source_location(loop.location)
            titles.append(
                "loop" if location is None else f"loop at {location.line}:{location.column}"
            )
        if self.picture:
            self._draw(schedules, titles)

    def _draw(self, schedules: list[BufferSchedule], titles: list[str]) -> None:
        from xgpu.kernels.circular.picture import svg

        try:
            with open(self.picture, "w", encoding="utf-8") as file:
                file.write(svg(schedules, titles))
        except OSError as problem:
            raise UsageError(f"cannot write '{self.picture}': {problem.strerror}") from None
