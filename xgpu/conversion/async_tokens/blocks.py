# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Natural loops among the blocks of a region, and the order to walk them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.dominance import Dominators, successors_of

if TYPE_CHECKING:
    from xdsl.ir import Block, Region


class LoopForest:
    """The natural loops of a region, each named by its header.

    `tangled` says that some cycle is no natural loop (control enters it at several blocks).
    """

    def __init__(self, region: Region) -> None:
        dominators = Dominators(region)
        self._order = dominators.order
        position = {block: i for i, block in enumerate(self._order)}
        predecessors: dict[Block, list[Block]] = {block: [] for block in self._order}
        for block in self._order:
            for target in successors_of(block):
                predecessors[target].append(block)
        self._bodies: dict[Block, set[Block]] = {}
        self.tangled = False
        for block in self._order:
            for target in successors_of(block):
                if position[target] > position[block]:
                    continue
                if not dominators.dominates(target, block):
                    self.tangled = True
                    continue
                body = self._bodies.setdefault(target, {target})
                work = [block]
                while work:
                    one = work.pop()
                    if one not in body:
                        body.add(one)
                        work += predecessors[one]
        if self.tangled:
            self._bodies = {}
        #: The headers of the loops around each block, innermost first.
        self._around: dict[Block, list[Block]] = {block: [] for block in self._order}
        for header in sorted(self._bodies, key=lambda h: len(self._bodies[h])):
            for block in self._bodies[header]:
                self._around[block].append(header)
        self._own: dict[Block | None, list[Block]] = {}
        for block in self._order:
            around = self._around[block]
            self._own.setdefault(around[0] if around else None, []).append(block)
            if around and around[0] is block:
                outer = around[1] if len(around) > 1 else None
                self._own.setdefault(outer, []).append(block)

    def is_header(self, block: Block) -> bool:
        return block in self._bodies

    def blocks(self, header: Block) -> set[Block]:
        """The blocks of a loop, those of the loops in it too."""
        return self._bodies[header]

    def order(self, header: Block | None) -> list[Block]:
        """The blocks of a loop (None: of the region); of the loops in it only the headers."""
        return self._own.get(header, [])

    def inside(self, block: Block, header: Block | None) -> bool:
        return header is None or block in self._bodies[header]

    def left(self, source: Block, target: Block) -> list[Block]:
        """The headers of the loops around `source` that are not around `target`, innermost first.

        A block that cannot be reached is in no loop.
        """
        around = self._around.get(target, ())
        return [header for header in self._around.get(source, ()) if header not in around]
