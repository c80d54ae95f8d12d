# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`symbol-dce`: erases private symbols that nothing refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.ir.symbols import (
    body_operations,
    is_symbol,
    is_symbol_table,
    references,
    symbol_name,
    visibility,
)
from xgpu.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context


def can_discard(op: Operation) -> bool:
    """Whether the symbol may go when nothing refers to it, by its visibility alone."""
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
    return visibility(op) == "private"


class _Liveness:
    """Which symbols something alive refers to."""

    def __init__(self) -> None:
        self.live: set[Operation] = set()
        self.pending: list[Operation] = []
        self.tables: dict[Operation, dict[str, Operation]] = {}

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

    def run(self, table: Operation, hidden: bool) -> None:
        """Marks what lives in `table` by itself, then what that refers to."""
        self.roots(table, hidden)
        while self.pending:
            self.visit(self.pending.pop())

    def roots(self, table: Operation, hidden: bool) -> None:
        for op in body_operations(table):
            if not is_symbol(op):
                self.visit(op)
            elif not (can_discard(op) or (hidden and visibility(op) != "public")):
                self.mark(op)

    def visit(self, op: Operation) -> None:
        """Follows the references in a live operation. Nested tables bring their own roots."""
        for inner in self._alive_inside(op):
            for reference in references(inner):
                self.follow(inner, reference)

    def _alive_inside(self, op: Operation) -> list[Operation]:
        found = [op]
        if is_symbol_table(op):
            self.roots(op, hidden=False)
            return found
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    found.extend(self._alive_inside(inner))
        return found

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
            from xgpu.ir.errors import error

            raise error(op, "'symbol-dce' was scheduled to run under a non SymbolTable operation")
        liveness = _Liveness()
        liveness.run(op, hidden=op.parent is None)
        self._erase(op, liveness)

    def _erase(self, table: Operation, liveness: _Liveness) -> None:
        for op in list(body_operations(table)):
            if is_symbol(op) and op not in liveness.live:
                op.detach()
                op.erase(safe_erase=False)
            elif is_symbol_table(op):
                self._erase(op, liveness)
