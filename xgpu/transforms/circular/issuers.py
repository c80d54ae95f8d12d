# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that one thread asks for, and that say themselves when they are over.

    scf.for ... {                                        if (one thread) {
      wait for the tiles                                   for n in 0 .. N {
      if (one thread) { products; commit to %over }  ==>     wait until it is full; products
      wait for %over                                         commit to the stage's empty barrier
    }                                                      }
                                                           commit to %over
                                                         }
                                                         wait for %over

The tensor cores finish such products in their order, and a commit arrives at an mbarrier when all
that the thread asked for before are over. So a stage is given back by them, not by threads; nobody
waits before the loop's end, and the threads that ask for nothing do not run the loop at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.analysis.memory.loop_schedule import mbarrier_behind
from xgpu.analysis.memory.slices import Slice, depends_on_thread, top_of
from xgpu.ir.constants import int_of
from xgpu.ir.effects import is_memory_effect_free

if TYPE_CHECKING:
    from xgpu.analysis.memory.loop_schedule import LoopSchedule

_ADDRESS = "nvgpu.mbarrier.get"
COMMIT = "nvvm.tcgen05.commit"
WAIT = "nvgpu.mbarrier.try_wait.parity"


class Issuer:
    """The only thing that a loop computes: `branch`, in which one thread asks for products and
    commits them; `wait` for that by all. `phase` is the index of the phase that the loop carries.
    """

    __slots__ = ("branch", "commit", "phase", "wait")

    def __init__(self, branch: Operation, commit: Operation, wait: Operation, phase: int) -> None:
        self.branch = branch
        self.commit = commit
        self.wait = wait
        self.phase = phase


def issuer_of(schedule: LoopSchedule) -> Issuer | None:
    """What a loop computes, if that is products which one thread asks for and all wait for."""
    effects = [op for op in schedule.computes if not is_memory_effect_free(op)]
    effects = [op for op in effects if op not in schedule.barriers]
    if len(effects) != 2 or schedule.barriers:
        return None
    branch, wait = effects
    if branch.name != "scf.if" or branch.results or wait.name != WAIT:
        return None
    if branch.regions[1].blocks or depends_on_thread(branch.operands[0]) is None:
        return None
    commits = [op for op in branch.walk() if op.name == COMMIT]
    found = schedule.accesses_of(branch)
    is_product = any(access.means == "tensor product" for access in found)
    if sum("mbarrier" in op.name and op.name != _ADDRESS for op in branch.walk()):
        return None  # it waits for others, who would have to know how far it is
    if len(commits) != 1 or not is_product or any(access.kind == "write" for access in found):
        return None
    if not _is_whole(schedule, branch, commits[0], wait):
        return None
    along, phase = Slice(schedule.body, [branch]), _phase_of(schedule, wait)
    if phase is None or any(at != phase for at in schedule.needed_to_compute().arguments):
        return None
    if along.arguments or not all(op is branch or is_memory_effect_free(op) for op in along.ops):
        return None
    return Issuer(branch, commits[0], wait, phase)


def _is_whole(
    schedule: LoopSchedule, branch: Operation, commit: Operation, wait: Operation
) -> bool:
    """Whether the commit, to the barrier that is waited for and used nowhere else, ends the branch,
    and condition and barrier come from outside of the loop."""
    last = branch.regions[0].block.last_op
    group = wait.operands[0]
    if (
        last is None
        or commit.next_op is not last
        or mbarrier_behind(commit.operands[0]) is not group
    ):
        return False
    body = schedule.body
    if any(_is_inside(value, schedule.loop) for value in (branch.operands[0], group)):
        return False
    if any(int_of(value) is None for value in wait.operands[2:]):
        return False
    for use in group.uses:
        user = use.operation
        if user is wait or user.name == "nvgpu.mbarrier.init" or branch.is_ancestor(user):
            continue
        return False
    return top_of(commit, body) is branch


def _is_inside(value: SSAValue, loop: Operation) -> bool:
    owner = value.owner
    if isinstance(owner, Operation):
        return loop.is_ancestor(owner)
    parent = owner.parent_op()
    return parent is not None and loop.is_ancestor(parent)


def _phase_of(schedule: LoopSchedule, wait: Operation) -> int | None:
    """The index of the value that the loop carries as the barrier's phase: turned each time."""
    phase = wait.operands[1]
    body = schedule.body
    if not isinstance(phase, BlockArgument) or phase.block is not body or phase.index == 0:
        return None
    last = body.last_op
    assert last is not None
    later = last.operands[phase.index - 1].owner
    if not isinstance(later, Operation) or later.name != "arith.xori":
        return None
    turned = later.operands[0] is phase and int_of(later.operands[1]) in (1, -1)
    return phase.index - 1 if turned else None
