# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbol look-up for the llvm dialect's verifiers.

A module with many calls asks for many symbols; the table of the module asked last is kept, and an
entry is trusted only while the operation still stands there under that name.
"""

from __future__ import annotations

import weakref
from typing import Any

from xdsl.dialects.builtin import StringAttr

_kept: tuple[Any, dict[str, Any]] | None = None


def symbol_name(op: Any) -> str | None:
    """The name that `op` defines, or None."""
    name = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _scan(holder: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for region in holder.regions:
        for block in region.blocks:
            for op in block.ops:
                name = symbol_name(op)
                if name is not None:
                    found.setdefault(name, op)
    return found


def lookup_in(holder: Any, name: str) -> Any:
    """The operation of the symbol table `holder` that defines `name`, or None."""
    global _kept
    kept = _kept
    if kept is not None and kept[0]() is holder:
        op = kept[1].get(name)
        if op is not None and symbol_name(op) == name and op.parent_op() is holder:
            return op
    table = _scan(holder)
    _kept = (weakref.ref(holder), table)
    return table.get(name)


def nearest_table(op: Any) -> Any:
    """The nearest operation above `op` that holds symbols, or None."""
    from xdsl.traits import SymbolTable

    holder = op.parent_op()
    while holder is not None and not holder.has_trait(SymbolTable, value_if_unregistered=False):
        holder = holder.parent_op()
    return holder


def lookup(op: Any, reference: Any) -> Any:
    """What the symbol reference names, seen from `op`, or None."""
    holder = nearest_table(op)
    if holder is None:
        return None
    found = lookup_in(holder, reference.root_reference.data)
    for nested in reference.nested_references.data:
        if found is None:
            return None
        found = lookup_in(found, nested.data)
    return found


def is_llvm_module(op: Any) -> bool:
    """Whether `op` may hold globals: it is isolated and holds symbols."""
    from xdsl.traits import IsolatedFromAbove, SymbolTable

    return op.has_trait(SymbolTable, value_if_unregistered=False) and op.has_trait(
        IsolatedFromAbove, value_if_unregistered=False
    )


def llvm_module(op: Any) -> Any:
    """The module around `op`, or None."""
    holder = op.parent_op()
    while holder is not None and not is_llvm_module(holder):
        holder = holder.parent_op()
    return holder


def lookup_in_module(op: Any, reference: Any) -> Any:
    """What the flat reference names in the module around `op`, or None."""
    holder = llvm_module(op)
    return None if holder is None else lookup_in(holder, reference.root_reference.data)
