# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A buffered loop in time: which stage has which iteration's tile, and what is done with it.

A step is an iteration of the loop that computes; the prologue's copies come in steps before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xgpu.analysis.memory import describe
from xgpu.core.ir.locations import source_location
from xgpu.kernels.circular.memory import buffer_type
from xgpu.kernels.circular.plan import ASYNC, BULK
from xgpu.kernels.circular.storage import tile_bytes

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.analysis.memory import Root
    from xgpu.kernels.circular.plan import Group, Plan

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
