# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks that do the same become one, and block arguments that say nothing new go.

Two blocks do the same if their operations are equal, operands that come from other blocks aside:
where those differ, the block that stays gets an argument. Source: MLIR 22.1 RegionUtils.cpp.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core.ir.liveness import home
from xgpu.core.ir.region_flow import (
    erase_block_argument,
    predecessor_edges,
    set_successor_operands,
    successor_operands,
    successor_ranges,
)

#: Places of operands: of the n-th operation of a block the m-th operand.
Places = dict[tuple[int, int], None]


class _Cluster:
    """Equal blocks: the one that stays, those that go, and where their operands differ."""

    __slots__ = ("leader", "others", "places")

    def __init__(self, leader: Block) -> None:
        self.leader = leader
        self.others: list[Block] = []
        self.places: Places = {}

    def add(self, block: Block) -> bool:
        """Takes `block` in if it is equal to the leader."""
        places = _differences(self.leader, block)
        if places is None:
            return False
        self.others.append(block)
        self.places.update(dict.fromkeys(places))
        return True

    def merge(self) -> bool:
        """Makes the blocks one; whether anything changed."""
        if not self.others:
            return False
        if self.places and not self._pass_differing_operands():
            return False
        for other in self.others:
            for op, successor in predecessor_edges(other):
                op.successors[successor] = self.leader
            region = other.parent
            assert region is not None
            region.detach_block(other)
            other.erase(safe_erase=False)
        return True

    def _pass_differing_operands(self) -> bool:
        blocks = [self.leader, *self.others]
        if not all(_can_pass_operands(block) for block in blocks):
            return False
        rows = [_values_at(block, self.places) for block in blocks]
        columns: dict[tuple[SSAValue, ...], SSAValue] = {}
        new_values: list[tuple[SSAValue, ...]] = []
        ops = list(self.leader.ops)
        for (op, operand), column in zip(self.places, zip(*rows, strict=True), strict=True):
            argument = columns.get(column)
            if argument is None:
                argument = self.leader.insert_arg(column[0].type, len(self.leader.args))
                argument.location = ops[op].location  # pyright: ignore
                columns[column] = argument
                new_values.append(column)
            ops[op].operands[operand] = argument
        for number, block in enumerate(blocks):
            extra = [column[number] for column in new_values]
            for op, successor in predecessor_edges(block):
                values = successor_operands(op, successor)
                assert values is not None
                set_successor_operands(op, successor, [*values, *extra])
        return True


def _values_at(block: Block, places: Places) -> list[SSAValue]:
    ops = list(block.ops)
    return [ops[op].operands[operand] for op, operand in places]


def _can_pass_operands(block: Block) -> bool:
    """Whether all branches to `block` can pass values to it."""
    return all(successor_ranges(op) is not None for op, _ in predecessor_edges(block))


def _used_outside(value: SSAValue, block: Block) -> bool:
    return any(use.operation.parent is not block for use in value.uses)


def _differences(leader: Block, block: Block) -> list[tuple[int, int]] | None:
    """Where the operands of two blocks differ that come from other blocks; None if more does."""
    if [a.type for a in leader.args] != [a.type for a in block.args]:
        return None
    twins: dict[SSAValue, SSAValue] = dict(zip(leader.args, block.args, strict=True))
    found: list[tuple[int, int]] = []
    a, b, number = leader.first_op, block.first_op, 0
    while a is not None and b is not None:
        if not _same_operation(a, b):
            return None
        for index, (x, y) in enumerate(zip(a.operands, b.operands, strict=True)):
            if x is y:
                continue
            is_inside = home(x) is leader
            if x.type != y.type or is_inside != (home(y) is block):
                return None
            if is_inside:
                if twins[x] is not y:
                    return None
            elif _is_made_by_branch_to(x, leader) or _is_made_by_branch_to(y, block):
                return None
            else:
                found.append((number, index))
        if any(_used_outside(r, leader) for r in a.results) or any(
            _used_outside(r, block) for r in b.results
        ):
            return None
        twins.update(zip(a.results, b.results, strict=True))
        a, b, number = a.next_op, b.next_op, number + 1
    return found if a is None and b is None else None


def _same_operation(a: Operation, b: Operation) -> bool:
    return (
        a.name == b.name
        and not a.regions
        and not b.regions
        and len(a.operands) == len(b.operands)
        and a.properties == b.properties
        and a.attributes == b.attributes
        and list(a.successors) == list(b.successors)
        and [r.type for r in a.results] == [r.type for r in b.results]
    )


def _is_made_by_branch_to(value: SSAValue, block: Block) -> bool:
    """Whether a branch to `block` defines `value`, and so cannot pass it."""
    owner = value.owner
    return isinstance(owner, Operation) and any(op is owner for op, _ in predecessor_edges(block))


def merge_identical_blocks(region: Region) -> bool:
    """Lets branches to equal blocks go to one of them."""
    groups: dict[tuple[Block, ...], list[_Cluster]] = {}
    for block in list(region.blocks)[1:]:
        if any(_used_outside(argument, block) for argument in block.args):
            continue
        last = block.last_op
        clusters = groups.setdefault(tuple(last.successors) if last is not None else (), [])
        if not any(cluster.add(block) for cluster in clusters):
            clusters.append(_Cluster(block))
    changed = False
    for clusters in groups.values():
        for cluster in clusters:
            changed = cluster.merge() or changed
    return changed


def drop_redundant_arguments(region: Region) -> bool:
    """Removes block arguments that get the same value from each branch."""
    changed = False
    for block in list(region.blocks)[1:]:
        edges = predecessor_edges(block)
        if not edges or any(successor_ranges(op) is None for op, _ in edges):
            continue
        for arg in reversed(block.args):
            passed = {
                value
                for op, successor in edges
                for value in (successor_operands(op, successor) or ())[arg.index : arg.index + 1]
                if value is not arg
            }
            # A value that all branches pass is defined before them all, and so before the block.
            if len(passed) == 1:
                arg.replace_all_uses_with(passed.pop())
                erase_block_argument(block, arg.index)
                changed = True
    return changed
