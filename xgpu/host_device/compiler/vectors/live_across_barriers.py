# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lives from one region between barriers to another, and how.

block    the same in the whole block, computed once, outside of the loops over warps
again    computed anew from thread indices and block values, where that is a few operations
slot     stored by the region that defines it and loaded by those that use it: one place for
         what is the same in the whole block, else one for each vector

A value that varies and a leader's argument that it is passed for have one place where that loses
nothing (`shared_places`), so that the sum of a loop with barriers is not copied in each iteration.
"""

from __future__ import annotations

from typing import cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.operations import is_barrier
from xgpu.host_device.compiler.vectors.shapes import BLOCK, VARYING, Shape
from xgpu.host_device.compiler.vectors.uniformity import Uniformity

# -- A kernel as a scalar program over the block whose statements are regions without barriers.
#
# A *leader* begins a region: the entry, what follows a barrier, both sides of a branch that decides
# which barrier comes next, and where the ways of several regions meet. All other blocks belong to
# the region of the one leader from which they are reached. Leaders are added until each region has
# one place where it ends: a barrier, the return, a branch to a leader, or a branch between leaders,
# whose condition must be the same in the whole block. Where it is not, `NoRegions` says which
# branch stands in the way, and what makes it differ.


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


#: Operations that computing a value again may take: if it is a scalar in a vector, or a vector.
_SCALAR_COST, _VECTOR_COST = 10, 3


class LiveAcrossBarriers:
    """How each value crosses regions, and which ones each region needs."""

    def __init__(self, uniformity: Uniformity, segments: list[Segment]) -> None:
        self.u = uniformity
        self.segment_of: dict[int, Segment] = {}
        for segment in segments:
            for block in segment.blocks:
                self.segment_of[block] = segment
        self.leaders = {s.leader for s in segments}
        #: Values computed once, outside of the loops over warps.
        self.block: set[SSAValue] = set()
        self._costs: dict[SSAValue, int] = {}
        self._find_block_values()
        #: Values that are stored, in the order of their definitions.
        self.slots: dict[SSAValue, None] = {}
        #: For each leader, what its region uses of others'.
        self.needed: dict[int, dict[SSAValue, None]] = {s.leader: {} for s in segments}
        for segment in segments:
            self._find_needed(segment)
            self._find_decisions(segment)
        for value in self.slots:
            self._check_end(value)

    def shape(self, value: SSAValue) -> Shape:
        """The shape of a value outside of the region that defines it."""
        if self.is_leader_argument(value):
            return self.u.of(value)
        return self.u.at(value, self.home(value).exit)

    def home(self, value: SSAValue) -> Segment:
        number = self.u.home(value)
        assert number is not None
        return self.segment_of[number]

    def is_leader_argument(self, value: SSAValue) -> bool:
        owner = value.owner
        return isinstance(owner, Block) and self.u.graph.number[owner] in self.leaders

    # -- block values

    def _find_block_values(self) -> None:
        graph = self.u.graph
        for number, block in enumerate(graph.blocks):
            if number in self.leaders:
                self.block.update(
                    a for a in block.args if number == 0 or self.u.of(a).level == BLOCK
                )
            for op in block.ops:
                if op.results and self._is_block_value(op):
                    self.block.add(op.results[0])

    def _is_block_value(self, op: Operation) -> bool:
        if op.name in operations.CONSTANTS:
            return True
        if len(op.results) != 1 or self.u.of(op.results[0]).level != BLOCK:
            return False
        register = operations.register(op)
        if register is not None:
            return True
        if op.name == "llvm.addrspacecast" or operations.is_pure(op):
            if op.name in operations.DIVISIONS and not self._divides_safely(op):
                return False
            return all(o in self.block for o in op.operands)
        return False

    def _divides_safely(self, op: Operation) -> bool:
        divisor = self.u.of(op.operands[1]).constant
        return divisor is not None and divisor not in (0, -1)

    # -- what crosses

    def _find_needed(self, segment: Segment) -> None:
        graph = self.u.graph
        needed = self.needed[segment.leader]
        for number in sorted(segment.blocks):
            block = graph.blocks[number]
            for op in block.ops:
                for operand in op.operands:
                    self._use(operand, segment, needed)
            if number == segment.leader:
                for argument in block.args:
                    if argument not in self.block:
                        self._need_slot(argument, needed)

    def _find_decisions(self, segment: Segment) -> None:
        """What branches and arguments between regions need outside of the loops over warps."""
        graph = self.u.graph
        last = cast("Operation", graph.blocks[segment.exit].last_op)
        ways = edge_values(self.u, segment)
        decisive = [last.operands[0]] if len(ways) > 1 else []
        for _, leader, operands in ways:
            arguments = graph.blocks[leader].args
            decisive += [o for a, o in zip(arguments, operands, strict=True) if a in self.block]
        self.slots.update(dict.fromkeys(v for v in decisive if v not in self.block))

    def _use(self, value: SSAValue, segment: Segment, needed: dict[SSAValue, None]) -> None:
        if value in self.block or value in needed:
            return
        if self.segment_of[self._number(value)] is segment and not (self.is_leader_argument(value)):
            return
        self.need(value, needed)

    def _number(self, value: SSAValue) -> int:
        number = self.u.home(value)
        assert number is not None
        return number

    def need(self, value: SSAValue, needed: dict[SSAValue, None]) -> None:
        if value in self.block or value in needed:
            return
        if self.is_cheap(value):
            owner = cast("Operation", value.owner)
            for operand in owner.operands:
                self.need(operand, needed)
            needed[value] = None
            return
        self._need_slot(value, needed)

    def _need_slot(self, value: SSAValue, needed: dict[SSAValue, None]) -> None:
        needed[value] = None
        self.slots[value] = None

    def is_cheap(self, value: SSAValue) -> bool:
        """Whether a value is computed anew where another region needs it."""
        limit = _VECTOR_COST if self.u.of(value).level == VARYING else _SCALAR_COST
        return self._cost(value) <= limit

    def _cost(self, value: SSAValue) -> int:
        found = self._costs.get(value)
        if found is None:
            self._costs[value] = 99  # a value that comes back here is in a cycle
            found = self._costs[value] = self._computed_cost(value)
        return found

    def _computed_cost(self, value: SSAValue) -> int:
        if value in self.block:
            return 0
        owner = value.owner
        if isinstance(owner, Block):
            return 99
        if operations.register(owner) is not None:
            return 99 if operations.is_clock(operations.register(owner) or "") else 1
        if not operations.is_pure(owner) and owner.name != "llvm.addrspacecast":
            return 99
        if owner.name in operations.DIVISIONS and not self._divides_safely(owner):
            return 99
        return 1 + sum(self._cost(o) for o in owner.operands)

    def _check_end(self, value: SSAValue) -> None:
        """A stored value must be there where its region ends."""
        if self.is_leader_argument(value):
            return
        segment = self.home(value)
        number = self._number(value)
        if not self.u.graph.dominates(number, segment.exit):
            owner = value.owner
            raise NoRegions(
                "a value of a part of a region is used in another",
                owner if not isinstance(owner, Block) else None,
            )


def edge_values(uniformity: Uniformity, segment: Segment) -> list[tuple[int, int, list[SSAValue]]]:
    """For each way out of a region: which successor, the leader, and the operands."""
    block = uniformity.graph.blocks[segment.exit]
    last = cast("Operation", block.last_op)
    return [
        (k, target, successor_operands(last, k) or [])
        for k, target in enumerate(uniformity.graph.successors[segment.exit])
    ]


# -- Values that share a place.
#
# A region loads what it needs before it stores what it leaves, vector by vector. So two values may
# have one place if none of them is stored where the other is live behind the region, but as the
# same value.


def shared_places(
    live: LiveAcrossBarriers, uniformity: Uniformity, segments: list[Segment]
) -> dict[SSAValue, SSAValue]:
    """Of slots that share another's place: whose."""
    ways = {s.leader: edge_values(uniformity, s) for s in segments}
    graph = uniformity.graph
    varying = {v for v in live.slots if live.shape(v).level == VARYING}
    # What each region stores: in whose slot, which value (None where its ways differ).
    stored: dict[int, dict[SSAValue, SSAValue | None]] = {}
    passed: list[tuple[SSAValue, SSAValue]] = []
    for segment in segments:
        kept = stored[segment.leader] = {}
        for value in varying:
            if not live.is_leader_argument(value) and live.home(value) is segment:
                kept[value] = value
        for _, leader, operands in ways[segment.leader]:
            for argument, operand in zip(graph.blocks[leader].args, operands, strict=True):
                if argument not in varying:
                    continue
                known = kept.setdefault(argument, operand)
                kept[argument] = operand if known is operand else None
                if operand in varying and operand.type == argument.type:
                    passed.append((argument, operand))
    if not passed:
        return {}
    behind = _live_behind(live, varying, {s.leader: ways[s.leader] for s in segments}, stored)
    places = _Places(stored, behind)
    for argument, operand in passed:
        places.join(argument, operand)
    return {value: places.of(value) for value in varying if places.of(value) is not value}


def _live_behind(
    live: LiveAcrossBarriers, varying: set[SSAValue],
    ways: dict[int, list[tuple[int, int, list[SSAValue]]]],
    stored: dict[int, dict[SSAValue, SSAValue | None]],
) -> dict[int, set[SSAValue]]:  # fmt: skip
    """The slots that are read behind each region before they are stored again."""
    before = {leader: varying.intersection(live.needed[leader]) for leader in ways}
    behind: dict[int, set[SSAValue]] = {leader: set() for leader in ways}
    changed = True
    while changed:
        changed = False
        for leader in reversed(ways):
            for _, target, _ in ways[leader]:
                behind[leader] |= before[target]
            found = behind[leader] - stored[leader].keys()
            if not found <= before[leader]:
                before[leader] |= found
                changed = True
    return behind


class _Places:
    """Which values have one place."""

    def __init__(
        self, stored: dict[int, dict[SSAValue, SSAValue | None]], behind: dict[int, set[SSAValue]]
    ) -> None:
        self._stored, self._behind = stored, behind
        self._members: dict[SSAValue, list[SSAValue]] = {}
        self._first: dict[SSAValue, SSAValue] = {}

    def of(self, value: SSAValue) -> SSAValue:
        """The value that stands for those of the same place."""
        return self._first.get(value, value)

    def join(self, a: SSAValue, b: SSAValue) -> None:
        """Let two values have one place, if none that has the place of one is in the way of the
        other's."""
        a, b = self.of(a), self.of(b)
        left, right = self._members.get(a, [a]), self._members.get(b, [b])
        if a is b or any(self._is_in_the_way(x, y) for x in left for y in right):
            return
        self._members[a] = [*left, *right]
        self._first.update(dict.fromkeys(right, a))

    def _is_in_the_way(self, x: SSAValue, y: SSAValue) -> bool:
        for leader, kept in self._stored.items():
            behind = self._behind[leader]
            if (x in kept and y in behind) or (y in kept and x in behind):
                left, right = kept.get(x, x), kept.get(y, y)
                if left is None or left is not right:
                    return True
        return False
