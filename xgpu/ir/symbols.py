# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbols: names, visibility, and who refers to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from xgpu.rewriting.folding import traits_of


def symbol_name(op: Operation) -> str | None:
    """The name of the symbol that `op` defines, or None."""
    attr = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return attr.data if isinstance(attr, StringAttr) else None


def visibility(op: Operation) -> str:
    """ "public", "private" or "nested"."""
    attr: Any = op.properties.get("sym_visibility") or op.attributes.get("sym_visibility")
    if attr is None and op.name.startswith("llvm."):
        return "public"
    return attr.data if isinstance(attr, StringAttr) else "public"


def is_symbol_table(op: Operation) -> bool:
    return op.name == "builtin.module" or "SymbolTable" in traits_of(op.name)


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


def lookup(table: Operation, name: str) -> Operation | None:
    """The symbol `name` of a symbol table."""
    for op in body_operations(table):
        if symbol_name(op) == name:
            return op
    return None


def nearest_table(op: Operation) -> Operation | None:
    """The innermost symbol table around `op`."""
    parent = op.parent_op()
    while parent is not None and not is_symbol_table(parent):
        parent = parent.parent_op()
    return parent


def references_in(attr: Attribute) -> Iterator[SymbolRefAttr]:
    """All symbol references inside an attribute."""
    if isinstance(attr, SymbolRefAttr):
        yield attr
    elif isinstance(attr, ArrayAttr):
        for item in attr.data:
            yield from references_in(item)
    elif isinstance(attr, DictionaryAttr):
        for item in attr.data.values():
            yield from references_in(item)
    elif isinstance(attr, ParametrizedAttribute):
        for item in attr.parameters:
            yield from references_in(item)
    else:
        data = getattr(attr, "data", None)
        if isinstance(data, tuple):
            for item in data:  # pyright: ignore[reportUnknownVariableType]
                if isinstance(item, Attribute):
                    yield from references_in(item)


def references(op: Operation) -> Iterator[SymbolRefAttr]:
    """All symbol references of one operation, its regions aside."""
    for attr in op.properties.values():
        yield from references_in(attr)
    for attr in op.attributes.values():
        yield from references_in(attr)


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
