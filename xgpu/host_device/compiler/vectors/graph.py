# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Levels of a function's control flow: parts of it without cycles.

A *level* is a set of blocks that one enters at one place
(a function, a region between barriers, a loop's body), in which each loop further in counts as one
node, so that a level has no cycles; ways out of it lead to `END`. All later steps (which joins are
divergent, how masks flow) work on levels.
"""

from __future__ import annotations

from collections.abc import Iterable

from xgpu.core.ir.dominance import ControlFlowGraph, Edge, Loop, immediate_post_dominators, reached

END = -1


class Level:
    """Blocks entered at `entry`, with the loops among them as single nodes.

    `loop` is the loop whose body this is, or None. `order` has the nodes, each named by its first
    block, in topological order; `out[node]` the edges that leave it, and `to(edge)` the node an
    edge leads to, or END; `after[node]` is where all ways from a node meet again, END included.
    """

    def __init__(
        self, graph: ControlFlowGraph, blocks: set[int], entry: int, loop: Loop | None
    ) -> None:
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
        return sorted(reached(start, lambda node: map(self.to, self.out[node]), (stop, END)))

    def blocks_of(self, nodes: Iterable[int]) -> set[int]:
        """All blocks of the nodes."""
        found: set[int] = set()
        for node in nodes:
            inner = self.inner.get(node)
            found |= inner.blocks if inner is not None else {node}
        return found

    def _postdominators(self) -> dict[int, int]:
        place = {node: i for i, node in enumerate(self.order)}
        place[END] = len(place)
        successors = [[place[self.to(e)] for e in self.out[node]] for node in self.order]
        names = [*self.order, END]
        above = immediate_post_dominators(successors)
        return {node: names[at] for node, at in zip(self.order, above, strict=True)}


def _outermost(
    graph: ControlFlowGraph, block: int, around: Loop | None, blocks: set[int]
) -> Loop | None:
    """The outermost loop that contains `block` and lies wholly within `blocks` and in `around`."""
    found: Loop | None = None
    for loop in graph.loops_around(block):
        if loop is around or not loop.blocks <= blocks:
            break
        found = loop
    return found
