# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dominators of the blocks of a region (Cooper, Harvey and Kennedy's algorithm)."""

from __future__ import annotations

from xdsl.ir import Block, Region


def reverse_post_order(region: Region) -> list[Block]:
    """The reachable blocks, each before those it dominates."""
    first = region.first_block
    if first is None:
        return []
    order: list[Block] = []
    seen = {first}
    stack = [(first, iter(_successors(first)))]
    while stack:
        block, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(_successors(successor))))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    return order


def _successors(block: Block) -> list[Block]:
    last = block.last_op
    return list(last.successors) if last is not None else []


class Dominators:
    """The dominator tree of a region; blocks that cannot be reached are not in it."""

    __slots__ = ("children", "number", "parent", "root")

    def __init__(self, region: Region) -> None:
        order = reverse_post_order(region)
        self.number = {block: i for i, block in enumerate(order)}
        self.root = order[0] if order else None
        self.parent: dict[Block, Block] = {}
        predecessors: dict[Block, list[Block]] = {b: [] for b in order}
        for block in order:
            for successor in _successors(block):
                predecessors[successor].append(block)
        if self.root is not None:
            self.parent[self.root] = self.root
        changed = True
        while changed:
            changed = False
            for block in order[1:]:
                new: Block | None = None
                for p in predecessors[block]:
                    if p in self.parent:
                        new = p if new is None else self._common(p, new)
                if new is not None and self.parent.get(block) is not new:
                    self.parent[block] = new
                    changed = True
        self.children: dict[Block, list[Block]] = {b: [] for b in order}
        for block in order[1:]:
            self.children[self.parent[block]].append(block)

    def _common(self, a: Block, b: Block) -> Block:
        number, parent = self.number, self.parent
        while a is not b:
            while number[a] > number[b]:
                a = parent[a]
            while number[b] > number[a]:
                b = parent[b]
        return a

    def dominates(self, a: Block, b: Block) -> bool:
        """Whether every way to `b` leads through `a`; true if `b` cannot be reached."""
        if b not in self.number:
            return True
        if a not in self.number:
            return False
        while self.number[b] > self.number[a]:
            b = self.parent[b]
        return a is b
