# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debug information: LLVM's nodes as `#llvm.di_*` attributes and as locations.

LLVM's nodes form a graph with cycles, attributes are trees: `debug_cycles` cuts them.
A node that refers to something malformed is left out together with what must not stand without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, StringAttr

from xgpu.core.ir.locations import call_site_loc
from xgpu.core.ir.uniquing import fused_loc
from xgpu.frontend.llvm_ir.debug_attributes import Distinct
from xgpu.frontend.llvm_ir.debug_cycles import Pruner
from xgpu.frontend.llvm_ir.debug_scopes import SCOPES
from xgpu.frontend.llvm_ir.debug_translator import Translator
from xgpu.frontend.llvm_ir.debug_types import TYPES
from xgpu.frontend.llvm_ir.model import Function, Node

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Attribute


class DebugImport(Translator):
    """Translates the debug information of one module."""

    def __init__(self, distinct: Distinct, *, drop_elements: bool = False) -> None:
        super().__init__(distinct, drop_elements=drop_elements)
        self._known: dict[Node, Attribute] = {}
        self._locations: dict[Node, LocationAttr] = {}
        self._pruner = Pruner(distinct)

    # --- locations ---------------------------------------------------------------------------
    def function_location(self, function: Function) -> LocationAttr:
        """Where a function stands, with its subprogram."""
        node = dict(function.metadata).get("dbg")
        if node is None:
            return UNKNOWN_LOC
        place = _file_location(_filename(node), node.fields.get("line", 0), 0)
        return fused_loc([place], self.translate(node))

    def location(self, node: object) -> LocationAttr:
        """The location that a `!DILocation` is."""
        if not isinstance(node, Node) or node.kind != "DILocation":
            return UNKNOWN_LOC
        found = self._locations.get(node)
        if found is not None:
            return found
        fields = node.fields
        scope = fields.get("scope")
        place = _file_location(_filename(scope), fields.get("line", 0), fields.get("column", 0))
        found = fused_loc([place], self.translate(scope))
        if (caller := fields.get("inlinedAt")) is not None:
            found = call_site_loc(found, self.location(caller))
        self._locations[node] = found
        return found

    # --- nodes -------------------------------------------------------------------------------
    def translate(self, node: object) -> Attribute | None:
        """The attribute of a node, None for one that is not there or has none."""
        if not isinstance(node, Node):
            return None
        known = self._known.get(node)
        if known is not None:
            return known
        if (found := self._pruner.enter(node)) is not None:
            return found
        try:
            make = SCOPES.get(node.kind) or TYPES.get(node.kind)
            made = make(self, node) if make is not None else None
            if made is None:
                return None
            made, is_whole = self._pruner.finish(node, made)
            if is_whole:
                self._known[node] = made
            return made
        finally:
            self._pruner.leave(node)


def _filename(node: object) -> str:
    """The name of the file that a scope stands in."""
    while isinstance(node, Node):
        file = node if node.kind == "DIFile" else node.fields.get("file")
        if isinstance(file, Node):
            return file.fields.get("filename") or ""
        node = None
    return ""


def _file_location(file: str, line: int, column: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
