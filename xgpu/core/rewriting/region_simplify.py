# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simplifying the control flow of regions, as MLIR's `simplifyRegions` does.

Blocks that cannot be reached go; then operations and block arguments that nothing needs, also
where they need each other in a loop of blocks; and, if asked for, equal blocks become one.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, OpResult, Region

from xgpu.core.ir.construction import operations_of
from xgpu.core.ir.dominance import reachable_blocks
from xgpu.core.ir.effects import effects, is_trivially_dead
from xgpu.core.ir.liveness import Needed, not_forwarded
from xgpu.core.ir.op_info import may_be_terminator, traits_of
from xgpu.core.ir.region_flow import (
    predecessor_edges,
    set_successor_operands,
    successor_operands,
    successor_ranges,
)


def simplify_region(region: Region, *, merge_blocks: bool = False) -> bool:
    """Simplifies `region` and all regions inside; whether anything changed."""
    changed = erase_unreachable_blocks(region)
    changed = _erase_dead_in(region) or changed
    if merge_blocks:
        from xgpu.core.rewriting.block_merging import (
            drop_redundant_arguments,
            merge_identical_blocks,
        )

        for inner in _all_regions(region):
            if inner.first_block is not inner.last_block:
                changed = merge_identical_blocks(inner) or changed
                changed = drop_redundant_arguments(inner) or changed
    return changed


def _all_regions(region: Region) -> list[Region]:
    found = [region]
    for block in region.blocks:
        for op in block.ops:
            for inner in op.regions:
                found.extend(_all_regions(inner))
    return found


def _erase_dead_in(region: Region) -> bool:
    """Erases what nothing needs, from the end: what needed it last goes before it.

    A region of several blocks is left to `erase_dead_code`, together with all inside.
    """
    if region.first_block is not region.last_block:
        return erase_dead_code(region)
    changed = False
    block = region.first_block
    op = block.last_op if block is not None else None
    while op is not None:
        before = op.prev_op
        if is_trivially_dead(op):
            op.detach()
            op.erase()
            changed = True
        else:
            for inner in op.regions:
                changed = _erase_dead_in(inner) or changed
        op = before
    return changed


def erase_unreachable_blocks(region: Region) -> bool:
    """Erases blocks that control cannot come to, in `region` and all regions inside."""
    changed = False
    if region.first_block is not region.last_block:
        seen = reachable_blocks(region)
        dead = [b for b in region.blocks if b not in seen]
        for block in dead:
            for op in block.walk():
                op.drop_all_references()
        for block in dead:
            region.detach_block(block)
            block.erase(safe_erase=False)
            changed = True
    for block in region.blocks:
        for op in operations_of(block):
            for inner in op.regions:
                changed = erase_unreachable_blocks(inner) or changed
    return changed


# --- dead code -----------------------------------------------------------------------------------
def must_stay(op: Operation) -> bool:
    """Whether `op` does something even if its results are unused."""
    if op.successors or (op.next_op is None and may_be_terminator(op)):
        return True
    traits = traits_of(op.name)
    if "Symbol" in traits:
        return True
    found = effects(op)
    if not found:
        return found is None
    own = set(op.results)
    allocated = {e.value for e in found if e.kind == "allocate" and e.value in own}
    return not all(e.kind in ("read", "allocate") or e.value in allocated for e in found)


class _Liveness(Needed):
    """Which operations and values something needs."""

    def __init__(self) -> None:
        super().__init__()
        self.ops: set[Operation] = set()

    def need_op(self, op: Operation) -> None:
        if op in self.ops:
            return
        self.ops.add(op)
        if not op.successors:  # as almost all
            self.need(op.operands)
            return
        self.need(not_forwarded(op))
        if successor_ranges(op) is None:
            for successor in op.successors:
                self.need(successor.args)

    def follow_result(self, value: OpResult, op: Operation) -> None:
        self.need_op(op)


def erase_dead_code(region: Region) -> bool:
    """Erases operations and block arguments in `region` that nothing needs."""
    live = _Liveness()
    for block in region.blocks:
        for op in block.walk():
            if must_stay(op):
                live.need_op(op)
    live.spread()
    return _erase_dead(region, live)


def _erase_dead(region: Region, live: _Liveness) -> bool:
    changed = False
    for block in list(region.blocks)[1:]:
        if any(successor_ranges(op) is None for op, _ in predecessor_edges(block)):
            continue
        for arg in reversed(block.args):
            if arg not in live.values:
                for use in list(arg.uses):
                    if use.operation in live.ops and not use.operation.successors:
                        break
                else:
                    _drop_argument(block, arg.index)
                    changed = True
    for block in region.blocks:
        for op in reversed(list(block.ops)):
            if op not in live.ops and not any(r in live.values for r in op.results):
                if op.next_op is None and may_be_terminator(op):
                    continue
                op.detach()
                op.erase(safe_erase=False)
                changed = True
            else:
                for inner in op.regions:
                    changed = _erase_dead(inner, live) or changed
    return changed


def _drop_argument(block: Block, index: int) -> None:
    """Removes a dead argument; what still uses it is dead, and erased soon after."""
    for op, successor in predecessor_edges(block):
        values = successor_operands(op, successor)
        assert values is not None
        set_successor_operands(op, successor, values[:index] + values[index + 1 :])
    block.erase_arg(block.args[index], safe_erase=False)
