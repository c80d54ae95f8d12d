# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics about a module of LLVM IR, with the lines that they are about."""

from __future__ import annotations

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.syntax import diagnostics
from xgpu.frontend.llvm_ir.lexer import line_of
from xgpu.frontend.llvm_ir.model import Constant, MetadataConstant, MetadataString, Node
from xgpu.frontend.llvm_ir.source_locations import SourceLocations


class Messages:
    """`text` is what was read, `locations` finds a part of it in what the user wrote; with
    `details` warnings tell of all that is left out."""

    def __init__(self, text: str, locations: SourceLocations, *, details: bool) -> None:
        self.text = text
        self.locations = locations
        self._details = details

    def as_text(self, node: object) -> str:
        """Metadata as LLVM writes it."""
        if isinstance(node, Node):
            return line_of(self.text, node.token).strip()
        if isinstance(node, MetadataString):
            return f'!"{node.text}"'
        if isinstance(node, MetadataConstant) and isinstance(node.value, Constant):
            return f"{shown(node.value.type)} {node.value.data}"
        return "null"

    def error(self, message: str, at: object = None) -> DiagnosticError:
        """An error about something of the text."""
        return DiagnosticError(self._diagnostic("error", message, at))

    def unhandled(self, what: str, at: object, reason: str = "") -> DiagnosticError:
        """An error about something that the llvm dialect has no words for; shows its line."""
        return self.error(f"unhandled {what}: {self.line(at)}{reason}", at)

    def warn(self, message: str, at: object = None) -> None:
        diagnostics.emit(self._diagnostic("warning", message, at))

    def detail(self, message: str, at: object) -> None:
        """A warning for those who asked for all of them; shows the line."""
        if self._details:
            self.warn(f"{message} {self.line(at)}", at)

    def line(self, at: object) -> str:
        """The line of LLVM's text that something stands in."""
        return line_of(self.text, getattr(at, "token", -1))

    def _diagnostic(self, severity: str, message: str, at: object) -> Diagnostic:
        token = getattr(at, "token", -1)
        if token < 0:
            return Diagnostic(severity, message, self.locations.file())
        return Diagnostic(severity, message, self.locations.find(self.text, token, self.line(at)))
