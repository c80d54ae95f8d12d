# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`loop-invariant-code-motion`: moves what does not change out of loops.

An operation moves before the loop if it is pure and each operand is defined outside. Inner
loops come first, so that what leaves them can leave the outer ones too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.speculation import can_move
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context


def is_loop(op: Operation) -> bool:
    """MLIR's LoopLikeOpInterface."""
    return "LoopLikeOpInterface" in traits_of(op.name)


def _inside(region: Region, value: SSAValue) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    while block is not None:
        if block.parent is region:
            return True
        parent = block.parent.parent if block.parent is not None else None
        block = parent.parent if parent is not None else None
    return False


def _uses_inside(op: Operation, region: Region) -> bool:
    """Whether `op`, or what is in it, uses a value that is defined in `region`."""
    for inner in op.walk():
        for value in inner.operands:
            if not _inside(region, value):
                continue
            owner = value.owner
            home = owner if isinstance(owner, Operation) else owner.parent_op()
            while home is not None and home is not op:
                home = home.parent_op()
            if home is not op or value in op.results:
                return True
    return False


def move_invariant_code(loop: Operation) -> bool:
    """Moves the invariant operations of `loop` before it."""
    moved_any = False
    for region in loop.regions:
        pending = [op for block in region.blocks for op in block.ops]
        for op in pending:
            if op.next_op is None and "Terminator" in traits_of(op.name):
                continue
            if not can_move(op) or _uses_inside(op, region):
                continue
            op.detach()
            assert loop.parent is not None
            loop.parent.insert_op_before(op, loop)
            moved_any = True
    return moved_any


class LICM(Pass):
    """Hoists loop-invariant operations."""

    name = "loop-invariant-code-motion"
    summary = "Hoist loop invariant instructions outside of the loop"

    def run(self, op: Operation, ctx: Context) -> None:
        loops = [inner for inner in op.walk(region_first=True) if is_loop(inner)]
        for loop in loops:
            if loop is not op:
                move_invariant_code(loop)
