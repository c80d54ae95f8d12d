# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`control-flow-sink` and `loop-invariant-code-motion`: operations move to where they run less
often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.effects import is_memory_effect_free, is_pure
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context


# --- control flow sink ---------------------------------------------------------------------------
# `control-flow-sink`: what only one branch needs is computed in that branch.
#
# Operations without effect move to the start of the only region that uses them, if control enters
# that region at most once. Source: MLIR 22.1 ControlFlowSinkUtils.cpp.


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


# --- loop invariant code motion ------------------------------------------------------------------
# `loop-invariant-code-motion`: moves what does not change out of loops.
#
# An operation moves before the loop if it is pure and each operand is defined outside. Inner
# loops come first, so that what leaves them can leave the outer ones too.


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
            if not is_pure(op) or _uses_inside(op, region):
                continue
            op.detach()
            assert loop.parent is not None
            loop.parent.insert_op_before(op, loop)
            moved_any = True
    return moved_any


class LoopInvariantCodeMotion(Pass):
    """Hoists loop-invariant operations."""

    name = "loop-invariant-code-motion"
    summary = "Hoist loop invariant instructions outside of the loop"

    def run(self, op: Operation, ctx: Context) -> None:
        loops = [inner for inner in op.walk(region_first=True) if is_loop(inner)]
        for loop in loops:
            if loop is not op:
                move_invariant_code(loop)
