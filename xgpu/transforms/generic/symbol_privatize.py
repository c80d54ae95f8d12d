# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`symbol-privatize`: makes the symbols of a module private, except those named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr

from xgpu.core.ir.symbols import body_operations, is_symbol, symbol_name
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class SymbolPrivatize(Pass):
    """Hides all symbols but those that `exclude` names."""

    name = "symbol-privatize"
    summary = "Mark symbols private"
    options = (Option("exclude", list, (), "Comma separated list of symbols that stay public"),)

    exclude: Sequence[str]

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in body_operations(op):
            if is_symbol(inner) and symbol_name(inner) not in self.exclude:
                inner.properties["sym_visibility"] = StringAttr("private")
