# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a scalar program over the block whose statements are regions without barriers.

A *leader* begins a region: the entry, what follows a barrier, both sides of a branch that decides
which barrier comes next, and where the ways of several regions meet. All other blocks belong to
the region of the one leader from which they are reached. Leaders are added until each region has
one place where it ends: a barrier, the return, a branch to a leader, or a branch between leaders,
whose condition must be the same in the whole block. Where it is not, `NoRegions` says which branch
stands in the way, and what makes it differ.
"""

from __future__ import annotations

from typing import cast

from xdsl.ir import Operation

from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.host_device.compiler.operations import is_barrier
from xgpu.host_device.compiler.vectors.shapes import BLOCK
from xgpu.host_device.compiler.vectors.uniformity import Uniformity


class NoRegions(Exception):
    """Why a kernel is no such program: `at` names the operation."""

    def __init__(self, message: str, at: Operation | None) -> None:
        super().__init__(message)
        self.at = at


class Segment:
    """A region: `leader` and `exit` are its first and last block, by number."""

    __slots__ = ("blocks", "exit", "leader")

    def __init__(self, leader: int, blocks: set[int], exit: int) -> None:
        self.leader = leader
        self.blocks = blocks
        self.exit = exit


def ends_in_barrier(graph: ControlFlowGraph, block: int) -> bool:
    last = cast("Operation", graph.blocks[block].last_op)
    before = last.prev_op
    return before is not None and is_barrier(before)


def find_leaders(graph: ControlFlowGraph) -> tuple[set[int], list[int]]:
    """The leaders, and to which each block belongs."""
    leaders = {0}
    for b in range(len(graph.blocks)):
        if ends_in_barrier(graph, b):
            leaders.update(graph.successors[b])
    if len(leaders) == 1:
        return leaders, [0] * len(graph.blocks)
    while True:
        owner = _owners(graph, leaders)
        added = _separating(graph, leaders, owner)
        if not added:
            return leaders, owner
        leaders |= added


def _owners(graph: ControlFlowGraph, leaders: set[int]) -> list[int]:
    """The leader of each block; blocks that several reach become leaders."""
    while True:
        reached = _reached(graph, leaders)
        # Of those that several reach, the first ones: what follows them belongs to them then.
        joins = {
            b for b, by in enumerate(reached)
            if len(by) > 1 and all(len(reached[p]) == 1 for p, _ in graph.edges_in[b] if p < b)
        }  # fmt: skip
        if not joins:
            return [next(iter(by)) for by in reached]
        leaders |= joins


def _reached(graph: ControlFlowGraph, leaders: set[int]) -> list[set[int]]:
    """From which leaders each block is reached without passing another."""
    reached: list[set[int]] = [{b} if b in leaders else set() for b in range(len(graph.blocks))]
    changed = True
    while changed:
        changed = False
        for b in range(len(graph.blocks)):
            if b in leaders:
                continue
            for p, _ in graph.edges_in[b]:
                if not reached[p] <= reached[b]:
                    reached[b] |= reached[p]
                    changed = True
    return reached


def _separating(graph: ControlFlowGraph, leaders: set[int], owner: list[int]) -> set[int]:
    """Blocks that must lead regions, since a branch in a region decides where it ends."""
    ends: list[set[int]] = [set() for _ in graph.blocks]
    changed = True
    while changed:
        changed = False
        for b in reversed(range(len(graph.blocks))):
            found = set(ends[b])
            if not graph.successors[b]:
                found.add(-1)
            for target in graph.successors[b]:
                if ends_in_barrier(graph, b):
                    found.add(-2 - b)  # to wait is another end than to go there without
                elif target in leaders:
                    found.add(target)
                else:
                    found |= ends[target]
            if found != ends[b]:
                ends[b] = found
                changed = True
    added: set[int] = set()
    for targets in graph.successors:
        if len(targets) < 2:
            continue
        each = [{t} if t in leaders else ends[t] for t in targets]
        if any(e != each[0] for e in each):
            added.update(t for t in targets if t not in leaders)
    return added


def find_segments(uniformity: Uniformity) -> list[Segment]:
    """The regions in the order of their leaders. Raises `NoRegions`."""
    graph = uniformity.graph
    leaders, owner = find_leaders(graph)
    members: dict[int, set[int]] = {leader: set() for leader in sorted(leaders)}
    for b, leader in enumerate(owner):
        members[leader].add(b)
    return [_segment(uniformity, leader, blocks, leaders) for leader, blocks in members.items()]


def _segment(uniformity: Uniformity, leader: int, blocks: set[int], leaders: set[int]) -> Segment:
    graph = uniformity.graph
    exits = [
        b for b in sorted(blocks)
        if not graph.successors[b] or any(t in leaders for t in graph.successors[b])
    ]  # fmt: skip
    for b in exits:
        targets = graph.successors[b]
        if len(targets) > 1:
            _check_branch(uniformity, b)
    if len(exits) != 1:
        at = graph.blocks[exits[0]].last_op if exits else None
        raise NoRegions("its control flow between barriers has several ends", at)
    return Segment(leader, blocks, exits[0])


def _check_branch(uniformity: Uniformity, block: int) -> None:
    branch = cast("Operation", uniformity.graph.blocks[block].last_op)
    condition = branch.operands[0]
    if uniformity.at(condition, block).level == BLOCK:
        return
    source = uniformity.why_varying(condition)
    because = f" ('{source.name}' differs)" if source is not None else ""
    raise NoRegions(f"threads of a block part before a barrier at '{branch.name}'{because}", branch)
