# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""print-buffer-schedule: what circular-buffer makes of marked loops, in words and as a picture.

For each loop: its buffers and their stages, who copies, what is waited for, and a table of which
stage has which iteration's tile in which step. Nothing is changed.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from xdsl.context import Context
from xdsl.ir import Operation

from xgpu.analysis.memory import Root, describe
from xgpu.core.ir.errors import Diagnostic, UsageError
from xgpu.core.ir.locations import source_location
from xgpu.core.passes.base import Option, Pass
from xgpu.core.syntax.diagnostics import emit
from xgpu.kernels.circular.bulk import sharing
from xgpu.kernels.circular.circular_buffer import CircularBuffer, marked_loops
from xgpu.kernels.circular.plan import (
    ASYNC,
    BULK,
    Group,
    Options,
    Plan,
    buffer_type,
    place_of_stages,
)
from xgpu.kernels.circular.specialized import can_specialize
from xgpu.kernels.circular.storage import tile_bytes

# --- schedule ------------------------------------------------------------------------------------
# A buffered loop in time: which stage has which iteration's tile, and what is done with it.
#
# A step is an iteration of the loop that computes; the prologue's copies come in steps before it.


#: What happens to a stage in a step.
ASKED, COMING, USED, FREE = "asked", "coming", "used", "free"
#: How many rounds through all stages a picture shows.
_ROUNDS = 2
_COPIES = {
    BULK: "the copy engine, asked by one thread",
    ASYNC: "each thread, asynchronously",
    "thread": "each thread, through registers",
}


class Cell(NamedTuple):
    """A stage in a step: what happens, and the iteration whose tile it has, or None."""

    state: str
    iteration: int | None


class Lane(NamedTuple):
    """A buffer's stages over the steps, `rows[stage][step]`; `first`, at most 0, is step 0's."""

    name: str
    first: int
    rows: list[list[Cell]]


class BufferSchedule:
    """What `plan` makes of its loop, for people."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.iterations = _ROUNDS * max(group.stages for group in plan.groups) + 1

    # --- in time -------------------------------------------------------------------------------
    def distance(self, group: Group) -> int:
        """How many iterations ahead is copied: by warps of their own as far as there are stages."""
        return group.stages - 1 if self.plan.mode == "warp-specialized" else group.ahead

    def lanes(self) -> list[Lane]:
        first = -max(self.distance(group) for group in self.plan.groups)
        return [
            Lane(describe(root), first, self._rows(group, first))
            for group in self.plan.groups
            for root in group.buffers()
        ]

    def _rows(self, group: Group, first: int) -> list[list[Cell]]:
        rows = [[Cell(FREE, None)] * (self.iterations - first) for _ in range(group.stages)]
        ahead = self.distance(group)
        for k in range(self.iterations):
            row = rows[k % group.stages]
            for step in range(k - ahead, k + 1):
                state = USED if step == k else ASKED if step == k - ahead else COMING
                row[step - first] = Cell(state, k)
        return rows

    # --- in words ------------------------------------------------------------------------------
    def text(self) -> str:
        plan = self.plan
        lines = [f"buffer schedule: mode {plan.mode}"]
        for group in plan.groups:
            for root in group.buffers():
                lines += self._buffer_lines(group, root)
        lines.append(f"  a tile is there: {self._wait_words()}")
        lines.append(f"  a stage is free: {self._free_words()}")
        kept = len(plan.schedule.barriers)
        if kept:
            lines.append(f"  kept: {kept} barrier(s) between what computes and what computes")
        for lane in self.lanes():
            lines += ["", *self._picture(lane)]
        return "\n".join(lines)

    def _buffer_lines(self, group: Group, root: Root) -> list[str]:
        size = tile_bytes(buffer_type(root, self.plan.loop))
        loads = [load.op for load in group.loads if root in load.buffers]
        reads = [
            access.op
            for op in self.plan.schedule.computes
            for access in self.plan.schedule.accesses_of(op)
            if access.root == root
        ]
        ahead = self.distance(group)
        lines = [
            f"  {describe(root)}: {group.stages} stages of {size} bytes, copied {ahead} "
            f"iteration(s) ahead by {_COPIES[group.means]}",
            f"    filled at {_locations(loads)}, used at {_locations(reads)}",
        ]
        if ahead + 1 < group.stages:
            lines.append(
                f"    only {ahead + 1} of {group.stages} stages have a tile at any time: "
                f"a prefetch distance of {group.stages - 1} would use them all"
            )
        return lines

    def _wait_words(self) -> str:
        plan = self.plan
        words: list[str] = []
        if plan.of_kind(BULK):
            words.append("the phase of its full barrier is over")
        if plan.of_kind(ASYNC):
            words.append("its group of copies is over")
        if not plan.is_bulk_only():
            words.append("all threads have met at a barrier")
        return ", and ".join(words)

    def _free_words(self) -> str:
        plan = self.plan
        drained = "asynchronous reads are over, and " if plan.schedule.drains() else ""
        if plan.issuer is not None:
            return "the products that read it have arrived at its empty barrier"
        if plan.mode != "pipelined":
            return f"{drained}all threads that compute have arrived at its empty barrier"
        if plan.needs_barrier_behind():
            return f"{drained}all threads have met at a barrier behind what computes"
        return f"{drained}all threads have met at the next iteration's barrier"

    def _picture(self, lane: Lane) -> list[str]:
        marks = {ASKED: ">", COMING: "-", USED: "#", FREE: "."}
        width = 2 + len(str(self.iterations))
        steps = range(lane.first, self.iterations)
        head = "".join(f"{(str(n) if n >= 0 else 'pro'):>{width + 1}}" for n in steps)
        lines = [f"  {lane.name}, by iteration (> asked for, - on its way, # used):"]
        label = len("stage ") + len(str(len(lane.rows)))
        lines.append(f"    {'':{label}}{head}".rstrip())
        for stage, row in enumerate(lane.rows):
            words = [
                marks[cell.state] + ("" if cell.iteration is None else str(cell.iteration))
                for cell in row
            ]
            cells = "".join(f"{word:>{width + 1}}" for word in words)
            lines.append(f"    {f'stage {stage}':{label}}{cells}")
        return lines


def _locations(ops: list[Operation]) -> str:
    found: dict[str, None] = {}
    for op in ops:
        location = source_location(op.location)
        where = "" if location is None else f" ({location.line}:{location.column})"
        found[f"{op.name}{where}"] = None
    return ", ".join(found) or "nowhere"


# --- picture -------------------------------------------------------------------------------------
# A buffer schedule as a picture: a lane a stage, a bar for each tile that it has.


_LEFT, _TOP, _STEP, _ROW, _GAP = 90, 64, 44, 28, 30
_FILL = {ASKED: "#9cc3ea", COMING: "#cfe2f5", USED: "#3b8f5a"}
_TEXT = {ASKED: "#123", COMING: "#345", USED: "#fff"}


def svg(schedules: list[BufferSchedule], titles: list[str]) -> str:
    """One picture of several loops, one below the other."""
    parts: list[str] = []
    width, at = 0, 0
    for schedule, title in zip(schedules, titles, strict=True):
        for lane in schedule.lanes():
            body, bottom = _lane(lane, f"{title}: {lane.name}", at)
            parts.append(body)
            width = max(width, _LEFT + _STEP * len(lane.rows[0]) + 24)
            at = bottom + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{at}" '
        f'viewBox="0 0 {width} {at}" font-family="Helvetica, Arial, sans-serif" font-size="11">\n'
        f'<rect width="{width}" height="{at}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _lane(lane: Lane, title: str, at: int) -> tuple[str, int]:
    top = at + _TOP
    out = [
        f'<text x="12" y="{at + 20}" font-size="14">{escape(title)}</text>',
        f'<text x="12" y="{at + 38}" fill="#555">light: the copy is on its way; dark: the tile is '
        "used; numbers are iterations</text>",
    ]
    for step in range(len(lane.rows[0])):
        number = lane.first + step
        word = str(number) if number >= 0 else "prologue" if step == 0 else ""
        x = _LEFT + _STEP * step
        out.append(f'<text x="{x + 4}" y="{top - 6}" fill="#555">{word}</text>')
        out.append(
            f'<line x1="{x}" y1="{top}" x2="{x}" y2="{top + _ROW * len(lane.rows)}" stroke="#ddd"/>'
        )
    for stage, row in enumerate(lane.rows):
        y = top + _ROW * stage
        out.append(f'<text x="12" y="{y + 18}">stage {stage}</text>')
        out += [_cell(cell, _LEFT + _STEP * step, y) for step, cell in enumerate(row)]
    return "\n".join(line for line in out if line), top + _ROW * len(lane.rows)


def _cell(cell: Cell, x: int, y: int) -> str:
    if cell.state == FREE:
        return ""
    word = str(cell.iteration) if cell.state in (ASKED, USED) else ""
    return (
        f'<rect x="{x + 1}" y="{y + 3}" width="{_STEP - 1}" height="{_ROW - 6}" '
        f'fill="{_FILL[cell.state]}"/><text x="{x + 8}" y="{y + 18}" '
        f'fill="{_TEXT[cell.state]}">{word}</text>'
    )


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
        try:
            with open(self.picture, "w", encoding="utf-8") as file:
                file.write(svg(schedules, titles))
        except OSError as problem:
            raise UsageError(f"cannot write '{self.picture}': {problem.strerror}") from None
