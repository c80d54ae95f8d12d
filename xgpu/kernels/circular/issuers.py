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

Blocks of a pair multiply together, and the first one asks for the products of both: the second's
thread tells it that its tiles are there, at a barrier of which there is one a stage then.

    scf.for ... {                                        if (one thread of each block) {
      wait for the tiles                                   for n in 0 .. N {
      if (a thread of the second) { arrive at %both }        wait until it is full
      if (a thread of the first) {                     ==>   second: arrive at %both[n % S]
        wait for %both; products                             first: wait for %both[n % S]; products
        commit to %over of both }                              commit to the stage's empty barriers
      wait for %over                                         }
    }                                                      ..

The tensor cores finish such products in their order, and a commit arrives at an mbarrier when all
that the thread asked for before are over. So a stage is given back by them, not by threads; nobody
waits before the loop's end, and the threads that ask for nothing do not run the loop at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.analysis.loop_schedule import mbarrier_behind
from xgpu.analysis.memory import Slice, depends_on_thread, top_of
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import is_memory_effect_free

if TYPE_CHECKING:
    from xgpu.analysis.loop_schedule import LoopSchedule

_ADDRESS = "nvgpu.mbarrier.get"
ARRIVE = "nvvm.mbarrier.arrive"
_MAP = "nvvm.mapa"
COMMIT = "nvvm.tcgen05.commit"
WAIT = "nvgpu.mbarrier.try_wait.parity"


class Handshake(NamedTuple):
    """What another block's thread does when its tiles are there: `branch`, in which it arrives at
    `barrier`. `wait` is for that, and `phase` the index of its phase that the loop carries."""

    branch: Operation
    wait: Operation
    barrier: SSAValue
    phase: int


class Issuer:
    """The only thing that a loop computes: `branch`, in which one thread asks for products and
    commits them; `wait` for that by all. `phase` is the index of the phase that the loop carries.
    With `handshake` the products are of several blocks, of which this is one.
    """

    __slots__ = ("branch", "commit", "handshake", "phase", "wait")

    def __init__(
        self,
        branch: Operation,
        commit: Operation,
        wait: Operation,
        phase: int,
        handshake: Handshake | None,
    ) -> None:
        self.branch = branch
        self.commit = commit
        self.wait = wait
        self.phase = phase
        self.handshake = handshake

    def ranks(self) -> tuple[int, ...]:
        """The blocks in which a commit arrives, by rank; none: in this block alone."""
        if len(self.commit.operands) == 1:
            return ()
        mask = int_of(self.commit.operands[1])
        assert mask is not None  # `issuer_of` asks for that
        return tuple(rank for rank in range(mask.bit_length()) if mask >> rank & 1)


def issuer_of(schedule: LoopSchedule) -> Issuer | None:
    """What a loop computes, if that is products which one thread asks for and all wait for."""
    effects = [op for op in schedule.computes if not is_memory_effect_free(op)]
    effects = [op for op in effects if op not in schedule.barriers]
    if not 2 <= len(effects) <= 3 or schedule.barriers:
        return None
    branch, wait = effects[-2:]
    if not _is_branch(branch) or wait.name != WAIT:
        return None
    commits = [op for op in branch.walk() if op.name == COMMIT]
    found = schedule.accesses_of(branch)
    is_product = any(access.means == "tensor product" for access in found)
    waits = [op for op in branch.walk() if "mbarrier" in op.name and op.name != _ADDRESS]
    handshake = _handshake(schedule, effects[0], waits) if len(effects) == 3 else None
    if handshake is None and (waits or len(effects) == 3):
        return None  # it waits for others, who would have to know how far it is
    if len(commits) != 1 or not is_product or any(access.kind == "write" for access in found):
        return None
    if not _is_whole(schedule, branch, commits[0], wait):
        return None
    along, phase = Slice(schedule.body, [branch]), _phase_of(schedule, wait)
    phases = {phase} if handshake is None else {phase, handshake.phase}
    if phase is None or not phases.issuperset(schedule.needed_to_compute().arguments):
        return None
    if any(handshake is None or at != handshake.phase for at in along.arguments):
        return None
    if not all(op in effects or is_memory_effect_free(op) for op in along.ops):
        return None
    issuer = Issuer(branch, commits[0], wait, phase, handshake)
    if len(commits[0].operands) > 1 and int_of(commits[0].operands[1]) is None:
        return None
    # A stage of one block is read by products that another one asks for only with a handshake.
    return issuer if bool(issuer.ranks()) == (handshake is not None) else None


def _is_branch(op: Operation) -> bool:
    """Whether this is what some threads do, and others not."""
    if op.name != "scf.if" or op.results or op.regions[1].blocks:
        return False
    return depends_on_thread(op.operands[0]) is not None


def _handshake(
    schedule: LoopSchedule, branch: Operation, waits: list[Operation]
) -> Handshake | None:
    """The arrival in `branch` at the barrier of the only one of `waits`, which is used for nothing
    else."""
    if not _is_branch(branch) or len(waits) != 1 or waits[0].name != WAIT:
        return None
    wait = waits[0]
    if any(int_of(value) is None for value in wait.operands[2:]):
        return None
    barrier, inside = wait.operands[0], list(branch.regions[0].block.ops)
    arrivals = [op for op in inside if op.name == ARRIVE]
    if len(arrivals) != 1 or mbarrier_behind(arrivals[0].operands[0]) is not barrier:
        return None
    allowed = (ARRIVE, _ADDRESS, _MAP)
    if not all(op.name in allowed or is_memory_effect_free(op) for op in inside[:-1]):
        return None
    if _is_inside(branch.operands[0], schedule.loop) or _is_inside(barrier, schedule.loop):
        return None
    for use in barrier.uses:
        user = use.operation
        is_known = user is wait or user.name == "nvgpu.mbarrier.init"
        if not is_known and not (user.name == _ADDRESS and branch.is_ancestor(user)):
            return None
    phase = _phase_of(schedule, wait)
    return None if phase is None else Handshake(branch, wait, barrier, phase)


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
