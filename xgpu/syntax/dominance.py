# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dominance: every use of a value comes after its definition, on every path.

Operations get a number as they are met. A value of the same block dominates a use if its number is
smaller; of a block further out likewise, by the operation there that contains the use; of another
block of the same region, if that block dominates (Cooper, Harvey and Kennedy's algorithm over the
reachable blocks; in unreachable ones anything goes).
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block, BlockArgument, Operation, Region

from xgpu.ir.errors import Diagnostic, DiagnosticError


class Dominance:
    """Checks one operation and all that it contains, except what is isolated in it."""

    def __init__(self, isolated: Operation | None) -> None:
        #: The operation that nothing may look out of.
        self._isolated = isolated
        self._numbers: dict[int, int] = {}
        self._trees: dict[int, dict[int, Block]] = {}

    def verify(self, root: Operation) -> None:
        """Raises `DiagnosticError` at the first use that its definition does not dominate."""
        for region in root.regions:
            self._verify_region(region)

    def _verify_region(self, region: Region) -> None:
        from xgpu.ir.structure import facts_of

        parent = region.parent
        graph = parent is not None and facts_of(parent.__class__).graph
        first = region.blocks.first
        if first is None:
            return
        reachable = None
        if first._next_block is not None:
            tree = self._tree(region)
            reachable = tree
        numbers = self._numbers
        block: Block | None = first
        while block is not None:
            count = 0
            op = block._first_op
            is_reachable = reachable is None or id(block) in reachable
            if graph or not is_reachable:
                while op is not None:
                    numbers[id(op)] = count
                    count += 1
                    op = op._next_op
                op = block._first_op
            while op is not None:
                if not graph:
                    numbers[id(op)] = count
                    count += 1
                if is_reachable:
                    for index, operand in enumerate(op._operands):
                        if operand.__class__ is BlockArgument:
                            if operand.owner is block:
                                continue
                        else:
                            definition = operand.owner
                            if definition.parent is block:
                                number = numbers.get(id(definition))
                                if graph or (number is not None and number < count - 1):
                                    continue
                                raise _not_dominated(op, index, operand)
                        if not self._dominates(operand, op, block):
                            raise _not_dominated(op, index, operand)
                if op.regions and not facts_of(op.__class__).isolated:
                    for nested in op.regions:
                        self._verify_region(nested)
                op = op._next_op
            block = block._next_block

    def _dominates(self, value: Any, user: Operation, block: Block) -> bool:
        """Whether a value of another block than the user's dominates the user."""
        owner = value.owner
        home = owner if isinstance(owner, Block) else owner.parent
        if home is None:
            return False
        region = home.parent
        at: Operation | None = user
        current: Block | None = block
        # Out of the regions in which the use is, to the region of the definition.
        while current is not None and current.parent is not region:
            at = current.parent.parent if current.parent is not None else None
            if at is self._isolated:
                return False
            current = at.parent if at is not None else None
        if current is None or at is None:
            return False
        if current is home:
            if isinstance(owner, Block):
                return True
            if owner is at:
                # The use is in a region of the operation that defines the value.
                return False
            if self._is_graph(region):
                return True
            mine, other = self._numbers.get(id(owner)), self._numbers.get(id(at))
            return mine is not None and other is not None and mine < other
        tree = self._tree(region)
        if id(current) not in tree:
            return True
        if id(home) not in tree:
            return False
        while True:
            above = tree[id(current)]
            if above is home:
                return True
            if above is current:
                return False
            current = above

    @staticmethod
    def _is_graph(region: Any) -> bool:
        from xgpu.ir.structure import facts_of

        return region.parent is not None and facts_of(region.parent.__class__).graph

    def _tree(self, region: Any) -> dict[int, Block]:
        """The immediate dominator of each reachable block (the entry's is itself), by `id`."""
        tree = self._trees.get(id(region))
        if tree is None:
            tree = self._trees[id(region)] = _dominators(region)
        return tree


def _successors(block: Block) -> tuple[Block, ...]:
    last = block._last_op
    return last._successors if last is not None else ()


def _dominators(region: Region) -> dict[int, Block]:
    entry = region.blocks.first
    assert entry is not None
    order: list[Block] = []
    seen = {id(entry)}
    stack: list[tuple[Block, Any]] = [(entry, iter(_successors(entry)))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if id(successor) not in seen:
                seen.add(id(successor))
                stack.append((successor, iter(_successors(successor))))
                break
        else:
            order.append(block)
            stack.pop()
    order.reverse()
    rank = {id(block): at for at, block in enumerate(order)}
    predecessors: dict[int, list[Block]] = {id(block): [] for block in order}
    for block in order:
        for successor in _successors(block):
            predecessors[id(successor)].append(block)
    tree: dict[int, Block] = {id(entry): entry}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            best: Block | None = None
            for other in predecessors[id(block)]:
                if id(other) not in tree:
                    continue
                best = other if best is None else _meet(best, other, tree, rank)
            if best is not None and tree.get(id(block)) is not best:
                tree[id(block)] = best
                changed = True
    return tree


def _meet(left: Block, right: Block, tree: dict[int, Block], rank: dict[int, int]) -> Block:
    while left is not right:
        while rank[id(left)] > rank[id(right)]:
            left = tree[id(left)]
        while rank[id(right)] > rank[id(left)]:
            right = tree[id(right)]
    return left


def _not_dominated(op: Operation, index: int, value: Any) -> DiagnosticError:
    """MLIR's error, with a note that says where the value comes from."""
    message = f"operand #{index} does not dominate this use"
    owner = value.owner
    if isinstance(owner, Block):
        note = "operand defined as a block argument"
        place = value.location
        number = _block_number(owner)
        home = owner.parent
        note += f" (block #{number}"
    else:
        note = "operand defined here"
        place = owner.location
        home = owner.parent_region()
        note += " (op"
        home_block = owner.parent
        if home_block is op.parent:
            note += " in the same block)"
            return _error(op, message, place, note)
    user_region = op.parent_region()
    if home is user_region:
        note += " in the same region)"
    elif home is not None and _is_ancestor(home, op):
        note += " in a parent region)"
    else:
        parent = home.parent if home is not None else None
        inner = user_region is not None and parent is not None and _contains(user_region, home)
        note += " in a child region)" if inner else " neither in a parent nor in a child region)"
    return _error(op, message, place, note)


def _error(op: Operation, message: str, place: Any, note: str) -> DiagnosticError:
    return DiagnosticError(
        Diagnostic("error", message, op.location, [Diagnostic("note", note, place)], op)
    )


def _block_number(block: Block) -> int:
    number = 0
    while (previous := block.prev_block) is not None:
        block = previous
        number += 1
    return number


def _is_ancestor(region: Region, op: Operation) -> bool:
    current = op.parent_region()
    while current is not None:
        if current is region:
            return True
        parent = current.parent
        current = parent.parent_region() if parent is not None else None
    return False


def _contains(region: Region, inner: Any) -> bool:
    while inner is not None:
        if inner is region:
            return True
        parent = inner.parent
        inner = parent.parent_region() if parent is not None else None
    return False
