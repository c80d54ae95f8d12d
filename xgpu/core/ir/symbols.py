# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbols: names, visibility, and who refers to them."""

from __future__ import annotations

from _weakref import ref  # without the sets and dictionaries of `weakref`
from collections.abc import Iterator

from xdsl.dialects.builtin import DictionaryAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, ParametrizedAttribute

from xgpu.core.ir.op_info import UnregisteredOperation, attribute_of, traits_of


def symbol_name(op: Operation) -> str | None:
    """The name of the symbol that `op` defines, or None."""
    attr = attribute_of(op, "sym_name")
    return attr.data if isinstance(attr, StringAttr) else None


def visibility(op: Operation) -> str:
    """ "public", "private" or "nested"."""
    attr = attribute_of(op, "sym_visibility")
    if attr is None and op.name.startswith("llvm."):
        return "public"
    return attr.data if isinstance(attr, StringAttr) else "public"


def is_symbol_table(op: Operation) -> bool:
    return op.name == "builtin.module" or "SymbolTable" in traits_of(op.name)


def may_be_table(op: Operation) -> bool:
    """Whether it is unknown if `op` is a symbol table: as MLIR, we look nothing up through it."""
    return isinstance(op, UnregisteredOperation) and len(op.regions) == 1


def is_symbol(op: Operation) -> bool:
    return symbol_name(op) is not None and (
        op.name == "builtin.module"
        or not {"Symbol", "FunctionOpInterface"}.isdisjoint(traits_of(op.name))
    )


def body_operations(table: Operation) -> Iterator[Operation]:
    """The operations that stand directly in a symbol table."""
    for region in table.regions:
        for block in region.blocks:
            yield from block.ops


_kept: tuple[ref[Operation], dict[str, Operation]] | None = None


def lookup(table: Operation, name: str) -> Operation | None:
    """The symbol `name` of a symbol table.

    A module with many calls is asked for many symbols: those of the table asked last are kept, and
    one is trusted only while it still stands there under that name.
    """
    global _kept
    if _kept is not None and _kept[0]() is table:
        op = _kept[1].get(name)
        if op is not None and symbol_name(op) == name and op.parent_op() is table:
            return op
    found: dict[str, Operation] = {}
    for op in body_operations(table):
        if (symbol := symbol_name(op)) is not None:
            found.setdefault(symbol, op)
    _kept = (ref(table), found)
    return found.get(name)


def nearest_table(op: Operation) -> Operation | None:
    """The innermost symbol table around `op`."""
    parent = op.parent_op()
    while parent is not None and not is_symbol_table(parent):
        parent = parent.parent_op()
    return parent


def references_in(*attributes: Attribute) -> Iterator[SymbolRefAttr]:
    """All symbol references inside attributes, in order.

    Attributes may share parts: what holds others is looked into once, so the time is in proportion
    to the number of distinct ones."""
    pending = list(reversed(attributes))
    seen: set[int] = set()
    while pending:
        attr = pending.pop()
        if isinstance(attr, SymbolRefAttr):
            yield attr
            continue
        if isinstance(attr, ParametrizedAttribute):
            parts = attr.parameters
        elif isinstance(attr, DictionaryAttr):
            parts = attr.data.values()
        else:
            data = getattr(attr, "data", None)
            parts = data if isinstance(data, tuple) else ()  # pyright: ignore
        inner = [part for part in parts if isinstance(part, Attribute)]  # pyright: ignore
        if inner and id(attr) not in seen:
            seen.add(id(attr))
            pending += reversed(inner)


def references(op: Operation) -> Iterator[SymbolRefAttr]:
    """All symbol references of one operation, its regions aside."""
    return references_in(*op.properties.values(), *op.attributes.values())


def resolve(op: Operation, reference: SymbolRefAttr) -> list[Operation] | None:
    """What `reference`, standing in `op`, refers to: the symbols of its path, outermost first."""
    table = op if is_symbol_table(op) and op.parent is None else nearest_table(op)
    first = reference.root_reference.data
    while table is not None:
        found = lookup(table, first)
        if found is not None:
            path = [found]
            for nested in reference.nested_references.data:
                if not is_symbol_table(path[-1]):
                    return None
                inner = lookup(path[-1], nested.data)
                if inner is None:
                    return None
                path.append(inner)
            return path
        table = nearest_table(table)
    return None


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

    def lookup(self, name: str) -> Operation | None:
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
