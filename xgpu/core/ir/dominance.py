# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow: orders of nodes, dominators, post-dominators and loops.

Dominators are found by Cooper, Harvey and Kennedy's algorithm, which works on numbers: nodes in
reverse post-order, of each those that lead to it (`immediate_dominators`). Functions that take
`successors` work on any graph, also on nodes that stand for whole loops.

`Dominators` is the dominator tree of a region's blocks, for passes and for the verifier of uses.
`ControlFlowGraph` has numbers, edges and natural loops besides.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from typing import TypeVar

from xdsl.ir import Block, Operation, Region

Node = TypeVar("Node", bound=Hashable)

#: A way from a block to a successor: the block's number, and which of its successors.
Edge = tuple[int, int]


def successors_of(block: Block) -> Sequence[Block]:
    """The blocks that a block may lead to."""
    last = block._last_op
    return last._successors if last is not None else ()


def post_order(
    root: Node, successors: Callable[[Node], Sequence[Node]], seen: set[Node]
) -> list[Node]:
    """The nodes that `root` leads to, each behind those it leads to first; none of `seen`, to
    which they are added."""
    order: list[Node] = []
    seen.add(root)
    stack = [(root, iter(successors(root)))]
    while stack:
        node, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors(successor))))
                break
        else:
            order.append(node)
            stack.pop()
    return order


def reached(
    starts: Iterable[Node],
    successors: Callable[[Node], Iterable[Node]],
    avoiding: Container[Node] = (),
) -> set[Node]:
    """`starts`, and the nodes that control may come to from there, not through `avoiding`."""
    seen: set[Node] = set()
    pending = list(starts)
    while pending:
        node = pending.pop()
        if node not in seen and node not in avoiding:
            seen.add(node)
            pending.extend(successors(node))
    return seen


def reachable_blocks(region: Region) -> set[Block]:
    """The blocks that control can come to from the first one."""
    first = region.blocks.first
    return set() if first is None else reached((first,), successors_of)


def reverse_post_order(region: Region) -> list[Block]:
    """The reachable blocks, each before those it dominates."""
    first = region.blocks.first
    return [] if first is None else post_order(first, successors_of, set())[::-1]


def program_order(region: Region) -> list[Block]:
    """The reachable blocks in reverse post-order, and what a branch leads to in the order of its
    successors."""
    first = region.blocks.first
    return [] if first is None else post_order(first, _reversed_successors, set())[::-1]


def _reversed_successors(block: Block) -> Sequence[Block]:
    return successors_of(block)[::-1]


def immediate_dominators(incoming: Sequence[Sequence[int]]) -> list[int]:
    """The immediate dominator of each node, from those that lead to it.

    Nodes are numbered in reverse post-order; 0 is the root, and its own dominator.
    """
    above = [-1] * len(incoming)
    above[:1] = [0]
    changed = True
    while changed:
        changed = False
        for node in range(1, len(incoming)):
            best = -1
            for other in incoming[node]:
                if above[other] < 0:
                    continue
                best = other if best < 0 else _common(best, other, above)
            if best >= 0 and above[node] != best:
                above[node] = best
                changed = True
    return [max(a, 0) for a in above]


def immediate_post_dominators(successors: Sequence[Sequence[int]]) -> list[int]:
    """The immediate post-dominator of each node; the end is the number after the last one, and the
    successor of nodes that have no other.

    A node from which no way leads to the end goes there for the purpose of this.
    """
    end = len(successors)
    targets = [list(dict.fromkeys(some)) or [end] for some in successors]
    predecessors: list[list[int]] = [[] for _ in range(end + 1)]
    for at, some in enumerate(targets):
        for target in some:
            predecessors[target].append(at)
    order = _numbered(predecessors, end)
    for at in range(end):
        if at not in order:
            targets[at].append(end)
            predecessors[end].append(at)
            order = _numbered(predecessors, end)
    nodes = sorted(order, key=order.__getitem__)
    # Turned round: what a node leads to leads to it.
    incoming = [[order[target] for target in targets[at]] for at in nodes[1:]]
    above = immediate_dominators([[], *incoming])
    return [nodes[above[order[at]]] for at in range(end)]


def _numbered(predecessors: Sequence[Sequence[int]], end: int) -> dict[int, int]:
    """The nodes that lead to the end, numbered in reverse post-order from there."""
    finished = post_order(end, predecessors.__getitem__, set())
    return {node: i for i, node in enumerate(reversed(finished))}


def _common(a: int, b: int, above: list[int]) -> int:
    while a != b:
        while a > b:
            a = above[a]
        while b > a:
            b = above[b]
    return a


class Dominators:
    """The dominator tree of a region; blocks that cannot be reached are not in it.

    It speaks of the blocks as they were when it was made.
    """

    __slots__ = ("_above", "_numbers", "order")

    def __init__(self, region: Region) -> None:
        #: The reachable blocks in reverse post-order, the entry first.
        self.order = reverse_post_order(region)
        # By identity: the verifier asks often, and `order` keeps the blocks.
        numbers = self._numbers = {id(block): i for i, block in enumerate(self.order)}
        incoming: list[list[int]] = [[] for _ in self.order]
        for number, block in enumerate(self.order):
            for successor in successors_of(block):
                incoming[numbers[id(successor)]].append(number)
        self._above = immediate_dominators(incoming)

    def reaches(self, block: Block) -> bool:
        """Whether control may come to `block`."""
        return id(block) in self._numbers

    def parent(self, block: Block) -> Block:
        """The immediate dominator of a reachable block; the entry's is the entry."""
        return self.order[self._above[self._numbers[id(block)]]]

    def children(self) -> dict[Block, list[Block]]:
        """The blocks whose immediate dominator each reachable block is, in order."""
        found: dict[Block, list[Block]] = {block: [] for block in self.order}
        for block, above in zip(self.order[1:], self._above[1:], strict=True):
            found[self.order[above]].append(block)
        return found

    def dominates(self, a: Block, b: Block) -> bool:
        """Whether every way to `b` leads through `a`; true if `b` cannot be reached."""
        below = self._numbers.get(id(b))
        if below is None:
            return True
        number = self._numbers.get(id(a))
        if number is None:
            return False
        above = self._above
        while below > number:
            below = above[below]
        return below == number


class Loop:
    """A natural loop: all blocks from which a latch is reached without passing the header."""

    __slots__ = ("blocks", "depth", "exits", "header", "latches", "parent")

    def __init__(self, header: int, latches: list[int], blocks: set[int]) -> None:
        self.header = header
        self.latches = latches
        self.blocks = blocks
        self.exits: list[Edge] = []
        self.parent: Loop | None = None
        self.depth = 1


class ControlFlowGraph:
    """The reachable blocks of a region, numbered in `program_order`, with edges, dominators and
    natural loops. It describes the region as it was when the graph was made."""

    def __init__(self, region: Region) -> None:
        self.blocks: list[Block] = program_order(region)
        self.number: dict[Block, int] = {b: i for i, b in enumerate(self.blocks)}
        number = self.number
        self.successors: list[list[int]] = [
            [number[s] for s in successors_of(b)] for b in self.blocks
        ]
        self.edges_in: list[list[Edge]] = [[] for _ in self.blocks]
        for b, targets in enumerate(self.successors):
            for k, target in enumerate(targets):
                self.edges_in[target].append((b, k))
        self.idom = immediate_dominators([[b for b, _ in edges] for edges in self.edges_in])
        #: The first edge that enters a cycle elsewhere than at its header, or None.
        self.irreducible: Edge | None = None
        self.loops: list[Loop] = []
        self.loop_of: list[Loop | None] = [None] * len(self.blocks)
        self._find_loops()

    def dominates(self, a: int, b: int) -> bool:
        """Whether every way to block `b` passes block `a`."""
        while b > a:
            b = self.idom[b]
        return a == b

    def children(self) -> list[list[int]]:
        """The blocks whose immediate dominator each block is."""
        found: list[list[int]] = [[] for _ in self.blocks]
        for b in range(1, len(self.blocks)):
            found[self.idom[b]].append(b)
        return found

    def frontiers(self) -> list[set[int]]:
        """The dominance frontier of each block (Cooper, Harvey and Kennedy)."""
        found: list[set[int]] = [set() for _ in self.blocks]
        for b, edges in enumerate(self.edges_in):
            if len(edges) < 2:
                continue
            for p, _ in edges:
                runner = p
                while runner != self.idom[b]:
                    found[runner].add(b)
                    runner = self.idom[runner]
        return found

    def target(self, edge: Edge) -> int:
        return self.successors[edge[0]][edge[1]]

    def loops_around(self, block: int) -> Iterable[Loop]:
        """The loops that contain `block`, innermost first."""
        loop = self.loop_of[block]
        while loop is not None:
            yield loop
            loop = loop.parent

    def _find_loops(self) -> None:
        latches: dict[int, list[int]] = {}
        for b, targets in enumerate(self.successors):
            for k, target in enumerate(targets):
                if target > b:
                    continue
                if self.dominates(target, b):
                    latches.setdefault(target, []).append(b)
                elif self.irreducible is None:
                    self.irreducible = (b, k)
        for header in sorted(latches):
            self._add_loop(header, latches[header])

    def _add_loop(self, header: int, latches: list[int]) -> None:
        blocks = {header}
        stack = [b for b in latches if b != header]
        while stack:
            b = stack.pop()
            if b not in blocks:
                blocks.add(b)
                stack.extend(p for p, _ in self.edges_in[b])
        loop = Loop(header, latches, blocks)
        loop.exits = [
            (b, k) for b in sorted(blocks) for k, t in enumerate(self.successors[b])
            if t not in blocks
        ]  # fmt: skip
        # Headers come in order of their numbers, so an outer loop comes before an inner one.
        loop.parent = self.loop_of[header]
        loop.depth = 1 if loop.parent is None else loop.parent.depth + 1
        for b in blocks:
            self.loop_of[b] = loop
        self.loops.append(loop)


def stands_before(op: Operation, other: Operation) -> bool:
    """Whether `op` stands in a block before `other`, or before what contains `other` there."""
    current: Operation | None = other
    while current is not None and current.parent is not op.parent:
        current = current.parent_op()
    return current is not None and current is not op and op.is_before_in_block(current)
