# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies that go to several blocks of a cluster: blocks tell one another that a stage is free.

Each of the blocks asks for its part of a tile, which all get, with the mbarrier of the same place
in each. So a stage is free for a copy when the threads of all blocks have left it: every thread
arrives at the empty barriers of all of them. Blocks begin and end together, for a barrier that is
not initialized cannot be arrived at, and memory of a block that has ended cannot be written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.analysis.memory import operands_inside
from xgpu.core.ir.errors import error
from xgpu.kernels.circular.bulk import TMA_LOAD, receivers_of

if TYPE_CHECKING:
    from xgpu.dialects import nvgpu
    from xgpu.kernels.circular.plan import Plan
    from xgpu.kernels.circular.surroundings import Surroundings

#: What differs between the blocks of a cluster.
_BLOCK_IDS = frozenset({"gpu.block_id", "gpu.cluster_block_id"})
_BLOCK_ID_PREFIXES = ("nvvm.read.ptx.sreg.ctaid", "nvvm.read.ptx.sreg.cluster.cta")


def sharing(plan: Plan) -> tuple[int, ...]:
    """The ranks of the blocks that share copies of the loop; none where each has its own. Raises
    where copies are shared between different blocks, or in a mode whose blocks know nothing of
    one another."""
    found: tuple[int, ...] = ()
    for op in plan.loop.walk():
        if op.name != TMA_LOAD:
            continue
        ranks = receivers_of(cast("nvgpu.TmaAsyncLoadOp", op))
        if ranks and found and ranks != found:
            raise error(op, "expected all copies of a loop to be shared by the same blocks")
        found = found or ranks
        if ranks and plan.mode == "pipelined":
            raise error(
                op,
                "a copy to several blocks of a cluster needs mode 'pipelined-mbarrier' or "
                "'warp-specialized': its stage is free when all of these blocks have left it, "
                "which a barrier of one block does not say",
                [(plan.loop.location, "the loop is here")],
            )
    # What one block's thread asks for reads the tiles of others, and gives back stages of them.
    return found if plan.issuer is None else found or plan.issuer.ranks()


def check_alike(plan: Plan, around: Surroundings) -> None:
    """Raises where blocks that share copies may run the loop different numbers of times."""
    values = list(plan.loop.operands[:3])
    for op in around.chain:
        values += op.operands[: 3 if op.name == "scf.for" else 1]
    for value in values:
        source = _block_id_behind(value)
        if source is not None:
            raise error(
                plan.loop,
                "expected blocks that share copies to run this loop equally often, but that "
                "depends on the block",
                [(source.location, "by this")],
            )


def _block_id_behind(value: SSAValue) -> Operation | None:
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        owner = current.owner
        if isinstance(current, BlockArgument) or not isinstance(owner, Operation):
            parent = current.owner.parent_op()
            if parent is None or not isinstance(current, BlockArgument):
                continue
            if parent.name == "gpu.launch" and current.index in (0, 1, 2):
                return parent
            found = list(parent.operands) if parent.name == "scf.for" else []
        elif owner.name in _BLOCK_IDS or owner.name.startswith(_BLOCK_ID_PREFIXES):
            return owner
        else:
            found = list(operands_inside(owner))
        for operand in found:
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return None
