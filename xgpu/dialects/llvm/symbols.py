# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbol look-up for the llvm dialect's verifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.ir.symbols import lookup as find_symbol
from xgpu.core.ir.symbols import may_be_table

if TYPE_CHECKING:
    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Operation


def nearest_table(op: Operation) -> Operation | None:
    """The nearest operation above `op` that holds symbols, or None."""
    from xdsl.traits import SymbolTable

    holder = op.parent_op()
    while holder is not None and not holder.has_trait(SymbolTable, value_if_unregistered=False):
        if may_be_table(holder):
            return None
        holder = holder.parent_op()
    return holder


def lookup(op: Operation, reference: SymbolRefAttr) -> Operation | None:
    """What the symbol reference names, seen from `op`, or None."""
    holder = nearest_table(op)
    if holder is None:
        return None
    found = find_symbol(holder, reference.root_reference.data)
    for nested in reference.nested_references.data:
        if found is None:
            return None
        found = find_symbol(found, nested.data)
    return found


def is_llvm_module(op: Operation) -> bool:
    """Whether `op` may hold globals: it is isolated and holds symbols."""
    from xdsl.traits import IsolatedFromAbove, SymbolTable

    return op.has_trait(SymbolTable, value_if_unregistered=False) and op.has_trait(
        IsolatedFromAbove, value_if_unregistered=False
    )


def llvm_module(op: Operation) -> Operation | None:
    """The module around `op`, or None."""
    holder = op.parent_op()
    while holder is not None and not is_llvm_module(holder):
        holder = holder.parent_op()
    return holder


def lookup_in_module(op: Operation, reference: SymbolRefAttr) -> Operation | None:
    """What the flat reference names in the module around `op`, or None."""
    holder = llvm_module(op)
    return None if holder is None else find_symbol(holder, reference.root_reference.data)
