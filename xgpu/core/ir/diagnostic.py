# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A diagnostic: a message about the input of a user, with its location and notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


class Diagnostic:
    """One message: `severity` is "error", "warning", "remark" or "note".

    `op` is the operation that reported it, if one did: a tool shows it below the message.
    `is_hint` marks a note that MLIR does not have: no test written for mlir-opt expects it.
    """

    __slots__ = ("is_hint", "location", "message", "notes", "op", "severity")

    def __init__(
        self,
        severity: str,
        message: str,
        location: Attribute | None = None,
        notes: Sequence[Diagnostic] = (),
        op: Operation | None = None,
        *,
        is_hint: bool = False,
    ) -> None:
        self.op = op
        self.is_hint = is_hint
        self.severity = severity
        self.message = message
        self.location = location
        self.notes = list(notes)

    def with_hint(self, text: str | None) -> Diagnostic:
        """Itself, with a note of what may help, if there is one."""
        if text is not None:
            self.notes.append(Diagnostic("note", text, is_hint=True))
        return self

    def __repr__(self) -> str:
        from xgpu.core.ir.locations import source_location

        location = source_location(self.location)
        at = "" if location is None else f" at {location[0]}:{location[1]}:{location[2]}"
        more = f", {len(self.notes)} notes" if self.notes else ""
        return f"<{self.severity}{at}: {self.message}{more}>"


#: Severity, message, file, line and column if they are known, notes, and whether it is a hint.
FlatDiagnostic = tuple[str, str, tuple[str, int, int] | None, list["FlatDiagnostic"], bool]


def flatten(diagnostic: Diagnostic) -> FlatDiagnostic:
    """A diagnostic without operation, for another process."""
    from xgpu.core.ir.locations import source_location

    at = source_location(diagnostic.location)
    place = None if at is None else (at.file, at.line, at.column)
    notes = [flatten(note) for note in diagnostic.notes]
    return diagnostic.severity, diagnostic.message, place, notes, diagnostic.is_hint


def unflatten(flat: FlatDiagnostic) -> Diagnostic:
    """The diagnostic that `flatten` was given, without its operation."""
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    severity, message, at, notes, is_hint = flat
    location = None
    if at is not None:
        location = FileLineColLoc(StringAttr(at[0]), IntAttr(at[1]), IntAttr(at[2]))
    made = [unflatten(note) for note in notes]
    return Diagnostic(severity, message, location, made, is_hint=is_hint)
