# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`symbol-dce` and `symbol-privatize`: private symbols that nothing refers to, and making them
private.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import (
    body_operations,
    is_symbol,
    is_symbol_table,
    may_be_table,
    nearest_table,
    references,
    symbol_name,
    visibility,
)
from xgpu.core.ods.foreign import has_dialect
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context


# --- symbol dce ----------------------------------------------------------------------------------
# `symbol-dce`: erases private symbols that nothing refers to.


def can_discard(op: Operation) -> bool:
    """Whether the symbol may go when nothing refers to it, and all who could are known."""
    if op.name.startswith("llvm."):
        linkage = op.properties.get("linkage")
        # Only these linkages say that nothing outside can see it.
        return (
            getattr(getattr(linkage, "linkage", linkage), "data", "")
            in (
                "internal",
                "private",
            )
            and visibility(op) != "public"
        )
    return visibility(op) != "public"


def is_hidden(table: Operation, around: bool) -> bool:
    """Whether only what is in `table`, and in what hides it (`around`), can see its symbols."""
    return around or not is_symbol(table) or visibility(table) == "private"


class _Liveness:
    """Which symbols something alive refers to."""

    def __init__(self) -> None:
        self.live: set[Operation] = set()
        self.pending: list[Operation] = []
        self.tables: dict[Operation, dict[str, Operation]] = {}
        #: Whether the symbols of a table are seen from inside of the root alone.
        self.hidden: dict[Operation, bool] = {}

    def table(self, op: Operation) -> dict[str, Operation]:
        found = self.tables.get(op)
        if found is None:
            found = {}
            for inner in body_operations(op):
                name = symbol_name(inner)
                if name is not None:
                    found[name] = inner
            self.tables[op] = found
        return found

    def mark(self, op: Operation) -> None:
        if op not in self.live:
            self.live.add(op)
            self.pending.append(op)

    def run(self, table: Operation) -> None:
        """Marks what lives in `table` by itself, then what that refers to."""
        self.hidden[table] = is_hidden(table, table.parent is None)
        self.roots(table)
        while self.pending:
            self.visit(self.pending.pop())

    def roots(self, table: Operation) -> None:
        hidden = self.hidden[table]
        for op in body_operations(table):
            if not is_symbol(op):
                self.visit(op)
            elif not (can_discard(op) and (hidden or visibility(op) == "private")):
                self.mark(op)

    def visit(self, op: Operation) -> None:
        """Follows the references in a live operation. Nested tables bring their own roots."""
        for inner in self._alive_inside(op):
            for reference in references(inner):
                self.follow(inner, reference)

    def _alive_inside(self, op: Operation) -> list[Operation]:
        if may_be_table(op) and not has_dialect(op.name.partition(".")[0]):
            raise error(
                op,
                "operation contains potentially unknown symbol table, meaning that we can't "
                "reliable compute symbol uses",
            )
        found = [op]
        if is_symbol_table(op):
            if op not in self.hidden:
                self.hidden[op] = is_hidden(op, self._hides(op))
                self.roots(op)
            return found
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    found.extend(self._alive_inside(inner))
        return found

    def _hides(self, op: Operation) -> bool:
        """Whether the table around `op` hides what is in it."""
        table = nearest_table(op)
        return table is None or self.hidden.get(table, False)

    def follow(self, op: Operation, reference: object) -> None:
        names = [
            reference.root_reference.data,  # type: ignore[attr-defined]
            *(n.data for n in reference.nested_references.data),  # type: ignore[attr-defined]
        ]
        table = op.parent_op()
        while table is not None:
            if is_symbol_table(table):
                found = self.table(table).get(names[0])
                if found is not None:
                    self._mark_path(found, names[1:])
                    return
            table = table.parent_op()

    def _mark_path(self, op: Operation, rest: list[str]) -> None:
        self.mark(op)
        for name in rest:
            inner = self.table(op).get(name)
            if inner is None:
                return
            op = inner
            self.mark(op)


class SymbolDCE(Pass):
    """Erases symbols that are not visible from outside and not referred to."""

    name = "symbol-dce"
    summary = "Eliminate dead symbols"

    def run(self, op: Operation, ctx: Context) -> None:
        if not is_symbol_table(op):
            raise error(op, "'symbol-dce' was scheduled to run under a non SymbolTable operation")
        liveness = _Liveness()
        liveness.run(op)
        self._erase(op, liveness)

    def _erase(self, root: Operation, liveness: _Liveness) -> None:
        for table in root.walk():  # a table before what is in it
            if not is_symbol_table(table):
                continue
            for op in list(body_operations(table)):
                if is_symbol(op) and op not in liveness.live:
                    op.detach()
                    op.erase(safe_erase=False)


# --- symbol privatize ----------------------------------------------------------------------------
# `symbol-privatize`: makes the symbols of a module private, except those named.


class SymbolPrivatize(Pass):
    """Hides all symbols but those that `exclude` names."""

    name = "symbol-privatize"
    summary = "Mark symbols private"
    options = (Option("exclude", list, (), "Comma separated list of symbols that stay public"),)

    exclude: Sequence[str]

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in body_operations(op):
            if is_symbol(inner) and symbol_name(inner) not in self.exclude:
                # That of modules and of gpu.func is no property of theirs.
                is_property = "sym_visibility" in getattr(inner, "property_names", ())
                place = inner.properties if is_property else inner.attributes
                place["sym_visibility"] = StringAttr("private")
