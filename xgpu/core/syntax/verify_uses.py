# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every use of a value comes after its definition, on every path.

Operations get a number as they are met. A value of the same block dominates a use if its number is
smaller; of a block further out likewise, by the operation there that contains the use; of another
block of the same region, if that block dominates (`core/ir/dominance.py`; in unreachable blocks
anything goes).
"""

from __future__ import annotations

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.core.ir.construction import next_block, operands_of, operations_of
from xgpu.core.ir.dominance import Dominators
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.ir.op_info import facts_of


class UseVerifier:
    """Checks one operation and all that it contains, except what is isolated in it."""

    def __init__(self, isolated: Operation | None) -> None:
        #: The operation that nothing may look out of.
        self._isolated = isolated
        self._numbers: dict[int, int] = {}
        self._trees: dict[int, Dominators] = {}

    def verify(self, root: Operation) -> None:
        """Raises `DiagnosticError` at the first use that its definition does not dominate."""
        for region in root.regions:
            self._verify_region(region)

    def _verify_region(self, region: Region) -> None:
        parent = region.parent
        graph = parent is not None and facts_of(parent.__class__).graph
        first = region.blocks.first
        if first is None:
            return
        tree = self._tree(region) if next_block(first) is not None else None
        numbers = self._numbers
        block: Block | None = first
        while block is not None:
            count = 0
            operations = operations_of(block)
            is_reachable = tree is None or tree.reaches(block)
            if graph or not is_reachable:
                for op in operations:
                    numbers[id(op)] = count
                    count += 1
            for op in operations:
                if not graph:
                    numbers[id(op)] = count
                    count += 1
                if is_reachable:
                    for index, operand in enumerate(operands_of(op)):
                        if type(operand) is OpResult:
                            definition = operand.op
                            if definition.parent is block:
                                # In order, what has a number was met before.
                                if id(definition) in numbers and (definition is not op or graph):
                                    continue
                                raise _not_dominated(op, index, operand)
                        elif type(operand) is BlockArgument and operand.block is block:
                            continue
                        if not self._dominates(operand, op, block):
                            raise _not_dominated(op, index, operand)
                if op.regions and not facts_of(op.__class__).isolated:
                    for nested in op.regions:
                        self._verify_region(nested)
            block = next_block(block)

    def _dominates(self, value: SSAValue, user: Operation, block: Block) -> bool:
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
        return region is not None and self._tree(region).dominates(home, current)

    @staticmethod
    def _is_graph(region: Region | None) -> bool:
        if region is None or region.parent is None:
            return False
        return facts_of(region.parent.__class__).graph

    def _tree(self, region: Region) -> Dominators:
        tree = self._trees.get(id(region))
        if tree is None:
            tree = self._trees[id(region)] = Dominators(region)
        return tree


def _not_dominated(op: Operation, index: int, value: SSAValue) -> DiagnosticError:
    """MLIR's error, with a note that says where the value comes from."""
    message = f"operand #{index} does not dominate this use"
    if isinstance(value, BlockArgument):
        note = "operand defined as a block argument"
        location = value.location
        number = _block_number(value.owner)
        home = value.owner.parent
        note += f" (block #{number}"
    else:
        owner = value.owner
        assert isinstance(owner, Operation)
        note = "operand defined here"
        location = owner.location
        home = owner.parent_region()
        note += " (op"
        home_block = owner.parent
        if home_block is op.parent:
            note += " in the same block)"
            return _error(op, message, location, note)
    user_region = op.parent_region()
    if home is user_region:
        note += " in the same region)"
    elif home is not None and _is_ancestor(home, op):
        note += " in a parent region)"
    else:
        parent = home.parent if home is not None else None
        inner = user_region is not None and parent is not None and _contains(user_region, home)
        note += " in a child region)" if inner else " neither in a parent nor in a child region)"
    return _error(op, message, location, note)


def _error(op: Operation, message: str, location: Attribute | None, note: str) -> DiagnosticError:
    return DiagnosticError(
        Diagnostic("error", message, op.location, [Diagnostic("note", note, location)], op)
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


def _contains(region: Region, inner: Region | None) -> bool:
    while inner is not None:
        if inner is region:
            return True
        parent = inner.parent
        inner = parent.parent_region() if parent is not None else None
    return False
