# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What several gpu passes need: constants, values used from above, symbol tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

_CONSTANTS = frozenset({"arith.constant", "index.constant", "llvm.mlir.constant"})


def constant_attribute(value: SSAValue) -> Attribute | None:
    """The attribute of the constant that defines `value`, or None."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name in _CONSTANTS:
        return owner.properties.get("value")
    return None


def constant_int(value: SSAValue) -> int | None:
    """The integer that `value` is known to be, or None."""
    attribute = constant_attribute(value)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def walk_postorder(region: Region) -> Iterator[Operation]:
    """Operations of a region, each after what it contains: MLIR's default order."""
    for block in region.blocks:
        for op in list(block.ops):
            for nested in op.regions:
                yield from walk_postorder(nested)
            yield op


def is_inside(block: Block | None, region: Region) -> bool:
    while block is not None:
        parent = block.parent
        if parent is region:
            return True
        op = None if parent is None else parent.parent
        block = None if op is None else op.parent
    return False


def used_values_defined_above(region: Region) -> list[SSAValue]:
    """Values from outside that operations inside use, in the order of MLIR's walk."""
    found: dict[SSAValue, None] = {}
    inside: dict[Block, bool] = {}
    for op in walk_postorder(region):
        for operand in op.operands:
            if operand in found:
                continue
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            if block is None:
                continue
            known = inside.get(block)
            if known is None:
                known = inside[block] = is_inside(block, region)
            if not known:
                found[operand] = None
    return list(found)


def replace_uses_in_region(region: Region, mapping: dict[SSAValue, SSAValue]) -> None:
    """Replaces operands of operations inside `region`."""
    for op in region.walk():
        for i, operand in enumerate(op.operands):
            new = mapping.get(operand)
            if new is not None:
                op.operands[i] = new


def clone_with_locations(
    op: Operation, mapping: dict[SSAValue, SSAValue] | None = None
) -> Operation:
    """A copy of `op` and its regions that keeps locations, and operands as `mapping` says."""
    new = op.clone(mapping)
    for old_op, new_op in zip(op.walk(), new.walk(), strict=True):
        new_op.location = old_op.location
        for old_region, new_region in zip(old_op.regions, new_op.regions, strict=True):
            for old_block, new_block in zip(old_region.blocks, new_region.blocks, strict=True):
                for a, b in zip(old_block.args, new_block.args, strict=True):
                    b.location = a.location
    return new


def symbol_name(op: Operation) -> str | None:
    """The name of a symbol operation, kept as a property or, by some, as an attribute."""
    name = op.properties.get("sym_name")
    if name is None:
        name = op.attributes.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def set_symbol_name(op: Operation, name: str) -> None:
    place = op.properties if "sym_name" in op.properties else op.attributes
    place["sym_name"] = StringAttr(name)


class SymbolTable:
    """The symbols directly in an operation, and insertion under a name that is not taken.

    Like MLIR's, a table counts on through all the names that it had to change.
    """

    __slots__ = ("_counter", "_symbols", "op")

    def __init__(self, op: Operation) -> None:
        self.op = op
        self._counter = 0
        self._symbols: dict[str, Operation] = {}
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    name = symbol_name(child)
                    if name is not None:
                        self._symbols[name] = child

    def lookup(self, name: str) -> Any:
        return self._symbols.get(name)

    def insert(self, op: Operation, before: Operation | None = None) -> str:
        """Inserts a symbol at the end, or before `before`; returns the name it got."""
        name = symbol_name(op)
        assert name is not None
        if name in self._symbols:
            base = name
            while name in self._symbols:
                name = f"{base}_{self._counter}"
                self._counter += 1
            set_symbol_name(op, name)
        self._symbols[name] = op
        block = self.body
        if before is None:
            last = block.last_op
            if last is not None and last.name.endswith(("_end", ".terminator")):
                block.insert_op_before(op, last)
            else:
                block.add_op(op)
        else:
            block.insert_op_before(op, before)
        return name

    @property
    def body(self) -> Block:
        region = self.op.regions[0]
        if region.blocks.first is None:
            region.add_block(Block())
        first = region.blocks.first
        assert first is not None
        return first


def parent_of(op: Operation, *names: str) -> Operation | None:
    """The nearest enclosing operation of one of these names."""
    parent = op.parent_op()
    while parent is not None and parent.name not in names:
        parent = parent.parent_op()
    return parent


def defining_op(value: SSAValue) -> Operation | None:
    return None if isinstance(value, BlockArgument) else value.owner  # pyright: ignore
