# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which values are needed at the start and at the end of each block, as MLIR's Liveness has it.

What operations inside of an operation use, that operation uses.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue


def home(value: SSAValue) -> Block | None:
    """The block that defines `value`."""
    owner = value.owner
    return owner.parent if isinstance(owner, Operation) else owner


class Liveness:
    """The values that live at the borders of the blocks in `root`."""

    def __init__(self, root: Operation) -> None:
        self.live_in: dict[Block, set[SSAValue]] = {}
        self.live_out: dict[Block, set[SSAValue]] = {}
        for op in root.walk():
            for region in op.regions:
                self._solve(list(region.blocks))

    def _solve(self, blocks: list[Block]) -> None:
        defined = {block: _defined(block) for block in blocks}
        for block in blocks:
            used = {value for op in block.walk() for value in op.operands}
            self.live_in[block] = used - defined[block]
            self.live_out[block] = set()
        changed = True
        while changed:
            changed = False
            for block in reversed(blocks):
                last = block.last_op
                after: set[SSAValue] = set()
                for successor in last.successors if last is not None else ():
                    after |= self.live_in[successor]
                if after != self.live_out[block]:
                    self.live_out[block] = after
                    self.live_in[block] |= after - defined[block]
                    changed = True


def _defined(block: Block) -> set[SSAValue]:
    """What `block` defines, and what is inside of it."""
    found: set[SSAValue] = set(block.args)
    for op in block.walk():
        found.update(op.results)
        for region in op.regions:
            for inner in region.blocks:
                found.update(inner.args)
    return found
