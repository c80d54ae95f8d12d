# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`control-flow-sink`: what only one branch needs is computed in that branch.

Operations without effect move into the only region that uses them, if it runs at most once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, Region

from xgpu.ods.effects import is_memory_effect_free
from xgpu.transforms.base import Pass
from xgpu.transforms.constants import int_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.context import Context


class ControlFlowSink(Pass):
    """Moves operations into the conditional regions that alone use them."""

    name = "control-flow-sink"
    summary = "Sink operations into conditional blocks"

    def run(self, op: Operation, ctx: Context) -> None:
        for branch in list(op.walk()):
            for region in _regions(branch):
                _sink(region)


def _regions(op: Operation) -> Sequence[Region]:
    """The regions of `op` that run once at most."""
    if op.name in ("scf.if", "scf.index_switch", "affine.if", "scf.execute_region"):
        return [r for r in op.regions if r.first_block is not None]
    if op.name == "scf.for":
        bounds = [int_of(v) for v in op.operands[:3]]
        low, high, step = bounds
        if low is not None and high is not None and step and high <= low + step:
            return op.regions
    return ()


def _inside(op: Operation, region: Region) -> bool:
    found = op.parent_region()
    while found is not None and found is not region:
        parent = found.parent
        found = None if parent is None else parent.parent_region()
    return found is region


def _sink(region: Region) -> None:
    stack = [op for block in region.blocks for op in block.ops]
    first_block = region.blocks[0]
    home = region.parent
    assert home is not None
    while stack:
        user = stack.pop()
        for operand in user.operands:
            op = operand.owner
            if not isinstance(op, Operation) or op.parent_region() is region:
                continue
            if op.parent_region() is not home.parent_region() or op.regions:
                continue
            users = [use.operation for result in op.results for use in result.uses]
            if not all(_inside(u, region) for u in users) or not is_memory_effect_free(op):
                continue
            op.detach()
            first = first_block.first_op
            assert first is not None
            first_block.insert_op_before(op, first)
            stack.append(op)
