# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which values are needed where.

`Liveness`   at the start and at the end of each block, as MLIR's Liveness has it
`LiveRange`  the blocks in which one value is needed
`Needed`     which values have an influence on what is needed for its own sake; subclasses say what
             that is, and what an operation needs

What operations inside of an operation use, that operation uses.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.region_flow import predecessor_edges, successor_operands, successor_ranges


def home(value: SSAValue) -> Block | None:
    """The block that defines `value`."""
    owner = value.owner
    return owner.parent if isinstance(owner, Operation) else owner


def definition_block(value: SSAValue) -> Block:
    """The block of an argument, or of a result of an operation in a block."""
    block = home(value)
    assert block is not None
    return block


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


def ancestor_in(op: Operation, region: Region) -> Operation:
    """`op`, or what stands for it directly in a block of `region`."""
    while op.parent is not None and op.parent.parent is not region:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op


class LiveRange:
    """Where one value is alive, by the blocks of the region that defines it."""

    __slots__ = ("last_users", "live_in", "live_out")

    def __init__(self, value: SSAValue) -> None:
        defining = definition_block(value)
        region = defining.parent
        assert region is not None
        #: The last user in each block that has users.
        self.last_users: dict[Block, Operation] = {}
        for use in value.uses:
            here = ancestor_in(use.operation, region)
            block = here.parent
            assert block is not None
            last = self.last_users.get(block)
            if last is None or (last is not here and last.is_before_in_block(here)):
                self.last_users[block] = here
        self.live_in: set[Block] = set()
        #: In the order in which they were found.
        self.live_out: dict[Block, None] = {}
        work = [block for block in self.last_users if block is not defining]
        while work:
            block = work.pop()
            if block in self.live_in:
                continue
            self.live_in.add(block)
            for before in block.predecessors():
                self.live_out[before] = None
                if before is not defining:
                    work.append(before)


class Needed:
    """Values that something needs, found backwards, each once."""

    def __init__(self) -> None:
        self.values: set[SSAValue] = set()
        self._pending: list[SSAValue] = []

    def need(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            if value not in self.values:
                self.values.add(value)
                self._pending.append(value)

    def spread(self) -> None:
        """Follows what is needed to what that needs."""
        while self._pending:
            value = self._pending.pop()
            if isinstance(value, BlockArgument):
                self.follow_argument(value, value.block)
            elif isinstance(value, OpResult):
                self.follow_result(value, value.op)

    def follow_result(self, value: OpResult, op: Operation) -> None:
        """Something needs a result of `op`."""
        raise NotImplementedError

    def follow_argument(self, value: BlockArgument, block: Block) -> None:
        """Something needs an argument: what branches pass for it."""
        for branch, successor in predecessor_edges(block):
            passed = successor_operands(branch, successor)
            if passed is not None and value.index < len(passed) and self.may_run(branch):
                self.need((passed[value.index],))

    def may_run(self, branch: Operation) -> bool:
        """Whether control may come to a branch."""
        return True


def not_forwarded(branch: Operation) -> list[SSAValue]:
    """The operands of a branch that become no arguments."""
    ranges = successor_ranges(branch)
    if ranges is None:
        return list(branch.operands)
    passed = {i for start, end in ranges for i in range(start, end)}
    return [value for i, value in enumerate(branch.operands) if i not in passed]
