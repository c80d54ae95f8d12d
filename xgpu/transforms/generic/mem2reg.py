# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mem2reg`: what a memory slot holds becomes SSA values, and the slot goes.

A slot is promoted if each user of its pointer, and each user of an address that is the same
pointer, can do without it. Stores and loads must be in the region of the allocation. Where two
stores reach a block that may load, the block gets an argument: these are the blocks of the
iterated dominance frontier of the stores in which the slot is live. A walk over the dominator tree
then follows the value through the blocks. Before the first store it is the allocation's default.

Source: MLIR 22.1 Mem2Reg.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.blocks import add_argument
from xgpu.core.ir.dominance import Dominators, successors_of
from xgpu.core.ir.region_flow import (
    predecessor_edges,
    set_successor_operands,
    successor_operands,
    successor_ranges,
)
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.llvm.types import layout_around
from xgpu.transforms.generic.memory_slots import (
    Order,
    blocked_uses,
    model_of,
    slot_model,
    uses_of,
)

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Block, Operation, Region, SSAValue

    from xgpu.dialects.llvm.types import DataLayout
    from xgpu.transforms.generic.slot_models import Slot, SlotModel


class Mem2Reg(Pass):
    """Keeps what memory slots hold in SSA values."""

    name = "mem2reg"
    summary = "Promotes memory slots into values."
    options = (
        Option(
            "region-simplify",
            bool,
            True,
            "Perform control flow optimizations to the region tree: accepted, without effect, as "
            "in MLIR 22.1",
        ),
    )
    region_simplify: bool

    def run(self, op: Operation, ctx: Context) -> None:
        layout = layout_around(op)
        flow = _Flow()
        pending = [
            inner for inner in op.walk() if inner is not op and slot_model(inner).slot(inner)
        ]
        while pending:
            left = [inner for inner in pending if not _promote(inner, layout, flow)]
            if len(left) == len(pending):
                return
            pending = left


class _Flow:
    """What is found once of each region: dominators, dominance frontiers, orders."""

    def __init__(self) -> None:
        self.order = Order()
        self._trees: dict[Region, tuple[Dominators, dict[Block, list[Block]]]] = {}

    def tree(self, region: Region) -> tuple[Dominators, dict[Block, list[Block]]]:
        found = self._trees.get(region)
        if found is None:
            tree = Dominators(region)
            found = self._trees[region] = tree, _dominance_frontier(tree)
        return found


def _promote(allocation: Operation, layout: DataLayout, flow: _Flow) -> bool:
    """Promotes the slot of an allocation, if that can be done."""
    model = model_of(allocation)
    slot = None if model is None else model.slot(allocation)
    if model is None or slot is None or slot.pointer.first_use is None:
        return False
    region = allocation.parent_region()
    uses = blocked_uses(uses_of(slot.pointer), slot, layout)
    if region is None or uses is None:
        return False
    accesses = [op for op in uses if slot_model(op).is_access]
    if any(op.parent_region() is not region for op in accesses):
        return False
    tree, frontier = flow.tree(region)
    by_block: dict[Block, list[Operation]] = {}
    for op in flow.order.sorted(accesses, region):
        assert op.parent is not None
        by_block.setdefault(op.parent, []).append(op)
    joins = _joins(allocation, slot, by_block, tree, frontier, layout)
    if joins is None:
        return False
    users = flow.order.sorted(uses, region)
    _Promotion(allocation, model, slot, by_block, joins, tree, layout).run(users)
    return True


# --- where values meet ----------------------------------------------------------------------------
def _joins(
    allocation: Operation,
    slot: Slot,
    by_block: dict[Block, list[Operation]],
    tree: Dominators,
    frontier: dict[Block, list[Block]],
    layout: DataLayout,
) -> list[Block] | None:
    """The blocks that need an argument; None if one cannot have one."""
    home = allocation.parent
    assert home is not None
    writing = {b for b, ops in by_block.items() if any(slot_model(o).writes(o, slot) for o in ops)}
    live = _live_in(slot, by_block, writing, layout)
    found: list[Block] = []
    pending = [block for block in tree.order if block in writing]
    while pending:
        for block in frontier.get(pending.pop(), ()):
            if block in live and block not in found:
                found.append(block)
                pending.append(block)
    for block in found:
        # The slot of an allocation in a loop is another one in each iteration.
        if block is home or not tree.dominates(home, block):
            return None
        if any(successor_ranges(branch) is None for branch, _ in predecessor_edges(block)):
            return None
    return [block for block in tree.order if block in found]


def _live_in(
    slot: Slot,
    by_block: dict[Block, list[Operation]],
    writing: set[Block],
    layout: DataLayout,
) -> set[Block]:
    """The blocks at whose start it matters what the slot holds."""
    pending: list[Block] = []
    for block, ops in by_block.items():
        for op in ops:
            if slot_model(op).reads(op, slot, layout):
                pending.append(block)
                break
            if slot_model(op).writes(op, slot):
                break
    live: set[Block] = set()
    while pending:
        block = pending.pop()
        if block not in live:
            live.add(block)
            before = (branch.parent for branch, _ in predecessor_edges(block))
            pending.extend(b for b in before if b is not None and b not in writing)
    return live


def _dominance_frontier(tree: Dominators) -> dict[Block, list[Block]]:
    """For each block those that it does not strictly dominate, but a predecessor of."""
    incoming: dict[Block, list[Block]] = {}
    for block in tree.order:
        for successor in dict.fromkeys(successors_of(block)):
            incoming.setdefault(successor, []).append(block)
    found: dict[Block, list[Block]] = {}
    for block, before in incoming.items():
        above = tree.parent(block)
        for runner in before:
            # The entry is its own parent, though nothing dominates it.
            while runner is not above or block is tree.order[0]:
                if block not in found.setdefault(runner, []):
                    found[runner].append(block)
                if runner is tree.order[0]:
                    break
                runner = tree.parent(runner)
    return found


# --- the change -----------------------------------------------------------------------------------
class _Promotion:
    """Promotes one slot."""

    def __init__(
        self,
        allocation: Operation,
        model: SlotModel,
        slot: Slot,
        by_block: dict[Block, list[Operation]],
        joins: list[Block],
        tree: Dominators,
        layout: DataLayout,
    ) -> None:
        self.allocation = allocation
        self.model = model
        self.slot = slot
        self.by_block = by_block
        self.joins = joins
        self.tree = tree
        self.layout = layout
        self.rw = Rewriter(allocation)
        self.start: SSAValue | None = None
        #: What the slot holds before each access that is reached.
        self.held: dict[Operation, SSAValue | None] = {}
        self.stored: dict[Operation, SSAValue] = {}

    def default(self) -> SSAValue:
        """What the slot holds before the first store."""
        if self.start is None:
            assert self.allocation.parent is not None
            with self.rw.insertion_guard():
                self.rw.at_start(self.allocation.parent)
                self.rw.location = self.allocation.location
                self.start = self.model.default(self.rw, self.allocation, self.slot)
        return self.start

    def run(self, users: list[Operation]) -> None:
        """`users` have to do without the pointer, in the order in which they stand."""
        children = self.tree.children()
        pending: list[tuple[Block, SSAValue | None]] = [(self.tree.order[0], None)]
        while pending:
            block, held = pending.pop()
            held = self._follow(block, held)
            pending.extend((child, held) for child in children[block])
        self._lose(users)
        for block in self.joins:
            for branch, index in predecessor_edges(block):
                passed = successor_operands(branch, index)
                # A branch that is never reached.
                if passed is not None and len(passed) + 1 == len(block.args):
                    set_successor_operands(branch, index, [*passed, self.default()])
        if self.start is not None and self.start.first_use is None:
            self.rw.erase(cast("Operation", self.start.owner))
        self.rw.erase(self.allocation)

    def _follow(self, block: Block, held: SSAValue | None) -> SSAValue | None:
        """What the slot holds at the end of a block that it holds `held` before."""
        rw = self.rw
        if block in self.joins:
            held = add_argument(block, self.slot.element, self.allocation.location)
            rw.at_start(block)
            self.model.joined(rw, self.allocation, held)
        for op in self.by_block.get(block, ()):
            self.held[op] = held
            if slot_model(op).writes(op, self.slot):
                rw.after(op)
                rw.location = op.location
                before = self.default() if held is None else held
                held = slot_model(op).stored(rw, op, self.slot, before, self.layout)
                self.stored[op] = held
        for index, successor in enumerate(successors_of(block)):
            if successor in self.joins:
                assert block.last_op is not None
                if held is None:
                    held = self.default()
                passed = successor_operands(block.last_op, index)
                assert passed is not None
                set_successor_operands(block.last_op, index, [*passed, held])
        return held

    def _lose(self, users: list[Operation]) -> None:
        """Takes the pointer from its users, the last ones first."""
        rw = self.rw
        gone: list[Operation] = []
        lost: list[Operation] = []
        for op in reversed(users):
            model = slot_model(op)
            held = None
            if model.is_access:
                held = self.held.get(op)
                if held is None:
                    held = self.default()
            rw.after(op)
            rw.location = op.location
            lost.append(op)
            if model.lose(rw, op, self.slot, held, self.layout):
                gone.append(op)
        values = [(op, self.stored[op]) for op in lost if op in self.stored]
        for op in lost:
            slot_model(op).stored_values(rw, op, values)
        for op in gone:
            rw.erase(op)
