# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cse`: erases operations that compute what a dominating operation has computed.

Two operations are the same if name, attributes, properties, operands (in any order if they
commute), result types and regions are. Operations without memory effects may be shared wherever the
first one dominates; operations that only read, within a block if nothing between them writes.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.construction import (
    erase_operation,
    operands_of,
    operations_of,
    replace_all_uses,
    value_type,
)
from xgpu.core.ir.dominance import Dominators
from xgpu.core.ir.effects import effects, is_memory_effect_free, is_trivially_dead, only_reads
from xgpu.core.ir.op_info import traits_of
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import is_isolated

if TYPE_CHECKING:
    from xdsl.context import Context

Key = Hashable


class _Scope(dict[Key, Operation]):
    """Known operations; what is not here may be in an outer scope."""

    def __init__(self, outer: _Scope | None = None) -> None:
        super().__init__()
        self.outer = outer

    def find(self, key: Key) -> Operation | None:
        scope: _Scope | None = self
        while scope is not None:
            found = scope.get(key)
            if found is not None:
                return found
            scope = scope.outer
        return None


class _Numbers:
    """A number for each attribute or type, the same for equal ones.

    The same object recurs most of the time, and hashing an attribute of xDSL costs more than all
    else that is in an operation's key: hence numbers by identity first.
    """

    def __init__(self) -> None:
        #: The attribute stays beside its number, so that its identity stays taken.
        self._by_identity: dict[int, tuple[Attribute, int]] = {}
        self._by_value: dict[Attribute, int] = {}

    def of(self, attribute: Attribute) -> int:
        known = self._by_identity.get(id(attribute))
        if known is not None:
            return known[1]
        number = self._by_value.setdefault(attribute, len(self._by_value))
        self._by_identity[id(attribute)] = (attribute, number)
        return number


def operation_key(op: Operation, numbers: _Numbers) -> Key:
    """Equal for operations that compute the same."""
    # Values are the same if they are the same object; what is in a key stays alive with the IR.
    operands: list[int] = [id(value) for value in operands_of(op)]
    if len(operands) == 2 and "Commutative" in traits_of(op.name):
        operands.sort()
    regions = tuple([_region_key(r) for r in op.regions]) if op.regions else ()
    number = numbers.of
    return (
        op.name,
        tuple(operands),
        frozenset([(name, number(a)) for name, a in op.properties.items()])
        if op.properties
        else None,
        frozenset([(name, number(a)) for name, a in op.attributes.items()])
        if op.attributes
        else None,
        tuple([number(value_type(r)) for r in op.results]),
        regions,
    )


def _attributes_key(op: Operation) -> Key:
    if not op.properties and not op.attributes:
        return ()
    return (
        frozenset(op.properties.items()),
        frozenset(op.attributes.items()) if op.attributes else None,
    )


def _region_key(region: Region) -> Key:
    """A key of a region's content, with its own values and blocks by number."""
    numbers: dict[object, int] = {}

    def number(of: SSAValue | Block) -> object:
        found = numbers.get(of)
        return of if found is None else found

    def visit(r: Region) -> Key:
        for block in r.blocks:
            numbers[block] = len(numbers)
        keys: list[Key] = []
        for block in r.blocks:
            for arg in block.args:
                numbers[arg] = len(numbers)
            keys.append(tuple(a.type for a in block.args))
            for op in block.ops:
                nested = tuple(visit(inner) for inner in op.regions)
                keys.append(
                    (
                        op.name,
                        tuple(number(v) for v in op.operands),
                        _attributes_key(op),
                        tuple(x.type for x in op.results),
                        tuple(number(s) for s in op.successors),
                        nested,
                    )
                )
                for result in op.results:
                    numbers[result] = len(numbers)
        return tuple(keys)

    return visit(region)


class _Eliminator:
    """One run on one operation."""

    def __init__(self) -> None:
        self.dead: list[Operation] = []
        self.numbers = _Numbers()
        #: For a reading operation, up to where nothing after it writes.
        self.clean: dict[Operation, Operation] = {}

    def region(self, region: Region, scope: _Scope) -> None:
        first = region.first_block
        if first is None:
            return
        owner = region.parent
        if owner is not None and _is_graph(owner):
            for block in region.blocks:
                self.block(block, _Scope(scope), dominance=False)
            return
        if first is region.last_block:
            self.block(first, _Scope(scope), dominance=True)
            return
        tree = Dominators(region)
        if not tree.order:
            return
        children = tree.children()
        # Depth first over the dominator tree, each block in its own scope.
        pending: list[tuple[Block, _Scope]] = [(tree.order[0], scope)]
        while pending:
            block, outer = pending.pop()
            own = _Scope(outer)
            self.block(block, own, dominance=True)
            pending.extend((child, own) for child in reversed(children[block]))

    def block(self, block: Block, scope: _Scope, *, dominance: bool) -> None:
        for op in operations_of(block):
            if op.regions:
                # An isolated operation sees nothing of what is known outside.
                inner = _Scope() if is_isolated(op) else scope
                for region in op.regions:
                    self.region(region, inner)
            self.operation(op, scope, dominance)

    def operation(self, op: Operation, scope: _Scope, dominance: bool) -> None:
        if op.successors or (op.next_op is None and "Terminator" in traits_of(op.name)):
            return
        if is_trivially_dead(op):
            self.dead.append(op)
            return
        if op.regions and any(r.first_block is not r.last_block for r in op.regions):
            return
        free = is_memory_effect_free(op)
        if not free and not only_reads(op):
            return
        key = operation_key(op, self.numbers)
        known = scope.find(key)
        if known is None or not (free or self.nothing_written(known, op)):
            scope[key] = op
            return
        self.replace(op, known, dominance)

    def nothing_written(self, first: Operation, second: Operation) -> bool:
        """Whether, between two reading operations of one block, nothing writes to memory."""
        if first.parent is not second.parent:
            return False
        op: Operation | None = self.clean.get(first, first).next_op
        while op is not None and op is not second:
            found = effects(op)
            if found is None or any(e.kind == "write" for e in found):
                return False
            op = op.next_op
        self.clean[first] = second
        return op is second

    def replace(self, op: Operation, known: Operation, dominance: bool) -> None:
        if dominance:
            for old, new in zip(op.results, known.results, strict=True):
                if new.name_hint is None:
                    new.name_hint = old.name_hint
                replace_all_uses(old, new)
        else:
            # A graph region: what comes before may use it, so only later users are replaced.
            later = _later_operations(known)
            for old, new in zip(op.results, known.results, strict=True):
                old.replace_uses_with_if(new, lambda use: use.operation in later)
            if any(r.first_use is not None for r in op.results):
                return
        self.dead.append(op)
        if type(known.location).__name__ == "UnknownLoc":
            known.location = op.location


def _later_operations(op: Operation) -> set[Operation]:
    found: set[Operation] = set()
    after = op.next_op
    while after is not None:
        found.update(after.walk())
        after = after.next_op
    return found


def _is_graph(op: Operation) -> bool:
    """Whether the regions of `op` are graphs, where order means nothing."""
    return op.name == "builtin.module" or "GraphRegion" in " ".join(traits_of(op.name))


def eliminate_common_subexpressions(op: Operation) -> None:
    """Runs on the regions of `op`."""
    eliminator = _Eliminator()
    scope = _Scope()
    for region in op.regions:
        eliminator.region(region, scope)
    for dead in eliminator.dead:  # what is inside of another comes before it
        if any(r.first_use is not None for r in dead.results):
            dead.detach()
            dead.erase(safe_erase=False)
        else:
            erase_operation(dead)


class CSE(Pass):
    """Erases operations whose results another one has computed already."""

    name = "cse"
    summary = "Eliminate common sub-expressions"

    def run(self, op: Operation, ctx: Context) -> None:
        eliminate_common_subexpressions(op)
