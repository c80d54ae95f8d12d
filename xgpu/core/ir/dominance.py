# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which blocks every way to a block leads through (Cooper, Harvey and Kennedy's algorithm).

The algorithm works on numbers: nodes in reverse post-order, of each those that lead to it
(`immediate_dominators`). Whoever asks about other graphs than the blocks of a region (nodes
without their loops, a graph turned round for post-dominators) numbers them and asks it too.
`Dominators` is the tree of a region's blocks: for passes, and for the verifier of uses.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from xdsl.ir import Block, Operation, Region

Node = TypeVar("Node", bound=Hashable)


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


def reverse_post_order(region: Region) -> list[Block]:
    """The reachable blocks, each before those it dominates."""
    first = region.blocks.first
    return [] if first is None else post_order(first, successors_of, set())[::-1]


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


def stands_before(op: Operation, other: Operation) -> bool:
    """Whether `op` stands in a block before `other`, or before what contains `other` there."""
    current: Operation | None = other
    while current is not None and current.parent is not op.parent:
        current = current.parent_op()
    return current is not None and current is not op and op.is_before_in_block(current)
