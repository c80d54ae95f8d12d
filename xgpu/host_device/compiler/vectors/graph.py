# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function's control flow as numbers: order, dominators, loops, and levels without cycles.

Blocks are numbered in reverse postorder. A *level* is a set of blocks that one enters at one place
(a function, a region between barriers, a loop's body), in which each loop further in counts as one
node, so that a level has no cycles; ways out of it lead to `END`. All later steps (which joins are
divergent, how masks flow) work on levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Block, Region

from xgpu.core.ir.dominance import immediate_dominators, post_order, successors_of

END = -1

#: A way from a block to a successor: the block's number, and which of its successors.
Edge = tuple[int, int]


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


class Graph:
    """The blocks of a region that can be reached."""

    def __init__(self, region: Region) -> None:
        self.blocks: list[Block] = reverse_postorder(region)
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


class Level:
    """Blocks entered at `entry`, with the loops among them as single nodes.

    `loop` is the loop whose body this is, or None. `order` has the nodes, each named by its first
    block, in topological order; `out[node]` the edges that leave it, and `to(edge)` the node an
    edge leads to, or END; `after[node]` is where all ways from a node meet again, END included.
    """

    def __init__(self, graph: Graph, blocks: set[int], entry: int, loop: Loop | None) -> None:
        self.graph = graph
        self.loop = loop
        self.entry = entry
        self.blocks = blocks
        self.inner: dict[int, Loop] = {}
        self._node_of: dict[int, int] = {}
        for b in sorted(blocks):
            inner = _outermost(graph, b, loop, blocks)
            node = b if inner is None else inner.header
            self._node_of[b] = node
            if inner is not None:
                self.inner[node] = inner
        self.order = sorted(set(self._node_of.values()))
        self.out: dict[int, list[Edge]] = {}
        for node in self.order:
            inner = self.inner.get(node)
            if inner is not None:
                self.out[node] = list(inner.exits)
            else:
                self.out[node] = [(node, k) for k in range(len(graph.successors[node]))]
        self.after = self._postdominators()

    def to(self, edge: Edge) -> int:
        target = self.graph.target(edge)
        if target == self.entry:
            return END
        return self._node_of.get(target, END)

    def node_of(self, block: int) -> int:
        """The node that `block` belongs to; END if it is not in the level."""
        return self._node_of.get(block, END)

    def between(self, start: Iterable[int], stop: int) -> list[int]:
        """The nodes that are reached from nodes `start` before `stop`, in topological order."""
        seen: set[int] = set()
        stack = list(start)
        while stack:
            node = stack.pop()
            if node in (stop, END) or node in seen:
                continue
            seen.add(node)
            stack.extend(self.to(e) for e in self.out[node])
        return sorted(seen)

    def blocks_of(self, nodes: Iterable[int]) -> set[int]:
        """All blocks of the nodes."""
        found: set[int] = set()
        for node in nodes:
            inner = self.inner.get(node)
            found |= inner.blocks if inner is not None else {node}
        return found

    def _postdominators(self) -> dict[int, int]:
        # Nodes reversed, END first: predecessors of a node there are its successors here.
        place = {END: 0}
        for i, node in enumerate(reversed(self.order)):
            place[node] = i + 1
        names = {i: node for node, i in place.items()}
        incoming: list[list[int]] = [[]]
        for node in reversed(self.order):
            incoming.append([place[self.to(e)] for e in self.out[node]] or [0])
        above = immediate_dominators(incoming)
        return {node: names[above[place[node]]] for node in self.order}


def _outermost(graph: Graph, block: int, around: Loop | None, blocks: set[int]) -> Loop | None:
    """The outermost loop that contains `block` and lies wholly within `blocks` and in `around`."""
    found: Loop | None = None
    for loop in graph.loops_around(block):
        if loop is around or not loop.blocks <= blocks:
            break
        found = loop
    return found


def _reversed_successors(block: Block) -> Sequence[Block]:
    return successors_of(block)[::-1]


def reverse_postorder(region: Region) -> list[Block]:
    """The blocks that can be reached from the first one, each before those it leads to, and
    what a branch leads to in the order of its successors."""
    entry = region.blocks.first
    return [] if entry is None else post_order(entry, _reversed_successors, set())[::-1]
