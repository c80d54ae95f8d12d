# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`control-flow-sink`: what only one branch needs is computed in that branch.

Operations without effect move to the start of the only region that uses them, if control enters
that region at most once. Source: MLIR 22.1 ControlFlowSinkUtils.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, Region

from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context

#: Operations that say of each region that control enters it at most once.
_BRANCHES = frozenset({"scf.if", "scf.index_switch"})


class ControlFlowSink(Pass):
    """Moves operations into the conditional regions that alone use them."""

    name = "control-flow-sink"
    summary = "Sink operations into conditional blocks"

    def run(self, op: Operation, ctx: Context) -> None:
        for branch in list(op.walk(region_first=True)):
            for region in branch.regions if branch.name in _BRANCHES else ():
                if region.first_block is not None:
                    _sink(region)


def _is_inside(op: Operation, region: Region) -> bool:
    found = op.parent_region()
    while found is not None and found is not region:
        parent = found.parent
        found = None if parent is None else parent.parent_region()
    return found is region


def _sink(region: Region) -> None:
    """Moves operations in, those that others need after those others."""
    stack = [op for block in region.blocks for op in block.ops]
    first_block = region.blocks[0]
    while stack:
        user = stack.pop()
        for operand in user.operands:
            op = operand.owner
            if not isinstance(op, Operation) or op.parent_region() is region:
                continue
            users = (use.operation for result in op.results for use in result.uses)
            if not all(_is_inside(u, region) for u in users) or not is_memory_effect_free(op):
                continue
            op.detach()
            first = first_block.first_op
            assert first is not None
            first_block.insert_op_before(op, first)
            stack.append(op)
